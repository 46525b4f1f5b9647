/* SPDX-License-Identifier: MIT */
/* A conversation as steps; see script.h. */
#include "decide/group.h"
#include "decide/summary.h"
#include "edit/own.h"
#include "edit/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ctx_loss_texts[CTX_L_N] = {
	[CTX_L_CALL] = "tool calls without a result",
	[CTX_L_RESULT] = "tool results without a call",
	[CTX_L_THINKING] = "thinking",
	[CTX_L_MEDIA] = "images and files",
	[CTX_L_PART] = "parts that the target cannot represent",
	[CTX_L_EMPTY] = "empty texts",
	[CTX_L_ERROR] = "error flags of tool results",
	[CTX_L_ARGUMENTS] = "arguments that are not a JSON object",
	[CTX_L_ID] = "tool call ids",
	[CTX_L_SYSTEM] = "positions of system messages",
	[CTX_L_FIRST] =
	    "conversations that do not start with a user message",
	[CTX_L_PARALLEL] = "parallel calls written one at a time",
	[CTX_L_BRANCH] = "messages of abandoned branches",
	[CTX_L_NAME] = "speaker names",
	[CTX_L_TOOLS] = "tools without a definition",
	[CTX_L_SIGN] = "signatures of tool calls",
	[CTX_L_MOVED] = "positions of tool results",
	[CTX_L_MEMBER] = "members",
	[CTX_L_UNKNOWN] = "records that are not messages",
	[CTX_L_SURROGATE] = "halves of surrogate pairs",
	[CTX_L_TURNS] = "turns that do not alternate",
	[CTX_L_TOOL_NAME] = "names of tools"
};

void
ctx_script_done(struct ctx_script *s)
{
	ctx_said_forget(s);
	free(s->own);
	free(s->step);
	free(s->item);
	free(s->kept);
	free(s->next_msg);
	free(s->step_of);
	free(s->next_res);
	free(s->fate);
	ctx_idset_done(&s->ids);
	ctx_buf_done(&s->buf);
	ctx_doc_done(&s->doc);
	ctx_trace_done(&s->trace);
	memset(s, 0, sizeof(*s));
}

const char *
ctx_script_family(const struct ctx_dialect *d)
{
	if (d == NULL)
		return "openai";
	return d->family != NULL ? d->family : d->name;
}

void
ctx_script_lose(struct ctx_script *s, struct ctx_str json)
{
	s->loss[CTX_L_PART]++;
	ctx_types_count(&s->left.parts, &s->doc, json);
}

/* --- which messages, in which steps ------------------------------- */

/* Is part i a call or thinking in a message that is not the model's? */
static int
is_stray(const struct ctx_convo *c, uint32_t i)
{
	enum ctx_kind kind = ctx_said_kind(c, i);

	return (kind == CTX_CALL || kind == CTX_THINKING) &&
	    c->msg[c->part[i].msg].role != CTX_ASSISTANT;
}

/* Is part i enough to make a message worth converting? */
static int
speaks(const struct ctx_convo *c, const struct ctx_plan *plan, unsigned needs,
    uint32_t i)
{
	struct ctx_str text;

	if (plan->drop_part[i] || c->part[i].flags & CTX_INNER || is_stray(c, i))
		return 0;
	switch (ctx_said_kind(c, i)) {
	case CTX_TEXT:
		text = ctx_part_text(c, i);
		/* "" next to calls means that there is no text */
		if (text.len == 0 && c->msg[c->part[i].msg].npart > 1 &&
		    c->msg[c->part[i].msg].role == CTX_ASSISTANT)
			return 0;
		return !(needs & CTX_NEED_TEXT) || !ctx_str_blank(text);
	case CTX_CALL:
	case CTX_IMAGE:
	case CTX_FILE:
		return 1;
	default:
		return 0;
	}
}

static int
add_step(struct ctx_script *s, enum ctx_role role)
{
	struct ctx_step *st;

	if (CTX_ROOM(s->step, s->nstep, &s->capstep) == -1)
		return -1;
	st = s->step + s->nstep++;
	memset(st, 0, sizeof(*st));
	st->role = role;
	st->msg = st->last_msg = st->res = st->last_res = CTX_NONE;
	st->summary = CTX_NONE;
	return 0;
}

/* Append m to the messages of a step. */
static void
append_msg(struct ctx_script *s, uint32_t step, uint32_t m)
{
	struct ctx_step *st = &s->step[step];

	if (st->last_msg == CTX_NONE)
		st->msg = m;
	else
		s->next_msg[st->last_msg] = m;
	st->last_msg = m;
	s->next_msg[m] = CTX_NONE;
	s->step_of[m] = step;
}

