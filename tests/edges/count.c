/* SPDX-License-Identifier: MIT */
/*
 * The part of clang's -fsanitize-coverage=inline-8bit-counters,pc-table that a program
 * brings itself: which edges does a test reach?  In the folder EDGES it writes
 *
 *	PROGRAM-N.at		its path, a newline, and where its N edges are in it
 *	FILE@TEST@PROGRAM-N	a byte for each edge: 1 if the test of bats reached it
 *
 * The file is mapped before main, so that a program in a sandbox writes it, too.  What
 * ends by a signal or _exit() has reached nothing.  See tests/edges/choose.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void	__sanitizer_cov_8bit_counters_init(uint8_t *, uint8_t *);
void	__sanitizer_cov_pcs_init(const uintptr_t *, const uintptr_t *);

extern char __executable_start;

static const uint8_t *counter;
static uint8_t *reached;
static size_t nedge;

/* Open a file in the folder, which programs of other users may write, too. */
static int
create(const char *name, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s-%zu%s", getenv("EDGES"), name, nedge,
	    flags & O_EXCL ? ".at" : "");
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0666);
	if (fd != -1)
		fchmod(fd, 0666);
	return fd;
}

void
__sanitizer_cov_8bit_counters_init(uint8_t *begin, uint8_t *end)
{
	const char *file = getenv("BATS_TEST_FILENAME");
	const char *test = getenv("BATS_TEST_NUMBER"), *base;
	char name[2048];
	void *map;
	int fd;

	if (getenv("EDGES") == NULL || counter != NULL)
		return;
	counter = begin;
	nedge = (size_t)(end - begin);
	base = file == NULL ? NULL : strrchr(file, '/');
	snprintf(name, sizeof(name), "%s@%s@%s", base == NULL ? "" : base + 1,
	    test == NULL ? "" : test, program_invocation_short_name);
	if ((fd = create(name, 0)) == -1)
		return;
	map = ftruncate(fd, (off_t)nedge) == -1 ? MAP_FAILED :
	    mmap(NULL, nedge, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map != MAP_FAILED)
		reached = map;
	close(fd);
}

void
__sanitizer_cov_pcs_init(const uintptr_t *begin, const uintptr_t *end)
{
	char path[4096];
	ssize_t len;
	FILE *f;
	int fd;

	if (reached == NULL ||
	    (fd = create(program_invocation_short_name, O_EXCL)) == -1)
		return;
	len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (len == -1 || (f = fdopen(fd, "w")) == NULL) {
		close(fd);
		return;
	}
	fprintf(f, "%.*s\n", (int)len, path);
	/* each has an address and flags */
	for (; begin < end; begin += 2)
		fprintf(f, "%ju\n", (uintmax_t)(*begin -
		    (uintptr_t)&__executable_start));
	fclose(f);
}

__attribute__((destructor)) static void
note(void)
{
	size_t i;

	for (i = 0; reached != NULL && i < nedge; i++)
		if (counter[i] != 0)
			reached[i] = 1;
}
