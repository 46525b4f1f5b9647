/* SPDX-License-Identifier: MIT */
/* Conversations of ctx-summarize: gathered, cut, summarized; see summarize.h. */
#include "cmd/summarize/summarize.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "extract/glyph.h"
#include "decide/group.h"
#include "decide/summary.h"

#define TEXT_MIN 8		/* tokens; a summary of fewer says nothing */

/* --- what costs what ----------------------------------------------------- */

int
fold_cost(void *arg, const char *text, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	struct summarize *s = arg;

	return ctx_counter_text(&s->cost.counter, text, len, n, err);
}

/* What the new messages cost besides the summary's own text. */
struct frame {
	uint64_t head;		/* the marker; --max-tokens limits it with the
				   text */
	uint64_t head_size;	/* the same as ctx_glyph_size has it */
	uint64_t all;		/* with overhead and reply */
};

static int
measure_frame(struct summarize *s, const struct fold_job *j,
    struct frame *f, struct ctx_err *err)
{
	struct ctx_buf b = { 0 }, none = { 0 };
	uint64_t reply = 0;
	int rc;

	rc = fold_head(&b, s->to == TO_TEXT ? FOLD_TEXT_HEAD :
	    CTX_SUMMARY_HEAD, j->old_turns + j->turns, &none, err);
	if (rc == 0)
		rc = fold_cost(s, b.data, b.len, &f->head, err);
	f->head_size = ctx_glyph_size(b.data, b.len);
	f->all = f->head + s->cost.overhead;
	if (rc == 0 && fold_has_reply(s, j)) {
		rc = fold_cost(s, CTX_SUMMARY_REPLY,
		    strlen(CTX_SUMMARY_REPLY), &reply, err);
		f->all += reply + s->cost.overhead;
	}
	ctx_buf_done(&b);
	return rc;
}

/* --- the plan -------------------------------------------------------------- */

/* Pair and group; s->more is filled. */
static int
group(struct summarize *s, struct ctx_convo *c, struct ctx_err *err)
{
	unsigned char *more;

	if (ctx_pair(&s->pairer, c, err) == -1)
		return -1;
	more = ctx_grow(s->more, c->nmsg, &s->capmore, 1);
	if (more == NULL)
		return ctx_fail_nomem(err);
	s->more = more;
	ctx_group_marks(c, more);
	return 0;
}

/* Take up an earlier summary that stands at the head of the stream. */
static int
find_old(struct summarize *s, struct fold_job *j, struct ctx_err *err)
{
	struct ctx_convo *c = j->c;
	struct ctx_str text;
	uint32_t m = 0;

	j->old = CTX_NONE;
	while (m < c->nmsg && c->msg[m].role == CTX_SYSTEM &&
	    !ctx_summary_is(c, m, NULL, NULL))
		m++;
	j->first = m;
	if (m == c->nmsg || !ctx_summary_is(c, m, &j->old_turns, &text))
		return 0;
	j->old = m;
	j->nold = m + 1 < c->nmsg && ctx_summary_is_reply(c, m + 1) ? 2 : 1;
	j->first = m + j->nold;
	if (ctx_str_decode(&j->old_text, text.p, text.len) == -1)
		return ctx_fail_nomem(err);
	return ctx_counter_text(&s->cost.counter, j->old_text.data,
	    j->old_text.len, &j->old_tokens, err);
}

/* A turn that begins with message m. */
static int
add_turn(struct summarize *s, uint32_t m, struct ctx_err *err)
{
	struct ctx_fold_turn *t;
	uint32_t *at;

	t = ctx_grow(s->turn, s->nturn, &s->capturn, sizeof(*t));
	if (t == NULL)
		return ctx_fail_nomem(err);
	s->turn = t;
	at = ctx_grow(s->turn_msg, s->nturn, &s->capturn_msg, sizeof(*at));
	if (at == NULL)
		return ctx_fail_nomem(err);
	s->turn_msg = at;
	t[s->nturn] = (struct ctx_fold_turn){ 0 };
	at[s->nturn++] = m;
	return 0;
}

/* Has message m a call that waits for its result? */
static int
waits(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint32_t i;

	for (i = msg->part; i < msg->part + msg->npart; i++)
		if (c->part[i].kind == CTX_CALL &&
		    c->part[i].mate == CTX_NONE &&
		    !(c->part[i].flags & CTX_SERVER))
			return 1;
	return 0;
}

/* The turns behind the earlier summary. */
static int
list_turns(struct summarize *s, const struct fold_job *j,
    struct ctx_err *err)
{
	const struct ctx_convo *c = j->c;
	struct ctx_fold_turn *t;
	uint64_t n;
	uint32_t m;

