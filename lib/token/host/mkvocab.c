/* SPDX-License-Identifier: MIT */
/*
 * mkvocab - write a vocabulary table at build time
 *
 *	mkvocab NAME SPLIT RANKFILE TABLE [ORDER]
 *
 * SPLIT is r50k, cl100k or o200k.  ORDER is the byte order of the machine that
 * the table is for, big or little, if that is another machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "token/host/reorder.h"
#include "token/table.h"
#include "token/vocab.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OTHER_ORDER	"little"
#else
#define OTHER_ORDER	"big"
#endif

static const char *const kind[] = { "none", "r50k", "cl100k", "o200k" };
#define KINDS	(sizeof(kind) / sizeof(*kind))

/* Give the file the other byte order. */
static int
reorder(const char *path, struct ctx_err *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), rc = -1;
	void *map = MAP_FAILED;
	struct stat st;

	if (fd != -1 && fstat(fd, &st) == 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	if (map != MAP_FAILED) {
		ctx_reorder_table(map, (size_t)st.st_size);
		rc = munmap(map, (size_t)st.st_size);
	}
	if (rc == -1)
		ctx_fail_errno(err, errno, "%s", path);
	if (fd != -1)
		close(fd);
	return rc;
}

/* Write the table, which is complete once it has its name. */
static int
write_table(const struct ctx_vocab *v, const char *path, const char *order,
    struct ctx_err *err)
{
	char part[4096];
	int rc;

	if (order == NULL || strcmp(order, OTHER_ORDER) != 0)
		return ctx_vocab_write(v, path, err);
	snprintf(part, sizeof(part), "%s.part", path);
	rc = ctx_vocab_write(v, part, err);
	if (rc == 0)
		rc = reorder(part, err);
	if (rc == 0 && rename(part, path) == -1)
		rc = ctx_fail_errno(err, errno, "%s", path);
	if (rc == -1)
		unlink(part);
	return rc;
}

static int
is_order(const char *order)
{
	return strcmp(order, "big") == 0 || strcmp(order, "little") == 0;
}

int
main(int argc, char *argv[])
{
	const char *order = argc == 6 ? argv[5] : NULL;
	struct ctx_vocab v;
	struct ctx_err err = { 0 };
	unsigned k = KINDS;
	int rc;

	if (argc == 5 || (argc == 6 && is_order(order)))
		for (k = 0; k < KINDS && strcmp(argv[2], kind[k]) != 0; k++)
			;
	if (k == KINDS) {
		fputs("usage: mkvocab name split rankfile table [order]\n",
		    stderr);
		return 2;
	}
	ctx_vocab_init(&v, argv[1]);
	v.split = (enum ctx_split_kind)k;
	v.flags = CTX_TABLE_WHOLE;
	rc = ctx_vocab_read_ranks(&v, argv[3], &err);
	if (rc == 0)
		rc = write_table(&v, argv[4], order, &err);
	if (rc == -1)
		fprintf(stderr, "mkvocab: %s\n", err.text);
	ctx_vocab_done(&v);
	return rc == -1 ? 4 : 0;
}
