/* SPDX-License-Identifier: MIT */
/* The job of ctx-summarize: what goes, and its summary; see fold_job.h. */
#include "job/fold_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/when.h"
#include "decide/summary.h"
#include "extract/glyph.h"
#include "job/fold_job_impl.h"
#include "redact/redact.h"

/* --- costs ------------------------------------------------------------- */

int
ctx_fold_job_cost(void *arg, const char *text, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_fold_job *k = arg;

	return ctx_cost_text(k->opts.cost, text, len, n, err);
}

/* Measure the frame of the summary, and what it leaves for its text. */
static int
measure_frame(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_fold_frame *fr = &f->frame;
	const struct ctx_charge *r = ctx_charge_of(k->opts.cost, f->c);
	const uint64_t overhead = r == NULL ? k->opts.cost->overhead :
	    r->message + r->answer;
	struct ctx_buf b = { 0 }, none = { 0 };
	uint64_t reply = 0;
	int rc;

	rc = ctx_fold_job_head(k, f, &none, &b, err);
	if (rc == 0)
		rc = ctx_fold_job_cost(k, b.data, b.len, &fr->head, err);
	fr->head_size = ctx_glyph_size(b.data, b.len);
	fr->all = fr->head + overhead;
	if (rc == 0 && ctx_fold_job_replies(k, f)) {
		rc = ctx_fold_job_cost(k, CTX_SUMMARY_REPLY,
		    strlen(CTX_SUMMARY_REPLY), &reply, err);
		fr->all += reply + overhead;
	}
	ctx_buf_done(&b);
	f->most = ctx_fold_job_less(f->folded_tokens, fr->all + 1);
	if (f->most > ctx_fold_job_less(f->room, fr->all))
		f->most = ctx_fold_job_less(f->room, fr->all);
	if (f->most > ctx_fold_job_less(k->opts.max_tokens, fr->head))
		f->most = ctx_fold_job_less(k->opts.max_tokens, fr->head);
	return rc;
}

/* --- an earlier summary ------------------------------------------------ */

/*
 * The message of the last summary that replaces all before it, if its text can be
 * read; CTX_NONE if there is none.  Sets f->begin.
 */
static uint32_t
find_boundary(struct ctx_fold_convo *f)
{
	const struct ctx_convo *c = f->c;
	uint32_t m = c->nmsg, n;

	while (m > 0 && !(c->msg[m - 1].flags & CTX_BOUNDARY))
		m--;
	if (m-- == 0)
		return CTX_NONE;
	f->begin = m;
	/* messages that are still sent may come before it in its record */
	for (n = m; n < c->nmsg && c->msg[n].rec == c->msg[m].rec; n++)
		if (c->msg[n].flags & CTX_SUMMARY && !ctx_msg_sealed(c, n) &&
		    ctx_summary_text(c, n, NULL).len > 0)
			return n;
	return CTX_NONE;
}

/* The turns that another program's summary replaced. */
static uint64_t
turns_before(const struct ctx_fold_job *k, const struct ctx_fold_convo *f)
{
	uint64_t n = 0;
	uint32_t m;

	for (m = 0; m < f->begin; m++)
		n += !k->groups.more[m] && !ctx_fold_job_fixed(f->c, m);
	return n;
}

/* Find an earlier summary, at a boundary or at the head of the stream. */
static int
find_old(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_convo *c = f->c;
	struct ctx_str text;
	uint32_t m;

	f->old = find_boundary(f);
	m = f->first = f->begin;
	if (f->old == CTX_NONE) {
		while (m < c->nmsg && c->msg[m].role == CTX_SYSTEM &&
		    !ctx_summary_is(c, m, NULL, NULL))
			m++;
		f->first = m;
		if (m == c->nmsg || !ctx_summary_is(c, m, NULL, NULL))
			return 0;
		f->old = m;
	}
	f->old_turns = turns_before(k, f);
	text = ctx_summary_text(c, f->old, &f->old_turns);
	m = f->old + 1;
	f->nold = m < c->nmsg && ctx_summary_is_reply(c, m) ? 2 : 1;
	if (f->old == f->first)
		f->first += f->nold;
	if (ctx_str_decode(&f->old_text, text.p, text.len) == -1)
		return ctx_fail_nomem(err);
	return ctx_fold_job_cost(k, f->old_text.data, f->old_text.len,
	    &f->old_tokens, err);
}

