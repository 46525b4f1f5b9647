/* SPDX-License-Identifier: MIT */
/*
 * Create a file that appears under its name only when all of it is on disk,
 * and that never replaces another file.
 */
#ifndef CTX_STORE_WHOLE_H
#define CTX_STORE_WHOLE_H

#include "base/buf.h"

/*
 * Create an empty file next to path, accessible only to us; tmp gets its name.
 */
int	ctx_whole_begin(const char *path, struct ctx_buf *tmp,
	    struct ctx_err *err);

/*
 * If ok is set, sync the file and rename it to path; returns -1 if path
 * exists.  Otherwise returns -1.  In both cases the name in tmp is removed and
 * tmp is freed.
 */
int	ctx_whole_end(const char *path, struct ctx_buf *tmp, int ok,
	    struct ctx_err *err);

#endif
