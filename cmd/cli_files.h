/* SPDX-License-Identifier: MIT */
/*
 * Read and write whole files, and files in folders whose names are hashes of
 * their contents.
 */
#ifndef CTX_CMD_CLI_FILES_H
#define CTX_CMD_CLI_FILES_H

#include "base/buf.h"
#include "cli.h"
#include "write/out.h"

/* Put DIR/NAME into path, terminated. */
int	cli_file_path(struct ctx_buf *path, const char *dir,
	    const char *name, struct ctx_err *err);

/*
 * Append the contents of a JSON string: a name from outside, in which bytes that
 * are not UTF-8 are spelled \xHH, as in messages.  Failures are the buffer's.
 */
void	cli_file_encode(struct ctx_buf *out, const char *name, size_t len);

/* A file whose name begins with the hash of its contents. */
struct cli_file {
	const char *dir, *name;
	const char *p;		/* its contents */
	size_t len;
	int sync;		/* it must be on disk when that is done */
};

/*
 * Write the file, completely or not at all.  One of that name and length has the
 * same contents already.
 */
int	cli_file_put(const struct cli_file *f, struct ctx_err *err);

/*
 * Append a file's bytes to out.  Returns 1, 0 if there is no such file, or -1
 * with *err set.
 */
int	cli_file_get(const char *path, struct ctx_buf *out,
	    struct ctx_err *err);

/*
 * Would what is written to file be what is read as name, where "-" is standard
 * input?
 */
int	cli_file_is_one(const char *file, const char *name);

/*
 * The file that the option called option names, which will be written.  Ends
 * the process if it is an input, the file of another option, or that of standard
 * output or of messages.
 */
const char *cli_file_apart(const struct cli *c, const char *option);

/*
 * Have cli_file_outs truncate or create that file and set *out to it.  Closing
 * reports errors; an all-zero *out is ignored.
 */
void	cli_file_out(struct ctx_out *out, const char *option, struct cli *c);
/* The same, but what the file has stays, for the caller to truncate. */
void	cli_file_out_later(struct ctx_out *out, const char *option,
	    struct cli *c);
/*
 * Open them all, which cli_each_turn does when all options are known to be
 * valid.  Ends the process, and no file is truncated, if one cannot be written.
 */
void	cli_file_outs(struct cli *c);
void	cli_file_out_done(struct ctx_out *out, struct cli *c);

/*
 * Check that dir is a folder, creating it if make is set.  Ends the process if
 * it is not one.
 */
void	cli_file_dir(const char *dir, int make, struct cli *c);

#endif
