/* SPDX-License-Identifier: MIT */
/* Calls and results, paired by position; see pair.h. */
#include "decide/pair.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

#define FEW	4	/* calls that are found without a table */

/*
 * The key by which calls and results are matched, so that all in a chain match.  Where
 * both are of a dialect that pairs by names, these must agree besides the ids: such
 * calls wait in BY_BOTH, and in BY_ID_ALONE for other results.  Names are compared alone
 * only where one of the two has no id: BY_BARE_NAME are the calls that have none.
 */
enum by { BY_ID, BY_BOTH, BY_ID_ALONE, BY_NAME, BY_BARE_NAME, BY_ORDER };

struct ctx_waiting {
	uint32_t part;
	enum by by;
	uint32_t next;		/* next in its bucket; CTX_NONE at the end */
};

void
ctx_pairer_done(struct ctx_pairer *p)
{
	free(p->wait);
	free(p->bucket);
	memset(p, 0, sizeof(*p));
}

int
ctx_pair_bounds(const struct ctx_convo *c, uint32_t from,
    struct ctx_span_of_turn *t)
{
	const struct ctx_dialect *d;
	struct ctx_flow flow = { 0 };
	unsigned rules;
	uint32_t i = from, until = 0;

	if (from >= c->nmsg)
		return 0;
	while (i < c->nmsg && c->msg[i].role != CTX_ASSISTANT)
		i++;
	d = ctx_msg_dialect(c, i < c->nmsg ? i : from);
	rules = d != NULL ? d->rules : 0;
	t->from = from;
	t->run = i;
	for (; i < c->nmsg && (i == t->run || i <= until ||
	    !ctx_flow_ends(&flow, rules, &c->msg[i])); i++) {
		ctx_flow_add(&flow, c, i);
		if (c->nuntil > 0 && c->until[i] > until)
			until = c->until[i];
	}
	t->end = i;
	return 1;
}

static const struct ctx_str *
key_of(const struct ctx_part *p, enum by by)
{
	static const struct ctx_str any = { "", 0 };

	return by == BY_ORDER ? &any : by < BY_NAME ? &p->id : &p->name;
}

static uint32_t
hash_of(const struct ctx_part *p, enum by by)
{
	const struct ctx_str *s = key_of(p, by);
	uint64_t h = ctx_strmap_hash(s->p, s->len) + by +
	    (p->flags & CTX_SERVER);

	if (by == BY_BOTH && p->name.len > 0)
		h ^= ctx_strmap_hash(p->name.p, p->name.len);
	return (uint32_t)h;
}

static int
equal(const struct ctx_str *a, const struct ctx_str *b)
{
	return a->p != NULL && b->p != NULL && ctx_str_same(*a, *b);
}

static int
same(const struct ctx_part *call, const struct ctx_part *result, enum by by)
{
	if ((call->flags ^ result->flags) & CTX_SERVER)
		return 0;
	if (by == BY_BOTH && !equal(&call->name, &result->name))
		return 0;
	return equal(key_of(call, by), key_of(result, by));
}

static int
wait_by(struct ctx_pairer *p, size_t *n, uint32_t part, enum by by)
{
	if (CTX_ROOM(p->wait, *n, &p->cap) == -1)
		return -1;
	p->wait[(*n)++] = (struct ctx_waiting){ part, by, CTX_NONE };
	return 0;
}

static int
wait_by_id(struct ctx_pairer *p, size_t *n, uint32_t part, unsigned flags)
{
	if (!(flags & CTX_BY_NAME))
		return wait_by(p, n, part, BY_ID);
	return wait_by(p, n, part, BY_BOTH) == -1 ? -1 :
	    wait_by(p, n, part, BY_ID_ALONE);
}

/* named: a result may name the tool of a call that has an id, too. */
static int
add_waiting(struct ctx_pairer *p, size_t *n, const struct ctx_convo *c,
    uint32_t part, int named)
{
	const struct ctx_part *call = &c->part[part];
	int by_name = named || call->flags & CTX_BY_NAME;

	if (call->flags & CTX_BY_ORDER)
		return wait_by(p, n, part, BY_ORDER);
	if (call->id.p != NULL && wait_by_id(p, n, part, call->flags) == -1)
		return -1;
	if (by_name && wait_by(p, n, part, BY_NAME) == -1)
		return -1;
	if (call->id.p != NULL)
		return 0;
	if (by_name && wait_by(p, n, part, BY_BARE_NAME) == -1)
		return -1;
	/* a result without a name may answer it, too */
	return wait_by(p, n, part, BY_ORDER);
}

