/* SPDX-License-Identifier: MIT */
/* Trees of messages in one record; see tree.h. */
#include "view/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "read/spell.h"

void
ctx_tree_done(struct ctx_tree *t)
{
	free(t->e);
	free(t->order);
	memset(t, 0, sizeof(*t));
}

/* --- reading ----------------------------------------------------------- */

static void
add(struct ctx_tree *t, const struct ctx_doc *doc, uint32_t node,
    struct ctx_str id)
{
	if (ctx_node_if(doc, node, '{') != CTX_NONE)
		t->e[t->n++] = (struct ctx_tree_node){ .node = node, .id = id,
		    .parent = CTX_NONE, .child = CTX_NONE, .last = CTX_NONE,
		    .next = CTX_NONE };
}

/*
 * Map ids to elements; of equal ones the first counts.  Ids are numbered as they
 * are first seen, so the ids of elements come before those that are only parents.
 */
static int
map_ids(const struct ctx_tree *t, struct ctx_strmap *ids, uint32_t *of)
{
	uint32_t i;
	size_t n;

	for (i = 0; i < t->n; i++) {
		if (t->e[i].id.p == NULL)
			continue;
		n = ctx_spell_number(ids, t->e[i].id);
		if (n == CTX_STRMAP_FULL)
			return -1;
		if (of[n] == CTX_NONE)
			of[n] = i;
	}
	return 0;
}

/* Set the parents, and list the children of each. */
static int
link_all(struct ctx_tree *t, const struct ctx_doc *doc, const char *parent,
    struct ctx_strmap *ids, const uint32_t *of)
{
	struct ctx_tree_node *up;
	struct ctx_str id;
	uint32_t i;
	size_t n;

	for (i = 0; i < t->n; i++) {
		id = ctx_node_str(doc, ctx_doc_get(doc, t->e[i].node, parent,
		    strlen(parent)));
		if (id.len == 0)
			continue;
		n = ctx_spell_number(ids, id);
		if (n == CTX_STRMAP_FULL)
			return -1;
		if (n >= t->n || of[n] == CTX_NONE || of[n] == i)
			continue;
		t->e[i].parent = of[n];
		up = &t->e[of[n]];
		if (up->child == CTX_NONE)
			up->child = i;
		else
			t->e[up->last].next = i;
		up->last = i;
	}
	return 0;
}

int
ctx_tree_read(struct ctx_tree *t, const struct ctx_doc *doc, uint32_t list,
    const struct ctx_tree_form *form)
{
	struct ctx_strmap ids = { 0 };
	uint32_t e, *of;
	size_t room = 1;
	int rc = -1;

	CTX_FOR_LIST(doc, e, list)
		room++;
	CTX_FOR_KEYS(doc, e, list)
		room++;
	t->n = 0;
	t->e = calloc(room, sizeof(*t->e));
	t->order = calloc(room, sizeof(*t->order));
	of = malloc(room * sizeof(*of));
	if (t->e != NULL && t->order != NULL && of != NULL) {
		memset(of, 0xff, room * sizeof(*of));
		CTX_FOR_LIST(doc, e, list)
			add(t, doc, e, ctx_node_str(doc, ctx_doc_get(doc, e,
			    form->id, strlen(form->id))));
		CTX_FOR_KEYS(doc, e, list)
			add(t, doc, e + 1, ctx_node_str(doc, e));
		rc = map_ids(t, &ids, of);
		if (rc == 0)
			rc = link_all(t, doc, form->parent, &ids, of);
	}
	ctx_strmap_done(&ids);
	free(of);
	return rc;
}

uint32_t
ctx_tree_find(const struct ctx_tree *t, struct ctx_str id)
{
	uint32_t i;

	for (i = 0; id.p != NULL && i < t->n; i++)
		if (t->e[i].id.p != NULL && ctx_str_same(t->e[i].id, id))
			return i;
	return CTX_NONE;
}

/* --- order --------------------------------------------------------------- */

