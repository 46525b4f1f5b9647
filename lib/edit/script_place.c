/* SPDX-License-Identifier: MIT */
/* Which messages make a step; see script.h. */
#include "edit/own.h"
#include "edit/said.h"
#include "edit/script_impl.h"

#include <string.h>

int
ctx_script_stray(const struct ctx_convo *c, uint32_t i)
{
	enum ctx_kind kind = ctx_said_kind(c, i);

	return (kind == CTX_CALL || kind == CTX_THINKING) &&
	    c->msg[c->part[i].msg].role != CTX_ASSISTANT;
}

int
ctx_script_speaks(const struct ctx_convo *c, const struct ctx_plan *plan,
    unsigned needs, uint32_t i)
{
	struct ctx_str text;

	if (plan->drop_part[i] || c->part[i].flags & CTX_INNER ||
	    ctx_script_stray(c, i))
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

int
ctx_script_step(struct ctx_script *s, enum ctx_role role)
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

uint32_t
ctx_script_compacted(const struct ctx_script *s, uint32_t m)
{
	if (!(s->c->msg[m].flags & CTX_SUMMARY) || (s->home != NULL &&
	    strcmp(s->home->name, ctx_script_family(ctx_msg_dialect(s->c,
	    m))) == 0))
		return CTX_NONE;
	return ctx_msg_compacted(s->c, m);
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
		says = ctx_script_speaks(s->c, plan, needs, i);
	if (!says && s->home != NULL)
		says = ctx_own_kept(s->c, m, NULL);
	/* reasoning alone belongs to the message that follows it */
	if (!says && ctx_script_compacted(s, m) != CTX_NONE)
		return 0;		/* place_summary told it */
	if (!says && !joins &&
	    (role != CTX_ASSISTANT || !ctx_msg_thinks(s->c, m))) {
		if (other && msg->npart > 0)
			ctx_script_lose_message(s, m);
		/* what joins it does not join the one before */
		if (role == CTX_ASSISTANT)
			*assistant = CTX_NONE;
		return 0;
	}
	if (joins) {
		append_msg(s, *assistant, m);
		return 0;
	}
	if (!continues(s, role, needs) && ctx_script_step(s, role) == -1)
		return -1;
	append_msg(s, s->nstep - 1, m);
	if (role == CTX_ASSISTANT)
		*assistant = s->nstep - 1;
	return 0;
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
			if (ctx_script_step(s, CTX_ASSISTANT) == -1)
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

/*
 * Message m has the conversation so far: say it as a running summary, which
 * the user gives.  The assistant answers, unless it goes on speaking.
 */
static int
place_summary(struct ctx_script *s, const struct ctx_plan *plan,
    unsigned needs, uint32_t m)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	uint32_t part = ctx_script_compacted(s, m), i;
	int says = 0;

	if (part == CTX_NONE)
		return 0;
	if (s->c->part[part].flags & CTX_SIGNED) {
		s->sealed = 1;
		return 0;
	}
	if (ctx_script_step(s, CTX_USER) == -1)
		return -1;
	s->step[s->nstep - 1].summary = part;
	for (i = msg->part; i < msg->part + msg->npart && !says; i++)
		says = ctx_script_speaks(s->c, plan, needs, i);
	if (says)
		return 0;
	if (ctx_script_step(s, CTX_ASSISTANT) == -1)
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
	if (ctx_script_step(s, msg->role == CTX_TOOL ? CTX_USER :
	    msg->role) == -1)
		return -1;
	append_msg(s, s->nstep - 1, m);
	s->step[s->nstep - 1].as_is = 1;
	return 0;
}

int
ctx_script_place(struct ctx_script *s, const struct ctx_plan *plan,
    unsigned needs)
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
