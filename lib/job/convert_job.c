/* SPDX-License-Identifier: MIT */
/* The job of ctx-convert; see convert_job.h. */
#include "job/convert_job.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)CTX_L_N <= CTX_ROW_N, "losses fit into a row");

struct convert {
	struct ctx_job job;
	struct ctx_convert_job_opts opts;
	struct ctx_convert cv;		/* the losses in its script are also
					   those of figures */
	struct ctx_cost cost;
	struct ctx_convert_job_sums figures;
	struct ctx_types_lost left;	/* of the conversations before */
};

static uint64_t
sum(const uint64_t *loss)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < CTX_L_N; i++)
		n += loss[i];
	return n;
}

/* Leave this conversation out, and report why: what it would lose. */
static int
refuse(struct convert *k, const struct ctx_convo *c, const uint64_t *before,
    struct ctx_err *err)
{
	struct ctx_row row = { .what = CTX_CONVERT_ROW_LOSES,
	    .line = c->rec[0].line };
	uint64_t *loss = k->cv.script.loss;
	int i;

	for (i = 0; i < CTX_L_N; i++)
		row.n[i] = loss[i] - before[i];
	memcpy(loss, before, sizeof(k->cv.script.loss));
	row.text = (const char *)&k->cv.script.left;
	row.textlen = sizeof(k->cv.script.left);
	i = ctx_job_put_row(&k->job, &row, err);
	memset(&k->cv.script.left, 0, sizeof(k->cv.script.left));
	return i;
}

/* Report what became of everything. */
static int
put_report(struct convert *k, struct ctx_err *err)
{
	const struct ctx_ledger *l = &k->cv.ledger;
	const struct ctx_ledger_entry *e;
	struct ctx_row row = { .what = CTX_CONVERT_ROW_FARE };
	size_t i;

	for (i = 0; i < l->n; i++) {
		e = &l->entry[i];
		row.line = e->line;
		row.n[0] = e->fare;
		row.n[1] = e->bytes;
		row.n[2] = e->values;
		row.rule = e->why;
		row.name = e->npath > 0 ? l->text.data + e->path : "";
		row.namelen = e->npath;
		row.n[3] = e->nfrom;
		row.text = e->nto > 0 ? l->text.data + e->to - e->nfrom : NULL;
		row.textlen = e->nto + e->nfrom;
		if (ctx_job_put_row(&k->job, &row, err) == -1)
			return -1;
	}
	return 0;
}

/* Report that nothing of c is converted. */
static int
put_none(struct convert *k, const struct ctx_convo *c, const char *why,
    struct ctx_err *err)
{
	if (!k->opts.report)
		return 0;
	return ctx_ledger_none(&k->cv.ledger, c, why, err) == -1 ? -1 :
	    put_report(k, err);
}

/* Leave this conversation out, without its losses, and report that. */
static int
leave_out(struct convert *k, const struct ctx_convo *c,
    const uint64_t *before, enum ctx_convert_row what, const char *why,
    struct ctx_err *err)
{
	struct ctx_row row = { .what = what, .line = c->rec[0].line };

	memcpy(k->cv.script.loss, before, sizeof(k->cv.script.loss));
	memset(&k->cv.script.left, 0, sizeof(k->cv.script.left));
	if (put_none(k, c, why, err) == -1)
		return -1;
	return ctx_job_put_row(&k->job, &row, err);
}

/* Count the values that are not messages: those that were not written are lost. */
static void
count_odd(struct convert *k, const struct ctx_convo *c, uint32_t kept)
{
	struct ctx_held *held = &k->job.turns.held;

	k->cv.script.loss[CTX_L_UNKNOWN] += c->nodd - kept;
	held->odd -= kept;
	if (held->odd == 0)
		held->odd_line = 0;
}

/* Write the calls that wait; what else it has is not asked for. */
static int
put_waiting(struct convert *k, const uint64_t *before, struct ctx_err *err)
{
	uint64_t *loss = k->cv.script.loss;
	uint64_t arguments = loss[CTX_L_ARGUMENTS];

	memcpy(loss, before, sizeof(k->cv.script.loss));
	loss[CTX_L_ARGUMENTS] = arguments;
	memset(&k->cv.script.left, 0, sizeof(k->cv.script.left));
	k->figures.calls += k->cv.writer.nmsg;
	return ctx_job_put(&k->job, CTX_TO_OUT, k->cv.out.data, k->cv.out.len,
	    NULL, err);
}

