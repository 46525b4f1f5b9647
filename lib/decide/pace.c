/* SPDX-License-Identifier: MIT */
/* When to change what was already sent; see pace.h. */
#include "decide/pace.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "view/branch.h"

/* See pace.h. */
#define REQUESTS	14	/* for which a grows by 1 */
#define MOST		5	/* a at the most */
#define LITTLE		4000	/* characters that may always be sent again */

struct run {
	struct ctx_pace *w;
	const struct ctx_pace_opts *o;
	uint32_t nmsg, now;
	size_t lo, hi;		/* items that may go now */
	uint64_t gain, saves;	/* of these */
	uint64_t sent;		/* what they were sent since they might go */
	uint64_t requests;	/* so far */
	uint64_t chars;		/* of the messages before now */
	uint64_t cached;	/* of these, in the request before */
	uint64_t cost;		/* of all requests if nothing had gone: 1 for
				   a cached character, 12.5 for another */
	uint64_t tokens;	/* of the messages so far */
	uint32_t first;		/* the first that gains; nmsg if none does */
};

void
ctx_pace_done(struct ctx_pace *w)
{
	free(w->item);
	free(w->chars);
	free(w->tokens);
	free(w->hidden);
	free(w->tree);
	memset(w, 0, sizeof(*w));
}

int
ctx_pace_reset(struct ctx_pace *w, const struct ctx_convo *c,
    struct ctx_err *err)
{
	size_t n = c->nmsg;

	w->n = 0;
	if (CTX_ROOM(w->chars, n, &w->capchars) == -1 ||
	    CTX_ROOM(w->tokens, n, &w->captokens) == -1 ||
	    CTX_ROOM(w->hidden, n, &w->caphidden) == -1 ||
	    CTX_ROOM(w->tree, n + 1, &w->captree) == -1)
		return ctx_fail_nomem(err);
	memset(w->chars, 0, n * sizeof(*w->chars));
	memset(w->tokens, 0, n * sizeof(*w->tokens));
	memset(w->hidden, 0, n);
	memset(w->tree, 0, (n + 1) * sizeof(*w->tree));
	return 0;
}

struct ctx_pace_item *
ctx_pace_add(struct ctx_pace *w)
{
	struct ctx_pace_item *it;

	if (CTX_ROOM(w->item, w->n, &w->cap) == -1)
		return NULL;
	it = &w->item[w->n++];
	memset(it, 0, sizeof(*it));
	return it;
}

/* --- answers ------------------------------------------------------------- */

/* Is message m one message to the API with that of the call? */
static int
is_joined(const struct ctx_convo *c, uint32_t m, uint32_t call)
{
	struct ctx_str join = c->msg[m].join;

	return call != CTX_NONE && join.p != NULL &&
	    c->msg[c->part[call].msg].join.p != NULL &&
	    ctx_str_same(join, c->msg[c->part[call].msg].join);
}

static int
may_answer(const struct ctx_pace_answers *a, const struct ctx_convo *c,
    uint32_t m)
{
	return c->msg[m].role == CTX_ASSISTANT &&
	    !ctx_branch_is_off(a->chain, c, m);
}

uint32_t
ctx_pace_answer(struct ctx_pace_answers *a, const struct ctx_convo *c,
    uint32_t from, uint32_t call)
{
	uint32_t m = a->first > from ? a->first : from;

	while (m < c->nmsg && !may_answer(a, c, m))
		m++;
	a->first = m;
	if (m == c->nmsg || !is_joined(c, m, call))
		return m;
	m = a->other > m ? a->other : m;
	while (m < c->nmsg && (!may_answer(a, c, m) || is_joined(c, m, call)))
		m++;
	a->other = m;
	return m;
}

/* --- sums of lengths ----------------------------------------------------- */

/* A binary indexed tree; what is taken off wraps around and back. */
static void
add(struct run *r, uint32_t m, uint64_t n)
{
	uint32_t i;

	for (i = m + 1; i <= r->nmsg; i += i & -i)
		r->w->tree[i] += n;
}

static uint64_t
before(const struct run *r, uint32_t m)
{
	uint64_t sum = 0;

	for (; m > 0; m -= m & -m)
		sum += r->w->tree[m];
	return sum;
}

/* --- the decision -------------------------------------------------------- */

/* The first of the items that may go and gain something. */
static uint32_t
first_of(const struct run *r)
{
	const struct ctx_pace_item *it = r->w->item;
	uint32_t first = r->nmsg;
	size_t i;

	for (i = r->lo; i < r->hi; i++)
		if (it[i].gain > 0 && it[i].msg < first)
			first = it[i].msg;
	return first;
}

/* Put the item that was taken last where its message is. */
static void
sort_in(struct run *r)
{
	struct ctx_pace_item *it = r->w->item, last = it[r->hi];
	size_t i = r->hi;

	for (; i > r->lo && it[i - 1].msg > last.msg; i--)
		it[i] = it[i - 1];
	it[i] = last;
}