static void
append_result(struct ctx_script *s, uint32_t step, uint32_t part)
{
	struct ctx_step *st = &s->step[step];

	if (st->last_res == CTX_NONE)
		st->res = part;
	else
		s->next_res[st->last_res] = part;
	st->last_res = part;
	s->next_res[part] = CTX_NONE;
}

/* May message m continue the last step? */
static int
continues(const struct ctx_script *s, enum ctx_role role, unsigned needs)
{
	if (s->nstep == 0 || !(needs & CTX_NEED_MERGED) ||
	    s->step[s->nstep - 1].as_is || s->step[s->nstep - 1].to != 0 ||
	    s->step[s->nstep - 1].summary != CTX_NONE)
		return 0;
	return s->step[s->nstep - 1].role == role && role != CTX_SYSTEM &&
	    s->step[s->nstep - 1].res == CTX_NONE;
}

/*
 * Add the results of message m to the steps of their calls.  Returns 1 if it
 * has anything else.
 */
static int
add_results(struct ctx_script *s, const struct ctx_plan *plan, uint32_t m)
{
	const struct ctx_convo *c = s->c;
	const struct ctx_part *p;
	uint32_t i, step;
	int other = 0;

	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (p->flags & CTX_INNER)
			continue;
		if (ctx_said_kind(c, i) != CTX_RESULT) {
			other |= p->kind != CTX_HOLLOW && p->kind != CTX_COPY;
			continue;
		}
		if (p->mate == CTX_NONE || plan->drop_part[i])
			continue;
		step = s->step_of[c->part[p->mate].msg];
		if (step != CTX_NONE)
			append_result(s, step, i);
	}
	return other;
}

/*
 * The part of message m that is the conversation so far, and that the target
 * does not have; CTX_NONE if there is none.
 */
static uint32_t
compacted(const struct ctx_script *s, uint32_t m)
{
	if (!(s->c->msg[m].flags & CTX_SUMMARY) || (s->home != NULL &&
	    strcmp(s->home->name, ctx_script_family(ctx_msg_dialect(s->c,
	    m))) == 0))
		return CTX_NONE;
	return ctx_msg_compacted(s->c, m);
}

/* Count message m, of which nothing can be said. */
static void
lose_message(struct ctx_script *s, uint32_t m)
{
	const uint64_t *loss = s->loss;
	uint64_t before = loss[CTX_L_PART] + loss[CTX_L_THINKING] +
	    loss[CTX_L_CALL];
	uint32_t i, copies = 0;

	CTX_FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind == CTX_OTHER)
			ctx_script_lose(s, ctx_said_json(s->c, i));
		else if (s->c->part[i].kind == CTX_THINKING)
			s->loss[CTX_L_THINKING] +=
			    !ctx_str_blank(ctx_part_text(s->c, i));
		else if (s->c->part[i].kind == CTX_COPY)
			copies++;
		else
			s->loss[CTX_L_CALL] += is_stray(s->c, i);
	/* one that is written again later is not lost */
	s->loss[CTX_L_EMPTY] += (copies == 0 || copies < s->c->msg[m].npart) &&
	    before == loss[CTX_L_PART] + loss[CTX_L_THINKING] +
	    loss[CTX_L_CALL];
}

/* Put message m into a step of its own or into one that it continues. */
static int
place(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t m, uint32_t *assistant)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	enum ctx_role role = msg->role == CTX_TOOL ? CTX_USER : msg->role;
	int says = 0, other = 1, joins;
	uint32_t i;

	joins = role == CTX_ASSISTANT && msg->flags & CTX_JOINED &&
	    *assistant != CTX_NONE;
	if (role == CTX_USER)
		other = add_results(s, plan, m);
	for (i = msg->part; i < msg->part + msg->npart && !says; i++)
		says = speaks(s->c, plan, needs, i);
	if (!says && s->home != NULL)
		says = ctx_own_kept(s->c, m, s->home);
	/* reasoning alone belongs to the message that follows it */
	if (!says && compacted(s, m) != CTX_NONE)
		return 0;		/* place_summary told it */
	if (!says && !joins &&
	    (role != CTX_ASSISTANT || !ctx_msg_thinks(s->c, m))) {
		if (other && msg->npart > 0)
			lose_message(s, m);
		/* what joins it does not join the one before */
		if (role == CTX_ASSISTANT)
			*assistant = CTX_NONE;
		return 0;
	}
	if (joins) {
		append_msg(s, *assistant, m);
		return 0;
	}
	if (!continues(s, role, needs) && add_step(s, role) == -1)
		return -1;
	append_msg(s, s->nstep - 1, m);
	if (role == CTX_ASSISTANT)
		*assistant = s->nstep - 1;
	return 0;
}

