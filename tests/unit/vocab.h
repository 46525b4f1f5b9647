/* SPDX-License-Identifier: MIT */
/* A vocabulary that a test needs, without which it ends. */
#ifndef CTX_TESTS_VOCAB_H
#define CTX_TESTS_VOCAB_H

#include <stdio.h>
#include <stdlib.h>

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

#endif
