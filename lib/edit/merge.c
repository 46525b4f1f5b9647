/* SPDX-License-Identifier: MIT */
/* Runs of messages; see merge.h. */
#include "edit/merge.h"

#include <stdlib.h>
#include <string.h>

/* A content after a merge; its JSON is bytes[off .. off+len). */
struct merged {
	uint32_t msg;
	size_t off, len;
};

struct merger {
	struct ctx_edit *e;
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	int tell;
	struct merged *done;
	size_t n, cap;
	struct ctx_buf bytes, all, more;
};

/* Is all that is left of message m in its content? */
static int
mergeable(const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	struct ctx_doc doc;
	const struct ctx_part *p;
	uint32_t i, of = msg->part;
	char type;

	if ((msg->role != CTX_USER && msg->role != CTX_ASSISTANT) ||
	    msg->flags || msg->content == CTX_NONE || msg->name.p != NULL ||
	    c->rec[msg->rec].thread.p != NULL)
		return 0;
	doc = ctx_convo_doc(c, msg->rec);
	type = ctx_node_type(&doc, msg->content);
	if (type != '"' && type != '[')
		return 0;
	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (!(p->flags & CTX_INNER))
			of = i;
		if (plan->drop_part[i] || plan->drop_part[of] == 1)
			continue;
		if (plan->front_part[i] ||
		    ctx_plan_swapped(plan, i, 0) != NULL ||
		    ctx_plan_swapped(plan, i, 1) != NULL ||
		    p->kind == CTX_CALL || p->kind == CTX_RESULT ||
		    p->kind == CTX_COPY || p->kind == CTX_HOLLOW)
			return 0;
		if (type == '"' ? p->text != msg->content :
		    !(p->flags & CTX_INNER) &&
		    p->place[0].list != msg->content)
			return 0;
	}
	return 1;
}

/* Is the value null, "", [] or {}? */
static int
is_empty(const struct ctx_doc *doc, uint32_t node)
{
	char type = ctx_node_type(doc, node);

	return type == 'n' || ((type == '"' || type == '[' || type == '{') &&
	    doc->node[node].len == 2);
}

/* Does the plan drop the value node of message m, or all of its elements? */
static int
goes(const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m,
    const struct ctx_doc *doc, uint32_t node)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_place *at;
	uint32_t i, last = 0;
	size_t n = 0;

	for (i = msg->part; i < msg->part + msg->npart; i++)
		for (at = c->part[i].place; plan->drop_part[i] &&
		    at < c->part[i].place + 2; at++) {
			if (at->node == node)
				return 1;
			/* a call and its result may be one element */
			if (at->list == node && at->node > last) {
				last = at->node;
				n++;
			}
		}
	return n > 0 && n == ctx_list_count(doc, node);
}

/*
 * Is every member of obj also one of the object first, with the same value, or
 * empty?  The one that holds the content does not count.
 */
static int
adds_nothing(const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m,
    uint32_t obj, uint32_t first, uint32_t in)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	struct ctx_doc one = ctx_convo_doc(c, c->msg[first].rec);
	struct ctx_str key;
	uint32_t k, v;

	CTX_FOR_KEYS(&doc, k, obj) {
		key = ctx_node_str(&doc, k);
		/* one that is there twice goes as a whole */
		if ((k < c->msg[m].content &&
		    c->msg[m].content < doc.node[k + 1].next) ||
		    is_empty(&doc, k + 1) || goes(plan, c, m, &doc,
		    ctx_doc_get(&doc, obj, key.p, key.len)))
			continue;
		if ((v = ctx_doc_get(&one, in, key.p, key.len)) == CTX_NONE)
			return 0;
		if (!ctx_str_same(ctx_node_json(&doc, k + 1),
		    ctx_node_json(&one, v)))
			return 0;
	}
	return 1;
}

/* May message m be appended to first, so that nothing but a border is lost? */
static int
may_follow(const struct ctx_plan *plan, const struct ctx_convo *c,
    uint32_t first, uint32_t m)
{
	uint32_t unit = ctx_convo_unit(c, m), in = ctx_convo_unit(c, first);

	return c->msg[m].role == c->msg[first].role &&
	    !(c->msg[m].flags & CTX_FIXED) && mergeable(plan, c, m) &&
	    adds_nothing(plan, c, m, c->msg[m].node, first,
	    c->msg[first].node) && (unit == c->msg[m].node ||
	    adds_nothing(plan, c, m, unit, first, in));
}

/*
 * Append the elements of a list to a list that is open, if there are any; a
 * string is one element.
 */
static void
add_elements(struct ctx_buf *out, const struct ctx_dialect *d,
    const struct ctx_buf *json)
{
	const char *in = json->data + 1;
	size_t len = json->len - 2;

	if (json->data[0] == '[' && strspn(in, " \t\r\n") == len)
		return;
	if (out->len > 1)
		ctx_buf_addc(out, ',');
	if (json->data[0] == '[')
		ctx_buf_add(out, in, len);
	else
		ctx_dialect_put_text(out, d, (struct ctx_str){ in,
		    (uint32_t)len });
}

