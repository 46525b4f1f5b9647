/* SPDX-License-Identifier: MIT */
/* Usage and --help as a command's table has them, also for programs. */
#ifndef CTX_CMD_CLI_HELP_H
#define CTX_CMD_CLI_HELP_H

#include "cli.h"

/* --help: usage and the options in their groups; ends the process. */
_Noreturn void cli_help(struct cli *c);

/*
 * --help=options: lines of fields with tabs between them, "-" for one that is
 * empty; ctx(7) says what they are.  Ends the process.
 */
_Noreturn void cli_help_options(struct cli *c);

/* One row of --help: text, wrapped, behind a label of at most width. */
void	cli_help_row(const char *label, int width, const char *text);

#endif
