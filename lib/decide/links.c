/* SPDX-License-Identifier: MIT */
/* Valid tool links; see links.h. */
#include "decide/links_step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
ctx_linker_done(struct ctx_linker *w)
{
	ctx_pairer_done(&w->pairer);
	ctx_idset_done(&w->ids);
	free(w->slot);
	ctx_buf_done(&w->buf);
	memset(w, 0, sizeof(*w));
}

static int
blank(const struct ctx_convo *c, uint32_t part)
{
	return ctx_str_blank(ctx_part_text(c, part));
}

/*
 * Does message m have any content left?  Thinking alone does not count: no API
 * accepts it without the text or call that it led to.
 */
int
ctx_step_speaks(const struct step *s, uint32_t m)
{
	const struct ctx_part *p;
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (s->plan->drop_part[i] || p->kind == CTX_THINKING ||
		    p->kind == CTX_HOLLOW || p->flags & CTX_INNER)
			continue;
		if (p->kind == CTX_TEXT && !(p->flags & CTX_SIGNED) &&
		    blank(s->c, i))
			continue;
		return 1;
	}
	return 0;
}

int
ctx_step_empty_text(const struct step *s, uint32_t i)
{
	const struct ctx_part *p = &s->c->part[i];
	int strict = (s->rules & CTX_RULE_NO_BLANK) != 0;

	return s->rules & CTX_RULE_NO_EMPTY && p->kind == CTX_TEXT &&
	    p->place[0].node != CTX_NONE && !(p->flags & CTX_SIGNED) &&
	    !(strict && p->flags & CTX_INNER && !s->opts->drop_empty) &&
	    (strict || s->opts->drop_empty ? blank(s->c, i) :
	    ctx_part_text(s->c, i).len == 0);
}

/* Do the messages after the calls hold only results? */
static int
waits(const struct step *s)
{
	uint32_t m, i;

	if (!s->last)
		return 0;
	for (m = s->t.run; m < s->t.end; m++) {
		if (s->c->msg[m].role != CTX_USER)
			continue;
		CTX_FOR_PARTS(s->c, m, i)
			if (s->c->part[i].kind != CTX_RESULT &&
			    !(s->c->part[i].flags & CTX_INNER))
				return 0;
	}
	return 1;
}

static int
drop_calls_and_results(const struct step *s, uint32_t m, struct ctx_err *err)
{
	const struct ctx_part *part = s->c->part;
	uint32_t i, mate;

	ctx_plan_drop_msg(s->plan, m);
	CTX_FOR_PARTS(s->c, m, i) {
		mate = part[i].kind == CTX_CALL ? part[i].mate : CTX_NONE;
		if (mate == CTX_NONE)
			continue;
		ctx_plan_drop_part(s->plan, mate);
		/* one in the message goes with that */
		if (s->opts->tell && part[mate].msg != m && ctx_plan_tell_part(
		    s->plan, s->c, mate, ctx_fault_texts[CTX_F_UNANSWERED].id,
		    err) == -1)
			return -1;
	}
	return 0;
}

/* Does message m have only calls and reasoning, and no text? */
static int
only_calls(const struct step *s, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind != CTX_CALL &&
		    s->c->part[i].kind != CTX_THINKING)
			return 0;
	return 1;
}

/*
 * The adjacent assistant message that is one with m to the API and has no text;
 * CTX_NONE if there is none.
 */
static uint32_t
joined_before(const struct step *s, uint32_t m)
{
	if (!(s->c->msg[m].flags & CTX_JOINED))
		return CTX_NONE;
	while (m-- > s->t.run)
		if (s->c->msg[m].role == CTX_ASSISTANT)
			return only_calls(s, m) ? m : CTX_NONE;
	return CTX_NONE;
}

static uint32_t
joined_after(const struct step *s, uint32_t m)
{
	while (++m < s->t.end)
		if (s->c->msg[m].role == CTX_ASSISTANT)
			return s->c->msg[m].flags & CTX_JOINED &&
			    only_calls(s, m) ? m : CTX_NONE;
	return CTX_NONE;
}

/*
 * CTX_DROP: drop the whole message, the calls and reasoning that are one with
 * it to the API, and the results of its other calls.
 */
