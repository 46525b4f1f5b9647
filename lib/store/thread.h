/* SPDX-License-Identifier: MIT */
/*
 * Find, list, create, fork and remove threads and their contexts.
 *
 * Names: ctx_context_.
 */
#ifndef CTX_STORE_THREAD_H
#define CTX_STORE_THREAD_H

#include "base/buf.h"
#include "store/store.h"

enum ctx_context_kind {
	CTX_CONTEXT_ROOT,	/* a log of its own */
	CTX_CONTEXT_FORK,	/* continues its parent from parent_seq on */
	CTX_CONTEXT_AGENT	/* a subagent: its own log, and a parent */
};

#define CTX_CONTEXT_ID_SIZE	24	/* "subagent-xxxxxxxx", with the NUL */

/*
 * A context as commands name it.  thread may be "@last", the most recently
 * written one, or end in "/subagent-xxxxxxxx".  If context is NULL, that
 * subagent is meant, or else the thread's head, which is "main" until a
 * rollback moves it.
 */
struct ctx_where {
	const char *thread;
	const char *context;
};

/* A context that exists. */
struct ctx_ref {
	int64_t thread, context;
	enum ctx_context_kind kind;
	int64_t parent, parent_seq;	/* -1 for none */
	int64_t next_seq;		/* of the next message */
	int64_t turn;			/* of the newest message */
	int64_t created;		/* tells it from one that gets its
					   number when it is gone */
};

/*
 * May a thread from elsewhere have this name?  CTX_EINPUT if the name would
 * mean another thread, or a subagent of one.
 */
int	ctx_thread_name_check(const char *name, size_t len,
	    struct ctx_err *err);

/*
 * The same for a thread as a store exports it.  Earlier versions made a thread
 * of what came late from the subagent of a removed one; only a name of a
 * subagent that is there would mean two things.
 */
int	ctx_thread_name_again(struct ctx_store *st, const char *name,
	    size_t len, struct ctx_err *err);

/*
 * Is name of the form "THREAD/subagent-xxxxxxxx"?  *len gets the length of
 * THREAD.
 */
int	ctx_thread_is_agent(const char *name, size_t *len);

/* Find a context.  Returns 0, or -1 with CTX_ENO ("no such thread ..."). */
int	ctx_thread_find(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_ref *ref, struct ctx_err *err);

/* Find a context by its number, to walk up to its parents. */
int	ctx_context_by_id(struct ctx_store *st, int64_t thread,
	    int64_t context, struct ctx_ref *ref, struct ctx_err *err);

/* Get its name, which the caller frees. */
int	ctx_context_name(struct ctx_store *st, const struct ctx_ref *ref,
	    char **name, struct ctx_err *err);

/* Get the time when it was last written. */
int	ctx_thread_updated(struct ctx_store *st, const struct ctx_where *w,
	    int64_t *when, struct ctx_err *err);

/* A row of a list; the texts are valid until the callback returns. */
struct ctx_thread_row {
	const char *name, *user, *head;	/* user may be NULL */
	int64_t id;
	int64_t created, updated;
	int pinned;
	int64_t messages, contexts, checkpoints;
	const char *place;		/* name of its workspace, or NULL */
	const char *attrs;
};
typedef int ctx_thread_fn(const struct ctx_thread_row *t, void *arg,
	    struct ctx_err *err);

/*
 * List all threads, the newest first.  The time grows with the number of
 * contexts, not of messages.
 */
int	ctx_thread_list(struct ctx_store *st, ctx_thread_fn *fn, void *arg,
	    struct ctx_err *err);

struct ctx_context {
	const char *name, *parent;	/* parent may be NULL */
	const char *attrs;
	int64_t id, parent_seq;
	enum ctx_context_kind kind;
	int64_t first_seq, next_seq, turn, created;
	int depth;			/* its depth below main */
	int is_head;
};
typedef int ctx_context_fn(const struct ctx_context *c, void *arg,
	    struct ctx_err *err);

/* List the contexts of a thread as a tree, each before its children. */
int	ctx_context_list(struct ctx_store *st, const char *thread,
	    ctx_context_fn *fn, void *arg, struct ctx_err *err);

/*
 * Create a thread and its context unless they exist.  parent (NULL for main,
 * or for none if the context is main) and parent_seq (-1 for its end) are used
 * only if the context is created.  ref as in ctx_thread_find.
 */
struct ctx_make {
	const char *parent;
	int64_t parent_seq;
	enum ctx_context_kind kind;
	const char *attrs;		/* JSON, or NULL */
};
int	ctx_context_make(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_make *how, struct ctx_ref *ref,
	    struct ctx_err *err);

/* Create a thread without messages.  CTX_ENO if it exists. */
int	ctx_thread_new(struct ctx_store *st, const char *thread,
	    struct ctx_err *err);

/*
 * Record that the thread was written now.  Every transaction that writes to a
 * thread calls it, or ctx_change_touch.
 */
int	ctx_thread_used(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/* Generate a new name, "subagent-" and 8 hexadecimal digits. */
int	ctx_context_new_id(char out[CTX_CONTEXT_ID_SIZE], struct ctx_err *err);

/* Move the thread's head to a context. */
int	ctx_thread_set_head(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_err *err);

int	ctx_thread_pin(struct ctx_store *st, const char *thread, int pinned,
	    struct ctx_err *err);

/*
 * In a write transaction, before a thread of that name is created for the
 * store's user: nobody's becomes the user's, and another's is refused
 * (CTX_ENO) without saying whose it is.  name may be a subagent's.  Returns 1
 * if the thread is now the user's, 0 if there is none, or no user, or -1.
 */
int	ctx_thread_claim(struct ctx_store *st, const char *name,
	    struct ctx_err *err);

/* What was removed, in numbers. */
struct ctx_removed {
	int64_t threads, contexts, messages, checkpoints, files, bytes;
};

/*
 * Remove a thread with everything that belongs to it except its workspace
 * (space.h).
 */
int	ctx_thread_remove(struct ctx_store *st, const char *thread,
	    struct ctx_removed *sum, struct ctx_err *err);

/*
 * Remove a context and all contexts below it.  CTX_ENO for main, and if that
 * would remove the thread's head.
 */
int	ctx_context_remove(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_removed *sum, struct ctx_err *err);

#endif
