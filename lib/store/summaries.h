/* SPDX-License-Identifier: MIT */
/*
 * Running summaries: the lines that ctx-summarize --state reads and writes,
 * stored unchanged.  The newest one is current; old ones are kept.
 */
#ifndef CTX_STORE_SUMMARIES_H
#define CTX_STORE_SUMMARIES_H

#include "base/buf.h"
#include "store/thread.h"

/*
 * Store a line, which must be a JSON object, as the newest summary if *n is 0,
 * which gets its number, or in place of summary *n (CTX_ENO if there is none).
 * An empty one, of a history that was never folded, stores nothing.
 */
int	ctx_summaries_put(struct ctx_store *st, const struct ctx_where *w,
	    const char *line, size_t len, int64_t *n, struct ctx_err *err);

/* Append summary n, 0 for the newest, to out.  CTX_ENO if there is none. */
int	ctx_summaries_get(struct ctx_store *st, const struct ctx_where *w,
	    int64_t n, struct ctx_buf *out, struct ctx_err *err);

/* Remove summary n, or all if n is 0.  CTX_ENO if there is none. */
int	ctx_summaries_remove(struct ctx_store *st, const struct ctx_where *w,
	    int64_t n, struct ctx_err *err);

struct ctx_summary {
	int64_t n, upto_seq, ts;	/* upto_seq: the log.s end then */
	const char *line;
	size_t len;
};
typedef int ctx_summaries_fn(const struct ctx_summary *s, void *arg,
	    struct ctx_err *err);

/* List all, the oldest first. */
int	ctx_summaries_list(struct ctx_store *st, const struct ctx_where *w,
	    ctx_summaries_fn *fn, void *arg, struct ctx_err *err);

#endif
