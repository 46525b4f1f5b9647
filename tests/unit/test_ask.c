/* SPDX-License-Identifier: MIT */
/*
 * Answers and streams in the three formats.  Those in tests/data/http were
 * recorded from a llama.cpp server; the others follow the APIs' documentation.
 */
#include "net/ask.h"
#include "net/remote.h"

#include <stdlib.h>

#include "check.h"
#include "base/sse.h"

/* The body of a recorded answer, with chunks joined; the caller frees it. */
static char *
recorded(const char *name, size_t *len)
{
	char path[128], *s, *p, *q, *out;
	long n;
	FILE *f;

	snprintf(path, sizeof(path), "tests/data/http/%s.http", name);
	if ((f = fopen(path, "rb")) == NULL)
		return NULL;
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	s = calloc(1, (size_t)n + 1);
	*len = fread(s, 1, (size_t)n, f);
	fclose(f);
	p = strstr(s, "\r\n\r\n") + 4;
	if (strstr(s, "Transfer-Encoding: chunked") == NULL) {
		*len -= (size_t)(p - s);
		memmove(s, p, *len + 1);
		return s;
	}
	out = s;
	while ((n = strtol(p, &q, 16)) > 0) {
		memmove(out, q + 2, (size_t)n);
		out += n;
		p = q + 2 + n + 2;
	}
	*len = (size_t)(out - s);
	return s;
}

/* The outcome, in one line. */
static const char *
outcome(enum ctx_http_verdict v, const struct ctx_ask_answer *a,
    const struct ctx_err *err)
{
	static char out[512];
	char cached[32] = "";

	if (a->cached_tokens >= 0)
		snprintf(cached, sizeof(cached), "(%lld)",
		    (long long)a->cached_tokens);
	if (v != CTX_HTTP_DONE)
		snprintf(out, sizeof(out), "%s: %s",
		    v == CTX_HTTP_AGAIN ? "again" : "stop", err->text);
	else
		snprintf(out, sizeof(out), "%s %lld%s/%lld %.*s",
		    a->finish == CTX_ASK_LENGTH ? "length" : "ok",
		    (long long)a->prompt_tokens, cached,
		    (long long)a->output_tokens,
		    (int)a->text.len, a->text.len > 0 ? a->text.data : "");
	return out;
}

