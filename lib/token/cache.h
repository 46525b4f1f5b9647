/* SPDX-License-Identifier: MIT */
/*
 * The word cache holds the number of tokens of each piece of up to
 * CTX_WORD_MAX bytes.  At first it is the table's own section, which holds the
 * vocabulary, mapped as a private copy: its pages are shared with every
 * process until a word is added to them.  When there is much to count, it
 * moves into memory of its own, in huge pages if available, which costs less
 * than a fault for each page.  It never grows; a full set drops a word.
 * The front has the words of up to 7 bytes that were met last, each in the one
 * place of its hash: bytes, length and count in one number.
 * Longer pieces, up to CTX_PHRASE_MAX bytes, and stretches that are longer
 * still, up to CTX_STRETCH_MAX, have small tables of their own that are filled
 * as they are counted.
 */
#ifndef CTX_TOKEN_CACHE_H
#define CTX_TOKEN_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/chop.h"
#include "token/table.h"
#include "token/bpe_window.h"

#define CTX_FRONT_BITS	15
#define CTX_PHRASE_MAX	126
#define CTX_PHRASE_BITS	13
#define CTX_SET_PHRASES	2
#define CTX_STRETCH_MAX	2044
#define CTX_STRETCH_BITS	7

struct ctx_phrase {
	uint8_t len;		/* 0: empty */
	uint8_t count;
	uint8_t text[CTX_PHRASE_MAX];
};

/* A piece that is longer: for the most part a run of blanks or of a letter. */
struct ctx_stretch {
	uint16_t len;		/* 0: empty */
	uint16_t count;
	uint8_t text[CTX_STRETCH_MAX];
};

/*
 * A piece that is not in the cache; it waits to be merged with others and
 * added.
 */
struct ctx_miss {
	struct ctx_cache_word key;
	struct ctx_cache_word *set;	/* of a word */
	struct ctx_phrase *phrase;	/* of a longer piece */
	uint64_t *n;			/* to which its tokens are added */
	uint64_t times;			/* as often as this */
};

/* Pieces of one text: those before number to, after those of the last text. */
struct ctx_cache_text {
	unsigned to;
	const uint8_t *end;	/* no piece reaches past it */
	uint64_t *n;		/* the tokens of its pieces are added */
};

struct ctx_cache {
	const struct ctx_table *table;	/* borrowed */
	struct ctx_cache_word *word;	/* sets of CTX_SET_WORDS */
	size_t mapped;
	unsigned bits;			/* log2 of sets */
	unsigned added;			/* words, until all are moved */
	uint64_t *front;		/* 1 << CTX_FRONT_BITS, and one */
	struct ctx_phrase *phrase;	/* 1 << CTX_PHRASE_BITS sets */
	struct ctx_stretch *stretch;	/* 1 << CTX_STRETCH_BITS */
	struct ctx_bpe_job job[CTX_BPE_JOBS];
	struct ctx_miss miss[CTX_BPE_JOBS];
	unsigned nmiss;
	/* By a hash of the piece, which of the above it may be. */
	uint8_t waiting[CTX_BPE_JOBS];
};

int	ctx_cache_init(struct ctx_cache *k, const struct ctx_table *t,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_cache_done(struct ctx_cache *k);

/*
 * Count the pieces of texts, of which there is at least one.  A few new words
 * may be deferred; their text, and what they are added to, must stay where it
 * is until ctx_cache_flush.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_cache_count(struct ctx_cache *k, const struct ctx_chops *c,
	    const struct ctx_cache_text *text, unsigned ntext,
	    struct ctx_err *err) CTX_CHECKED;

/* Count the deferred words. */
void	ctx_cache_flush(struct ctx_cache *k);

#endif
