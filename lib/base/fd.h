/* SPDX-License-Identifier: MIT */
/*
 * Whole reads and writes of open files.  A call that a signal ended, or that did
 * a part of the work, is made again.
 */
#ifndef CTX_BASE_FD_H
#define CTX_BASE_FD_H

#include "base/buf.h"

/*
 * Append what fd has up to its end, but no more than max bytes, to out.
 *
 * Returns: 1; 0 if it had more; -1 with errno (ENOMEM: out has failed).
 */
int	ctx_fd_read(int fd, size_t max, struct ctx_buf *out) CTX_CHECKED;

/* 0, or -1 with errno. */
int	ctx_fd_write(int fd, const void *p, size_t len) CTX_CHECKED;

/* What from has up to its end, to to.  0, or -1 with errno. */
int	ctx_fd_copy(int from, int to) CTX_CHECKED;

#endif
