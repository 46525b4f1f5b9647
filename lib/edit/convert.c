/* SPDX-License-Identifier: MIT */
/* A conversation in another dialect; see convert.h. */
#include "edit/convert.h"

#include <stdlib.h>
#include <string.h>

#include "edit/adopt.h"
#include "edit/own.h"

void
ctx_convert_done(struct ctx_convert *cv)
{
	ctx_buf_done(&cv->out);
	ctx_script_done(&cv->script);
	ctx_linker_done(&cv->linker);
	ctx_plan_done(&cv->plan);
	ctx_own_done(&cv->own);
	ctx_branch_done(&cv->branches);
	ctx_buf_done(&cv->writer.left);
	ctx_buf_done(&cv->writer.text);
	ctx_doc_done(&cv->writer.doc);
	ctx_respelled_done(&cv->writer.plain);
	ctx_tools_done(&cv->used);
	ctx_ledger_done(&cv->ledger);
	free(cv->ends);
	cv->ends = NULL;
}

static int
plan_links(struct ctx_convert *cv, struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_links seen = { 0 };
	struct ctx_links_opts opts = { .unanswered = CTX_TRIM,
	    .keep_pending = !cv->request, .last = 1, .carries = CTX_KEPT,
	    .no_signs = cv->script.home != &ctx_dialect_gemini };
	int rc = -1;

	if (ctx_plan_reset(&cv->plan, c, err) == 0)
		rc = ctx_links_plan(&cv->linker, &cv->plan, c, &seen, &opts,
		    err);
	ctx_plan_settle(&cv->plan);
	return rc;
}

/*
 * A conversation that is already in the target's dialect is repaired in place:
 * *c becomes one for which the plan changes nothing.
 */
static int
repair(struct ctx_convert *cv, struct ctx_convo **c, unsigned needs,
    struct ctx_err *err)
{
	const struct ctx_dialect *own = cv->script.home;

	if (own == NULL || !ctx_own_all(&cv->script, *c))
		return 0;
	if (ctx_own_fit(&cv->script, &cv->plan, *c, needs, err) == -1)
		return -1;
	if (!cv->plan.changed)
		return 0;
	ctx_script_count(&cv->script, *c, &cv->plan);
	if (ctx_ledger_plan(&cv->ledger, *c, &cv->plan, &cv->own.edit,
	    err) == -1)
		return -1;
	cv->own.edit.by = cv->by;
	cv->own.edit.by_value = cv->writer.by_value;
	cv->own.edit.by_len = cv->writer.by_len;
	*c = ctx_own_fix(&cv->own, &cv->plan, *c, own, err);
	return *c == NULL ? -1 : ctx_plan_reset(&cv->plan, *c, err);
}

static void
count_signatures(struct ctx_convert *cv)
{
	struct ctx_taker call = ctx_takes_in(&cv->script.taker, "tool_calls");
	int signs = cv->to->signs && ctx_takes_name(&call, "extra_content");
	const struct ctx_said *it;
	uint32_t i;

	for (i = 0; i < cv->script.nitem && !signs; i++) {
		it = &cv->script.item[i];
		cv->script.loss[CTX_L_SIGN] += it->kind == CTX_CALL &&
		    it->sign.p != NULL && strcmp(it->family, "gemini") == 0;
	}
}

/* --- around the messages ------------------------------------------ */

/* Is the value of this member a system prompt that is carried as it is? */
static int
is_prompt(const struct ctx_script *s, uint32_t key)
{
	uint32_t m;

	for (m = 0; m < s->c->nmsg && s->c->msg[m].flags & CTX_FIXED; m++)
		if (s->fate[m] == CTX_AS_IS && s->c->msg[m].node == key + 1)
			return 1;
	return 0;
}

/* Is node the value of this member, or in it? */
static int
holds(const struct ctx_doc *doc, uint32_t key, uint32_t node)
{
	return node > key && node < doc->node[key + 1].next;
}

