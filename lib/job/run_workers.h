/* SPDX-License-Identifier: MIT */
/*
 * Batches of lines, and the threads that process them.  Only for run_threads.c,
 * which makes batches of the input and writes the results.
 *
 * There are two batches: while the workers process one, the other is filled.  A
 * worker's output is kept in the log that it has for each batch.
 */
#ifndef CTX_JOB_RUN_WORKERS_H
#define CTX_JOB_RUN_WORKERS_H

#include <pthread.h>

#include "job/gave.h"
#include "job/run.h"

/* A place after all lines: that of the end of a conversation. */
#define CTX_RUN_AT_END	((uint64_t)1 << 63)

/* How a batch is processed. */
enum ctx_run_way {
	CTX_RUN_CONVERSATIONS,	/* divided by bytes */
	CTX_RUN_BY_KEY,		/* divided by the conversation's key */
	CTX_RUN_AHEAD		/* examined for the thread that will process
				   it */
};

struct ctx_run_item {
	struct ctx_line line;		/* its block is held */
	uint64_t hash;			/* with by: hash of the conversation */
	uint64_t seq;			/* of its record; NO_SEQ if it has
					   none */
	int bad;			/* not JSON */
	/* its nodes, if they are kept: by whom, from where, how many */
	const struct ctx_run_worker *who;
	size_t node;
	uint32_t nnode;
};

struct ctx_run_batch {
	enum ctx_run_way way;
	struct ctx_run_item *item;
	size_t n, cap, bytes;
	struct ctx_gave bad;		/* with by: lines to be reported */
	int cut;			/* with by: item[n] ends the file */
};

struct ctx_run_worker {
	struct ctx_run_threads *t;
	void (*task)(struct ctx_run_worker *w);
	pthread_t thread;		/* it waits for tasks */
	int started;			/* there is such a thread, */
	int handed, busy;		/* it was given one, and has not done
					   it yet (with the lock) */
	struct ctx_job *job;
	struct ctx_gave log[2];		/* one for each batch */
	struct ctx_run_batch *b;	/* the current batch */
	size_t from, to;		/* its range of items, unless by
					   decides */
	size_t done;			/* items up to this one are processed */
	int mixed;			/* item done is a line for one thread */
	struct ctx_doc doc;
	struct ctx_node *node[2];	/* nodes of its items, by batch */
	size_t nnode, capnode[2];
	struct ctx_err err;		/* error of a task without a log */
};

struct ctx_run_threads {
	struct ctx_run *run;
	struct ctx_reader *reader;
	struct ctx_run_worker *worker;
	struct ctx_job **job;		/* the workers' jobs */
	unsigned n;			/* 0: only the caller's thread */
	struct ctx_run_worker self;	/* the caller, with the main job: it
					   takes part in examining ahead */
	pthread_mutex_t lock;
	pthread_cond_t wake, done;
	unsigned busy;			/* threads that have a task */
	int quit;
	size_t next;			/* first item that nobody examines */
	struct ctx_run_batch batch[2];
	unsigned filling;		/* which of the two is being filled */
	int running;			/* the workers are processing the other
					   one */
	int alone;			/* the rest is processed line by line */
	int shared;			/* by: the workers hold conversations */
	int go;				/* as returned by ctx_run_line */
};

/*
 * Create workers for n jobs, or the caller alone, as r->t.  Returns 0, or -1
 * with *err.
 */
int	ctx_run_workers_new(struct ctx_run *r, unsigned n, struct ctx_err *err)
	    CTX_CHECKED;

int	ctx_run_batch_add(struct ctx_run_batch *b, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_run_batch_drop(struct ctx_run_batch *b);
/* Give turns the nodes of the item, if they are kept. */
void	ctx_run_item_known(const struct ctx_run_batch *b,
	    const struct ctx_run_item *it, struct ctx_turns *turns);
/* Is the batch that is being filled full? */
int	ctx_run_batch_full(const struct ctx_run_threads *t);
/* Is it too small to be worth threads? */
int	ctx_run_batch_few(const struct ctx_run_batch *b);

/* Start the workers on the filled batch.  Returns 0, or -1 with *err. */
int	ctx_run_workers_begin(struct ctx_run_threads *t, struct ctx_err *err)
	    CTX_CHECKED;
/* Wait until they have finished. */
void	ctx_run_workers_finish(struct ctx_run_threads *t);
/* The error of a task that has no log.  Returns 0, or -1 with *err. */
int	ctx_run_workers_failed(struct ctx_run_threads *t, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * The file has ended: let the workers end their conversations, as many as fit
 * the logs.  Output before the returned place is complete in log 0.
 */
uint64_t ctx_run_workers_end(struct ctx_run_threads *t);

#endif
