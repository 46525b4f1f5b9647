/* SPDX-License-Identifier: MIT */
/*
 * Split patterns as texts.  Several in a row: each divides the pieces of the
 * one before it, and what a pattern does not match is a piece too.  One that
 * we have a splitter for is done by that, any other by PCRE2 with its compiler;
 * of characters that this may not know yet we tell it the category.
 */
#ifndef CTX_TOKEN_PATTERN_H
#define CTX_TOKEN_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/split.h"

/* What tokenizer.json has names for. */
#define CTX_PATTERN_GPT2 "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|" \
	" ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"
#define CTX_PATTERN_DIGIT "\\p{N}"
#define CTX_PATTERN_DIGITS "\\p{N}+"

/* The splitter that does what a pattern says, or PATTERN. */
enum ctx_split_kind ctx_pattern_split(const char *pattern);

/* The one that does what all of text[0 .. len) say, a NUL behind each. */
enum ctx_split_kind ctx_pattern_splits(const char *text, size_t len);

struct ctx_pattern;		/* compiled; shareable between threads */

/*
 * Compile text[0 .. len): patterns, a NUL behind each.
 *
 * Returns: yours to free, or NULL with CTX_ESYSTEM (a pattern is not one) or
 *          CTX_ENOMEM.
 */
struct ctx_pattern *ctx_pattern_new(const char *text, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_pattern_free(struct ctx_pattern *pat);

/*
 * The splitter of the first pattern, if it is one of ours: then text is cut by
 * that, and ctx_pattern_cut called for each part.
 */
ctx_split_fn *ctx_pattern_first(const struct ctx_pattern *pat);

/*
 * Cut p .. end, valid UTF-8, by the patterns, but for the first if it is one of
 * ours, and call piece for each piece in order; it stops when that returns -1.
 *
 * Returns: 0, or -1 with *err set.
 */
typedef int ctx_piece_fn(void *arg, const uint8_t *p, const uint8_t *q,
    struct ctx_err *err);
int	ctx_pattern_cut(const struct ctx_pattern *pat, const uint8_t *p,
	    const uint8_t *end, ctx_piece_fn *piece, void *arg,
	    struct ctx_err *err) CTX_CHECKED;

#endif
