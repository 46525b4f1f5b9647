/* SPDX-License-Identifier: MIT */
/*
 * Print usage and --help from a command's table, also in a form for programs.
 */
#ifndef CTX_CMD_CLI_HELP_H
#define CTX_CMD_CLI_HELP_H

#include "cli.h"

/* --help: print usage and the options by group; ends the process. */
_Noreturn void cli_help(struct cli *c);

/*
 * --help=options: print lines of tab-separated fields, with "-" for empty
 * ones; ctx(7) describes them.  Ends the process.
 */
_Noreturn void cli_help_options(struct cli *c);

/*
 * Print one row of --help: a label of at most width columns, and wrapped text.
 */
void	cli_help_row(const char *label, int width, const char *text);

#endif
