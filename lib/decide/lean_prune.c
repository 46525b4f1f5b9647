/* SPDX-License-Identifier: MIT */
/*
 * Old calls, which go with their results.  Texts beside them stay, and so does
 * thinking that led to what stays.
 */
#include "decide/lean_impl.h"

#include <stdlib.h>
#include <string.h>

/* In l->pruned: a call whose result says that there is none, or will say so. */
#define REPAIRED	2

int
ctx_lean_is_note(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];

	return s->notes_apart && part->kind == CTX_RESULT &&
	    part->mate != CTX_NONE && s->l->pruned[part->mate] == REPAIRED;
}

int
ctx_lean_is_blank(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];

	return part->kind == CTX_HOLLOW || (part->kind == CTX_TEXT &&
	    !(part->flags & CTX_SIGNED) &&
	    ctx_str_blank(ctx_part_text(s->c, p)));
}

/* Mark the calls with such a result, and those that will get one. */
static void
mark_notes(const struct ctx_lean_step *s)
{
	const struct ctx_part *part = s->c->part;
	uint32_t i;

	for (i = 0; i < s->plan->ninsert; i++)
		if (s->plan->insert[i].kind == CTX_NEW_RESULT)
			s->l->pruned[s->plan->insert[i].part] = REPAIRED;
	for (i = 0; i < s->c->npart; i++)
		if (part[i].kind == CTX_RESULT && part[i].mate != CTX_NONE &&
		    !ctx_part_inline(s->c, &part[i]) &&
		    ctx_lean_says_none(s, i))
			s->l->pruned[part[i].mate] = REPAIRED;
}

/* Hide messages that have nothing else. */
static void
hide_notes(const struct ctx_lean_step *s)
{
	uint32_t m, i;
	int notes, others;

	for (m = 0; m < s->c->nmsg; m++) {
		notes = others = 0;
		CTX_FOR_PARTS(s->c, m, i)
			if (ctx_lean_is_note(s, i))
				notes = 1;
			else if (!(s->c->part[i].flags & CTX_INNER))
				others = 1;
		s->l->pace.hidden[m] = notes && !others;
	}
}

/* May call p go, which is not one that waits for its result? */
static int
may_go(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];
	uint32_t mate = part->mate;

	return part->kind == CTX_CALL &&
	    (!(part->flags & CTX_SERVER) || ctx_part_inline(s->c, part)) &&
	    !ctx_lean_is_gone(s, p, p) && (mate == CTX_NONE ?
	    s->l->pruned[p] == REPAIRED : !ctx_lean_is_gone(s, mate, mate)) &&
	    ctx_lean_is_chosen(s, part->name);
}

/* Does message m keep any call? */
static int
keeps_calls(const struct ctx_lean_step *s, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind == CTX_CALL &&
		    !ctx_lean_is_gone(s, i, i) && !may_go(s, i))
			return 1;
	return 0;
}

/* Add what part p and those in it lose to the message that it is in. */
static int
add_part(struct ctx_lean_step *s, struct ctx_pace_item *it, uint32_t p,
    uint64_t *gain, struct ctx_err *err)
{
	uint32_t end = s->c->part[p].kind != CTX_RESULT ? p + 1 :
	    ctx_lean_result_end(s->c, p);
	uint64_t n;

	for (; p < end; p++) {
		if (s->o->pace.step > 0) {
			if (ctx_lean_chars(s, p, &n, err) == -1)
				return -1;
			*gain += n + CTX_PACE_JOIN;
		}
		if (!ctx_lean_counts(s->o))
			continue;
		if (ctx_lean_tokens(s, p, &n, err) == -1)
			return -1;
		it->saves += n;
	}
	return 0;
}

/* Add a call by its result p, or by itself if that is yet to be made. */
static int
add_call(struct ctx_lean_step *s, uint32_t p, struct ctx_err *err)
{
	int made = s->c->part[p].kind == CTX_CALL;
	uint32_t call = made ? p : s->c->part[p].mate;
	struct ctx_pace_item *it = ctx_pace_add(&s->l->pace);

	if (it == NULL)
		return ctx_fail_nomem(err);
	it->of = p;
	it->msg = s->c->part[call].msg;
	it->also = s->c->part[p].msg;
	if (!made && add_part(s, it, p, &it->also_gain, err) == -1)
		return -1;
	it->size = it->saves;
	if (add_part(s, it, call, &it->gain, err) == -1)
		return -1;
	it->gain += it->also_gain;
	it->tokens = it->saves;
	return 0;
}

