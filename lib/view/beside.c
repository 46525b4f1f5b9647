/* SPDX-License-Identifier: MIT */
/* Results beside their calls; see beside.h. */
#include "view/beside.h"

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

int
ctx_beside_settle(struct ctx_convo *c, const struct ctx_dialect *of)
{
	struct ctx_strmap ids = { 0 };
	const struct ctx_part *p;
	size_t n, sent = 0;
	uint32_t i, call;
	int pass, rc = 0;

	/* first the ids of what messages have, then the others */
	for (pass = 0; pass < 2 && rc == 0; pass++, sent = ids.n)
		for (i = 0; i < c->npart && rc == 0; i++) {
			p = &c->part[i];
			if (p->kind != CTX_RESULT ||
			    c->rec[c->msg[p->msg].rec].dialect != of)
				continue;
			call = call_beside(c, i);
			if ((call != CTX_NONE) != pass)
				continue;
			n = p->id.p == NULL ? CTX_STRMAP_FULL - 1 :
			    ctx_strmap_add(&ids, p->id.p, p->id.len);
			if (n == CTX_STRMAP_FULL)
				rc = -1;
			else if (pass == 1)
				settle_one(c, i, call, n < sent);
		}
	ctx_strmap_done(&ids);
	return rc;
}
