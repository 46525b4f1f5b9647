/* SPDX-License-Identifier: MIT */
/* What a step says; see script.h. */
#include "decide/summary.h"
#include "edit/said.h"
#include "edit/script_impl.h"

/* The range of parts of message m that belong to step st. */
static void
range_of(const struct ctx_script *s, const struct ctx_step *st, uint32_t m,
    uint32_t *from, uint32_t *to)
{
	const struct ctx_msg *msg = &s->c->msg[m];

	*from = st->to > 0 ? st->from : msg->part;
	*to = st->to > 0 ? st->to : msg->part + msg->npart;
}

/* A result is written with what its call has. */
static void
mark_links(struct ctx_script *s, const struct ctx_part *p,
    const struct ctx_said *call)
{
	int same = call->id.p != NULL && ctx_str_same(p->id, call->id);

	if (p->id.p != NULL)
		ctx_trace_mark(&s->trace, same ? CTX_CARRIED : CTX_RENAMED,
		    p->id.p, call->id, "id");
	/* not all targets name the tool again */
	if (p->name.p != NULL && p->name.p != s->c->part[p->mate].name.p)
		ctx_trace_mark(&s->trace, CTX_RENAMED, p->name.p, call->name,
		    "name");
}

/* Add a result, with the id and name of its call. */
static int
tell_result(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t i)
{
	uint32_t at = s->nitem;
	struct ctx_said *it, *call;

	if (ctx_said_part(s, plan, needs, i) == -1)
		return -1;
	it = &s->item[at];
	call = &s->item[s->next_res[s->c->part[i].mate]];
	call->first = at;
	call->n = 1;
	mark_links(s, &s->c->part[i], call);
	it->id = call->id;
	it->same_id = call->same_id;
	it->name = call->name;
	it->flags |= call->flags & CTX_CUSTOM;
	return 0;
}

/* Is part i a later part of a reasoning item that its first part represents? */
static int
goes_on(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];

	return p->kind == CTX_THINKING && p->place[0].node == CTX_NONE &&
	    i > c->msg[p->msg].part;
}

/* Add part i of a step, unless it is left out. */
static int
tell_part(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t i)
{
	enum ctx_kind kind = ctx_said_kind(s->c, i);

	if (s->c->part[i].flags & CTX_INNER ||
	    (s->c->part[i].flags & CTX_COMPACTED &&
	    ctx_script_compacted(s, s->c->part[i].msg) != CTX_NONE) ||
	    plan->drop_part[i] || kind == CTX_RESULT || kind == CTX_HOLLOW ||
	    goes_on(s->c, i))
		return 0;
	if (kind == CTX_TEXT && !ctx_script_speaks(s->c, plan, needs, i)) {
		s->loss[CTX_L_EMPTY] += ctx_part_text(s->c, i).len > 0;
		return 0;
	}
	if (ctx_script_stray(s->c, i)) {
		s->loss[kind == CTX_CALL ? CTX_L_CALL : CTX_L_THINKING]++;
		return 0;
	}
	if (kind == CTX_CALL)
		s->next_res[i] = s->nitem;
	return ctx_said_part(s, plan, needs, i);
}

static int
tell_results(struct ctx_script *s, const struct ctx_plan *plan,
    unsigned needs, const struct ctx_step *st)
{
	const struct ctx_convo *c = s->c;
	uint32_t m, i, from, to;

	for (m = st->msg; m != CTX_NONE && c->msg[m].role == CTX_ASSISTANT;
	    m = s->next_msg[m]) {
		range_of(s, st, m, &from, &to);
		for (i = from; i < to; i++)
			if (c->part[i].kind == CTX_RESULT &&
			    !plan->drop_part[i] &&
			    ctx_part_inline(c, &c->part[i]) &&
			    tell_result(s, plan, needs, i) == -1)
				return -1;
	}
	for (i = st->res; i != CTX_NONE; i = s->next_res[i])
		if (tell_result(s, plan, needs, i) == -1)
			return -1;
	return 0;
}

/*
 * Read what message m of a step has beside its parts.  In a turn of several messages,
 * places are counted from its first; it begins after *before parts of the step.
 */
