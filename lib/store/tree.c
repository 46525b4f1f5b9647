/* SPDX-License-Identifier: MIT */
/* List the contexts of a thread as a tree; see thread.h. */
#include "store/thread.h"

#include <stdlib.h>
#include <string.h>

#include "store/db.h"

/* A thread's contexts as a tree, by index in node[]; the root is 0. */
struct tree {
	struct tree_node {
		int64_t id;
		size_t parent, child, next;	/* 0 for none */
		int depth;
	} *node;
	size_t n, cap;
};

/* The node of a context that was added; 0, the root, if there is none. */
static size_t
tree_find(const struct tree *t, int64_t id)
{
	size_t low = 0, high = t->n, mid;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (t->node[mid].id <= id)
			low = mid;
		else
			high = mid;
	}
	return t->node[low].id == id ? low : 0;
}

/* Add the next context in the order of numbers, where parents come first. */
static int
tree_add(struct ctx_store *st, struct tree *t, sqlite3_stmt *q,
    struct ctx_err *err)
{
	int64_t parent = sqlite3_column_int64(q, 1);
	struct tree_node *one;

	if (CTX_ROOM(t->node, t->n, &t->cap) == -1)
		return ctx_fail_nomem(err);
	one = &t->node[t->n];
	memset(one, 0, sizeof(*one));
	one->id = sqlite3_column_int64(q, 0);
	if (t->n > 0) {
		one->parent = tree_find(t, parent);
		if (t->node[one->parent].id != parent)
			return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: the "
			    "parent of a context is missing", st->path);
		one->depth = t->node[one->parent].depth + 1;
	}
	t->n++;
	return 0;
}

static int
tree_read(struct ctx_store *st, struct tree *t, int64_t thread,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	size_t i, up;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT id, parent FROM context WHERE"
	    " thread = ?1 ORDER BY id", "i", thread);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = tree_add(st, t, q, err);
	/* Start with the last, so that the first child ends up first. */
	for (i = t->n; rc == 0 && i-- > 1;) {
		up = t->node[i].parent;
		t->node[i].next = t->node[up].child;
		t->node[up].child = i;
	}
	return rc;
}

static int
give_context(struct ctx_store *st, int64_t thread,
    const struct tree_node *node, ctx_context_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_context c;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT c.name, p.name, c.parent_seq, c.kind,"
	    " c.next_seq, c.turn, c.created, c.attrs,"
	    " c.id = (SELECT head FROM thread WHERE id = ?1) FROM context c"
	    " LEFT JOIN context p ON p.thread = ?1 AND p.id = c.parent"
	    " WHERE c.thread = ?1 AND c.id = ?2", "ii", thread, node->id);
	if (ctx_db_need(st, q, err) == -1)
		return -1;
	memset(&c, 0, sizeof(c));
	c.id = node->id;
	c.depth = node->depth;
	c.name = (const char *)sqlite3_column_text(q, 0);
	c.parent = (const char *)sqlite3_column_text(q, 1);
	c.parent_seq = c.parent == NULL ? -1 : sqlite3_column_int64(q, 2);
	c.kind = (enum ctx_context_kind)sqlite3_column_int(q, 3);
	c.next_seq = sqlite3_column_int64(q, 4);
	c.first_seq = c.kind == CTX_CONTEXT_FORK ? c.parent_seq + 1 : 1;
	c.turn = sqlite3_column_int64(q, 5);
	c.created = sqlite3_column_int64(q, 6);
	c.attrs = (const char *)sqlite3_column_text(q, 7);
	c.is_head = sqlite3_column_int(q, 8);
	rc = fn(&c, arg, err);
	sqlite3_reset(q);
	return rc;
}

static int
list_contexts(struct ctx_store *st, int64_t thread, ctx_context_fn *fn,
    void *arg, struct ctx_err *err)
{
	struct tree t = { 0 };
	size_t i = 0;
	int rc = tree_read(st, &t, thread, err);

	while (rc == 0 && i < t.n) {
		rc = give_context(st, thread, &t.node[i], fn, arg, err);
		if (t.node[i].child != 0) {
			i = t.node[i].child;
			continue;
		}
		while (i != 0 && t.node[i].next == 0)
			i = t.node[i].parent;
		i = i == 0 ? t.n : t.node[i].next;
	}
	free(t.node);
	return rc;
}

int
ctx_context_list(struct ctx_store *st, const char *thread,
    ctx_context_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_where w = { thread, NULL };
	struct ctx_ref ref;
	int rc = -1;

	if (ctx_db_read(st, err) == -1)
		return -1;
	if (ctx_thread_find(st, &w, &ref, err) == 0)
		rc = list_contexts(st, ref.thread, fn, arg, err);
	ctx_db_read_end(st);
	return rc;
}
