/* SPDX-License-Identifier: MIT */
/* ShareGPT as a target: texts only, one call at a time. */
#include "edit/target.h"

static void
put_turn(struct ctx_writer *w, const char *from)
{
	ctx_put_begin(w);
	ctx_put(w, "\"from\":\"");
	ctx_put(w, from);
	ctx_put(w, "\",\"value\":\"");
}

static void
end_turn(struct ctx_writer *w)
{
	ctx_put(w, "\"");
	ctx_put_end(w);
	w->at++;
}

/* Write a call as JSON in the text: {"name":...,"arguments":{...}} */
static void
put_call(struct ctx_writer *w, const struct ctx_said *it)
{
	struct ctx_buf *out = w->out, json = { 0 };

	w->out = &json;
	ctx_put_3(w, "{\"name\":\"", it->name, "\",\"arguments\":");
	ctx_put_object(w, it);
	ctx_put(w, "}");
	w->out = out;
	out->failed |= json.failed;
	put_turn(w, "function_call");
	ctx_str_encode(out, json.data, json.len);
	end_turn(w);
	ctx_buf_done(&json);
}

static void
put_calls(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end, *r;
	uint32_t calls = ctx_target_count(w, st, CTX_CALL);

	w->s->loss[CTX_L_PARALLEL] += calls > 1 ? calls : 0;
	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_CALL)
			continue;
		put_call(w, it);
		if (it->n == 0)
			continue;
		r = &w->s->item[it->first];
		w->s->loss[CTX_L_ERROR] += (r->flags & CTX_ERROR) != 0;
		put_turn(w, "observation");
		ctx_put_result(w, r);
		end_turn(w);
	}
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = ctx_target_begin_step(w, i);
	const struct ctx_said *it = w->s->item + st->item, *end;
	struct ctx_str json;
	int n = 0;

	while (ctx_target_take_kept(w, st, 1, &json))
		;		/* they are passed on: none is ours */
	for (end = it + st->nitem; it < end; it++) {
		if (it->kind == CTX_CALL)
			continue;
		if (it->kind != CTX_TEXT) {
			ctx_target_lose(w, it, it->kind == CTX_THINKING ?
			    CTX_L_THINKING : it->kind == CTX_OTHER ?
			    CTX_L_PART : CTX_L_MEDIA);
			continue;
		}
		if (n++ == 0)
			put_turn(w, w->t->role[st->role]);
		else
			ctx_put(w, "\\n");
		ctx_put_joined(w, it);
	}
	/* what is kept needs a message */
	if (n == 0 && w->left.len > 0 && ctx_target_count(w, st, CTX_CALL) ==
	    0 && !w->request) {
		put_turn(w, w->t->role[st->role]);
		n++;
	}
	if (n > 0)
		end_turn(w);
	put_calls(w, st);
}

/* --- those who want turns to alternate ------------------------------- */

enum side { NOBODY, USERS, MODELS };

/* Note a turn of that side after *last.  Returns 1 if it is out of place. */
static uint64_t
follow(enum side *last, enum side side)
{
	int bad = *last == side || (side == MODELS && *last == NOBODY);

	*last = side;
	return (uint64_t)bad;
}

static uint64_t
follow_step(const struct ctx_script *s, const struct ctx_step *st,
    enum side *last)
{
	const struct ctx_said *it = s->item + st->item, *end;
	uint64_t bad = 0;
	int says = 0;

	for (end = it + st->nitem; it < end; it++) {
		if (it->kind == CTX_TEXT && says++ == 0)
			bad += follow(last, st->role == CTX_USER ? USERS :
			    MODELS);
		if (it->kind != CTX_CALL)
			continue;
		bad += follow(last, MODELS);
		if (it->n > 0)
			bad += follow(last, USERS);
	}
	return bad;
}

/*
 * The turns that LLaMA-Factory's converter for ShareGPT refuses: after a system prompt,
 * human or observation and gpt or function_call take turns, and the model has the last
 * word (src/llamafactory/data/converter.py).
 */
static uint64_t
broken(const struct ctx_script *s)
{
	const struct ctx_step *st;
	enum side last = NOBODY;
	uint64_t bad = 0;
	uint32_t i;

	for (i = 0; i < s->nstep; i++) {
		st = &s->step[i];
		if (st->role == CTX_SYSTEM)
			bad += last != NOBODY;
		else if (!st->as_is)
			bad += follow_step(s, st, &last);
		else
			bad += follow(&last, s->c->msg[st->msg].role ==
			    CTX_ASSISTANT ? MODELS : USERS);
	}
	return bad + (last == USERS);
}

const struct ctx_target ctx_to_sharegpt = {
	.name = "sharegpt",
	.role = { "system", "human", "gpt" },
	.list = "conversations",
	.strict_needs = CTX_NEED_MERGED,
	.broken = broken,
	.step = step
};
