/* SPDX-License-Identifier: MIT */
/* What an open vocabulary is made of, for the modules of lib/token. */
#ifndef CTX_TOKEN_TOK_PRIV_H
#define CTX_TOKEN_TOK_PRIV_H

#include "token/known.h"
#include "token/pattern.h"
#include "token/split.h"
#include "token/table.h"
#include "token/tok.h"

struct ctx_tok_special {
	const char *text;
	size_t len;
	uint32_t id;
	int always;		/* found even where specials are text */
};

struct ctx_tok {
	const struct ctx_known *known;	/* NULL: a file */
	struct ctx_table table;		/* no head: an estimate */
	ctx_split_fn *split;
	struct ctx_pattern *pattern;	/* or NULL */
	uint32_t size;
	/* Special tokens, longest first, and the bytes they can begin with. */
	struct ctx_tok_special *special;
	size_t nspecial;
	size_t special_cap;
	struct ctx_buf special_text;
	uint8_t special_first[256];
	int always;			/* is there one that always counts? */
};

#endif