/* Write the conversation that was converted, unless it is left out. */
static int
put_converted(struct convert *k, const struct ctx_turn *turn,
    const uint64_t *before, struct ctx_err *err)
{
	k->figures.conversations++;
	if (k->opts.to->only_waiting)
		return put_waiting(k, before, err);
	if (k->cv.script.sealed)
		return leave_out(k, turn->convo, before,
		    CTX_CONVERT_ROW_SEALED, "sealed", err);
	if (k->opts.request ? k->cv.writer.nmsg == 0 :
	    turn->convo->nmsg > 0 && k->cv.script.nstep == 0)
		return leave_out(k, turn->convo, before,
		    CTX_CONVERT_ROW_NOTHING, NULL, err);
	if (k->opts.report && put_report(k, err) == -1)
		return -1;
	count_odd(k, turn->convo, k->cv.script.odd_kept);
	if (k->opts.strict && sum(k->cv.script.loss) > sum(before))
		return refuse(k, turn->convo, before, err);
	ctx_types_add(&k->left, &k->cv.script.left);
	memset(&k->cv.script.left, 0, sizeof(k->cv.script.left));
	return ctx_job_put(&k->job, k->opts.to->only_text ? CTX_TO_TEXT :
	    CTX_TO_OUT, k->cv.out.data, k->cv.out.len, NULL, err);
}

static int
convert_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	const struct ctx_strand *th = turn->strand;
	uint64_t before[CTX_L_N], *loss;
	struct convert *k = job;
	int rc;

	loss = k->cv.script.loss;
	memcpy(before, loss, sizeof(before));
	/* without messages, only a conversation line is converted */
	if (turn->convo->nmsg == 0 && (turn->convo->nrec == 0 ||
	    turn->convo->rec[0].shape != CTX_REC_CONVERSATION)) {
		count_odd(k, turn->convo, 0);
		return put_none(k, turn->convo, NULL, err) == -1 ||
		    (k->opts.strict && sum(loss) > sum(before) &&
		    refuse(k, turn->convo, before, err) == -1) ? -1 : 0;
	}
	if (th != NULL && th->sublen > 0) {
		loss[CTX_L_BRANCH] += turn->convo->nmsg;
		return put_none(k, turn->convo, "branch", err);
	}
	k->cv.by = k->job.turns.by;
	k->cv.decided = k->job.turns.dialect != NULL;
	rc = ctx_convert(&k->cv, turn->convo, th, err) == -1 ? -1 : 1;
	while (rc == 1) {
		if (put_converted(k, turn, before, err) == -1)
			return -1;
		memcpy(before, loss, sizeof(before));
		rc = ctx_convert_next(&k->cv, turn->convo, th, err);
	}
	return rc;
}

static int
cost_of(void *arg, const char *text, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	struct convert *k = arg;

	return ctx_cost_text(&k->cost, text, len, n, err);
}

static struct ctx_job *
convert_another(const struct ctx_job *job, struct ctx_err *err)
{
	return ctx_convert_job_new(&((const struct convert *)job)->opts, err);
}

static void
convert_add(struct ctx_job *to, struct ctx_job *from)
{
	struct convert *f = (struct convert *)from, *t = (struct convert *)to;
	uint64_t *loss = f->cv.script.loss;
	int i;

	if (t != NULL) {
		t->figures.conversations += f->figures.conversations;
		t->figures.calls += f->figures.calls;
		for (i = 0; i < CTX_L_N; i++)
			t->cv.script.loss[i] += loss[i];
		ctx_types_add(&t->left, &f->left);
	}
	memset(&f->left, 0, sizeof(f->left));
	memset(&f->figures, 0, sizeof(f->figures));
	memset(loss, 0, sizeof(f->cv.script.loss));
}

static void
convert_done(struct ctx_job *job)
{
	struct convert *k = (struct convert *)job;

	ctx_convert_done(&k->cv);
	ctx_cost_done(&k->cost);
}

static const struct ctx_job_kind kind = {
	.turn = convert_turn,
	.another = convert_another,
	.add = convert_add,
	.done = convert_done
};

struct ctx_job *
ctx_convert_job_new(const struct ctx_convert_job_opts *opts,
    struct ctx_err *err)
{
	struct convert *k = ctx_job_new(sizeof(*k), &kind, err);

	if (k == NULL)
		return NULL;
	k->job.turns.whole = 1;
	k->job.turns.exports = 1;
	k->opts = *opts;
	k->cv.to = opts->to;
	k->cv.shape = opts->shape;
	k->cv.request = opts->request;
	k->cv.api = opts->api;
	k->cv.notes = opts->notes;
	k->cv.strict = opts->strict;
	k->cv.goes_on = opts->goes_on;
	k->cv.branches.each = opts->all_branches;
	k->cv.want = opts->want;
	k->cv.only = opts->only;
	k->cv.nonly = opts->nonly;
	k->cv.ledger.rows = opts->report;
	if (opts->cost == NULL)
		return &k->job;
	k->cv.budget = opts->budget;
	k->cv.cost = cost_of;
	k->cv.arg = k;
	if (ctx_cost_like(&k->cost, opts->cost, err) == -1) {
		ctx_job_free(&k->job);
		return NULL;
	}
	return &k->job;
}

const struct ctx_convert_job_sums *
ctx_convert_job_figures(struct ctx_job *j)
{
	struct convert *k = (struct convert *)j;

	memcpy(k->figures.loss, k->cv.script.loss, sizeof(k->figures.loss));
	k->figures.left = k->left;
	return &k->figures;
}
