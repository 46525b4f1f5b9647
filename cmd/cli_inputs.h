/* SPDX-License-Identifier: MIT */
/*
 * The operands as open files.  They are opened before the first is read,
 * because the process then enters the sandbox (base/sandbox.h), unless an
 * option needs more (`lifted` in struct cli).
 */
#ifndef CTX_CMD_CLI_INPUTS_H
#define CTX_CMD_CLI_INPUTS_H

#include "base/err.h"
#include "cli.h"

#define CLI_INPUTS_MAX	256	/* with more, they are opened one by one */

struct cli_input;

struct cli_inputs {
	struct cli *cli;
	int n;			/* operands, or 1 for standard input */
	struct cli_input *ahead;	/* unless NULL, those that are open */
};

/*
 * Is the sandbox wanted, and enough for what the command will do?  Ends the
 * process if CTX_SANDBOX is not valid.
 */
int	cli_inputs_boxed(const struct cli *c);

/*
 * Open what can be opened, and enter the sandbox.  The command must have opened
 * all other files by then, and have started no thread.
 */
void	cli_inputs_open(struct cli_inputs *in, struct cli *c);

/* Operand i; "-" without any. */
const char *cli_inputs_name(const struct cli_inputs *in, int i);

/* Its descriptor, for the caller to close unless it is 0; or -1 with *err. */
int	cli_inputs_fd(struct cli_inputs *in, int i, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * Why the file cannot be opened: error is errno, and what begins with a dash that
 * keyboards do not have was to be an option.  Returns -1.
 */
int	cli_input_fail(const char *name, int error, struct ctx_err *err);

/*
 * Fail if the descriptor is a directory, or the file that standard output goes to,
 * which would be read without end or is empty by now.  c may be NULL.
 */
int	cli_input_check(const struct cli *c, int fd, struct ctx_err *err)
	    CTX_CHECKED;

void	cli_inputs_done(struct cli_inputs *in);

#endif
