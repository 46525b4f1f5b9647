/* SPDX-License-Identifier: MIT */
/*
 * The threads of a run and what they share; only for run_threads.c, run_pool.c
 * and run_end.c.
 */
#ifndef CTX_JOB_RUN_IMPL_H
#define CTX_JOB_RUN_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "job/run_fill.h"

/* Slots of a thread: it goes on while another thread takes long for the oldest. */
#define CTX_RUN_PLACES	8u
/* Pieces of the output of a job's ends that wait. */
#define CTX_RUN_PIECES	32u

/* How far a slot is. */
enum ctx_run_state {
	CTX_RUN_FREE,
	CTX_RUN_BUSY,			/* a thread reads or examines it */
	CTX_RUN_HASHED,			/* by key: the lines have no numbers yet, */
	CTX_RUN_SHARED,			/* and then the jobs process them */
	CTX_RUN_DONE
};

struct ctx_run_place {
	struct ctx_run_slot slot;
	enum ctx_run_state state;
	size_t bytes;			/* of its lines, unless it is free */
	unsigned reader;		/* number of the thread */
	unsigned left;			/* jobs that still have lines in it */
};

struct ctx_run_worker {
	struct ctx_run_threads *t;
	pthread_t thread;		/* unless it is the caller's: it waits
					   for tasks */
	int started, busy;		/* there is one; it has a task */
	struct ctx_job *job;
	int taken;			/* by key: a thread does the job, */
	uint64_t next;			/* whose next slot is this */
	/* at the end: output of its conversations' ends, a ring */
	struct ctx_gave piece[CTX_RUN_PIECES];
	unsigned first, npiece;
	int over;			/* there is no more */
	int due;			/* the first piece is passed on */
	/* for what it reads: nobody else's cache has them */
	struct ctx_run_place place[CTX_RUN_PLACES];
	struct ctx_turns keys;		/* to find keys */
	struct ctx_doc doc;
};

struct ctx_run_threads {
	struct ctx_run *run;
	struct ctx_run_fill fill;
	unsigned n;			/* 0: only the caller's */
	struct ctx_run_worker *worker;	/* the first is the caller */
	struct ctx_job **job;		/* the workers' */
	struct ctx_run_place **ring;	/* those that have been read */
	unsigned nring;

	pthread_mutex_t lock;		/* for all that follows */
	pthread_cond_t wake;
	void (*task)(struct ctx_run_worker *w);
	unsigned busy;			/* threads that have a task */
	unsigned asleep;
	atomic_uint changes;
	int quit;
	int joined;			/* all threads have this file */
	/* numbers of the slots to be told, numbered and read next */
	uint64_t head, numbered, tail;
	int reading, telling;		/* a thread does */
	int eof;
	int alone;			/* the rest is for the caller's job, */
	int deep;			/* which does more ahead than scan */
	int cut;			/* by key: a numbered line ends the
					   file */
	int shared;			/* by key: the jobs hold
					   conversations */
	uint64_t seq;			/* by key: of the next record */
	struct ctx_owners owners;
	int go;				/* as returned by ctx_run_line */
	struct ctx_err err;
};

/* With the lock: something has changed that a thread may wait for. */
void	ctx_run_wake(struct ctx_run_threads *t);
/* With the lock, which is released meanwhile: wait for a change. */
void	ctx_run_nap(struct ctx_run_threads *t);
/* Give all threads but the caller's the task. */
void	ctx_run_start(struct ctx_run_threads *t,
	    void (*task)(struct ctx_run_worker *w));
/* Wait until they have done it. */
void	ctx_run_finish(struct ctx_run_threads *t);
/* With the lock: the run ends, unless go, which is not 1, is already known. */
void	ctx_run_fail(struct ctx_run_threads *t, int go,
	    const struct ctx_err *err);

#endif