	s->nturn = 0;
	for (m = j->first; m < c->nmsg; m++) {
		if (c->msg[m].role == CTX_SYSTEM)
			continue;
		if ((s->nturn == 0 || !s->more[m]) &&
		    add_turn(s, m, err) == -1)
			return -1;
		t = &s->turn[s->nturn - 1];
		if (ctx_cost_msg(&s->cost, c, m, &n, err) == -1)
			return -1;
		t->cost += n;
		t->messages += !(c->msg[m].flags & CTX_JOINED);
		if (s->turn_msg[s->nturn - 1] == m &&
		    ctx_group_begins(c, m))
			t->flags |= CTX_FOLD_USER;
		if (waits(c, m))
			t->flags |= CTX_FOLD_OPEN;
	}
	if (s->nturn > 0 && s->turn[s->nturn - 1].flags & CTX_FOLD_USER)
		s->turn[s->nturn - 1].flags |= CTX_FOLD_OPEN;
	return 0;
}

/* Where the cut comes, in turns and messages, and what goes with it. */
static int
plan(struct summarize *s, struct fold_job *j, struct ctx_err *err)
{
	const struct ctx_convo *c = j->c;
	uint64_t n;
	size_t cut, i;
	uint32_t m;

	if (list_turns(s, j, err) == -1)
		return -1;
	j->why = ctx_fold_cut(&s->fold, s->turn, s->nturn, j->old_tokens,
	    &cut);
	/* a record is never cut in two */
	while (j->thread != NULL && cut > 0 && cut < s->nturn &&
	    c->msg[s->turn_msg[cut]].rec == c->msg[s->turn_msg[cut] - 1].rec)
		cut--;
	if (j->why == CTX_FOLD_YES && cut == 0)
		j->why = CTX_FOLD_LITTLE;
	j->turns = cut;
	j->kept = s->nturn - cut;
	j->cut = j->why != CTX_FOLD_YES ? j->first :
	    cut < s->nturn ? s->turn_msg[cut] : c->nmsg;
	for (i = 0; i < cut; i++)
		j->folded_tokens += s->turn[i].cost;
	for (m = j->old; j->old != CTX_NONE && m < j->old + j->nold; m++) {
		if (ctx_cost_msg(&s->cost, c, m, &n, err) == -1)
			return -1;
		j->folded_tokens += n;
	}
	return 0;
}

/* --- what was said --------------------------------------------------------- */

/* Decode s behind what is in j->text, which has room. */
static const char *
decode(struct fold_job *j, struct ctx_str s, int raw, size_t *len)
{
	size_t from = j->text.len;

	if (s.p == NULL)
		s.len = 0;
	else if (raw)
		ctx_buf_add(&j->text, s.p, s.len);
	else
		ctx_str_decode(&j->text, s.p, s.len);
	*len = j->text.len - from;
	return j->text.data + from;
}

static int
add_said(struct fold_job *j, const struct ctx_talk *said, struct ctx_err *err)
{
	struct ctx_talk *v = ctx_grow(j->said, j->nsaid, &j->capsaid,
	    sizeof(*v));

	if (v == NULL)
		return ctx_fail_nomem(err);
	j->said = v;
	v[j->nsaid++] = *said;
	return 0;
}

/* One part; result is the part number of the result that it stands in. */
static int
say_part(struct fold_job *j, uint32_t i, uint32_t result, struct ctx_err *err)
{
	const struct ctx_convo *c = j->c;
	const struct ctx_part *p = &c->part[i];
	struct ctx_str text = ctx_part_text(c, i), tool = { NULL, 0 };
	enum ctx_role role = c->msg[p->msg].role;
	struct ctx_talk said = { 0 };

	if (p->kind == CTX_CALL) {
		said.kind = CTX_TALK_CALL;
		tool = p->name;
	} else if (p->kind == CTX_RESULT || p->flags & CTX_INNER) {
		said.kind = CTX_TALK_RESULT;
		if (result != CTX_NONE && c->part[result].mate != CTX_NONE)
			tool = c->part[c->part[result].mate].name;
	} else
		said.kind = role == CTX_USER ? CTX_TALK_USER :
		    CTX_TALK_ASSISTANT;
	if (text.p == NULL && p->kind != CTX_CALL)
		return 0;
	said.text = decode(j, text, p->flags & CTX_RAW, &said.len);
	said.tool = decode(j, tool, 0, &said.toollen);
	return add_said(j, &said, err);
}

