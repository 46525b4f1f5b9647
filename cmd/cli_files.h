/* SPDX-License-Identifier: MIT */
/* Files whole, and those named by their contents in the folders of filters. */
#ifndef CTX_CMD_CLI_FILES_H
#define CTX_CMD_CLI_FILES_H

#include "base/buf.h"
#include "cli.h"
#include "write/out.h"

/* DIR/HASHENDING into path, terminated. */
int	cli_file_path(struct ctx_buf *path, const char *dir,
	    const char *hash, const char *ending, struct ctx_err *err);

/*
 * Put p[0 .. len) under that name, whole or not at all.  One that exists has
 * the same contents, since it is named by them.
 */
int	cli_file_put(const char *dir, const char *hash, const char *ending,
	    const char *p, size_t len, struct ctx_err *err);

/* Append a file's bytes to out.  1; 0 if there is none; -1 with *err. */
int	cli_file_get(const char *path, struct ctx_buf *out,
	    struct ctx_err *err);

/*
 * The file name, emptied, as *out; ends the process if it cannot be written.
 * Closing reports what went wrong; an *out that is all zero is none.
 */
void	cli_file_out(struct ctx_out *out, const char *name, struct cli *c);
void	cli_file_out_done(struct ctx_out *out, struct cli *c);

/* dir must be a folder; make says to make it.  Ends the process if not. */
void	cli_file_dir(const char *dir, int make, struct cli *c);

#endif
