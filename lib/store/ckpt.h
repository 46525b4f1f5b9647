/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: a place in the log and a state (JSON of any shape) that belongs
 * to it.  A reference, not a copy: what one costs is what is new in its state,
 * and any one can be removed without harm to another.
 */
#ifndef CTX_STORE_CKPT_H
#define CTX_STORE_CKPT_H

#include "store/log.h"

#define CTX_CKPT_ID_SIZE	37	/* of a UUID, with the NUL */

struct ctx_ckpt {
	const char *thread, *context;	/* names */
	const char *ns;			/* LangGraph's namespace, "" */
	const char *name, *parent;	/* parent NULL: none */
	int64_t n;			/* counts within its context */
	int64_t upto_seq, ts;
	const char *state;		/* NULL: none */
	size_t state_len;
	const char *meta;		/* NULL: none */
	size_t meta_len;
};

/*
 * Store one: name NULL is a new UUID (version 7), parent NULL the newest of
 * its context and "" none, upto_seq -1 the log's end, ts 0 now.  state and
 * meta must be JSON.  *name_out, unless NULL, gets the name (the caller
 * frees).  One that is there already with the same contents is left; with
 * others: CTX_EINPUT.
 */
int	ctx_ckpt_put(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_ckpt *c, char **name_out, struct ctx_err *err);

typedef int ctx_ckpt_fn(const struct ctx_ckpt *c, void *arg,
	    struct ctx_err *err);

/*
 * The checkpoint called name (NULL: the newest) with its state.  With
 * w->context NULL the head is asked first, then the others.
 */
int	ctx_ckpt_get(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, ctx_ckpt_fn *fn, void *arg,
	    struct ctx_err *err);

/* All of a context, the newest first, without their state; limit 0: all. */
int	ctx_ckpt_list(struct ctx_store *st, const struct ctx_where *w,
	    int64_t limit, ctx_ckpt_fn *fn, void *arg, struct ctx_err *err);

int	ctx_ckpt_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_err *err);

struct ctx_ckpt_branch {
	const char *ckpt;
	const char *context;	/* NULL: a name is made up ("main~2") */
	int head;		/* the new one becomes the thread's */
};

/*
 * A new context that goes on from a checkpoint, which is its first one.
 * *name_out gets its name; the caller frees.
 */
int	ctx_ckpt_fork(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_ckpt_branch *how, char **name_out, struct ctx_err *err);

/* In a read transaction: where a checkpoint points, *ref its context. */
int	ctx_ckpt_locate(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_ref *ref, int64_t *upto_seq,
	    struct ctx_err *err);

#endif
