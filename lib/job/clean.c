/* SPDX-License-Identifier: MIT */
/* The job of ctx-clean; see clean.h. */
#include "job/clean.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "edit/ledger.h"
#include "edit/merge.h"

struct clean {
	struct ctx_job job;
	struct ctx_clean_opts opts;
	struct ctx_clean_sums figures;
	struct ctx_cost own_cost;	/* in a copy of a job; opts.cost points
					   to it */
	struct ctx_redact *own_redact;	/* likewise */
	/* working storage */
	struct ctx_linker linker;
	struct ctx_check check;
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_lean work;
	struct ctx_ids ids;
	struct ctx_buf plain;
	struct ctx_ledger ledger;	/* for paths */
};

/* What is remembered of a conversation between its turns. */
struct seen {
	struct ctx_links links;
	struct ctx_check_seen checked;
	struct ctx_lean_seen lean;
};

/* --- tokens ------------------------------------------------------------ */

/* The number of characters that the first want of k->ids spell in k->plain. */
static uint64_t
chars_of(struct clean *k, uint64_t want)
{
	size_t i, bytes = 0, len;

	for (i = 0; i < want && i < k->ids.n; i++) {
		ctx_tok_bytes(k->opts.cost->choice.tok, k->ids.id[i], &len);
		bytes += len;
	}
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
	struct clean *k = arg;
	struct ctx_cost *cost = k->opts.cost;

	if (ctx_counter_json(&cost->counter, s.p, s.len, total, err) == -1)
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
	*chars = chars_of(k, want);
	return 0;
}

/* --- rows -------------------------------------------------------------- */

static int
put_fault(struct clean *k, const struct ctx_convo *c,
    const struct ctx_finding *f, struct ctx_err *err)
{
	uint32_t rec = f->rec != CTX_NONE ? f->rec : c->msg[f->msg].rec;
	struct ctx_row row = { .what = CTX_CLEAN_FAULT };
	uint32_t node = f->node;
	char text[256];

	if (node == CTX_NONE)
		node = c->msg[f->msg].node;
	if (f->part != CTX_NONE &&
	    c->part[f->part].place[0].node != CTX_NONE)
		node = c->part[f->part].place[0].node;
	snprintf(text, sizeof(text), "%s%s%s",
	    ctx_fault_texts[f->fault].about, f->detail != NULL ? ": " : "",
	    f->detail != NULL ? f->detail : "");
	row.rule = ctx_fault_texts[f->fault].id;
	row.line = c->rec[rec].line;
	row.col = (uint64_t)c->doc.node[node].off + 1;
	row.text = text;
	row.textlen = strlen(text);
	row.n[0] = (uint64_t)f->warning;
	return ctx_job_put_row(&k->job, &row, err);
}

/* Report the records and elements that are not understood. */
static int
put_odd(struct clean *k, const struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_finding f = { .fault = CTX_F_UNKNOWN, .msg = CTX_NONE,
	    .part = CTX_NONE };
	uint32_t i;

	for (i = 0; i < c->nodd && k->opts.check; i++) {
		f.rec = c->odd[i].rec;
		f.node = c->odd[i].node;
		k->figures.fault[CTX_F_UNKNOWN]++;
		if (put_fault(k, c, &f, err) == -1)
			return -1;
	}
	return 0;
}

static int
count_text(struct clean *k, struct ctx_str json, uint64_t *n,
    struct ctx_err *err)
{
	return json.p == NULL ? 0 : ctx_counter_json(
	    &k->opts.cost->counter, json.p, json.len, n, err);
}

/* What becomes of a node. */
struct fare {
	uint32_t rec, node;
	struct ctx_str before, after;	/* its text; .p may be NULL */
};

/* Report that; row has the fare itself, the rule, and the text. */
static int
put_fare(struct clean *k, const struct ctx_convo *c, struct ctx_row *row,
    const struct fare *f, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, f->rec);
	struct ctx_str path;

	row->what = CTX_CLEAN_CHANGE;
	row->line = c->rec[f->rec].line;
	row->n[1] = ctx_node_values(&doc, f->node);
	row->n[2] = f->before.p != NULL ? f->before.len :
	    doc.node[f->node].len;
	row->n[3] = f->after.len;
	if (count_text(k, f->before, &row->n[4], err) == -1 ||
	    count_text(k, f->after, &row->n[5], err) == -1)
		return -1;
	path = ctx_ledger_path(&k->ledger, c, f->rec, f->node);
	if (path.p == NULL)
		return ctx_fail_nomem(err);
	row->name = path.p;
	row->namelen = path.len;
	return ctx_job_put_row(&k->job, row, err);
}

