/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: a place in the log and the state (JSON of any shape) that
 * belongs to it.  A checkpoint refers to the log and does not copy it: its
 * cost is what is new in its state, and removing it never harms another one.
 */
#ifndef CTX_STORE_CKPT_H
#define CTX_STORE_CKPT_H

#include "store/log.h"

#define CTX_CKPT_ID_SIZE	37	/* of a UUID, including the NUL */

struct ctx_ckpt {
	const char *thread, *context;	/* names; parent may be NULL */
	const char *ns;			/* LangGraph's namespace, "" */
	const char *name, *parent;	/* parent NULL for none */
	int64_t n;			/* its number within its context */
	int64_t upto_seq, ts;
	const char *state;		/* or NULL */
	size_t state_len;
	int merged;			/* to be put: with the state that its
					   context sees (state.h) */
	const char *meta;		/* or NULL */
	size_t meta_len;
};

/*
 * Store a checkpoint.  If name is NULL, it gets a new UUID (version 7); parent
 * NULL means the newest one of its context, and "" none; upto_seq -1 means the
 * end of the log, ts 0 now.  state and meta must be JSON.  If name_out is not
 * NULL, *name_out gets the name (the caller frees it).  An existing checkpoint
 * with the same name and contents is left as it is; with other contents, or
 * another upto_seq if that is given, it is an error, CTX_EINPUT.
 */
int	ctx_ckpt_put(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_ckpt *c, char **name_out, struct ctx_err *err);

typedef int ctx_ckpt_fn(const struct ctx_ckpt *c, void *arg,
	    struct ctx_err *err);

/*
 * Get the checkpoint called name (NULL for the newest) with its state.  If
 * w->context is NULL, the head is searched first, then the other contexts.
 */
int	ctx_ckpt_get(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, ctx_ckpt_fn *fn, void *arg,
	    struct ctx_err *err);

/*
 * List all checkpoints of a context, the newest first, without their states;
 * limit 0 lists all.
 */
int	ctx_ckpt_list(struct ctx_store *st, const struct ctx_where *w,
	    int64_t limit, ctx_ckpt_fn *fn, void *arg, struct ctx_err *err);

int	ctx_ckpt_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_err *err);

struct ctx_ckpt_branch {
	const char *ckpt;
	const char *context;	/* NULL to generate a name ("main~2") */
	int head;		/* make the new one the thread's head */
	int state;		/* its state (state.h) is the checkpoint's;
				   with head, the thread's is */
};

/*
 * Create a context that continues from a checkpoint, which becomes its first
 * one.  *name_out gets its name, which the caller frees.
 */
int	ctx_ckpt_fork(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_ckpt_branch *how, char **name_out,
	    struct ctx_err *err);

/*
 * In a read transaction: find where a checkpoint points; *ref gets its
 * context.
 */
int	ctx_ckpt_locate(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_ref *ref, int64_t *upto_seq,
	    struct ctx_err *err);

#endif
