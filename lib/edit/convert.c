/* SPDX-License-Identifier: MIT */
/* A conversation in another dialect; see convert.h. */
#include "edit/convert.h"

#include <stdlib.h>
#include <string.h>

void
ctx_convert_done(struct ctx_convert *cv)
{
	ctx_buf_done(&cv->out);
	ctx_script_done(&cv->script);
	ctx_linker_done(&cv->linker);
	ctx_plan_done(&cv->plan);
	ctx_buf_done(&cv->writer.left);
	ctx_buf_done(&cv->writer.text);
	ctx_doc_done(&cv->writer.doc);
	ctx_tools_done(&cv->used);
	free(cv->ends);
	cv->ends = NULL;
}

/* Keep what the plan moves: a script puts it with its call. */
static void
keep_moved(struct ctx_plan *plan, const struct ctx_convo *c)
{
	uint32_t i, part;

	for (i = 0; i < plan->nmoved; i++) {
		part = plan->moved[i];
		plan->drop_part[part] = 0;
		plan->drop_msg[c->part[part].msg] = 0;
	}
}

static int
plan_links(struct ctx_convert *cv, struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_links seen = { 0 };
	struct ctx_links_opts opts = { .unanswered = CTX_TRIM,
	    .keep_pending = !cv->request, .last = 1 };
	int rc = -1;

	if (ctx_plan_reset(&cv->plan, c, err) == 0)
		rc = ctx_links_plan(&cv->linker, &cv->plan, c, &seen, &opts,
		    err);
	ctx_plan_settle(&cv->plan);
	keep_moved(&cv->plan, c);
	return rc;
}

static void
count_signatures(struct ctx_convert *cv)
{
	const struct ctx_said *it;
	uint32_t i;

	for (i = 0; i < cv->script.nitem && !cv->to->signs; i++) {
		it = &cv->script.item[i];
		cv->script.loss[CTX_L_SIGN] += it->kind == CTX_CALL &&
		    it->sign.p != NULL && strcmp(it->family, "gemini") == 0;
	}
}

/* --- around the messages ------------------------------------------ */

/* Is this member of a conversation's object written in another place? */
static int
is_told_elsewhere(const struct ctx_doc *doc, uint32_t key, uint32_t list)
{
	static const char *const keys[] = { "system", "instructions",
	    "systemInstruction", "system_instruction" };
	size_t i;

	if (key + 1 == list)
		return 1;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (ctx_doc_key_is(doc, key, keys[i], strlen(keys[i])))
			return 1;
	return 0;
}

/* Write the other members of a conversation line, each with its comma. */
static void
put_members(struct ctx_writer *w, const struct ctx_convo *c)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	uint32_t root = c->rec[0].root, k;
	struct ctx_str key, value;

	if (c->rec[0].shape != CTX_REC_CONVERSATION ||
	    ctx_node_if(&doc, root, '{') == CTX_NONE)
		return;
	for (k = root + 1; k < doc.node[root].next;
	    k = doc.node[k + 1].next) {
		if (is_told_elsewhere(&doc, k, c->rec[0].list) ||
		    ctx_doc_key_is(&doc, k, w->t->list, strlen(w->t->list)))
			continue;
		key.p = doc.raw + doc.node[k].off;
		key.len = doc.node[k].len;
		value.p = doc.raw + doc.node[k + 1].off;
		value.len = doc.node[k + 1].len;
		ctx_put_json(w, key);
		ctx_put(w, ":");
		ctx_put_json(w, value);
		ctx_put(w, ",");
	}
}

static void
put_tool(struct ctx_writer *w, const struct ctx_tool *tool)
{
	ctx_put_3(w, "\"name\":\"", tool->name, "\"");
	if (tool->about.p != NULL)
		ctx_put_3(w, ",\"description\":\"", tool->about, "\"");
	ctx_put(w, w->t->request->schema);
	if (tool->schema.p != NULL)
		ctx_put_json(w, tool->schema);
	else
		ctx_put(w, "{\"type\":\"object\"}");
}

/* Write the members of a request that come after its messages. */
static void
put_request(struct ctx_writer *w, const struct ctx_tools *tools,
    uint64_t max_output)
{
	const struct ctx_request_words *words = w->t->request;
	size_t i;

	for (i = 0; i < tools->n; i++) {
		ctx_put(w, i == 0 ? words->first : words->next);
		put_tool(w, &tools->tool[i]);
	}
	if (tools->n > 0)
		ctx_put(w, words->last);
	if (max_output == 0)
		max_output = words->usual;
	if (max_output > 0)
		ctx_buf_addf(w->out, "%s%llu%s", words->max_output,
		    (unsigned long long)max_output, words->max_end);
}

