/* SPDX-License-Identifier: MIT */
/* What an open vocabulary is made of, for the modules of lib/token. */
#ifndef CTX_TOKEN_TOK_PRIV_H
#define CTX_TOKEN_TOK_PRIV_H

#include "token/known.h"
#include "token/pattern.h"
#include "token/special.h"
#include "token/split.h"
#include "token/table.h"
#include "token/tok.h"

struct ctx_tok {
	const struct ctx_known *known;	/* NULL: a file */
	struct ctx_table table;		/* no head: an estimate */
	ctx_split_fn *split;
	struct ctx_pattern *pattern;	/* or NULL */
	/* Tokens to be found in the text as it is, and normalized. */
	struct ctx_specials special[2];
	struct ctx_buf special_text;	/* of those made up here */
	/* Must text be brought into another form before it is cut? */
	int staged;
};

#endif