/* The digest of messages [0 .. n). */
static void
digest(const struct ctx_convo *c, uint32_t n, char out[CTX_SHA256_HEX])
{
	unsigned char raw[CTX_SHA256_LEN];
	const struct ctx_node *node;
	struct ctx_sha256 sha;
	struct ctx_doc doc;
	uint32_t m;

	ctx_sha256_init(&sha);
	for (m = 0; m < n; m++) {
		doc = ctx_convo_doc(c, c->msg[m].rec);
		node = &doc.node[c->msg[m].node];
		ctx_sha256_update(&sha, doc.raw + node->off, node->len);
		ctx_sha256_update(&sha, "\n", 1);
	}
	ctx_sha256_final(&sha, raw);
	ctx_sha256_text(raw, out);
}

/*
 * The key under which a conversation is remembered; a conversation line has the
 * member itself.
 */
static struct ctx_fold_memo
memo_of(const struct ctx_fold_job *k, const struct ctx_fold_convo *f)
{
	const struct ctx_strand *th = f->strand;
	const char *by = k->job.turns.by;
	struct ctx_doc doc = ctx_convo_doc(f->c, 0);
	struct ctx_fold_memo m = { .users = UINT64_MAX };
	uint32_t v = CTX_NONE;

	if (th == NULL && by != NULL)
		v = CTX_GIVEN(&doc, 0, by);
	if (v != CTX_NONE) {
		m.key = doc.raw + doc.node[v].off;
		m.keylen = doc.node[v].len;
	}
	if (th != NULL && th->keylen > 0) {
		m.key = th->key;
		m.keylen = th->keylen;
	}
	if (th != NULL && th->sublen > 0) {
		m.side = th->key + th->keylen;
		m.sidelen = th->sublen;
	}
	return m;
}

/* Is the beginning remembered?  Then its summary is the earlier one. */
static int
recall(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct ctx_err *err)
{
	struct ctx_row anew = { .what = CTX_FOLD_ROW_ANEW };
	struct ctx_fold_memo m = memo_of(k, f);
	char hex[CTX_SHA256_HEX];
	int rc = k->opts.recall(k->opts.memo_arg, &m, err);

	if (rc != 1 || m.summarylen == 0 || m.upto <= f->begin ||
	    m.upto > f->c->nmsg)
		return rc == -1 ? -1 : 0;
	digest(f->c, (uint32_t)m.upto, hex);
	if (strcmp(hex, m.sha256) != 0)
		return ctx_job_put_row(&k->job, &anew, err);
	/* a summary at the head of the stream is older */
	ctx_buf_reset(&f->old_text);
	ctx_buf_add(&f->old_text, m.summary, m.summarylen);
	f->old_turns = m.turns;
	f->recalled = 1;
	f->guess = m.users == UINT64_MAX;
	if (m.users < m.upto)
		f->users_before = m.users > f->begin ? (uint32_t)m.users :
		    f->begin;
	if (m.upto > f->first)
		f->first = (uint32_t)m.upto;
	if (ctx_buf_fail(&f->old_text, err) == -1)
		return -1;
	return ctx_fold_job_cost(k, f->old_text.data, f->old_text.len,
	    &f->old_tokens, err);
}

static int
remember(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_fold_memo m = memo_of(k, f);
	char hex[CTX_SHA256_HEX];

	digest(f->c, f->cut, hex);
	m.summary = f->summary.data;
	m.summarylen = f->summary.len;
	m.tokens = f->summary_tokens;
	m.turns = f->old_turns + f->turns;
	m.upto = f->cut;
	m.users = f->users < f->cut ? f->users : f->cut;
	m.sha256 = hex;
	return k->opts.remember(k->opts.memo_arg, &m, err);
}

/* --- summarizing ------------------------------------------------------- */

/* By how many tokens the new messages are larger than their room. */
static int
excess(struct ctx_fold_job *k, const struct ctx_fold_convo *f, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc;

	*n = 0;
	if (f->room == UINT64_MAX)
		return 0;
	rc = ctx_fold_job_head(k, f, &f->summary, &b, err);
	if (rc == 0)
		rc = ctx_fold_job_cost(k, b.data, b.len, n, err);
	*n = ctx_fold_job_less(*n + f->frame.all - f->frame.head,
	    f->room);
	ctx_buf_done(&b);
	return rc;
}

/*
 * Extract a summary of x->budget tokens, or of fewer if the parts of a text cost
 * less than the whole.  Returns 0, 1 if there is none, -1 with *err.
 */