static int
drop_with_results(const struct step *s, uint32_t m, struct ctx_err *err)
{
	uint32_t k;

	if (s->plan->drop_msg[m])
		return 0;
	if (drop_calls_and_results(s, m, err) == -1)
		return -1;
	for (k = joined_before(s, m); k != CTX_NONE; k = joined_before(s, k))
		if (drop_calls_and_results(s, k, err) == -1)
			return -1;
	for (k = joined_after(s, m); k != CTX_NONE; k = joined_after(s, k))
		if (drop_calls_and_results(s, k, err) == -1)
			return -1;
	return 0;
}

static int
repair(const struct step *s, uint32_t call, struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_RESULT, .role = CTX_TOOL,
	    .part = call };
	const struct ctx_marker_said said = { 0 };
	struct ctx_buf *text = &s->w->buf;
	uint32_t m = s->c->part[call].msg, n;

	if (s->after_run)
		m = ctx_step_end_of_run(s, m);

	ctx_buf_reset(text);
	ctx_marker_put(text, s->opts->notes, CTX_MARKER_NO_RESULT, &said);
	if (ctx_buf_fail(text, err) == -1 || ctx_plan_insert(s->plan, &in,
	    text->data, text->len, &n, err) == -1)
		return -1;
	return ctx_step_place(s, KEY_RESULTS(s, m), n | CTX_INSERTED, err);
}

/*
 * May call i stay without a result?  One of an answer that was recorded beside
 * its request may.  The provider goes on with its own at the end: of a turn that
 * it paused, or when the calls beside it have their results.
 */
static int
may_hang(const struct step *s, uint32_t i)
{
	return s->pending ||
	    s->c->msg[s->c->part[i].msg].flags & CTX_ANSWER ||
	    (s->c->part[i].flags & CTX_SERVER && s->waits);
}

/* Has the call anything by which a result can name it? */
static int
can_be_answered(const struct ctx_part *call)
{
	return !(call->flags & CTX_NO_TOOL) && (call->id.p != NULL ||
	    call->flags & CTX_BY_ORDER ||
	    (call->flags & CTX_BY_NAME && call->name.p != NULL));
}

/* --- approvals ------------------------------------------------------- */

/* The id of the call that part i asks about; .p is NULL if it asks about none. */
static struct ctx_str
asked(const struct step *s, uint32_t i)
{
	const struct ctx_part *p = &s->c->part[i];
	struct ctx_doc doc;

	if (p->asks == CTX_NONE)
		return (struct ctx_str){ NULL, 0 };
	doc = ctx_convo_doc(s->c, s->c->msg[p->msg].rec);
	return ctx_node_str(&doc, p->asks);
}

static int
asks(const struct step *s, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i)
		if (s->c->part[i].asks != CTX_NONE)
			return 1;
	return 0;
}

/* Note an id in w->ids. */
static int
mark(const struct step *s, struct ctx_str id, struct ctx_err *err)
{
	struct ctx_seen_id *e = ctx_idset_see(&s->w->ids, id.p, id.len);

	if (e == NULL)
		return ctx_fail_nomem(err);
	e->uses = 1;
	return 0;
}

/* Was the id noted?  Returns -1 if out of memory. */
static int
is_marked(const struct step *s, struct ctx_str id, struct ctx_err *err)
{
	struct ctx_seen_id *e = id.p == NULL ? NULL :
	    ctx_idset_see(&s->w->ids, id.p, id.len);

	if (id.p != NULL && e == NULL)
		return ctx_fail_nomem(err);
	return e != NULL && e->uses;
}

/*
 * Note the calls of message m that are still to be made at the end, and that
 * somebody has decided about: the program goes on from there.
 */
static int
mark_decided(const struct step *s, uint32_t m, struct ctx_err *err)
{
	struct ctx_str id;
	uint32_t i;

	ctx_idset_reset(&s->w->ids);
	CTX_FOR_PARTS(s->c, m, i)
		if (s->waits && s->c->part[i].mate != CTX_NONE &&
		    (id = asked(s, i)).p != NULL && mark(s, id, err) == -1)
			return -1;
	return 0;
}

static int
drop_and_tell(const struct step *s, uint32_t i, struct ctx_err *err)
{
	ctx_plan_drop_part(s->plan, i);
	return s->opts->tell ? ctx_plan_tell_part(s->plan, s->c, i,
	    ctx_fault_texts[CTX_F_UNANSWERED].id, err) : 0;
}