static const struct {
	const char *format, *body, *want;
} table[] = {
	{ "openai", "", "again: the answer is empty" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\",",
	    "again: the answer was cut off" },
	{ "openai", "<html>", "stop: the answer is not JSON" },
	{ "openai", "{} {}", "stop: the answer is not JSON" },
	{ "openai", "{\"choices\":[]}",
	    "stop: the answer has no finish reason" },
	{ "openai", "[]", "stop: the answer has no finish reason" },
	{ "openai", "{\"error\":\"Unexpected endpoint\"}",
	    "stop: the endpoint reports an error: Unexpected endpoint" },
	{ "openai", "{\"error\":{\"type\":\"server_error\",\"message\":"
	    "\"bo\\u001bom\",\"code\":7}}",
	    "again: the endpoint reports an error: bo\\x1bom" },
	{ "openai", "[{\"error\":{\"message\":\"no\"}}]",
	    "stop: the endpoint reports an error: no" },
	{ "openai", "{\"object\":\"error\",\"message\":\"no\",\"type\":"
	    "\"server_error\"}", "again: the endpoint reports an error: no" },
	/* these are errors only with another status */
	{ "openai", "{\"detail\":\"no\"}",
	    "stop: the answer has no finish reason" },
	{ "openai", "{\"message\":\"no\"}",
	    "stop: the answer has no finish reason" },
	{ "openai", "{\"error\":null,\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":\"Hi.\"}}]}", "ok -1/-1 Hi." },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}]}}"
	    "],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}",
	    "ok 3/1 Hi" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":"
	    "{\"content\":\"\\n<think>hm</think>\\nYes.\"}}]}",
	    "ok -1/-1 \nYes." },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":"
	    "{\"content\":\"\\r\\n\\t<think>hm</think>Yes.\"}}]}",
	    "ok -1/-1 Yes." },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":"
	    "{\"content\":\"I put </think> at the end.\\n</think>\\n\\nYes."
	    "\"}}]}", "ok -1/-1 \n\nYes." },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":"
	    "{\"content\":\"hm</think>\"}}]}",
	    "stop: the answer has no text" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":"
	    "{\"content\":\"They write </think> before it.\"}}]}",
	    "ok -1/-1 They write </think> before it." },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":"
	    "{\"content\":\"<think>hm\"}}]}",
	    "stop: the answer has no text" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":\" \\n\"}}]}",
	    "stop: the answer has no text" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":null}}]}",
	    "stop: the answer has no text" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":null,\"refusal\":\"I cannot\"}}]}",
	    "stop: the model refused" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"content_filter\","
	    "\"message\":{\"content\":\"x\"}}]}", "stop: the model refused" },
	/* every other word is not the end of a complete answer */
	{ "openai", "{\"choices\":[{\"finish_reason\":\"tool_calls\","
	    "\"message\":{\"content\":\"Let me look.\",\"tool_calls\":[{}]}}]}",
	    "stop: the answer is not complete: its finish reason is "
	    "tool_calls" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"ab\\u001bort\","
	    "\"message\":{\"content\":\"The user\"}}]}",
	    "stop: the answer is not complete: its finish reason is "
	    "ab\\x1bort" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"error\","
	    "\"message\":{\"content\":\"The user\"}}]}",
	    "again: the answer is not complete: its finish reason is error" },
	{ "openai", "{\"choices\":[{\"finish_reason\":"
	    "\"insufficient_system_resource\",\"message\":{\"content\":"
	    "\"The user\"}}]}", "again: the answer is not complete: its "
	    "finish reason is insufficient_system_resource" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"\","
	    "\"message\":{\"content\":\"Hi\"}}]}",
	    "stop: the answer has no finish reason" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"model_length\","
	    "\"message\":{\"content\":\"The user\"}}]}",
	    "length -1/-1 The user" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"eos\","
	    "\"message\":{\"content\":\"Hi\"}}]}", "ok -1/-1 Hi" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"COMPLETE\","
	    "\"message\":{\"content\":\"Hi\"}}]}", "ok -1/-1 Hi" },
	{ "anthropic", "{\"content\":[{\"type\":\"text\",\"text\":\"I\"}],"
	    "\"stop_reason\":\"pause_turn\"}", "stop: the answer is not "
	    "complete: its finish reason is pause_turn" },
	{ "anthropic", "{\"content\":[{\"type\":\"text\",\"text\":\"I\"},"
	    "{\"type\":\"tool_use\"}],\"stop_reason\":\"tool_use\"}",
	    "stop: the answer is not complete: its finish reason is tool_use"
	    },
	{ "anthropic", "{\"content\":[{\"type\":\"text\",\"text\":\"I\"}],"
	    "\"stop_reason\":\"stop_sequence\"}", "ok -1/-1 I" },
	{ "ollama", "{\"message\":{\"content\":\"O\"},\"done\":true}",
	    "ok -1/-1 O" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":\"\\ud800\"}}]}",
	    "stop: the answer is not JSON" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":\"a\\u0000b\"}}]}",
	    "stop: the answer is not JSON" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":\"\xff\"}}]}",
	    "stop: the answer is not JSON" },
	{ "anthropic", "{\"type\":\"message\",\"content\":[{\"type\":"
	    "\"thinking\",\"thinking\":\"hm\"},{\"type\":\"text\",\"text\":"
	    "\"Yes.\"}],\"stop_reason\":\"end_turn\",\"usage\":{"
	    "\"input_tokens\":5,\"cache_read_input_tokens\":7,"
	    "\"output_tokens\":2}}", "ok 12(7)/2 Yes." },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":\"Hi\"}}],\"usage\":{"
	    "\"prompt_tokens\":9,\"completion_tokens\":1,"
	    "\"prompt_tokens_details\":{\"cached_tokens\":8}}}",
	    "ok 9(8)/1 Hi" },
	{ "openai", "{\"choices\":[{\"finish_reason\":\"stop\","
	    "\"message\":{\"content\":\"Hi\"}}],\"usage\":{"
	    "\"prompt_tokens\":9,\"completion_tokens\":1,"
	    "\"prompt_cache_hit_tokens\":6,\"prompt_cache_miss_tokens\":3}}",
	    "ok 9(6)/1 Hi" },
	{ "anthropic", "{\"content\":[{\"type\":\"text\",\"text\":\"Y\"}],"
	    "\"stop_reason\":\"max_tokens\"}", "length -1/-1 Y" },
	{ "anthropic", "{\"content\":[],\"stop_reason\":\"refusal\"}",
	    "stop: the model refused" },
	{ "anthropic", "{\"type\":\"error\",\"error\":{\"type\":"
	    "\"overloaded_error\",\"message\":\"Overloaded\"}}",
	    "again: the endpoint reports an error: Overloaded" },
	{ "ollama", "{\"message\":{\"role\":\"assistant\",\"content\":\"Ok\"},"
	    "\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":9,"
	    "\"eval_count\":1}", "ok 9/1 Ok" },
	{ "ollama", "{\"message\":{\"content\":\"O\"},\"done\":false}",
	    "stop: the answer has no finish reason" },
	{ "ollama", "{\"error\":\"model 'x' not found\"}",
	    "stop: the endpoint reports an error: model 'x' not found" }
};

