/* SPDX-License-Identifier: MIT */
/*
 * The parts of ctx-summarize: options in ctx-summarize.c, conversations in
 * fold.c, their output in write.c, the model in ask.c, the memory beside the
 * stream in state.c.
 */
#ifndef CTX_CMD_SUMMARIZE_SUMMARIZE_H
#define CTX_CMD_SUMMARIZE_SUMMARIZE_H

#include <stdio.h>

#include "cli_cost.h"
#include "cli_stream.h"
#include "extract/extract.h"
#include "decide/fold.h"
#include "decide/links.h"
#include "redact/redact.h"
#include "net/ask.h"
#include "net/endpoint.h"

enum summarize_as { AS_PAIR, AS_USER, AS_SYSTEM };
enum summarize_to { TO_STREAM, TO_TEXT };

/* One conversation while it is folded, and what came of it. */
struct fold_job {
	struct ctx_convo *c;
	const struct ctx_strand *thread;	/* NULL: a conversation line */
	uint32_t first;		/* message behind an earlier summary */
	uint32_t cut;		/* the first message that stays */
	uint32_t old;		/* message of the earlier summary, CTX_NONE */
	uint32_t nold;		/* messages that it takes, with its reply */
	uint64_t old_turns, old_tokens;
	struct ctx_buf old_text;	/* decoded */
	int from_state;		/* it came from --state */

	enum ctx_fold_why why;
	uint64_t turns;		/* folded now */
	uint64_t kept;		/* turns that stay */
	uint64_t folded_tokens;	/* of the messages that go */

	struct ctx_talk *said;	/* the old summary and what is folded */
	size_t nsaid, capsaid;
	struct ctx_buf text;	/* what said points into */

	struct ctx_buf summary;	/* the new one */
	uint64_t summary_tokens;
	const char *engine;
	unsigned tries;
	int64_t prompt_tokens, output_tokens;
	uint64_t ms;
	int failed;
};

struct state_entry;

struct summarize {
	struct cli_stream stream;	/* first: callbacks get it */
	struct ctx_cost cost;
	struct ctx_fold fold;
	uint64_t max_tokens;		/* of a summary */
	enum summarize_as as;
	enum summarize_to to;

	/* the model */
	struct ctx_endpoint_want want;
	struct ctx_endpoint endpoint;
	struct ctx_ask ask;
	struct ctx_redact *redact;	/* NULL: --no-redact */
	char *prompt;			/* instructions; NULL: ours */
	uint64_t window;		/* of the model that is asked */
	int use_model, fallback, pass_failure, dry_run;
	int insights;
	unsigned rounds;

	const char *state_name;
	struct state_entry *state;	/* by conversation */
	size_t nstate, capstate;
	int state_changed;
	struct ctx_out *dropped;	/* NULL: nowhere */
	FILE *report;			/* NULL: nowhere */

	/* working storage */
	struct ctx_pairer pairer;
	struct ctx_plan plan;
	struct ctx_edit edit;
	unsigned char *more;
	size_t capmore;
	struct ctx_fold_turn *turn;
	uint32_t *turn_msg;		/* the first message of each */
	size_t nturn, capturn, capturn_msg;
	struct line_out *line;		/* of this file, to be written */
	size_t nline, capline;
	uint64_t nconvo, nfolded, nfailed, turns, tokens, summary_tokens;
};

/* Callbacks for stream.turns and stream. */
int	fold_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err);
int	fold_file_end(struct cli_stream *s, struct ctx_err *err);
void	fold_done(struct summarize *s);

/* Tokens of a text; arg is the struct summarize.  See ctx_extract. */
int	fold_cost(void *arg, const char *text, size_t len, uint64_t *n,
	    struct ctx_err *err);

#define FOLD_TEXT_HEAD "[Earlier conversation summary ("	/* --to text */

/* Append text behind the marker that a summary begins with, for n turns. */
int	fold_head(struct ctx_buf *b, const char *head, uint64_t n,
	    const struct ctx_buf *text, struct ctx_err *err);

/* Will the summary be followed by an assistant's reply? */
int	fold_has_reply(const struct summarize *s, const struct fold_job *job);

/* Write a conversation: with the job's summary, or as it came. */
int	fold_write(struct summarize *s, struct fold_job *job,
	    struct ctx_err *err);
int	fold_write_untouched(struct summarize *s, const struct fold_job *job,
	    struct ctx_err *err);
/* Forget the lines that wait for the end of the file. */
void	fold_drop_lines(struct cli_stream *s);

/*
 * A model's summary of job->said into job->summary.  0, or -1 with CTX_EREMOTE
 * (no summary was accepted) or another error.
 */
int	engine_model(struct summarize *s, struct fold_job *job,
	    struct ctx_err *err);

/* Print the requests that would be made. */
int	engine_dry_run(struct summarize *s, struct fold_job *job,
	    struct ctx_err *err);

/* Read --state, if there is one; a file that does not exist is empty. */
int	state_read(struct summarize *s, struct ctx_err *err);
/*
 * Does the state know this conversation's beginning?  Then its summary becomes
 * the job's earlier one.
 */
int	state_apply(struct summarize *s, struct fold_job *job,
	    struct ctx_err *err);
/* What the job came to goes into the state. */
int	state_update(struct summarize *s, const struct fold_job *job,
	    struct ctx_err *err);
/* Write it, whole or not at all, if it has changed. */
int	state_write(struct summarize *s, struct ctx_err *err);
void	state_done(struct summarize *s);

#endif