/* What asks about a call of message m that goes, goes with its answer. */
static int
drop_asking(const struct step *s, uint32_t m, struct ctx_err *err)
{
	const struct ctx_part *p;
	uint32_t i;
	int rc;

	ctx_idset_reset(&s->w->ids);
	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (p->kind == CTX_CALL && p->asks == CTX_NONE &&
		    s->plan->drop_part[i] && p->id.p != NULL &&
		    mark(s, p->id, err) == -1)
			return -1;
	}
	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (s->plan->drop_part[i] || p->mate == CTX_NONE ||
		    (rc = is_marked(s, asked(s, i), err)) == 0)
			continue;
		if (rc == -1 || drop_and_tell(s, i, err) == -1 ||
		    drop_and_tell(s, p->mate, err) == -1)
			return -1;
	}
	return 0;
}

/* --- calls without results -------------------------------------------- */

/* Does call i bear the signature of its message, which has another that stays? */
static int
signs_for_others(const struct step *s, uint32_t i)
{
	const struct ctx_part *part = s->c->part;
	uint32_t k;

	if (part[i].flags & CTX_SIGNED)
		CTX_FOR_PARTS(s->c, part[i].msg, k)
			if (part[k].kind == CTX_CALL && part[k].mate !=
			    CTX_NONE && !s->plan->drop_part[k])
				return 1;
	return 0;
}

/* Find call i, which has no result, and drop it or add one. */
static int
settle(const struct step *s, uint32_t i, struct ctx_err *err)
{
	const struct ctx_part *p = &s->c->part[i];

	if (ctx_plan_find(s->plan, CTX_F_UNANSWERED, p->msg, i, 1, err) == -1)
		return -1;
	if (p->flags & CTX_SERVER || !can_be_answered(p) ||
	    (s->opts->unanswered == CTX_TRIM && (s->opts->no_signs ||
	    !signs_for_others(s, i)))) {
		ctx_plan_drop_part(s->plan, i);
		return 0;
	}
	return s->opts->unanswered == CTX_DROP ?
	    drop_with_results(s, p->msg, err) : repair(s, i, err);
}

static int
unanswered_of(const struct step *s, uint32_t m, struct ctx_err *err)
{
	const struct ctx_part *p;
	int asking = asks(s, m), decided = 0;
	uint32_t i;

	if (asking && mark_decided(s, m, err) == -1)
		return -1;
	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (p->kind != CTX_CALL || p->mate != CTX_NONE ||
		    s->plan->drop_part[i] || may_hang(s, i))
			continue;
		if (asking && (decided = is_marked(s, p->id, err)) == -1)
			return -1;
		if (!decided && settle(s, i, err) == -1)
			return -1;
	}
	return asking ? drop_asking(s, m, err) : 0;
}

static int
unanswered(const struct step *s, struct ctx_err *err)
{
	uint32_t m;

	for (m = s->t.from; m < s->t.end; m++)
		if (s->c->msg[m].role == CTX_ASSISTANT &&
		    !s->plan->drop_rec[s->c->msg[m].rec] &&
		    unanswered_of(s, m, err) == -1)
			return -1;
	return 0;
}

/* Does the conversation continue messages that the API keeps? */
static int
is_elsewhere(const struct ctx_convo *c)
{
	uint32_t i;

	for (i = 0; i < c->nrec; i++)
		if (c->rec[i].elsewhere)
			return 1;
	for (i = 0; i < c->nmsg; i++)
		if (c->msg[i].flags & CTX_REFERS)
			return 1;
	return 0;
}

static int
orphans(const struct step *s, struct ctx_err *err)
{
	const struct ctx_part *p;
	uint32_t m, i;

	if (s->seen->elsewhere)
		return 0;
	for (m = s->t.from; m < s->t.end; m++)
		CTX_FOR_PARTS(s->c, m, i) {
			p = &s->c->part[i];
			if (p->kind != CTX_RESULT || p->mate != CTX_NONE ||
			    s->plan->drop_rec[s->c->msg[m].rec])
				continue;
			if (ctx_plan_find(s->plan, CTX_F_ORPHAN, m, i, 1,
			    err) == -1)
				return -1;
			ctx_plan_drop_part(s->plan, i);
		}
	return 0;
}