/* Leave out messages that a summary replaced. */
static void
leave_replaced(struct ctx_script *s, uint32_t boundary)
{
	const struct ctx_convo *c = s->c;
	uint32_t m;

	for (m = 0; m < boundary; m++) {
		if (!ctx_branch_replaced(c, boundary, m))
			continue;
		s->fate[m] = CTX_GONE;
		s->replaced += ctx_group_begins(c, m) ||
		    (c->msg[m].role == CTX_ASSISTANT &&
		    !(c->msg[m].flags & CTX_JOINED));
	}
}

/*
 * Leave out messages that are no longer sent because they were replaced: also the
 * prompt that the history begins with, by the caller's.
 */
static void
leave_out(struct ctx_script *s)
{
	const struct ctx_convo *c = s->c;
	uint32_t first = c->nmsg, m;

	for (m = 0; s->system.p != NULL && m < c->nmsg &&
	    c->msg[m].role == CTX_SYSTEM; m++)
		if (!ctx_summary_is(c, m, NULL, NULL) &&
		    compacted(s, m) == CTX_NONE)
			s->fate[m] = CTX_GONE;

	while (first > 0 && !(c->msg[first - 1].flags & CTX_BOUNDARY))
		first--;
	/* its own API knows what a summary replaces */
	if (first > 0 && ctx_msg_dialect(c, first - 1) != s->home)
		leave_replaced(s, first - 1);
}

static int
prepare(struct ctx_script *s)
{
	const struct ctx_convo *c = s->c;

	if (CTX_ROOM(s->next_msg, c->nmsg, &s->capnext) == -1 ||
	    CTX_ROOM(s->step_of, c->nmsg, &s->capof) == -1 ||
	    CTX_ROOM(s->next_res, c->npart, &s->capres) == -1 ||
	    CTX_ROOM(s->item, 0, &s->capitem) == -1 ||
	    CTX_ROOM(s->fate, c->nmsg, &s->capfate) == -1)
		return -1;
	memset(s->step_of, 0xff, c->nmsg * sizeof(*s->step_of));
	memset(s->fate, CTX_TOLD, c->nmsg);
	s->nstep = s->nitem = s->nkept = 0;
	s->invented = 0;
	s->sealed = 0;
	s->replaced = 0;
	s->odd_kept = 0;
	ctx_idset_done(&s->ids);
	ctx_trace_reset(&s->trace);
	ctx_said_forget(s);
	return 0;
}

/* --- steps --------------------------------------------------------- */

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
	    compacted(s, s->c->part[i].msg) != CTX_NONE) ||
	    plan->drop_part[i] || kind == CTX_RESULT || kind == CTX_HOLLOW ||
	    goes_on(s->c, i))
		return 0;
	if (kind == CTX_TEXT && !speaks(s->c, plan, needs, i)) {
		s->loss[CTX_L_EMPTY] += ctx_part_text(s->c, i).len > 0;
		return 0;
	}
	if (is_stray(s->c, i)) {
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

static int
tell(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    struct ctx_step *st)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[st->msg].rec);
	uint32_t m, i, from, to, role;

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
		if (st->from == 0 && ctx_said_kept(s, m) == -1)
			return -1;
		range_of(s, st, m, &from, &to);
		for (i = from; i < to; i++)
			if (tell_part(s, plan, needs, i) == -1)
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

/* Does a step have any content besides thinking? */
static int
is_told(const struct ctx_script *s, const struct ctx_step *st)
{
	uint32_t i;

	for (i = st->item; i < st->item + st->nitem; i++)
		if (s->item[i].kind != CTX_THINKING &&
		    s->item[i].kind != CTX_OTHER)
			return 1;
	for (i = st->kept; i < st->kept + st->nkept && s->home != NULL; i++)
		if (ctx_str_is(s->kept[i].from, s->home->name))
			return 1;
	return 0;
}

static int
tell_all(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs)
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

/* Make a text of ours step i. */
static int
add_said(struct ctx_script *s, uint32_t i, enum ctx_role role,
    struct ctx_str text)
{
	struct ctx_step st;
	struct ctx_said *it;

