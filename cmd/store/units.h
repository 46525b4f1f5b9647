/* SPDX-License-Identifier: MIT */
/*
 * A thread's messages as the units of decide/choose: what stands or falls
 * together, what it costs, what it refers to.  Apart from the rest of
 * ctx-store, whose threads are others than those of view/turn.h.
 */
#ifndef CTX_CMD_STORE_UNITS_H
#define CTX_CMD_STORE_UNITS_H

#include "cli_cost.h"
#include "decide/choose.h"

#define NO_UNIT	SIZE_MAX

/* A message of the log. */
struct units_row {
	int64_t seq;
	size_t unit;		/* NO_UNIT: of none */
};

/* All zero but cost and pin is empty. */
struct units {
	struct ctx_cost *cost;
	const char *pin;		/* member that keeps a message, NULL */
	struct ctx_choose choose;	/* filled by units_end */
	struct units_row *row;		/* in the order of the log */
	size_t nrow, caprow;
	struct units_walk *walk;	/* its own */
};

void	units_done(struct units *u);

/* The next message of the log.  0 or -1 with *err. */
int	units_take(struct units *u, int64_t seq, const char *raw, size_t len,
	    struct ctx_err *err);

/* That was the last one.  0 or -1 with *err. */
int	units_end(struct units *u, struct ctx_err *err);

/* The row of message seq, NULL if there is none or it is of no unit. */
const struct units_row *units_find(const struct units *u, int64_t seq);

#endif
