/* SPDX-License-Identifier: MIT */
/*
 * Counting tokens.  A struct ctx_counter is one thread's working storage for
 * one vocabulary: a cache of words (under 11 MB, most of it shared between
 * processes until words are added) and scratch memory.  Counts are exact,
 * equal to the number of ids that ctx_counter_encode gives, and do not depend
 * on what was counted before.
 *
 * Text is UTF-8.  Each maximal invalid part counts as U+FFFD, as most decoders
 * would replace it.  Unicode classes are those of Unicode 16.0
 * (base/uclass.h).
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
#include "token/writing.h"
#include "token/tok.h"

struct ctx_counter_state;

struct ctx_counter {
	const struct ctx_tok *tok;	/* borrowed, outlives the counter */
	/*
	 * Each count is multiplied by this and rounded up before it is
	 * returned.  It is 1 or a model's factor (token/model.h).  Set it
	 * after _init.
	 */
	struct ctx_ratio factor;
	/*
	 * If nonzero, the tokens of each text are instead made those of a model
	 * of Google's by its scripts (token/writing.h).  Set it after _init.
	 */
	int by_script;
	/*
	 * If nonzero, special tokens such as <|endoftext|> count as one token;
	 * if 0, they count as text.  Set it after _init.
	 */
	int special;
	/* The members below are private. */
	struct ctx_counter_state *state;
	uint64_t fed;			/* tokens of the text fed so far */
	uint64_t chars;			/* its characters, for an estimate */
	struct ctx_writing writing;	/* the same, for by_script */
};

int	ctx_counter_init(struct ctx_counter *c, const struct ctx_tok *tok,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_counter_done(struct ctx_counter *c);

/*
 * Store the number of tokens of text[0 .. len) in *n.  A text that fails is
 * forgotten, here and below.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or CTX_ESYSTEM (a foreign split pattern
 *          gave up on the text).
 */
int	ctx_counter_text(struct ctx_counter *c, const char *text, size_t len,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * Like ctx_counter_text for the contents of a JSON string: the bytes between
 * the quotes, still escaped (see read/span.h).  Counts the tokens of the text
 * that they spell.  A lone surrogate counts as U+FFFD.
 */
int	ctx_counter_json(struct ctx_counter *c, const char *s, size_t len,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/* The contents of a JSON string, and its tokens. */
struct ctx_counted {
	const char *s;
	size_t len;
	uint64_t n;
};

/*
 * ctx_counter_json for all of of[0 .. n).  Short strings take less time
 * together: what one waits for is fetched while another is counted.
 */
int	ctx_counter_json_all(struct ctx_counter *c, struct ctx_counted *of,
	    size_t n, struct ctx_err *err) CTX_CHECKED;

/*
 * Count one text given in parts of any size: feed the parts, then take the
 * count, which is that of all parts joined.  Memory grows with the longest
 * piece (a word, a run of white space or, without a pattern, the text between
 * two places that no token can lie across), not with the text.  The whole text
 * is kept only if a foreign split pattern is in use or if added tokens that
 * take in white space are looked for.
 */
int	ctx_counter_feed(struct ctx_counter *c, const char *part, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_counter_end(struct ctx_counter *c, uint64_t *n, struct ctx_err *err)
	    CTX_CHECKED;

/* Return n times the factor, rounded up. */
uint64_t ctx_counter_scale(const struct ctx_counter *c, uint64_t n);

/*
 * Append the ids of text[0 .. len) to ids.
 *
 * Returns: 0, or -1 with CTX_EUSAGE (the vocabulary is an estimate) or as
 *          ctx_counter_text.
 */
int	ctx_counter_encode(struct ctx_counter *c, const char *text, size_t len,
	    struct ctx_ids *ids, struct ctx_err *err) CTX_CHECKED;

#endif