	if (add_step(s, role) == -1 || (it = ctx_said_add(s, CTX_TEXT)) == NULL)
		return -1;
	it->text = text;
	st = s->step[s->nstep - 1];
	st.item = s->nitem - 1;
	st.nitem = 1;
	memmove(s->step + i + 1, s->step + i,
	    (s->nstep - 1 - i) * sizeof(st));
	s->step[i] = st;
	ctx_trace_mark(&s->trace, CTX_MADE, NULL, text, "message");
	return 0;
}

/* Insert a user's step if an assistant's step would be the first. */
static int
begin_with_user(struct ctx_script *s)
{
	uint32_t i = 0;

	while (i < s->nstep && s->step[i].role == CTX_SYSTEM)
		i++;
	if (i == s->nstep || s->step[i].role == CTX_USER)
		return 0;
	s->loss[CTX_L_FIRST]++;
	return add_said(s, i, CTX_USER, ctx_marker_text(s->notes,
	    CTX_MARKER_BEGINNING));
}

/* Is part p one of a message's calls and their results? */
static int
is_link(const struct ctx_convo *c, const struct ctx_part *p)
{
	return ctx_part_inline(c, p) || p->flags & CTX_INNER ||
	    (p->kind == CTX_CALL && !(p->flags & CTX_SERVER));
}

/*
 * Place the steps of a message whose calls have their results inside: what
 * follows results is said after them.
 */
static int
place_inline(struct ctx_script *s, uint32_t m)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	const struct ctx_part *p = s->c->part;
	uint32_t i, from = msg->part, end = msg->part + msg->npart;
	int answered = 0;

	for (i = msg->part; i <= end; i++) {
		if (i < end && (!answered || is_link(s->c, &p[i]))) {
			answered |= ctx_part_inline(s->c, &p[i]);
			continue;
		}
		if (i > from) {
			if (add_step(s, CTX_ASSISTANT) == -1)
				return -1;
			append_msg(s, s->nstep - 1, m);
			s->step[s->nstep - 1].from = from;
			s->step[s->nstep - 1].to = i;
		}
		from = i;
		answered = 0;
	}
	return 0;
}

static int
has_inline(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (ctx_part_inline(c, &c->part[i]))
			return 1;
	return 0;
}

static void
count_faults(struct ctx_script *s, const struct ctx_plan *plan)
{
	uint32_t i;

	for (i = 0; i < plan->nfinding; i++) {
		s->loss[CTX_L_CALL] += plan->finding[i].fault ==
		    CTX_F_UNANSWERED;
		s->loss[CTX_L_RESULT] += plan->finding[i].fault ==
		    CTX_F_ORPHAN;
		if (plan->finding[i].fault == CTX_F_EMPTY_MESSAGE)
			lose_message(s, plan->finding[i].msg);
	}
}

/*
 * Message m has the conversation so far: say it as a running summary, which
 * the user gives.  The assistant answers, unless it goes on speaking.
 */
static int
place_summary(struct ctx_script *s, const struct ctx_plan *plan,
    unsigned needs, uint32_t m)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	uint32_t part = compacted(s, m), i;
	int says = 0;

	if (part == CTX_NONE)
		return 0;
	if (s->c->part[part].flags & CTX_SIGNED) {
		s->sealed = 1;
		return 0;
	}
	if (add_step(s, CTX_USER) == -1)
		return -1;
	s->step[s->nstep - 1].summary = part;
	for (i = msg->part; i < msg->part + msg->npart && !says; i++)
		says = speaks(s->c, plan, needs, i);
	if (says)
		return 0;
	if (add_step(s, CTX_ASSISTANT) == -1)
		return -1;
	s->step[s->nstep - 1].summary = part;
	return 0;
}

/* Make a step of message m, and of what shares its element, as it is. */
static int
place_own(struct ctx_script *s, uint32_t m, uint32_t *assistant)
{
	const struct ctx_msg *msg = &s->c->msg[m];

	*assistant = CTX_NONE;
	/* a system prompt beside the messages is written with the members */
	if (!ctx_own_begins(s->c, m) || (msg->flags & CTX_FIXED &&
	    (s->inside || !ctx_own_says(s->c, m))))
		return 0;
	if (add_step(s, msg->role == CTX_TOOL ? CTX_USER : msg->role) == -1)
		return -1;
	append_msg(s, s->nstep - 1, m);
	s->step[s->nstep - 1].as_is = 1;
	return 0;
}

/*
 * Put the messages into steps.  For targets with alternating roles, system
 * messages come first, since they are written outside the list.
 */