static int
put_tools(struct ctx_convert *cv, const struct ctx_convo *c,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	size_t i, made;

	cv->used.n = 0;
	for (i = 0; cv->tools != NULL && i < cv->tools->n; i++) {
		if (CTX_ROOM(cv->used.tool, i, &cv->used.cap) == -1)
			return ctx_fail_nomem(err);
		cv->used.tool[cv->used.n++] = cv->tools->tool[i];
	}
	if (cv->tools == NULL && c->rec[0].shape == CTX_REC_CONVERSATION &&
	    ctx_node_type(&doc, c->rec[0].root) == '{' &&
	    ctx_tools_read(&cv->used, &doc, c->rec[0].root, err) == -1)
		return -1;
	if (ctx_tools_complete(&cv->used, &cv->script, &made, err) == -1)
		return -1;
	cv->script.loss[CTX_L_TOOLS] += made;
	put_request(&cv->writer, &cv->used, cv->max_output);
	return 0;
}

static void
put_steps(struct ctx_writer *w)
{
	uint32_t i;

	for (i = w->s->nstep; i-- > 0 && w->s->step[i].role != CTX_USER;)
		;
	w->last_user = i == UINT32_MAX ? NULL : &w->s->step[i];
	for (i = 0; i < w->s->nstep; i++)
		w->t->step(w, i);
	if (w->t->end != NULL)
		w->t->end(w);
}

static int
put_conversation(struct ctx_convert *cv, const struct ctx_convo *c,
    struct ctx_err *err)
{
	struct ctx_writer *w = &cv->writer;
	struct ctx_str model = { cv->model, 0 };

	ctx_put(w, "{");
	if (cv->request && strcmp(cv->to->list, "contents") != 0) {
		ctx_put(w, "\"model\":\"");
		model.len = (uint32_t)strlen(cv->model);
		ctx_str_encode(w->out, model.p, model.len);
		ctx_put(w, "\",");
	} else if (!cv->request) {
		if (w->by != NULL && w->by_len > 0) {
			ctx_put(w, "\"");
			ctx_str_encode(w->out, w->by, strlen(w->by));
			ctx_put(w, "\":");
			ctx_buf_add(w->out, w->by_value, w->by_len);
			ctx_put(w, ",");
		}
		put_members(w, c);
	}
	if (cv->to->head != NULL)
		cv->to->head(w);
	ctx_put(w, "\"");
	ctx_put(w, cv->to->list);
	ctx_put(w, "\":[");
	put_steps(w);
	ctx_put(w, "]");
	if (cv->request && put_tools(cv, c, err) == -1)
		return -1;
	ctx_put(w, "}\n");
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

int
ctx_convert(struct ctx_convert *cv, struct ctx_convo *c,
    const struct ctx_strand *strand, struct ctx_err *err)
{
	struct ctx_writer *w = &cv->writer;
	uint64_t budget = cv->budget;
	unsigned needs = cv->to->needs;
	int rc;

	if (cv->goes_on)
		needs &= ~(unsigned)CTX_NEED_FIRST_USER;
	ctx_buf_reset(&cv->out);
	if (plan_links(cv, c, err) == -1 || ctx_script_read(&cv->script, c,
	    &cv->plan, needs, err) == -1)
		return -1;
	count_signatures(cv);
	w->s = &cv->script;
	w->out = &cv->out;
	w->t = cv->to;
	w->request = cv->request;
	w->lines = !cv->request && (cv->shape == CTX_MESSAGES ||
	    (cv->shape == CTX_AS_CAME && strand != NULL));
	w->inside = !w->lines;
	w->by = cv->by;
	w->by_value = strand != NULL ? strand->key : NULL;
	w->by_len = strand != NULL ? strand->keylen : 0;
	w->nmsg = 0;
	w->open = 0;
	ctx_buf_reset(&w->left);
	if (cv->to->only_text)
		rc = put_text(cv, err);
	else if (w->lines) {
		put_steps(w);
		rc = 0;
	} else
		rc = put_conversation(cv, c, err);
	cv->budget = budget;
	if (rc == 0)
		rc = ctx_buf_fail(&cv->out, err);
	return rc;
}
