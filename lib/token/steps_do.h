/* SPDX-License-Identifier: MIT */
/* The steps of token/steps.h, each by itself. */
#ifndef CTX_TOKEN_STEPS_DO_H
#define CTX_TOKEN_STEPS_DO_H

#include "token/steps.h"

/* A step that is being done. */
struct ctx_steps_do {
	const struct ctx_steps_one *step;
	const struct ctx_charsmap *map;
	struct ctx_steps_part *part;
	struct ctx_buf *out;
	int whole;		/* nothing follows */
};

/*
 * Append p[0 .. len) to out, as far as it is certain; returns how much that
 * was.  It is len if the text ends there.
 */
typedef size_t ctx_steps_fn(const struct ctx_steps_do *d, const uint8_t *p,
    size_t len);

ctx_steps_fn ctx_steps_map;
ctx_steps_fn ctx_steps_replace;
ctx_steps_fn ctx_steps_runs;
ctx_steps_fn ctx_steps_strip;
ctx_steps_fn ctx_steps_chars;	/* LOWER, MARKS and NMT */
ctx_steps_fn ctx_steps_prepend;
ctx_steps_fn ctx_steps_words;

#endif
