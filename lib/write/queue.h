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

#define CTX_QUEUE_MAX	(8u * 1024 * 1024)	/* bytes that wait */

/* Takes a line as ctx_out_line does. */
typedef int ctx_queue_fn(void *arg, const char *raw, size_t len,
	    struct ctx_block *block, struct ctx_err *err);

struct ctx_queue {
	ctx_queue_fn *line;
	void *arg;
	struct ctx_waiting_rec *wait;	/* ring of ncap, from head */
	size_t ncap, nwait, first;
	uint64_t head;		/* seq of the record to be written next */
	size_t bytes;
};

/* What is written goes to line. */
void	ctx_queue_init(struct ctx_queue *q, ctx_queue_fn *line, void *arg);
void	ctx_queue_done(struct ctx_queue *q);

/*
 * Write what a turn became: e's pieces for c's records.  Every record of the
 * input must go through here once.  0, or -1 with *err.
 */
int	ctx_queue_turn(struct ctx_queue *q, const struct ctx_convo *c,
	    const struct ctx_edit *e, struct ctx_err *err) CTX_CHECKED;

/*
 * No record before seq, the number of the next one, is to come any more: what
 * waited for one is written, or, to forget it, dropped.
 */
int	ctx_queue_end(struct ctx_queue *q, uint64_t seq, struct ctx_err *err);
void	ctx_queue_forget(struct ctx_queue *q, uint64_t seq);

#endif
