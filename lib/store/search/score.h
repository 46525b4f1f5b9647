/* SPDX-License-Identifier: MIT */
/*
 * Rank messages by their texts and by what else is in their threads: BM25
 * with the constants of FTS5, where rare words are those that few messages of
 * the threads have, and the average length is that of the messages with parts
 * of the query.  However large the store is, this takes no longer than reading
 * the threads.
 */
#ifndef CTX_STORE_SEARCH_SCORE_H
#define CTX_STORE_SEARCH_SCORE_H

#include "store/search/among.h"
#include "store/search/query.h"
#include "store/search/rank.h"

struct ctx_score_count {
	uint32_t part, n;
};

/* All zero except what the caller sets is one without messages. */
struct ctx_score {
	struct ctx_query *query;	/* set by the caller */
	int all;	/* set by the caller: all parts must occur */

	/* private */
	struct ctx_score_hit {
		struct ctx_rank_hit at;
		uint64_t words;
		size_t count;	/* its first; the last has the next one's */
	} *hit;
	size_t nhit, caphit;
	struct ctx_score_count *count;
	size_t ncount, capcount;
	int64_t texts;			/* messages seen */
	uint64_t words;			/* of those with parts */
	int64_t with[CTX_QUERY_PARTS];	/* messages with each part */
	struct ctx_buf text, cut;
};

/* Consider a message, the line raw[0 .. len). */
int	ctx_score_line(struct ctx_score *s, const struct ctx_rank_hit *at,
	    const char *raw, size_t len, struct ctx_err *err);

/* Append the messages with parts of the query to r, in the order of arrival. */
int	ctx_score_end(const struct ctx_score *s, struct ctx_rank *r,
	    struct ctx_err *err);

/*
 * Append the indexed messages of some threads with all parts of the query.
 * They are found by reading the threads, or else by the index, which must have
 * been made by the current cut, and which takes at most CTX_AMONG_FILTER
 * threads; the result is the same.
 */
int	ctx_score_threads(struct ctx_query *query,
	    const struct ctx_among *among, int by_reading, struct ctx_rank *r,
	    struct ctx_err *err);

void	ctx_score_done(struct ctx_score *s);

#endif