/* Is this member of a conversation's object written in another place? */
static int
is_told_elsewhere(const struct ctx_writer *w, const struct ctx_doc *doc,
    uint32_t key, const struct ctx_convo *c)
{
	static const char *const keys[] = { "system", "instructions",
	    "systemInstruction", "system_instruction",
	    "gen_ai.system_instructions" };
	size_t i;

	if (holds(doc, key, c->rec[0].list) || (ctx_convo_traced(c) &&
	    holds(doc, key, c->msg[c->nmsg - 1].node)) ||
	    ctx_doc_key_is(doc, key, w->t->list, strlen(w->t->list)))
		return 1;
	if (is_prompt(w->s, key))
		return 0;
	if (w->request)
		return 1;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (ctx_doc_key_is(doc, key, keys[i], strlen(keys[i])))
			return 1;
	return 0;
}

/*
 * Write the other members of a conversation line, each with its comma; in a
 * request, only the system prompt.
 */
static void
put_members(struct ctx_writer *w, const struct ctx_convo *c)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	uint32_t root = c->rec[0].root, k;

	if (c->rec[0].shape != CTX_REC_CONVERSATION)
		return;
	CTX_FOR_KEYS(&doc, k, root) {
		if (is_told_elsewhere(w, &doc, k, c))
			continue;
		ctx_put_member(w, &doc, k);
		ctx_put(w, ",");
	}
}

/* Does the user speak in step st, rather than only answer calls? */
static int
is_users(const struct ctx_script *s, const struct ctx_step *st)
{
	const struct ctx_msg *msg = st->as_is ? &s->c->msg[st->msg] : NULL;

	return st->role == CTX_USER && (msg == NULL || msg->npart == 0 ||
	    s->c->part[msg->part].kind != CTX_RESULT);
}

static void
put_step(struct ctx_writer *w, uint32_t i)
{
	if (!w->s->step[i].as_is) {
		w->t->step(w, i);
		return;
	}
	if (w->t->end != NULL)
		w->t->end(w);
	ctx_own_put(w, w->s->step[i].msg);
}

static void
put_steps(struct ctx_writer *w)
{
	const struct ctx_step *step = w->s->step;
	uint32_t i;

	for (i = w->s->nstep; i-- > 0 && !is_users(w->s, &step[i]);)
		;
	w->last_user = i == UINT32_MAX ? NULL : &step[i];
	for (i = 0; i < w->s->nstep; i++) {
		if (i > 0 && w->t->between != NULL)
			w->t->between(w, i);
		put_step(w, i);
		if (w->opening == 0 && step[i].role != CTX_SYSTEM)
			w->opening = w->out->len;
	}
	if (w->t->end != NULL)
		w->t->end(w);
}

/* Can the whole line of conversation c be written as it came? */
static int
is_whole(const struct ctx_convert *cv, const struct ctx_convo *c)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	const struct ctx_rec *r = &c->rec[0];

	return !cv->request && cv->writer.by_len == 0 &&
	    !ctx_convo_traced(c) && r->shape == CTX_REC_CONVERSATION &&
	    r->dialect == cv->script.home && cv->script.home != NULL &&
	    ctx_node_type(&doc, r->root) == '{' &&
	    ctx_doc_key_is(&doc, r->list - 1, cv->to->list,
	    strlen(cv->to->list)) && ctx_script_is_own(&cv->script);
}

static int
put_conversation(struct ctx_convert *cv, const struct ctx_convo *c,
    struct ctx_err *err)
{
	struct ctx_writer *w = &cv->writer;
	struct ctx_doc doc = ctx_convo_doc(c, 0);

