/* SPDX-License-Identifier: MIT */
/*
 * Byte pair merging of a short text, called a window; token/bpe merges long
 * pieces as a series of windows.  Up to CTX_BPE_MIN bytes, the work is done in
 * one register of bits and one row of keys; up to CTX_BPE_MAX, in a list.
 */
#ifndef CTX_TOKEN_BPE_WINDOW_H
#define CTX_TOKEN_BPE_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "token/table.h"

/*
 * Sizes in bytes of the smallest and the largest window; 10 bits hold a
 * position.
 */
#define CTX_BPE_MIN	62
#define CTX_BPE_MAX	(16 * CTX_BPE_MIN)

struct ctx_bpe_token {
	uint32_t id;
	uint32_t len;
};

/*
 * Merge p[0 .. n), n from 1 to CTX_BPE_MAX, into tokens.  Returns their
 * number.
 */
unsigned ctx_bpe_window(struct ctx_bpe_token *out,
	    const struct ctx_table *t, const uint8_t *p, unsigned n);

/* Like ctx_bpe_window, but only the number, for n up to CTX_BPE_MIN. */
unsigned ctx_bpe_count(const struct ctx_table *t, const uint8_t *p,
	    unsigned n);

/*
 * Store the token that merging begins with at p, where n > 0 bytes are left: a
 * byte or, in vocabularies that merge characters, a character; a character
 * that is not a token begins with its first byte.  Returns the token's length
 * in bytes.
 */
unsigned ctx_bpe_first(const struct ctx_table *t, const uint8_t *p,
	    size_t n, uint32_t *id);

/*
 * Count the tokens of up to CTX_BPE_JOBS short pieces.  This takes much less
 * time than counting them one after the other: the table is larger than the
 * processor's caches, and here the waits for its slots overlap.
 */
#define CTX_BPE_JOBS	128

struct ctx_bpe_job {
	const uint8_t *p;
	unsigned len;		/* 1 to CTX_BPE_MIN */
	unsigned count;		/* the result */
};

void	ctx_bpe_words(const struct ctx_table *t, struct ctx_bpe_job *job,
	    unsigned n);

#endif
