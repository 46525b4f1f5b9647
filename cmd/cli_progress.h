/* SPDX-License-Identifier: MIT */
/*
 * How far a command has come in a file: on standard error if that is a terminal
 * and the results go elsewhere, from the second second on.
 */
#ifndef CTX_CMD_CLI_PROGRESS_H
#define CTX_CMD_CLI_PROGRESS_H

#include "cli.h"

struct cli_progress {
	struct cli *cli;
	const char *file;	/* NULL: nothing is shown */
	int fd;
	int64_t began, shown;	/* microseconds; shown 0: not yet */
	uint64_t size;		/* of the file */
};

/* fd is file, at its beginning.  Anything but a regular file has no end. */
void	cli_progress_begin(struct cli_progress *p, struct cli *c,
	    const char *file, int fd);
/* Now and then; writes at most five times a second. */
void	cli_progress_step(struct cli_progress *p);
void	cli_progress_end(struct cli_progress *p);

#endif
