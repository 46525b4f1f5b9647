/* SPDX-License-Identifier: MIT */
/* Results beside their calls; see beside.h. */
#include "view/beside.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

void
ctx_beside_copy(struct ctx_convo *c, uint32_t i)
{
	struct ctx_part *p = &c->part[i];

	p->kind = CTX_COPY;
	p->flags = CTX_INNER | (p->flags & CTX_RAW);
}

/* The call in the place of result i; CTX_NONE if it is in a message. */
static uint32_t
call_beside(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	uint32_t k;

	for (k = i; k-- > c->msg[p->msg].part;)
		if (c->part[k].kind == CTX_CALL && p->place[0].node !=
		    CTX_NONE && c->part[k].place[0].node == p->place[0].node)
			return k;
	return CTX_NONE;
}

static void
settle_one(struct ctx_convo *c, uint32_t i, uint32_t call, int repeated)
{
	const struct ctx_msg *m = &c->msg[c->part[i].msg];

	if (!repeated) {
		c->part[call].flags |= CTX_SERVER;
		c->part[i].flags |= CTX_SERVER;
		return;
	}
	do
		ctx_beside_copy(c, i++);
	while (i < m->part + m->npart && c->part[i].flags & CTX_INNER);
}

/* The calls of a message that have one id, and their results. */
struct group {
	uint32_t msg;
	uint32_t calls, beside, sent;
	uint32_t copies;	/* so many of those beside are in messages, too */
};

struct groups {
	struct ctx_strmap ids;
	uint32_t *last;		/* by id: 1 + its latest group; 0: none */
	struct group *group;
	uint32_t n;
	uint32_t *of;		/* by part: 1 + its group; 0: none */
	size_t cap, caplast, capof;
};

static void
groups_done(struct groups *g)
{
	ctx_strmap_done(&g->ids);
	free(g->last);
	free(g->group);
	free(g->of);
}

/* Note part i.  A call begins a group, unless another of its message did. */
static int
note(struct groups *g, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	size_t known = g->ids.n, n;
	struct group *of;

	n = ctx_strmap_add(&g->ids, p->id.p, p->id.len);
	if (n == CTX_STRMAP_FULL || CTX_ROOM(g->last, n, &g->caplast) == -1)
		return -1;
	if (n == known)
		g->last[n] = 0;
	if (p->kind == CTX_CALL && (g->last[n] == 0 ||
	    g->group[g->last[n] - 1].msg != p->msg)) {
		if (CTX_ROOM(g->group, g->n, &g->cap) == -1)
			return -1;
		g->group[g->n++] = (struct group){ .msg = p->msg };
		g->last[n] = g->n;
	}
	if ((g->of[i] = g->last[n]) == 0)
		return 0;
	of = &g->group[g->of[i] - 1];
	if (p->kind == CTX_CALL)
		of->calls++;
	else if (call_beside(c, i) != CTX_NONE)
		of->beside++;
	else
		of->sent++;
	return 0;
}

/* Of each group, those beside that would be more results than calls are copies. */
static int
find_groups(struct groups *g, const struct ctx_convo *c,
    const struct ctx_dialect *of)
{
	const struct ctx_part *p;
	struct group *one;
	uint32_t i;

	if (CTX_ROOM(g->of, c->npart, &g->capof) == -1)
		return -1;
	memset(g->of, 0, c->npart * sizeof(*g->of));
	for (i = 0; i < c->npart; i++) {
		p = &c->part[i];
		if ((p->kind == CTX_CALL || p->kind == CTX_RESULT) &&
		    p->id.p != NULL &&
		    c->rec[c->msg[p->msg].rec].dialect == of &&
		    note(g, c, i) == -1)
			return -1;
	}
	for (i = 0; i < g->n; i++) {
		one = &g->group[i];
		if (one->sent + one->beside > one->calls)
			one->copies = one->sent + one->beside - one->calls;
	}
	return 0;
}

int
ctx_beside_settle(struct ctx_convo *c, const struct ctx_dialect *of)
{
	struct groups g = { 0 };
	struct group *one;
	uint32_t i, call;
	int rc = find_groups(&g, c, of);

	for (i = 0; i < c->npart && rc == 0; i++) {
		if (c->part[i].kind != CTX_RESULT ||
		    c->rec[c->msg[c->part[i].msg].rec].dialect != of ||
		    (call = call_beside(c, i)) == CTX_NONE)
			continue;
		one = g.of[i] > 0 ? &g.group[g.of[i] - 1] : NULL;
		settle_one(c, i, call, one != NULL && one->copies > 0);
		if (one != NULL && one->copies > 0)
			one->copies--;
	}
	groups_done(&g);
	return rc;
}
