/* SPDX-License-Identifier: MIT */
/* A plan for a conversation line becomes bytes; see edit.h. */
#include "edit/edit_impl.h"

#include <string.h>

/*
 * Cut dropped messages: elements of the conversation's list, unless it is built
 * anew, and of lists inside an element that stays.
 */
static int
cut_messages(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_doc *doc, int anew,
    struct ctx_err *err)
{
	uint32_t m, end;

	for (m = 0; m < c->nmsg; m = end) {
		end = ctx_convo_unit_end(c, m);
		if (c->msg[m].host != CTX_NONE &&
		    !ctx_plan_drops(plan, m, end) &&
		    (ctx_edit_items_that_go(e, plan, c, m, end, err) == -1 ||
		    ctx_edit_patch_lists(e, &e->patch, doc, &e->scratch,
		    err) == -1))
			return -1;
	}
	e->nitem = 0;
	for (m = 0; !anew && m < c->nmsg; m = end) {
		end = ctx_convo_unit_end(c, m);
		if (ctx_convo_unit(c, m) != CTX_NONE &&
		    ctx_plan_drops(plan, m, end) &&
		    ctx_edit_add_item(e, c->rec[0].list, ctx_convo_unit(c, m),
		    CTX_ITEM_GOES, err) == -1)
			return -1;
	}
	return ctx_edit_patch_lists(e, &e->patch, doc, &e->scratch, err);
}

/* Append an element, or several, of n bytes to a list that is being rebuilt. */
static void
add_listed(struct ctx_buf *list, const char *p, size_t n)
{
	if (n > 0 && list->len > 0)
		ctx_buf_addc(list, ',');
	ctx_buf_add(list, p, n);
}

/* The first message that is an element of the list, or c->nmsg. */
static uint32_t
first_unit(const struct ctx_convo *c)
{
	uint32_t m = 0;

	while (m < c->nmsg && c->msg[m].flags & CTX_FIXED)
		m++;
	return m;
}

/* The byte after the element of message m. */
static size_t
after_unit(const struct ctx_convo *c, const struct ctx_doc *doc, uint32_t m)
{
	const struct ctx_node *unit = &doc->node[ctx_convo_unit(c, m)];

	return unit->off + (size_t)unit->len;
}

/*
 * Set *rider to what is not a message between byte from and message m or the end
 * of the list.  These are bytes, because numbers and null have no nodes there.
 */
static void
riders_between(const struct ctx_convo *c, const struct ctx_doc *doc, size_t from,
    uint32_t m, struct ctx_str *rider)
{
	const struct ctx_node *list = &doc->node[c->rec[0].list];
	uint32_t next = m < c->nmsg ? ctx_convo_unit(c, m) : CTX_NONE;
	size_t to = next != CTX_NONE ? doc->node[next].off :
	    list->off + (size_t)list->len - 1;

	/* a string in place of the list has none */
	if (doc->raw[list->off] != '[')
		from = to;
	while (from < to && strchr(" \t\r\n,", doc->raw[from]) != NULL)
		from++;
	while (from < to && strchr(" \t\r\n,", doc->raw[to - 1]) != NULL)
		to--;
	*rider = (struct ctx_str){ doc->raw + from, (uint32_t)(to - from) };
}

/* Add the edited elements after byte from that are not messages to a list. */
static void
add_riders(struct ctx_edit *e, struct ctx_buf *out, const struct ctx_convo *c,
    const struct ctx_doc *doc, size_t from, uint32_t m)
{
	struct ctx_str rider;

	riders_between(c, doc, from, m, &rider);
	if (rider.len == 0)
		return;
	from = (size_t)(rider.p - doc->raw);
	ctx_buf_reset(&e->scratch);
	ctx_patch_apply(&e->patch, doc->raw, from, from + rider.len,
	    &e->scratch);
	add_listed(out, e->scratch.data, e->scratch.len);
	out->failed |= e->scratch.failed;
}

/* Is there a string in place of the list, the user's message, which is dropped? */
static int
prompt_goes(const struct ctx_plan *plan, const struct ctx_convo *c,
    const struct ctx_doc *doc)
{
	uint32_t m = first_unit(c);

	return ctx_node_type(doc, c->rec[0].list) == '"' && m < c->nmsg &&
	    plan->drop_msg[m];
}

