/* SPDX-License-Identifier: MIT */
/* Halves of surrogate pairs; see surrogate.h. */
#include "decide/surrogate.h"

/* If the string, in message m, has been given new contents, mend those. */
static int
mend_new(struct ctx_plan *p, const struct ctx_convo *c, uint32_t m,
    uint32_t node)
{
	const struct ctx_part *part;
	uint32_t i, found = 0;

	for (i = 0; i < p->nswap; i++) {
		part = &c->part[p->swap[i].part];
		if (part->msg != m || node != (p->swap[i].of_id ?
		    part->idnode : part->text))
			continue;
		ctx_str_mend(p->bytes.data + p->swap[i].off, p->swap[i].len);
		found = 1;
	}
	for (i = 0; i < p->nrewrite; i++) {
		if (p->rewrite[i].rec != c->msg[m].rec ||
		    p->rewrite[i].node != node)
			continue;
		ctx_str_mend(p->bytes.data + p->rewrite[i].off,
		    p->rewrite[i].len);
		found = 1;
	}
	return found != 0;
}

/* String node of message m has a half. */
static int
mend(struct ctx_plan *p, const struct ctx_convo *c, uint32_t m, uint32_t node,
    int tell, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	const struct ctx_dialect *d = ctx_dialect_of(ctx_msg_dialect(c, m));
	struct ctx_str before = ctx_node_str(&doc, node);
	struct ctx_change change = { .rule = "lone-surrogate",
	    .rec = c->msg[m].rec, .msg = m, .before = before };
	int refused = (d->rules & CTX_RULE_WHOLE_PAIRS) != 0;
	struct ctx_finding *f;

	if (ctx_plan_find(p, CTX_F_SURROGATE, m, CTX_NONE, refused, err) == -1)
		return -1;
	f = &p->finding[p->nfinding - 1];
	f->rec = c->msg[m].rec;
	f->node = node;
	f->warning = !refused;
	if (!refused || mend_new(p, c, m, node))
		return 0;
	if (ctx_plan_rewrite(p, c->msg[m].rec, node, 0, before, err) == -1)
		return -1;
	ctx_str_mend(p->bytes.data + p->rewrite[p->nrewrite - 1].off,
	    before.len);
	if (!tell)
		return 0;
	if (ctx_plan_tell(p, &change, before, err) == -1)
		return -1;
	ctx_str_mend(p->bytes.data + p->change[p->nchange - 1].off,
	    before.len);
	return 0;
}

static int
mend_message(struct ctx_plan *p, const struct ctx_convo *c, uint32_t m,
    int tell, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	const struct ctx_node *n = doc.node;
	uint32_t i = c->msg[m].node;

	if (p->drop_msg[m] || i == CTX_NONE)
		return 0;
	for (; i < n[c->msg[m].node].next; i++)
		if (ctx_node_type(&doc, i) == '"' && ctx_str_half(doc.raw +
		    n[i].off, n[i].len) < n[i].len &&
		    mend(p, c, m, i, tell, err) == -1)
			return -1;
	return 0;
}

int
ctx_surrogate_plan(struct ctx_plan *p, const struct ctx_convo *c, int tell,
    struct ctx_err *err)
{
	const struct ctx_rec *rec;
	uint32_t r, m;

	for (r = 0; c->doc.escapes && r < c->nrec; r++) {
		rec = &c->rec[r];
		if (rec->nmsg == 0 ||
		    ctx_str_half(rec->raw, rec->len) == rec->len)
			continue;
		for (m = rec->msg; m < rec->msg + rec->nmsg; m++)
			if (mend_message(p, c, m, tell, err) == -1)
				return -1;
	}
	return 0;
}
