/* SPDX-License-Identifier: MIT */
/* Marks for the cache of a prefix; see breakpoint.h. */
#include "edit/breakpoint.h"

#include <stdlib.h>
#include <string.h>

#include "edit/member.h"
#include "edit/patch.h"
#include "read/node.h"

#define MOST	4		/* that a request may have */

/* In the order of the prompt. */
enum part { TOOLS, SYSTEM, MESSAGES };

/* A mark that is there. */
struct mark {
	uint32_t in, node;	/* the block or list with it, and its value or
				   element */
	enum part part;
	int hour;		/* it lives for an hour */
};

struct marks {
	const struct ctx_param_caching *how;
	struct ctx_doc doc;
	struct ctx_patch patch;
	struct mark *mark;	/* in the order of the prompt */
	size_t n, cap;
	int whole;		/* the server moves one of its own */
	int failed;
	/* where marks should be: blocks, lists of them, or strings */
	struct place {
		uint32_t node;
		enum part part;
	} place[MOST];
	size_t nplace;
};

static int
is_points(const struct marks *k)
{
	return k->how->how == CTX_CACHE_POINTS;
}

/* --- the marks that there are --------------------------------------------- */

static void
add_mark(struct marks *k, uint32_t in, uint32_t node, enum part part)
{
	uint32_t ttl = CTX_GET(&k->doc, is_points(k) ? CTX_GET(&k->doc, node,
	    "cachePoint") : node, "ttl");

	if (CTX_ROOM(k->mark, k->n, &k->cap) == -1) {
		k->failed = 1;
		return;
	}
	k->mark[k->n++] = (struct mark){ in, node, part,
	    ctx_node_is(&k->doc, ttl, "1h") };
}

/* Find those in a list of blocks, and in the contents of results in it. */
static void
find_marks(struct marks *k, uint32_t list, enum part part)
{
	uint32_t e, i, v;

	CTX_FOR_LIST(&k->doc, e, list) {
		CTX_FOR_LIST(&k->doc, i, part == MESSAGES ?
		    CTX_GET(&k->doc, e, "content") : CTX_NONE) {
			v = CTX_GIVEN(&k->doc, i, "cache_control");
			if (v != CTX_NONE && !is_points(k))
				add_mark(k, i, v, part);
		}
		v = CTX_GIVEN(&k->doc, e, is_points(k) ? "cachePoint" :
		    "cache_control");
		if (v != CTX_NONE)
			add_mark(k, is_points(k) ? list : e, is_points(k) ? e :
			    v, part);
	}
}

/* --- where they should be --------------------------------------------------- */

/* Can the block have a mark? */
static int
is_block(const struct marks *k, uint32_t e)
{
	static const char *const types[] = { "text", "image", "document",
	    "tool_use", "tool_result" };
	uint32_t type = CTX_GET(&k->doc, e, "type");
	size_t i;

	if (ctx_node_is(&k->doc, CTX_GET(&k->doc, e, "text"), ""))
		return 0;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (ctx_node_is(&k->doc, type, types[i]))
			return 1;
	return 0;
}

/* The place for a mark at the end of a content, or CTX_NONE. */
static uint32_t
place_in(const struct marks *k, uint32_t content)
{
	uint32_t e, last = CTX_NONE;

	if (content == CTX_NONE)
		return CTX_NONE;
	if (ctx_node_type(&k->doc, content) == '"')
		return k->doc.node[content].len > 2 && !is_points(k) ?
		    content : CTX_NONE;
	CTX_FOR_LIST(&k->doc, e, content)
		if (is_points(k) || is_block(k, e))
			last = e;
	return is_points(k) && last != CTX_NONE ? content : last;
}

/* A tool that the model is not shown yet cannot have a mark. */
static uint32_t
place_in_tools(const struct marks *k, uint32_t list)
{
	uint32_t e, v, last = CTX_NONE;

	CTX_FOR_LIST(&k->doc, e, list) {
		v = CTX_GET(&k->doc, e, "defer_loading");
		if (v == CTX_NONE || ctx_node_type(&k->doc, v) != 't')
			last = e;
	}
	return is_points(k) && last != CTX_NONE ? list : last;
}

static void
add_place(struct marks *k, uint32_t node, enum part part)
{
	if (node != CTX_NONE)
		k->place[k->nplace++] = (struct place){ node, part };
}

/* Find the places in messages: the last, and that of the request before. */
static void
find_messages(struct marks *k, uint32_t list, uint32_t *last,
    uint32_t *before)
{
	uint32_t e, at, user = CTX_NONE;

	*last = *before = CTX_NONE;
	CTX_FOR_LIST(&k->doc, e, list) {
		find_marks(k, CTX_GET(&k->doc, e, "content"), MESSAGES);
		if (ctx_node_is(&k->doc, CTX_GET(&k->doc, e, "role"),
		    "assistant")) {
			if (user != CTX_NONE)
				*before = user;
			user = CTX_NONE;
		}
		at = place_in(k, CTX_GET(&k->doc, e, "content"));
		if (at == CTX_NONE)
			continue;
		*last = at;
		if (ctx_node_is(&k->doc, CTX_GET(&k->doc, e, "role"), "user"))
			user = at;
	}
	if (k->whole)
		*last = *before = CTX_NONE;
}

