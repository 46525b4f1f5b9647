/* SPDX-License-Identifier: MIT */
/* How a response ended; see response_end.h. */
#include "job/response_end.h"

#include <inttypes.h>

#include "read/node.h"
#include "view/usage.h"

/* The words of the APIs for an end that is not an ordinary one. */
static const struct ctx_word reasons[] = {
	{ "length", CTX_RESPONSE_LENGTH },
	{ "max_tokens", CTX_RESPONSE_LENGTH },
	{ "MAX_TOKENS", CTX_RESPONSE_LENGTH },
	{ "max_output_tokens", CTX_RESPONSE_LENGTH },
	{ "model_length", CTX_RESPONSE_LENGTH },
	{ "model_context_window_exceeded", CTX_RESPONSE_LENGTH },
	{ "content_filter", CTX_RESPONSE_REFUSAL },
	{ "refusal", CTX_RESPONSE_REFUSAL },
	{ "SAFETY", CTX_RESPONSE_REFUSAL },
	{ "RECITATION", CTX_RESPONSE_REFUSAL },
	{ "LANGUAGE", CTX_RESPONSE_REFUSAL },
	{ "BLOCKLIST", CTX_RESPONSE_REFUSAL },
	{ "PROHIBITED_CONTENT", CTX_RESPONSE_REFUSAL },
	{ "SPII", CTX_RESPONSE_REFUSAL },
	{ "IMAGE_SAFETY", CTX_RESPONSE_REFUSAL },
	{ "IMAGE_PROHIBITED_CONTENT", CTX_RESPONSE_REFUSAL },
	{ "IMAGE_RECITATION", CTX_RESPONSE_REFUSAL },
	{ "guardrail_intervened", CTX_RESPONSE_REFUSAL },
	{ "content_filtered", CTX_RESPONSE_REFUSAL },
	{ "ERROR_TOXIC", CTX_RESPONSE_REFUSAL },
	{ "error", CTX_RESPONSE_ERROR }, { "ERROR", CTX_RESPONSE_ERROR },
	{ "OTHER", CTX_RESPONSE_ERROR }, { "IMAGE_OTHER", CTX_RESPONSE_ERROR },
	{ "NO_IMAGE", CTX_RESPONSE_ERROR },
	{ "MALFORMED_FUNCTION_CALL", CTX_RESPONSE_ERROR },
	{ "MALFORMED_RESPONSE", CTX_RESPONSE_ERROR },
	{ "UNEXPECTED_TOOL_CALL", CTX_RESPONSE_ERROR },
	{ "TOO_MANY_TOOL_CALLS", CTX_RESPONSE_ERROR },
	{ "MISSING_THOUGHT_SIGNATURE", CTX_RESPONSE_ERROR },
	{ "malformed_model_output", CTX_RESPONSE_ERROR },
	{ "malformed_tool_use", CTX_RESPONSE_ERROR }, { NULL, 0 }
};

/* Types, codes and states of errors after which the same may succeed. */
static const struct ctx_word passing[] = {
	{ "overloaded_error", 1 }, { "rate_limit_error", 1 },
	{ "api_error", 1 }, { "timeout_error", 1 }, { "server_error", 1 },
	{ "internal_server_error", 1 }, { "service_unavailable", 1 },
	{ "rate_limit_exceeded", 1 }, { "server_is_overloaded", 1 },
	{ "slow_down", 1 }, { "UNAVAILABLE", 1 }, { "INTERNAL", 1 },
	{ "RESOURCE_EXHAUSTED", 1 }, { "DEADLINE_EXCEEDED", 1 },
	{ "ABORTED", 1 }, { "rate_limited", 1 },
	{ "service_tier_capacity_exceeded", 1 }, { NULL, 0 }
};

uint32_t
ctx_response_first(const struct ctx_doc *doc, const char *key)
{
	uint32_t list = CTX_GET(doc, 0, key);

	if (ctx_node_if(doc, list, '[') == CTX_NONE ||
	    list + 1 == doc->node[list].next)
		return CTX_NONE;
	return ctx_node_if(doc, list + 1, '{');
}

