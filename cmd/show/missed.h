/* SPDX-License-Identifier: MIT */
/*
 * What ctx-show says if there is nothing to show.
 *
 * Names: show_missed.
 */
#ifndef CTX_CMD_SHOW_MISSED_H
#define CTX_CMD_SHOW_MISSED_H

#include "cli.h"
#include "show/select.h"

/*
 * Say that no message was selected by --turn (or NULL), --tool and --grep (or
 * NULL), and what there is instead; the exit code is raised to CLI_NO.
 */
void	show_missed(const struct ctx_select *s, const char *turns,
	    const char *pattern, struct cli *c);

#endif
