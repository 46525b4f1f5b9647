/* SPDX-License-Identifier: MIT */
/*
 * What to read, as a list of pieces: runs of a context's messages, and texts
 * that belong to a view.  For this folder only.
 */
#ifndef CTX_STORE_SEGS_H
#define CTX_STORE_SEGS_H

#include "store/log.h"

struct ctx_seg {
	int64_t context;
	int64_t from, to;	/* inclusive */
	int64_t body;		/* if not 0, this text instead */
	/*
	 * when the context was created, or the first bytes of the text's hash:
	 * what is read in a later transaction may be removed meanwhile, and
	 * others get its numbers
	 */
	int64_t mark;
};

struct ctx_segs {
	struct ctx_seg *seg;
	size_t n, cap;
};

int	ctx_segs_add(struct ctx_segs *s, const struct ctx_seg *seg,
	    struct ctx_err *err);
void	ctx_segs_done(struct ctx_segs *s);

/*
 * Add messages from to to, inclusive, as a context sees them: those before a
 * fork come from its ancestors.
 */
int	ctx_segs_range(struct ctx_store *st, struct ctx_segs *s,
	    const struct ctx_ref *ref, int64_t from, int64_t to,
	    struct ctx_err *err);

/*
 * In a read transaction: find the pieces that r selects.  *ref gets their
 * context.
 */
int	ctx_segs_of(struct ctx_store *st, struct ctx_segs *s,
	    const struct ctx_where *w, const struct ctx_range *r,
	    struct ctx_ref *ref, struct ctx_err *err);

/* Is message seq of that context among the pieces? */
int	ctx_segs_has(const struct ctx_segs *s, int64_t context, int64_t seq);

/* Pass the messages to fn, as ctx_log_read does. */
int	ctx_segs_read(struct ctx_store *st, const struct ctx_segs *s,
	    int64_t thread, ctx_message_fn *fn, void *arg,
	    struct ctx_err *err);

#endif
