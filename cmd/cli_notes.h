/* SPDX-License-Identifier: MIT */
/* --lang and --note-text: how a filter writes its notes. */
#ifndef CTX_CMD_CLI_NOTES_H
#define CTX_CMD_CLI_NOTES_H

#include "cli.h"
#include "cli_opt.h"
#include "text/marker.h"

/* The options, for a struct ctx_markers. */
extern const struct cli_opt cli_notes_opts[];

/* Take the language that CTX_LANG names; call this before the options. */
void	cli_notes_init(struct ctx_markers *notes, const struct cli *c);

#endif
