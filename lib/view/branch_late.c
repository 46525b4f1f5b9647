/* SPDX-License-Identifier: MIT */
/* Calls that are answered when another branch went on; see branch.h. */
#include "view/branch.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

/* A walk over the messages of both sides: the branch, and what is beside it. */
struct walk {
	const struct ctx_chain *chain;
	struct ctx_convo *c;
	struct ctx_strmap ids;
	uint32_t *call;		/* by id and side: the message of the newest
				   call, or CTX_NONE */
	size_t capcall;
	uint32_t last[2], since[2];	/* of each side: its last message, and
					   the first after its last boundary */
};

static int
side_of(const struct walk *w, uint32_t m)
{
	const uint32_t link = w->c->rec[w->c->msg[m].rec].link;

	return link > 0 && w->chain->rec[link - 1].beside;
}

/* The place for an id's calls of that side; NULL if out of memory. */
static uint32_t *
call_of(struct walk *w, struct ctx_str id, int side)
{
	const size_t known = w->ids.n;
	const size_t n = ctx_strmap_add(&w->ids, id.p, id.len);

	if (n == CTX_STRMAP_FULL ||
	    CTX_ROOM(w->call, 2 * n + 1, &w->capcall) == -1)
		return NULL;
	if (n == known)
		w->call[2 * n] = w->call[2 * n + 1] = CTX_NONE;
	return &w->call[2 * n + (size_t)side];
}

static int
take(struct walk *w, uint32_t m)
{
	const int side = side_of(w, m);
	const struct ctx_part *p;
	uint32_t *call, i;

	if (w->c->msg[m].flags & CTX_BOUNDARY)
		w->since[side] = m;
	CTX_FOR_PARTS(w->c, m, i) {
		p = &w->c->part[i];
		if ((p->kind != CTX_CALL && p->kind != CTX_RESULT) ||
		    p->id.p == NULL)
			continue;
		if ((call = call_of(w, p->id, side)) == NULL)
			return -1;
		if (p->kind == CTX_CALL)
			*call = m;
		else if (*call != CTX_NONE && *call >= w->since[side] &&
		    w->last[!side] != CTX_NONE && w->last[!side] > *call)
			w->c->until[*call] = m;
	}
	w->last[side] = m;
	return 0;
}

int
ctx_branch_late(const struct ctx_chain *ch, struct ctx_convo *c,
    struct ctx_err *err)
{
	struct walk w = { .chain = ch, .c = c,
	    .last = { CTX_NONE, CTX_NONE } };
	uint32_t m;
	int rc = 0;

	if (CTX_ROOM(c->until, c->nmsg, &c->capuntil) == -1)
		return ctx_fail_nomem(err);
	memset(c->until, 0, c->nmsg * sizeof(*c->until));
	c->nuntil = c->nmsg;
	for (m = 0; m < c->nmsg && rc == 0; m++)
		rc = take(&w, m);
	ctx_strmap_done(&w.ids);
	free(w.call);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}
