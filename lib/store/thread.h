/* SPDX-License-Identifier: MIT */
/*
 * Threads and their contexts: found, listed, made, forked, removed.
 *
 * Names: ctx_context_.
 */
#ifndef CTX_STORE_THREAD_H
#define CTX_STORE_THREAD_H

#include "base/buf.h"
#include "store/store.h"

enum ctx_context_kind {
	CTX_CONTEXT_ROOT,	/* a log of its own */
	CTX_CONTEXT_FORK,	/* goes on from parent_seq of its parent */
	CTX_CONTEXT_AGENT	/* a subagent: its own log, a parent to tell */
};

#define CTX_CONTEXT_ID_SIZE	24	/* "subagent-xxxxxxxx", with the NUL */

/*
 * A context as commands name it.  thread may be "@last", the one that was
 * written last, or end in "/subagent-xxxxxxxx".  context NULL: that subagent,
 * or the thread's head, which is "main" until a rollback moves it.
 */
struct ctx_where {
	const char *thread;
	const char *context;
};

/* A context that was found. */
struct ctx_ref {
	int64_t thread, context;
	enum ctx_context_kind kind;
	int64_t parent, parent_seq;	/* -1: none */
	int64_t next_seq;		/* of the next message */
	int64_t turn;			/* of the newest one */
};

/*
 * May a thread that comes from elsewhere have this name?  One that would mean
 * another thread, or a subagent of one, is CTX_EINPUT.
 */
int	ctx_thread_name_check(const char *name, size_t len,
	    struct ctx_err *err);

/* Is it "THREAD/subagent-xxxxxxxx"?  *len is the length of the thread's name. */
int	ctx_thread_is_agent(const char *name, size_t *len);

/*
 * Find a context.  0, or -1 with CTX_ENO ("no such thread ...").
 */
int	ctx_thread_find(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_ref *ref, struct ctx_err *err);

/* A context by its number, for walking up to parents. */
int	ctx_context_by_id(struct ctx_store *st, int64_t thread,
	    int64_t context, struct ctx_ref *ref, struct ctx_err *err);

/* Its name, the caller's. */
int	ctx_context_name(struct ctx_store *st, const struct ctx_ref *ref,
	    char **name, struct ctx_err *err);

/* When it was written last. */
int	ctx_thread_updated(struct ctx_store *st, const struct ctx_where *w,
	    int64_t *when, struct ctx_err *err);

/* A row of a list; texts are good until the function that got it returns. */
struct ctx_thread_row {
	const char *name, *user, *head;	/* user NULL: none */
	int64_t id;
	int64_t created, updated;
	int pinned;
	int64_t messages, contexts, checkpoints;
	const char *place;		/* name of its workspace, NULL: none */
	const char *attrs;
};
typedef int ctx_thread_fn(const struct ctx_thread_row *t, void *arg,
	    struct ctx_err *err);

/*
 * All threads, the newest first, or the one called name (NULL: all), or with
 * user only that user's.  Counting costs a step a context, not a message.
 */
int	ctx_thread_list(struct ctx_store *st, const char *name,
	    const char *user, ctx_thread_fn *fn, void *arg,
	    struct ctx_err *err);

struct ctx_context {
	const char *name, *parent;	/* parent NULL: none */
	const char *attrs;
	int64_t id, parent_seq;
	enum ctx_context_kind kind;
	int64_t first_seq, next_seq, turn, created;
	int depth;			/* below main */
	int is_head;
};
typedef int ctx_context_fn(const struct ctx_context *c, void *arg,
	    struct ctx_err *err);

/* The contexts of a thread as a tree: each before its children. */
int	ctx_context_list(struct ctx_store *st, const char *thread,
	    ctx_context_fn *fn, void *arg, struct ctx_err *err);

/*
 * Make sure that a thread and its context are there.  parent (NULL: main, or
 * none for main itself) and parent_seq (-1: its end) count when the context is
 * made.  ref as by ctx_thread_find.
 */
struct ctx_make {
	const char *parent;
	int64_t parent_seq;
	enum ctx_context_kind kind;
	const char *attrs;		/* JSON, NULL: none */
};
int	ctx_context_make(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_make *how, struct ctx_ref *ref,
	    struct ctx_err *err);

/*
 * The thread was written at now.  That is kept to a tenth of a second, unless
 * another thread was written since: a commit a message writes less so, and the
 * order of threads is as exact as their times.
 */
int	ctx_thread_touch(struct ctx_store *st, int64_t thread, int64_t now,
	    struct ctx_err *err);

/* The same, now.  In every transaction that writes something of a thread's. */
int	ctx_thread_used(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/* A new name "subagent-" + 8 hexadecimal digits. */
int	ctx_context_new_id(char out[CTX_CONTEXT_ID_SIZE], struct ctx_err *err);

/* Move the thread's head to a context. */
int	ctx_thread_set_head(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_err *err);

int	ctx_thread_pin(struct ctx_store *st, const char *thread, int pinned,
	    struct ctx_err *err);

/*
 * In a write transaction: a thread of nobody's becomes user's.  CTX_ENO if it
 * is another user's.
 */
int	ctx_thread_claim(struct ctx_store *st, int64_t thread,
	    const char *user, struct ctx_err *err);

/* What a removal took away. */
struct ctx_removed {
	int64_t threads, contexts, messages, checkpoints, files, bytes;
};

/*
 * Remove a whole thread with everything that belongs to it, but not its
 * workspace (space.h).
 */
int	ctx_thread_remove(struct ctx_store *st, const char *thread,
	    struct ctx_removed *sum, struct ctx_err *err);

/*
 * Remove a context and all below it.  CTX_ENO for main, and if the thread's
 * head would go.
 */
int	ctx_context_remove(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_removed *sum, struct ctx_err *err);

#endif
