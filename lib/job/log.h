/* SPDX-License-Identifier: MIT */
/*
 * What a job in a thread gave, kept until its turn comes.  Each entry has the
 * place at which one thread alone would have given it; entries of one log are
 * in that order, and several logs are merged by it.
 *
 * A log is filled by one thread and told by another, never at the same time.
 */
#ifndef CTX_JOB_LOG_H
#define CTX_JOB_LOG_H

#include "job/job.h"

struct ctx_log_entry;

struct ctx_log {
	uint64_t at;			/* the place of what comes now */
	struct ctx_log_entry *entry;
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
void	ctx_log_reset(struct ctx_log *l);
void	ctx_log_done(struct ctx_log *l);

/* Copies of what a job gives.  0, or -1 with CTX_ENOMEM. */
int	ctx_log_turn(struct ctx_log *l, const struct ctx_convo *c,
	    const struct ctx_edit *e, struct ctx_err *err) CTX_CHECKED;
int	ctx_log_bytes(struct ctx_log *l, enum ctx_to to, const char *p,
	    size_t len, struct ctx_err *err) CTX_CHECKED;
int	ctx_log_row(struct ctx_log *l, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;
/* Line number i of a batch is for somebody else. */
int	ctx_log_line(struct ctx_log *l, size_t i, struct ctx_err *err)
	    CTX_CHECKED;
/* Here the job failed. */
void	ctx_log_failed(struct ctx_log *l, const struct ctx_err *err);

/* The place of what is to be told next; UINT64_MAX if there is nothing. */
uint64_t ctx_log_next(const struct ctx_log *l);

/*
 * Tell the next entry to job: as it would have given it itself.  With renumber
 * a turn's record gets the next number of the job's turns.
 * Returns: 0; 1 and *line: that line of the batch is to be taken; -1 with *err,
 *          which may be what went wrong in the thread.
 */
int	ctx_log_tell(struct ctx_log *l, struct ctx_job *job, int renumber,
	    size_t *line, struct ctx_err *err) CTX_CHECKED;

#endif
