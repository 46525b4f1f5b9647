/* SPDX-License-Identifier: MIT */
/* A history without its secrets; see safe.h. */
#include "show/safe.h"

#include <stdlib.h>

#include "decide/lean.h"
#include "decide/pair.h"
#include "edit/edit.h"

struct safe {
	struct ctx_job job;
	struct ctx_job *next;
	uint64_t line;		/* of those passed on */
	struct ctx_pairer pairer;
	struct ctx_lean_opts opts;
	struct ctx_lean work;
	struct ctx_plan plan;
	struct ctx_edit edit;
};

static int
redact_turn(struct safe *s, struct ctx_convo *c, struct ctx_lean_seen *seen,
    struct ctx_err *err)
{
	uint32_t m;

	if (ctx_pair(&s->pairer, c, err) == -1 ||
	    ctx_plan_reset(&s->plan, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++)
		if (ctx_plan_order(&s->plan, m, err) == -1)
			return -1;
	if (ctx_lean_drop(&s->work, &s->plan, c, seen, &s->opts, err) == -1 ||
	    ctx_lean_plan(&s->work, &s->plan, c, seen, &s->opts, err) == -1)
		return -1;
	ctx_plan_settle(&s->plan);
	if (ctx_edit_turn(&s->edit, &s->plan, c, err) == -1)
		return -1;
	return ctx_job_put_turn(&s->job, c, &s->edit, err);
}

static int
safe_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_lean_seen one = { 0 }, *seen = &one;
	struct safe *s = job;
	int rc;

	if (turn->strand != NULL) {
		if (turn->strand->state == NULL &&
		    (turn->strand->state = calloc(1, sizeof(*seen))) == NULL)
			return ctx_fail_nomem(err);
		seen = turn->strand->state;
	}
	rc = redact_turn(s, turn->convo, seen, err);
	ctx_lean_seen_done(&one);
	return rc;
}

static void
free_seen(void *state)
{
	ctx_lean_seen_done(state);
	free(state);
}

/* Pass a line on; what was not JSON has been reported and is not shown. */
static int
pass_on(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	struct safe *s = arg;
	struct ctx_line line = { .raw = p, .len = len, .no = ++s->line,
	    .block = block };
	struct ctx_block *own = NULL;
	struct ctx_err bad = { 0 };
	int rc;

	(void)to;
	if (block == NULL) {
		if ((own = ctx_block_dup(p, len)) == NULL)
			return ctx_fail_nomem(err);
		line.block = own;
		line.raw = own->data;
	}
	s->next->turns.by = s->job.turns.by;
	s->next->turns.dialect = s->job.turns.dialect;
	rc = ctx_job_line(s->next, &line, &bad);
	ctx_block_drop(own);
	if (rc == -1 && bad.code == CTX_EINPUT)
		return 0;
	if (rc == -1)
		*err = bad;
	return rc;
}

/* What the next job left out is said of this one. */
static int
safe_end(struct ctx_job *main, struct ctx_job *const *job, unsigned n,
    struct ctx_err *err)
{
	struct safe *s = (struct safe *)main;
	int rc = ctx_job_end(s->next, err);

	(void)job;
	(void)n;
	main->turns.held.beside = s->next->turns.held.beside;
	main->turns.held.replaced = s->next->turns.held.replaced;
	s->next->turns.held = (struct ctx_held){ 0 };
	s->line = 0;
	return rc;
}

static void
safe_give_up(struct ctx_job *job)
{
	struct safe *s = (struct safe *)job;

	ctx_job_give_up(s->next);
	s->line = 0;
}

static void
safe_done(struct ctx_job *job)
{
	struct safe *s = (struct safe *)job;

	ctx_job_free(s->next);
	ctx_pairer_done(&s->pairer);
	ctx_lean_done(&s->work);
	ctx_plan_done(&s->plan);
	ctx_edit_done(&s->edit);
}

static const struct ctx_job_kind kind = {
	.turn = safe_turn,
	.free_state = free_seen,
	.file_end = safe_end,
	.give_up = safe_give_up,
	.done = safe_done
};

struct ctx_job *
ctx_safe_new(struct ctx_redact *redact, struct ctx_job *next,
    struct ctx_err *err)
{
	struct safe *s = ctx_job_new(sizeof(*s), &kind, err);

	if (s == NULL) {
		ctx_job_free(next);
		return NULL;
	}
	s->next = next;
	s->opts.redact = redact;
	s->job.sink = (struct ctx_sink){ .bytes = pass_on, .arg = s };
	return &s->job;
}
