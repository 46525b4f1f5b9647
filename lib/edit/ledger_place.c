/* SPDX-License-Identifier: MIT */
/*
 * Where in its source what is in a repaired conversation stands; see ledger.h.
 * A repair takes elements out of lists, and puts some in front of the others.
 */
#include "edit/edit_impl.h"
#include "edit/ledger_impl.h"

#include <stdlib.h>

static int
add_place(struct ctx_ledger *l, uint64_t index)
{
	if (CTX_ROOM(l->place, l->nplace, &l->capplace) == -1)
		return -1;
	l->place[l->nplace++] = (uint32_t)index;
	return 0;
}

/*
 * Begin what became of a list in record rec, in element unit of the
 * conversation's list.  Returns it, or NULL if out of memory.
 */
static struct ctx_ledger_list *
begin_list(struct ctx_ledger *l, const struct ctx_convo *c, uint32_t rec,
    uint32_t list, uint64_t unit)
{
	struct ctx_ledger_list *to;

	if (CTX_ROOM(l->list, l->nlist, &l->caplist) == -1)
		return NULL;
	to = &l->list[l->nlist++];
	to->line = c->rec[rec].line;
	to->unit = unit;
	to->path = l->text.len;
	ctx_ledger_add_path(l, c, rec, list);
	to->npath = l->text.len - to->path;
	to->at = l->nplace;
	to->n = 0;
	return to;
}

/* --- the conversation's list ------------------------------------------- */

/* The number of elements of a list that is not empty; some have no nodes. */
static uint64_t
elements(const struct ctx_doc *doc, uint32_t list)
{
	size_t end = doc->node[list].off + (size_t)1;
	uint64_t n = 1;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		n += ctx_node_commas(doc, end, doc->node[e].off);
		end = doc->node[e].off + (size_t)doc->node[e].len;
	}
	return n + ctx_node_commas(doc, end, doc->node[list].off +
	    (size_t)doc->node[list].len);
}

/*
 * Note the places of the elements of c's list from index i up to element next,
 * or to the end, without the first one if it goes.
 */
static int
place_unit(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_doc *doc, uint64_t i, int goes, uint32_t next)
{
	uint32_t list = c->rec[0].list, e;
	uint64_t end = next != CTX_NONE ? ctx_ledger_element(l, c, 0, next, &e) :
	    elements(doc, list);

	for (i += goes != 0; i < end; i++)
		if (add_place(l, i) == -1)
			return -1;
	return 0;
}

/* Note where the elements of the repaired list come from. */
static int
place_units(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_plan *plan)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	uint32_t i, m, e, end, first = 0;
	uint64_t at;

	while (first < c->nmsg && c->msg[first].flags & CTX_FIXED)
		first++;
	if (place_unit(l, c, &doc, 0, 0, first < c->nmsg ?
	    ctx_convo_unit(c, first) : CTX_NONE) == -1)
		return -1;
	for (i = 0; i < plan->norder; i++) {
		m = plan->order[i];
		if (m & CTX_INSERTED) {
			if (add_place(l, CTX_NONE) == -1)
				return -1;
			continue;
		}
		if (c->msg[m].flags & CTX_FIXED || (m > 0 &&
		    !(c->msg[m - 1].flags & CTX_FIXED) &&
		    ctx_convo_unit(c, m - 1) == ctx_convo_unit(c, m)))
			continue;
		end = ctx_convo_unit_end(c, m);
		at = ctx_ledger_element(l, c, 0, ctx_convo_unit(c, m), &e);
		if (place_unit(l, c, &doc, at, ctx_plan_drops(plan, m, end),
		    end < c->nmsg ? ctx_convo_unit(c, end) : CTX_NONE) == -1)
			return -1;
	}
	return 0;
}

/* --- lists in its elements, or in lines --------------------------------- */

/*
 * Note the elements with nodes that have that fate, and all others if bare is
 * set.  The items are those of one list, in order.
 */
static int
place_fate(struct ctx_ledger *l, const struct ctx_doc *doc,
    const struct ctx_item *item, size_t n, enum ctx_item_fate fate, int bare)
{
	uint32_t list = item->list, e;
	size_t end = doc->node[list].off + (size_t)1, k = 0;
	uint64_t i = 0, next = 0;

	CTX_FOR_LIST(doc, e, list) {
		next += ctx_node_commas(doc, end, doc->node[e].off);
		for (; bare && i < next; i++)
			if (add_place(l, i) == -1)
				return -1;
		while (k < n && item[k].node < e)
			k++;
		if ((k < n && item[k].node == e ? item[k].fate :
		    CTX_ITEM_STAYS) == fate && add_place(l, next) == -1)
			return -1;
		i = next + 1;
		end = doc->node[e].off + (size_t)doc->node[e].len;
	}
	next = elements(doc, list);
	for (; bare && i < next; i++)
		if (add_place(l, i) == -1)
			return -1;
	return 0;
}