static int
extract(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_extract *x, struct ctx_err *err)
{
	uint64_t over;

	for (; x->budget >= CTX_FOLD_TEXT_MIN;
	    x->budget = ctx_fold_job_less(x->budget, over)) {
		ctx_buf_reset(&f->summary);
		if (ctx_extract(f->said, f->nsaid, x, &f->summary, err) == -1)
			return -1;
		if (f->summary.len == 0)
			return 1;
		if (excess(k, f, &over, err) == -1)
			return -1;
		if (over == 0)
			return 0;
	}
	return 1;
}

/* Summarize offline, within the limit and in fewer tokens than are replaced. */
static int
summarize_offline(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_extract x = { f->most, 0, ctx_fold_job_cost, k };

	x.size = ctx_fold_job_less(k->opts.max_tokens, f->frame.head_size);
	f->engine = CTX_FOLD_OFFLINE;
	return x.size == 0 ? 1 : extract(k, f, &x, err);
}

/* Look for the facts, if anybody wants to know; fail if too few were kept. */
static int
check_facts(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	const struct ctx_ratio *min = &k->opts.min_facts;

	if (k->opts.to == CTX_FOLD_TO_ANSWER ||
	    (!k->opts.facts && min->num == 0))
		return 0;
	if (ctx_fold_job_look(k, f, err) == -1)
		return -1;
	if (min->num == 0 ||
	    f->facts.found >= ctx_ratio_up(*min, f->facts.n))
		return 0;
	return ctx_fail(err, CTX_ENO, "the summary has only %zu of %zu facts",
	    f->facts.found, f->facts.n);
}

static int
put_offline(struct ctx_fold_job *k, const struct ctx_err *why,
    struct ctx_err *err)
{
	struct ctx_row row = { .what = CTX_FOLD_ROW_OFFLINE,
	    .text = why->text, .textlen = strlen(why->text) };

	return ctx_job_put_row(&k->job, &row, err);
}

/* Make a new summary.  Returns 0, 1 if none can be made, -1 with *err. */
static int
make_summary(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int rc;

	if (k->opts.ask != NULL) {
		rc = ctx_fold_job_asked(k, f, &why);
		if (rc == 0)
			rc = check_facts(k, f, &why);
		if (rc != -1)
			return rc;
		if (!k->opts.fallback || (why.code != CTX_EREMOTE &&
		    why.code != CTX_ENO)) {
			*err = why;
			return -1;
		}
		if (put_offline(k, &why, err) == -1)
			return -1;
	}
	rc = summarize_offline(k, f, err);
	return rc == 0 ? check_facts(k, f, err) : rc;
}

/* --- one conversation -------------------------------------------------- */

/* Add the facts that were found, or were not, as a list of strings. */
static void
add_list(struct ctx_buf *b, const struct ctx_lasting *facts, int found)
{
	const char *between = "";
	size_t i;

	for (i = 0; i < facts->n; i++) {
		if (facts->v[i].found != found)
			continue;
		ctx_buf_addf(b, "%s\"", between);
		ctx_str_encode(b, facts->v[i].key.p, facts->v[i].key.len);
		ctx_buf_addc(b, '"');
		between = ",";
	}
}

/* Add the decisions that were not found. */
static void
add_lost(struct ctx_buf *b, const struct ctx_lasting *facts)
{
	const char *between = "";
	size_t i;

	for (i = 0; i < facts->ndecided; i++) {
		if (facts->decided[i].found)
			continue;
		ctx_buf_addf(b, "%s\"", between);
		ctx_str_encode(b, facts->decided[i].text.p,
		    facts->decided[i].text.len);
		ctx_buf_addc(b, '"');
		between = ",";
	}
}

/* Report which facts were kept, before the result. */
static int
put_facts(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_row row = { .what = CTX_FOLD_ROW_FACTS };
	struct ctx_buf b = { 0 };
	int rc;

	if (!f->looked || !k->opts.facts || (f->turns == 0 &&
	    f->failed != CTX_ENO))
		return 0;
	ctx_buf_addf(&b, "\"facts\":%zu,\"facts_kept\":[", f->facts.n);
	add_list(&b, &f->facts, 1);
	ctx_buf_adds(&b, "],\"facts_lost\":[");
	add_list(&b, &f->facts, 0);
	ctx_buf_addf(&b, "],\"decisions\":%zu,\"decisions_lost\":[",
	    f->facts.ndecided);
	add_lost(&b, &f->facts);
	ctx_buf_addc(&b, ']');
	if (f->engine == CTX_FOLD_ASKED)
		ctx_buf_addf(&b, ",\"facts_written\":%zu,\"asked_again\":%s",
		    f->written, f->again ? "true" : "false");
	row.text = b.data;
	row.textlen = b.len;
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = ctx_job_put_row(&k->job, &row, err);
	ctx_buf_done(&b);
	return rc;
}

