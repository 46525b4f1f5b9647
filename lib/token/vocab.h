/* SPDX-License-Identifier: MIT */
/*
 * A vocabulary in source form: the readers of foreign files fill it in, and a
 * table file is built from it.  It is used to make tables, not to count text.
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
	uint32_t len;		/* 0 if there is no such id */
	unsigned flags;		/* CTX_TOKEN_... */
};

/*
 * Neither found whole nor used as a start: an added token, a byte's spelling.
 */
#define CTX_TOKEN_OUTSIDE 1
/* The token for a byte of a character that is not a token itself. */
#define CTX_TOKEN_BYTE	  2

struct ctx_vocab_merge {
	uint32_t left;
	uint32_t right;
	uint32_t merged;
};

struct ctx_vocab {
	char name[32];
	enum ctx_split_kind split;
	struct ctx_buf pattern;		/* if foreign: patterns, each ended
					 * by a NUL */
	unsigned flags;			/* CTX_TABLE_WHOLE ... */
	unsigned norm;			/* CTX_NORM_... */
	struct ctx_buf bytes;
	struct ctx_vocab_token *token;	/* indexed by id */
	uint32_t size;
	size_t cap;
	/*
	 * Merges in the order of their rank.  If there are none, every pair of
	 * tokens whose bytes together are a token merges, in the order of that
	 * token's id or, if order is not NULL, of its place there.
	 */
	struct ctx_vocab_merge *merge;
	size_t nmerge;
	size_t merge_cap;
	uint32_t *order;
	size_t norder;
	/* Of CTX_TABLE_UNIGRAM: one for each id, and the unknown one's. */
	double *score;
	uint32_t longest_word;		/* of CTX_TABLE_WORDS, in characters */
	uint32_t unknown;		/* what is not a token; CTX_ID_MAX */
	struct ctx_buf charsmap;	/* token/charsmap.h */
	struct ctx_buf steps;		/* token/steps.h */
	struct ctx_trie_key *user;	/* sorted texts in bytes; not normalized */
	size_t nuser;
	struct ctx_buf file;		/* holds these texts */
	struct ctx_special *special;	/* found by special_text */
	uint32_t nspecial;
	size_t special_cap;
	struct ctx_buf special_text;
};

void	ctx_vocab_init(struct ctx_vocab *v, const char *name);
void	ctx_vocab_done(struct ctx_vocab *v);

/*
 * Make room for id; ids in between are not tokens.  Returns 0, or -1 if id is
 * out of range or memory is short.
 */
int	ctx_vocab_reach(struct ctx_vocab *v, uint32_t id, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * Make text[0 .. len), which is copied, the text of token id; flags are
 * CTX_TOKEN_.... Returns 0, or -1 if id is taken, out of range, or memory is
 * short.
 */
int	ctx_vocab_add(struct ctx_vocab *v, uint32_t id, const void *text,
	    size_t len, unsigned flags, struct ctx_err *err) CTX_CHECKED;

/* Search texts for text[0 .. len), which is copied and becomes token id. */
int	ctx_vocab_add_special(struct ctx_vocab *v, uint32_t id,
	    const void *text, size_t len, unsigned flags, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_vocab_add_merge(struct ctx_vocab *v, uint32_t left, uint32_t right,
	    uint32_t merged, struct ctx_err *err) CTX_CHECKED;

/*
 * Add the contents of a rank file, whose lines hold a token in base64 and its
 * rank.  The error names the line.
 */
int	ctx_vocab_read_ranks(struct ctx_vocab *v, const char *path,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Build the table and write it to path, by way of a temporary file in the same
 * directory.  The same vocabulary always gives the same bytes.
 */
int	ctx_vocab_write(const struct ctx_vocab *v, const char *path,
	    struct ctx_err *err) CTX_CHECKED;

#endif
