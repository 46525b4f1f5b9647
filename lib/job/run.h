/* SPDX-License-Identifier: MIT */
/*
 * Feeds a job from a descriptor, in one thread or several, with the same bytes
 * and rows in the same order.
 *
 * Each thread reads some lines, processes them and writes their output when it
 * is their turn; one at a time reads, and one at a time writes.  This is for
 * conversation lines, which are independent of each other.  From the first
 * message line on, the caller's job processes the rest, in one thread at a
 * time, unless the turns' "by" tells conversations apart and the kind allows
 * that.  Then each conversation belongs to the job of a thread (owners.h), and
 * the output for a line is written in its line's place.
 *
 * Lines for one job are scanned by the thread that has read them.  What the kind
 * can do ahead (job.h) that thread does, too, or the only one.
 *
 * Memory in threads: up to eight blocks of 256 KiB for each thread, or two that a
 * line makes longer, and their output.
 *
 * A slow stream does not delay output: everything read is processed before the
 * next read that may block.
 */
#ifndef CTX_JOB_RUN_H
#define CTX_JOB_RUN_H

#include "job/job.h"

#define CTX_RUN_THREADS_MAX	64

/* What to do with a line that is not JSON. */
enum ctx_on_error {
	CTX_BAD_STOP,		/* end the file */
	CTX_BAD_SKIP,
	CTX_BAD_KEEP,		/* pass it on unchanged */
	CTX_BAD_TELL		/* skip it, without counting that as a change */
};

struct ctx_run_threads;

struct ctx_run {
	/* set by the caller; job has a sink */
	struct ctx_job *job;
	unsigned threads;		/* 0 or 1: only the caller's */
	enum ctx_on_error on_error;
	/*
	 * If set, called before the input may block, and now and then.  All
	 * callbacks are called by any thread: waiting, bad, skipped and the
	 * job's sink by one at a time, and so are first and mine.
	 */
	int (*waiting)(void *arg, struct ctx_err *err);
	/*
	 * If set, called for the first line that is not blank, or with texts,
	 * that is not only a byte order mark.  Returns 1 if it has taken all of
	 * the input, 0 if not, -1 with *err.
	 */
	int texts;
	int (*first)(void *arg, struct ctx_reader *r,
	    const struct ctx_line *line, struct ctx_err *err);
	/* If set, is the line to be processed?  1 or 0, or -1 with *err. */
	int (*mine)(void *arg, const struct ctx_line *line,
	    struct ctx_err *err);
	/* Reports a line that is not JSON, or (line is NULL) too long to be read. */
	void (*bad)(void *arg, const struct ctx_line *line,
	    const struct ctx_err *bad);
	/* If set, called for each line that CTX_BAD_SKIP leaves out. */
	int (*skipped)(void *arg, const struct ctx_line *line,
	    struct ctx_err *err);
	void *arg;

	/* internal */
	int begins;			/* only blank lines so far */
	struct ctx_run_threads *t;
};

/*
 * Process all of fd as one file.  Returns 0, or -1 with *err, in which case the
 * job has given up.
 */
int	ctx_run_fd(struct ctx_run *r, int fd, struct ctx_err *err) CTX_CHECKED;

/* The same with text[0 .. len), of at most CTX_LINE_MAX bytes. */
int	ctx_run_text(struct ctx_run *r, const char *text, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Pass one line to the job.  A line that is not JSON is reported and handled as
 * on_error says.  Returns 1 to go on, 0 at the end of the file, -1 with *err.
 */
int	ctx_run_line(struct ctx_run *r, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/* Free the threads' jobs; the job itself is the caller's. */
void	ctx_run_done(struct ctx_run *r);

#endif
