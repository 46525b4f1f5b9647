/* SPDX-License-Identifier: MIT */
/*
 * The little that the offline summarizer knows about language: words without
 * content, words that announce something, and what people say before they
 * begin.
 */
#ifndef CTX_EXTRACT_WORDS_H
#define CTX_EXTRACT_WORDS_H

#include <stddef.h>

enum ctx_words {
	CTX_WORD_STOP,		/* "the", "would" */
	CTX_WORD_CUE,		/* "need", "decided": text with such a word
				   matters more */
	CTX_WORD_HAN_CUE,	/* the same, two characters each: 决定, 需要 */
	CTX_WORD_LOOK,		/* "get", "list": what a tool does that only
				   looks */
	CTX_WORD_DEED,		/* "book", "cancel": and one that changes
				   something */
	CTX_WORD_HAN_LOOK,	/* the same, two characters each: 查询 */
	CTX_WORD_HAN_DEED,	/* 取消 */
	CTX_WORD_OPENER,	/* "well", "um", "thanks": dropped at the
				   beginning of a sentence */
	CTX_WORD_HAN_OPENER,	/* 请 那么 能不能 */
	CTX_WORD_HAN_CLOSER	/* dropped at the end: 吗 呢 ！ */
};

/* Is word[0 .. len), in lower case, in a list other than the last two? */
int	ctx_word_is(enum ctx_words list, const char *word, size_t len);

/*
 * The length of the opener at the beginning of p[0 .. len), or of the closer at
 * its end, according to one of the last two lists; else 0.
 */
size_t	ctx_word_affix(enum ctx_words list, const char *p, size_t len);

/*
 * Han characters that are grammar.  Two adjacent ones are not a term.  A name
 * neither contains nor touches a character of the second set, which is smaller
 * where names need it (中 上 大 are in many) and larger in what introduces a
 * name.
 */
extern const char ctx_word_han_grammar[];
extern const char ctx_word_han_border[];

#endif
