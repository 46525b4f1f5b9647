/* SPDX-License-Identifier: MIT */
/* Runs of messages; see merge.h. */
#include "edit/merge.h"

#include <string.h>

#include "edit/patch.h"

/* Is all that message m says in its content, with no edits except of texts? */
static int
mergeable(const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	struct ctx_doc doc;
	const struct ctx_part *p;
	uint32_t i;
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
		if (plan->drop_part[i] || plan->front_part[i] ||
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

/*
 * Is every member of obj also one of the object first, with the same value, or
 * empty?  The one that holds the content does not count.
 */
static int
adds_nothing(const struct ctx_convo *c, uint32_t m, uint32_t obj,
    uint32_t first, uint32_t in)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	struct ctx_doc one = ctx_convo_doc(c, c->msg[first].rec);
	struct ctx_str key;
	uint32_t k, v;

	CTX_FOR_KEYS(&doc, k, obj) {
		if ((k < c->msg[m].content &&
		    c->msg[m].content < doc.node[k + 1].next) ||
		    is_empty(&doc, k + 1))
			continue;
		key = ctx_node_str(&doc, k);
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

	return c->msg[m].role == c->msg[first].role && mergeable(plan, c, m) &&
	    adds_nothing(c, m, c->msg[m].node, first, c->msg[first].node) &&
	    (unit == c->msg[m].node || adds_nothing(c, m, unit, first, in));
}

/* The JSON of message m's whole content after the plan. */
static int
render(const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m,
    struct ctx_buf *out, struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_node *node = c->doc.node;
	struct ctx_patch patch = { 0 };
	const struct ctx_rewrite *w;
	size_t from = node[msg->content].off;
	uint32_t i;
	int rc = 0;

	for (i = 0; i < plan->nrewrite && rc == 0; i++) {
		w = &plan->rewrite[i];
		if (w->rec != msg->rec || w->node < msg->content ||
		    w->node >= node[msg->content].next)
			continue;
		rc = ctx_patch_add(&patch, node[w->node].off +
		    (size_t)!w->whole, node[w->node].len -
		    (w->whole ? 0 : 2), plan->bytes.data + w->off, w->len,
		    err);
	}
	if (rc == 0 && ctx_patch_apply(&patch, c->rec[msg->rec].raw, from,
	    from + node[msg->content].len, out) == -1)
		rc = ctx_fail_nomem(err);
	ctx_patch_done(&patch);
	return rc;
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

/* Forget the rewrites inside message m's content, which were rendered. */
static void
absorb(struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint32_t i, n = 0;

	for (i = 0; i < plan->nrewrite; i++)
		if (plan->rewrite[i].rec != msg->rec ||
		    plan->rewrite[i].node < msg->content ||
		    plan->rewrite[i].node >= c->doc.node[msg->content].next)
			plan->rewrite[n++] = plan->rewrite[i];
	plan->nrewrite = n;
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

/* Merge the messages order[i .. end), all of one role, into the first. */
static int
merge(struct ctx_plan *plan, const struct ctx_convo *c, int tell,
    const uint32_t range[2], struct ctx_err *err)
{
	const struct ctx_dialect *d = ctx_dialect_of(c->dialect);
	struct ctx_buf all = { 0 }, more = { 0 };
	const struct ctx_str none = { NULL, 0 };
	uint32_t i = range[0], first = plan->order[i], m;
	int rc = render(plan, c, first, &all, err);

	while (rc == 0 && ++i < range[1]) {
		m = plan->order[i];
		if (plan->drop_msg[m])
			continue;
		ctx_buf_reset(&more);
		rc = render(plan, c, m, &more, err);
		if (rc == 0)
			rc = join(d, &all, &more, err);
		if (rc == 0 && tell)
			rc = tell_merged(plan, c, m, none, err);
		absorb(plan, c, m);
		ctx_plan_drop_msg(plan, m);
	}
	if (rc == 0 && tell)
		rc = tell_merged(plan, c, first, ctx_str_of(&all), err);
	if (rc == 0) {
		absorb(plan, c, first);
		rc = ctx_plan_rewrite(plan, c->msg[first].rec,
		    c->msg[first].content, 1, ctx_str_of(&all), err);
	}
	ctx_buf_done(&all);
	ctx_buf_done(&more);
	return rc;
}

int
ctx_merge_runs(struct ctx_plan *plan, const struct ctx_convo *c, int tell,
    struct ctx_err *err)
{
	const struct ctx_dialect *d = ctx_dialect_of(c->dialect);
	uint32_t i, k, run, n;

	if (d->text_element == NULL || d->rules & CTX_RULE_LOG)
		return 0;
	for (i = 0; i < plan->norder; i = k) {
		k = i + 1;
		if (plan->order[i] & CTX_INSERTED ||
		    plan->drop_msg[plan->order[i]] ||
		    !mergeable(plan, c, plan->order[i]))
			continue;
		for (n = 1, run = k; run < plan->norder; run++) {
			if (plan->order[run] & CTX_INSERTED)
				break;
			if (plan->drop_msg[plan->order[run]])
				continue;
			if (!may_follow(plan, c, plan->order[i],
			    plan->order[run]))
				break;
			n++;
			k = run + 1;
		}
		if (n > 1 && merge(plan, c, tell, (uint32_t[]){ i, k },
		    err) == -1)
			return -1;
	}
	ctx_plan_settle(plan);
	return 0;
}
