/* SPDX-License-Identifier: MIT */
/*
 * A file that appears under its name when all of it is on the disk, and that
 * replaces none.
 */
#ifndef CTX_STORE_WHOLE_H
#define CTX_STORE_WHOLE_H

#include "base/buf.h"

/* Make an empty file beside path, for us alone; tmp gets its name. */
int	ctx_whole_begin(const char *path, struct ctx_buf *tmp,
	    struct ctx_err *err);

/*
 * With ok: sync it, and give it the name path; -1 if that is taken.  Without:
 * -1.  The name in tmp is gone in any case, and tmp is freed.
 */
int	ctx_whole_end(const char *path, struct ctx_buf *tmp, int ok,
	    struct ctx_err *err);

#endif
