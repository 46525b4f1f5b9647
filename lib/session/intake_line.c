/* SPDX-License-Identifier: MIT */
/* Handle lines by their dialect; see intake_line.h. */
#include "session/intake_line.h"

#include <string.h>

#include "text/shorten.h"
#include "job/cost.h"

/*
 * Is it a text of users, models or tools?  System texts, arguments and signed
 * parts are excluded.
 */
static int
is_text(const struct ctx_convo *c, const struct ctx_part *p)
{
	if (p->flags & CTX_RAW)
		return 0;
	return p->kind == CTX_RESULT || p->kind == CTX_COPY ||
	    (p->kind == CTX_TEXT && (p->flags & CTX_INNER ||
	    c->msg[p->msg].role != CTX_SYSTEM));
}

static int
shorten(struct ctx_intake *in, struct ctx_str *line, struct ctx_err *err)
{
	const struct ctx_shorten how = { .max = in->max_chars };
	struct ctx_str s;
	uint32_t i;
	int rc;

	ctx_patch_reset(&in->patch);
	for (i = 0; i < in->one.npart; i++) {
		s = ctx_part_text(&in->one, i);
		if (s.p == NULL || !is_text(&in->one, &in->one.part[i]))
			continue;
		ctx_buf_reset(&in->word);
		rc = ctx_shorten(&how, s, NULL, &in->word, err);
		if (rc == 1)
			rc = ctx_patch_add(&in->patch, (size_t)(s.p - line->p),
			    s.len, in->word.data, in->word.len, err);
		if (rc == -1)
			return -1;
	}
	if (in->patch.n == 0)
		return 0;
	ctx_buf_reset(&in->out);
	if (ctx_patch_apply(&in->patch, line->p, 0, line->len, &in->out) == -1)
		return ctx_fail_nomem(err);
	*line = ctx_str_of(&in->out);
	return 0;
}

/*
 * The tokens that a conversation line's messages carry in total; -1 if none
 * do.
 */
static int64_t
carried(const struct ctx_intake *in)
{
	uint32_t m, nmsg = in->one.nmsg;
	int64_t sum = -1;
	uint64_t n;

	if (nmsg > 1 && in->one.rec[0].shape == CTX_REC_MESSAGE)
		nmsg = 1;	/* a view shows it as several messages */
	for (m = 0; m < nmsg; m++)
		if (ctx_cost_member(&in->one, m, in->cost, &n) != CTX_NONE)
			sum = (sum == -1 ? 0 : sum) + (int64_t)n;
	return sum;
}

static int
view(struct ctx_intake *in, const char *raw, size_t len, struct ctx_err *err)
{
	if (ctx_dialect_line(&in->one, in->dialect, raw, len, err) == -1)
		return -1;
	in->dialect = in->one.dialect;
	return 0;
}

int
ctx_intake_line_read(struct ctx_intake *in, struct ctx_str *line,
    int64_t *tokens, struct ctx_err *err)
{
	*tokens = -1;
	if (in->max_chars == 0 && in->cost == NULL)
		return 0;
	if (view(in, line->p, line->len, err) == -1)
		return -1;
	if (in->cost != NULL)
		*tokens = carried(in);
	return in->max_chars > 0 ? shorten(in, line, err) : 0;
}

/* If one object holds several messages, the user's own words decide. */
static enum ctx_role
role_of(const struct ctx_convo *c)
{
	uint32_t m;

	for (m = 0; m < c->nmsg; m++)
		if (c->msg[m].role == CTX_USER)
			return CTX_USER;
	return c->msg[0].role;
}

int
ctx_intake_line_role(struct ctx_intake *in, struct ctx_entry *line,
    struct ctx_err *err)
{
	enum ctx_role role;
	uint32_t i;

	if (view(in, line->raw, line->len, err) == -1)
		return -1;
	line->rewritten = in->dialect != NULL &&
	    in->dialect->rules & CTX_RULE_REWRITES;
	if (in->one.rec[0].shape != CTX_REC_MESSAGE || in->one.nmsg == 0)
		return 0;
	role = role_of(&in->one);
	strcpy(line->role, ctx_msg_role_name(role));
	line->opens_turn = role == CTX_USER &&
	    !(in->one.msg[0].flags & (CTX_SUMMARY | CTX_BOUNDARY));
	for (i = 0; i < in->one.npart; i++)
		if (in->one.part[i].kind == CTX_RESULT)
			line->opens_turn = 0;
	return 0;
}