static const struct {
	const char *format, *body, *want;
} streams[] = {
	{ "openai", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"
	    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}"
	    "\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":4,"
	    "\"completion_tokens\":1}}\n\ndata: [DONE]\n\n", "ok 4/1 a" },
	{ "openai", ": ping\r\n\r\nevent: x\r\ndata:{\"choices\":[{\"delta\":"
	    "{\"content\":\"\xe5\xad\xa6\"},\"finish_reason\":\"stop\"}]}\r\n"
	    "\r\ndata: [DONE]\r\n\r\nleft over", "ok -1/-1 \xe5\xad\xa6" },
	{ "openai", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}"
	    "\n\n", "again: the stream was cut off" },
	{ "openai", "data: [DONE]\n\n",
	    "stop: the answer has no finish reason" },
	{ "openai", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"
	    "data: {\"error\":{\"message\":\"overloaded\",\"type\":"
	    "\"server_error\"}}\n\n",
	    "again: the endpoint reports an error: overloaded" },
	{ "openai", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},"
	    "\"finish_reason\":\"null\"}]}\n\ndata: {\"choices\":[{"
	    "\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}"
	    "\n\ndata: [DONE]\n\n", "ok -1/-1 ab" },
	{ "openai", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},"
	    "\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
	    "stop: the answer is not complete: its finish reason is "
	    "tool_calls" },
	{ "openai", "data: oops\n\n",
	    "stop: an event of the stream is not JSON" },
	/* without data it is none */
	{ "openai", "data:\n\ndata: {\"choices\":[{\"delta\":{\"content\":"
	    "\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: \n\n"
	    "data: [DONE]\n\n", "ok -1/-1 a" },
	{ "openai", "", "again: the stream was cut off" },
	{ "anthropic", "event: message_start\ndata: {\"type\":"
	    "\"message_start\",\"message\":{\"usage\":{\"input_tokens\":8}}}"
	    "\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n"
	    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":"
	    "\"text_delta\",\"text\":\"Hi\"}}\n\n"
	    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
	    "\"end_turn\"},\"usage\":{\"output_tokens\":3}}\n\n"
	    "data: {\"type\":\"message_stop\"}\n\n", "ok 8/3 Hi" },
	{ "anthropic", "data: {\"type\":\"error\",\"error\":{\"type\":"
	    "\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
	    "again: the endpoint reports an error: Overloaded" },
	{ "ollama", "{\"message\":{\"content\":\"a\"},\"done\":false}\n"
	    "{\"message\":{\"content\":\"b\"},\"done\":true,\"done_reason\":"
	    "\"length\",\"eval_count\":2}\n", "length -1/2 ab" },
	{ "ollama", "{\"message\":{\"content\":\"a\"},\"done\":false}\n",
	    "again: the stream was cut off" }
};

