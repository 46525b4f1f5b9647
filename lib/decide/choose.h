/* SPDX-License-Identifier: MIT */
/*
 * Which parts of a history go into a budget when not only the newest parts
 * matter: first what must stay, then the newest, then what was scored best.
 * The parts are units that are kept or dropped as a whole (a group, or an
 * exchange).  Units stay in order.
 *
 * All zero except for opts is empty.
 */
#ifndef CTX_DECIDE_CHOOSE_H
#define CTX_DECIDE_CHOOSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/num.h"
#include "decide/window.h"

struct ctx_choose_opts {
	uint64_t tokens;	/* the budget */
	uint64_t system_free;	/* tokens of system units that are not
				   charged */
	struct ctx_ratio recent;	/* share, 0 to 1, of the budget left
					   after what must stay, for the newest
					   units */
	size_t around;		/* number of units to add on each side of a
				   scored unit */
	int start_user;		/* no unit comes before the first kept one with
				   CTX_WIN_USER */
};

struct ctx_choose_unit {
	uint64_t cost;
	double score;		/* 0: not relevant; higher is better */
	unsigned flags;		/* CTX_WIN_SYSTEM, _MUST, _USER; the result is
				   CTX_WIN_KEPT */
	unsigned of;		/* its history; only units of the first, 0,
				   are taken for being new */
	size_t link;		/* internal: 1 + its first link, or 0 */
};

struct ctx_choose_link {
	size_t to;
	size_t next;		/* 1 + the unit's next link, or 0 */
};

struct ctx_choose {
	struct ctx_choose_opts opts;
	struct ctx_choose_unit *unit;	/* in the order of the history */
	size_t n, cap;
	struct ctx_choose_link *link;
	size_t nlink, caplink;

	/* what is in so far, and the state of a try */
	uint64_t used, system;
	size_t *tried;		/* units of the current try */
	size_t ntried;
	size_t first;		/* the first unit in that is not a system
				   unit */
	size_t relevant;	/* units that are in for their score */
};

void	ctx_choose_done(struct ctx_choose *c);

/* Append a unit as c->n - 1.  Returns 0, or -1 if out of memory. */
int	ctx_choose_add(struct ctx_choose *c, const struct ctx_choose_unit *unit,
	    struct ctx_err *err) CTX_CHECKED;

/* Unit from requires unit to.  Returns 0, or -1 if out of memory. */
int	ctx_choose_link(struct ctx_choose *c, size_t from, size_t to,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Set CTX_WIN_KEPT on the units that go in; call this once.  The order is: what
 * must stay and the newest unit; the units before the newest, up to the first
 * that does not fit the share opts.recent; the scored units that fit, the best
 * first and of equal ones the newer; then again those before the newest.
 * Returns 0, or -1 with CTX_ENO if what must stay does not fit, or CTX_ENOMEM.
 */
int	ctx_choose_end(struct ctx_choose *c, struct ctx_err *err) CTX_CHECKED;

#endif
