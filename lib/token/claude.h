/* SPDX-License-Identifier: MIT */
/*
 * An estimate of the tokens of a text for Claude's models, whose vocabulary is
 * not published.  A text is cut into words, digits, marks and white space as
 * Claude's tokenizers are seen to do it; each costs a number of thousandths of
 * a token, by what o200k_base makes of it (claude_data.inc).  The sum is
 * rounded once for a text.  White space at a text's end costs nothing from version 4.7
 * on, and a single space at its beginning never does.
 *
 * Text is UTF-8 as in token/count.h.  Time is linear: a word, or a run of other
 * characters, that is longer than 4096 bytes is counted in parts of that size.
 */
#ifndef CTX_TOKEN_CLAUDE_H
#define CTX_TOKEN_CLAUDE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/tok.h"

struct ctx_claude_state;

/* One thread's working storage; all zero is one that was not opened. */
struct ctx_claude {
	struct ctx_claude_state *state;
};

/*
 * Is the model with this name of version 4.7 or later, or of none?  (Names that
 * are not known are those of newer models.)
 */
int	ctx_claude_is_late(const char *model);

/*
 * tok is o200k_base, borrowed, and outlives c; late chooses between the
 * tokenizers.  Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_claude_init(struct ctx_claude *c, const struct ctx_tok *tok,
	    int late, struct ctx_err *err) CTX_CHECKED;
void	ctx_claude_done(struct ctx_claude *c);

/*
 * Estimate one text given in parts of any size: feed the parts, then take the
 * number, which is that of all parts joined.  Return 0, or -1 with CTX_ENOMEM;
 * the text has ended then.
 */
int	ctx_claude_feed(struct ctx_claude *c, const char *part, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_claude_end(struct ctx_claude *c, uint64_t *n, struct ctx_err *err)
	    CTX_CHECKED;

/* Estimate text[0 .. len).  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_claude_text(struct ctx_claude *c, const char *text, size_t len,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/* The same for the contents of a JSON string, as ctx_counter_json does. */
int	ctx_claude_json(struct ctx_claude *c, const char *s, size_t len,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

#endif