static const struct {
	const char *file, *want;
} files[] = {
	{ "chat", "ok 102/12 Summary: the user chose class 7B-2024 and asked "
	    "for a report." },
	{ "chat-length", "length 53/3 Summary: the user" },
	{ "prompt-too-long-but-200", "length 955/3 Summary: the user" },
	{ "401", "stop: the endpoint reports an error: Invalid API Key" },
	{ "404", "stop: the endpoint reports an error: File Not Found" }
};

static void
test_recorded(void)
{
	const struct ctx_ask_format *f = ctx_ask_format("openai");
	struct ctx_ask_answer a = { 0 };
	enum ctx_http_verdict v;
	struct ctx_err err;
	size_t i, len;
	char *s;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		ctx_err_clear(&err);
		if (!CHECK((s = recorded(files[i].file, &len)) != NULL))
			continue;
		v = ctx_ask_read(f, s, len, &a, &err);
		CHECK_STR(outcome(v, &a, &err), files[i].want);
		free(s);
	}
	ctx_err_clear(&err);
	if (CHECK((s = recorded("chat-sse-chunked", &len)) != NULL)) {
		v = ctx_ask_read_stream(f, s, len, &a, &err);
		CHECK_STR(outcome(v, &a, &err), "ok 53/12 Summary: the user "
		    "chose class 7B-2024 and asked for a report.");
		free(s);
	}
	ctx_ask_answer_done(&a);
}

/* What servers say of a request that is too long; remote_room.c has where. */
static const struct {
	const char *body;
	int too_long;
	int64_t fits, asked;
} rooms[] = {
	{ "{\"error\":{\"message\":\"This model's maximum context length is "
	    "4097 tokens. However, your messages resulted in 4619 tokens.\","
	    "\"code\":\"context_length_exceeded\"}}", 1, 4097, 4619 },
	{ "{\"error\":{\"message\":\"This model's maximum context length is "
	    "16384 tokens. However, you requested 122946 tokens (112946 in the "
	    "messages, 10000 in the completion).\"}}", 1, 16384, 112946 },
	{ "{\"error\":{\"message\":\"Input tokens exceed the configured "
	    "limit of 272000 tokens. Your messages resulted in 402740 tokens."
	    "\"}}", 1, 272000, 402740 },
	{ "{\"error\":{\"message\":\"Your input exceeds the context window of "
	    "this model.\"}}", 1, -1, -1 },
	{ "{\"error\":{\"message\":\"too much\",\"code\":"
	    "\"context_length_exceeded\"}}", 1, -1, -1 },
	{ "{\"error\":{\"message\":\"You passed 1193 input tokens and "
	    "requested 7000 output tokens. However, the model's context length "
	    "is only 8192 tokens\",\"type\":\"BadRequestError\"}}",
	    1, 8192, 1193 },
	{ "{\"type\":\"error\",\"error\":{\"type\":"
	    "\"invalid_request_error\",\"message\":\"prompt is too long: "
	    "211180 tokens > 200000 maximum\"}}", 1, 200000, 211180 },
	{ "{\"type\":\"error\",\"error\":{\"type\":"
	    "\"invalid_request_error\",\"message\":\"input length and "
	    "`max_tokens` exceed context limit: 188240 + 21333 > 200000\"}}",
	    1, 200000, 188240 },
	{ "[{\"error\":{\"code\":400,\"message\":\"The input token count "
	    "(1200293) exceeds the maximum number of tokens allowed (1048576)."
	    "\",\"status\":\"INVALID_ARGUMENT\"}}]", 1, 1048576, 1200293 },
	{ "{\"error\":{\"code\":400,\"message\":\"the request exceeds the "
	    "available context size, try increasing it\",\"type\":"
	    "\"exceed_context_size_error\",\"n_prompt_tokens\":14429,"
	    "\"n_ctx\":8192}}", 1, 8192, 14429 },
	{ "{\"error\":{\"code\":400,\"message\":\"request (34965 tokens) "
	    "exceeds the available context size (32768 tokens), try increasing "
	    "it\"}}", 1, 32768, 34965 },
	{ "{\"error\":\"the input length exceeds the context length\"}",
	    1, -1, -1 },
	{ "{\"error\":\"prompt too long; exceeded max context length by 65590 "
	    "tokens\"}", 1, -1, -1 },
	{ "{\"object\":\"error\",\"message\":\"This model's maximum context "
	    "length is 800 tokens. However, you requested 1200 tokens (900 in "
	    "the messages, 300 in the completion).\",\"type\":"
	    "\"BadRequestError\",\"param\":null,\"code\":400}", 1, 800, 900 },
	{ "{\"detail\":\"prompt is too long\"}", 1, -1, -1 },
	/* a number without bounds is none, and other errors are none of these */
	{ "{\"error\":\"maximum context length is 99999999999999999999\"}",
	    0, -1, -1 },
	{ "{\"error\":{\"message\":\"max_tokens: 21333 > 4096, which is the "
	    "maximum allowed number of output tokens\"}}", 0, -1, -1 },
	{ "{\"error\":{\"message\":\"Rate limit reached: Limit 10000, "
	    "Requested 12000\"}}", 0, -1, -1 },
	{ "{\"error\":null}", 0, -1, -1 }, { "[]", 0, -1, -1 }
};

