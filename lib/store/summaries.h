/* SPDX-License-Identifier: MIT */
/*
 * Running summaries: the line that ctx-summarize --state reads and writes, kept
 * as it came.  The newest counts, old ones stay.
 */
#ifndef CTX_STORE_SUMMARIES_H
#define CTX_STORE_SUMMARIES_H

#include "base/buf.h"
#include "store/thread.h"

/* line must be a JSON object; *n gets its number. */
int	ctx_summaries_put(struct ctx_store *st, const struct ctx_where *w,
	    const char *line, size_t len, int64_t *n, struct ctx_err *err);

/* Append number n, 0 the newest, to out.  CTX_ENO if there is none. */
int	ctx_summaries_get(struct ctx_store *st, const struct ctx_where *w,
	    int64_t n, struct ctx_buf *out, struct ctx_err *err);

/* Remove number n, or with 0 all.  CTX_ENO if there is none. */
int	ctx_summaries_remove(struct ctx_store *st, const struct ctx_where *w,
	    int64_t n, struct ctx_err *err);

struct ctx_summary {
	int64_t n, upto_seq, ts;	/* upto_seq: the log's end then */
	const char *line;
	size_t len;
};
typedef int ctx_summaries_fn(const struct ctx_summary *s, void *arg,
	    struct ctx_err *err);

/* All, the oldest first. */
int	ctx_summaries_list(struct ctx_store *st, const struct ctx_where *w,
	    ctx_summaries_fn *fn, void *arg, struct ctx_err *err);

#endif
