/* SPDX-License-Identifier: MIT */
/*
 * The words that a conversation has said.  A word is a run of ASCII letters,
 * digits, _ and bytes of other characters, with . / : @ # % + - between them:
 * foo_bar, src/a.c:12 and 10:04 are one word each.  Case does not matter.  A
 * word of one character is none.
 *
 * Words are known by 64-bit hashes; two with the same hash count as one.
 */
#ifndef CTX_TEXT_HEARD_H
#define CTX_TEXT_HEARD_H

#include <stddef.h>
#include <stdint.h>

#include "base/strmap.h"

/* A word of a text.  Its hash has 0 in bit 0. */
struct ctx_heard_word {
	uint64_t hash;
	int is_name;		/* it has a digit or a sign in it: a name, a
				   number, a path */
};

/*
 * The next word of text[*at .. len); *at is moved behind it.  Returns 1, or 0
 * if there is none.
 */
int	ctx_heard_next(const char *text, size_t len, size_t *at,
	    struct ctx_heard_word *word);

/* All zero is empty. */
struct ctx_heard {
	uint64_t *slot;		/* hashes; 0 is free */
	size_t n, nslot;
};

void	ctx_heard_done(struct ctx_heard *w);
void	ctx_heard_reset(struct ctx_heard *w);

/* Add a word.  Returns 0, or -1 if out of memory. */
int	ctx_heard_add(struct ctx_heard *w, uint64_t hash) CTX_CHECKED;
/* Add all words of a text. */
int	ctx_heard_add_text(struct ctx_heard *w, const char *text, size_t len)
	    CTX_CHECKED;
int	ctx_heard_has(const struct ctx_heard *w, uint64_t hash);

/*
 * Lines are known by themselves and by pairs, each with the one before it in its
 * text.  A set has their hashes like those of words: that of a pair is made of
 * those of its lines, and is that of the second line alone if the first is 0.
 */
static inline uint64_t
ctx_heard_line(const char *line, size_t len)
{
	return ctx_strmap_hash(line, len) | 1;
}

static inline uint64_t
ctx_heard_pair(uint64_t before, uint64_t line)
{
	return (before * 0x9e3779b97f4a7c15u ^ line) & ~(uint64_t)1;
}

/* Add all lines of a text, and all pairs. */
int	ctx_heard_add_lines(struct ctx_heard *w, const char *text, size_t len)
	    CTX_CHECKED;

#endif
