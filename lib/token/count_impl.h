/* SPDX-License-Identifier: MIT */
/* Internals that count.c and count_many.c share. */
#ifndef CTX_TOKEN_COUNT_IMPL_H
#define CTX_TOKEN_COUNT_IMPL_H

#include "token/cache.h"
#include "token/chop.h"
#include "token/count.h"
#include "token/spnorm.h"
#include "token/tok_priv.h"
#include "token/unigram.h"

/*
 * Number of bytes decoded or fed at a time; they stay in the processor's
 * cache.
 */
#define CTX_COUNTER_SLICE	(32u << 10)

/*
 * Text being counted: as it was fed and, if the vocabulary normalizes it, in
 * normalized form.  Each form is searched for its own special tokens.
 */
struct ctx_counter_stage {
	struct ctx_buf held;
	size_t try_at;		/* number of held bytes that is worth a try */
	size_t done;		/* number of held bytes that are counted */
	size_t scanned;		/* bytes in which no special token begins */
	int inside;		/* within a text between special tokens */
	const struct ctx_specials *special;
};

struct ctx_counter_state {
	struct ctx_cache cache;
	struct ctx_chops cuts;
	ctx_chop_fn *cut;
	struct ctx_counter_stage stage[2];
	int inside;		/* part of the text was already counted */
	struct ctx_buf text;	/* repaired text */
	struct ctx_spnorm_text normal;
	struct ctx_steps_text steps;
	struct ctx_unigram unigram;
};

/* The flags of the special tokens to look for; 0 if there are none. */
static inline unsigned
ctx_counter_special_flags(const struct ctx_counter *c,
    const struct ctx_counter_stage *st)
{
	return c->special ? st->special->flags | (st->special->n > 0 ?
	    CTX_SPECIAL_ALWAYS : 0) : st->special->always_flags;
}

#endif