	if (is_whole(cv, c)) {
		ctx_put_json(w, ctx_node_json(&doc, c->rec[0].root));
		ctx_put(w, "\n");
		cv->script.odd_kept = c->nodd;
		return 0;
	}
	ctx_put(w, "{");
	if (cv->request && cv->to->request->model != NULL) {
		ctx_buf_addf(w->out, "\"%s\":\"", cv->to->request->model);
		ctx_str_encode(w->out, cv->want.model, strlen(
		    cv->want.model));
		ctx_put(w, "\",");
	} else if (!cv->request) {
		if (w->by != NULL && w->by_len > 0) {
			ctx_put(w, "\"");
			ctx_str_encode(w->out, w->by, strlen(w->by));
			ctx_put(w, "\":");
			ctx_buf_add(w->out, w->by_value, w->by_len);
			ctx_put(w, ",");
		}
	}
	put_members(w, c);
	w->bare = 1;
	if (cv->to->head != NULL)
		cv->to->head(w);
	w->bare = 0;
	ctx_put(w, "\"");
	ctx_put(w, cv->to->list);
	ctx_put(w, "\":[");
	put_steps(w);
	ctx_put(w, "]");
	if (!cv->request)
		ctx_put(w, "}");
	else if (ctx_request_put(w, &cv->want, c, &cv->used, err) == -1)
		return -1;
	ctx_put(w, "\n");
	return 0;
}

/* --- text ----------------------------------------------------------- */

/* Find the newest steps that fit the budget; *from is where they begin. */
static int
fit(struct ctx_convert *cv, uint32_t n, size_t *from, struct ctx_err *err)
{
	uint64_t used = 0, cost;
	size_t end, begin;

	while (n-- > 0) {
		end = cv->ends[n];
		begin = n > 0 ? cv->ends[n - 1] : 0;
		if (begin == end)
			continue;
		if (cv->cost(cv->arg, cv->out.data + begin, end - begin - 1,
		    &cost, err) == -1)
			return -1;
		if (used + cost > cv->budget)
			return 0;
		used += cost;
		*from = begin;
	}
	return 0;
}

/* Write lines of text: with a budget, a summary first and then what fits. */
static int
put_text(struct ctx_convert *cv, struct ctx_err *err)
{
	struct ctx_writer *w = &cv->writer;
	size_t from, head = 0;
	uint64_t cost;
	uint32_t i;

	for (i = 0; i < cv->script.nstep; i++) {
		if (CTX_ROOM(cv->ends, i, &cv->capends) == -1)
			return ctx_fail_nomem(err);
		cv->to->step(w, i);
		cv->ends[i] = cv->out.len;
		if (w->nmsg == 0)
			head = cv->out.len;
	}
	if (ctx_buf_fail(&cv->out, err) == -1)
		return -1;
	if (cv->cost == NULL)
		return 0;
	from = cv->out.len;
	if (head > 0) {
		if (cv->cost(cv->arg, cv->out.data, head, &cost, err) == -1)
			return -1;
		cv->budget -= cost < cv->budget ? cost : cv->budget;
	}
	for (i = 0; i < cv->script.nstep && cv->ends[i] <= head; i++)
		cv->ends[i] = head;
	if (fit(cv, cv->script.nstep, &from, err) == -1)
		return -1;
	if (from < head)
		from = head;
	if (from < cv->out.len)
		memmove(cv->out.data + head, cv->out.data + from,
		    cv->out.len - from);
	cv->out.len -= from - head;
	return 0;
}

/* Set up what does not depend on the conversation's steps. */
static void
begin(struct ctx_convert *cv, const struct ctx_strand *strand)
{
	struct ctx_writer *w = &cv->writer;

	ctx_buf_reset(&cv->out);
	w->s = &cv->script;
	w->out = &cv->out;
	w->t = cv->to;
	w->request = cv->request;
	w->only = cv->only;
	w->nonly = cv->nonly;
	w->lines = cv->to->only_waiting || (!cv->request &&
	    (cv->shape == CTX_MESSAGES ||
	    (cv->shape == CTX_AS_CAME && strand != NULL)));
	w->inside = !w->lines;
	w->by = cv->by;
	w->by_value = strand != NULL ? strand->key : NULL;
	w->by_len = strand != NULL && cv->by != NULL ? strand->keylen : 0;
	w->nmsg = 0;
	w->opening = 0;
	w->open = 0;
	ctx_buf_reset(&w->left);
	ctx_ledger_reset(&cv->ledger);
	cv->script.home = cv->to->only_text ? NULL :
	    ctx_dialect_find(ctx_target_dialect(cv->to));
	cv->script.all_own = 0;
	cv->script.is_current = cv->to->is_current;
	cv->script.inside = w->inside;
	cv->script.needs_id = cv->to->chat != NULL &&
	    !(cv->to->needs & CTX_NEED_NO_ID);
	/* a text is for people or a router: it need not name speakers */
	cv->script.names = cv->to->names || cv->to->only_text;
	cv->script.plain = cv->goes_on;
	cv->script.notes = cv->notes;
	cv->script.taker.takes = cv->request || cv->goes_on ? cv->to->takes :
	    NULL;
	cv->script.api = cv->request ? cv->api : NULL;
	cv->script.system = cv->request ? cv->want.system :
	    (struct ctx_str){ NULL, 0 };
	cv->script.taker.api = cv->script.api != NULL ? cv->api->name : NULL;
}

