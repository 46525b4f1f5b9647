/* SPDX-License-Identifier: MIT */
/*
 * Programs in libexec that a command runs, so that it need not be linked with
 * their libraries.
 */
#ifndef CTX_BASE_HELPER_H
#define CTX_BASE_HELPER_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Find a program in the same places as tokenizer tables: $CTX_LIBEXEC, beside
 * the running program, and where it was installed.  Puts its terminated path in
 * path.
 */
int	ctx_helper_find(const char *name, struct ctx_buf *path,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Start the program with in and out as its input and output.  Returns 0 with
 * its process in *pid, or an errno.
 */
int	ctx_helper_start(const char *path, char *const *argv, int in, int out,
	    pid_t *pid) CTX_CHECKED;

#endif
