/* SPDX-License-Identifier: MIT */
/*
 * Counting tokens.  A struct ctx_counter is one thread's working storage for
 * one vocabulary: a cache of words (under 10 MB, most of it shared until words
 * are added) and scratch memory.  Counts are exact, equal to the number of ids
 * that ctx_counter_encode gives, and do not depend on what was counted before.
 *
 * Text is UTF-8; what is not UTF-8 in it counts as U+FFFD, one for each
 * maximal invalid part, as most decoders replace it.  Unicode classes are
 * those of Unicode 16.0 (base/uclass.h).
 *
 * Names: ctx_counter_.
 */
#ifndef CTX_TOKEN_COUNT_H
#define CTX_TOKEN_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/num.h"
#include "token/tok.h"

struct ctx_counter_state;

struct ctx_counter {
	const struct ctx_tok *tok;	/* borrowed, outlives the counter */
	/*
	 * What a count is multiplied by, rounded up, before it is returned: 1,
	 * or a model's factor (token/model.h).  Set after _init.
	 */
	struct ctx_ratio factor;
	/* Count special tokens such as <|endoftext|> as one token?  0: as
	 * text.  Set after _init. */
	int special;
	/* The rest is private. */
	struct ctx_counter_state *state;
	uint64_t fed;			/* tokens of what was fed */
	uint64_t chars;			/* characters of it, for an estimate */
};

int	ctx_counter_init(struct ctx_counter *c, const struct ctx_tok *tok,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_counter_done(struct ctx_counter *c);

/*
 * Tokens of text[0 .. len) into *n.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_counter_text(struct ctx_counter *c, const char *text, size_t len,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * The same for the contents of a JSON string, the bytes between the quotes,
 * still escaped (see read/span.h): tokens of the text they spell.  A lone
 * surrogate counts as U+FFFD.
 */
int	ctx_counter_json(struct ctx_counter *c, const char *s, size_t len,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * One text in parts of any size: feed them, then take the count, which is that
 * of all parts joined.  Memory grows with the longest piece (a word, a run of
 * white space; without a pattern, what lies between two places that no token
 * can lie across), not with the text; only where a foreign split pattern is in
 * use, or added tokens are looked for that take in white space, is all of the
 * text kept.
 */
int	ctx_counter_feed(struct ctx_counter *c, const char *part, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_counter_end(struct ctx_counter *c, uint64_t *n, struct ctx_err *err)
	    CTX_CHECKED;

/* n times the factor, rounded up. */
uint64_t ctx_counter_scale(const struct ctx_counter *c, uint64_t n);

/*
 * Append the ids of text[0 .. len) to ids.
 *
 * Returns: 0, or -1 with CTX_EUSAGE (the vocabulary is an estimate) or
 *          CTX_ENOMEM.
 */
int	ctx_counter_encode(struct ctx_counter *c, const char *text, size_t len,
	    struct ctx_ids *ids, struct ctx_err *err) CTX_CHECKED;

#endif