/* Note what becomes of the list of the items. */
static int
place_list(struct ctx_ledger *l, const struct ctx_convo *c, uint32_t rec,
    uint64_t unit, const struct ctx_item *item, size_t n)
{
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	struct ctx_ledger_list *to;
	int front = 0;
	size_t i;

	if (ctx_node_type(&doc, item->list) != '[' ||
	    item->list == c->rec[rec].list)
		return 0;
	if ((to = begin_list(l, c, rec, item->list, unit)) == NULL)
		return -1;
	for (i = 0; i < n; i++)
		front |= item[i].fate == CTX_ITEM_FRONT;
	/* what has no node is not put behind others: see list.c */
	if ((front && place_fate(l, &doc, item, n, CTX_ITEM_FRONT, 0) == -1) ||
	    place_fate(l, &doc, item, n, CTX_ITEM_STAYS, !front) == -1)
		return -1;
	to->n = l->nplace - to->at;
	return 0;
}

/* Note what becomes of the lists with items in edit, outer ones first. */
static int
place_lists(struct ctx_ledger *l, const struct ctx_convo *c, uint32_t rec,
    uint64_t unit, struct ctx_edit *edit)
{
	size_t i, k;

	ctx_edit_sort_items(edit);
	for (k = edit->nitem; k > 0; k = i) {
		for (i = k - 1; i > 0 && edit->item[i - 1].list ==
		    edit->item[i].list; i--)
			;
		if (place_list(l, c, rec, unit, edit->item + i, k - i) == -1)
			return -1;
	}
	return 0;
}

/* Note what becomes of the lists in the messages of an element, from m on. */
static int
place_in_unit(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_plan *plan, uint32_t m, struct ctx_edit *edit,
    struct ctx_err *err)
{
	uint32_t rec = c->msg[m].rec, end = ctx_convo_unit_end(c, m), e;
	uint64_t unit = 0;

	if (ctx_plan_drops(plan, m, end))
		return 0;
	if (c->rec[rec].shape == CTX_REC_CONVERSATION &&
	    ctx_convo_unit(c, m) != CTX_NONE)
		unit = ctx_ledger_element(l, c, rec, ctx_convo_unit(c, m), &e);
	if (ctx_edit_items_that_go(edit, plan, c, m, end, err) == -1 ||
	    place_lists(l, c, rec, unit, edit) == -1)
		return -1;
	for (; m < end; m++)
		if (!plan->drop_msg[m] &&
		    (ctx_edit_items(edit, plan, c, m, err) == -1 ||
		    place_lists(l, c, rec, unit, edit) == -1))
			return -1;
	return 0;
}

int
ctx_ledger_places(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_plan *plan, struct ctx_edit *edit, struct ctx_err *err)
{
	uint32_t m;

	l->nlist = l->nplace = 0;
	if (c->rec[0].shape == CTX_REC_CONVERSATION &&
	    place_units(l, c, plan) == -1)
		return ctx_fail_nomem(err);
	l->nwas = l->nplace;
	for (m = 0; m < c->nmsg; m = ctx_convo_unit_end(c, m))
		if (place_in_unit(l, c, plan, m, edit, err) == -1)
			return ctx_fail_nomem(err);
	return l->text.failed ? ctx_fail_nomem(err) : 0;
}

/* --- asking ------------------------------------------------------------- */

/* Replace the step that begins at text[at] and is an index in list. */
static void
replace_step(struct ctx_ledger *l, const struct ctx_ledger_list *list,
    size_t at)
{
	struct ctx_buf *b = &l->text;
	size_t end = at;
	uint64_t i = 0;

	while (end < b->len && b->data[end] >= '0' && b->data[end] <= '9')
		i = i * 10 + (uint64_t)(b->data[end++] - '0');
	if (end == at || i >= list->n)
		return;
	ctx_buf_reset(&l->rest);
	ctx_buf_add(&l->rest, b->data + end, b->len - end);
	b->len = at;
	ctx_buf_addf(b, "%lu", (unsigned long)l->place[list->at + i]);
	ctx_buf_add(b, l->rest.data, l->rest.len);
	b->failed |= l->rest.failed;
}

void
ctx_ledger_replace(struct ctx_ledger *l, uint64_t line, uint64_t unit,
    size_t path)
{
	const struct ctx_ledger_list *list;
	size_t lo = 0, hi = l->nlist, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		list = &l->list[mid];
		if (list->line < line || (list->line == line &&
		    list->unit < unit))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < l->nlist && !l->text.failed; lo++) {
		list = &l->list[lo];
		if (list->line != line || list->unit != unit)
			break;
		if (l->text.len - path > list->npath &&
		    memcmp(l->text.data + path, l->text.data + list->path,
		    list->npath) == 0 &&
		    l->text.data[path + list->npath] == '/')
			replace_step(l, list, path + list->npath + 1);
	}
}
