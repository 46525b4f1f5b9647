/* SPDX-License-Identifier: MIT */
/* Elements out of lists; see list.h. */
#include "edit/list.h"

struct walk {
	const struct ctx_doc *doc;
	uint32_t list, at, end;
	int object;
	size_t from, to;	/* bytes of the current item */
};

static void
walk_begin(struct walk *w, const struct ctx_doc *doc, uint32_t list)
{
	w->doc = doc;
	w->list = list;
	w->at = list + 1;
	w->end = doc->node[list].next;
	w->object = ctx_node_type(doc, list) == '{';
}

/* The value node of the next item; CTX_NONE at the end. */
static uint32_t
walk_next(struct walk *w)
{
	uint32_t value;

	if (w->at >= w->end)
		return CTX_NONE;
	value = w->object ? w->at + 1 : w->at;
	w->from = w->doc->node[w->at].off;
	w->to = w->doc->node[value].off + w->doc->node[value].len;
	w->at = w->doc->node[value].next;
	return value;
}

size_t
ctx_list_count(const struct ctx_doc *doc, uint32_t list)
{
	struct walk w;
	size_t n = 0;

	walk_begin(&w, doc, list);
	while (walk_next(&w) != CTX_NONE)
		n++;
	return n;
}

static int
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The start of the element after the one that ends at to; 0 if none. */
static size_t
next_start(const char *raw, size_t to)
{
	while (is_space(raw[to]))
		to++;
	if (raw[to] != ',')
		return 0;
	for (to++; is_space(raw[to]); to++)
		;
	return to;
}

/* The end of the element before the one that begins at from; from if none. */
static size_t
last_end(const char *raw, size_t from)
{
	size_t at = from;

	while (is_space(raw[at - 1]))
		at--;
	if (raw[at - 1] != ',')
		return from;
	for (at--; is_space(raw[at - 1]); at--)
		;
	return at;
}

static int
cut_bytes(struct ctx_patch *p, size_t from, size_t to, struct ctx_err *err)
{
	ctx_patch_absorb(p, from, to);
	return ctx_patch_add(p, from, to - from, "", 0, err);
}

/*
 * Is value v dropped: item k, or a member of the same name as an item?  If only
 * one of two were cut, what reads the object would find the other.
 */
static int
goes(const struct walk *w, const struct ctx_item *item, size_t n, size_t k,
    uint32_t v)
{
	const struct ctx_node *key = &w->doc->node[v - 1], *other;
	size_t i;

	if (k < n && item[k].node == v)
		return 1;
	for (i = 0; w->object && i < n; i++) {
		other = &w->doc->node[item[i].node - 1];
		if (ctx_str_equal(w->doc->raw + key->off + 1, key->len - 2,
		    w->doc->raw + other->off + 1, other->len - 2))
			return 1;
	}
	return 0;
}

/*
 * Cut runs of dropped items, together with the comma after them or, at the end
 * of the list, the comma before.  Numbers and the like in an array have no
 * nodes; they stay and end a run.
 */
static int
cut(struct ctx_patch *p, const struct ctx_doc *doc,
    const struct ctx_item *item, size_t n, struct ctx_err *err)
{
	size_t k = 0, run = SIZE_MAX, end = 0, next = 0;
	struct walk w;
	uint32_t v;
	int gone;

	walk_begin(&w, doc, item->list);
	while ((v = walk_next(&w)) != CTX_NONE) {
		while (k < n && item[k].node < v)
			k++;
		gone = goes(&w, item, n, k, v);
		if (run != SIZE_MAX && (!gone || w.from != next)) {
			if (cut_bytes(p, run, next, err) == -1)
				return -1;
			run = SIZE_MAX;
		}
		if (!gone)
			continue;
		if (run == SIZE_MAX)
			run = w.from;
		end = w.to;
		next = next_start(doc->raw, end);
	}
	if (run == SIZE_MAX)
		return 0;
	if (next != 0)
		return cut_bytes(p, run, next, err);
	return cut_bytes(p, last_end(doc->raw, run), end, err);
}

/* Append the edited items of one fate, joined with commas. */
static void
collect(struct ctx_buf *out, const struct ctx_patch *p,
    const struct ctx_doc *doc, const struct ctx_item *item, size_t n,
    enum ctx_item_fate fate)
{
	struct walk w;
	size_t k = 0;
	uint32_t v;

	walk_begin(&w, doc, item->list);
	while ((v = walk_next(&w)) != CTX_NONE) {
		while (k < n && item[k].node < v)
			k++;
		if ((k < n && item[k].node == v ? item[k].fate :
		    CTX_ITEM_STAYS) != fate)
			continue;
		if (out->len > 0)
			ctx_buf_addc(out, ',');
		ctx_patch_apply(p, doc->raw, w.from, w.to, out);
	}
}

int
ctx_list_edit(struct ctx_patch *p, const struct ctx_doc *doc,
    const struct ctx_item *item, size_t n, struct ctx_buf *scratch,
    struct ctx_err *err)
{
	size_t i, from = SIZE_MAX, to = 0;
	struct walk w;

	for (i = 0; i < n && item[i].fate != CTX_ITEM_FRONT; i++)
		;
	if (i == n)
		return cut(p, doc, item, n, err);
	ctx_buf_reset(scratch);
	collect(scratch, p, doc, item, n, CTX_ITEM_FRONT);
	collect(scratch, p, doc, item, n, CTX_ITEM_STAYS);
	if (ctx_buf_fail(scratch, err) == -1)
		return -1;
	walk_begin(&w, doc, item->list);
	while (walk_next(&w) != CTX_NONE) {
		if (from == SIZE_MAX)
			from = w.from;
		to = w.to;
	}
	ctx_patch_absorb(p, from, to);
	return ctx_patch_add(p, from, to - from, scratch->data, scratch->len,
	    err);
}
