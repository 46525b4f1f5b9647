/* SPDX-License-Identifier: MIT */
/*
 * Records what a test reaches.  It is linked into a build with
 * -fsanitize-coverage=trace-pc and marks each place of the program that ran in
 * a file in REACH_DIR, which all processes of one test share, so that
 * processes that are killed count too.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern char __executable_start, etext;
void __sanitizer_cov_trace_pc(void);

static unsigned char *map;
static size_t maplen;

/* Some tests run a program as another user, who must be able to write there. */
static void
open_folder(const char *path)
{
	if (mkdir(path, 0777) == 0)
		(void)chmod(path, 01777);
}

/*
 * The test is identified by its file and its number there, or by the name of
 * the unit test.
 */
static void
begin(void)
{
	const char *file = getenv("BATS_TEST_FILENAME");
	const char *name = getenv("BATS_TEST_NUMBER");
	char self[PATH_MAX], path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int fd;

	maplen = (size_t)(&etext - &__executable_start);
	if (n == -1)
		return;
	self[n] = '\0';
	file = file == NULL ? "unit" : strrchr(file, '/') + 1;
	if (name == NULL || *name == '\0')
		name = strcmp(file, "unit") == 0 ? strrchr(self, '/') + 1 : "all";
	if (snprintf(path, sizeof(path), "%s/%s", REACH_DIR, file) < 0)
		return;
	open_folder(path);
	if (snprintf(path, sizeof(path), "%s/%s/%.180s", REACH_DIR, file,
	    name) < 0)
		return;
	open_folder(path);
	if (snprintf(path, sizeof(path), "%s/%s/%.180s/%s", REACH_DIR, file,
	    name, strrchr(self, '/') + 1) < 0 ||
	    (fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)) == -1)
		return;
	(void)fchmod(fd, 0666);
	if (ftruncate(fd, (off_t)maplen) == 0)
		map = mmap(NULL, maplen, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	if (map == MAP_FAILED)
		map = NULL;
	close(fd);
}

void
__sanitizer_cov_trace_pc(void)
{
	static int begun;
	size_t at = (size_t)((char *)__builtin_return_address(0) -
	    &__executable_start);
	int e;

	if (!begun) {
		begun = 1;
		e = errno;
		begin();
		errno = e;
	}
	if (map != NULL && at < maplen)
		map[at] = 1;
}
