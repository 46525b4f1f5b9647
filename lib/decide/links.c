/* SPDX-License-Identifier: MIT */
/* Valid tool links; see links.h. */
#include "decide/links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

/* A message or an insert of a turn and where it belongs. */
struct ctx_place_in_turn {
	uint64_t key;
	uint32_t pos;		/* equal keys keep this order */
	uint32_t entry;		/* for plan->order */
};

/* A call id by its hash. */
struct ctx_seen_id {
	uint64_t hash;		/* 0: a free place */
	unsigned uses;		/* 0: not yet; then the suffix tried last */
};

/* What all steps on one turn look at. */
struct step {
	struct ctx_linker *w;
	struct ctx_plan *plan;
	struct ctx_convo *c;
	struct ctx_links *seen;
	const struct ctx_links_opts *opts;
	unsigned rules;
	struct ctx_span_of_turn t;
	int last;		/* the conversation ends with this turn */
};

void
ctx_links_done(struct ctx_links *s)
{
	free(s->id);
	memset(s, 0, sizeof(*s));
}

void
ctx_linker_done(struct ctx_linker *w)
{
	ctx_pairer_done(&w->pairer);
	free(w->slot);
	ctx_buf_done(&w->buf);
	memset(w, 0, sizeof(*w));
}

#define FOR_PARTS(c, m, i) \
	for ((i) = (c)->msg[m].part; \
	    (i) < (c)->msg[m].part + (c)->msg[m].npart; (i)++)

/* White space only, spelled plainly or as escapes. */
static int
blank(const struct ctx_convo *c, uint32_t part)
{
	struct ctx_str s = ctx_part_text(c, part);
	uint32_t i;

	for (i = 0; i < s.len; i++) {
		if (s.p[i] == ' ')
			continue;
		if (s.p[i] != '\\' || strchr("ntr", s.p[i + 1]) == NULL)
			return 0;
		i++;
	}
	return 1;
}

/*
 * Does message m still say something?  Thinking alone does not: no API takes
 * it without the text or call that it led to.
 */
static int
says_something(const struct step *s, uint32_t m)
{
	const struct ctx_part *p;
	uint32_t i;

	FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (s->plan->drop_part[i] || p->kind == CTX_THINKING ||
		    p->kind == CTX_HOLLOW || p->flags & CTX_INNER)
			continue;
		if (p->kind == CTX_TEXT && blank(s->c, i))
			continue;
		return 1;
	}
	return 0;
}

/* Do the messages behind the calls hold nothing but results? */
static int
waits(const struct step *s)
{
	uint32_t m, i;

	if (!s->last)
		return 0;
	for (m = s->t.run; m < s->t.end; m++) {
		if (s->c->msg[m].role != CTX_USER)
			continue;
		FOR_PARTS(s->c, m, i)
			if (s->c->part[i].kind != CTX_RESULT &&
			    !(s->c->part[i].flags & CTX_INNER))
				return 0;
	}
	return 1;
}

/* CTX_DROP: the whole message, and the results of its other calls. */
static void
drop_with_results(const struct step *s, uint32_t m)
{
	uint32_t i;

	ctx_plan_drop_msg(s->plan, m);
	FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind == CTX_CALL &&
		    s->c->part[i].mate != CTX_NONE)
			ctx_plan_drop_part(s->plan, s->c->part[i].mate);
}

/* Put an entry into the turn's order. */
static int
place(const struct step *s, uint64_t key, uint32_t entry, struct ctx_err *err)
{
	struct ctx_linker *w = s->w;
	struct ctx_place_in_turn *p;

	p = ctx_grow(w->slot, w->nslot, &w->capslot, sizeof(*p));
	if (p == NULL)
		return ctx_fail_nomem(err);
	w->slot = p;
	/* what is made stands behind what was there */
	p[w->nslot] = (struct ctx_place_in_turn){ key, (uint32_t)w->nslot |
	    (entry & CTX_INSERTED), entry };
	w->nslot++;
	return 0;
}

/*
 * Keys of a turn's order.  Results directly behind their message: message m
 * has m * 2, its results m * 2 + 1.  Results in the next user turn: all
 * assistant messages, then messages of results, then made ones, then the rest.
 */
#define KEY_RESULTS(s, m) \
	((s)->rules & CTX_RULE_IN_USER ? 1 : (uint64_t)(m) * 2 + 1)
#define KEY_MOVED	2
#define KEY_REST	UINT64_MAX

static int
repair(const struct step *s, uint32_t call, struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_RESULT, .role = CTX_TOOL,
	    .part = call };
	uint32_t n;

	if (ctx_plan_insert(s->plan, &in, CTX_REPAIR_TEXT,
	    sizeof(CTX_REPAIR_TEXT) - 1, &n, err) == -1)
		return -1;
	return place(s, KEY_RESULTS(s, s->c->part[call].msg),
	    n | CTX_INSERTED, err);
}

