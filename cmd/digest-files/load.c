/* SPDX-License-Identifier: MIT */
#include "cmd/digest-files/load.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

static void
unmap(struct load *l)
{
	if (l->map != NULL)
		munmap(l->map, l->len);
	l->map = NULL;
}

/* Read everything from fd. */
static int
read_all(struct load *l, int fd, struct ctx_err *err)
{
	int rc;

	ctx_buf_reset(&l->buf);
	if ((rc = ctx_fd_read(fd, LOAD_PIPE, &l->buf)) == -1)
		return ctx_fail_errno(err, errno, "cannot read");
	if (rc == 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "more than %zu MB, which only a regular file may have",
		    LOAD_PIPE >> 20);
	l->data = l->buf.data;
	l->len = l->buf.len;
	return 0;
}

int
load_file(struct load *l, const char *path, struct ctx_err *err)
{
	struct stat st;
	int fd, rc = 0;

	unmap(l);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) == -1)
		return ctx_fail_errno(err, errno, "cannot open");
	if (fstat(fd, &st) == -1)
		rc = ctx_fail_errno(err, errno, "cannot read");
	else if (S_ISDIR(st.st_mode))
		rc = ctx_fail(err, CTX_ESYSTEM,
		    "is a directory; use -r to digest the files in it");
	else if ((off_t)(size_t)st.st_size != st.st_size)
		rc = ctx_fail(err, CTX_ESYSTEM,
		    "larger than what this machine can address");
	else if (!S_ISREG(st.st_mode) || (size_t)st.st_size < LOAD_MAP)
		rc = read_all(l, fd, err);
	else {
		l->map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
		    fd, 0);
		if (l->map == MAP_FAILED) {
			l->map = NULL;
			rc = ctx_fail_errno(err, errno, "cannot map");
		}
		l->data = l->map;
		l->len = (size_t)st.st_size;
	}
	close(fd);
	return rc;
}

void
load_done(struct load *l)
{
	unmap(l);
	ctx_buf_done(&l->buf);
}
