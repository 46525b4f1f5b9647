/* SPDX-License-Identifier: MIT */
/*
 * SentencePiece's precompiled_charsmap: which sequences of characters are
 * replaced, and by what.  It is the length of a double array of Darts
 * (little-endian units of 4 bytes), the array, and texts that each end in a
 * NUL.  It is used as it is in the file; a damaged one replaces wrongly, but
 * nothing outside of it is read.
 */
#ifndef CTX_TOKEN_CHARSMAP_H
#define CTX_TOKEN_CHARSMAP_H

#include <stddef.h>
#include <stdint.h>

struct ctx_charsmap {
	const uint8_t *unit;	/* NULL: nothing is replaced */
	size_t nunit;
	const char *text;
	size_t len;
	uint8_t plain[128];	/* stays, if ASCII follows or it is the last */
};

/* Returns 0 if data[0 .. len) is not of this form. */
int	ctx_charsmap_open(struct ctx_charsmap *m, const void *data, size_t len);

/*
 * The longest sequence that p[0 .. len) begins with and that is replaced:
 * returns its length, and its text in *to and *tolen; 0 if there is none.
 * *open is set if a longer one might begin here, with more text.
 */
size_t	ctx_charsmap_find(const struct ctx_charsmap *m, const uint8_t *p,
	    size_t len, const char **to, size_t *tolen, int *open);

/*
 * The same for the shortest sequence, which is what Hugging Face's library
 * takes.
 */
size_t	ctx_charsmap_first(const struct ctx_charsmap *m, const uint8_t *p,
	    size_t len, const char **to, size_t *tolen);

#endif