/* The chain of a part's key.  Few calls are all in one, and are not hashed. */
static inline uint32_t *
bucket_of(struct ctx_pairer *p, const struct ctx_part *part, enum by by)
{
	return &p->bucket[p->nbucket == 1 ? 0 :
	    hash_of(part, by) & (p->nbucket - 1)];
}

static int
fill_buckets(struct ctx_pairer *p, const struct ctx_convo *c, size_t n)
{
	uint32_t *link;
	size_t want = n <= FEW ? 1 : 8, i;

	while (n > FEW && want < 2 * n)
		want *= 2;
	p->nbucket = n > 0 ? want : 0;
	if (n == 0)
		return 0;
	if (CTX_ROOM(p->bucket, want - 1, &p->capbucket) == -1)
		return -1;
	memset(p->bucket, 0xff, want * sizeof(*p->bucket));
	/* from last to first, so that chains are in order */
	for (i = n; i-- > 0;) {
		link = bucket_of(p, &c->part[p->wait[i].part], p->wait[i].by);
		p->wait[i].next = *link;
		*link = (uint32_t)i;
	}
	return 0;
}

static int
is_gone(const struct ctx_pairer *p, const struct ctx_convo *c, uint32_t m)
{
	return p->gone != NULL && p->gone[c->msg[m].rec];
}

/* Is message m, of a session, off the branch that is resumed? */
static int
is_off(const struct ctx_pairer *p, const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_rec *r = &c->rec[c->msg[m].rec];

	return p->chain != NULL && r->link > 0 &&
	    p->chain->rec[r->link - 1].off;
}

/*
 * List the calls of a turn in the order in which results take them: the calls
 * of the latest message first, those of one message in order.  So an
 * interrupted call that was made again yields to the one that was answered, and
 * parallel calls with the same id are answered in turn.
 */
static int
list_calls(struct ctx_pairer *p, const struct ctx_convo *c,
    const struct ctx_span_of_turn *t, int named)
{
	uint32_t m, k;
	size_t n = 0;

	for (m = t->end; m-- > t->run;) {
		if (c->msg[m].role != CTX_ASSISTANT || is_gone(p, c, m) ||
		    (!p->off && is_off(p, c, m)))
			continue;
		for (k = 0; k < c->msg[m].npart; k++)
			if (c->part[c->msg[m].part + k].kind == CTX_CALL &&
			    add_waiting(p, &n, c, c->msg[m].part + k,
			    named) == -1)
				return -1;
	}
	return fill_buckets(p, c, n);
}

/*
 * Remove from its chain the call that result answers, and any calls passed on
 * the way that were already taken by another key.  CTX_NONE if there is none.
 */
static uint32_t
take_by(struct ctx_pairer *p, const struct ctx_convo *c, uint32_t result,
    enum by by)
{
	const struct ctx_part *r = &c->part[result], *call;
	uint32_t *link = bucket_of(p, r, by), w;

	while ((w = *link) != CTX_NONE) {
		call = &c->part[p->wait[w].part];
		if (call->mate != CTX_NONE) {
			*link = p->wait[w].next;
			continue;
		}
		if (p->wait[w].by == by && call->msg <= r->msg &&
		    same(call, r, by)) {
			*link = p->wait[w].next;
			return p->wait[w].part;
		}
		link = &p->wait[w].next;
	}
	return CTX_NONE;
}

static uint32_t
take_by_id(struct ctx_pairer *p, const struct ctx_convo *c, uint32_t result)
{
	int named = (c->part[result].flags & CTX_BY_NAME) != 0;
	uint32_t call = take_by(p, c, result, named ? BY_BOTH : BY_ID);

	return call != CTX_NONE ? call :
	    take_by(p, c, result, named ? BY_ID : BY_ID_ALONE);
}

