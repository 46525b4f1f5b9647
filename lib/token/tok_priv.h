/* SPDX-License-Identifier: MIT */
/* The parts of an open vocabulary, for the modules of lib/token. */
#ifndef CTX_TOKEN_TOK_PRIV_H
#define CTX_TOKEN_TOK_PRIV_H

#include "token/known.h"
#include "token/pattern.h"
#include "token/special.h"
#include "token/split.h"
#include "token/spnorm.h"
#include "token/steps.h"
#include "token/table.h"
#include "token/tok.h"

struct ctx_tok {
	const struct ctx_known *known;	/* NULL for a file */
	struct ctx_table table;		/* an estimate has no head */
	ctx_split_fn *split;
	struct ctx_pattern *pattern;	/* or NULL */
	struct ctx_spnorm spnorm;	/* if the table asks for it, */
	struct ctx_steps steps;		/* the same */
	/*
	 * Tokens to be found in the text as it is, and in the normalized text.
	 */
	struct ctx_specials special[2];
	struct ctx_buf special_text;	/* holds the texts generated here */
	/* Must text be normalized before it is cut? */
	int staged;
};

#endif
