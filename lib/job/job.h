/* SPDX-License-Identifier: MIT */
/*
 * A job is what a command does to a stream, without the stream's files: lines
 * in by one call, bytes and rows out by callbacks.  It knows no options, no
 * messages and no exit codes; what it is to do is in the settings of its kind.
 *
 * A kind of job embeds struct ctx_job as its first member and fills a struct
 * ctx_job_kind; lib/job/run.h feeds one from a descriptor, or several of one
 * kind in threads.
 */
#ifndef CTX_JOB_JOB_H
#define CTX_JOB_JOB_H

#include "view/turn.h"
#include "write/queue.h"

/* Where bytes go. */
enum ctx_to {
	CTX_TO_OUT,		/* lines of the stream */
	CTX_TO_TEXT,		/* the same; a blank line sets them off from
				   the text before */
	CTX_TO_SIDE		/* what is put aside, in its own order */
};

#define CTX_ROW_N	16

/*
 * A finding, a row of a table, a line of a report, a file to be kept.  What the
 * members mean depends on what it is, which the kind of job says.
 */
struct ctx_row {
	int what;
	uint64_t line, col;	/* of the input; 0: none */
	uint64_t n[CTX_ROW_N];
	const char *rule;	/* a constant, or NULL */
	const char *name, *text;	/* borrowed; NULL: none */
	size_t namelen, textlen;
};

/* Both return 0, or -1 with *err, which ends the file. */
struct ctx_sink {
	/* A line, whole, as ctx_out_line takes it. */
	int (*bytes)(void *arg, enum ctx_to to, const char *p, size_t len,
	    struct ctx_block *block, struct ctx_err *err);
	int (*row)(void *arg, const struct ctx_row *row, struct ctx_err *err);
	void *arg;
};

struct ctx_job;

/* What jobs of a kind do; NULL where they do nothing. */
struct ctx_job_kind {
	/*
	 * Callbacks of struct ctx_turns, whose arg is the job.  A conversation
	 * that had no turn may have an end, or not.
	 */
	int (*turn)(const struct ctx_turn *turn, void *job,
	    struct ctx_err *err);
	int (*complete)(struct ctx_convo *open, void *job);
	int (*end)(struct ctx_strand *strand, void *job, struct ctx_err *err);
	void (*free_state)(void *state);
	/*
	 * All turns of a file were given, to these jobs together: what has
	 * waited for that leaves by main, which may be one of them.
	 */
	int (*file_end)(struct ctx_job *main, struct ctx_job *const *job,
	    unsigned n, struct ctx_err *err);
	/* A file has failed: what waits for its end is never written. */
	void (*give_up)(struct ctx_job *job);
	/* One with the kind's settings of job, as ctx_job_another wants it. */
	struct ctx_job *(*another)(const struct ctx_job *job,
	    struct ctx_err *err);
	/*
	 * What the job counts: so many uint64_t at that offset of its struct,
	 * and what else add knows, which gives from's figures to to (NULL:
	 * nowhere) and leaves it none.
	 */
	size_t sums, nsums;
	void (*add)(struct ctx_job *to, struct ctx_job *from);
	void (*done)(struct ctx_job *job);
	/*
	 * For lines that are for one thread, the others may work ahead: _ahead
	 * looks at a line in one of them, _known lets main find what those of
	 * a batch have made out while its lines are given, and _forget ends
	 * that.  which is 0 or 1, as batches come by turns.  _worth: is it
	 * worth it, as far as main can see?
	 */
	int (*ahead)(struct ctx_job *job, const struct ctx_line *line,
	    unsigned which, struct ctx_err *err);
	int (*ahead_known)(struct ctx_job *main, struct ctx_job *const *job,
	    unsigned n, unsigned which, struct ctx_err *err);
	void (*ahead_forget)(struct ctx_job *main, struct ctx_job *const *job,
	    unsigned n, unsigned which);
	int (*ahead_worth)(const struct ctx_job *main);
	int by_alone;			/* conversations that are told apart
					   share something: one thread */
};

struct ctx_gave;

struct ctx_job {
	const struct ctx_job_kind *kind;
	struct ctx_sink sink;
	struct ctx_turns turns;		/* by, dialect, whole: set by whoever
					   makes the job */
	struct ctx_queue queue;
	struct ctx_gave *log;		/* in a thread: what it gives is kept
					   here instead */
	int changed;			/* set it: the file is not as before */
	int cut_off;			/* a bad line ended the file: what is
					   not finished is not to be written */
	uint64_t texts;			/* given to CTX_TO_TEXT so far */
};

/* Ready to take lines; sink, by, dialect and whole are set before or after. */
void	ctx_job_init(struct ctx_job *j, const struct ctx_job_kind *kind);
/* The same of a kind's struct of size bytes, else 0; NULL with CTX_ENOMEM. */
void	*ctx_job_new(size_t size, const struct ctx_job_kind *kind,
	    struct ctx_err *err) CTX_CHECKED;
/* One more with the settings of from, for another thread; NULL with *err. */
struct ctx_job *ctx_job_another(const struct ctx_job *from,
	    struct ctx_err *err) CTX_CHECKED;
/* The figures of from are to's now; NULL: nobody's. */
void	ctx_job_add(struct ctx_job *to, struct ctx_job *from);
/* What is its own and its kind's; the struct itself is the caller's. */
void	ctx_job_done(struct ctx_job *j);
/* The same of one that ctx_job_new made, which is freed. */
void	ctx_job_free(struct ctx_job *j);

/*
 * One line.  0, or -1 with CTX_EINPUT, err->line and err->col for a line that
 * is not JSON, after which more may come; or whatever else failed.
 */
int	ctx_job_line(struct ctx_job *j, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;
/* The end of a file: all that is open is finished and given. */
int	ctx_job_end(struct ctx_job *j, struct ctx_err *err) CTX_CHECKED;
/* The file has failed: all that is open is forgotten. */
void	ctx_job_give_up(struct ctx_job *j);

/*
 * For kinds of jobs: what a turn's records became, in input order; bytes at
 * once; a row.  0, or -1 with *err.
 */
int	ctx_job_put_turn(struct ctx_job *j, const struct ctx_convo *c,
	    const struct ctx_edit *e, struct ctx_err *err) CTX_CHECKED;
int	ctx_job_put(struct ctx_job *j, enum ctx_to to, const char *p,
	    size_t len, struct ctx_block *block, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_job_put_row(struct ctx_job *j, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;

#endif
