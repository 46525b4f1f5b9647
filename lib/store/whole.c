/* SPDX-License-Identifier: MIT */
/* Create files completely or not at all; see whole.h. */
#include "store/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"

static int
sync_path(const char *path, struct ctx_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;

	if (fd == -1 || fsync(fd) == -1)
		rc = ctx_fail_errno(err, errno, "%s", path);
	if (fd != -1)
		close(fd);
	return rc;
}

int
ctx_whole_begin(const char *path, struct ctx_buf *tmp, struct ctx_err *err)
{
	int fd;

	ctx_buf_adds(tmp, path);
	ctx_buf_adds(tmp, ".XXXXXX");
	if (ctx_buf_str(tmp) == NULL)
		return ctx_fail_nomem(err);
	if ((fd = mkstemp(tmp->data)) == -1) {
		ctx_fail_errno(err, errno, "%s", path);
		ctx_buf_done(tmp);
		return -1;
	}
	close(fd);
	return 0;
}

int
ctx_whole_end(const char *path, struct ctx_buf *tmp, int ok,
    struct ctx_err *err)
{
	int rc = -1;

	if (ok && sync_path(tmp->data, err) == 0) {
		/* link refuses an existing name; rename would replace it. */
		if ((rc = link(tmp->data, path)) == 0)
			rc = ctx_fd_sync_folder(path);
		if (rc == -1)
			ctx_fail_errno(err, errno, "%s", path);
	}
	unlink(tmp->data);
	ctx_buf_done(tmp);
	return rc;
}
