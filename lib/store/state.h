/* SPDX-License-Identifier: MIT */
/*
 * State: JSON members at three levels.  Reading merges them in the order user,
 * thread, context; later levels override earlier ones.  A subagent starts with
 * an empty state: its context, and forks of it, read only their own level
 * unless all levels are asked for.  A value is kept byte for byte.
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
 * The level that is addressed.  If user is not NULL, it selects the user level
 * without a thread; otherwise the user is the thread's.
 */
struct ctx_state_at {
	struct ctx_where where;
	const char *user;
	enum ctx_state_level level;
};

enum ctx_state_read {
	CTX_STATE_ONE,		/* the addressed level */
	CTX_STATE_SEEN,		/* the levels that the context sees */
	CTX_STATE_ALL		/* all levels, also for a subagent */
};

/*
 * Append what is stored: the whole object or, with a key, the value of that
 * member.  CTX_ENO if there is no such member.
 */
int	ctx_state_get(struct ctx_store *st, const struct ctx_state_at *at,
	    enum ctx_state_read how, const char *key, struct ctx_buf *out,
	    struct ctx_err *err);

/*
 * Replace a level with an object's members or, with a key, that member's
 * value.  The thread is created if necessary.  A string "user_id" at the
 * thread level sets the thread's owner.
 */
int	ctx_state_set(struct ctx_store *st, const struct ctx_state_at *at,
	    const char *key, const char *json, size_t len,
	    struct ctx_err *err);

/*
 * Remove all members of a level, or the one called key.  CTX_ENO if there is
 * none.
 */
int	ctx_state_remove(struct ctx_store *st, const struct ctx_state_at *at,
	    const char *key, struct ctx_err *err);

/* A limit: a member must not exceed a number or another member. */
struct ctx_limit {
	const char *key;
	const char *max;	/* "10", or a key */
};

/* A JSON merge patch (RFC 7396), and the limits that must hold after it. */
struct ctx_state_change {
	const char *json;
	size_t len;
	int add;		/* add numbers to the existing numbers */
	const struct ctx_limit *limit;
	size_t nlimit;
};

/*
 * Change a level.  If the state that the context then sees exceeds a limit,
 * nothing is changed and the error is CTX_ENO.
 */
int	ctx_state_merge(struct ctx_store *st, const struct ctx_state_at *at,
	    const struct ctx_state_change *change, struct ctx_err *err);

/*
 * In a write transaction: give a context that was just made the state json, an
 * object.  If whole is set, it becomes that of the thread, whose present one
 * is dropped; otherwise, and for a subagent, it is that of the context.  The
 * user's state is left as it is, and members that are equal in it, or in what
 * else the context sees, are not stored again.
 */
int	ctx_state_restore(struct ctx_store *st, const struct ctx_where *w,
	    int whole, const char *json, size_t len, struct ctx_err *err);

/* Apply RFC 7396: append the patched target (NULL for none) to out. */
int	ctx_state_patch(struct ctx_buf *out, const char *target,
	    size_t targetlen, const char *patch, size_t patchlen,
	    struct ctx_err *err);

/*
 * The inverse: append a merge patch that leads from a to b, two JSON values;
 * "{}" if they are equal.
 */
int	ctx_state_diff(struct ctx_buf *out, const char *a, size_t alen,
	    const char *b, size_t blen, struct ctx_err *err);

#endif