/* Message r->now has come, and items may go that waited for it. */
static void
arrive(struct run *r)
{
	struct ctx_pace *w = r->w;
	struct ctx_pace_item *it;

	r->tokens += w->tokens[r->now];
	add(r, r->now, w->chars[r->now]);
	for (; r->hi < w->n && w->item[r->hi].from <= r->now; r->hi++) {
		it = &w->item[r->hi];
		it->since = r->requests;
		r->gain += it->gain;
		r->saves += it->saves;
		if (it->gain > 0 && it->msg < r->first)
			r->first = it->msg;
		if (r->o->partly && r->o->step == CTX_PACE_PAYS)
			sort_in(r);
	}
}

/* Does it pay to send again so much, for what was sent so much? */
static int
pays(const struct run *r, uint64_t sent, uint64_t again)
{
	uint64_t a = r->requests;

	a = a < REQUESTS ? REQUESTS : a;
	if (a > MOST * REQUESTS || r->o->messages)
		a = MOST * REQUESTS;
	/* all of it: 1.15 against 0.1; or a part, if that is not much */
	return 2 * sent >= 23 * again || (sent * REQUESTS >= a * again &&
	    (again <= LITTLE || again * 115 <= r->cost));
}

/* Does it pay to send everything again from the first item on? */
static int
all_pay(const struct run *r)
{
	return r->first < r->now && pays(r, r->sent, before(r, r->now) -
	    before(r, r->first) - r->gain);
}

/* A request begins. */
static void
begin(struct run *r)
{
	r->requests++;
	r->sent += r->gain;
	r->cost += r->cached + (r->chars - r->cached) * 25 / 2;
	r->cached = r->chars;
}

static int
is_due(const struct run *r)
{
	if (r->lo == r->hi || (r->o->when > 0 && r->tokens <= r->o->when) ||
	    r->saves < r->o->least)
		return 0;
	return r->o->step == CTX_PACE_PAYS ? r->o->partly || all_pay(r) :
	    r->o->step == 0 || r->hi - r->lo > r->o->step;
}

/* The items from i on go, and are moved to those that are done with. */
static void
let_go_from(struct run *r, size_t i)
{
	struct ctx_pace_item *it = r->w->item, one;

	for (; i < r->hi; i++, r->lo++) {
		one = it[i];
		one.goes = 1;
		memmove(it + r->lo + 1, it + r->lo, (i - r->lo) * sizeof(*it));
		it[r->lo] = one;
	}
}

/* Let those go that pay, in the order of the messages, from the first one on. */
static void
let_some_go(struct run *r)
{
	const struct ctx_pace_item *it = r->w->item;
	uint64_t sent = 0, end = before(r, r->now);
	size_t i, from = r->hi;

	for (i = r->hi; i-- > r->lo;) {
		sent += it[i].gain * (r->requests - it[i].since);
		if (it[i].gain > 0 && pays(r, sent, end -
		    before(r, it[i].msg)))
			from = i;
	}
	let_go_from(r, from);
}

/*
 * Let the oldest go.  What gains nothing does not go from before the first that
 * does: then the place would be another one.
 */
static void
let_go(struct run *r)
{
	struct ctx_pace_item *it;

	if (r->o->partly && r->o->step == CTX_PACE_PAYS) {
		let_some_go(r);
		return;
	}
	for (; r->lo < r->hi; r->lo++) {
		it = &r->w->item[r->lo];
		if (r->o->down_to > 0 && r->tokens <= r->o->down_to)
			break;
		it->goes = r->o->step != CTX_PACE_PAYS || it->msg >= r->first;
		if (!it->goes)
			continue;
		r->gain -= it->gain;
		r->saves -= it->saves;
		r->sent -= it->gain * (r->requests - it->since);
		r->tokens -= it->tokens < r->tokens ? it->tokens : r->tokens;
		add(r, it->msg, it->also_gain - it->gain);
		add(r, it->also, -it->also_gain);
	}
	r->first = first_of(r);
}

void
ctx_pace_run(struct ctx_pace *w, const struct ctx_convo *c,
    const struct ctx_plan *plan, const struct ctx_pace_opts *opts)
{
	struct run r = { .w = w, .o = opts, .nmsg = c->nmsg, .first = c->nmsg };
	int answers = 0, is_answer;

	for (r.now = 0; r.now < c->nmsg; r.now++) {
		arrive(&r);
		if (opts->step == 0 || plan->drop_msg[r.now] ||
		    w->hidden[r.now])
			continue;
		is_answer = c->msg[r.now].role == CTX_ASSISTANT;
		if (answers && !is_answer)
			begin(&r);
		if ((opts->step != CTX_PACE_PAYS || (answers && !is_answer)) &&
		    is_due(&r))
			let_go(&r);
		r.chars += w->chars[r.now];
		answers = is_answer;
	}
	if (opts->step == 0 && is_due(&r))
		let_go(&r);
}
