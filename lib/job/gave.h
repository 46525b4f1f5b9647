/* SPDX-License-Identifier: MIT */
/*
 * Holds the output of a job in a thread until it is due.  Each entry has the
 * place at which a single thread would have written it.  The entries of a log
 * are in that order, and several logs are merged by it.
 *
 * A log is filled by one thread and read by another, never at the same time.
 */
#ifndef CTX_JOB_GAVE_H
#define CTX_JOB_GAVE_H

#include "job/job.h"

struct ctx_gave_entry;

struct ctx_gave {
	uint64_t at;			/* the place of the output to come */
	/*
	 * The current line, or NULL.  Its block is held until all entries are
	 * read, so output that is inside it need not be copied.
	 */
	const struct ctx_line *line;
	struct ctx_gave_entry *entry;
	size_t n, cap;
	size_t told;			/* entries that were read already */
	uint64_t *num;			/* numbers of the entries */
	size_t nnum, capnum;
	struct ctx_block **block;	/* blocks with the entries' bytes */
	size_t nblock, capblock;
	size_t dropped;			/* blocks that were read and released */
	size_t used;			/* used bytes of the last block */
	size_t bytes;			/* bytes in the log not yet read */
	struct ctx_err err;		/* the error after the last entry ... */
	uint64_t failed_at;		/* ... and its place */
	/* working storage for reading */
	struct ctx_convo convo;
	struct ctx_edit edit;
};

/* Empty the log but keep the memory. */
void	ctx_gave_reset(struct ctx_gave *l);
void	ctx_gave_done(struct ctx_gave *l);

/* Copy the output of a job.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_gave_turn(struct ctx_gave *l, const struct ctx_convo *c,
	    const struct ctx_edit *e, struct ctx_err *err) CTX_CHECKED;
int	ctx_gave_bytes(struct ctx_gave *l, enum ctx_to to, const char *p,
	    size_t len, struct ctx_err *err) CTX_CHECKED;
int	ctx_gave_row(struct ctx_gave *l, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;
/* Note that line i of the batch is left to another. */
int	ctx_gave_line(struct ctx_gave *l, size_t i, struct ctx_err *err)
	    CTX_CHECKED;
/* Note that the job failed here. */
void	ctx_gave_failed(struct ctx_gave *l, const struct ctx_err *err);

/* The place of the next entry; UINT64_MAX if there is none. */
uint64_t ctx_gave_next(const struct ctx_gave *l);

/*
 * Make job output the next entry, as it would have done itself.  With renumber,
 * a turn's record gets the next number of the job's turns.
 * Returns: 0; 1 if a line of the batch, *line, is to be processed; -1 with
 *          *err, which may be an error of the thread.
 */
int	ctx_gave_tell(struct ctx_gave *l, struct ctx_job *job, int renumber,
	    size_t *line, struct ctx_err *err) CTX_CHECKED;

#endif
