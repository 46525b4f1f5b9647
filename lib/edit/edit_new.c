/* SPDX-License-Identifier: MIT */
/* Messages that a plan adds, and parts that it moves into one; see edit.h. */
#include "edit/edit_impl.h"

/* The id of call part i after the plan. */
static struct ctx_str
id_of(const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_swap *swap = ctx_plan_swapped(plan, i, 1);
	struct ctx_str id = c->part[i].id;

	if (swap != NULL) {
		id.p = plan->bytes.data + swap->off;
		id.len = (uint32_t)swap->len;
	}
	return id;
}

/*
 * Set the neighbour whose form a new message about m copies, as the plan leaves it: a
 * secret in its path is not written again.
 */
static int
like(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, struct ctx_new *what,
    struct ctx_err *err)
{
	struct ctx_edit_like *l = &e->like;
	const struct ctx_rec *rec;
	const struct ctx_node *node;

	ctx_patch_reset(&l->patch);
	if (m >= c->nmsg)
		return 0;
	rec = &c->rec[c->msg[m].rec];
	l->rec = ctx_convo_doc(c, c->msg[m].rec);
	what->doc = &l->rec;
	what->like = rec->root;
	if (rec->shape == CTX_REC_CONVERSATION)
		what->like = ctx_convo_unit(c, m) != CTX_NONE ?
		    ctx_convo_unit(c, m) : c->msg[m].node;
	if (ctx_edit_patch_rewrites(&l->patch, plan, c, c->msg[m].rec,
	    what->like, err) == -1)
		return -1;
	if (l->patch.n == 0)
		return 0;
	node = &l->rec.node[what->like];
	ctx_buf_reset(&l->text);
	ctx_patch_apply(&l->patch, l->rec.raw, node->off,
	    (size_t)node->off + node->len, &l->text);
	if (ctx_buf_fail(&l->text, err) == -1 || ctx_doc_scan(&l->doc,
	    l->text.data, l->text.len, err) == -1)
		return -1;
	what->doc = &l->doc;
	what->like = 0;
	return 0;
}

/* The name of a call's tool, as the plan leaves the neighbour that has it. */
static struct ctx_str
name_of(const struct ctx_edit *e, struct ctx_str name)
{
	const struct ctx_patch *p = &e->like.patch;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (e->like.rec.raw + p->one[i].off == name.p &&
		    p->one[i].len == name.len)
			return (struct ctx_str){ p->text.data + p->one[i].text,
			    (uint32_t)p->one[i].textlen };
	return name;
}

/* List the parts inside part i that are dropped. */
static int
items_inside(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t i, struct ctx_err *err)
{
	const struct ctx_place *at;

	e->nitem = 0;
	while (++i < c->npart && c->part[i].flags & CTX_INNER)
		for (at = c->part[i].place; plan->drop_part[i] &&
		    at < c->part[i].place + 2; at++)
			if (at->node != CTX_NONE &&
			    ctx_edit_add_item(e, at->list, at->node,
			    CTX_ITEM_GOES, err) == -1)
				return -1;
	return 0;
}

/* The bytes of a moved part, with its new text and id. */
static int
moved_part(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t i, struct ctx_patch *patch,
    struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	const struct ctx_node *node = &doc.node[p->place[0].node];
	const struct ctx_swap *swap;
	struct ctx_buf scratch = { 0 };
	uint32_t k, of_id;
	int rc = 0;

	ctx_patch_reset(patch);
	for (k = i; k < c->npart && (k == i ||
	    c->part[k].flags & CTX_INNER); k++)
		for (of_id = 0; of_id <= 1; of_id++)
			if ((k == i || !plan->drop_part[k]) && (swap =
			    ctx_plan_swapped(plan, k, (int)of_id)) != NULL)
				rc |= ctx_edit_patch_swap(patch, plan, c, &doc, swap,
				    err);
	if (rc == -1 || ctx_edit_patch_rewrites(patch, plan, c,
	    c->msg[p->msg].rec, p->place[0].node, err) == -1)
		return -1;
	rc = items_inside(e, plan, c, i, err);
	if (rc == 0)
		rc = ctx_edit_patch_lists(e, patch, &doc, &scratch, err);
	if (rc == 0)
		ctx_patch_apply(patch, doc.raw, node->off,
		    (size_t)node->off + node->len, &e->list);
	ctx_buf_done(&scratch);
	return rc;
}

/* The parts of a CTX_NEW_MOVED, joined with commas. */
static int
gather_moved(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_insert *in,
    struct ctx_err *err)
{
	struct ctx_patch patch = { 0 };
	uint32_t i;
	int rc = 0;

	ctx_buf_reset(&e->list);
	for (i = in->first; i < in->first + in->n && rc == 0; i++) {
		if (i > in->first)
			ctx_buf_addc(&e->list, ',');
		rc = moved_part(e, plan, c, plan->moved[i], &patch, err);
	}
	ctx_patch_done(&patch);
	return rc == -1 ? -1 : ctx_buf_fail(&e->list, err);
}

/* The message that insert n comes before, or after the last one; c->nmsg: none. */
static uint32_t
neighbour(const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t n)
{
	uint32_t i, m = c->nmsg;

	for (i = plan->norder; i-- > 0 && plan->order[i] !=
	    (n | CTX_INSERTED);)
		if (!(plan->order[i] & CTX_INSERTED))
			m = plan->order[i];
	return m == c->nmsg && m > 0 ? m - 1 : m;
}

int
ctx_edit_emit_insert(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_insert *in,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_new what = { .kind = in->kind, .role = in->role,
	    .textlen = in->len };
	const struct ctx_dialect *d = ctx_dialect_of(c->dialect);
	uint32_t m = c->nmsg;

	if (in->len > 0)
		what.text = plan->bytes.data + in->off;
	if (in->kind == CTX_NEW_RESULT) {
		what.id = id_of(plan, c, in->part);
		m = c->part[in->part].msg;
	} else if (in->kind == CTX_NEW_MOVED) {
		if (gather_moved(e, plan, c, in, err) == -1)
			return -1;
		what.raw = e->list.data;
		what.rawlen = e->list.len;
		m = c->part[plan->moved[in->first]].msg;
	} else if (d->rules & CTX_RULE_SESSION)
		m = neighbour(plan, c, (uint32_t)(in - plan->insert));
	if (like(e, plan, c, m, &what, err) == -1)
		return -1;
	if (in->kind == CTX_NEW_RESULT)
		what.name = name_of(e, c->part[in->part].name);
	return d->emit(out, &what) == -1 ? ctx_fail_nomem(err) : 0;
}
