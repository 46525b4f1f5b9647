/* SPDX-License-Identifier: MIT */
/*
 * What a job in a thread gave, kept until its turn comes.  Each entry has the
 * place at which one thread alone would have given it; entries of one log are
 * in that order, and several logs are merged by it.
 *
 * A log is filled by one thread and told by another, never at the same time.
 */
#ifndef CTX_JOB_GAVE_H
#define CTX_JOB_GAVE_H

#include "job/job.h"

struct ctx_gave_entry;

struct ctx_gave {
	uint64_t at;			/* the place of what comes now */
	/*
	 * NULL or the line in hand, whose block is held until all is told: what
	 * lies in it needs no copy.
	 */
	const struct ctx_line *line;
	struct ctx_gave_entry *entry;
	size_t n, cap;
	size_t told;			/* entries that were told already */
	uint64_t *num;			/* numbers of the entries */
	size_t nnum, capnum;
	struct ctx_block **block;	/* their bytes */
	size_t nblock, capblock;
	size_t dropped;			/* blocks that are told and gone */
	size_t used;			/* of the last block */
	size_t bytes;			/* in it that are not told */
	struct ctx_err err;		/* after the last entry: what went wrong */
	uint64_t failed_at;		/* and where */
	/* working storage of the telling */
	struct ctx_convo convo;
	struct ctx_edit edit;
};

/* Forget what is in it, and keep the memory. */
void	ctx_gave_reset(struct ctx_gave *l);
void	ctx_gave_done(struct ctx_gave *l);

/* What a job gives, copied.  0, or -1 with CTX_ENOMEM. */
int	ctx_gave_turn(struct ctx_gave *l, const struct ctx_convo *c,
	    const struct ctx_edit *e, struct ctx_err *err) CTX_CHECKED;
int	ctx_gave_bytes(struct ctx_gave *l, enum ctx_to to, const char *p,
	    size_t len, struct ctx_err *err) CTX_CHECKED;
int	ctx_gave_row(struct ctx_gave *l, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;
/* Line number i of a batch is for somebody else. */
int	ctx_gave_line(struct ctx_gave *l, size_t i, struct ctx_err *err)
	    CTX_CHECKED;
/* Here the job failed. */
void	ctx_gave_failed(struct ctx_gave *l, const struct ctx_err *err);

/* The place of what is to be told next; UINT64_MAX if there is nothing. */
uint64_t ctx_gave_next(const struct ctx_gave *l);

/*
 * Tell the next entry to job: as it would have given it itself.  With renumber
 * a turn's record gets the next number of the job's turns.
 * Returns: 0; 1 and *line: that line of the batch is to be taken; -1 with *err,
 *          which may be what went wrong in the thread.
 */
int	ctx_gave_tell(struct ctx_gave *l, struct ctx_job *job, int renumber,
	    size_t *line, struct ctx_err *err) CTX_CHECKED;

#endif
