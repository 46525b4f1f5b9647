/* SPDX-License-Identifier: MIT */
/*
 * A file that takes another's place: written beside it under a name of its
 * own, renamed when it is on disk.  Until then the old one stays as it is.  A
 * signal that ends the process removes the new one first.
 *
 * All zero is none; every other use begins with cli_temp_open.
 */
#ifndef CTX_CMD_CLI_TEMP_H
#define CTX_CMD_CLI_TEMP_H

#include <sys/stat.h>

#include "base/buf.h"
#include "cli.h"

struct cli_temp {
	int fd;			/* to write to, while name.len > 0 */
	struct ctx_buf name;	/* terminated; empty when there is no file */
	int slot;		/* its own */
};

/* Make TARGET.XXXXXX.tmp, which only its owner may read.  0, or -1. */
int	cli_temp_open(struct cli_temp *t, const char *target,
	    struct ctx_err *err);

/*
 * Give it the owner, the mode, the access list and the other extended
 * attributes of the file that old is open on.  What may not be kept is said,
 * under name.  0, or -1 with *err when the file system fails.
 */
int	cli_temp_like(struct cli_temp *t, int old, const struct stat *st,
	    const char *name, struct cli *c, struct ctx_err *err);

/* On disk, then in target's place; t is empty after, also when that fails. */
int	cli_temp_replace(struct cli_temp *t, const char *target,
	    struct ctx_err *err);

/* Remove it, if it is there still. */
void	cli_temp_done(struct cli_temp *t);

#endif
