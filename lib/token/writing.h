/* SPDX-License-Identifier: MIT */
/*
 * An estimate of what Gemma's vocabulary makes of a text, from the tokens that
 * o200k_base makes: how the two differ depends on the script.  Gemma's has each
 * digit alone, which o200k_base takes by three.
 *
 * The factors are fitted on 839 texts of recorded requests and on the Universal
 * Declaration of Human Rights in 35 languages (2026-11).  Of these, Vietnamese
 * comes out 20 % too low, Telugu, Gujarati and Kannada 8 to 24 % and Dutch 11 %
 * too high; the others are within 10 %.
 *
 * All zero is a text without characters.
 */
#ifndef CTX_TOKEN_WRITING_H
#define CTX_TOKEN_WRITING_H

#include <stddef.h>
#include <stdint.h>

#define CTX_SCRIPTS	8

/* The characters of a text so far. */
struct ctx_writing {
	uint64_t n[CTX_SCRIPTS];	/* of each script */
	uint64_t digits;	/* tokens that they are more than by three */
	uint64_t run;		/* digits in a row, up to here */
	uint32_t cp;		/* a character of which bytes are missing, */
	unsigned missing;	/* and their number */
	int begun;		/* something but white space was there */
	int json;		/* it began with { or [ */
};

/* Add a part of a text, in UTF-8; characters may lie across parts. */
void	ctx_writing_feed(struct ctx_writing *s, const char *p, size_t len);

/* The estimate for the text, which has n tokens of o200k_base. */
uint64_t ctx_writing_tokens(const struct ctx_writing *s, uint64_t n);

#endif
