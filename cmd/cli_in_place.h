/* SPDX-License-Identifier: MIT */
/*
 * -i: a file that is replaced by what is made of it.  A file that another process
 * has open for writing, or that changes meanwhile, is left as it is, and of a
 * session a backup is kept, unless an option says otherwise.
 */
#ifndef CTX_CMD_CLI_IN_PLACE_H
#define CTX_CMD_CLI_IN_PLACE_H

#include "cli_temp.h"
#include "write/out.h"

struct cli_in_place {
	/* the options */
	int on;
	const char *suffix;	/* of a backup; NULL: by default */
	int force, no_backup;

	/* the file that is open */
	const char *name;	/* as it was given */
	char *path;		/* without symbolic links */
	int fd;			/* to read from */
	struct stat st;
	struct cli_temp temp;	/* to write to */
	struct ctx_buf beside;	/* the name of a file beside it */
};

/* For a struct cli_in_place. */
extern const struct cli_opt cli_in_place_opts[];

/* Open a file and what will replace it.  Returns 0, or -1 with *err. */
int	cli_in_place_open(struct cli_in_place *p, const char *name,
	    struct ctx_err *err) CTX_CHECKED;

/* Replace it, unless it has changed.  Returns 0, or -1 with *err. */
int	cli_in_place_replace(struct cli_in_place *p, int is_session,
	    struct cli *c, struct ctx_err *err) CTX_CHECKED;

/*
 * Append to a file beside it, with suffix after its name; out is the caller's to
 * close before this is done.
 */
int	cli_in_place_beside(struct cli_in_place *p, const char *suffix,
	    struct ctx_out *out, struct ctx_err *err) CTX_CHECKED;

/* Close it; if it was not replaced, it is as it was. */
void	cli_in_place_done(struct cli_in_place *p);

#endif
