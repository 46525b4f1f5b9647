/* SPDX-License-Identifier: MIT */
/*
 * A job is what a command does to a stream, without its files: lines come in
 * through a call, and bytes and rows go out through callbacks.  It knows
 * nothing of options, messages to the user or exit codes; the settings of its
 * kind say what to do.
 *
 * A kind of job embeds struct ctx_job as its first member and fills in a struct
 * ctx_job_kind.  lib/job/run.h feeds a job from a descriptor, or several of a
 * kind in threads.
 */
#ifndef CTX_JOB_JOB_H
#define CTX_JOB_JOB_H

#include "view/turn.h"
#include "write/queue.h"

/* Where bytes go. */
enum ctx_to {
	CTX_TO_OUT,		/* lines of the stream */
	CTX_TO_TEXT,		/* the same, but separated from the text before
				   by a blank line */
	CTX_TO_SIDE		/* what is put aside, in an order of its own */
};

#define CTX_ROW_N	22

/*
 * A finding, a row of a table, a line of a report, or a file to keep.  The kind
 * of job defines what the members mean.
 */
struct ctx_row {
	int what;
	uint64_t line, col;	/* of the input; 0: unknown */
	uint64_t n[CTX_ROW_N];
	const char *rule;	/* a constant, or NULL */
	const char *name, *text;	/* borrowed; may be NULL */
	size_t namelen, textlen;
};

/* Both return 0, or -1 with *err, which ends the file. */
struct ctx_sink {
	/* Takes a whole line, as ctx_out_line does. */
	int (*bytes)(void *arg, enum ctx_to to, const char *p, size_t len,
	    struct ctx_block *block, struct ctx_err *err);
	int (*row)(void *arg, const struct ctx_row *row, struct ctx_err *err);
	void *arg;
};

struct ctx_job;

/* What jobs of a kind do; unused callbacks are NULL. */
struct ctx_job_kind {
	/*
	 * Callbacks of struct ctx_turns, with the job as arg.  end may also be
	 * called for a conversation without a turn.
	 */
	int (*turn)(const struct ctx_turn *turn, void *job,
	    struct ctx_err *err);
	int (*complete)(struct ctx_convo *open, void *job);
	int (*end)(struct ctx_strand *strand, void *job, struct ctx_err *err);
	void (*free_state)(void *state);
	/*
	 * All turns of a file have been passed to these jobs together.  What
	 * was held until now is written through main, which may be one of them.
	 */
	int (*file_end)(struct ctx_job *main, struct ctx_job *const *job,
	    unsigned n, struct ctx_err *err);
	/* A file has failed: what was held until its end is never written. */
	void (*give_up)(struct ctx_job *job);
	/*
	 * A new job with the same settings as job; see ctx_job_another.  One
	 * that is made for totals processes nothing; NULL: by another.
	 */
	struct ctx_job *(*another)(const struct ctx_job *job,
	    struct ctx_err *err);
	struct ctx_job *(*totals)(const struct ctx_job *job,
	    struct ctx_err *err);
	/*
	 * The totals that the job counts: nsums numbers of type uint64_t at
	 * offset sums of its struct.  add moves any others from from to to
	 * (NULL: discards them) and clears them in from.
	 */
	size_t sums, nsums;
	void (*add)(struct ctx_job *to, struct ctx_job *from);
	void (*done)(struct ctx_job *job);
	/*
	 * If lines must be processed by one thread, others scan them, and may
	 * do more ahead, or it does so itself, on many lines at once.  ahead
	 * looks at a line in one of them, ahead_end ends a row of such calls.
	 * ahead_known lets main use what they, and main, found in a batch while
	 * its lines are processed, and ahead_forget ends that.  which is 0 or
	 * 1, since batches alternate.  ahead_worth: is it worth doing?
	 */
	int (*ahead)(struct ctx_job *job, const struct ctx_doc *doc,
	    unsigned which, struct ctx_err *err);
	int (*ahead_end)(struct ctx_job *job, unsigned which,
	    struct ctx_err *err);
	int (*ahead_known)(struct ctx_job *main, struct ctx_job *const *job,
	    unsigned n, unsigned which, struct ctx_err *err);
	void (*ahead_forget)(struct ctx_job *main, struct ctx_job *const *job,
	    unsigned n, unsigned which);
	int (*ahead_worth)(const struct ctx_job *main);
	int by_alone;			/* conversations told apart by key share
					   something, so they need one thread */
};

struct ctx_gave;

struct ctx_job {
	const struct ctx_job_kind *kind;
	struct ctx_sink sink;
	struct ctx_turns turns;		/* by, dialect and whole are set by
					   whoever makes the job */
	struct ctx_queue queue;
	struct ctx_gave *log;		/* in a thread: output is kept here
					   instead */
	uint64_t at;			/* in the caller's job, beside threads:
					   the place of the line, as in a log */
	int changed;			/* set by the kind: the file has
					   changed */
	int cut_off;			/* a bad line ended the file: do not
					   write what is unfinished */
	uint64_t texts;			/* texts written to CTX_TO_TEXT so
					   far */
};

/*
 * Prepare to take lines; sink, by, dialect and whole may be set before or
 * after.
 */
void	ctx_job_init(struct ctx_job *j, const struct ctx_job_kind *kind);
/*
 * Allocate and prepare a kind's struct of size bytes, otherwise zero; NULL with
 * CTX_ENOMEM.
 */
void	*ctx_job_new(size_t size, const struct ctx_job_kind *kind,
	    struct ctx_err *err) CTX_CHECKED;
/* A new job with the settings of from, for another thread; NULL with *err. */
struct ctx_job *ctx_job_another(const struct ctx_job *from,
	    struct ctx_err *err) CTX_CHECKED;
/* The same to keep totals only, which is made faster. */
struct ctx_job *ctx_job_totals(const struct ctx_job *from,
	    struct ctx_err *err) CTX_CHECKED;
/* Move the totals of from to to, or discard them if to is NULL. */
void	ctx_job_add(struct ctx_job *to, struct ctx_job *from);
/* Free what the job and its kind own; the struct itself is the caller's. */
void	ctx_job_done(struct ctx_job *j);
/* The same for a job from ctx_job_new, which is freed too. */
void	ctx_job_free(struct ctx_job *j);

/*
 * Process one line.  Returns 0; -1 with CTX_EINPUT, err->line and err->col for
 * a line that is not JSON, after which more lines may follow; or -1 with any
 * other error.
 */
int	ctx_job_line(struct ctx_job *j, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;
/* The end of a file: finish and write everything that is open. */
int	ctx_job_end(struct ctx_job *j, struct ctx_err *err) CTX_CHECKED;
/* The file has failed: forget everything that is open. */
void	ctx_job_give_up(struct ctx_job *j);

/*
 * For kinds of jobs: write the result of a turn's records, in input order;
 * write bytes at once; write a row.  They return 0, or -1 with *err.
 */
int	ctx_job_put_turn(struct ctx_job *j, const struct ctx_convo *c,
	    const struct ctx_edit *e, struct ctx_err *err) CTX_CHECKED;
int	ctx_job_put(struct ctx_job *j, enum ctx_to to, const char *p,
	    size_t len, struct ctx_block *block, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_job_put_row(struct ctx_job *j, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Append to out a new message as a line of the strand's conversation, to be
 * written before the line before and in its form.  Returns 0, or -1 with *err.
 */
int	ctx_job_new_line(const struct ctx_job *j, const struct ctx_strand *st,
	    struct ctx_new *what, struct ctx_str before, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