static int
unanswered(const struct step *s, struct ctx_err *err)
{
	int pending = s->opts->keep_pending && waits(s);
	const struct ctx_part *p;
	uint32_t m, i;

	for (m = s->t.from; m < s->t.end; m++) {
		if (s->c->msg[m].role != CTX_ASSISTANT)
			continue;
		FOR_PARTS(s->c, m, i) {
			p = &s->c->part[i];
			if (p->kind != CTX_CALL || p->mate != CTX_NONE ||
			    pending || (p->flags & CTX_SERVER && s->last))
				continue;
			if (ctx_plan_find(s->plan, CTX_F_UNANSWERED, m, i, 1,
			    err) == -1)
				return -1;
			if (p->flags & CTX_SERVER ||
			    s->opts->unanswered == CTX_TRIM || (p->id.p ==
			    NULL && !(p->flags & CTX_BY_NAME)))
				ctx_plan_drop_part(s->plan, i);
			else if (s->opts->unanswered == CTX_DROP)
				drop_with_results(s, m);
			else if (repair(s, i, err) == -1)
				return -1;
		}
	}
	return 0;
}

static int
orphans(const struct step *s, struct ctx_err *err)
{
	const struct ctx_part *p;
	uint32_t m, i;

	for (m = s->t.from; m < s->t.end; m++)
		FOR_PARTS(s->c, m, i) {
			p = &s->c->part[i];
			if (p->kind != CTX_RESULT || p->mate != CTX_NONE)
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
	uint32_t i;

	FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (p->kind == CTX_HOLLOW)
			fault = CTX_F_EMPTY_CALLS;
		else if (s->rules & CTX_RULE_NO_EMPTY && p->kind == CTX_TEXT &&
		    p->place[0].node != CTX_NONE && blank(s->c, i))
			fault = CTX_F_EMPTY_TEXT;
		else
			continue;
		if (ctx_plan_find(s->plan, fault, m, i, 1, err) == -1)
			return -1;
		ctx_plan_drop_part(s->plan, i);
	}
	return 0;
}

/* Was anything of message m dropped? */
static int
touched(const struct step *s, uint32_t m)
{
	uint32_t i;

	FOR_PARTS(s->c, m, i)
		if (s->plan->drop_part[i])
			return 1;
	return 0;
}

/* A message that the API refuses for saying nothing, as it came. */
static int
empty(const struct step *s, uint32_t m)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	uint32_t i;

	if (s->rules & CTX_RULE_NO_EMPTY)
		return !says_something(s, m) && (msg->role != CTX_ASSISTANT ||
		    !s->last || m + 1 < s->t.end);
	if (!(s->rules & CTX_RULE_NEEDS_CONTENT) || msg->role != CTX_ASSISTANT)
		return 0;
	FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind != CTX_THINKING &&
		    s->c->part[i].kind != CTX_HOLLOW)
			return 0;
	return 1;
}

static int
hygiene(const struct step *s, struct ctx_err *err)
{
	const struct ctx_msg *msg;
	uint32_t m;

	for (m = s->t.from; m < s->t.end; m++) {
		msg = &s->c->msg[m];
		if (msg->flags & CTX_FIXED || s->plan->drop_msg[m])
			continue;
		if (hollow_parts(s, m, err) == -1)
			return -1;
		if (touched(s, m)) {
			if (!says_something(s, m))
				ctx_plan_drop_msg(s->plan, m);
		} else if (empty(s, m)) {
			if (ctx_plan_find(s->plan, CTX_F_EMPTY_MESSAGE, m,
			    CTX_NONE, 1, err) == -1)
				return -1;
			ctx_plan_drop_msg(s->plan, m);
		}
		if (!s->seen->begun && msg->role != CTX_SYSTEM &&
		    !s->plan->drop_msg[m]) {
			s->seen->begun = 1;
			if (s->rules & CTX_RULE_FIRST_USER &&
			    msg->role != CTX_USER &&
			    ctx_plan_find(s->plan, CTX_F_FIRST_ROLE, m,
			    CTX_NONE, 0, err) == -1)
				return -1;
		}
	}
	return 0;
}

/* --- ids ------------------------------------------------------------ */

static uint64_t
hash(const char *p, size_t len)
{
	uint64_t h = ctx_hash(p, len);

	return h == 0 ? 1 : h;
}

static int
grow_ids(struct ctx_links *l)
{
	size_t cap = l->capid == 0 ? 64 : l->capid * 2, i, k;
	struct ctx_seen_id *id = calloc(cap, sizeof(*id));

	if (id == NULL)
		return -1;
	for (i = 0; i < l->capid; i++) {
		if (l->id[i].hash == 0)
			continue;
		for (k = l->id[i].hash & (cap - 1); id[k].hash != 0;
		    k = (k + 1) & (cap - 1))
			;
		id[k] = l->id[i];
	}
	free(l->id);
	l->id = id;
	l->capid = cap;
	return 0;
}

