/* SPDX-License-Identifier: MIT */
/* JSON that grows; see grow.h. */
#include "read/grow.h"

#include <stdlib.h>
#include <string.h>

#include "read/line.h"
#include "read/node.h"

static void
clear(struct ctx_grow *g)
{
	struct ctx_grow *e;

	while ((e = g->first) != NULL) {
		g->first = e->next;
		ctx_grow_done(e);
		free(e->key);
		free(e);
	}
	g->last = NULL;
	g->n = 0;
	ctx_buf_reset(&g->text);
}

void
ctx_grow_done(struct ctx_grow *g)
{
	clear(g);
	ctx_buf_done(&g->text);
	g->kind = CTX_GROW_NULL;
}

static void	expand(struct ctx_grow *g, char open);

/* Become a value of that kind, without contents, unless it is of that kind. */
static void
become(struct ctx_grow *g, enum ctx_grow_kind kind)
{
	if (kind == CTX_GROW_OBJECT || kind == CTX_GROW_LIST)
		expand(g, kind == CTX_GROW_OBJECT ? '{' : '[');
	if (g->kind != kind)
		clear(g);
	g->kind = kind;
}

/* Append a member or an element. */
static struct ctx_grow *
append(struct ctx_grow *g, const char *key, size_t keylen)
{
	struct ctx_grow *e;

	if (g->n >= CTX_GROW_MAX) {
		g->full = 1;
		return NULL;
	}
	if ((e = calloc(1, sizeof(*e))) == NULL)
		return NULL;
	if (key != NULL && (e->key = malloc(keylen + 1)) == NULL) {
		free(e);
		return NULL;
	}
	if (key != NULL) {
		memcpy(e->key, key, keylen);
		e->key[keylen] = '\0';
	}
	if (g->last == NULL)
		g->first = e;
	else
		g->last->next = e;
	g->last = e;
	g->n++;
	return e;
}

struct ctx_grow *
ctx_grow_find(struct ctx_grow *g, const char *key)
{
	struct ctx_grow *e;

	if (g == NULL)
		return NULL;
	expand(g, '{');
	for (e = g->kind == CTX_GROW_OBJECT ? g->first : NULL; e != NULL;
	    e = e->next)
		if (strcmp(e->key, key) == 0)
			return e;
	return NULL;
}

struct ctx_grow *
ctx_grow_member(struct ctx_grow *g, const char *key)
{
	struct ctx_grow *e = ctx_grow_find(g, key);

	become(g, CTX_GROW_OBJECT);
	return e != NULL ? e : append(g, key, strlen(key));
}

struct ctx_grow *
ctx_grow_more(struct ctx_grow *g)
{
	become(g, CTX_GROW_LIST);
	return append(g, NULL, 0);
}

struct ctx_grow *
ctx_grow_element(struct ctx_grow *g, uint64_t index)
{
	struct ctx_grow *e;

	become(g, CTX_GROW_LIST);
	/* most often it is the last */
	if (g->last != NULL && g->last->index == index)
		return g->last;
	for (e = g->first; e != NULL; e = e->next)
		if (e->index == index)
			return e;
	if ((e = ctx_grow_more(g)) != NULL)
		e->index = index;
	return e;
}

int
ctx_grow_set_json(struct ctx_grow *g, const char *json, size_t len)
{
	clear(g);
	g->kind = CTX_GROW_JSON;
	return ctx_line_flat(&g->text, json, len);
}

int
ctx_grow_add(struct ctx_grow *g, struct ctx_str text)
{
	become(g, CTX_GROW_STRING);
	return text.len == 0 ? 0 : ctx_buf_add(&g->text, text.p, text.len);
}

struct ctx_grow *
ctx_grow_member_of(struct ctx_grow *g, const struct ctx_doc *doc, uint32_t k)
{
	struct ctx_str key = ctx_node_str(doc, k);
	struct ctx_grow *e;

	become(g, CTX_GROW_OBJECT);
	for (e = g->first; e != NULL; e = e->next)
		if (strlen(e->key) == key.len &&
		    memcmp(e->key, key.p, key.len) == 0)
			return e;
	return append(g, key.p, key.len);
}

int
ctx_grow_set(struct ctx_grow *g, const struct ctx_doc *doc, uint32_t node)
{
	clear(g);
	g->kind = CTX_GROW_NULL;
	node = ctx_node_given(doc, node);
	if (node == CTX_NONE)
		return 0;
	if (ctx_node_type(doc, node) == '"')
		return ctx_grow_add(g, ctx_node_str(doc, node));
	if (ctx_node_is_void(doc, node)) {
		g->kind = CTX_GROW_LIST;
		return 0;
	}
	return ctx_grow_set_json(g, doc->raw + doc->node[node].off,
	    doc->node[node].len);
}

