/* SPDX-License-Identifier: MIT */
/*
 * Is a file on a disk of this machine?  SQLite's write-ahead log needs locks
 * and shared memory that all of its users see, so machines that share a file
 * through a network lose each other's messages.
 */
#ifndef CTX_STORE_HOST_H
#define CTX_STORE_HOST_H

#include "base/err.h"

/*
 * Check the file system of a file: one that is shared by machines is refused
 * with CTX_ESYSTEM; if it is not known, and fresh is set, two processes try
 * there whether locks and shared memory work, which takes some milliseconds
 * (where nothing works, some seconds).
 */
int	ctx_host_check(const char *path, int fresh, struct ctx_err *err);

/*
 * After a file could not be locked: can this one be locked at all?  Returns 0,
 * or the number of the error.
 */
int	ctx_host_lock_error(int fd);

#endif
