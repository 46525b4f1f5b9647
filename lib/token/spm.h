/* SPDX-License-Identifier: MIT */
/*
 * SentencePiece's models: a ModelProto of sentencepiece_model.proto, with BPE
 * or Unigram.
 */
#ifndef CTX_TOKEN_SPM_H
#define CTX_TOKEN_SPM_H

#include "token/vocab.h"

/* Does a file that begins with head[0 .. n) look like one? */
int	ctx_spm_is(const void *head, size_t n);

/*
 * Add the contents of the file at path to v.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (the file is damaged, or asks for what we
 *          cannot reproduce exactly; the message says what) or CTX_ENOMEM.
 */
int	ctx_spm_read(struct ctx_vocab *v, const char *path,
	    struct ctx_err *err) CTX_CHECKED;

#endif
