/* SPDX-License-Identifier: MIT */
/*
 * SentencePiece's normalizer: its charsmap replaces characters, runs of spaces
 * become one, and a space comes before the text.  A space, which it writes as
 * U+2581, stays a space, and U+2581 becomes one (token/norm.h).
 */
#ifndef CTX_TOKEN_SPNORM_H
#define CTX_TOKEN_SPNORM_H

#include "token/charsmap.h"
#include "token/norm.h"
#include "token/table.h"

/* What a table asks for. */
struct ctx_spnorm {
	unsigned norm;			/* CTX_NORM_... */
	struct ctx_charsmap map;
	const struct ctx_table *table;	/* borrowed */
	uint8_t known[128];		/* ASCII characters that are tokens */
};

/* The state in a text; at its beginning, all but m is zero. */
struct ctx_spnorm_text {
	const struct ctx_spnorm *m;	/* borrowed */
	int begun;
	int space;		/* the text so far ends in a space */
	int unknown;		/* in characters that are no tokens */
	size_t spaces;		/* at the end, so far; not written yet */
};

/*
 * The character that stands for a run of characters that are no tokens, if the
 * table has CTX_NORM_UNKNOWN.
 */
#define CTX_SPNORM_UNKNOWN	"\xf4\x8f\xbf\xbe"	/* U+10FFFE */

/*
 * Prepare for a table whose norm has CTX_NORM_PIECE.  Returns 0, or -1 with
 * CTX_ESYSTEM if the table is damaged.
 */
int	ctx_spnorm_open(struct ctx_spnorm *m, const struct ctx_table *t,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Append p[0 .. *len), which is UTF-8, to out in normal form, like
 * ctx_norm_append.
 */
int	ctx_spnorm_append(struct ctx_spnorm_text *x, struct ctx_buf *out,
	    const uint8_t *p, size_t *len, int whole, struct ctx_err *err)
	    CTX_CHECKED;

#endif
