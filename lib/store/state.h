/* SPDX-License-Identifier: MIT */
/*
 * State: JSON members at three levels.  Reading merges them, a lower level
 * hiding what the ones above it say: user, then thread, then context.  A
 * subagent begins with nothing: its context, and forks of it, read their own
 * level alone unless all are asked for.  A value is kept as the bytes that came.
 */
#ifndef CTX_STORE_STATE_H
#define CTX_STORE_STATE_H

#include "base/buf.h"
#include "store/thread.h"

enum ctx_state_level {
	CTX_STATE_USER,
	CTX_STATE_THREAD,
	CTX_STATE_CONTEXT
};

/*
 * What is addressed.  user, unless NULL, stands for the user level without a
 * thread; else the user is the thread's.
 */
struct ctx_state_at {
	struct ctx_where where;
	const char *user;
	enum ctx_state_level level;
};

enum ctx_state_read {
	CTX_STATE_ONE,		/* the level that is addressed */
	CTX_STATE_SEEN,		/* what counts for the context */
	CTX_STATE_ALL		/* all levels, for a subagent too */
};

/*
 * Append what is stored: the object, or with a key the value of that member.
 * CTX_ENO if there is no such member.
 */
int	ctx_state_get(struct ctx_store *st, const struct ctx_state_at *at,
	    enum ctx_state_read how, const char *key, struct ctx_buf *out,
	    struct ctx_err *err);

/*
 * Replace a level by an object's members, or with a key the value of that one.
 * A thread that is not there is made.  A text "user_id" at the thread's level
 * says whose the thread is.
 */
int	ctx_state_set(struct ctx_store *st, const struct ctx_state_at *at,
	    const char *key, const char *json, size_t len,
	    struct ctx_err *err);

/* Remove a level's members, or the one of that key.  CTX_ENO: there is none. */
int	ctx_state_remove(struct ctx_store *st, const struct ctx_state_at *at,
	    const char *key, struct ctx_err *err);

/* A member must not exceed a number or another member. */
struct ctx_limit {
	const char *key;
	const char *max;	/* "10", or a key */
};

/* A JSON merge patch (RFC 7396), and what must hold after it. */
struct ctx_state_change {
	const char *json;
	size_t len;
	int add;		/* numbers to the numbers that are there */
	const struct ctx_limit *limit;
	size_t nlimit;
};

/*
 * Change a level.  If then a limit is exceeded by what counts for the context:
 * CTX_ENO, and nothing is changed.
 */
int	ctx_state_merge(struct ctx_store *st, const struct ctx_state_at *at,
	    const struct ctx_state_change *change, struct ctx_err *err);

/* RFC 7396 itself: append to out the target (NULL: none) patched. */
int	ctx_state_patch(struct ctx_buf *out, const char *target,
	    size_t targetlen, const char *patch, size_t patchlen,
	    struct ctx_err *err);

/*
 * The other way round: append a merge patch that leads from a to b, two JSON
 * values; "{}" if they are the same.
 */
int	ctx_state_diff(struct ctx_buf *out, const char *a, size_t alen,
	    const char *b, size_t blen, struct ctx_err *err);

#endif
