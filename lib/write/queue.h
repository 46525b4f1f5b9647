/* SPDX-License-Identifier: MIT */
/*
 * Puts the records of interleaved conversations back into input order.  A
 * record may be decided long after later ones, which then wait for it, up to a
 * limit of memory.  Beyond that they overtake it: the order between
 * conversations changes, but never the order within one.
 */
#ifndef CTX_WRITE_QUEUE_H
#define CTX_WRITE_QUEUE_H

#include "edit/edit.h"

#define CTX_QUEUE_MAX	(8u * 1024 * 1024)	/* bytes that may wait */

/* Takes a line as ctx_out_line does. */
typedef int ctx_queue_fn(void *arg, const char *raw, size_t len,
	    struct ctx_block *block, struct ctx_err *err);

struct ctx_queue {
	ctx_queue_fn *line;
	void *arg;
	struct ctx_waiting_rec *wait;	/* ring of ncap, from head */
	size_t ncap, nwait, first;
	uint64_t head;		/* seq of the next record to write */
	size_t bytes;
};

/* Output goes to line. */
void	ctx_queue_init(struct ctx_queue *q, ctx_queue_fn *line, void *arg);
void	ctx_queue_done(struct ctx_queue *q);

/*
 * Write the result of a turn: e's pieces for c's records.  Every record of the
 * input must pass through here once.  Returns 0, or -1 with *err.
 */
int	ctx_queue_turn(struct ctx_queue *q, const struct ctx_convo *c,
	    const struct ctx_edit *e, struct ctx_err *err) CTX_CHECKED;

/*
 * No more records before number seq, the next one, will come: write what waited
 * for one or, to forget it, drop it.
 */
int	ctx_queue_end(struct ctx_queue *q, uint64_t seq, struct ctx_err *err);
void	ctx_queue_forget(struct ctx_queue *q, uint64_t seq);

#endif