/* Add the result to the totals and report it with the reason. */
static int
put_done(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const char *why, struct ctx_err *err)
{
	struct ctx_fold_memo m = memo_of(k, f);
	struct ctx_row row = { .what = CTX_FOLD_ROW_DONE,
	    .rule = f->failed == CTX_ENO ? "refused" : f->failed != CTX_OK ?
	    "failed" : f->turns > 0 ? "folded" : "unchanged", .name = m.key,
	    .namelen = m.keylen, .text = why, .textlen = strlen(why), .n = {
		[CTX_FOLD_N_TURNS] = f->turns,
		[CTX_FOLD_N_KEPT] = f->kept,
		[CTX_FOLD_N_ALL] = f->old_turns + f->turns,
		[CTX_FOLD_N_TOKENS] = f->folded_tokens,
		[CTX_FOLD_N_SUMMARY] = f->summary_tokens,
		[CTX_FOLD_N_MS] = f->ms,
		[CTX_FOLD_N_ENGINE] = f->engine,
		[CTX_FOLD_N_TRIES] = f->q.tries,
		[CTX_FOLD_N_PROMPT] = (uint64_t)f->q.prompt_tokens,
		[CTX_FOLD_N_CACHED] = (uint64_t)f->q.cached_tokens,
		[CTX_FOLD_N_OUTPUT] = (uint64_t)f->q.output_tokens
	    } };

	k->sums.conversations++;
	k->sums.failed += f->failed != CTX_OK;
	if (f->turns > 0) {
		k->sums.folded++;
		k->sums.turns += f->turns;
		k->sums.tokens += f->folded_tokens;
		k->sums.summary_tokens += f->summary_tokens;
	}
	if (put_facts(k, f, err) == -1)
		return -1;
	return ctx_job_put_row(&k->job, &row, err);
}

/* There is no summary: keep the input and report why. */
static int
fail(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    const struct ctx_err *why, struct ctx_err *err)
{
	if (why->code != CTX_EREMOTE && why->code != CTX_ENO) {
		*err = *why;
		return -1;
	}
	f->failed = why->code;
	ctx_fold_job_leave(k, f);
	if (put_done(k, f, why->text, err) == -1)
		return -1;
	return k->opts.to != CTX_FOLD_TO_STREAM ? 0 :
	    ctx_fold_job_write_same(k, f, err);
}

/* Keep the conversation as it is, with any earlier summary in place. */
static int
keep_old(const struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	ctx_fold_job_leave(k, f);
	ctx_buf_reset(&f->summary);
	ctx_buf_add(&f->summary, f->old_text.data, f->old_text.len);
	f->summary_tokens = f->old_tokens;
	return ctx_buf_fail(&f->summary, err);
}

/* Write the answer of ask as it is. */
static int
write_question(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	if (ctx_fold_job_ask(k, f, err) == -1)
		return -1;
	return ctx_job_put(&k->job, CTX_TO_OUT, f->summary.data,
	    f->summary.len, NULL, err);
}

/* Write the conversation with its summary if rc is 0, without one if 1. */
static int
write_convo(struct ctx_fold_job *k, struct ctx_fold_convo *f, int rc,
    struct ctx_err *err)
{
	const char *why = f->why == CTX_FOLD_YES && rc == 1 ?
	    "no room for a summary" : ctx_fold_text(f->why);

	if (rc == 1 ? keep_old(k, f, err) == -1 : ctx_fold_job_cost(k, f->summary.data,
	    f->summary.len, &f->summary_tokens, err) == -1)
		return -1;
	if (put_done(k, f, why, err) == -1 ||
	    ctx_fold_job_write(k, f, err) == -1)
		return -1;
	return k->opts.remember != NULL && f->turns > 0 ?
	    remember(k, f, err) : 0;
}

static int
fold(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int64_t start;
	int rc = 1;

	if (ctx_groups_find(&k->groups, f->c, err) == -1 ||
	    find_old(k, f, err) == -1 ||
	    (k->opts.recall != NULL && recall(k, f, err) == -1) ||
	    ctx_fold_job_plan(k, f, err) == -1)
		return -1;
	if (f->why == CTX_FOLD_YES) {
		if (ctx_fold_job_gather(f, err) == -1 ||
		    measure_frame(k, f, err) == -1)
			return -1;
		if (k->opts.to == CTX_FOLD_TO_QUESTION)
			return write_question(k, f, err);
		start = ctx_when_now();
		rc = make_summary(k, f, &why);
		/* the clock may have been set back */
		f->ms = ctx_fold_job_less((uint64_t)ctx_when_now(), (uint64_t)start) / 1000;
		if (rc == -1)
			return fail(k, f, &why, err);
	}
	return write_convo(k, f, rc, err);
}

