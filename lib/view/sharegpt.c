/* SPDX-License-Identifier: MIT */
/*
 * ShareGPT: {"from":"human","value":"..."}, mostly in conversation lines.  This
 * is training data rather than a request: calls and results have no ids, and no
 * names outside of their text; they are paired in order.
 * Format: the data sets, and the readme of LLaMA-Factory's data folder.
 */
#include <string.h>

#include "view/dialect.h"

enum from { F_NONE, F_SYSTEM, F_HUMAN, F_GPT, F_CALL, F_RESULT };

static const struct ctx_word froms[] = {
	{ "human", F_HUMAN }, { "gpt", F_GPT }, { "system", F_SYSTEM },
	{ "user", F_HUMAN }, { "assistant", F_GPT }, { "chatgpt", F_GPT },
	{ "bing", F_GPT }, { "bard", F_GPT }, { "function_call", F_CALL },
	{ "observation", F_RESULT }, { "tool", F_RESULT },
	{ "function_response", F_RESULT }, { NULL, 0 }
};

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	if (ctx_node_if(doc, s->key[CTX_K_FROM], '"') == CTX_NONE ||
	    ctx_node_if(doc, s->key[CTX_K_VALUE], '"') == CTX_NONE ||
	    s->key[CTX_K_ROLE] != CTX_NONE)
		return CTX_MATCH_NOT;
	return ctx_node_word(doc, s->key[CTX_K_FROM], froms, F_NONE) ==
	    F_NONE ? CTX_MATCH_NOT : CTX_MATCH_SURE;
}

/* Hermes writes calls into the assistant's text: <tool_call>{...} */
static int
calls_inside(struct ctx_str s)
{
	return s.len > 11 && memmem(s.p, s.len, "<tool_call>", 11) != NULL;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	static const enum ctx_role roles[] = {
		[F_SYSTEM] = CTX_SYSTEM, [F_HUMAN] = CTX_USER,
		[F_GPT] = CTX_ASSISTANT, [F_CALL] = CTX_ASSISTANT,
		[F_RESULT] = CTX_TOOL
	};
	uint32_t value = s->key[CTX_K_VALUE];
	enum from from = (enum from)ctx_node_word(doc, s->key[CTX_K_FROM],
	    froms, F_HUMAN);
	struct ctx_part *p;

	if (ctx_convo_add_msg(c, roles[from], s->node, value) == NULL)
		return ctx_fail_nomem(err);
	if (from == F_GPT && calls_inside(ctx_node_str(doc, value)))
		from = F_CALL;
	p = ctx_convo_add_part(c, from == F_CALL ? CTX_CALL :
	    from == F_RESULT ? CTX_RESULT : CTX_TEXT);
	if (p == NULL)
		return ctx_fail_nomem(err);
	p->text = value;
	if (p->kind != CTX_TEXT)
		p->flags = CTX_BY_ORDER;
	return 0;
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const names[] = { "system", "human", "gpt",
	    "observation" };

	ctx_buf_addf(out, "{\"from\":\"%s\",\"value\":\"", names[what->role]);
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"}");
}

const struct ctx_dialect ctx_dialect_sharegpt = {
	.name = "sharegpt",
	.title = "ShareGPT conversations",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT | CTX_RULE_RUNS,
	.list = CTX_K_CONVERSATIONS,
	.match = match,
	.view = view,
	.emit = emit
};
