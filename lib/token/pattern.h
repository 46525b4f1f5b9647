/* SPDX-License-Identifier: MIT */
/*
 * Split patterns that are none of ours, by PCRE2 with its compiler.  Several
 * patterns in a row: each divides the pieces of the one before it, and what a
 * pattern does not match is a piece too.
 */
#ifndef CTX_TOKEN_PATTERN_H
#define CTX_TOKEN_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx_pattern;		/* compiled; shareable between threads */

/*
 * Compile text[0 .. len): patterns, a NUL behind each.
 *
 * Returns: yours to free, or NULL with CTX_ESYSTEM (a pattern is not one) or
 *          CTX_ENOMEM.
 */
struct ctx_pattern *ctx_pattern_new(const char *text, size_t len,
	    struct ctx_err *err);
void	ctx_pattern_free(struct ctx_pattern *pat);

/*
 * Cut p .. end, valid UTF-8, and call piece for each piece in order; it stops
 * when that returns -1.  Returns: 0, or -1 with *err set.
 */
typedef int ctx_piece_fn(void *arg, const uint8_t *p, const uint8_t *q,
    struct ctx_err *err);
int	ctx_pattern_cut(const struct ctx_pattern *pat, const uint8_t *p,
	    const uint8_t *end, ctx_piece_fn *piece, void *arg,
	    struct ctx_err *err);

#endif
