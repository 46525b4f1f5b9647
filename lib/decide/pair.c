/* SPDX-License-Identifier: MIT */
/* Calls and results, paired by position; see pair.h. */
#include "decide/pair.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

struct ctx_waiting {
	uint32_t part;
	uint32_t hash;
	uint32_t next;		/* in its bucket, CTX_NONE ends */
};

void
ctx_pairer_done(struct ctx_pairer *p)
{
	free(p->wait);
	free(p->bucket);
	memset(p, 0, sizeof(*p));
}

int
ctx_turn_bounds(const struct ctx_convo *c, uint32_t from,
    struct ctx_span_of_turn *t)
{
	uint32_t i = from;
	int results = 0;

	if (from >= c->nmsg)
		return 0;
	while (i < c->nmsg && c->msg[i].role != CTX_ASSISTANT)
		i++;
	t->from = from;
	t->run = i;
	for (; i < c->nmsg; i++) {
		if (c->msg[i].role != CTX_ASSISTANT)
			results = 1;
		else if (results && !(c->msg[i].flags & CTX_JOINED))
			break;
	}
	t->end = i;
	return 1;
}

static const struct ctx_str *
key_of(const struct ctx_part *p)
{
	return p->flags & CTX_BY_NAME ? &p->name : &p->id;
}

static uint32_t
hash_of(const struct ctx_part *p)
{
	const struct ctx_str *s = key_of(p);

	return (uint32_t)ctx_hash(s->p, s->len);
}

static int
same(const struct ctx_part *call, const struct ctx_part *result)
{
	const struct ctx_str *a = key_of(call), *b = key_of(result);

	if (a->p == NULL || b->p == NULL ||
	    (call->flags ^ result->flags) & (CTX_SERVER | CTX_BY_NAME))
		return 0;
	return a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

static int
add_waiting(struct ctx_pairer *p, size_t *n, const struct ctx_convo *c,
    uint32_t part)
{
	struct ctx_waiting *w = ctx_grow(p->wait, *n, &p->cap, sizeof(*w));

	if (w == NULL)
		return -1;
	p->wait = w;
	w[*n].part = part;
	w[*n].hash = hash_of(&c->part[part]);
	w[*n].next = CTX_NONE;
	(*n)++;
	return 0;
}

/*
 * The calls of a turn in the order in which a result may take them: those of
 * the latest message first, within a message in order.  So an interrupted
 * call that was made again gives way to the one that was answered, and
 * parallel calls of one id are answered one after the other.
 */
static int
list_calls(struct ctx_pairer *p, const struct ctx_convo *c,
    const struct ctx_span_of_turn *t, size_t *n)
{
	uint32_t m, k;

	*n = 0;
	for (m = t->end; m-- > t->run;) {
		if (c->msg[m].role != CTX_ASSISTANT)
			continue;
		for (k = 0; k < c->msg[m].npart; k++)
			if (c->part[c->msg[m].part + k].kind == CTX_CALL &&
			    add_waiting(p, n, c, c->msg[m].part + k) == -1)
				return -1;
	}
	return 0;
}

static int
fill_buckets(struct ctx_pairer *p, size_t n)
{
	uint32_t *b, *link;
	size_t want = 8, i;

	while (want < 2 * n)
		want *= 2;
	if ((b = ctx_grow(p->bucket, want - 1, &p->capbucket,
	    sizeof(*b))) == NULL)
		return -1;
	p->bucket = b;
	p->nbucket = want;
	memset(b, 0xff, want * sizeof(*b));
	/* from the last to the first, so that chains are in order */
	for (i = n; i-- > 0;) {
		link = &b[p->wait[i].hash & (want - 1)];
		p->wait[i].next = *link;
		*link = (uint32_t)i;
	}
	return 0;
}

/* Take the call that result answers out of its chain; CTX_NONE: none. */
static uint32_t
take_call(struct ctx_pairer *p, const struct ctx_convo *c, uint32_t result)
{
	const struct ctx_part *r = &c->part[result];
	uint32_t *link = &p->bucket[hash_of(r) & (p->nbucket - 1)], w;

	for (; (w = *link) != CTX_NONE; link = &p->wait[w].next)
		if (c->part[p->wait[w].part].msg <= r->msg &&
		    same(&c->part[p->wait[w].part], r)) {
			*link = p->wait[w].next;
			return p->wait[w].part;
		}
	return CTX_NONE;
}

static void
pair_results(struct ctx_pairer *p, struct ctx_convo *c,
    const struct ctx_span_of_turn *t)
{
	uint32_t m, i, call;

	for (m = t->run; m < t->end; m++)
		for (i = c->msg[m].part; i < c->msg[m].part + c->msg[m].npart;
		    i++) {
			if (c->part[i].kind != CTX_RESULT ||
			    (call = take_call(p, c, i)) == CTX_NONE)
				continue;
			c->part[i].mate = call;
			c->part[call].mate = i;
			if (c->part[i].name.p == NULL)
				c->part[i].name = c->part[call].name;
		}
}

int
ctx_pair(struct ctx_pairer *p, struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_span_of_turn t;
	uint32_t from;
	size_t n;

	for (from = 0; from < c->npart; from++)
		c->part[from].mate = CTX_NONE;
	for (from = 0; ctx_turn_bounds(c, from, &t); from = t.end) {
		if (list_calls(p, c, &t, &n) == -1)
			return ctx_fail_nomem(err);
		if (n == 0)
			continue;
		if (fill_buckets(p, n) == -1)
			return ctx_fail_nomem(err);
		pair_results(p, c, &t);
	}
	return 0;
}

int
ctx_pair_complete(const struct ctx_convo *c)
{
	uint32_t i;

	for (i = 0; i < c->npart; i++)
		if (c->part[i].kind == CTX_CALL && c->part[i].mate == CTX_NONE &&
		    !(c->part[i].flags & CTX_SERVER))
			return 0;
	return 1;
}
