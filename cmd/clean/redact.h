/* SPDX-License-Identifier: MIT */
/*
 * ctx-clean --redact: the rules, the names and the key, read from files.
 *
 * Names: clean_redact_.
 */
#ifndef CTX_CMD_CLEAN_REDACT_H
#define CTX_CMD_CLEAN_REDACT_H

#include "cli.h"
#include "redact/redact.h"

struct clean_redact {
	struct ctx_redact_opts opts;
	struct cli_args pattern;
	const char *names_file, *key_file;	/* or NULL */
	struct ctx_buf names, key;		/* their contents */
	struct cli_args name;
};

/* --redact and what goes with it, for a struct clean_redact. */
extern const struct cli_opt clean_redact_opts[];

/* A redactor as the options say, or NULL without --redact. */
struct ctx_redact *clean_redact_open(struct clean_redact *r, struct cli *c);
void	clean_redact_done(struct clean_redact *r);

#endif
