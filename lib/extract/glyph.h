/* SPDX-License-Identifier: MIT */
/*
 * Text as the offline summarizer sees it: characters in six classes, a size in
 * rough tokens, words.  ASCII classes for facts, so that a number beside a
 * Chinese character still begins and ends where it looks as if it did.
 *
 * Text need not be valid UTF-8: a byte that is not is a mark.
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
	CTX_GLYPH_LETTER,	/* of any other script that puts spaces */
	CTX_GLYPH_HAN,		/* of a script that puts none: Han, kana */
	CTX_GLYPH_MARK		/* all else */
};

/*
 * The class of the character at p[0 .. len), len > 0, and its code point in
 * *cp (0xfffd where it is not UTF-8).  Returns its bytes, at least 1.
 */
size_t	ctx_glyph_step(const char *p, size_t len, uint32_t *cp,
	    enum ctx_glyph *class);

/*
 * About how many tokens: a run of letters costs a sixth of its length, a run
 * of digits a third, anything else but space 1.  No tokenizer's answer, but in
 * proportion to all of them, and the same on every machine.
 */
uint32_t ctx_glyph_size(const char *p, size_t len);

/* Bytes of the longest head of p whose size is at most size. */
size_t	ctx_glyph_cut(const char *p, size_t len, uint32_t size);

/* A set of Han characters, for those that are grammar rather than content. */
struct ctx_han_set {
	uint8_t bit[(0xa000 - 0x4e00) / 8];
};

/* chars: UTF-8, each from U+4E00 to U+9FFF. */
void	ctx_han_set_init(struct ctx_han_set *set, const char *chars);
int	ctx_han_set_has(const struct ctx_han_set *set, uint32_t cp);

#endif
