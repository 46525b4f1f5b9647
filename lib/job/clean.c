/* SPDX-License-Identifier: MIT */
/* The job of ctx-clean; see clean.h. */
#include "job/clean_impl.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "decide/surrogate.h"
#include "edit/merge.h"
#include "view/branch.h"

#define NAME	48	/* of a conversation line */

/* What is remembered of a conversation between its turns. */
struct seen {
	struct ctx_links links;
	struct ctx_check_seen checked;
	struct ctx_lean_seen lean;
};

/* --- tokens ------------------------------------------------------------ */

/* The number of characters that the first want of k->ids spell in k->plain. */
static uint64_t
chars_of(struct ctx_clean *k, uint64_t want)
{
	const struct ctx_tok *tok = k->opts.cost->choice.tok;
	size_t i, bytes = 0, len;

	/* every token that is found has bytes, but in a table that is damaged */
	for (i = 0; i < want && i < k->ids.n; i++)
		if (ctx_tok_bytes(tok, k->ids.id[i], &len) != NULL)
			bytes += len;
	if (bytes > k->plain.len)
		bytes = k->plain.len;
	/* a token may end inside a character, which is then not counted */
	while (bytes > 0 && bytes < k->plain.len &&
	    (k->plain.data[bytes] & 0xc0) == 0x80)
		bytes--;
	return ctx_utf8_count(k->plain.data, bytes);
}

/* A ctx_count_fn: the tokens of s, and the characters of the first of them. */
static int
count(void *arg, struct ctx_str s, uint64_t want, uint64_t *total,
    uint64_t *chars, struct ctx_err *err)
{
	struct ctx_clean *k = arg;
	struct ctx_cost *cost = k->opts.cost;

	if (ctx_cost_json(cost, s.p, s.len, total, err) == -1)
		return -1;
	if (chars == NULL)
		return 0;
	if (want >= *total) {
		*chars = ctx_str_chars(s.p, s.len);
		return 0;
	}
	if (ctx_tok_is_estimate(cost->choice.tok)) {
		*chars = want * 5 / 2;
		return 0;
	}
	ctx_buf_reset(&k->plain);
	if (ctx_str_decode(&k->plain, s.p, s.len) == -1)
		return ctx_fail_nomem(err);
	k->ids.n = 0;
	if (ctx_counter_encode(&cost->counter, k->plain.data, k->plain.len,
	    &k->ids, err) == -1)
		return -1;
	/* where the count is an estimate, as large a share of these */
	*chars = chars_of(k, want * k->ids.n / *total);
	return 0;
}

/* --- a turn ------------------------------------------------------------ */

static void
free_seen(void *state)
{
	struct seen *seen = state;

	ctx_lean_seen_done(&seen->lean);
	free(seen);
}

/* Plan what is dropped, with or without branches, and what its links need. */
static int
plan_links(struct ctx_clean *k, const struct ctx_turn *turn, struct seen *seen,
    int branches, struct ctx_err *err)
{
	const struct ctx_clean_opts *o = &k->opts;
	struct ctx_convo *c = turn->convo;

	if (ctx_plan_reset(&k->plan, c, err) == -1 ||
	    ctx_session_read(&k->session, c, turn->strand != NULL ?
	    &turn->strand->chain : NULL, err) == -1 ||
	    (branches && ctx_session_drop_branches(&k->session, &k->plan,
	    o->report, err) == -1) ||
	    (!o->check && (ctx_lean_drop(&k->work, &k->plan, c, &seen->lean,
	    &o->lean, err) == -1 ||
	    ctx_images_plan(&k->plan, c, &o->images, err) == -1)))
		return -1;
	return ctx_links_plan(&k->linker, &k->plan, c, &seen->links, &o->links,
	    err);
}

/* Which calls go depends on what there is after repairs, and changes these. */
static int
plan_calls(struct ctx_clean *k, const struct ctx_turn *turn, struct seen *seen,
    int branches, struct ctx_err *err)
{
	k->work.prunes = 0;
	if (plan_links(k, turn, seen, branches, err) == -1)
		return -1;
	if (!k->opts.lean.prune || k->opts.check)
		return 0;
	if (ctx_lean_prune(&k->work, &k->plan, turn->convo, &k->opts.lean,
	    err) == -1)
		return -1;
	return k->work.prunes ? plan_links(k, turn, seen, branches, err) : 0;
}

/*
 * If nothing is left but the branches that go, that of the last message that stays
 * without this is resumed.
 */