static void
test_too_long(void)
{
	json_t *root;
	int64_t fits, asked;
	size_t i;

	for (i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		root = json_loads(rooms[i].body, 0, NULL);
		CHECK_INT(ctx_remote_too_long(root, &fits, &asked),
		    rooms[i].too_long);
		CHECK_INT(fits, rooms[i].fits);
		CHECK_INT(asked, rooms[i].asked);
		json_decref(root);
	}
}

/* What is printed of the body of a refusal. */
static const struct {
	const char *body, *want;
} refusals[] = {
	{ "[{\"error\":{\"code\":400,\"message\":\"The model is retired.\","
	    "\"status\":\"INVALID_ARGUMENT\"}}]", "The model is retired." },
	{ "{\"object\":\"error\",\"message\":\"No such model.\",\"code\":404}",
	    "No such model." },
	{ "{\"message\":\"no such token\"}", "no such token" },
	{ "{\"detail\":\"Not Found\"}", "Not Found" },
	{ "{\"detail\":[{\"loc\":[\"body\",\"seed\"],\"msg\":\"Extra inputs "
	    "are not permitted\"}]}", "Extra inputs are not permitted" },
	{ "{\"error\":null}", "" }, { "{\"object\":\"list\"}", "" },
	{ "[]", "" }, { "busy", "" }, { "", "" }
};

static void
test_refusals(void)
{
	struct ctx_http_answer http = { 0 };
	char out[160];
	size_t i;

	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		ctx_buf_reset(&http.body);
		ctx_buf_adds(&http.body, refusals[i].body);
		out[0] = '\0';
		ctx_remote_explain(&http, NULL, out, sizeof(out));
		CHECK_STR(out, refusals[i].want);
	}
	ctx_buf_done(&http.body);
}

#define TEN	"k-34567890"
#define FIFTY	TEN TEN TEN TEN TEN
#define KEY	FIFTY FIFTY FIFTY FIFTY	/* longer than what is printed */

/* What is printed of a server's message that has the key. */
static const struct {
	const char *key, *message, *want;
} echoes[] = {
	{ TEN, "No key " TEN ", nor Bearer " TEN ".",
	    "No key ***, nor Bearer ***." },
	{ KEY, "The key " KEY " is wrong.", "The key *** is wrong." },
	/* the key is where the message is cut */
	{ FIFTY, "The gateway does not know this tenant, or has not been told "
	    "that its key is to be taken from tonight on: " FIFTY ", so "
	    "please write to it.", "The gateway does not know this tenant, or "
	    "has not been told that its key is to be taken from tonight on: "
	    "***, so please write to it." },
	{ "*", "a*b**", "a***b******" },
	{ "", "ab", "ab" },
	{ NULL, "ab", "ab" }
};