/* Make each element from tip up to the root the last child of its parent. */
static void
put_last(struct ctx_tree *t, uint32_t tip)
{
	struct ctx_tree_node *up;
	uint32_t i = tip, steps = 0, *link;

	for (; t->e[i].parent != CTX_NONE && steps++ < t->n;
	    i = t->e[i].parent) {
		up = &t->e[t->e[i].parent];
		if (up->last == i)
			continue;
		for (link = &up->child; *link != i; link = &t->e[*link].next)
			;
		*link = t->e[i].next;
		t->e[i].next = CTX_NONE;
		t->e[up->last].next = i;
		up->last = i;
	}
}

/* Add the element and what follows from it, and has not been added. */
static uint32_t
add_under(struct ctx_tree *t, uint32_t top, uint32_t n)
{
	uint32_t i = top, down;

	while (i != CTX_NONE) {
		if (!t->e[i].seen) {
			t->e[i].seen = 1;
			t->order[n++] = i;
		}
		for (down = t->e[i].child; down != CTX_NONE && t->e[down].seen;
		    down = t->e[down].next)
			;
		t->e[i].child = down;	/* the others are done */
		i = down != CTX_NONE ? down : i == top ? CTX_NONE :
		    t->e[i].parent;
	}
	return n;
}

/* The element without a parent that tip follows from. */
static uint32_t
root_of(const struct ctx_tree *t, uint32_t tip)
{
	uint32_t steps = 0;

	while (t->e[tip].parent != CTX_NONE && steps++ < t->n)
		tip = t->e[tip].parent;
	return tip;
}

static void
reverse(uint32_t *v, uint32_t from, uint32_t end)
{
	uint32_t x;

	for (; from + 1 < end; from++) {
		x = v[--end];
		v[end] = v[from];
		v[from] = x;
	}
}

void
ctx_tree_order(struct ctx_tree *t, uint32_t tip)
{
	uint32_t i, n, mine;

	if (t->n == 0)
		return;
	if (tip == CTX_NONE)
		tip = t->n - 1;
	put_last(t, tip);
	n = mine = add_under(t, root_of(t, tip), 0);
	for (i = 0; i < t->n; i++)
		if (t->e[i].parent == CTX_NONE)
			n = add_under(t, i, n);
	/* those that follow from each other have no beginning */
	for (i = 0; i < t->n; i++)
		n = add_under(t, i, n);
	/* the others come before tip's */
	reverse(t->order, 0, mine);
	reverse(t->order, mine, n);
	reverse(t->order, 0, n);
}

/* --- branches ------------------------------------------------------------ */

static int
compare_node(const void *key, const void *elem)
{
	uint32_t node = *(const uint32_t *)key;
	const struct ctx_tree_node *e = elem;

	return node < e->node ? -1 : node > e->node;
}

static struct ctx_tree_node *
element_of(const struct ctx_tree *t, const struct ctx_convo *c, uint32_t m)
{
	uint32_t node = ctx_convo_unit(c, m);

	return bsearch(&node, t->e, t->n, sizeof(*t->e), compare_node);
}

int
ctx_tree_branches(const struct ctx_convo *c, uint32_t tip,
    const struct ctx_tree_form *form, unsigned char *gone)
{
	const struct ctx_msg *msg = c->msg;
	struct ctx_doc doc = ctx_convo_doc(c, msg[tip].rec);
	struct ctx_tree t = { 0 };
	struct ctx_tree_node *e;
	uint32_t m, steps = 0;
	int rc = ctx_tree_read(&t, &doc, c->rec[msg[tip].rec].list, form);

	e = rc == 0 ? element_of(&t, c, tip) : NULL;
	while (e != NULL && steps++ < t.n) {
		e->seen = 1;
		e = e->parent != CTX_NONE ? &t.e[e->parent] : NULL;
	}
	for (m = 0; m < c->nmsg && rc == 0; m++)
		if (msg[m].rec == msg[tip].rec && steps > 0) {
			e = element_of(&t, c, m);
			gone[m] = e != NULL && !e->seen;
		}
	ctx_tree_done(&t);
	return rc;
}