static int
begin_message(struct ctx_script *s, const struct ctx_step *st, uint32_t m,
    uint32_t *before)
{
	if (!(s->c->msg[m].flags & CTX_JOINED))
		*before = s->nitem - st->item + s->nkept - st->kept;
	s->loss[CTX_L_NAME] += s->c->msg[m].name.p != NULL &&
	    !(s->names && m == st->msg);
	return ctx_said_kept(s, m, *before);
}

static int
tell(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    struct ctx_step *st)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[st->msg].rec);
	uint32_t m, i, from, to, role, before = 0;

	st->item = s->nitem;
	st->kept = s->nkept;
	st->name = s->c->msg[st->msg].name;
	if (st->role == CTX_SYSTEM || s->trace.on) {
		role = CTX_GET(&doc, s->c->msg[st->msg].node, "role");
		st->word = ctx_node_str(&doc, role);
		st->developer = st->role == CTX_SYSTEM &&
		    ctx_node_is(&doc, role, "developer");
	}
	for (m = st->msg; m != CTX_NONE; m = s->next_msg[m]) {
		range_of(s, st, m, &from, &to);
		if (from == s->c->msg[m].part &&
		    begin_message(s, st, m, &before) == -1)
			return -1;
		for (i = from; i < to; i++)
			if (ctx_said_bare(s, i) == -1 ||
			    tell_part(s, plan, needs, i) == -1)
				return -1;
	}
	st->nkept = s->nkept - st->kept;
	st->nitem = s->nitem - st->item;
	st->result = s->nitem;
	if (tell_results(s, plan, needs, st) == -1)
		return -1;
	st->nresult = s->nitem - st->result;
	return 0;
}

/* Tell the conversation so far, or the answer to it. */
static int
tell_summary(struct ctx_script *s, struct ctx_step *st)
{
	struct ctx_said *it;
	struct ctx_buf *b = &s->buf;
	struct ctx_str text = ctx_part_text(s->c, st->summary);

	st->item = s->nitem;
	st->kept = s->nkept;
	ctx_buf_reset(b);
	if (st->role == CTX_USER) {
		ctx_buf_addf(b, CTX_SUMMARY_HEAD "%llu turns)]:\\n",
		    (unsigned long long)s->replaced);
		ctx_buf_add(b, text.p, text.len);
	} else
		ctx_buf_adds(b, CTX_SUMMARY_REPLY);
	text = b->failed ? (struct ctx_str){ NULL, 0 } :
	    ctx_said_own(s, b->data, b->len);
	if (text.p == NULL || (it = ctx_said_add(s, CTX_TEXT)) == NULL)
		return -1;
	it->text = text;
	if (st->role == CTX_USER)
		ctx_trace_mark(&s->trace, CTX_REFORMED,
		    ctx_part_text(s->c, st->summary).p,
		    (struct ctx_str){ NULL, 0 }, "summary");
	else
		ctx_trace_mark(&s->trace, CTX_MADE, NULL, text, "message");
	st->nitem = 1;
	st->result = s->nitem;
	return 0;
}

/* Does a step have any content besides thinking, or carry some? */
static int
is_told(const struct ctx_script *s, const struct ctx_step *st)
{
	uint32_t i;

	for (i = st->item; i < st->item + st->nitem; i++)
		if (s->item[i].kind != CTX_THINKING &&
		    s->item[i].kind != CTX_OTHER)
			return 1;
	return st->nkept > 0 && s->home != NULL;
}

int
ctx_script_tell(struct ctx_script *s, const struct ctx_plan *plan,
    unsigned needs)
{
	struct ctx_step st;
	uint32_t i, n = 0, k;

	for (i = 0; i < s->nstep; i++) {
		st = s->step[i];
		if (!st.as_is && (st.summary != CTX_NONE ?
		    tell_summary(s, &st) : tell(s, plan, needs, &st)) == -1)
			return -1;
		if (st.as_is || is_told(s, &st)) {
			s->step[n++] = st;
			continue;
		}
		for (k = st.item; k < st.item + st.nitem; k++)
			if (s->item[k].kind == CTX_THINKING)
				s->loss[CTX_L_THINKING]++;
			else
				ctx_script_lose(s, s->item[k].raw);
	}
	s->nstep = n;
	return 0;
}
