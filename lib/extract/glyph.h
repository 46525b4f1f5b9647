/* SPDX-License-Identifier: MIT */
/*
 * Text as the offline summarizer sees it: characters in six classes, words, and
 * a size in approximate tokens.  The classes for facts are ASCII, so that a
 * number next to a Chinese character still begins and ends where it appears to.
 *
 * Text need not be valid UTF-8: each invalid byte counts as a mark.
 *
 * Names: ctx_han_.
 */
#ifndef CTX_EXTRACT_GLYPH_H
#define CTX_EXTRACT_GLYPH_H

#include <stddef.h>
#include <stdint.h>

enum ctx_glyph {
	CTX_GLYPH_SPACE,
	CTX_GLYPH_ALPHA,	/* A-Z a-z */
	CTX_GLYPH_DIGIT,	/* 0-9 */
	CTX_GLYPH_LETTER,	/* of any other script with spaces between
				   words */
	CTX_GLYPH_HAN,		/* of a script without: Han, kana */
	CTX_GLYPH_MARK		/* everything else */
};

/*
 * The class of the character at p[0 .. len), len > 0.  Sets *cp to its code
 * point (0xfffd if it is not UTF-8).  Returns its length, at least 1.
 */
size_t	ctx_glyph_step(const char *p, size_t len, uint32_t *cp,
	    enum ctx_glyph *class);

/*
 * The approximate number of tokens: a run of letters costs a sixth of its
 * length, a run of digits a third, and anything else except space 1.  No
 * tokenizer gives this number, but it is proportional to all of them and the
 * same on every machine.
 */
uint32_t ctx_glyph_size(const char *p, size_t len);

/* The bytes of the longest beginning of p whose size is at most size. */
size_t	ctx_glyph_cut(const char *p, size_t len, uint32_t size);

/* A set of Han characters, such as those that are grammar. */
struct ctx_han_set {
	uint8_t bit[(0xa000 - 0x4e00) / 8];
};

/* chars: UTF-8, each from U+4E00 to U+9FFF. */
void	ctx_han_set_init(struct ctx_han_set *set, const char *chars);
int	ctx_han_set_has(const struct ctx_han_set *set, uint32_t cp);

#endif
