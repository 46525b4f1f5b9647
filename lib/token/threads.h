/* SPDX-License-Identifier: MIT */
/*
 * One large text by several threads.  It is divided behind newlines where a
 * piece ends whatever stands around it, so the sum is the count of the whole.
 */
#ifndef CTX_TOKEN_THREADS_H
#define CTX_TOKEN_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/count.h"

#define CTX_THREADS_MAX	64

/*
 * Tokens of text[0 .. len), counted as c would, by up to threads threads; c is
 * one of them.  Texts that are too short for that, and vocabularies whose
 * pattern is not one of ours, are counted by c alone.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or CTX_ESYSTEM (no thread to be had).
 */
int	ctx_counter_text_threads(struct ctx_counter *c, const char *text,
	    size_t len, unsigned threads, uint64_t *n, struct ctx_err *err);

/*
 * Offset of the first place from byte from on where text may be divided; len if
 * there is none.
 */
size_t	ctx_text_divide(const char *text, size_t len, size_t from);

#endif