static uint32_t
take_call(struct ctx_pairer *p, const struct ctx_convo *c, uint32_t result)
{
	const struct ctx_part *r = &c->part[result];
	uint32_t call = CTX_NONE;

	if (r->flags & CTX_BY_ORDER)
		return take_by(p, c, result, BY_ORDER);
	if (r->id.p != NULL)
		call = take_by_id(p, c, result);
	if (call == CTX_NONE && r->flags & CTX_BY_NAME)
		call = take_by(p, c, result, r->id.p != NULL ? BY_BARE_NAME :
		    BY_NAME);
	return call;
}

static void
pair_result(struct ctx_pairer *p, struct ctx_convo *c, uint32_t i)
{
	uint32_t call = take_call(p, c, i);

	if (call == CTX_NONE)
		return;
	c->part[i].mate = call;
	c->part[call].mate = i;
	if (c->part[i].name.p == NULL)
		c->part[i].name = c->part[call].name;
}

static int
pair_results(struct ctx_pairer *p, struct ctx_convo *c,
    const struct ctx_span_of_turn *t)
{
	uint32_t m, i;
	int named = 0;

	for (m = t->run; m < t->end; m++) {
		if (is_gone(p, c, m) || is_off(p, c, m) != p->off)
			continue;
		CTX_FOR_PARTS(c, m, i) {
			if (c->part[i].kind != CTX_RESULT ||
			    c->part[i].mate != CTX_NONE)
				continue;
			if (c->part[i].flags & CTX_TOOL_NAME && !named) {
				named = 1;
				if (list_calls(p, c, t, named) == -1)
					return -1;
			}
			pair_result(p, c, i);
		}
	}
	return 0;
}

/*
 * A call of the provider's that hung beside others of the turn may have its
 * result at the head of the next assistant message.
 */
static void
pair_late(struct ctx_pairer *p, struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	if (m == c->nmsg || c->msg[m].role != CTX_ASSISTANT ||
	    is_gone(p, c, m) || is_off(p, c, m) != p->off)
		return;
	CTX_FOR_PARTS(c, m, i) {
		if (c->part[i].kind != CTX_RESULT ||
		    !(c->part[i].flags & CTX_SERVER))
			return;
		pair_result(p, c, i);
	}
}

/* Pair results off the branch with any calls, or those on it with calls on it. */
static int
pair_side(struct ctx_pairer *p, struct ctx_convo *c,
    const struct ctx_span_of_turn *t, int off)
{
	p->off = off;
	if (list_calls(p, c, t, 0) == -1)
		return -1;
	if (p->nbucket == 0)
		return 0;
	if (pair_results(p, c, t) == -1)
		return -1;
	pair_late(p, c, t->end);
	return 0;
}

static int
any_off(const struct ctx_pairer *p, const struct ctx_convo *c,
    const struct ctx_span_of_turn *t)
{
	uint32_t m = t->run;

	while (m < t->end && !is_off(p, c, m))
		m++;
	return m < t->end;
}

void
ctx_pair_clear(struct ctx_convo *c)
{
	uint32_t i;

	for (i = 0; i < c->npart; i++)
		c->part[i].mate = CTX_NONE;
}

int
ctx_pair_turn(struct ctx_pairer *p, struct ctx_convo *c,
    const struct ctx_span_of_turn *t, const unsigned char *gone,
    const struct ctx_chain *chain, struct ctx_err *err)
{
	p->gone = gone;
	p->chain = chain;
	return pair_side(p, c, t, 0) == -1 || (chain != NULL &&
	    any_off(p, c, t) && pair_side(p, c, t, 1) == -1) ?
	    ctx_fail_nomem(err) : 0;
}

int
ctx_pair(struct ctx_pairer *p, struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_span_of_turn t;
	uint32_t from;

	ctx_pair_clear(c);
	for (from = 0; ctx_pair_bounds(c, from, &t); from = t.end)
		if (ctx_pair_turn(p, c, &t, NULL, NULL, err) == -1)
			return -1;
	return 0;
}

int
ctx_pair_complete(const struct ctx_convo *c)
{
	uint32_t i;

	for (i = 0; i < c->npart; i++)
		if (c->part[i].kind == CTX_CALL &&
		    c->part[i].mate == CTX_NONE)
			return 0;
	return 1;
}