static int
place_all(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs)
{
	const struct ctx_convo *c = s->c;
	uint32_t m, assistant = CTX_NONE;
	int pass, system, spoken = 0, rc;

	for (pass = needs & CTX_NEED_MERGED ? 0 : 1; pass < 2; pass++)
		for (m = 0; m < c->nmsg; m++) {
			if (s->fate[m] == CTX_GONE)
				continue;
			if (s->fate[m] == CTX_AS_IS) {
				spoken |= c->msg[m].role != CTX_SYSTEM;
				if (pass == 1 && place_own(s, m,
				    &assistant) == -1)
					return -1;
				continue;
			}
			system = c->msg[m].role == CTX_SYSTEM;
			if (plan->drop_msg[m] ||
			    (needs & CTX_NEED_MERGED && system == pass)) {
				spoken |= pass == 0 && !system;
				continue;
			}
			s->loss[CTX_L_SYSTEM] += pass == 0 && spoken;
			if (place_summary(s, plan, needs, m) == -1)
				return -1;
			rc = has_inline(c, m) ? place_inline(s, m) :
			    place(s, plan, needs, m, &assistant);
			if (rc == -1)
				return -1;
		}
	return 0;
}

void
ctx_script_count(struct ctx_script *s, const struct ctx_convo *c,
    const struct ctx_plan *plan)
{
	static const struct {
		enum ctx_fault fault;
		enum ctx_loss loss;
	} table[] = {
		{ CTX_F_UNANSWERED, CTX_L_CALL }, { CTX_F_ORPHAN, CTX_L_RESULT },
		{ CTX_F_REUSED_ID, CTX_L_ID },
		{ CTX_F_MISPLACED, CTX_L_MOVED },
		{ CTX_F_NOT_FIRST, CTX_L_MOVED },
		{ CTX_F_EMPTY_TEXT, CTX_L_EMPTY },
		{ CTX_F_LONE_REASONING, CTX_L_THINKING }
	};
	uint32_t i;
	size_t k;

	s->c = c;
	for (i = 0; i < plan->nfinding; i++) {
		if (!plan->finding[i].fixed)
			continue;
		for (k = 0; k < sizeof(table) / sizeof(table[0]); k++)
			s->loss[table[k].loss] +=
			    plan->finding[i].fault == table[k].fault;
		if (plan->finding[i].fault == CTX_F_EMPTY_MESSAGE)
			lose_message(s, plan->finding[i].msg);
	}
}

int
ctx_script_is_own(const struct ctx_script *s)
{
	uint32_t i;

	for (i = 0; i < s->c->nmsg; i++)
		if (s->fate[i] != CTX_AS_IS)
			return 0;
	for (i = 0; i < s->nstep; i++)
		if (!s->step[i].as_is)
			return 0;
	return 1;
}

/* Keep what the plan moves: a script puts it with its call. */
static void
keep_moved(struct ctx_plan *plan, const struct ctx_convo *c)
{
	uint32_t i, part;

	for (i = 0; i < plan->nmoved; i++) {
		part = plan->moved[i] & ~CTX_INSERTED;
		plan->drop_part[part] = 0;
		plan->drop_msg[c->part[part].msg] = 0;
	}
}

/* A result goes with its call if that is none of a tool, so that it is not told. */
static int
drop_toolless(struct ctx_script *s, struct ctx_plan *plan, struct ctx_err *err)
{
	const struct ctx_convo *c = s->c;
	const struct ctx_part *p;
	uint32_t i;

	for (i = 0; i < c->npart; i++) {
		p = &c->part[i];
		if (p->kind != CTX_RESULT || p->mate == CTX_NONE ||
		    !(c->part[p->mate].flags & CTX_NO_TOOL) ||
		    plan->drop_part[i] || s->fate[p->msg] == CTX_AS_IS)
			continue;
		plan->drop_part[i] = 1;
		if (ctx_plan_find(plan, CTX_F_ORPHAN, p->msg, i, 1, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_script_read(struct ctx_script *s, const struct ctx_convo *c,
    struct ctx_plan *plan, unsigned needs, struct ctx_err *err)
{
	s->c = c;
	if (prepare(s) == -1)
		return ctx_fail_nomem(err);
	leave_out(s);
	if (s->home != NULL)
		ctx_own_mark(s, plan, needs);
	keep_moved(plan, c);
	if (drop_toolless(s, plan, err) == -1)
		return -1;
	if (place_all(s, plan, needs) == -1)
		return ctx_fail_nomem(err);
	count_faults(s, plan);
	if (tell_all(s, plan, needs) == -1 || (s->system.p != NULL &&
	    add_said(s, 0, CTX_SYSTEM, s->system) == -1) ||
	    (needs & CTX_NEED_FIRST_USER && begin_with_user(s) == -1))
		return ctx_fail_nomem(err);
	return 0;
}