static int
put_change(struct clean *k, const struct ctx_convo *c,
    const struct ctx_change *ch, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, ch->rec);
	struct ctx_row row = { .rule = ch->rule, .text = ch->id.p,
	    .textlen = ch->id.len, .n = { ch->gone ? CTX_LEFT_OUT :
	    CTX_REFORMED } };
	struct fare f = { .rec = ch->rec, .before = ch->before };

	f.node = ch->before.p != NULL ? ctx_node_at(&doc,
	    c->rec[ch->rec].root, ch->before.p) : ch->msg != CTX_NONE ?
	    c->msg[ch->msg].node : c->rec[ch->rec].root;
	if (!ch->gone) {
		f.after.p = k->plan.bytes.data + ch->off;
		f.after.len = (uint32_t)ch->len;
	}
	return put_fare(k, c, &row, &f, err);
}

static int
put_keep(struct clean *k, const struct ctx_keep *keep, struct ctx_err *err)
{
	struct ctx_row row = { .what = CTX_CLEAN_KEEP, .n = { keep->kind },
	    .name = keep->name, .namelen = strlen(keep->name),
	    .text = k->plan.bytes.data + keep->off, .textlen = keep->len };

	return ctx_job_put_row(&k->job, &row, err);
}

/* What the plan does about a fault. */
static enum ctx_fare
fare_of(const struct ctx_plan *p, const struct ctx_finding *f)
{
	if (f->fault == CTX_F_REUSED_ID)
		return CTX_RENAMED;
	if (f->part != CTX_NONE ? p->drop_part[f->part] ||
	    p->drop_msg[f->msg] : f->msg != CTX_NONE && p->drop_msg[f->msg])
		return f->fault == CTX_F_MISPLACED ||
		    f->fault == CTX_F_NOT_FIRST ? CTX_MOVED : CTX_LEFT_OUT;
	/* a call that stays gets a result */
	return f->fault == CTX_F_UNANSWERED ? CTX_MADE : CTX_MOVED;
}

/* Set what is known of the part of a fault. */
static void
fare_of_part(struct clean *k, const struct ctx_convo *c, uint32_t i,
    struct ctx_row *row, struct fare *f)
{
	const struct ctx_part *p = &c->part[i];
	const struct ctx_swap *swap = ctx_plan_swapped(&k->plan, i, 1);

	if (p->place[0].node != CTX_NONE)
		f->node = p->place[0].node;
	row->text = p->id.p;
	row->textlen = p->id.len;
	if (row->n[0] == CTX_LEFT_OUT)
		f->before = ctx_part_text(c, i);
	if (row->n[0] != CTX_RENAMED || swap == NULL)
		return;
	row->text = k->plan.bytes.data + swap->off;
	row->textlen = swap->len;
	if (p->idnode != CTX_NONE)
		f->node = p->idnode;
}

/* Report what was done about a fault. */
static int
put_fixed(struct clean *k, const struct ctx_convo *c,
    const struct ctx_finding *found, struct ctx_err *err)
{
	struct ctx_row row = { .rule = ctx_fault_texts[found->fault].id };
	struct fare f = { .rec = found->rec, .node = found->node };

	if (found->fault == CTX_F_SECRET || !found->fixed)
		return 0;
	row.n[0] = fare_of(&k->plan, found);
	if (f.rec == CTX_NONE)
		f.rec = c->msg[found->msg].rec;
	if (f.node == CTX_NONE)
		f.node = found->msg != CTX_NONE ? c->msg[found->msg].node :
		    c->rec[f.rec].root;
	if (found->part != CTX_NONE)
		fare_of_part(k, c, found->part, &row, &f);
	return put_fare(k, c, &row, &f, err);
}

/* Report everything about the planned turn. */
static int
put_rows(struct clean *k, const struct ctx_convo *c, struct ctx_err *err)
{
	const struct ctx_plan *p = &k->plan;
	uint32_t i;

	ctx_ledger_reset(&k->ledger);
	for (i = 0; i < p->nkeep; i++)
		if (put_keep(k, &p->keep[i], err) == -1)
			return -1;
	for (i = 0; i < p->nchange; i++)
		if (put_change(k, c, &p->change[i], err) == -1)
			return -1;
	for (i = 0; i < p->nfinding; i++) {
		k->figures.fault[p->finding[i].fault]++;
		if (k->opts.check &&
		    put_fault(k, c, &p->finding[i], err) == -1)
			return -1;
		if (k->opts.report &&
		    put_fixed(k, c, &p->finding[i], err) == -1)
			return -1;
	}
	return 0;
}

/* --- a turn ------------------------------------------------------------ */

static void
seen_done(struct seen *seen)
{
	ctx_lean_seen_done(&seen->lean);
}

static void
free_seen(void *state)
{
	seen_done(state);
	free(state);
}

