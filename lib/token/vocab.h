/* SPDX-License-Identifier: MIT */
/*
 * A vocabulary in source form: what a reader of some foreign file fills in and
 * what a table file is built from.  Used when tables are made, never when text
 * is counted.
 */
#ifndef CTX_TOKEN_VOCAB_H
#define CTX_TOKEN_VOCAB_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "token/split.h"
#include "token/table.h"

struct ctx_vocab_token {
	size_t off;		/* in bytes.data */
	uint32_t len;		/* 0: no such id */
	unsigned flags;		/* CTX_TOKEN_... */
};

/* Neither found whole nor begun with: an added token, a spelling for a byte. */
#define CTX_TOKEN_OUTSIDE 1
/* What a byte of a character that is no token becomes. */
#define CTX_TOKEN_BYTE	  2

struct ctx_vocab_merge {
	uint32_t left;
	uint32_t right;
	uint32_t merged;
};

struct ctx_vocab {
	char name[32];
	enum ctx_split_kind split;
	struct ctx_buf pattern;		/* if it is none of ours: patterns, a
					   NUL behind each */
	unsigned flags;			/* CTX_TABLE_WHOLE ... */
	unsigned norm;			/* CTX_NORM_... */
	struct ctx_buf bytes;
	struct ctx_vocab_token *token;	/* by id */
	uint32_t size;
	size_t cap;
	/*
	 * Merges in the order of their rank.  None: every pair of tokens whose
	 * bytes together are a token merges, in the order of that token's id.
	 */
	struct ctx_vocab_merge *merge;
	size_t nmerge;
	size_t merge_cap;
	struct ctx_special *special;	/* found by special_text */
	uint32_t nspecial;
	size_t special_cap;
	struct ctx_buf special_text;
};

void	ctx_vocab_init(struct ctx_vocab *v, const char *name);
void	ctx_vocab_done(struct ctx_vocab *v);

/*
 * Token id stands for text[0 .. len), copied; flags are CTX_TOKEN_...  -1:
 * taken, out of range or ENOMEM.
 */
int	ctx_vocab_add(struct ctx_vocab *v, uint32_t id, const void *text,
	    size_t len, unsigned flags, struct ctx_err *err) CTX_CHECKED;

/* Text is searched for text[0 .. len), copied, which is token id. */
int	ctx_vocab_add_special(struct ctx_vocab *v, uint32_t id,
	    const void *text, size_t len, unsigned flags, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_vocab_add_merge(struct ctx_vocab *v, uint32_t left, uint32_t right,
	    uint32_t merged, struct ctx_err *err) CTX_CHECKED;

/*
 * Add what a rank file holds: lines of a token in base64 and its rank.  The
 * error has the line.
 */
int	ctx_vocab_read_ranks(struct ctx_vocab *v, const char *path,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Build the table and write it to path, through a temporary file beside it.
 * The same vocabulary always gives the same bytes.
 */
int	ctx_vocab_write(const struct ctx_vocab *v, const char *path,
	    struct ctx_err *err) CTX_CHECKED;

#endif
