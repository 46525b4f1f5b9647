/* SPDX-License-Identifier: MIT */
/*
 * Internals that the parts of job/fold_job share: fold_job_plan.c plans,
 * fold_job.c summarizes, fold_job_ask.c holds a model to what it is asked,
 * fold_job_said.c collects what is to be summarized, and fold_job_write.c
 * writes the result.
 */
#ifndef CTX_JOB_FOLD_JOB_IMPL_H
#define CTX_JOB_FOLD_JOB_IMPL_H

#include "decide/group.h"
#include "job/fold_job.h"
#include "job/lasting.h"

#define CTX_FOLD_TEXT_MIN 8	/* tokens; a shorter summary says nothing */

/* A line that is held until the end of the file. */
struct ctx_fold_line {
	uint64_t seq;		/* of its record; new lines have that of the
				   record that they come before */
	struct ctx_block *block;
	const char *raw;
	size_t len;
	size_t no;		/* among the lines of its job */
};

struct ctx_fold_job {
	struct ctx_job job;
	struct ctx_fold_job_opts opts;
	struct ctx_fold_job_sums sums;
	struct ctx_cost own_cost;	/* in a copy of a job; opts.cost points
					   to it */
	struct ctx_redact *own_redact;	/* the same with opts.redact */

	/* working storage */
	struct ctx_groups groups;
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_fold_turn *turn;
	uint32_t *turn_msg;		/* the first message of each turn */
	size_t nturn, capturn, capturn_msg;
	struct ctx_fold_line *line;	/* of this file, to be written */
	size_t nline, capline;
};

/* The cost of the new messages besides the summary's own text. */
struct ctx_fold_frame {
	uint64_t head;		/* the marker, which max_tokens limits together
				   with the text */
	uint64_t head_size;	/* the same in ctx_glyph_size */
	uint64_t all;		/* including overhead and reply */
};

/* One conversation while it is folded, and the result. */
struct ctx_fold_convo {
	struct ctx_convo *c;
	struct ctx_strand *strand;	/* NULL for a conversation
						   line */
	uint32_t begin;		/* first message that is sent: a summary in the
				   stream replaces those before it */
	uint32_t first;		/* first message that may go, but for old */
	uint32_t cut;		/* first message that stays */
	uint32_t users;		/* first message before cut whose user's words
				   stay, or CTX_NONE */
	uint32_t users_before;	/* the same of what was folded before */
	uint32_t old;		/* message of the earlier summary, or
				   CTX_NONE */
	enum ctx_summary_form form;	/* of the new summary */
	uint32_t nold;		/* its number of messages, including the
				   reply */
	uint64_t old_turns, old_tokens;
	struct ctx_buf old_text;	/* decoded */
	int recalled;		/* it is remembered, not from the stream, */
	int guess;		/* but not which of the user's words stayed */

	struct ctx_fold fold;	/* for this conversation */
	uint64_t cut_cost;	/* what the rest costs more after a cut */
	uint64_t users_room;	/* tokens for the user's words that stay */
	uint64_t room;		/* tokens for the messages of the summary;
				   UINT64_MAX: no limit */
	enum ctx_fold_why why;
	uint64_t turns;		/* folded in this run */
	uint64_t kept;		/* turns that stay */
	uint64_t folded_tokens;	/* of the messages that go */

	struct ctx_talk *said;	/* the earlier summary and what is folded */
	size_t nsaid, capsaid;
	struct ctx_buf text;	/* memory that said points into */
	struct ctx_doc args;	/* of a call; working storage */

	struct ctx_fold_frame frame;	/* of the new summary */
	uint64_t most;		/* tokens that its text may have */
	struct ctx_buf summary;	/* the new summary */
	struct ctx_lasting facts;	/* of what is folded, if looked is set */
	int looked;
	size_t written;		/* of them, in the model's own words */
	int again;		/* the model was asked once more */
	uint64_t summary_tokens;
	enum ctx_fold_engine engine;
	struct ctx_fold_question q;
	uint64_t ms;
	enum ctx_code failed;	/* why it was not folded, or CTX_OK */
};

/*
 * Put the earlier summary and the messages that go into f->said, in the form
 * that summarizers need.
 */
int	ctx_fold_job_gather(struct ctx_fold_convo *f, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * Plan where to cut, in turns and messages, and add up what goes and stays.
 * ctx_fold_job_leave leaves all that is not folded yet.
 */
int	ctx_fold_job_plan(struct ctx_fold_job *k, struct ctx_fold_convo *f,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_fold_job_leave(const struct ctx_fold_job *k,
	    struct ctx_fold_convo *f);

static inline uint64_t
ctx_fold_job_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Count the tokens of a text, for ctx_extract and others; arg is the job. */
int	ctx_fold_job_cost(void *arg, const char *text, size_t len, uint64_t *n,
	    struct ctx_err *err);

/*
 * Ask for a summary, as ask does, into f->summary: _ask whatever it is; _asked
 * one within f->most, with the facts as far as they fit.
 */
int	ctx_fold_job_ask(struct ctx_fold_job *k, struct ctx_fold_convo *f,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_fold_job_asked(struct ctx_fold_job *k, struct ctx_fold_convo *f,
	    struct ctx_err *err) CTX_CHECKED;

/* Find the facts of what is folded, and which of them f->summary has. */
int	ctx_fold_job_look(struct ctx_fold_job *k, struct ctx_fold_convo *f,
	    struct ctx_err *err) CTX_CHECKED;

/* Append the marker that begins a summary, and its text. */
int	ctx_fold_job_head(const struct ctx_fold_job *k,
	    const struct ctx_fold_convo *f, const struct ctx_buf *text,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

/* Is message m that of the earlier summary, or the reply to it? */
static inline int
ctx_fold_job_is_old(const struct ctx_fold_convo *f, uint32_t m)
{
	return f->old != CTX_NONE && m >= f->old && m < f->old + f->nold;
}

/* Will an assistant's reply follow the summary? */
int	ctx_fold_job_replies(const struct ctx_fold_job *k,
	    const struct ctx_fold_convo *f);

/* Write a conversation with its summary, or unchanged. */
int	ctx_fold_job_write(struct ctx_fold_job *k, struct ctx_fold_convo *f,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_fold_job_write_same(struct ctx_fold_job *k,
	    const struct ctx_fold_convo *f, struct ctx_err *err) CTX_CHECKED;

/* Members of struct ctx_job_kind: write the held lines, or forget them. */
int	ctx_fold_job_file_end(struct ctx_job *main, struct ctx_job *const *all,
	    unsigned n, struct ctx_err *err);
void	ctx_fold_job_give_up(struct ctx_job *job);

/* Does message m stay, whatever is folded: a system message, or a sealed one? */
static inline int
ctx_fold_job_fixed(const struct ctx_convo *c, uint32_t m)
{
	return c->msg[m].role == CTX_SYSTEM || ctx_msg_sealed(c, m);
}

/* Does message m, which is before the cut, stay? */
static inline int
ctx_fold_job_stays(const struct ctx_fold_convo *f, uint32_t m)
{
	return ctx_fold_job_fixed(f->c, m) || (m >= f->users &&
	    ctx_group_begins(f->c, m) && !ctx_fold_job_is_old(f, m));
}

#endif
