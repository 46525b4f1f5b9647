/* SPDX-License-Identifier: MIT */
/*
 * A store that follows another one: what changed is written as lines, from a
 * position on, and read into the other store, which keeps the position.
 *
 *	{"row":"ctx-store","version":2,"store":PLACE,...}	from where on
 *	{"row":"thread","id":7,...}	what changed of the thread
 *	{"row":"at",...}		the position after that
 *	...
 *	{"row":"end","lines":N,"sha256":H,"store":PLACE,...}	the position
 *
 * The lines up to an "at" are a unit, which is stored in one transaction with
 * the position, or not at all.  In a unit,
 *
 *	{"row":"gone","id":7}		removes a thread;
 *	{"row":"thread",...,"whole":1}	what of its rows is not in the unit goes,
 *					except messages;
 *	{"row":"all","kind":"state"}	the same for rows of one kind;
 *
 * other rows are as in an export (port.h) and replace what has their key,
 * except messages, which are never other ones.  Threads have the same row
 * numbers in both stores, so a store follows only one other, and belongs to it.
 *
 * Names: ctx_follow_, ctx_position_.
 */
#ifndef CTX_STORE_PORT_FOLLOW_H
#define CTX_STORE_PORT_FOLLOW_H

#include "base/buf.h"
#include "store/port/port.h"

#define CTX_FOLLOW_VERSION	2	/* of the first line */
#define CTX_POSITION_STORE	33
#define CTX_POSITION_SUM	(2 * 16 + 1)

/* Everything of a store up to a change (change.h) is known. */
struct ctx_position {
	char store[CTX_POSITION_STORE];	/* its 'place'; "": nothing yet */
	int64_t change;
	int64_t thread;		/* the one that was sent last, 0 for users */
	char sum[CTX_POSITION_SUM];	/* of its rows; "": unknown */
	int64_t message;	/* rows up to this one are known, also of
				   threads with a later change */
};

/*
 * The position of a store that follows another one; of another store that is
 * not empty, its own, so that a copy of it can follow it.
 */
int	ctx_position_get(struct ctx_store *st, struct ctx_position *pos,
	    struct ctx_err *err);

/* A position as a line, and read from one.  CTX_EINPUT if it is none. */
void	ctx_position_row(struct ctx_buf *row, const struct ctx_position *pos);
int	ctx_position_scan(struct ctx_position *pos, const char *line,
	    size_t len, struct ctx_err *err);

/*
 * Write what changed since a position.  _new writes the first line; CTX_EINPUT
 * if the position is none of this store.  _next looks at one change and writes
 * a unit if it was not written yet; it returns 1, 0 if there is no other
 * change, or -1.  _changed: has anybody written to the store since _next has
 * returned 0?  Returns 1, 0, or -1.
 */
struct ctx_follow;

int	ctx_follow_new(struct ctx_follow **out, struct ctx_store *st,
	    const struct ctx_position *since, ctx_port_fn *fn, void *arg,
	    struct ctx_err *err);
int	ctx_follow_next(struct ctx_follow *f, struct ctx_err *err);
int	ctx_follow_changed(struct ctx_follow *f, struct ctx_err *err);
int	ctx_follow_end(struct ctx_follow *f, struct ctx_err *err);
void	ctx_follow_free(struct ctx_follow *f);

/*
 * Read such lines.  A unit that is not complete is not stored.  _end returns
 * how many units were stored; CTX_EINPUT if the last line is missing.
 */
struct ctx_follow_take;

int	ctx_follow_take_new(struct ctx_follow_take **out,
	    struct ctx_store *st, struct ctx_err *err);
int	ctx_follow_take_line(struct ctx_follow_take *t, const char *line,
	    size_t len, struct ctx_err *err);
int	ctx_follow_take_end(struct ctx_follow_take *t, int64_t *units,
	    struct ctx_err *err);
void	ctx_follow_take_free(struct ctx_follow_take *t);

#endif