/*
 * Thinking that is a message of its own goes if all that it led to has gone:
 * what the assistant did after it and before it thought again.
 */
static void
prune_thinking(const struct ctx_lean_step *s)
{
	const struct ctx_dialect *d;
	int gone = 0, kept = 0, thought = 0;
	uint32_t m, i;

	for (m = s->c->nmsg; m-- > 0;) {
		if (s->plan->drop_msg[m])
			continue;
		if (s->c->msg[m].role != CTX_ASSISTANT) {
			gone = kept = thought = 0;
			continue;
		}
		d = ctx_dialect_of(ctx_msg_dialect(s->c, m));
		if (d->rules & CTX_RULE_LEADS && ctx_msg_thinks(s->c, m)) {
			thought = 1;
			CTX_FOR_PARTS(s->c, m, i)
				s->l->pruned[i] |= gone && !kept;
			continue;
		}
		if (thought)
			gone = kept = thought = 0;
		CTX_FOR_PARTS(s->c, m, i) {
			gone |= s->l->pruned[i];
			kept |= !s->l->pruned[i] &&
			    s->c->part[i].kind != CTX_THINKING;
		}
	}
}

/*
 * Add all calls that may go.  One that is signed stays if others of its message
 * do, for it may be signed for all of them.
 */
static int
add_calls(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part = s->c->part;
	uint32_t p, call, m = CTX_NONE;
	int keeps = 0;

	for (p = 0; p < s->c->npart; p++) {
		call = ctx_lean_is_note(s, p) ? CTX_NONE :
		    part[p].kind == CTX_RESULT ? part[p].mate :
		    part[p].mate == CTX_NONE || s->l->pruned[p] == REPAIRED ?
		    p : CTX_NONE;
		if (call == CTX_NONE || !may_go(s, call))
			continue;
		if (part[call].flags & CTX_SIGNED && part[call].msg != m) {
			m = part[call].msg;
			keeps = keeps_calls(s, m);
		}
		if (!(part[call].flags & CTX_SIGNED && keeps) &&
		    add_call(s, p, err) == -1)
			return -1;
	}
	return 0;
}

/* The message that begins the turn after message m. */
static uint32_t
next_turn(const struct ctx_lean_step *s, uint32_t m)
{
	while (++m < s->c->nmsg && !ctx_lean_begins(s, m))
		;
	return m;
}

/* Has message m of the user anything beside its results? */
static int
is_mixed(const struct ctx_lean_step *s, uint32_t m)
{
	uint32_t i;

	if (s->c->msg[m].role != CTX_USER)
		return 0;
	CTX_FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind != CTX_RESULT &&
		    s->c->part[i].kind != CTX_COPY &&
		    !(s->c->part[i].flags & CTX_INNER))
			return 1;
	return 0;
}

/* Does part p, beside calls that go, not keep its message? */
static int
is_left_alone(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];

	return part->kind == CTX_THINKING || ctx_lean_is_blank(s, p) ||
	    part->flags & CTX_INNER || ctx_lean_is_gone(s, p, p) ||
	    (part->kind == CTX_RESULT && part->mate != CTX_NONE &&
	    s->c->part[part->mate].msg == part->msg);
}

/*
 * Set, for each message that has calls which may go and nothing else that keeps
 * it, since when they may; for others to the number of messages, or more.
 */
static int
set_all_go(const struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_pace_item *it = s->l->pace.item;
	uint32_t *from, m, i, n;
	size_t k;

	if (CTX_ROOM(s->l->all_go, s->c->nmsg, &s->l->capall_go) == -1)
		return ctx_fail_nomem(err);
	from = s->l->all_go;
	for (m = 0; m < s->c->nmsg; m++) {
		n = 0;
		CTX_FOR_PARTS(s->c, m, i)
			n += !is_left_alone(s, i);
		from[m] = s->c->nmsg + n;
	}
	for (k = 0; k < s->l->pace.n; k++)
		from[it[k].msg]--;
	for (k = 0; k < s->l->pace.n; k++)
		if (from[m = it[k].msg] <= s->c->nmsg)
			from[m] = it[k].from;
	return 0;
}

/*
 * The thinking before the user's last turn goes where calls go, and with the calls
 * of its message, unless anything else stays in it.  Without its results, a
 * message of the user would begin a turn, so the last turn keeps these.
 */
