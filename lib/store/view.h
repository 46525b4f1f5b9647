/* SPDX-License-Identifier: MIT */
/*
 * Views: what the model saw.  Each put creates a new version of the view,
 * stored as runs of logged messages and texts of its own, so that any request
 * can be reproduced byte for byte.
 */
#ifndef CTX_STORE_VIEW_H
#define CTX_STORE_VIEW_H

#include "store/segs.h"

/* A version to store: its lines, and the results. */
struct ctx_view_version {
	const char *name;
	const char *text;
	size_t len;
	/* Results: */
	int64_t n;			/* lines that are not blank */
	int64_t version;		/* its number */
	int64_t nref;			/* lines stored as references */
};

/*
 * Store lines as the next version of a view.  A line that equals a logged one,
 * which is looked for near both ends of the log, is stored as a reference to
 * it; any other line is stored as a text.  CTX_EINPUT with err->line for a
 * line that is not JSON.
 */
int	ctx_view_put(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_view_version *put, struct ctx_err *err);

struct ctx_view {
	const char *context, *name;
	int64_t n, ts;
	int64_t upto_seq;		/* the log.s end at the put */
	int64_t messages, texts;	/* texts: those of its own */
};
typedef int ctx_view_fn(const struct ctx_view *v, void *arg,
	    struct ctx_err *err);

/*
 * List the versions of one view (of all views if name is NULL), the oldest
 * first.
 */
int	ctx_view_list(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, ctx_view_fn *fn, void *arg,
	    struct ctx_err *err);

/*
 * Remove version n, or all versions if n is 0. *removed gets their number.
 * CTX_ENO if there is none.
 */
int	ctx_view_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, int64_t n, int64_t *removed,
	    struct ctx_err *err);

/*
 * In a write transaction: add messages from to to, which were just appended,
 * to the newest version.  A view that does not exist starts as the whole log.
 */
int	ctx_view_extend(struct ctx_store *st, const struct ctx_ref *ref,
	    const char *name, int64_t from, int64_t to, struct ctx_err *err);

/*
 * Version n of a view; 0 is the newest one stored when the log ended at or
 * before end.
 */
struct ctx_view_at {
	const char *name;
	int64_t n, end;
};

/* In a read transaction: add its pieces, without messages after its end. */
int	ctx_view_segs(struct ctx_store *st, struct ctx_segs *s,
	    const struct ctx_ref *ref, const struct ctx_view_at *view,
	    struct ctx_err *err);

#endif
