/* SPDX-License-Identifier: MIT */
/*
 * Split patterns given as texts.  If there are several, each divides the
 * pieces of the one before it; what a pattern does not match is a piece too.
 * A pattern for which we have a splitter is cut by that splitter, any other by
 * PCRE2 with its compiler; PCRE2 is told the category of characters that it
 * may not know yet.
 */
#ifndef CTX_TOKEN_PATTERN_H
#define CTX_TOKEN_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/split.h"

/* The patterns that tokenizer.json refers to by name. */
#define CTX_PATTERN_GPT2 "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|" \
	" ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"
#define CTX_PATTERN_DIGIT "\\p{N}"
#define CTX_PATTERN_DIGITS "\\p{N}+"

/* The splitter equivalent to a pattern, or PATTERN. */
enum ctx_split_kind ctx_pattern_split(const char *pattern);

/*
 * The splitter equivalent to all patterns in text[0 .. len), each ended by a
 * NUL.
 */
enum ctx_split_kind ctx_pattern_splits(const char *text, size_t len);

struct ctx_pattern;		/* compiled; shareable between threads */

/*
 * Compile text[0 .. len): patterns, each ended by a NUL.
 *
 * Returns: yours to free, or NULL with CTX_ESYSTEM (an invalid pattern) or
 *          CTX_ENOMEM.
 */
struct ctx_pattern *ctx_pattern_new(const char *text, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_pattern_free(struct ctx_pattern *pat);

/*
 * The splitter of the first pattern, if we have one: then the text is cut with
 * it, and ctx_pattern_cut is called for each part.
 */
ctx_split_fn *ctx_pattern_first(const struct ctx_pattern *pat);

/*
 * Cut p .. end, valid UTF-8, by the patterns, except the first one if we have
 * a splitter for it, and call piece for each piece in order; it stops when
 * that returns -1.
 *
 * Returns: 0, or -1 with *err set.
 */
typedef int ctx_piece_fn(void *arg, const uint8_t *p, const uint8_t *q,
    struct ctx_err *err);
int	ctx_pattern_cut(const struct ctx_pattern *pat, const uint8_t *p,
	    const uint8_t *end, ctx_piece_fn *piece, void *arg,
	    struct ctx_err *err) CTX_CHECKED;

#endif