static int
plan_branch(struct ctx_clean *k, const struct ctx_turn *turn, struct seen *seen,
    struct ctx_err *err)
{
	const int drop = k->opts.drop_branches && k->opts.links.chain != NULL;
	const struct ctx_convo *c = turn->convo;
	struct ctx_chain *chain;
	uint32_t m = c->nmsg;

	if (plan_calls(k, turn, seen, drop, err) == -1)
		return -1;
	if (!drop || !ctx_plan_drops(&k->plan, 0, c->nmsg))
		return 0;
	if (plan_calls(k, turn, seen, 0, err) == -1)
		return -1;
	while (m > 0 && k->plan.drop_msg[m - 1])
		m--;
	if (m == 0)
		return 0;
	chain = &turn->strand->chain;
	chain->tip = c->msg[m - 1].rec + 1;
	return ctx_branch_mark(chain, c, err) == -1 ? -1 :
	    plan_calls(k, turn, seen, drop, err);
}

/* Write a number up to end.  Returns its first digit. */
static char *
put_number(char *end, uint64_t n)
{
	do
		*--end = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	return end;
}

/*
 * Name the conversation for what is kept of it: after the member that tells it
 * apart, or a conversation line after its place.
 */
static void
name_conversation(const struct ctx_turn *turn, char line[NAME],
    struct seen *seen)
{
	const struct ctx_rec *rec = turn->convo->rec;
	struct ctx_str *name = &seen->lean.name;
	char *p = line + NAME;

	if (turn->strand != NULL) {
		name->p = turn->strand->key;
		name->len = (uint32_t)(turn->strand->keylen +
		    turn->strand->sublen);
		return;
	}
	p = put_number(p, rec->item);
	*--p = ':';
	p = put_number(p, rec->line);
	*name = (struct ctx_str){ p, (uint32_t)(line + NAME - p) };
}

/* Apply all policies to one turn and settle the plan. */
static int
plan_turn(struct ctx_clean *k, const struct ctx_turn *turn, struct seen *seen,
    struct ctx_err *err)
{
	const struct ctx_clean_opts *o = &k->opts;
	struct ctx_convo *c = turn->convo;
	char name[NAME];

	name_conversation(turn, name, seen);
	k->opts.links.last = turn->last;
	k->opts.links.lines = turn->strand != NULL;
	k->opts.links.chain = turn->strand != NULL &&
	    turn->strand->chain.form != NULL ? &turn->strand->chain : NULL;
	if (plan_branch(k, turn, seen, err) == -1 ||
	    ctx_lean_plan(&k->work, &k->plan, c, &seen->lean, &o->lean,
	    err) == -1 ||
	    ctx_surrogate_plan(&k->plan, c, o->report, err) == -1 ||
	    ctx_session_plan(&k->session, &k->plan, o->check, o->report,
	    err) == -1 ||
	    (!o->check && ctx_session_end(&k->session, &k->plan, o->report,
	    err) == -1) ||
	    (o->check && ctx_check_turn(&k->check, &k->plan, c,
	    &seen->checked, turn->last, err) == -1))
		return -1;
	k->figures.pruned += k->work.npruned;
	ctx_plan_settle(&k->plan);
	return o->merge ? ctx_merge_runs(&k->edit, &k->plan, c, o->report,
	    err) : 0;
}

static int
write_turn(struct ctx_clean *k, const struct ctx_turn *turn, struct ctx_err *err)
{
	k->edit.by_len = 0;
	/* what stays as it is is linked */
	k->edit.chain = turn->strand != NULL &&
	    turn->strand->chain.form != NULL &&
	    (k->plan.changed || !turn->last) ? &turn->strand->chain : NULL;
	if (turn->strand != NULL) {
		k->edit.by = k->job.turns.by;
		k->edit.by_value = turn->strand->key;
		k->edit.by_len = turn->strand->keylen;
	}
	k->job.changed |= k->plan.changed;
	k->figures.rewritten += k->plan.nrewrite - k->plan.ncut;
	if (ctx_edit_turn(&k->edit, &k->plan, turn->convo, err) == -1 ||
	    ctx_clean_put_links(k, turn->convo, err) == -1)
		return -1;
	return ctx_job_put_turn(&k->job, turn->convo, &k->edit, err);
}