static int
hollow_parts(const struct step *s, uint32_t m, struct ctx_err *err)
{
	const struct ctx_part *p;
	enum ctx_fault fault;
	uint32_t i, of = 0;

	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (!(p->flags & CTX_INNER))
			of = i;
		else if (s->plan->drop_part[of] == 1)
			continue;	/* it goes with its result */
		if (p->kind == CTX_HOLLOW &&
		    s->rules & CTX_RULE_NO_EMPTY_CALLS)
			fault = CTX_F_EMPTY_CALLS;
		else if (ctx_step_empty_text(s, i))
			fault = CTX_F_EMPTY_TEXT;
		else
			continue;
		if (ctx_plan_find(s->plan, fault, m, i, 1, err) == -1)
			return -1;
		ctx_plan_drop_part(s->plan, i);
	}
	return 0;
}

/* Was any part of message m dropped? */
static int
touched(const struct step *s, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i)
		if (s->plan->drop_part[i])
			return 1;
	return 0;
}

/* Is m a last message that may be empty, as Anthropic's API allows? */
static int
may_be_empty(const struct step *s, uint32_t m)
{
	return s->c->msg[m].role == CTX_ASSISTANT && s->last &&
	    !s->opts->lines && !s->opts->drop_empty &&
	    !(s->rules & CTX_RULE_NO_BLANK) && m + 1 == s->t.end &&
	    s->w->nslot == 0;
}

/* Has message m no content, in a way that the API refuses? */
static int
says_nothing(const struct step *s, uint32_t m)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	uint32_t i;

	if (s->rules & CTX_RULE_LEADS && ctx_msg_thinks(s->c, m))
		return 0;	/* reasoning() decides about it */
	if (s->rules & CTX_RULE_NO_EMPTY)
		return !ctx_step_speaks(s, m) && !may_be_empty(s, m);
	if (s->rules & CTX_RULE_NEEDS_PARTS)
		return msg->npart == 0;
	if (!(s->rules & CTX_RULE_NEEDS_CONTENT) || msg->role != CTX_ASSISTANT)
		return 0;
	CTX_FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind != CTX_THINKING &&
		    s->c->part[i].kind != CTX_HOLLOW)
			return 0;
	return 1;
}

int
ctx_step_empty(const struct step *s, uint32_t m)
{
	struct ctx_doc doc;

	if (!says_nothing(s, m))
		return 0;
	doc = ctx_convo_doc(s->c, s->c->msg[m].rec);
	return s->opts->carries == NULL || CTX_GET(&doc, s->c->msg[m].node,
	    s->opts->carries) == CTX_NONE;
}

static int
hygiene(const struct step *s, struct ctx_err *err)
{
	const struct ctx_msg *msg;
	uint32_t m;

	for (m = s->t.from; m < s->t.end; m++) {
		msg = &s->c->msg[m];
		if (msg->flags & CTX_FIXED)
			continue;
		if (s->plan->drop_msg[m])
			continue;
		if (hollow_parts(s, m, err) == -1)
			return -1;
		if (touched(s, m)) {
			if (!ctx_step_speaks(s, m))
				ctx_plan_drop_msg(s->plan, m);
		} else if (ctx_step_empty(s, m)) {
			if (ctx_plan_find(s->plan, CTX_F_EMPTY_MESSAGE, m,
			    CTX_NONE, 1, err) == -1)
				return -1;
			ctx_plan_drop_msg(s->plan, m);
		}
	}
	return 0;
}

/*
 * Reasoning that is a message of its own belongs with what follows it.  If
 * nothing of the assistant's follows any more, drop it too; but at the end of a
 * log that is still being written, more may follow.
 */
static int
reasoning(const struct step *s, struct ctx_err *err)
{
	int follows = 0, followed = 0, own;
	uint32_t m;

	if (!(s->rules & CTX_RULE_LEADS))
		return 0;
	if (s->last && s->rules & CTX_RULE_LOG)
		follows = followed = 1;
	for (m = s->t.end; m-- > s->t.from;) {
		own = s->c->msg[m].role == CTX_ASSISTANT;
		if (own && !follows && !s->plan->drop_msg[m] &&
		    ctx_msg_thinks(s->c, m)) {
			if (!followed && ctx_plan_find(s->plan,
			    CTX_F_LONE_REASONING, m, CTX_NONE, 1, err) == -1)
				return -1;
			ctx_plan_drop_msg(s->plan, m);
		}
		followed = own;
		if (!s->plan->drop_msg[m])
			follows = own;
	}
	return 0;
}

/* --- ids ------------------------------------------------------------ */

/*
 * Rename call i and its result: its id, "_" and the first free n.  The id's
 * entry remembers the last n tried, so that an id used a million times does not
 * try a million names each time.
 */
