/* SPDX-License-Identifier: MIT */
/*
 * Batches of lines, and the threads that deal with them; for run_threads.c
 * only, which makes batches of the input and tells what became of them.
 *
 * There are two batches: while the workers have one, the other is filled.  What
 * a worker gives is kept in the log that it has for each.
 */
#ifndef CTX_JOB_RUN_WORKERS_H
#define CTX_JOB_RUN_WORKERS_H

#include <pthread.h>

#include "job/gave.h"
#include "job/run.h"

/* A place after all lines: of the end of a conversation. */
#define CTX_RUN_AT_END	((uint64_t)1 << 63)

/* What is done with a batch. */
enum ctx_run_way {
	CTX_RUN_CONVERSATIONS,	/* shared out by bytes */
	CTX_RUN_BY_KEY,		/* by the conversation's key */
	CTX_RUN_AHEAD		/* looked at, for the one that takes it */
};

struct ctx_run_item {
	struct ctx_line line;		/* its block is held */
	uint64_t hash;			/* with by: of its conversation */
	uint64_t seq;			/* of its record; NO_SEQ: it is none */
	int bad;			/* not JSON */
	/* its nodes, if they are kept: of whom, from where on, how many */
	const struct ctx_run_worker *who;
	size_t node;
	uint32_t nnode;
};

struct ctx_run_batch {
	enum ctx_run_way way;
	struct ctx_run_item *item;
	size_t n, cap, bytes;
	struct ctx_gave bad;		/* with by: lines to be named */
	int cut;			/* with by: item[n] ends the file */
};

struct ctx_run_worker {
	struct ctx_run_threads *t;
	void (*task)(struct ctx_run_worker *w);
	pthread_t thread;
	int started;
	struct ctx_job *job;
	struct ctx_gave log[2];		/* of each batch */
	struct ctx_run_batch *b;	/* the one in hand */
	size_t from, to;		/* its items, unless by tells */
	size_t done;			/* up to there */
	int mixed;			/* at done is a line for one thread */
	struct ctx_node *node;		/* of its items */
	size_t nnode, capnode;
	struct ctx_err err;		/* of a task without a log */
};

struct ctx_run_threads {
	struct ctx_run *run;
	struct ctx_reader *reader;
	struct ctx_run_worker *worker;
	struct ctx_job **job;		/* theirs */
	unsigned n;
	struct ctx_run_batch batch[2];
	unsigned filling;		/* of these two */
	int running;			/* the other one is with the workers */
	int alone;			/* the rest goes line by line */
	int shared;			/* by: the workers hold conversations */
	int go;				/* as ctx_run_line */
};

/* Workers for r->threads jobs, as r->t.  0, or -1 with *err. */
int	ctx_run_workers_new(struct ctx_run *r, struct ctx_err *err)
	    CTX_CHECKED;

int	ctx_run_batch_add(struct ctx_run_batch *b, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_run_batch_drop(struct ctx_run_batch *b);
/* Is the batch that is being filled large enough? */
int	ctx_run_batch_full(const struct ctx_run_threads *t);
/* Or too small to be worth threads? */
int	ctx_run_batch_few(const struct ctx_run_batch *b);

/* Let the workers begin with the batch that was filled.  0, or -1 with *err. */
int	ctx_run_workers_begin(struct ctx_run_threads *t, struct ctx_err *err)
	    CTX_CHECKED;
/* Wait until they are done. */
void	ctx_run_workers_finish(struct ctx_run_threads *t);
/* What went wrong in a task that has no log: 0, or -1 with *err. */
int	ctx_run_workers_failed(struct ctx_run_threads *t, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * The file has ended: so do the conversations that the workers hold, as many as
 * fit the logs.  What comes before the place returned is complete in log 0.
 */
uint64_t ctx_run_workers_end(struct ctx_run_threads *t);

#endif
