/* SPDX-License-Identifier: MIT */
/*
 * What somebody looks for, as the index of words takes it.  For this folder.
 *
 * FTS5 reads everything that a prefix leads to before it gives the first hit;
 * single words it reads from the newest on, as far as it is asked.  So a prefix
 * is replaced by the words that begin with it.  Where those are too many, a
 * part is wide: left out at first, and looked for in the texts that the other
 * parts lead to; a prefix of so many words mostly stands in many texts.
 */
#ifndef CTX_STORE_SEARCH_QUERY_H
#define CTX_STORE_SEARCH_QUERY_H

#include "base/buf.h"
#include "store/db.h"

#define CTX_QUERY_PARTS	256	/* more words are refused */

/* Words one after the other, each with a NUL behind it. */
struct ctx_query_form {
	struct ctx_buf words;
	size_t n;
};

struct ctx_query_part {
	struct ctx_query_form form[2];	/* any of them will do */
	int nform;
	int prefix;			/* the last word is one */
	int wide;
	struct ctx_buf expr;		/* for FTS5, unless it is wide */
};

struct ctx_query {
	struct ctx_store *st;
	fts5_tokenizer methods;
	Fts5Tokenizer *tokenizer;
	struct ctx_query_part *part;
	size_t n, cap;
	size_t wide;			/* of them */
	int looked;			/* for completions, so often */
	struct ctx_buf text;		/* of what ctx_query_holds looks at */
	struct ctx_err *err;
};

/*
 * Take the words apart, in a read transaction.  1; 0 if there is nothing to
 * look for; -1, CTX_EUSAGE for too many.  Then ctx_query_done, in any case.
 */
int	ctx_query_make(struct ctx_query *q, struct ctx_store *st,
	    const char *words, struct ctx_err *err);
void	ctx_query_done(struct ctx_query *q);

/*
 * Append the FTS5 query for all parts, or for one.  With wide also for those
 * that are; without, nothing may be left of it.
 */
void	ctx_query_all(const struct ctx_query *q, int wide,
	    struct ctx_buf *out);
void	ctx_query_one(const struct ctx_query_part *part, struct ctx_buf *out);

/* Has a text, cut as for the index, all the wide parts?  1, 0, -1. */
int	ctx_query_holds(struct ctx_query *q, const char *cut, size_t len,
	    struct ctx_err *err);

/* In the database temp: search_words(term, doc, col, offset), the index. */
int	ctx_query_open_words(struct ctx_store *st, struct ctx_err *err);

/* The tokenizer of the index, to cut words exactly as it does. */
int	ctx_query_tokenizer(struct ctx_store *st, fts5_tokenizer *methods,
	    Fts5Tokenizer **tokenizer, struct ctx_err *err);

/*
 * Append the words of the index from low on that begin with prefix, each with a
 * NUL behind it, but at most max.  How many, max + 1 if there are more, -1.
 */
int	ctx_query_words(struct ctx_store *st, const char *low,
	    const char *prefix, int max, struct ctx_buf *out,
	    struct ctx_err *err);

#endif
