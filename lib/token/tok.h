/* SPDX-License-Identifier: MIT */
/*
 * Vocabularies.  A struct ctx_tok is one tokenizer, opened: a read-only table,
 * mapped from a file that the build (or ctx-count --prepare) made, so that
 * opening costs two system calls and nothing is parsed.  It does not change
 * after that and may be shared between threads; each thread has its own struct
 * ctx_counter (token/count.h) for the rest.
 *
 * A name is one of
 *	o200k_base cl100k_base p50k_base r50k_base	OpenAI's
 *	o200k_harmony gpt2 p50k_edit			the same with other
 *							special tokens or name
 *	chars		an estimate: characters / 2.5, at least 1
 * or NAME for a prepared table NAME.ctxv in a directory that is searched for
 * tables, or, if it contains a '/' or a '.', a file: a prepared table (.ctxv),
 * a rank file (.tiktoken), a Hugging Face tokenizer.json, a tekken.json, a
 * SentencePiece model or a vocab.txt of BERT's.
 *
 * A foreign file is turned into a table first, which takes about a second
 * (token/prepare.h does it once and for all).  A tokenizer.json must use BPE,
 * over bytes or over characters (SentencePiece's, with bytes for the rest),
 * Unigram or WordPiece, and only the earlier steps that token/hf_steps.c and
 * token/hf_norm.c know; anything else is an error that names it.
 *
 * Tables are searched for in $CTX_VOCAB; in the user's own directory, unless
 * they are OpenAI's; next to the running program (share/ctx, ../share/ctx);
 * then in the directory given at build time.  The user's own is
 * $XDG_DATA_HOME/ctx or $HOME/.local/share/ctx.
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

/* Token ids; an all-zero list is empty. */
struct ctx_ids {
	uint32_t *id;
	size_t n;
	size_t cap;
};

/*
 * Open a vocabulary by its name or file.
 *
 * Returns: the vocabulary, yours to free, or NULL with CTX_EUSAGE (unknown
 *          name), CTX_ESYSTEM (no such file, a damaged table) or CTX_ENOMEM.
 */
struct ctx_tok *ctx_tok_open(const char *name, struct ctx_err *err) CTX_CHECKED;
void	ctx_tok_free(struct ctx_tok *tok);

/* "o200k_base"; for a file, the name that its table contains. */
const char *ctx_tok_name(const struct ctx_tok *tok);

/* Does it only estimate ("chars")?  If so, it has no ids and encoding fails. */
int	ctx_tok_is_estimate(const struct ctx_tok *tok);

/* Is name one of those above, from o200k_base to chars? */
int	ctx_tok_is_known(const char *name);

/*
 * Is there a sound table for this name, or is it a file that exists?
 * Returns: 1 or 0, or -1 with CTX_ENOMEM.
 */
int	ctx_tok_at_hand(const char *name, struct ctx_err *err) CTX_CHECKED;

/*
 * The directory in which --prepare installs tables: the first of $CTX_VOCAB
 * and the user's own that is set; out is empty if neither is.
 */
void	ctx_tok_user_dir(struct ctx_buf *out);

/*
 * Known name i, with its description in *what, for --list-encodings; NULL past
 * the end.
 */
const char *ctx_tok_known(size_t i, const char **what);

/*
 * The bytes of token id, borrowed from tok; NULL if there is no such token.
 * They may end within a character.
 */
const char *ctx_tok_bytes(const struct ctx_tok *tok, uint32_t id, size_t *len);

/*
 * Append the bytes of n ids to out.
 *
 * Returns: 0, or -1 with CTX_EINPUT (an id that is not a token; out keeps the
 *          bytes of those before it) or CTX_ENOMEM.
 */
int	ctx_tok_decode(const struct ctx_tok *tok, const uint32_t *id, size_t n,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

void	ctx_ids_done(struct ctx_ids *ids);

#endif
