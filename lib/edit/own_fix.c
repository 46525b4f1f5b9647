/* SPDX-License-Identifier: MIT */
/* Repairs of what is already in the target's dialect; see own_fix.h. */
#include "edit/own_fix.h"

#include <string.h>

#include "edit/own.h"
#include "edit/said.h"
#include "edit/tool_name.h"

void
ctx_own_done(struct ctx_own *o)
{
	ctx_edit_done(&o->edit);
	ctx_convo_done(&o->fixed);
	ctx_convo_done(&o->line);
}

/* Give call i, and its result, an id that fits. */
static int
fit_id(struct ctx_script *s, struct ctx_plan *plan, const struct ctx_convo *c,
    uint32_t i, unsigned needs, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_str id = ctx_said_fit_id(s, p->id, needs);

	if (id.p == NULL)
		return ctx_fail_nomem(err);
	s->loss[CTX_L_ID]++;
	if (ctx_plan_swap(plan, i, 1, id.p, id.len, err) == -1)
		return -1;
	return p->mate == CTX_NONE ? 0 :
	    ctx_plan_swap(plan, p->mate, 1, id.p, id.len, err);
}

/* Write arguments that are JSON as a string of it. */
static int
fit_arguments(struct ctx_script *s, struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t i, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);
	struct ctx_str text = ctx_part_text(c, i);

	/* other calls of this API have objects of their own */
	if (!ctx_doc_key_is(&doc, c->part[i].text - 1, "arguments", 9))
		return 0;
	ctx_buf_reset(&s->buf);
	ctx_buf_addc(&s->buf, '"');
	ctx_str_encode(&s->buf, text.p, text.len);
	ctx_buf_addc(&s->buf, '"');
	if (s->buf.failed)
		return ctx_fail_nomem(err);
	return ctx_plan_rewrite(plan, c->msg[c->part[i].msg].rec,
	    c->part[i].text, 1, ctx_str_of(&s->buf), err);
}

int
ctx_own_misnamed(const struct ctx_script *s, const struct ctx_part *p)
{
	return (p->kind == CTX_CALL || (p->kind == CTX_RESULT &&
	    p->name.p != NULL)) &&
	    !(p->flags & (CTX_SERVER | CTX_NO_TOOL)) &&
	    !ctx_tool_name_is_good(s->api, p->name);
}

/* Give a part's tool a name that the API takes. */
static int
fit_name(struct ctx_script *s, struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_part *p, struct ctx_err *err)
{
	uint32_t rec = c->msg[p->msg].rec, node;
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	struct ctx_str to;

	if (p->name.p == NULL)
		return 0;
	node = ctx_node_at(&doc, c->msg[p->msg].node, p->name.p);
	if (ctx_node_str(&doc, node).p != p->name.p)
		return 0;	/* a result has it from its call */
	if ((to = ctx_said_tool_name(s, p->name)).p == NULL)
		return ctx_fail_nomem(err);
	return ctx_plan_rewrite(plan, rec, node, 0, to, err);
}

/*
 * Message m has no content: without calls, and if it is no result, it goes; else it
 * gets what stands for no text.
 */
static int
fit_content(struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	const char *none = msg->role == CTX_TOOL ? "\"\"" : "null";
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (!plan->drop_part[i] && (c->part[i].kind == CTX_CALL ||
		    c->part[i].kind == CTX_RESULT))
			return ctx_plan_rewrite(plan, msg->rec, msg->content, 1,
			    (struct ctx_str){ none, (uint32_t)strlen(none) },
			    err);
	ctx_plan_drop_msg(plan, m);
	return ctx_plan_find(plan, CTX_F_EMPTY_MESSAGE, m, CTX_NONE, 1, err);
}

int
ctx_own_hollow(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	struct ctx_doc doc = ctx_convo_doc(c, msg->rec);

	if (msg->flags & CTX_FIXED)
		return 0;
	return (ctx_node_is_void(&doc, msg->content) ||
	    (msg->role == CTX_USER && msg->npart == 0 &&
	    ctx_node_if(&doc, msg->content, '[') == CTX_NONE)) &&
	    !ctx_own_kept(c, m, NULL);
}

int
ctx_own_fit(struct ctx_script *s, struct ctx_plan *plan,
    const struct ctx_convo *c, unsigned needs, struct ctx_err *err)
{
	const struct ctx_part *p;
	uint32_t i;

	for (i = 0; i < c->npart; i++) {
		p = &c->part[i];
		if (plan->drop_part[i])
			continue;
		if (ctx_own_misnamed(s, p) && fit_name(s, plan, c, p, err) == -1)
			return -1;
		if (p->kind != CTX_CALL)
			continue;
		if (p->id.p != NULL && !ctx_said_id_fits(needs, p->id) &&
		    ctx_plan_swapped(plan, i, 1) == NULL &&
		    fit_id(s, plan, c, i, needs, err) == -1)
			return -1;
		if (needs & CTX_NEED_STRINGS && p->flags & CTX_RAW &&
		    fit_arguments(s, plan, c, i, err) == -1)
			return -1;
	}
	for (i = 0; i < c->nmsg && needs & CTX_NEED_FILLED; i++)
		if (!plan->drop_msg[i] && ctx_own_hollow(c, i) &&
		    fit_content(plan, c, i, err) == -1)
			return -1;
	ctx_plan_settle(plan);
	return 0;
}

struct ctx_convo *
ctx_own_fix(struct ctx_own *o, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_dialect *own,
    struct ctx_err *err)
{
	const struct ctx_piece *piece;
	const char *raw;
	size_t i, len;

	if (ctx_edit_turn(&o->edit, plan, c, err) == -1)
		return NULL;
	ctx_convo_reset(&o->fixed);
	for (i = 0; i < o->edit.npiece; i++) {
		piece = &o->edit.piece[i];
		/* a blank line, or what is no message */
		if (!piece->is_text && c->rec[piece->rec].nmsg == 0)
			continue;
		raw = piece->is_text ? o->edit.text.data + piece->off :
		    c->rec[piece->rec].raw;
		len = piece->is_text ? piece->len : c->rec[piece->rec].len;
		if (ctx_dialect_line_of(&o->line, own, raw, len, err) == -1)
			return NULL;
		o->line.rec[0].line = piece->rec != CTX_NONE ?
		    c->rec[piece->rec].line : 0;
		if (ctx_convo_take(&o->fixed, &o->line) == -1) {
			ctx_fail_nomem(err);
			return NULL;
		}
	}
	return &o->fixed;
}
