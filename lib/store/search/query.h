/* SPDX-License-Identifier: MIT */
/*
 * A user's query in the form that the index of words needs.  For this folder.
 *
 * For a prefix, FTS5 reads all matches before it returns the first hit; for
 * single words it reads from the newest match on and only as far as needed.  A
 * prefix is therefore replaced by the words that begin with it.  If there are
 * too many, the part is wide: it is left out at first and then looked for in
 * the texts that the other parts lead to.  A prefix of that many words
 * usually occurs in many texts.
 */
#ifndef CTX_STORE_SEARCH_QUERY_H
#define CTX_STORE_SEARCH_QUERY_H

#include "base/buf.h"
#include "store/db.h"

#define CTX_QUERY_PARTS	256	/* queries with more words are refused */

/* Words, each ended by a NUL. */
struct ctx_query_form {
	struct ctx_buf words;
	size_t n;
};

struct ctx_query_part {
	struct ctx_query_form form[2];	/* any of them is enough */
	int nform;
	int prefix;			/* the last word is a prefix */
	int wide;
	struct ctx_buf expr;		/* for FTS5, unless the part is wide */
};

struct ctx_query {
	struct ctx_store *st;
	fts5_tokenizer methods;
	Fts5Tokenizer *tokenizer;
	struct ctx_query_part *part;
	size_t n, cap;
	size_t wide;			/* number of wide parts */
	int looked;			/* number of lookups of completions */
	struct ctx_query_form text;	/* the text that was cut last */
	int chained;			/* forms (2 for each part) by their */
	int16_t first[256], next[2 * CTX_QUERY_PARTS];	/* first bytes */
	struct ctx_err *err;
};

/*
 * Begin an empty query, and add a word that need not occur: such a query is
 * not for the index, but for the functions that look at texts.  A word that
 * is there already is not added again.  Call ctx_query_done in any case.
 */
int	ctx_query_begin(struct ctx_query *q, struct ctx_store *st,
	    struct ctx_err *err);
int	ctx_query_term(struct ctx_query *q, const char *word, size_t len,
	    int prefix, struct ctx_err *err);

/*
 * Parse the words, in a read transaction.  Returns 1; 0 if there is nothing to
 * look for; or -1, with CTX_EUSAGE for too many words.  Call ctx_query_done in
 * any case.
 */
int	ctx_query_make(struct ctx_query *q, struct ctx_store *st,
	    const char *words, struct ctx_err *err);
void	ctx_query_done(struct ctx_query *q);

/*
 * Append the FTS5 query for all parts, or for one.  Wide parts are included
 * only if wide is set; without them nothing may be left.
 */
void	ctx_query_all(const struct ctx_query *q, int wide,
	    struct ctx_buf *out);
void	ctx_query_one(const struct ctx_query_part *part, struct ctx_buf *out);

/* Append the query for texts that may have at least one part. */
void	ctx_query_any(const struct ctx_query *q, struct ctx_buf *out);

/* Append the words of a text to form, exactly as FTS5 cuts them. */
int	ctx_query_words_of(struct ctx_query *q, struct ctx_query_form *form,
	    const char *text, size_t len, struct ctx_err *err);

/*
 * Find the words of a text that is cut as for the index (q->text has them);
 * then count how often each part occurs in it.  The latter returns the number
 * of parts that do.
 */
int	ctx_query_cut(struct ctx_query *q, const char *cut, size_t len,
	    struct ctx_err *err);
size_t	ctx_query_tally(struct ctx_query *q, uint32_t *count);

/*
 * Does a text, cut as for the index, contain all wide parts or, with all, all
 * parts?  Returns 1, 0, or -1.
 */
int	ctx_query_holds(struct ctx_query *q, int all, const char *cut,
	    size_t len, struct ctx_err *err);

/*
 * Create search_words(term, doc, col, offset), a view of the index, in the
 * database temp; or with the index trigram, trigram_words.
 */
int	ctx_query_open_words(struct ctx_store *st, const char *index,
	    struct ctx_err *err);

/*
 * The tokenizer of an index, to cut words exactly as it does: unicode61 or
 * trigram.
 */
int	ctx_query_tokenizer(struct ctx_store *st, const char *name,
	    fts5_tokenizer *methods, Fts5Tokenizer **tokenizer,
	    struct ctx_err *err);

/*
 * Append at most max words of the index that begin with prefix, from low on,
 * each ended by a NUL.  Returns their number, max + 1 if there are more, or
 * -1.
 */
int	ctx_query_words(struct ctx_store *st, const char *low,
	    const char *prefix, int max, struct ctx_buf *out,
	    struct ctx_err *err);

#endif
