/* SPDX-License-Identifier: MIT */
/*
 * A file that replaces another one: it is written to the same folder under a
 * temporary name and renamed once it is on disk.  Until then the old file is
 * unchanged.  A signal that ends the process removes the new file first.
 *
 * All zero means no file; call cli_temp_open before all other functions.
 */
#ifndef CTX_CMD_CLI_TEMP_H
#define CTX_CMD_CLI_TEMP_H

#include <sys/stat.h>

#include "base/buf.h"
#include "cli.h"

struct cli_temp {
	int fd;			/* to write to; valid while name.len > 0 */
	struct ctx_buf name;	/* terminated; empty when there is no file */
	int loose;		/* rename it before it is on disk */
	int slot;		/* private */
};

/* Create TARGET.XXXXXX.tmp, readable only by its owner.  Returns 0 or -1. */
int	cli_temp_open(struct cli_temp *t, const char *target,
	    struct ctx_err *err);

/*
 * Copy the owner, the mode, the access list and the other extended attributes
 * from the file that old is open on.  Those that may not be set are reported
 * under name.  Returns 0, or -1 with *err set if the file system fails.
 */
int	cli_temp_like(struct cli_temp *t, int old, const struct stat *st,
	    const char *name, struct cli *c, struct ctx_err *err);

/*
 * Sync the file unless it is loose, and rename it to target; t is empty afterwards, also on
 * failure.
 */
int	cli_temp_replace(struct cli_temp *t, const char *target,
	    struct ctx_err *err);

/* Remove the file if it still exists. */
void	cli_temp_done(struct cli_temp *t);

#endif
