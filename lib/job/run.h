/* SPDX-License-Identifier: MIT */
/*
 * Feeds a job from a descriptor, in one thread or in several, with the same
 * bytes and rows in the same order.
 *
 * Conversation lines know nothing of each other: batches of them are shared
 * out by their bytes, and what comes of them is given in input order.  The
 * first message line makes the rest the work of one thread, unless the turns'
 * "by" tells conversations apart: then each thread has those whose key it is
 * given by a hash, and what comes of a line is given in its line's place.
 *
 * Memory in threads: two batches of 256 KiB a thread, 4 MiB at most, and what
 * is made of them.
 * A stream that trickles is not waited for: what is there is dealt with before
 * the next read that may wait.
 */
#ifndef CTX_JOB_RUN_H
#define CTX_JOB_RUN_H

#include "job/job.h"

#define CTX_RUN_THREADS_MAX	64

/* What becomes of a line that is not JSON. */
enum ctx_on_error {
	CTX_BAD_STOP,		/* it is the end of the file */
	CTX_BAD_SKIP,
	CTX_BAD_KEEP,		/* it passes as it is */
	CTX_BAD_TELL		/* it is skipped, and that is no change */
};

struct ctx_run_threads;

struct ctx_run {
	/* set by the caller; job has a sink */
	struct ctx_job *job;
	unsigned threads;		/* 0 and 1: the caller's alone */
	enum ctx_on_error on_error;
	/* NULL or called before the input may have to be waited for. */
	int (*waiting)(void *arg, struct ctx_err *err);
	/*
	 * NULL or called for the first line that is not blank: 1: it has taken
	 * all of the input, 0: it has not, -1: *err.
	 */
	int (*first)(void *arg, struct ctx_reader *r,
	    const struct ctx_line *line, struct ctx_err *err);
	/* Names a line that is not JSON, or too long to be read. */
	void (*bad)(void *arg, const struct ctx_err *bad);
	void *arg;

	/* its own */
	int begins;			/* nothing but blank lines so far */
	struct ctx_run_threads *t;
};

/* All of fd is one file.  0, or -1 with *err; the job has given up then. */
int	ctx_run_fd(struct ctx_run *r, int fd, struct ctx_err *err) CTX_CHECKED;

/*
 * One line to the job; what is not JSON is named and dealt with as on_error
 * says.  1: go on, 0: that is the end of the file, -1: *err.
 */
int	ctx_run_line(struct ctx_run *r, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/* Its threads' jobs; the job is the caller's. */
void	ctx_run_done(struct ctx_run *r);

#endif
