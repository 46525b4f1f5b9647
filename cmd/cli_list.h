/* SPDX-License-Identifier: MIT */
/* Lists of files for a prompt, and the language of their wording. */
#ifndef CTX_CMD_CLI_LIST_H
#define CTX_CMD_CLI_LIST_H

#include "cli.h"
#include "base/wording.h"

enum cli_list { CLI_LIST_CODE, CLI_LIST_UPLOADS };

/* The heading, including its line end. */
const char *cli_list_head(enum cli_list of, enum ctx_wording lang);
/*
 * The text after the last item, which says how to refer to them, including its
 * line end.
 */
const char *cli_list_end(enum cli_list of, enum ctx_wording lang);

/*
 * The language that CTX_LANG names, or otherwise if it is not set; an invalid
 * one ends with exit 2.
 */
enum ctx_wording cli_lang(const struct cli *c,
	    enum ctx_wording otherwise);
/* The words of --lang, in the order of enum ctx_wording. */
extern const char *const cli_langs[];

#endif
