/* SPDX-License-Identifier: MIT */
/*
 * Vocabularies.  A struct ctx_tok is one tokenizer, opened: a read-only table,
 * mapped from a file that the build (or ctx-count --prepare) made, so that
 * opening costs two system calls and nothing is parsed.  It never changes
 * after that and may be shared between threads; what a thread needs beside it
 * is in its struct ctx_counter (token/count.h).
 *
 * A name is one of
 *	o200k_base cl100k_base p50k_base r50k_base	OpenAI's
 *	o200k_harmony gpt2 p50k_edit			the same with other
 *							special tokens or name
 *	chars		an estimate: characters / 2.5, at least 1
 * or NAME for a table NAME.ctxv that was prepared and put where tables are, or,
 * if it has a '/' or a '.' in it, a file: a prepared table (.ctxv), a rank file
 * (.tiktoken) or a Hugging Face tokenizer.json.
 *
 * A foreign file is turned into a table first, which takes about a second
 * (token/prepare.h does it once and for all).  Of tokenizer.json BPE is known,
 * of bytes and of characters (SentencePiece's, with bytes for the rest), and
 * what may stand before it as token/hf_steps.c has it; anything else is an
 * error that names it.
 *
 * Tables are looked for in $CTX_VOCAB, beside the running program (share/ctx
 * there, ../share/ctx), then in the directory given at build time.
 *
 * Names: ctx_ids_.
 */
#ifndef CTX_TOKEN_TOK_H
#define CTX_TOKEN_TOK_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct ctx_tok;

/* Token ids; all zero is an empty list. */
struct ctx_ids {
	uint32_t *id;
	size_t n;
	size_t cap;
};

/*
 * Open by name or file.
 *
 * Returns: the vocabulary, yours to free, or NULL with CTX_EUSAGE (no such
 *          name), CTX_ESYSTEM (no such file, a damaged table), CTX_ENOMEM.
 */
struct ctx_tok *ctx_tok_open(const char *name, struct ctx_err *err) CTX_CHECKED;
void	ctx_tok_free(struct ctx_tok *tok);

/* "o200k_base"; for a file the name that its table bears. */
const char *ctx_tok_name(const struct ctx_tok *tok);

/* Does it only estimate ("chars")?  Then it has no ids: encode fails. */
int	ctx_tok_is_estimate(const struct ctx_tok *tok);

/* The i-th known name and what it is, for --list-encodings; NULL at the end. */
const char *ctx_tok_known(size_t i, const char **what);

/*
 * The bytes of token id, borrowed from tok; NULL if there is no such token.
 * They need not be whole characters.
 */
const char *ctx_tok_bytes(const struct ctx_tok *tok, uint32_t id, size_t *len);

/*
 * Append the bytes that n ids stand for to out.
 *
 * Returns: 0, or -1 with CTX_EINPUT (an id that is no token; out keeps what
 *          came before it) or CTX_ENOMEM.
 */
int	ctx_tok_decode(const struct ctx_tok *tok, const uint32_t *id, size_t n,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

void	ctx_ids_done(struct ctx_ids *ids);

#endif