/* Do elements that are not messages go with the dropped message before them? */
static int
riders_go(const struct ctx_plan *plan, const struct ctx_convo *c,
    const struct ctx_doc *doc)
{
	size_t begin = doc->node[c->rec[0].list].off + (size_t)1;
	struct ctx_str rider = { 0 };
	uint32_t m, end;

	if (plan->riders == CTX_RIDERS_STAY)
		return 0;
	if (plan->riders == CTX_RIDERS_ASIDE)
		riders_between(c, doc, begin, first_unit(c), &rider);
	for (m = 0; rider.len == 0 && m < c->nmsg; m = end) {
		end = ctx_convo_unit_end(c, m);
		if (ctx_convo_unit(c, m) != CTX_NONE && plan->drop_msg[end - 1])
			riders_between(c, doc, after_unit(c, doc, m), end,
			    &rider);
	}
	return rider.len > 0;
}

/* Is message m the first of its element? */
static int
begins_unit(const struct ctx_convo *c, uint32_t m)
{
	uint32_t unit = ctx_convo_unit(c, m);

	return unit != CTX_NONE && (m == 0 || ctx_convo_unit(c, m - 1) != unit);
}

/* Add the edited element of message m, unless dropped, and what follows it. */
static void
add_unit(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, struct ctx_buf *out)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	size_t end = after_unit(c, &doc, m);
	uint32_t next = ctx_convo_unit_end(c, m);
	int stays = !ctx_plan_drops(plan, m, next);

	ctx_buf_reset(&e->scratch);
	if (stays)
		ctx_patch_apply(&e->patch, doc.raw,
		    doc.node[ctx_convo_unit(c, m)].off, end, &e->scratch);
	add_listed(out, e->scratch.data, e->scratch.len);
	out->failed |= e->scratch.failed;
	if (!plan->drop_msg[next - 1] || plan->riders == CTX_RIDERS_STAY)
		add_riders(e, out, c, &doc, end, next);
}

static int
add_insert(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_insert *in,
    struct ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_reset(&e->scratch);
	if (ctx_edit_emit_insert(e, plan, c, in, &e->scratch, err) == -1)
		return -1;
	add_listed(out, e->scratch.data, e->scratch.len);
	return ctx_buf_fail(&e->scratch, err);
}

/* Build the contents of doc's list: messages in plan->order, and inserts. */
static int
list_anew(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_doc *doc,
    struct ctx_buf *out, struct ctx_err *err)
{
	uint32_t i, entry;

	if (plan->riders != CTX_RIDERS_ASIDE)
		add_riders(e, out, c, doc,
		    doc->node[c->rec[0].list].off + (size_t)1, first_unit(c));
	for (i = 0; i < plan->norder; i++) {
		entry = plan->order[i];
		if (!(entry & CTX_INSERTED)) {
			if (begins_unit(c, entry))
				add_unit(e, plan, c, entry, out);
		} else if (add_insert(e, plan, c,
		    &plan->insert[entry & ~CTX_INSERTED], out, err) == -1)
			return -1;
	}
	return ctx_buf_fail(out, err);
}

/*
 * Replace the contents of the list, or the string in place of one, which supersedes
 * the edits inside it.
 */
static int
rebuild_list(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_doc *doc, struct ctx_err *err)
{
	const struct ctx_node *list = &doc->node[c->rec[0].list];
	struct ctx_buf out = { 0 };
	int rc;

	if ((rc = list_anew(e, plan, c, doc, &out, err)) == 0) {
		ctx_buf_reset(&e->scratch);
		ctx_buf_addc(&e->scratch, '[');
		ctx_buf_add(&e->scratch, out.data, out.len);
		ctx_buf_addc(&e->scratch, ']');
		ctx_patch_absorb(&e->patch, list->off,
		    list->off + (size_t)list->len);
		rc = ctx_buf_fail(&e->scratch, err) == -1 ? -1 :
		    ctx_patch_add(&e->patch, list->off, list->len,
		    e->scratch.data, e->scratch.len, err);
	}
	ctx_buf_done(&out);
	return rc;
}

int
ctx_edit_conversation(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	int anew = plan->reordered || prompt_goes(plan, c, &doc) ||
	    riders_go(plan, c, &doc);
	uint32_t m;
	int rc;

	ctx_patch_reset(&e->patch);
	if (ctx_edit_patch_rewrites(&e->patch, plan, c, 0, CTX_NONE, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++)
		if (!plan->drop_msg[m] &&
		    ctx_edit_patch_message(e, plan, c, m, err) == -1)
			return -1;
	rc = cut_messages(e, plan, c, &doc, anew, err);
	if (rc == 0 && anew)
		rc = rebuild_list(e, plan, c, &doc, err);
	if (rc == -1)
		return -1;
	return ctx_edit_rec(e, c, 0, err);
}
