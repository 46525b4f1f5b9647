/* SPDX-License-Identifier: MIT */
/*
 * The second track: what the model saw.  Each put is a new version of the
 * view, kept as runs of logged messages and texts of its own, so that any
 * request can be had again byte for byte.
 */
#ifndef CTX_STORE_VIEW_H
#define CTX_STORE_VIEW_H

#include "store/segs.h"

/* What is put: the lines of a view, and what came of them. */
struct ctx_view_version {
	const char *name;
	const char *text;
	size_t len;
	/* set: */
	int64_t n;			/* lines */
	int64_t version;		/* the number it got */
	int64_t nref;			/* lines that are references */
};

/*
 * Store lines as the next version of a view.  A line that is equal to a logged
 * one is stored as a reference to it, found among the first and the last of
 * the log; every other one as its own text.  CTX_EINPUT with err->line for one
 * that is not JSON.
 */
int	ctx_view_put(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_view_version *put, struct ctx_err *err);

struct ctx_view {
	const char *context, *name;
	int64_t n, ts;
	int64_t upto_seq;		/* where the log ended at the put */
	int64_t messages, texts;	/* texts: of its own, among them */
};
typedef int ctx_view_fn(const struct ctx_view *v, void *arg,
	    struct ctx_err *err);

/* The versions of one view (name NULL: of all), the oldest first. */
int	ctx_view_list(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, ctx_view_fn *fn, void *arg,
	    struct ctx_err *err);

/* Remove version n, 0: all.  *removed counts.  CTX_ENO if there is none. */
int	ctx_view_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, int64_t n, int64_t *removed,
	    struct ctx_err *err);

/*
 * In a write transaction: messages from to to, just appended, join the newest
 * version.  A view that is not there begins as the whole log.
 */
int	ctx_view_extend(struct ctx_store *st, const struct ctx_ref *ref,
	    const char *name, int64_t from, int64_t to, struct ctx_err *err);

/*
 * Version n of a view, 0: the newest that was put when the log ended at end or
 * before.
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