static int
rename_call(const struct step *s, uint32_t i, struct ctx_err *err)
{
	const struct ctx_part *p = &s->c->part[i];
	struct ctx_buf *b = &s->w->buf;
	struct ctx_seen_id *e;

	if (ctx_plan_find(s->plan, CTX_F_REUSED_ID, p->msg, i, 1, err) == -1)
		return -1;
	do {
		e = ctx_idset_see(&s->w->ids, p->id.p, p->id.len);
		if (e == NULL)
			return ctx_fail_nomem(err);
		ctx_buf_reset(b);
		ctx_buf_add(b, p->id.p, p->id.len);
		if (ctx_buf_addf(b, "_%u", ++e->uses) == -1 || (e =
		    ctx_idset_see(&s->w->ids, b->data, b->len)) == NULL)
			return ctx_fail_nomem(err);
	} while (e->uses != 0);
	e->uses = 1;
	if (ctx_plan_swap(s->plan, i, 1, b->data, b->len, err) == -1)
		return -1;
	if (p->mate == CTX_NONE)
		return 0;
	return ctx_plan_swap(s->plan, p->mate, 1, b->data, b->len, err);
}

static int
ids(const struct step *s, struct ctx_err *err)
{
	const struct ctx_part *p;
	struct ctx_seen_id *e;
	uint32_t m, i;

	if (!(s->rules & CTX_RULE_UNIQUE_IDS))
		return 0;
	ctx_idset_reset(&s->w->ids);
	for (m = s->t.from; m < s->t.end; m++)
		CTX_FOR_PARTS(s->c, m, i) {
			p = &s->c->part[i];
			if (p->kind != CTX_CALL || p->id.p == NULL ||
			    s->plan->drop_part[i] || s->plan->drop_msg[m])
				continue;
			e = ctx_idset_see(&s->w->ids, p->id.p, p->id.len);
			if (e == NULL)
				return ctx_fail_nomem(err);
			if (e->uses == 0)
				e->uses = 1;
			else if (rename_call(s, i, err) == -1)
				return -1;
		}
	return 0;
}

/* The rules for a turn are those of the dialect of its assistant messages. */
static unsigned
rules_of(const struct ctx_convo *c, const struct ctx_span_of_turn *t,
    const struct ctx_links_opts *opts)
{
	const struct ctx_dialect *d = ctx_msg_dialect(c, t->run < c->nmsg ?
	    t->run : t->from);
	unsigned rules = ctx_dialect_of(d)->rules;

	if (opts->without_for != NULL && d == opts->without_for)
		rules &= ~opts->without;
	return opts->drop_empty ? rules | CTX_RULE_NO_EMPTY : rules;
}

/* Pair the calls and results of turn s->t, and plan what it needs. */
static int
plan_turn(struct step *s, struct ctx_err *err)
{
	int plain;

	s->rules = rules_of(s->c, &s->t, s->opts);
	s->last = s->opts->last && s->t.end == s->c->nmsg;
	s->w->nslot = 0;
	if (ctx_pair_turn(&s->w->pairer, s->c, &s->t, s->plan->drop_rec,
	    s->opts->chain, err) == -1)
		return -1;
	if ((plain = ctx_step_plain(s, err)) != 0)
		return plain == 1 ? 0 : -1;
	s->waits = waits(s);
	s->pending = s->opts->keep_pending && s->waits;
	/* a result in between would separate others from their calls */
	s->after_run = s->rules & CTX_RULE_ADJACENT ? ctx_step_shares(s) :
	    !(s->rules & CTX_RULE_ANYWHERE);
	return unanswered(s, err) == -1 || orphans(s, err) == -1 ||
	    hygiene(s, err) == -1 || reasoning(s, err) == -1 ||
	    ids(s, err) == -1 || ctx_step_order(s, err) == -1 ? -1 : 0;
}

int
ctx_links_plan(struct ctx_linker *w, struct ctx_plan *plan,
    struct ctx_convo *c, struct ctx_links *seen,
    const struct ctx_links_opts *opts, struct ctx_err *err)
{
	struct step s = { .w = w, .plan = plan, .c = c, .seen = seen,
	    .opts = opts };
	uint32_t from;

	ctx_pair_clear(c);
	seen->elsewhere |= is_elsewhere(c);
	for (from = 0; ctx_pair_bounds(c, from, &s.t); from = s.t.end)
		if (plan_turn(&s, err) == -1)
			return -1;
	return 0;
}