/* The number at node, which may be in a string; 0 if it is none. */
static uint64_t
number(const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_str json = ctx_node_if(doc, node, '"') != CTX_NONE ?
	    ctx_node_str(doc, node) : ctx_node_json(doc, node);
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < json.len && i < 15 && json.p[i] >= '0' &&
	    json.p[i] <= '9'; i++)
		n = n * 10 + (uint64_t)(json.p[i] - '0');
	return n;
}

/* --- how it ended -------------------------------------------------------- */

/* The node with the API's word for the end. */
static uint32_t
reason_of(const struct ctx_doc *doc)
{
	static const char *const members[] = { "stop_reason", "stopReason",
	    "finish_reason", "done_reason" };
	uint32_t v = CTX_GIVEN(doc, ctx_response_first(doc, "choices"),
	    "finish_reason");
	size_t i;

	if (v == CTX_NONE)
		v = CTX_GIVEN(doc, ctx_response_first(doc, "candidates"),
		    "finishReason");
	if (v == CTX_NONE)
		v = CTX_GIVEN(doc, CTX_GET(doc, 0, "incomplete_details"),
		    "reason");
	for (i = 0; i < sizeof(members) / sizeof(members[0]) && v == CTX_NONE;
	    i++)
		v = CTX_GIVEN(doc, 0, members[i]);
	return v;
}

/* What refuses: a filter's word, or a text of the model; else CTX_NONE. */
static uint32_t
refusal_of(const struct ctx_doc *doc)
{
	uint32_t v = CTX_GIVEN(doc, CTX_GET(doc, 0, "promptFeedback"),
	    "blockReason"), e, part, type;

	if (v == CTX_NONE)
		v = CTX_GIVEN(doc, CTX_GET(doc, ctx_response_first(doc,
		    "choices"), "message"), "refusal");
	if (v != CTX_NONE)
		return ctx_node_str(doc, v).len > 0 ? v : CTX_NONE;
	CTX_FOR_LIST(doc, e, CTX_GET(doc, 0, "output"))
		CTX_FOR_LIST(doc, part, CTX_GET(doc, e, "content")) {
			type = CTX_GET(doc, part, "type");
			if (ctx_node_is(doc, type, "refusal"))
				return type;
		}
	return CTX_NONE;
}

/* Is an error of a kind that passes: by its words, or its number as in HTTP? */
static int
passes(const struct ctx_doc *doc, uint32_t error)
{
	static const char *const members[] = { "type", "code", "status",
	    "raw_status_code" };
	uint64_t n;
	uint32_t v;
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		v = CTX_GET(doc, error, members[i]);
		n = number(doc, v);
		if (ctx_node_word(doc, v, passing, 0) || n == 408 ||
		    n == 429 || (n >= 500 && n < 600))
			return 1;
	}
	return 0;
}

/* The text of an error: its type or code, and its message. */
static void
tell_error(struct ctx_buf *b, const struct ctx_doc *doc, uint32_t error)
{
	static const char *const kinds[] = { "type", "status", "code", NULL };
	struct ctx_str kind = ctx_node_first(doc, error, kinds);
	struct ctx_str text = ctx_node_str(doc, CTX_GET(doc, error, "message"));

	if (text.p == NULL)
		text = ctx_node_str(doc, error);
	/* an event is only of the type error */
	if (ctx_str_is(kind, "error"))
		kind = ctx_node_first(doc, error, kinds + 1);
	if (kind.len > 0) {
		ctx_str_decode(b, kind.p, kind.len);
		ctx_buf_adds(b, text.len > 0 ? ": " : "");
	}
	if (text.len > 0)
		ctx_str_decode(b, text.p, text.len);
}

