/* SPDX-License-Identifier: MIT */
/* Files named by their contents, for ctx-clean's folders. */
#ifndef CTX_CMD_CLEAN_FILES_H
#define CTX_CMD_CLEAN_FILES_H

#include "base/buf.h"
#include "cli.h"

/* DIR/HASHENDING into path, terminated. */
int	clean_file_path(struct ctx_buf *path, const char *dir,
	    const char *hash, const char *ending, struct ctx_err *err);

/*
 * Put p[0 .. len) under that name, whole or not at all.  One that exists has
 * the same contents, since it is named by them.
 */
int	clean_file_put(const char *dir, const char *hash, const char *ending,
	    const char *p, size_t len, struct ctx_err *err);

/* Append a file's bytes to out.  1; 0 if there is none; -1 with *err. */
int	clean_file_get(const char *path, struct ctx_buf *out,
	    struct ctx_err *err);

/* dir must be a folder; make says to make it.  Ends the process if not. */
void	clean_file_dir(const char *dir, int make, struct cli *c);

#endif
