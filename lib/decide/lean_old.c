/* SPDX-License-Identifier: MIT */
/* Old tool results and reasoning: what of them goes. */
#include "decide/lean_impl.h"

#include <string.h>

#include "decide/clear.h"
#include "decide/group.h"

static int
excluded(const struct ctx_lean_step *s, struct ctx_str name)
{
	size_t i;

	for (i = 0; i < s->o->nexclude; i++)
		if (name.p != NULL && ctx_str_equal(name.p, name.len,
		    s->o->exclude[i], strlen(s->o->exclude[i])))
			return 1;
	return 0;
}

static int
count_text(const struct ctx_lean_step *s, uint32_t p, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_str text = ctx_part_text(s->c, p);

	*n = 0;
	if (text.p == NULL || s->c->part[p].kind == CTX_COPY)
		return 0;
	return s->o->count(s->o->arg, text, 0, n, NULL, err);
}

/* Set the tokens of all messages, without what is dropped. */
static int
count_all(const struct ctx_lean_step *s, struct ctx_err *err)
{
	uint64_t n;
	uint32_t p, of = 0;

	for (p = 0; p < s->c->npart; p++) {
		if (!(s->c->part[p].flags & CTX_INNER))
			of = p;
		if (ctx_lean_is_gone(s, p, of))
			continue;
		if (count_text(s, p, &n, err) == -1)
			return -1;
		s->l->pace.tokens[s->c->part[p].msg] += n;
	}
	return 0;
}

/* The part after result p and what belongs to it. */
static uint32_t
result_end(const struct ctx_convo *c, uint32_t p)
{
	do {
		p++;
	} while (p < c->npart && (c->part[p].flags & CTX_INNER ||
	    c->part[p].kind == CTX_COPY));
	return p;
}

/* Clear result p and its inner texts. */
static int
clear_result(struct ctx_lean_step *s, uint32_t p, struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	uint32_t mate = part->mate;
	struct ctx_seen_id *id;

	if (part->id.p != NULL) {
		id = ctx_idset_see(&s->l->cleared_ids, part->id.p,
		    part->id.len);
		if (id == NULL)
			return ctx_fail_nomem(err);
		id->uses = 1;
	}
	memset(s->l->cleared + p, 1, result_end(s->c, p) - p);
	if (s->o->clear_inputs && mate != CTX_NONE)
		s->l->cleared[mate] = 1;
	return 0;
}

/* What repeats a cleared result may be in another place than it. */
static int
clear_copies(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part;
	const struct ctx_seen_id *id;
	uint32_t p;

	for (p = 0; p < s->c->npart; p++) {
		part = &s->c->part[p];
		if (part->kind != CTX_COPY || part->id.p == NULL)
			continue;
		id = ctx_idset_see(&s->l->cleared_ids, part->id.p,
		    part->id.len);
		if (id == NULL)
			return ctx_fail_nomem(err);
		s->l->cleared[p] |= id->uses > 0;
	}
	return 0;
}

/* As long as any. */
static const char no_hash[] =
    "0000000000000000000000000000000000000000000000000000000000000000";

/* What text i gains when a note replaces it. */
static int
add_gain(struct ctx_lean_step *s, struct ctx_pace_item *it, uint32_t i,
    struct ctx_err *err)
{
	const struct ctx_pace_opts *o = &s->o->pace;
	struct ctx_buf *note = &s->l->text;
	struct ctx_str text = ctx_part_text(s->c, i);
	uint64_t n;

	if (text.p == NULL || !ctx_lean_alterable(s, i))
		return 0;
	if (o->step > 0 && !ctx_clear_is_note(s->o->notes, text)) {
		if (ctx_lean_chars(s, i, &n, err) == -1)
			return -1;
		it->gain += n > CTX_CLEAR_NOTE ? n - CTX_CLEAR_NOTE : 0;
	}
	if (o->when == 0 && o->down_to == 0)
		return 0;
	if (count_text(s, i, &n, err) == -1)
		return -1;
	it->tokens += n;
	if (o->step == 0)
		return 0;
	ctx_buf_reset(note);
	if (ctx_clear_note(note, s->o->notes, text, s->o->keep ? no_hash :
	    NULL) == -1)
		return ctx_fail_nomem(err);
	if (s->o->count(s->o->arg, note->len > 0 ? ctx_str_of(note) : text, 0,
	    &n, NULL, err) == -1)
		return -1;
	it->tokens -= n < it->tokens ? n : it->tokens;
	return 0;
}

/* Add all results that may be cleared at some time. */
static int
add_results(struct ctx_lean_step *s, struct ctx_err *err)
{
	struct ctx_pace_item *it;
	uint32_t p, i, end;

	for (p = 0; p < s->c->npart; p++) {
		if (s->c->part[p].kind != CTX_RESULT ||
		    excluded(s, s->c->part[p].name) ||
		    ctx_lean_is_gone(s, p, p))
			continue;
		if ((it = ctx_pace_add(&s->l->pace)) == NULL)
			return ctx_fail_nomem(err);
		it->of = p;
		it->msg = s->c->part[p].msg;
		end = result_end(s->c, p);
		for (i = p; i < end; i++)
			if (add_gain(s, it, i, err) == -1)
				return -1;
	}
	return 0;
}

/*
 * A result may be cleared when there are enough newer ones.  One that the model
 * has not seen waits until it pays, which is not before it was answered.
 */
