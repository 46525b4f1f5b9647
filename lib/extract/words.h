/* SPDX-License-Identifier: MIT */
/*
 * What little language the offline summarizer knows: words that carry nothing,
 * words that announce something, and what people say before they begin.
 */
#ifndef CTX_EXTRACT_WORDS_H
#define CTX_EXTRACT_WORDS_H

#include <stddef.h>

/* word[0 .. len) in lower case: "the", "would". */
int	ctx_word_is_stop(const char *word, size_t len);

/* "need", "decided", "because": what stands with it matters more. */
int	ctx_word_is_cue(const char *word, size_t len);

/* The same for two Han characters: 决定, 需要. */
int	ctx_word_is_han_cue(const char *pair, size_t len);

/* "well", "um", "thanks": dropped at the head of a sentence. */
int	ctx_word_is_opener(const char *word, size_t len);

/*
 * Bytes of what people say before they begin, 请 那么 能不能, at the head of
 * p[0 .. len), or of what they hang on to the end, 吗 呢 ！, at its end; else 0.
 */
size_t	ctx_word_han_opener(const char *p, size_t len);
size_t	ctx_word_han_closer(const char *p, size_t len);

/*
 * Han characters that are grammar.  Two of them side by side are no term; a
 * name neither holds nor touches one of the second set, which is smaller where
 * names need it (中 上 大 stand in many) and larger in what leads to a name.
 */
extern const char ctx_word_han_grammar[];
extern const char ctx_word_han_border[];

#endif