/* Room for all that is decoded, so that it never moves. */
static int
reserve(struct fold_job *j, struct ctx_err *err)
{
	const struct ctx_convo *c = j->c;
	size_t sum = 16, tool = 0;
	uint32_t i, end = j->cut < c->nmsg ? c->msg[j->cut].part : c->npart;

	for (i = 0; i < end; i++) {
		/* a result's inner parts bear its tool's name, each */
		if (c->part[i].kind == CTX_RESULT)
			tool = c->part[i].mate == CTX_NONE ? 0 :
			    c->part[c->part[i].mate].name.len;
		sum += ctx_part_text(c, i).len + c->part[i].name.len + tool +
		    16;
	}
	if (ctx_buf_reserve(&j->text, sum) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

/* The earlier summary and the messages that go, as the engines want them. */
static int
gather(struct fold_job *j, struct ctx_err *err)
{
	const struct ctx_convo *c = j->c;
	struct ctx_talk old = {
		CTX_TALK_SUMMARY, j->old_text.data, j->old_text.len, NULL, 0
	};
	uint32_t m, i, result;

	if (reserve(j, err) == -1 || (j->old_text.len > 0 &&
	    add_said(j, &old, err) == -1))
		return -1;
	for (m = j->first; m < j->cut; m++) {
		if (c->msg[m].role == CTX_SYSTEM)
			continue;
		result = CTX_NONE;
		for (i = c->msg[m].part; i < c->msg[m].part +
		    c->msg[m].npart; i++) {
			if (c->part[i].kind == CTX_RESULT)
				result = i;
			if ((c->part[i].kind == CTX_TEXT ||
			    c->part[i].kind == CTX_CALL ||
			    c->part[i].kind == CTX_RESULT) &&
			    say_part(j, i, result, err) == -1)
				return -1;
		}
	}
	return 0;
}

/* --- the engines ----------------------------------------------------------- */

static uint64_t
less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Offline, in what is allowed and less than what it stands for. */
static int
summarize_offline(struct summarize *s, struct fold_job *j,
    const struct frame *f, struct ctx_err *err)
{
	struct ctx_extract x = { 0, 0, fold_cost, s };
	uint64_t most = less(j->folded_tokens, f->all + 1);

	x.budget = less(s->max_tokens, f->head);
	x.size = less(s->max_tokens, f->head_size);
	if (x.budget > most)
		x.budget = most;
	ctx_buf_reset(&j->summary);
	j->engine = "offline";
	if (x.budget < TEXT_MIN || x.size == 0)
		return 1;
	if (ctx_extract(j->said, j->nsaid, &x, &j->summary, err) == -1)
		return -1;
	return j->summary.len == 0;
}

/* A model's, unless it is larger than what it would stand for. */
static int
summarize_model(struct summarize *s, struct fold_job *j,
    const struct frame *f, struct ctx_err *err)
{
	uint64_t n;

	j->engine = "model";
	if (engine_model(s, j, err) == -1 ||
	    ctx_counter_text(&s->cost.counter, j->summary.data,
	    j->summary.len, &n, err) == -1)
		return -1;
	if (n + f->all < j->folded_tokens || s->insights)
		return 0;
	return ctx_fail(err, CTX_EREMOTE, "the summary is not smaller (%"
	    PRIu64 " tokens) than what it would replace (%" PRIu64 ")",
	    n + f->all, j->folded_tokens);
}

/* A new summary: 0; 1: there is none to be had; or -1. */
static int
make_summary(struct summarize *s, struct fold_job *j, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	struct frame f;

	if (measure_frame(s, j, &f, err) == -1)
		return -1;
	if (s->use_model) {
		if (summarize_model(s, j, &f, &why) == 0)
			return 0;
		if (!s->fallback || why.code != CTX_EREMOTE) {
			*err = why;
			return -1;
		}
		cli_warn(s->stream.cli, "%s: summarizing offline instead",
		    why.text);
	}
	return summarize_offline(s, j, &f, err);
}

/* --- one conversation ------------------------------------------------------ */

static const char *
result_of(const struct fold_job *j)
{
	return j->failed ? "failed" : j->turns > 0 ? "folded" : "unchanged";
}

static void
report(struct summarize *s, const struct fold_job *j, const char *why)
{
	json_t *o;
	int bad = 0;

	if (s->report == NULL)
		return;
	ctx_json_watch();
	o = json_pack("{s:s*, s:s, s:s, s:s*, s:s*, s:I, s:I, s:I, s:I, s:I,"
	    " s:i, s:I}",
	    "file", s->stream.file, "result", result_of(j), "why", why,
	    "engine", j->engine, "model", s->use_model ? s->ask.model : NULL,
	    "turns", (json_int_t)j->turns, "kept", (json_int_t)j->kept,
	    "summarized_turn_count", (json_int_t)(j->old_turns + j->turns),
	    "tokens", (json_int_t)j->folded_tokens,
	    "summary_token_count", (json_int_t)j->summary_tokens,
	    "tries", (int)j->tries, "ms", (json_int_t)j->ms);
	if (o != NULL && j->thread != NULL && j->thread->keylen > 0)
		bad |= json_object_set_new(o, "key", json_stringn(
		    j->thread->key, j->thread->keylen));
	if (o != NULL && j->prompt_tokens >= 0)
		bad |= json_object_set_new(o, "prompt_tokens",
		    json_integer(j->prompt_tokens));
	if (o != NULL && j->output_tokens >= 0)
		bad |= json_object_set_new(o, "output_tokens",
		    json_integer(j->output_tokens));
	if (o == NULL || bad || ctx_json_starved() || json_dumpf(o, s->report, JSON_COMPACT) == -1 ||
	    fputc('\n', s->report) == EOF)
		cli_error(s->stream.cli, CLI_SYSTEM,
		    "cannot write the report");
	json_decref(o);
}

/* The engine failed: the input stays, and why is said. */
static int
failed(struct summarize *s, struct fold_job *j, struct ctx_err *why,
    struct ctx_err *err)
{
	if (why->code != CTX_EREMOTE) {
		*err = *why;
		return -1;
	}
	j->failed = 1;
	s->nfailed++;
	j->turns = 0;
	if (s->pass_failure)
		cli_warn(s->stream.cli, "%s: left as it is", why->text);
	else
		cli_report(s->stream.cli, s->stream.file, why);
	ctx_buf_reset(&j->summary);
	return s->to == TO_TEXT || s->insights ? 0 :
	    fold_write_untouched(s, j, err);
}

static void
tally(struct summarize *s, const struct fold_job *j)
{
	s->nconvo++;
	if (j->turns == 0)
		return;
	s->nfolded++;
	s->turns += j->turns;
	s->tokens += j->folded_tokens;
	s->summary_tokens += j->summary_tokens;
}

/* Keep what there is: the earlier summary, if any, in its place. */
static int
keep_old(struct fold_job *j, struct ctx_err *err)
{
	j->turns = 0;
	j->cut = j->first;
	ctx_buf_reset(&j->summary);
	ctx_buf_add(&j->summary, j->old_text.data, j->old_text.len);
	j->summary_tokens = j->old_tokens;
	return ctx_buf_fail(&j->summary, err);
}

static int
run_job(struct summarize *s, struct fold_job *j, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	const char *text;
	uint64_t start;
	int rc = 1;

	if (group(s, j->c, err) == -1 || find_old(s, j, err) == -1 ||
	    (s->state_name != NULL && state_apply(s, j, err) == -1) ||
	    plan(s, j, err) == -1)
		return -1;
	text = ctx_fold_text(j->why);
	if (j->why == CTX_FOLD_YES) {
		if (gather(j, err) == -1)
			return -1;
		if (s->dry_run)
			return engine_dry_run(s, j, err);
		start = ctx_http_clock();
		rc = make_summary(s, j, &why);
		j->ms = ctx_http_clock() - start;
		if (rc == -1) {
			rc = failed(s, j, &why, err);
			tally(s, j);
			report(s, j, why.text);
			return rc;
		}
		if (rc == 1)
			text = "no room for a summary";
	}
	if (rc == 1 && keep_old(j, err) == -1)
		return -1;
	if (rc == 0 && ctx_counter_text(&s->cost.counter, j->summary.data,
	    j->summary.len, &j->summary_tokens, err) == -1)
		return -1;
	tally(s, j);
	report(s, j, text);
	if (fold_write(s, j, err) == -1)
		return -1;
	return s->state_name != NULL && j->turns > 0 ?
	    state_update(s, j, err) : 0;
}

static int
fold_convo(struct summarize *s, struct ctx_convo *c,
    const struct ctx_strand *thread, struct ctx_err *err)
{
	struct fold_job j = {
		.c = c, .thread = thread, .prompt_tokens = -1,
		.output_tokens = -1
	};
	int rc = run_job(s, &j, err);

	free(j.said);
	ctx_buf_done(&j.text);
	ctx_buf_done(&j.old_text);
	ctx_buf_done(&j.summary);
	return rc;
}

/* --- callbacks ------------------------------------------------------------- */

int
fold_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct summarize *s = arg;

	/* behind a bad line: nothing of the conversation is written */
	if (turn->strand != NULL && s->stream.own.cut_off)
		return 0;
	return fold_convo(s, turn->convo, turn->strand, err);
}

void
fold_done(struct summarize *s)
{
	fold_drop_lines(&s->stream);
	free(s->line);
	free(s->more);
	free(s->turn);
	free(s->turn_msg);
	ctx_pairer_done(&s->pairer);
	ctx_plan_done(&s->plan);
	ctx_edit_done(&s->edit);
	ctx_cost_done(&s->cost);
}