/* The entry of hash h, new if it was not there; NULL out of memory. */
static struct ctx_seen_id *
see_id(struct ctx_links *l, uint64_t h)
{
	size_t k;

	if (l->nid * 2 >= l->capid && grow_ids(l) == -1)
		return NULL;
	for (k = h & (l->capid - 1); l->id[k].hash != 0;
	    k = (k + 1) & (l->capid - 1))
		if (l->id[k].hash == h)
			return &l->id[k];
	l->id[k].hash = h;
	l->nid++;
	return &l->id[k];
}

/*
 * Another name for call i and its result: its id, "_" and the first free n.
 * The entry of the id (hash h) knows the n that was tried last, so that an id
 * used a million times does not try a million names for each.
 */
static int
rename_call(const struct step *s, uint32_t i, uint64_t h, struct ctx_err *err)
{
	const struct ctx_part *p = &s->c->part[i];
	struct ctx_buf *b = &s->w->buf;
	struct ctx_seen_id *e;

	if (ctx_plan_find(s->plan, CTX_F_REUSED_ID, p->msg, i, 1, err) == -1)
		return -1;
	do {
		if ((e = see_id(s->seen, h)) == NULL)
			return ctx_fail_nomem(err);
		ctx_buf_reset(b);
		ctx_buf_add(b, p->id.p, p->id.len);
		if (ctx_buf_addf(b, "_%u", ++e->uses) == -1 ||
		    (e = see_id(s->seen, hash(b->data, b->len))) == NULL)
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
	uint64_t h;

	if (!(s->rules & (CTX_RULE_UNIQUE_IDS | CTX_RULE_ID_40)))
		return 0;
	for (m = s->t.from; m < s->t.end; m++)
		FOR_PARTS(s->c, m, i) {
			p = &s->c->part[i];
			if (p->kind != CTX_CALL || p->id.p == NULL ||
			    s->plan->drop_part[i] || s->plan->drop_msg[m])
				continue;
			if (s->rules & CTX_RULE_ID_40 && p->id.len > 40 &&
			    ctx_plan_find(s->plan, CTX_F_LONG_ID, m, i, 0,
			    err) == -1)
				return -1;
			if (!(s->rules & CTX_RULE_UNIQUE_IDS))
				continue;
			h = hash(p->id.p, p->id.len);
			if ((e = see_id(s->seen, h)) == NULL)
				return ctx_fail_nomem(err);
			if (e->uses == 0)
				e->uses = 1;
			else if (rename_call(s, i, h, err) == -1)
				return -1;
		}
	return 0;
}

/* --- order ---------------------------------------------------------- */

/* The first kept result of message m, CTX_NONE if it has none. */
static uint32_t
first_result(const struct step *s, uint32_t m)
{
	uint32_t i;

	FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind == CTX_RESULT &&
		    !(s->c->part[i].flags & CTX_SERVER) &&
		    !s->plan->drop_part[i])
			return i;
	return CTX_NONE;
}

