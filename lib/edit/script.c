/* SPDX-License-Identifier: MIT */
/* A conversation as steps; see script.h. */
#include "decide/group.h"
#include "decide/summary.h"
#include "edit/own.h"
#include "edit/said.h"
#include "edit/script_impl.h"

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

void
ctx_script_lose_message(struct ctx_script *s, uint32_t m)
{
	const uint64_t *loss = s->loss;
	uint64_t before = loss[CTX_L_PART] + loss[CTX_L_THINKING] +
	    loss[CTX_L_CALL];
	uint32_t i, copies = 0;

	CTX_FOR_PARTS(s->c, m, i)
		if (ctx_said_kind(s->c, i) == CTX_OTHER)
			ctx_script_lose(s, ctx_said_json(s->c, i));
		else if (s->c->part[i].kind == CTX_THINKING)
			s->loss[CTX_L_THINKING] +=
			    !ctx_str_blank(ctx_part_text(s->c, i));
		else if (s->c->part[i].kind == CTX_COPY)
			copies++;
		else
			s->loss[CTX_L_CALL] += ctx_script_stray(s->c, i);
	/* one that is written again later is not lost */
	s->loss[CTX_L_EMPTY] += (copies == 0 || copies < s->c->msg[m].npart) &&
	    before == loss[CTX_L_PART] + loss[CTX_L_THINKING] +
	    loss[CTX_L_CALL];
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
		    ctx_script_compacted(s, m) == CTX_NONE)
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

/* Make a text of ours step i. */
static int
add_said(struct ctx_script *s, uint32_t i, enum ctx_role role,
    struct ctx_str text)
{
	struct ctx_step st;
	struct ctx_said *it;

	if (ctx_script_step(s, role) == -1 ||
	    (it = ctx_said_add(s, CTX_TEXT)) == NULL)
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
			ctx_script_lose_message(s, plan->finding[i].msg);
	}
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
			ctx_script_lose_message(s, plan->finding[i].msg);
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
		    c->msg[p->msg].role == CTX_ASSISTANT ||
		    plan->drop_part[i] || s->fate[p->msg] == CTX_AS_IS)
			continue;
		plan->drop_part[i] = 1;
		plan->parts = 1;
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
	if (ctx_script_place(s, plan, needs) == -1)
		return ctx_fail_nomem(err);
	count_faults(s, plan);
	if (ctx_script_tell(s, plan, needs) == -1 || (s->system.p != NULL &&
	    add_said(s, 0, CTX_SYSTEM, s->system) == -1) ||
	    (needs & CTX_NEED_FIRST_USER && begin_with_user(s) == -1))
		return ctx_fail_nomem(err);
	return 0;
}