/* A state of the response that has no answer, or not yet. */
static void
judge_status(struct ctx_response *x, const struct ctx_doc *doc)
{
	static const struct ctx_word states[] = {
		{ "queued", CTX_RESPONSE_CUT },
		{ "in_progress", CTX_RESPONSE_CUT },
		{ "failed", CTX_RESPONSE_ERROR },
		{ "cancelled", CTX_RESPONSE_ERROR }, { NULL, 0 }
	};
	uint32_t v = CTX_GET(doc, 0, "status");
	int end = ctx_node_word(doc, v, states, CTX_RESPONSE_DONE);

	if (x->end != CTX_RESPONSE_DONE || end == CTX_RESPONSE_DONE ||
	    ctx_node_if(doc, CTX_GET(doc, 0, "output"), '[') == CTX_NONE)
		return;
	x->end = (enum ctx_response_end)end;
	ctx_buf_reset(&x->reason);
	ctx_node_decode(&x->reason, doc, v);
}

int
ctx_response_judge(struct ctx_response *x, const struct ctx_stream *s,
    const struct ctx_doc *doc, struct ctx_err *err)
{
	uint32_t error = doc->n == 0 ? CTX_NONE : ctx_stream_error(doc);
	uint32_t reason = doc->n == 0 ? CTX_NONE : reason_of(doc), refusal;

	ctx_buf_reset(&x->reason);
	x->retry = 0;
	x->end = (enum ctx_response_end)ctx_node_word(doc, reason, reasons,
	    CTX_RESPONSE_DONE);
	refusal = doc->n == 0 ? CTX_NONE : refusal_of(doc);
	if (refusal != CTX_NONE && x->end == CTX_RESPONSE_DONE) {
		x->end = CTX_RESPONSE_REFUSAL;
		/* the text of the model is in its message */
		if (ctx_node_is_key(doc, refusal - 1) &&
		    ctx_doc_key_is(doc, refusal - 1, "refusal", 7))
			ctx_buf_adds(&x->reason, "refusal");
		else
			reason = refusal;
	}
	if (x->reason.len == 0)
		ctx_node_decode(&x->reason, doc, reason);
	if (error != CTX_NONE) {
		x->end = CTX_RESPONSE_ERROR;
		x->retry = passes(doc, error);
		ctx_buf_reset(&x->reason);
		tell_error(&x->reason, doc, error);
	} else if (s->fate == CTX_STREAM_BROKEN) {
		x->end = CTX_RESPONSE_ERROR;
		ctx_buf_reset(&x->reason);
		ctx_buf_adds(&x->reason, "an event is not JSON");
	} else if (x->end == CTX_RESPONSE_ERROR)
		x->retry = 1;		/* the model may do better */
	else if (s->fate == CTX_STREAM_CUT)
		x->end = CTX_RESPONSE_CUT;
	else if (doc->n > 0)
		judge_status(x, doc);
	return ctx_buf_fail(&x->reason, err);
}

/* --- what it cost -------------------------------------------------------- */

void
ctx_response_usage(struct ctx_buf *b, const struct ctx_doc *doc)
{
	static const char *const ids[] = { "id", "responseId", NULL };
	struct ctx_str id, model;
	struct ctx_usage u;
	uint32_t usage;

	if (doc->n == 0)
		return;
	id = ctx_node_first(doc, 0, ids);
	model = ctx_usage_model(doc, 0);
	if (id.len > 0)
		ctx_buf_addf(b, ",\"id\":\"%.*s\"", CTX_STR_ARGS(id));
	if (model.len > 0)
		ctx_buf_addf(b, ",\"model\":\"%.*s\"", CTX_STR_ARGS(model));
	usage = ctx_usage_in(doc, 0);
	if (usage == CTX_NONE)
		return;
	u = ctx_usage_read(doc, usage);
	ctx_buf_addf(b, ",\"input_tokens\":%" PRIu64 ",\"output_tokens\":%"
	    PRIu64 ",\"cached_tokens\":%" PRIu64 ",\"usage\":", u.input,
	    u.output, u.cached);
	ctx_line_flat(b, doc->raw + doc->node[usage].off,
	    doc->node[usage].len);
}
