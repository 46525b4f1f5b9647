/* SPDX-License-Identifier: MIT */
/* The lists of files that a prompt has, and the language of their words. */
#ifndef CTX_CMD_CLI_LIST_H
#define CTX_CMD_CLI_LIST_H

#include "cli.h"
#include "digest/digest_line.h"

enum cli_list { CLI_LIST_CODE, CLI_LIST_UPLOADS };

/* The heading, with its line end. */
const char *cli_list_head(enum cli_list of, enum ctx_digest_lang lang);
/* What follows the last item: how to refer to them, with a line end. */
const char *cli_list_end(enum cli_list of, enum ctx_digest_lang lang);

/* What CTX_LANG says, else otherwise; ends with exit 2 if it is no language. */
enum ctx_digest_lang cli_lang(const struct cli *c,
	    enum ctx_digest_lang otherwise);
/* The words of --lang, in the order of enum ctx_digest_lang. */
extern const char *const cli_langs[];

#endif