static void
set_from(struct ctx_lean_step *s)
{
	struct ctx_pace *w = &s->l->pace;
	uint64_t keep = s->o->clear_keep;
	uint32_t answer = 0;
	size_t i;

	w->n = w->n > keep ? w->n - keep : 0;
	for (i = 0; i < w->n; i++) {
		w->item[i].from = w->item[i + keep].msg;
		if (s->o->pace.step != CTX_PACE_PAYS)
			continue;
		while (answer < s->c->nmsg && (answer < w->item[i].msg ||
		    s->c->msg[answer].role != CTX_ASSISTANT))
			answer++;
		if (w->item[i].from < answer)
			w->item[i].from = answer;
	}
}

int
ctx_lean_choose_cleared(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_pace_opts *o = &s->o->pace;
	struct ctx_pace *w = &s->l->pace;
	size_t i;

	if (CTX_ROOM(s->l->cleared, s->c->npart, &s->l->capcleared) == -1)
		return ctx_fail_nomem(err);
	memset(s->l->cleared, 0, s->c->npart);
	ctx_idset_reset(&s->l->cleared_ids);
	if (ctx_lean_measure(s, err) == -1 ||
	    ((o->when > 0 || o->down_to > 0) && count_all(s, err) == -1) ||
	    add_results(s, err) == -1)
		return -1;
	set_from(s);
	ctx_pace_run(w, s->c, s->plan, o);
	for (i = 0; i < w->n; i++)
		if (w->item[i].goes &&
		    clear_result(s, (uint32_t)w->item[i].of, err) == -1)
			return -1;
	return clear_copies(s, err);
}

/* Keep the arguments of call p. */
static int
keep_input(struct ctx_lean_step *s, uint32_t p, struct ctx_str written,
    struct ctx_err *err)
{
	struct ctx_buf *value = &s->l->text;

	if (s->l->place[p].kind == CTX_PLACE_NONE)	/* it is removed */
		return 0;
	ctx_buf_reset(value);
	if (ctx_lean_redacted_value(s, p, value) == -1)
		return ctx_fail_nomem(err);
	return ctx_lean_keep(s, &s->l->place[p], ctx_str_of(value), written,
	    (s->c->part[p].flags & CTX_RAW) != 0, err);
}

int
ctx_lean_clear_inputs(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part;
	struct ctx_str before, after = { "{}", 2 }, quoted = { "\"{}\"", 4 };
	uint32_t p, r;

	for (p = 0; p < s->c->npart; p++) {
		part = &s->c->part[p];
		if (part->kind != CTX_CALL || !s->l->cleared[p] ||
		    part->text == CTX_NONE)
			continue;
		before = ctx_part_text(s->c, p);
		if (before.len <= 2)
			continue;
		r = s->c->msg[part->msg].rec;
		if (s->o->keep && keep_input(s, p, after, err) == -1)
			return -1;
		if (ctx_lean_tell(s, "clear-inputs", p, before, after,
		    err) == -1 ||
		    /* as a whole, with what was redacted in it */
		    ctx_plan_rewrite(s->plan, r, part->text, 1,
		    part->flags & CTX_RAW ? after : quoted, err) == -1)
			return -1;
	}
	return 0;
}

/* May the thinking in part p be dropped? */
static int
may_drop(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];

	return part->kind == CTX_THINKING && part->place[0].node != CTX_NONE &&
	    !s->plan->drop_part[p];
}

static int
drop_thinking(const struct ctx_lean_step *s, uint32_t p, struct ctx_err *err)
{
	struct ctx_str gone = { NULL, 0 };

	if (ctx_lean_tell(s, "thinking", p, ctx_part_text(s->c, p), gone,
	    err) == -1)
		return -1;
	ctx_plan_drop_part(s->plan, p);
	return 0;
}

/* All thinking before the user's last turn, but not sooner than pace says. */
static int
drop_earlier_thinking(struct ctx_lean_step *s, struct ctx_err *err)
{
	struct ctx_pace_opts pace = { .step = s->o->pace.step };
	struct ctx_pace *w = &s->l->pace;
	struct ctx_pace_item *it;
	uint32_t p, m = 0;
	size_t i;

	if (ctx_lean_measure(s, err) == -1)
		return -1;
	for (p = 0; p < s->c->npart; p++) {
		while (m < s->c->nmsg && (m <= s->c->part[p].msg ||
		    !ctx_group_begins(s->c, m)))
			m++;
		if (m == s->c->nmsg)
			break;
		if (!may_drop(s, p))
			continue;
		if ((it = ctx_pace_add(w)) == NULL)
			return ctx_fail_nomem(err);
		it->of = p;
		it->msg = s->c->part[p].msg;
		it->from = m;
		if (ctx_lean_chars(s, p, &it->gain, err) == -1)
			return -1;
		it->gain += CTX_PACE_JOIN;
	}
	ctx_pace_run(w, s->c, s->plan, &pace);
	for (i = 0; i < w->n; i++)
		if (w->item[i].goes &&
		    drop_thinking(s, (uint32_t)w->item[i].of, err) == -1)
			return -1;
	return 0;
}

int
ctx_lean_drop(struct ctx_lean *l, struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_lean_opts *opts,
    struct ctx_err *err)
{
	struct ctx_lean_step s = { .l = l, .plan = plan, .c = c, .o = opts };
	uint32_t p;

	if (ctx_lean_secrets(&s, err) == -1)
		return -1;
	if (opts->thinking == CTX_THINKING_LAST)
		return drop_earlier_thinking(&s, err);
	for (p = 0; p < c->npart && opts->thinking == CTX_THINKING_DROP; p++)
		if (may_drop(&s, p) && drop_thinking(&s, p, err) == -1)
			return -1;
	return 0;
}