static int
clean_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct seen whole = { 0 }, *seen = &whole;
	struct ctx_strand *th = turn->strand;
	struct ctx_clean *k = job;
	int rc;

	if (th != NULL) {
		if (th->state == NULL)
			th->state = calloc(1, sizeof(*seen));
		if ((seen = th->state) == NULL)
			return ctx_fail_nomem(err);
	}
	rc = plan_turn(k, turn, seen, err);
	if (rc == 0)
		rc = ctx_clean_put_odd(k, turn->convo, err);
	if (rc == 0)
		rc = ctx_clean_put_rows(k, turn->convo, err);
	if (rc == 0) {
		k->figures.records += turn->convo->nrec;
		if (!k->opts.check)
			rc = write_turn(k, turn, err);
	}
	ctx_lean_seen_done(&whole.lean);
	return rc;
}

/* Once all calls have results, nothing later can change the turn. */
static int
clean_complete(struct ctx_convo *open, void *job)
{
	struct ctx_clean *k = job;

	return ctx_pair(&k->linker.pairer, open, NULL) == 0 &&
	    ctx_pair_complete(open);
}

/* --- the job ----------------------------------------------------------- */

/* Without rules of its own, which take a while to make. */
static struct ctx_job *
clean_totals(const struct ctx_job *job, struct ctx_err *err)
{
	return ctx_clean_new(&((const struct ctx_clean *)job)->opts, err);
}

static struct ctx_job *
clean_another(const struct ctx_job *job, struct ctx_err *err)
{
	const struct ctx_clean *from = (const struct ctx_clean *)job;
	struct ctx_clean *k;
	struct ctx_job *j = ctx_clean_new(&from->opts, err);

	if (j == NULL)
		return NULL;
	k = (struct ctx_clean *)j;
	if (from->opts.cost != NULL && from->opts.cost->ready) {
		if (ctx_cost_like(&k->own_cost, from->opts.cost, err) == -1)
			goto fail;
		k->opts.cost = &k->own_cost;
	}
	if (from->opts.lean.redact != NULL) {
		k->own_redact = ctx_redact_like(from->opts.lean.redact, err);
		if ((k->opts.lean.redact = k->own_redact) == NULL)
			goto fail;
	}
	return j;
fail:
	ctx_job_free(j);
	return NULL;
}

static void
clean_done(struct ctx_job *job)
{
	struct ctx_clean *k = (struct ctx_clean *)job;

	ctx_cost_done(&k->own_cost);
	ctx_redact_free(k->own_redact);
	ctx_linker_done(&k->linker);
	ctx_plan_done(&k->plan);
	ctx_edit_done(&k->edit);
	ctx_lean_done(&k->work);
	ctx_session_done(&k->session);
	ctx_ids_done(&k->ids);
	ctx_buf_done(&k->plain);
	ctx_buf_done(&k->safe);
	ctx_ledger_done(&k->ledger);
	free(k->named);
}

static const struct ctx_job_kind kind = {
	.turn = clean_turn,
	.complete = clean_complete,
	.free_state = free_seen,
	.another = clean_another,
	.totals = clean_totals,
	.sums = offsetof(struct ctx_clean, figures),
	.nsums = sizeof(struct ctx_clean_sums) / sizeof(uint64_t),
	.done = clean_done
};

struct ctx_job *
ctx_clean_new(const struct ctx_clean_opts *opts, struct ctx_err *err)
{
	struct ctx_clean *k = ctx_job_new(sizeof(*k), &kind, err);
	struct ctx_lean_opts *lean;

	if (k == NULL)
		return NULL;
	k->opts = *opts;
	lean = &k->opts.lean;
	k->check.api = opts->api;
	k->check.model = opts->model;
	if (opts->api != NULL) {
		k->opts.links.without_for =
		    ctx_dialect_find(opts->api->dialect);
		k->opts.links.without = opts->api->without;
	}
	lean->tell = k->opts.images.tell = k->opts.links.tell = opts->report;
	lean->notes = lean->result.notes = lean->message.notes = opts->notes;
	lean->result.shrinks = lean->message.shrinks = 1;
	k->opts.links.notes = k->opts.images.notes = opts->notes;
	lean->only_find = opts->check;
	lean->drop_empty = opts->links.drop_empty;
	if (opts->cost != NULL && opts->cost->ready)
		lean->count = lean->result.count = lean->message.count =
		    count;
	lean->arg = lean->result.arg = lean->message.arg = k;
	k->job.turns.chained = 1;
	k->job.turns.branch = CTX_BRANCH_ALL;
	k->job.turns.whole = ctx_lean_needs_all(lean) ||
	    opts->images.how != CTX_IMAGES_KEEP || opts->merge ||
	    /* what a model refuses depends on which message is the last */
	    (opts->check && opts->model != NULL);
	return &k->job;
}

const struct ctx_clean_sums *
ctx_clean_figures(const struct ctx_job *j)
{
	return &((const struct ctx_clean *)j)->figures;
}