static int
add_thinking(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part = s->c->part;
	struct ctx_pace *w = &s->l->pace;
	struct ctx_pace_item *it;
	uint32_t p, m, next = 0;
	size_t i;

	for (i = 0; i < w->n; i++) {
		m = part[w->item[i].of].msg;
		if (next <= m)
			next = next_turn(s, m);
		if (w->item[i].from < next && is_mixed(s, m))
			w->item[i].from = next;
	}
	if (set_all_go(s, err) == -1)
		return -1;
	for (p = 0, next = 0; p < s->c->npart; p++) {
		m = part[p].msg;
		if (part[p].kind != CTX_THINKING ||
		    part[p].place[0].node == CTX_NONE || ctx_lean_is_gone(s, p, p))
			continue;
		if (next <= m)
			next = next_turn(s, m);
		if ((it = ctx_pace_add(w)) == NULL)
			return ctx_fail_nomem(err);
		it->of = p;
		it->msg = it->also = m;
		it->from = next < s->l->all_go[m] ? next : s->l->all_go[m];
		if (add_part(s, it, p, &it->gain, err) == -1)
			return -1;
		it->tokens = it->saves;
	}
	return 0;
}

static int
compare(const void *a, const void *b)
{
	const struct ctx_pace_item *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

/* The calls of a message go together. */
static void
join_calls(struct ctx_pace *w)
{
	size_t i;

	for (i = w->n; i-- > 1;)
		if (w->item[i - 1].msg == w->item[i].msg &&
		    w->item[i - 1].from < w->item[i].from)
			w->item[i - 1].from = w->item[i].from;
}

/* Decide when what goes. */
static int
run(struct ctx_lean_step *s, struct ctx_err *err)
{
	struct ctx_pace_opts pace = s->o->pace;
	struct ctx_pace *w = &s->l->pace;

	pace.messages = 1;
	ctx_lean_set_from(s);
	join_calls(w);
	if (s->o->thinking == CTX_THINKING_LAST) {
		if (add_thinking(s, err) == -1)
			return -1;
		if (w->n > 1)
			qsort(w->item, w->n, sizeof(*w->item), compare);
	}
	ctx_pace_run(w, s->c, s->plan, &pace);
	return 0;
}

/* Mark what goes. */
static void
mark(struct ctx_lean_step *s)
{
	const struct ctx_pace *w = &s->l->pace;
	uint32_t p, mate;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (!w->item[i].goes)
			continue;
		p = (uint32_t)w->item[i].of;
		mate = s->c->part[p].mate;
		s->l->pruned[p] = 1;
		if (mate != CTX_NONE)
			s->l->pruned[mate] = 1;
		s->l->prunes = 1;
		s->l->npruned += s->c->part[p].kind != CTX_THINKING;
	}
	for (p = 0; p < s->c->npart; p++)
		s->l->pruned[p] &= 1;
}

int
ctx_lean_prune(struct ctx_lean *l, struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_lean_opts *opts,
    struct ctx_err *err)
{
	struct ctx_lean_step s = { .l = l, .plan = plan, .c = c, .o = opts };

	l->npruned = 0;
	if (CTX_ROOM(l->pruned, c->npart, &l->cappruned) == -1)
		return ctx_fail_nomem(err);
	memset(l->pruned, 0, c->npart);
	mark_notes(&s);
	s.notes_apart = 1;
	if (ctx_lean_find_files(&s, err) == -1 ||
	    ctx_lean_begin_old(&s, err) == -1)
		return -1;
	hide_notes(&s);
	if (add_calls(&s, err) == -1 || run(&s, err) == -1)
		return -1;
	mark(&s);
	prune_thinking(&s);
	return 0;
}

int
ctx_lean_drop_pruned(const struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part = s->c->part;
	uint32_t p;

	for (p = 0; p < s->c->npart; p++) {
		if (!s->l->pruned[p] || s->plan->drop_part[p])
			continue;
		ctx_plan_drop_part(s->plan, p);
		/* of a call and its result that are one part, the call tells */
		if (s->o->tell && !(part[p].kind == CTX_RESULT &&
		    ctx_part_inline(s->c, &part[p])) &&
		    ctx_plan_tell_part(s->plan, s->c, p,
		    part[p].kind == CTX_THINKING ? "thinking" : "prune-calls",
		    err) == -1)
			return -1;
	}
	return 0;
}