/* Find all marks and places; the places that matter most come first. */
static void
find(struct marks *k)
{
	uint32_t tools = ctx_member_find(&k->doc, 0, is_points(k) ?
	    "toolConfig.tools" : "tools");
	uint32_t system = CTX_GET(&k->doc, 0, "system"), last, before;

	k->whole = !is_points(k) && CTX_GIVEN(&k->doc, 0, "cache_control") !=
	    CTX_NONE;
	find_marks(k, tools, TOOLS);
	find_marks(k, system, SYSTEM);
	find_messages(k, CTX_GET(&k->doc, 0, "messages"), &last, &before);
	add_place(k, last, MESSAGES);
	add_place(k, place_in(k, system), SYSTEM);
	if (k->how->tools)
		add_place(k, place_in_tools(k, tools), TOOLS);
	if (before != last)
		add_place(k, before, MESSAGES);
}

/* --- what is changed ---------------------------------------------------------- */

/* Is there a mark in the place, at its end? */
static int
is_marked(const struct marks *k, const struct place *p)
{
	const struct ctx_node *v;
	size_t i;

	for (i = 0; i < k->n; i++) {
		v = &k->doc.node[k->mark[i].node];
		if (k->mark[i].in == p->node && (!is_points(k) || v->next ==
		    k->doc.node[p->node].next))
			return 1;
	}
	return 0;
}

/* Leave places that have a mark, and make room for the others. */
static void
choose(struct marks *k, size_t *drop)
{
	size_t i, n, all = k->n + (size_t)k->whole;

	for (i = n = 0; i < k->nplace; i++)
		if (!is_marked(k, &k->place[i]))
			k->place[n++] = k->place[i];
	*drop = 0;
	for (i = 0; i < k->n && k->mark[i].part != MESSAGES; i++)
		;
	/* of those in messages, all but the last are of earlier requests */
	while (all - *drop + n > MOST && i + *drop + 1 < k->n)
		++*drop;
	while (all - *drop + n > MOST && n > 0)
		n--;
	k->nplace = n;
}

/* Does a mark that lives for an hour come after the place? */
static int
before_hour(const struct marks *k, const struct place *p)
{
	const struct mark *m;
	size_t i;

	for (i = 0; i < k->n; i++) {
		m = &k->mark[i];
		if (m->hour && (m->part > p->part || (m->part == p->part &&
		    m->node > p->node)))
			return 1;
	}
	return 0;
}

static int
patch_place(struct marks *k, const struct place *p, struct ctx_err *err)
{
	const struct ctx_node *v = &k->doc.node[p->node];
	uint32_t null = CTX_GET(&k->doc, p->node, "cache_control");
	const char *ttl = before_hour(k, p) ? ",\"ttl\":\"1h\"" : "";
	struct ctx_buf b = { 0 };
	size_t from = v->off + v->len - 1, len = 0;
	int rc;

	if (is_points(k))
		ctx_buf_addf(&b, ",{\"cachePoint\":{\"type\":\"default\"%s}}",
		    ttl);
	else if (k->doc.raw[v->off] == '"') {
		from = v->off;
		len = v->len;
		ctx_buf_adds(&b, "[{\"type\":\"text\",\"text\":");
		ctx_node_put(&b, &k->doc, p->node);
		ctx_buf_addf(&b, ",\"cache_control\":{\"type\":\"ephemeral\""
		    "%s}}]", ttl);
	} else if (null != CTX_NONE) {
		from = k->doc.node[null].off;
		len = k->doc.node[null].len;
		ctx_buf_addf(&b, "{\"type\":\"ephemeral\"%s}", ttl);
	} else
		ctx_buf_addf(&b, ",\"cache_control\":{\"type\":\"ephemeral\""
		    "%s}", ttl);
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = ctx_patch_add(&k->patch, from, len, b.data, b.len, err);
	ctx_buf_done(&b);
	return rc;
}

/* Take mark m out. */
static int
patch_mark(struct marks *k, const struct mark *m, struct ctx_err *err)
{
	const struct ctx_node *v = &k->doc.node[m->node];
	size_t from = v->off, to = v->off + v->len;

	if (!is_points(k))
		ctx_member_range(&k->doc, m->in, m->node, &from, &to);
	else				/* what is marked comes before it */
		while (k->doc.raw[from] != ',')
			from--;
	return ctx_patch_add(&k->patch, from, to - from, "", 0, err);
}

static int
patch_all(struct marks *k, struct ctx_err *err)
{
	size_t i, drop, first = 0;

	find(k);
	if (k->failed)
		return ctx_fail_nomem(err);
	choose(k, &drop);
	while (first < k->n && k->mark[first].part != MESSAGES)
		first++;
	for (i = first; i < first + drop; i++)
		if (patch_mark(k, &k->mark[i], err) == -1)
			return -1;
	k->n -= drop;
	if (drop > 0)
		memmove(k->mark + first, k->mark + first + drop,
		    (k->n - first) * sizeof(*k->mark));
	for (i = 0; i < k->nplace; i++)
		if (patch_place(k, &k->place[i], err) == -1)
			return -1;
	return 0;
}

int
ctx_breakpoint_put(struct ctx_buf *b, const struct ctx_param_caching *how,
    struct ctx_err *err)
{
	struct marks k = { .how = how };
	struct ctx_buf out = { 0 };
	int rc;

	if (how->how != CTX_CACHE_MARKS && how->how != CTX_CACHE_POINTS)
		return 0;
	rc = ctx_buf_fail(b, err);
	if (rc == 0)
		rc = ctx_doc_scan(&k.doc, b->data, b->len, err);
	if (rc == 0)
		rc = patch_all(&k, err);
	if (rc == 0 && k.patch.n > 0) {
		ctx_patch_apply(&k.patch, b->data, 0, b->len, &out);
		rc = ctx_buf_fail(&out, err);
		if (rc == 0) {
			ctx_buf_done(b);
			*b = out;
		}
	}
	if (rc == -1)
		ctx_buf_done(&out);
	ctx_patch_done(&k.patch);
	ctx_doc_done(&k.doc);
	free(k.mark);
	return rc;
}