/* Append the elements of a list. */
static int
add_elements(struct ctx_grow *g, const struct ctx_doc *doc)
{
	struct ctx_grow *e;
	uint32_t node;

	CTX_FOR_LIST(doc, node, 0) {
		if ((e = append(g, NULL, 0)) == NULL ||
		    ctx_grow_set(e, doc, node) == -1)
			return -1;
		e->index = g->n - 1;
	}
	return 0;
}

/*
 * Make what came as JSON and begins with open, an object or a list, one that grows;
 * what is in it stays as it came.  A failure shows when it is written.
 */
static void
expand(struct ctx_grow *g, char open)
{
	struct ctx_buf was = g->text;
	struct ctx_doc doc = { 0 };
	int rc;

	if (g->kind != CTX_GROW_JSON || was.len == 0 || was.data[0] != open)
		return;
	g->kind = open == '{' ? CTX_GROW_OBJECT : CTX_GROW_LIST;
	g->text = (struct ctx_buf){ 0 };
	rc = ctx_doc_try(&doc, was.data, was.len);
	if (rc != 1 || (open == '{' ? ctx_grow_update(g, &doc, 0, "") :
	    add_elements(g, &doc)) == -1)
		g->text.failed = 1;
	ctx_doc_done(&doc);
	ctx_buf_done(&was);
}

int
ctx_grow_update(struct ctx_grow *g, const struct ctx_doc *doc, uint32_t obj,
    const char *but)
{
	struct ctx_grow *e;
	uint32_t k;

	CTX_FOR_KEYS(doc, k, obj) {
		if (ctx_node_given(doc, k + 1) == CTX_NONE ||
		    ctx_str_is(ctx_node_str(doc, k), but))
			continue;
		if ((e = ctx_grow_member_of(g, doc, k)) == NULL ||
		    ctx_grow_set(e, doc, k + 1) == -1)
			return -1;
	}
	return 0;
}

/* Does this member name something, so that it does not grow? */
static int
is_name(const struct ctx_grow *g)
{
	static const char *const keys[] = { "id", "type", "name", "role",
	    "index", "format", "object" };
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(g->key, keys[i]) == 0)
			return 1;
	return 0;
}

/* Has the element another string as this member? */
static int
differs(struct ctx_grow *g, const char *key, const struct ctx_doc *doc,
    uint32_t node)
{
	struct ctx_grow *e = ctx_grow_find(g, key);
	struct ctx_str s = ctx_node_str(doc, CTX_GET(doc, node, key));

	return e != NULL && e->kind == CTX_GROW_STRING && e->text.len > 0 &&
	    s.len > 0 && !ctx_str_same(ctx_str_of(&e->text), s);
}

static int
is_another(struct ctx_grow *g, const struct ctx_doc *doc, uint32_t node)
{
	return differs(g, "id", doc, node) || differs(g, "type", doc, node) ||
	    differs(ctx_grow_find(g, "function"), "name", doc,
	    CTX_GET(doc, node, "function"));
}

/* Is the part at node, which has no index, more of the one that is g? */
static int
goes_on(struct ctx_grow *g, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t type = CTX_GET(doc, node, "type");

	return (ctx_node_is(doc, type, "text") ||
	    ctx_node_is(doc, type, "thinking")) &&
	    ctx_grow_find(g, "type") != NULL && !is_another(g, doc, node);
}

/* Append a text to a list of parts, or to its last part. */
static int
add_text(struct ctx_grow *g, struct ctx_str text)
{
	struct ctx_str word = { "text", 4 };
	struct ctx_grow *e = g->last, *m;

	if (text.len == 0)
		return 0;
	m = e != NULL ? ctx_grow_find(e, "type") : NULL;
	if (m == NULL || !ctx_str_same(ctx_str_of(&m->text), word))
		if ((e = ctx_grow_more(g)) == NULL ||
		    (m = ctx_grow_member(e, "type")) == NULL ||
		    ctx_grow_add(m, word) == -1)
			return -1;
	m = ctx_grow_member(e, "text");
	return m == NULL ? -1 : ctx_grow_add(m, text);
}

/* Become a list of parts; a text is its first. */
static int
become_list(struct ctx_grow *g)
{
	struct ctx_buf was = { 0 };
	int rc = 0;

	if (g->kind == CTX_GROW_STRING) {
		was = g->text;
		g->text = (struct ctx_buf){ 0 };
	}
	become(g, CTX_GROW_LIST);
	if (was.len > 0)
		rc = add_text(g, ctx_str_of(&was));
	ctx_buf_done(&was);
	return rc;
}

