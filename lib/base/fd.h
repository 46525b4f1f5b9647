/* SPDX-License-Identifier: MIT */
/*
 * Whole reads and writes of open files.  A call that was interrupted by a
 * signal, or that transferred only a part, is repeated.  And syncing of names.
 */
#ifndef CTX_BASE_FD_H
#define CTX_BASE_FD_H

#include "base/buf.h"

/*
 * Append the rest of fd to out, but at most max bytes.
 *
 * Returns: 1; 0 if there was more; -1 with errno set (on ENOMEM out has failed
 *          too).
 */
int	ctx_fd_read(int fd, size_t max, struct ctx_buf *out) CTX_CHECKED;

/* Returns 0, or -1 with errno set. */
int	ctx_fd_write(int fd, const void *p, size_t len) CTX_CHECKED;

/* Copy the rest of from to to.  Returns 0, or -1 with errno set. */
int	ctx_fd_copy(int from, int to) CTX_CHECKED;

/*
 * Sync the folder that path is in ("." if it names none), so that the name is
 * on disk, too.  Returns 0, or -1 with errno set.
 */
int	ctx_fd_sync_folder(const char *path) CTX_CHECKED;

#endif