/* --- the job ----------------------------------------------------------- */

static int
fold_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_fold_job *k = job;
	struct ctx_fold_convo f = { .c = turn->convo, .strand = turn->strand,
	    .users = CTX_NONE, .users_before = CTX_NONE,
	    .q = { .prompt_tokens = -1, .cached_tokens = -1,
	    .output_tokens = -1 } };
	int rc;

	/* after a bad line, nothing of the conversation is written */
	if (turn->strand != NULL && k->job.cut_off)
		return 0;
	rc = fold(k, &f, err);
	free(f.said);
	ctx_buf_done(&f.text);
	ctx_doc_done(&f.args);
	ctx_buf_done(&f.old_text);
	ctx_buf_done(&f.summary);
	ctx_lasting_done(&f.facts);
	return rc;
}

/* Without rules and a tokenizer of its own, which take a while to make. */
static struct ctx_job *
fold_totals(const struct ctx_job *job, struct ctx_err *err)
{
	struct ctx_job *j = ctx_fold_job_new(&((const struct ctx_fold_job *)
	    job)->opts, err);
	struct ctx_fold_job *k = (struct ctx_fold_job *)j;

	if (j != NULL)
		k->opts.cost = &k->own_cost;
	return j;
}

static void
fold_add(struct ctx_job *to, struct ctx_job *from)
{
	const struct ctx_fold_job *f = (const struct ctx_fold_job *)from;
	const struct ctx_fold_job *t = (const struct ctx_fold_job *)to;

	ctx_charge_learn(t != NULL ? t->opts.cost : NULL, f->opts.cost);
}

static struct ctx_job *
fold_another(const struct ctx_job *job, struct ctx_err *err)
{
	const struct ctx_fold_job *from = (const struct ctx_fold_job *)job;
	struct ctx_job *j = ctx_fold_job_new(&from->opts, err);
	struct ctx_fold_job *k = (struct ctx_fold_job *)j;

	if (j == NULL)
		return NULL;
	if (ctx_cost_like(&k->own_cost, from->opts.cost, err) == -1) {
		ctx_job_free(j);
		return NULL;
	}
	k->opts.cost = &k->own_cost;
	if (from->opts.redact == NULL)
		return j;
	k->opts.redact = k->own_redact = ctx_redact_like(from->opts.redact,
	    err);
	if (k->own_redact == NULL) {
		ctx_job_free(j);
		return NULL;
	}
	return j;
}

static void
fold_done(struct ctx_job *job)
{
	struct ctx_fold_job *k = (struct ctx_fold_job *)job;

	ctx_fold_job_give_up(job);
	free(k->line);
	free(k->turn);
	free(k->turn_msg);
	ctx_groups_done(&k->groups);
	ctx_plan_done(&k->plan);
	ctx_edit_done(&k->edit);
	ctx_cost_done(&k->own_cost);
	ctx_redact_free(k->own_redact);
}

#define ONE_THREAD \
	.turn = fold_turn, \
	.file_end = ctx_fold_job_file_end, \
	.give_up = ctx_fold_job_give_up, \
	.done = fold_done

static const struct ctx_job_kind in_order = { ONE_THREAD };

static const struct ctx_job_kind kind = {
	ONE_THREAD,
	.another = fold_another,
	.totals = fold_totals,
	.sums = offsetof(struct ctx_fold_job, sums),
	.nsums = sizeof(struct ctx_fold_job_sums) / sizeof(uint64_t),
	.add = fold_add
};

struct ctx_job *
ctx_fold_job_new(const struct ctx_fold_job_opts *opts, struct ctx_err *err)
{
	struct ctx_fold_job *k = ctx_job_new(sizeof(*k), opts->ask != NULL ||
	    opts->recall != NULL ? &in_order : &kind, err);

	if (k == NULL)
		return NULL;
	k->job.turns.whole = k->job.turns.chained = 1;
	k->job.turns.branch = CTX_BRANCH_LAST;
	k->opts = *opts;
	k->opts.cost->lines = CTX_COST_LINES_ALL;
	return &k->job;
}

const struct ctx_fold_job_sums *
ctx_fold_job_figures(const struct ctx_job *j)
{
	return &((const struct ctx_fold_job *)j)->sums;
}