/* --- a conversation line, split ------------------------------------------ */

/*
 * Append a prompt as a message's content: a string or a list unchanged.
 * Gemini's object with parts, a form that no message has, becomes a list of
 * its texts; one without a text is unchanged, so that nothing is lost.
 */
static void
add_content(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t parts = CTX_GET(doc, node, "parts"), e, text;
	size_t start = out->len;

	CTX_FOR_LIST(doc, e, parts) {
		text = ctx_node_if(doc, CTX_GET(doc, e, "text"), '"');
		if (text == CTX_NONE)
			continue;
		ctx_buf_adds(out, out->len == start ? "[" : ",");
		ctx_buf_adds(out, "{\"type\":\"text\",\"text\":");
		ctx_node_put(out, doc, text);
		ctx_buf_addc(out, '}');
	}
	if (out->len > start)
		ctx_buf_addc(out, ']');
	else
		ctx_node_put(out, doc, node);
}

/* Pass on in->message as a line. */
static int
give(struct ctx_intake *in, ctx_intake_fn *fn, struct ctx_err *err)
{
	struct ctx_buf *b = &in->message;

	ctx_buf_addc(b, '\n');
	return ctx_buf_fail(b, err) == -1 ? -1 : fn(in, b->data, b->len, err);
}

/*
 * Pass on the prompts that are outside the messages, in any dialect: a request
 * may have been assembled from several.
 */
static int
give_prompts(struct ctx_intake *in, const struct ctx_doc *doc,
    ctx_intake_fn *fn, struct ctx_err *err)
{
	const struct ctx_dialect *d;
	struct ctx_shape shape;
	uint32_t node;
	size_t i, k;

	ctx_shape_of(&shape, doc, 0);
	for (i = 0; (d = ctx_dialects[i]) != NULL; i++)
		for (k = 0; k < 2 && d->system[k] != CTX_K_ROLE; k++) {
			node = shape.key[d->system[k]];
			if (node == CTX_NONE)
				continue;
			/* several dialects have it */
			shape.key[d->system[k]] = CTX_NONE;
			ctx_buf_reset(&in->message);
			ctx_buf_adds(&in->message,
			    "{\"role\":\"system\",\"content\":");
			add_content(&in->message, doc, node);
			ctx_buf_addc(&in->message, '}');
			if (give(in, fn, err) == -1)
				return -1;
		}
	return 0;
}

int
ctx_intake_line_split(struct ctx_intake *in, const char *raw, size_t len,
    ctx_intake_fn *fn, struct ctx_err *err)
{
	struct ctx_doc doc;
	struct ctx_str json;
	uint32_t e, list;

	if (ctx_dialect_line(&in->whole, NULL, raw, len, err) == -1)
		return -1;
	if (in->whole.rec[0].shape != CTX_REC_CONVERSATION)
		return 0;
	doc = ctx_convo_doc(&in->whole, 0);
	list = in->whole.rec[0].list;
	if (ctx_node_type(&doc, 0) == '{' &&
	    give_prompts(in, &doc, fn, err) == -1)
		return -1;
	/* a string in place of the list */
	if (ctx_node_type(&doc, list) == '"') {
		ctx_buf_reset(&in->message);
		ctx_buf_adds(&in->message, "{\"role\":\"user\",\"content\":");
		json = ctx_node_json(&doc, list);
		ctx_buf_add(&in->message, json.p, json.len);
		ctx_buf_addc(&in->message, '}');
		return give(in, fn, err) == -1 ? -1 : 1;
	}
	/* every element, even one that no dialect knows */
	CTX_FOR_LIST(&doc, e, list) {
		ctx_buf_reset(&in->message);
		json = ctx_node_json(&doc, e);
		ctx_line_flat(&in->message, json.p, json.len);
		if (give(in, fn, err) == -1)
			return -1;
	}
	return 1;
}