static unsigned
needs_of(const struct ctx_convert *cv)
{
	unsigned needs = cv->to->needs;

	if (cv->goes_on)
		needs &= ~(unsigned)CTX_NEED_FIRST_USER;
	if (cv->request)
		needs |= cv->to->request->needs;
	/* not known of servers that speak another maker's dialect */
	if (cv->request && cv->api != NULL &&
	    strcmp(cv->api->name, cv->api->dialect) != 0)
		needs &= ~(unsigned)CTX_NEED_TEXT_RESULTS;
	if (cv->strict)
		needs |= cv->to->strict_needs;
	return needs;
}

static int
convert(struct ctx_convert *cv, struct ctx_convo *c,
    const struct ctx_strand *strand, struct ctx_err *err)
{
	uint64_t budget = cv->budget;
	unsigned needs = needs_of(cv);
	int rc;

	begin(cv, strand);
	cv->script.needs = needs;
	cv->script.trace.on = 0;
	if (!cv->decided)
		ctx_adopt(c, cv->to);
	if (plan_links(cv, c, err) == -1 || repair(cv, &c, needs, err) == -1)
		return -1;
	cv->script.trace.on = !cv->to->only_text && ctx_ledger_needed(
	    &cv->ledger, &cv->writer, &cv->plan, c);
	if (ctx_script_read(&cv->script, c, &cv->plan, needs, err) == -1)
		return -1;
	/* no record is left if each was a result or call without the other */
	if ((cv->script.sealed && !cv->to->only_waiting) || c->nrec == 0)
		return 0;
	count_signatures(cv);
	if (cv->strict && cv->to->broken != NULL)
		cv->script.loss[CTX_L_TURNS] += cv->to->broken(&cv->script);
	if (cv->to->only_text)
		rc = put_text(cv, err);
	else if (cv->writer.lines) {
		put_steps(&cv->writer);
		rc = 0;
	} else
		rc = put_conversation(cv, c, err);
	cv->budget = budget;
	if (rc == 0)
		rc = ctx_buf_fail(&cv->out, err);
	cv->writer.mended = rc == 0 && cv->request ?
	    ctx_str_mend(cv->out.data, cv->out.len) : 0;
	cv->script.loss[CTX_L_SURROGATE] += cv->writer.mended;
	if (rc == 0 && !cv->to->only_text)
		rc = ctx_ledger_close(&cv->ledger, &cv->writer, &cv->plan, err);
	return rc;
}

int
ctx_convert(struct ctx_convert *cv, struct ctx_convo *c,
    const struct ctx_strand *strand, struct ctx_err *err)
{
	if (ctx_branch_first(&cv->branches, c, err) == -1)
		return -1;
	if (!cv->branches.each)
		cv->script.loss[CTX_L_BRANCH] += cv->branches.nbeside;
	return convert(cv, c, strand, err);
}

int
ctx_convert_next(struct ctx_convert *cv, struct ctx_convo *c,
    const struct ctx_strand *strand, struct ctx_err *err)
{
	int rc = ctx_branch_next(&cv->branches, c, err);

	return rc != 1 ? rc : convert(cv, c, strand, err) == -1 ? -1 : 1;
}
