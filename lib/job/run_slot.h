/* SPDX-License-Identifier: MIT */
/*
 * A slot: lines of the input that one thread has read, and their output until
 * its turn comes.  Only for run_threads.c, which knows which thread does what
 * when; nothing here is done by two threads at a time.
 */
#ifndef CTX_JOB_RUN_SLOT_H
#define CTX_JOB_RUN_SLOT_H

#include "job/gave.h"
#include "job/owners.h"
#include "job/run.h"

/* A place after all lines: that of the end of a conversation. */
#define CTX_RUN_AT_END	((uint64_t)1 << 63)

/* How lines are processed. */
enum ctx_run_way {
	CTX_RUN_MAIN,		/* by the caller's job, when they are told */
	CTX_RUN_CONVERSATIONS,	/* by the job of the thread that read them */
	CTX_RUN_BY_KEY,		/* each by the job that has its conversation */
	CTX_RUN_AHEAD		/* examined by that thread for the caller's
				   job */
};

struct ctx_run_item {
	struct ctx_line line;
	uint64_t seq;			/* by key: records before it in the
					   slot; NO_SEQ if it is none */
	unsigned char bad;		/* not JSON */
	unsigned char escapes;		/* as in struct ctx_doc */
	uint32_t nnode;			/* its nodes, if they are kept */
	size_t node;
};

struct ctx_run_slot {
	enum ctx_run_way way;
	struct ctx_block *block;	/* all lines are in it; held */
	struct ctx_run_item *item;
	size_t n, cap, bytes;
	uint64_t first;			/* lines before them in the file */
	struct ctx_err late;		/* why no more could be read */

	struct ctx_gave *log;		/* one, or by key one for each job */
	unsigned nlog;
	/* by key: */
	struct ctx_owned *part;		/* lines by their conversations */
	size_t npart, cappart;
	uint64_t jobs;			/* bits of the jobs that have lines */
	uint64_t nrec, base;		/* its records, and those before it */
	struct ctx_gave bad;		/* lines to be reported */
	int cut;			/* item[n] ends the file */

	struct ctx_job *sum;		/* conversations: their totals */
	size_t done;			/* the first that is not processed */
	int mixed;			/* it is a line for one thread */
	struct ctx_node *node;		/* nodes of items */
	size_t nnode, capnode;
	int deep;			/* ahead: what the kind can do, too */
	struct ctx_job *ahead;		/* which job has done that */
	unsigned which;
	struct ctx_err err;		/* of a step that has no log */
};

int	ctx_run_slot_add(struct ctx_run_slot *s, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;
/* Forget the lines; keep the block if nobody else holds it. */
void	ctx_run_slot_drop(struct ctx_run_slot *s);
void	ctx_run_slot_done(struct ctx_run_slot *s);
/* Are they too few to be worth a thread? */
int	ctx_run_slot_few(const struct ctx_run_slot *s);
/* Have n empty logs. */
int	ctx_run_slot_logs(struct ctx_run_slot *s, unsigned n,
	    struct ctx_err *err) CTX_CHECKED;

/* Process conversation lines; others are left to the caller's job. */
void	ctx_run_slot_alone(struct ctx_run_slot *s, struct ctx_job *job,
	    enum ctx_on_error how);
/* Examine lines that the caller's job will process. */
void	ctx_run_slot_ahead(struct ctx_run_slot *s, struct ctx_job *job,
	    struct ctx_doc *doc);
/*
 * Find out to which conversation each line belongs.  A line that is not JSON is
 * a record only if it is kept.
 */
void	ctx_run_slot_hash(struct ctx_run_slot *s, struct ctx_turns *turns,
	    enum ctx_on_error how);
/*
 * Number the records, from *seq, and report lines that are not JSON in their
 * places.  Returns 0, or -1 with *err.
 */
int	ctx_run_slot_number(struct ctx_run_slot *s, uint64_t *seq,
	    struct ctx_err *err) CTX_CHECKED;
/* Process the lines of the conversations of job number no. */
void	ctx_run_slot_mine(struct ctx_run_slot *s, struct ctx_job *job,
	    unsigned no);

/*
 * It is the slot's turn: pass on its output through the caller's job, which
 * processes the lines from the first on that is for one thread; *alone is set
 * if there was one.  Returns the same as ctx_run_line.
 */
int	ctx_run_slot_tell(struct ctx_run_slot *s, struct ctx_run *r,
	    int *alone, struct ctx_err *err) CTX_CHECKED;
/* Process one line in the caller's job; the same. */
int	ctx_run_slot_tell_line(struct ctx_run *r, const struct ctx_line *line,
	    int *alone, struct ctx_err *err) CTX_CHECKED;
/* Forget what was found out about lines that are never told. */
void	ctx_run_slot_forget(struct ctx_run_slot *s, struct ctx_run *r);

#endif
