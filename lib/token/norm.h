/* SPDX-License-Identifier: MIT */
/*
 * What a vocabulary does to text before it is cut.  SentencePiece writes a
 * space as U+2581.  We do the reverse, in tokens and in text: each U+2581
 * becomes a space, so that most text stays as it is.
 */
#ifndef CTX_TOKEN_NORM_H
#define CTX_TOKEN_NORM_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Bits of a table's norm; they are written to files and never change. */
#define CTX_NORM_FORM	 7u	/* base/unorm.h's number, 0: unchanged */
#define CTX_NORM_SPACE	 8u	/* U+2581 is a space */
#define CTX_NORM_PREPEND 16u	/* a space in front of each text, */
#define CTX_NORM_PREFIX	 32u	/* the same unless it begins with one, */
#define CTX_NORM_FIRST	 64u	/* of those only the first */
#define CTX_NORM_STRIP	 128u	/* decoded text loses a leading space, */
#define CTX_NORM_STRIP_FIRST 256u	/* its first token all of its spaces */

/* SentencePiece's normalizer (token/spnorm.h); of the above, SPACE and PREPEND
 * mean the same there. */
#define CTX_NORM_PIECE	 512u
#define CTX_NORM_TRIM	 1024u	/* runs of spaces are one, none at the ends */
#define CTX_NORM_UNKNOWN 2048u	/* characters that are no tokens are marked */

/* BERT's (token/bert.h), with any of what follows. */
#define CTX_NORM_BERT	 4096u
#define CTX_NORM_CLEAN	 8192u	/* no control characters; spaces are ' ' */
#define CTX_NORM_CHINESE 16384u	/* each Chinese character is a word */
#define CTX_NORM_ACCENTS 32768u	/* letters lose them */
#define CTX_NORM_LOWER	 65536u

/* The steps in the table (token/steps.h), instead of FORM and all after it but
 * PREFIX and FIRST.  With WORDS, white space divides words, and a space comes
 * before each. */
#define CTX_NORM_STEPS	 131072u
#define CTX_NORM_WORDS	 262144u

/* The bits that change text. */
#define CTX_NORM_TEXT	(CTX_NORM_FORM | CTX_NORM_SPACE | CTX_NORM_PREPEND | \
	CTX_NORM_PREFIX | CTX_NORM_FIRST | CTX_NORM_PIECE | \
	CTX_NORM_BERT | CTX_NORM_STEPS)

/*
 * Append p[0 .. *len), which is UTF-8, to out in the form that norm asks for.
 * What is prepended to a text is not added here.  If whole is set, nothing
 * follows; otherwise *len is set to the number of bytes of p whose form is
 * certain already.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_norm_append(unsigned norm, struct ctx_buf *out, const uint8_t *p,
	    size_t *len, int whole, struct ctx_err *err) CTX_CHECKED;

#endif