/* The element that a node adds to; a new one if there is none. */
static struct ctx_grow *
element_of(struct ctx_grow *g, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t at = CTX_GET(doc, node, "index");
	struct ctx_str json = ctx_node_json(doc, at);
	uint64_t index = 0;
	struct ctx_grow *e = g->last;
	uint32_t i;

	if (at == CTX_NONE)
		return e != NULL && goes_on(e, doc, node) ? e :
		    ctx_grow_more(g);
	for (i = 0; i < json.len && i < 9 && json.p[i] >= '0' &&
	    json.p[i] <= '9'; i++)
		index = index * 10 + (uint64_t)(json.p[i] - '0');
	/* most often it is the last */
	if (e != NULL && e->index == index && !is_another(e, doc, node))
		return e;
	for (e = g->first; e != NULL; e = e->next)
		if (e->index == index && !is_another(e, doc, node))
			return e;
	if ((e = ctx_grow_more(g)) != NULL)
		e->index = index;
	return e;
}

static int
merge_object(struct ctx_grow *g, const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_grow *e;
	uint32_t k;

	become(g, CTX_GROW_OBJECT);
	CTX_FOR_KEYS(doc, k, node) {
		if ((e = ctx_grow_member_of(g, doc, k)) == NULL)
			return -1;
		if (is_name(e) && e->kind != CTX_GROW_NULL && e->text.len > 0)
			continue;
		if (ctx_grow_merge(e, doc, k + 1) == -1)
			return -1;
	}
	return 0;
}

int
ctx_grow_merge(struct ctx_grow *g, const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_grow *to;
	uint32_t e;

	node = ctx_node_given(doc, node);
	if (node == CTX_NONE)
		return 0;
	switch (ctx_node_type(doc, node)) {
	case '"':
		return g->kind == CTX_GROW_LIST ?
		    add_text(g, ctx_node_str(doc, node)) :
		    ctx_grow_add(g, ctx_node_str(doc, node));
	case '{':
		if (g->kind == CTX_GROW_NULL)
			break;
		return merge_object(g, doc, node);
	case '[':
		if (ctx_node_is_void(doc, node) && g->kind != CTX_GROW_NULL)
			return 0;
		if (ctx_node_if(doc, node + 1 < doc->node[node].next ?
		    node + 1 : CTX_NONE, '{') == CTX_NONE)
			break;
		if (become_list(g) == -1)
			return -1;
		CTX_FOR_LIST(doc, e, node)
			if ((to = element_of(g, doc, e)) == NULL ||
			    ctx_grow_merge(to, doc, e) == -1)
				return -1;
		return 0;
	default:
		break;
	}
	return ctx_grow_set(g, doc, node);
}

int
ctx_grow_full(const struct ctx_grow *g)
{
	const struct ctx_grow *e;

	for (e = g->first; e != NULL; e = e->next)
		if (ctx_grow_full(e))
			return 1;
	return g->full;
}

void
ctx_grow_take(struct ctx_grow *g, const char *key, struct ctx_grow *to)
{
	struct ctx_grow *e, *before = NULL;

	expand(g, '{');
	if (g->kind != CTX_GROW_OBJECT)
		return;
	for (e = g->first; e != NULL; before = e, e = e->next)
		if (strcmp(e->key, key) == 0) {
			ctx_grow_move(g, before, e, to);
			return;
		}
}

void
ctx_grow_drop(struct ctx_grow *g, const char *key)
{
	struct ctx_grow gone = { 0 };

	ctx_grow_take(g, key, &gone);
	ctx_grow_done(&gone);
}

void
ctx_grow_move(struct ctx_grow *list, struct ctx_grow *before,
    struct ctx_grow *e, struct ctx_grow *to)
{
	if (before == NULL)
		list->first = e->next;
	else
		before->next = e->next;
	if (list->last == e)
		list->last = before;
	list->n--;
	become(to, CTX_GROW_LIST);
	e->next = NULL;
	free(e->key);
	e->key = NULL;
	if (to->last == NULL)
		to->first = e;
	else
		to->last->next = e;
	to->last = e;
	to->n++;
}

void
ctx_grow_put(struct ctx_buf *out, const struct ctx_grow *g)
{
	const struct ctx_grow *e;

	switch (g->kind) {
	case CTX_GROW_NULL:
		ctx_buf_adds(out, "null");
		break;
	case CTX_GROW_STRING:
		ctx_buf_addc(out, '"');
		ctx_buf_add(out, g->text.data, g->text.len);
		ctx_buf_addc(out, '"');
		break;
	case CTX_GROW_JSON:
		ctx_buf_add(out, g->text.data, g->text.len);
		break;
	case CTX_GROW_OBJECT:
	case CTX_GROW_LIST:
		ctx_buf_addc(out, g->kind == CTX_GROW_LIST ? '[' : '{');
		for (e = g->first; e != NULL; e = e->next) {
			if (e != g->first)
				ctx_buf_addc(out, ',');
			if (e->key != NULL)
				ctx_buf_addf(out, "\"%s\":", e->key);
			ctx_grow_put(out, e);
		}
		ctx_buf_addc(out, g->kind == CTX_GROW_LIST ? ']' : '}');
		break;
	}
	out->failed |= g->text.failed;
}
