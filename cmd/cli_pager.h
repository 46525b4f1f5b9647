/* SPDX-License-Identifier: MIT */
/*
 * What people look at: standard output through a pager, its width, and whether
 * it takes colours.
 */
#ifndef CTX_CMD_CLI_PAGER_H
#define CTX_CMD_CLI_PAGER_H

#include "cli.h"

enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };

struct cli_screen {
	int color;		/* enum cli_color */
	int no_pager;
	uint64_t width;		/* columns; 0: the terminal's, or of other
				   output no limit */
};

/* Is standard output to have colours? */
int	cli_screen_colored(enum cli_color when);

/* The columns of the terminal, or 80. */
size_t	cli_screen_columns(void);

/* The options of a struct cli_screen. */
extern const struct cli_opt cli_screen_opts[];

/*
 * Settle the members, and if standard output is a terminal, let a pager show
 * what is written to it: PAGER, else less.  color becomes 0 or 1.
 */
void	cli_screen_open(struct cli_screen *s, struct cli *c);

/* cli_end, and wait until the pager has ended. */
int	cli_screen_end(struct cli *c);

#endif