/* Results directly behind the message that called. */
static int
order_adjacent(const struct step *s, struct ctx_err *err)
{
	uint32_t m, r;
	uint64_t key, highest = 0;

	for (m = s->t.run; m < s->t.end; m++) {
		if (s->c->msg[m].role == CTX_ASSISTANT)
			key = (uint64_t)m * 2;
		else if (!s->plan->drop_msg[m] &&
		    (r = first_result(s, m)) != CTX_NONE)
			key = (uint64_t)s->c->part[s->c->part[r].mate].msg * 2
			    + 1;
		else
			key = KEY_REST;
		/* what is dropped stands nowhere, and so in nobody's way */
		if (key < highest && !s->plan->drop_msg[m] &&
		    s->c->msg[m].role != CTX_ASSISTANT &&
		    ctx_plan_find(s->plan, CTX_F_MISPLACED, m, CTX_NONE, 1,
		    err) == -1)
			return -1;
		if (key > highest && !s->plan->drop_msg[m])
			highest = key;
		if (place(s, key, m, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * Within one user message, results go to the front; 1 if all that is left is
 * results, 0 if not, -1 out of memory.
 */
static int
results_to_front(const struct step *s, uint32_t m, struct ctx_err *err)
{
	const struct ctx_part *p;
	int other = 0, found = 0;
	uint32_t i;

	FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (s->plan->drop_part[i] || p->flags & CTX_INNER)
			continue;
		if (p->kind != CTX_RESULT) {
			other = 1;
			continue;
		}
		if (!other)
			continue;
		if (!found && ctx_plan_find(s->plan, CTX_F_NOT_FIRST, m, i, 1,
		    err) == -1)
			return -1;
		found = 1;
		s->plan->front_part[i] = 1;
		s->plan->changed = 1;
	}
	return !other;
}

/* Take m's results out, to be carried by a made message. */
static int
carry(const struct step *s, uint32_t m, struct ctx_err *err)
{
	uint32_t i;

	if (ctx_plan_find(s->plan, CTX_F_MISPLACED, m, CTX_NONE, 1, err) == -1)
		return -1;
	FOR_PARTS(s->c, m, i) {
		if (s->c->part[i].kind != CTX_RESULT || s->plan->drop_part[i])
			continue;
		s->plan->front_part[i] = 0;
		ctx_plan_drop_part(s->plan, i);
		if (ctx_plan_move(s->plan, i, err) == -1)
			return -1;
	}
	return 0;
}

/* Results first in the user turn behind the calls. */
static int
order_in_user(const struct step *s, struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_MOVED, .role = CTX_USER,
	    .first = s->plan->nmoved };
	int rest = 0, pure;
	uint64_t key;
	uint32_t m, n;

	for (m = s->t.run; m < s->t.end; m++) {
		key = KEY_REST;
		if (s->c->msg[m].role == CTX_ASSISTANT) {
			key = 0;
		} else if (!s->plan->drop_msg[m] &&
		    first_result(s, m) != CTX_NONE) {
			if ((pure = results_to_front(s, m, err)) == -1)
				return -1;
			if (pure)
				key = 1;
			if (pure && rest && ctx_plan_find(s->plan,
			    CTX_F_MISPLACED, m, CTX_NONE, 1, err) == -1)
				return -1;
			if (!pure && rest && carry(s, m, err) == -1)
				return -1;
		}
		if (key == KEY_REST && !s->plan->drop_msg[m])
			rest = 1;
		if (place(s, key, m, err) == -1)
			return -1;
	}
	in.n = s->plan->nmoved - in.first;
	if (in.n == 0)
		return 0;
	if (ctx_plan_insert(s->plan, &in, "", 0, &n, err) == -1)
		return -1;
	return place(s, KEY_MOVED, n | CTX_INSERTED, err);
}

static int
compare_places(const void *a, const void *b)
{
	const struct ctx_place_in_turn *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

/* Sort the turn's entries and append them to the plan's order. */
static int
settle_order(const struct step *s, struct ctx_err *err)
{
	struct ctx_place_in_turn *p = s->w->slot;
	size_t i;
	int sorted = 1;

	for (i = 1; i < s->w->nslot; i++)
		if (compare_places(&p[i - 1], &p[i]) > 0)
			sorted = 0;
	if (!sorted) {
		qsort(p, s->w->nslot, sizeof(*p), compare_places);
		s->plan->changed = s->plan->reordered = 1;
	}
	for (i = 0; i < s->w->nslot; i++)
		if (ctx_plan_order(s->plan, p[i].entry, err) == -1)
			return -1;
	s->w->nslot = 0;
	return 0;
}

static int
order(const struct step *s, struct ctx_err *err)
{
	uint32_t m;

	for (m = s->t.from; m < s->t.run; m++)
		if (ctx_plan_order(s->plan, m, err) == -1)
			return -1;
	if (s->rules & CTX_RULE_IN_USER)
		return order_in_user(s, err);
	if (s->rules & CTX_RULE_ADJACENT)
		return order_adjacent(s, err);
	for (; m < s->t.end; m++)
		if (place(s, (uint64_t)m * 2, m, err) == -1)
			return -1;
	return 0;
}

int
ctx_links_plan(struct ctx_linker *w, struct ctx_plan *plan,
    struct ctx_convo *c, struct ctx_links *seen,
    const struct ctx_links_opts *opts, int last, struct ctx_err *err)
{
	struct step s = { .w = w, .plan = plan, .c = c, .seen = seen,
	    .opts = opts };
	uint32_t from;

	s.rules = c->dialect != NULL ? c->dialect->rules : ctx_openai.rules;
	if (!(s.rules & CTX_RULE_PAIRS)) {
		for (from = 0; from < c->nmsg; from++)
			if (ctx_plan_order(plan, from, err) == -1)
				return -1;
		return 0;
	}
	if (ctx_pair(&w->pairer, c, err) == -1)
		return -1;
	for (from = 0; ctx_turn_bounds(c, from, &s.t); from = s.t.end) {
		s.last = last && s.t.end == c->nmsg;
		w->nslot = 0;
		if (unanswered(&s, err) == -1 || orphans(&s, err) == -1 ||
		    hygiene(&s, err) == -1 || ids(&s, err) == -1 ||
		    order(&s, err) == -1 || settle_order(&s, err) == -1)
			return -1;
	}
	return 0;
}
