/* SPDX-License-Identifier: MIT */
/*
 * Records of interleaved conversations back in input order.  A record may be
 * decided long after those behind it; they wait for it, up to a limit of
 * memory.  Past it they overtake: the order between conversations then
 * changes, the order within each never does.
 */
#ifndef CTX_WRITE_QUEUE_H
#define CTX_WRITE_QUEUE_H

#include "edit/edit.h"
#include "write/out.h"

#define CTX_QUEUE_MAX	(8u * 1024 * 1024)	/* bytes that wait */

struct ctx_queue {
	struct ctx_out *out;
	struct ctx_waiting_rec *wait;	/* ring of ncap, from head */
	size_t ncap, nwait, first;
	uint64_t head;		/* seq of the record to be written next */
	size_t bytes;
};

/* out is borrowed. */
void	ctx_queue_init(struct ctx_queue *q, struct ctx_out *out);
void	ctx_queue_done(struct ctx_queue *q);

/*
 * Write what a turn became: e's pieces for c's records.  Every record of the
 * input must go through here once.  0, or -1 with *err.
 */
int	ctx_queue_turn(struct ctx_queue *q, const struct ctx_convo *c,
	    const struct ctx_edit *e, struct ctx_err *err) CTX_CHECKED;

#endif