static int
join(const struct ctx_dialect *d, struct ctx_buf *all,
    const struct ctx_buf *more, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };

	if (all->data[0] == '"' && more->data[0] == '"') {
		all->len--;
		ctx_buf_adds(all, "\\n\\n");
		ctx_buf_add(all, more->data + 1, more->len - 1);
		return ctx_buf_fail(all, err);
	}
	ctx_buf_addc(&out, '[');
	add_elements(&out, d, all);
	add_elements(&out, d, more);
	ctx_buf_addc(&out, ']');
	ctx_buf_done(all);
	*all = out;
	return ctx_buf_fail(all, err);
}

/* Record that m, or with after the content of m, was merged. */
static int
tell_merged(struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m,
    struct ctx_str after, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	struct ctx_change change = { .rule = "merge-runs", .msg = m,
	    .rec = c->msg[m].rec, .moved = after.p == NULL,
	    .before = ctx_node_json(&doc, c->msg[m].content) };

	change.node = after.p != NULL ? c->msg[m].content :
	    ctx_convo_unit(c, m);
	return ctx_plan_tell(plan, &change, after, err);
}

static int
render(struct merger *g, uint32_t m, struct ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_reset(out);
	return ctx_edit_content(g->e, g->plan, g->c, m, out, err);
}

/* Append the content of message m to the one in g->all. */
static int
append(struct merger *g, uint32_t m, struct ctx_err *err)
{
	const struct ctx_str none = { NULL, 0 };

	if (render(g, m, &g->more, err) == -1 ||
	    join(ctx_dialect_of(g->c->dialect), &g->all, &g->more, err) == -1 ||
	    (g->tell && tell_merged(g->plan, g->c, m, none, err) == -1))
		return -1;
	ctx_plan_drop_msg(g->plan, m);
	return 0;
}

/* Note that the content of message first becomes g->all. */
static int
keep(struct merger *g, uint32_t first, struct ctx_err *err)
{
	if (g->tell && tell_merged(g->plan, g->c, first, ctx_str_of(&g->all),
	    err) == -1)
		return -1;
	if (CTX_ROOM(g->done, g->n, &g->cap) == -1)
		return ctx_fail_nomem(err);
	g->done[g->n++] = (struct merged){ first, g->bytes.len, g->all.len };
	ctx_buf_add(&g->bytes, g->all.data, g->all.len);
	return ctx_buf_fail(&g->bytes, err);
}

/* Merge what follows message order[i] into it.  Sets *next to what is left. */
static int
merge_from(struct merger *g, uint32_t i, uint32_t *next, struct ctx_err *err)
{
	const struct ctx_plan *plan = g->plan;
	uint32_t first = plan->order[i], m;
	int merged = 0;

	*next = i + 1;
	if (first & CTX_INSERTED || plan->drop_msg[first] ||
	    !mergeable(plan, g->c, first))
		return 0;
	for (; *next < plan->norder; (*next)++) {
		m = plan->order[*next];
		if (m & CTX_INSERTED)
			break;
		if (plan->drop_msg[m])
			continue;
		if (!may_follow(plan, g->c, first, m))
			break;
		if (!merged && render(g, first, &g->all, err) == -1)
			return -1;
		merged = 1;
		if (append(g, m, err) == -1)
			return -1;
	}
	return merged ? keep(g, first, err) : 0;
}

/* The plan is sorted, so that it takes the new contents only after all merges. */
static int
rewrite_all(struct merger *g, struct ctx_err *err)
{
	const struct ctx_msg *msg;
	struct ctx_str json;
	size_t i;

	for (i = 0; i < g->n; i++) {
		msg = &g->c->msg[g->done[i].msg];
		json = (struct ctx_str){ g->bytes.data + g->done[i].off,
		    (uint32_t)g->done[i].len };
		if (ctx_plan_rewrite(g->plan, msg->rec, msg->content, 1, json,
		    err) == -1)
			return -1;
	}
	ctx_plan_settle(g->plan);
	return 0;
}

int
ctx_merge_runs(struct ctx_edit *e, struct ctx_plan *plan,
    const struct ctx_convo *c, int tell, struct ctx_err *err)
{
	const struct ctx_dialect *d = ctx_dialect_of(c->dialect);
	struct merger g = { .e = e, .plan = plan, .c = c, .tell = tell };
	uint32_t i = 0;
	int rc = 0;

	if (d->text_element == NULL || d->rules & CTX_RULE_LOG)
		return 0;
	while (rc == 0 && i < plan->norder)
		rc = merge_from(&g, i, &i, err);
	if (rc == 0)
		rc = rewrite_all(&g, err);
	free(g.done);
	ctx_buf_done(&g.bytes);
	ctx_buf_done(&g.all);
	ctx_buf_done(&g.more);
	return rc;
}
