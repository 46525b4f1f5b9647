/* SPDX-License-Identifier: MIT */
/* A vocabulary that a test needs, without which it ends, and counts by it. */
#ifndef CTX_TESTS_VOCAB_H
#define CTX_TESTS_VOCAB_H

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "token/count.h"

static inline struct ctx_tok *
open_tok(const char *name)
{
	struct ctx_err err = { 0 };
	struct ctx_tok *tok = ctx_tok_open(name, &err);

	if (tok == NULL) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return tok;
}

static inline uint64_t
count(struct ctx_counter *c, const char *text, size_t len)
{
	struct ctx_err err = { 0 };
	uint64_t n = 0;

	CHECK_INT(ctx_counter_text(c, text, len, &n, &err), 0);
	return n;
}

#endif
