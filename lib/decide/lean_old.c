/* SPDX-License-Identifier: MIT */
/* Old tool results and reasoning: what of them goes. */
#include "decide/lean_impl.h"

#include <string.h>

#include "decide/group.h"

static int
excluded(const struct ctx_lean_step *s, struct ctx_str name)
{
	size_t i;

	for (i = 0; i < s->o->nexclude; i++)
		if (name.p != NULL && ctx_str_equal(name.p, name.len,
		    s->o->exclude[i], strlen(s->o->exclude[i])))
			return 1;
	return 0;
}

static int
count_text(const struct ctx_lean_step *s, uint32_t p, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_str text = ctx_part_text(s->c, p);

	*n = 0;
	if (text.p == NULL || s->c->part[p].kind == CTX_COPY)
		return 0;
	return s->o->count(s->o->arg, text, 0, n, NULL, err);
}

/* Count the tokens of everything that is kept. */
static int
count_all(const struct ctx_lean_step *s, uint64_t *total, struct ctx_err *err)
{
	uint64_t n;
	uint32_t p, of = 0;

	*total = 0;
	for (p = 0; p < s->c->npart; p++) {
		if (!(s->c->part[p].flags & CTX_INNER))
			of = p;
		if (ctx_lean_is_gone(s, p, of))
			continue;
		if (count_text(s, p, &n, err) == -1)
			return -1;
		*total += n;
	}
	return 0;
}

/* Clear result p and its inner texts, and add their tokens to *gain. */
static int
clear_result(struct ctx_lean_step *s, uint32_t p, uint64_t *gain,
    struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	uint32_t i = p, mate = part->mate;
	struct ctx_seen_id *id;
	uint64_t n;

	if (part->id.p != NULL) {
		id = ctx_idset_see(&s->l->cleared_ids, part->id.p,
		    part->id.len);
		if (id == NULL)
			return ctx_fail_nomem(err);
		id->uses = 1;
	}

	do {
		if (s->o->count != NULL) {
			if (count_text(s, i, &n, err) == -1)
				return -1;
			*gain += n;
		}
		s->l->cleared[i] = 1;
		i++;
	} while (i < s->c->npart && (s->c->part[i].flags & CTX_INNER ||
	    s->c->part[i].kind == CTX_COPY));
	if (s->o->clear_inputs && mate != CTX_NONE)
		s->l->cleared[mate] = 1;
	return 0;
}

/* What repeats a cleared result may be in another place than it. */
static int
clear_copies(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part;
	const struct ctx_seen_id *id;
	uint32_t p;

	for (p = 0; p < s->c->npart; p++) {
		part = &s->c->part[p];
		if (part->kind != CTX_COPY || part->id.p == NULL)
			continue;
		id = ctx_idset_see(&s->l->cleared_ids, part->id.p,
		    part->id.len);
		if (id == NULL)
			return ctx_fail_nomem(err);
		s->l->cleared[p] |= id->uses > 0;
	}
	return 0;
}

int
ctx_lean_choose_cleared(struct ctx_lean_step *s, struct ctx_err *err)
{
	uint64_t total = 0, gain = 0, results = 0, seen = 0;
	uint32_t p;

	if (CTX_ROOM(s->l->cleared, s->c->npart, &s->l->capcleared) == -1)
		return ctx_fail_nomem(err);
	memset(s->l->cleared, 0, s->c->npart);
	ctx_idset_reset(&s->l->cleared_ids);
	if (s->o->when_tokens > 0) {
		if (count_all(s, &total, err) == -1)
			return -1;
		if (total <= s->o->when_tokens)
			return 0;
	}
	for (p = 0; p < s->c->npart; p++)
		results += s->c->part[p].kind == CTX_RESULT &&
		    !excluded(s, s->c->part[p].name);
	for (p = 0; p < s->c->npart; p++) {
		if (s->c->part[p].kind != CTX_RESULT ||
		    excluded(s, s->c->part[p].name))
			continue;
		if (++seen + s->o->clear_keep > results)
			break;
		if (s->o->down_to > 0 && total - gain <= s->o->down_to)
			break;
		if (clear_result(s, p, &gain, err) == -1)
			return -1;
	}
	return clear_copies(s, err);
}

int
ctx_lean_clear_inputs(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part;
	struct ctx_str before, after = { "{}", 2 };
	uint32_t p, r;

	for (p = 0; p < s->c->npart; p++) {
		part = &s->c->part[p];
		if (part->kind != CTX_CALL || !s->l->cleared[p] ||
		    part->text == CTX_NONE)
			continue;
		before = ctx_part_text(s->c, p);
		if (before.len <= 2)
			continue;
		r = s->c->msg[part->msg].rec;
		if (ctx_lean_tell(s, "clear-inputs", p, before, after,
		    err) == -1 || ctx_plan_rewrite(s->plan, r, part->text,
		    (part->flags & CTX_RAW) != 0, after, err) == -1)
			return -1;
	}
	return 0;
}

/* The first message of the user's last turn. */
static uint32_t
last_request(const struct ctx_convo *c)
{
	uint32_t m = c->nmsg;

	while (m > 0)
		if (ctx_group_begins(c, --m))
			return m;
	return 0;
}

int
ctx_lean_drop(struct ctx_plan *plan, const struct ctx_convo *c,
    const struct ctx_lean_opts *opts, struct ctx_err *err)
{
	struct ctx_lean_step step = { .plan = plan, .c = c, .o = opts };
	struct ctx_lean_step *s = &step;
	uint32_t p, from = CTX_NONE;
	struct ctx_str gone = { NULL, 0 };

	if (opts->thinking == CTX_THINKING_KEEP)
		return 0;
	if (s->o->thinking == CTX_THINKING_LAST)
		from = last_request(s->c);
	for (p = 0; p < s->c->npart; p++) {
		if (s->c->part[p].kind != CTX_THINKING ||
		    s->c->part[p].place[0].node == CTX_NONE ||
		    s->plan->drop_part[p] || s->c->part[p].msg >= from)
			continue;
		if (ctx_lean_tell(s, "thinking", p, ctx_part_text(s->c, p),
		    gone, err) == -1)
			return -1;
		ctx_plan_drop_part(s->plan, p);
	}
	return 0;
}