static void
test_echoes(void)
{
	enum ctx_http_verdict v;
	struct ctx_err err;
	char want[256];
	json_t *root;
	size_t i;

	for (i = 0; i < sizeof(echoes) / sizeof(echoes[0]); i++) {
		ctx_err_clear(&err);
		root = json_pack("{s:s}", "error", echoes[i].message);
		CHECK_INT(ctx_remote_is_error(root, echoes[i].key, &v, &err),
		    1);
		snprintf(want, sizeof(want), "the endpoint reports an error: "
		    "%s", echoes[i].want);
		CHECK_STR(err.text, want);
		json_decref(root);
	}
}

static int
join(void *arg, const char *data, size_t len)
{
	struct ctx_buf *b = arg;

	ctx_buf_add(b, data, len);
	return ctx_buf_addc(b, '|') == -1;
}

/* The events must be the same, however the bytes are divided. */
static void
test_sse(void)
{
	static const char in[] = "data: one\ndata: two\n\n: no\nid: 3\r\n\r\n"
	    "data:\xe5\xad\xa6\r\n\r\ndata\n\nretry: 1\rdata: x\r\rdata: cut";
	struct ctx_sse s = { 0 };
	struct ctx_buf b = { 0 };
	size_t i, step, n;

	for (step = 1; step < sizeof(in); step++) {
		ctx_sse_reset(&s);
		ctx_buf_reset(&b);
		for (i = 0; i < sizeof(in) - 1; i += n) {
			n = sizeof(in) - 1 - i;
			n = n < step ? n : step;
			CHECK_INT(ctx_sse_feed(&s, in + i, n, join, &b), 0);
		}
		CHECK_STR(ctx_buf_str(&b), "one\ntwo|\xe5\xad\xa6|x|");
	}
	ctx_sse_done(&s);
	ctx_buf_done(&b);
}

static void
test_request(void)
{
	static const struct ctx_set set[] = {
		{ "max_completion_tokens", "9" }, { "temperature", "null" },
		{ "user", "me" }
	};
	struct ctx_ask ask = {
		.format = ctx_ask_format("openai"), .model = "m",
		.max_tokens = 9, .temperature = 0.2, .set = set, .nset = 3
	};
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_ask_request(&ask, "S", "U", &b, &err), 0);
	CHECK_STR(ctx_buf_str(&b), "{\n  \"model\": \"m\",\n  \"messages\": [\n"
	    "    {\n      \"role\": \"system\",\n      \"content\": \"S\"\n"
	    "    },\n    {\n      \"role\": \"user\",\n"
	    "      \"content\": \"U\"\n    }\n  ],\n  \"stream\": false,\n"
	    "  \"max_completion_tokens\": 9,\n  \"user\": \"me\"\n}\n");
	ctx_buf_done(&b);
}

int
main(void)
{
	struct ctx_ask_answer a = { 0 };
	enum ctx_http_verdict v;
	struct ctx_err err;
	char *deep = malloc(200000);
	size_t i;

	TEST("answers");
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		ctx_err_clear(&err);
		v = ctx_ask_read(ctx_ask_format(table[i].format),
		    table[i].body, strlen(table[i].body), &a, &err);
		CHECK_STR(outcome(v, &a, &err), table[i].want);
	}
	TEST("streamed answers");
	for (i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		ctx_err_clear(&err);
		v = ctx_ask_read_stream(ctx_ask_format(streams[i].format),
		    streams[i].body, strlen(streams[i].body), &a, &err);
		CHECK_STR(outcome(v, &a, &err), streams[i].want);
	}
	TEST("an answer with 200,000 levels of nesting");
	memset(deep, '[', 200000);
	ctx_err_clear(&err);
	v = ctx_ask_read(ctx_ask_format("openai"), deep, 200000, &a, &err);
	CHECK_STR(outcome(v, &a, &err), "stop: the answer is not JSON");
	free(deep);
	ctx_ask_answer_done(&a);
	RUN(test_recorded());
	RUN(test_too_long());
	RUN(test_refusals());
	RUN(test_echoes());
	RUN(test_sse());
	RUN(test_request());
	return CHECK_DONE("ask");
}
