/* SPDX-License-Identifier: MIT */
/*
 * Byte pair merging of a short text, a window: what token/bpe makes long
 * pieces of.  Up to CTX_BPE_MIN bytes it is done in one register of bits and
 * one row of keys, up to CTX_BPE_MAX in a list.
 */
#ifndef CTX_TOKEN_BPE_WINDOW_H
#define CTX_TOKEN_BPE_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "token/table.h"

/* Bytes of the smallest and the largest window; 10 bits hold a position. */
#define CTX_BPE_MIN	62
#define CTX_BPE_MAX	(16 * CTX_BPE_MIN)

struct ctx_bpe_token {
	uint32_t id;
	uint32_t len;
};

/* Merge p[0 .. n), n from 1 to CTX_BPE_MAX, into tokens; their number. */
unsigned ctx_bpe_window(struct ctx_bpe_token *out,
	    const struct ctx_table *t, const uint8_t *p, unsigned n);

/* The number alone, for n up to CTX_BPE_MIN. */
unsigned ctx_bpe_count(const struct ctx_table *t, const uint8_t *p,
	    unsigned n);

/*
 * The token that merging begins with at p, of n bytes more than 0: a byte, or a
 * character, or, of a character that is no token, a byte.  Its length.
 */
unsigned ctx_bpe_first(const struct ctx_table *t, const uint8_t *p,
	    size_t n, uint32_t *id);

/*
 * Count the tokens of up to CTX_BPE_JOBS short pieces, which takes much less
 * than one after the other: the table is larger than the processor's caches,
 * and this way its slots are waited for together.
 */
#define CTX_BPE_JOBS	16

struct ctx_bpe_job {
	const uint8_t *p;
	unsigned len;		/* 1 to CTX_BPE_MIN */
	unsigned count;		/* the result */
};

void	ctx_bpe_words(const struct ctx_table *t, struct ctx_bpe_job *job,
	    unsigned n);

#endif