/* Apply all policies to one turn and settle the plan. */
static int
plan_turn(struct clean *k, const struct ctx_turn *turn, struct seen *seen,
    struct ctx_err *err)
{
	const struct ctx_clean_opts *o = &k->opts;
	struct ctx_convo *c = turn->convo;

	k->opts.links.last = turn->last;
	if (ctx_plan_reset(&k->plan, c, err) == -1 ||
	    (!o->check && (ctx_lean_drop(&k->plan, c, &o->lean, err) == -1 ||
	    ctx_images_plan(&k->plan, c, &o->images, err) == -1)) ||
	    ctx_links_plan(&k->linker, &k->plan, c, &seen->links, &o->links,
	    err) == -1 ||
	    ctx_lean_plan(&k->work, &k->plan, c, &seen->lean, &o->lean,
	    err) == -1 ||
	    (o->check && ctx_check_turn(&k->check, &k->plan, c,
	    &seen->checked, turn->last, err) == -1))
		return -1;
	ctx_plan_settle(&k->plan);
	return o->merge ? ctx_merge_runs(&k->plan, c, err) : 0;
}

static int
write_turn(struct clean *k, const struct ctx_turn *turn, struct ctx_err *err)
{
	k->edit.by_len = 0;
	if (turn->strand != NULL) {
		k->edit.by = k->job.turns.by;
		k->edit.by_value = turn->strand->key;
		k->edit.by_len = turn->strand->keylen;
	}
	k->job.changed |= k->plan.changed;
	k->figures.rewritten += k->plan.nrewrite;
	if (ctx_edit_turn(&k->edit, &k->plan, turn->convo, err) == -1)
		return -1;
	return ctx_job_put_turn(&k->job, turn->convo, &k->edit, err);
}

static int
clean_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct seen whole = { 0 }, *seen = &whole;
	struct ctx_strand *th = turn->strand;
	struct clean *k = job;
	int rc;

	if (th != NULL) {
		if (th->state == NULL)
			th->state = calloc(1, sizeof(*seen));
		if ((seen = th->state) == NULL)
			return ctx_fail_nomem(err);
	}
	rc = plan_turn(k, turn, seen, err);
	if (rc == 0)
		rc = put_odd(k, turn->convo, err);
	if (rc == 0)
		rc = put_rows(k, turn->convo, err);
	if (rc == 0) {
		k->figures.records += turn->convo->nrec;
		if (!k->opts.check)
			rc = write_turn(k, turn, err);
	}
	seen_done(&whole);
	return rc;
}

/* Once all calls have results, nothing later can change the turn. */
static int
clean_complete(struct ctx_convo *open, void *job)
{
	struct clean *k = job;

	return ctx_pair(&k->linker.pairer, open, NULL) == 0 &&
	    ctx_pair_complete(open);
}

/* --- the job ----------------------------------------------------------- */

static struct ctx_job *
clean_another(const struct ctx_job *job, struct ctx_err *err)
{
	const struct clean *from = (const struct clean *)job;
	struct clean *k;
	struct ctx_job *j = ctx_clean_new(&from->opts, err);

	if (j == NULL)
		return NULL;
	k = (struct clean *)j;
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
	struct clean *k = (struct clean *)job;

	ctx_cost_done(&k->own_cost);
	ctx_redact_free(k->own_redact);
	ctx_linker_done(&k->linker);
	ctx_plan_done(&k->plan);
	ctx_edit_done(&k->edit);
	ctx_lean_done(&k->work);
	ctx_ids_done(&k->ids);
	ctx_buf_done(&k->plain);
	ctx_ledger_done(&k->ledger);
}

static const struct ctx_job_kind kind = {
	.turn = clean_turn,
	.complete = clean_complete,
	.free_state = free_seen,
	.another = clean_another,
	.sums = offsetof(struct clean, figures),
	.nsums = sizeof(struct ctx_clean_sums) / sizeof(uint64_t),
	.done = clean_done
};

struct ctx_job *
ctx_clean_new(const struct ctx_clean_opts *opts, struct ctx_err *err)
{
	struct clean *k = ctx_job_new(sizeof(*k), &kind, err);
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
	lean->tell = k->opts.images.tell = opts->report;
	lean->only_find = opts->check;
	if (opts->cost != NULL && opts->cost->ready)
		lean->count = lean->result.count = lean->message.count =
		    count;
	lean->arg = lean->result.arg = lean->message.arg = k;
	k->job.turns.whole = ctx_lean_needs_all(lean) ||
	    opts->images.how != CTX_IMAGES_KEEP || opts->merge ||
	    /* what a model refuses depends on which message is the last */
	    (opts->check && opts->model != NULL);
	return &k->job;
}

const struct ctx_clean_sums *
ctx_clean_figures(const struct ctx_job *j)
{
	return &((const struct clean *)j)->figures;
}
