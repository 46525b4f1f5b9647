/* SPDX-License-Identifier: MIT */
/*
 * Which parts of a history go into a budget when not only the newest count:
 * what must stay, the newest, then what was scored best, in units that stand
 * or fall together (a group, or an exchange).  Units keep their order.
 *
 * All zero but opts is empty.
 */
#ifndef CTX_DECIDE_CHOOSE_H
#define CTX_DECIDE_CHOOSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "decide/window.h"

struct ctx_choose_opts {
	uint64_t tokens;	/* the budget */
	uint64_t system_free;	/* tokens of system units not charged */
	double recent;		/* share for the newest of what is left when
				   what must stay is in, 0 to 1 */
	size_t around;		/* with a scored unit so many on each side */
	int start_user;		/* nothing stands before the first unit with
				   CTX_WIN_USER that is kept */
};

struct ctx_choose_unit {
	uint64_t cost;
	double score;		/* 0: of no interest, the higher the better */
	unsigned flags;		/* CTX_WIN_SYSTEM, _MUST, _USER; the answer is
				   CTX_WIN_KEPT */
	size_t link;		/* its own: 1 + the first of its links */
};

struct ctx_choose_link {
	size_t to;
	size_t next;		/* 1 + the unit's next one; 0: none */
};

struct ctx_choose {
	struct ctx_choose_opts opts;
	struct ctx_choose_unit *unit;	/* in the order of the history */
	size_t n, cap;
	struct ctx_choose_link *link;
	size_t nlink, caplink;

	/* what is in so far, and how it is tried */
	uint64_t used, system;
	size_t *tried;		/* units of the try that goes on */
	size_t ntried;
	size_t first;		/* the first that is no system unit */
	size_t relevant;	/* units in for their score */
};

void	ctx_choose_done(struct ctx_choose *c);

/* Append a unit; its index is c->n - 1 after.  -1 out of memory. */
int	ctx_choose_add(struct ctx_choose *c, const struct ctx_choose_unit *unit,
	    struct ctx_err *err) CTX_CHECKED;

/* Where unit from is, unit to must be too.  -1 out of memory. */
int	ctx_choose_link(struct ctx_choose *c, size_t from, size_t to,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Once: set CTX_WIN_KEPT on the units that go in: those that must stay and the
 * newest; the ones before it, up to the first that does not fit the share
 * opts.recent; the scored ones, the best first, of equal ones the newer, as
 * far as they fit; then again the ones before the newest.
 * Returns 0, or -1 with CTX_ENO if what must stay does not fit, CTX_ENOMEM.
 */
int	ctx_choose_end(struct ctx_choose *c, struct ctx_err *err) CTX_CHECKED;

#endif
