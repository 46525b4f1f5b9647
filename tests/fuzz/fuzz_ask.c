/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a server's answer, whole and streamed, in each format.  An
 * answer that is accepted must be text: UTF-8, not blank, without NUL.  If the
 * bytes are a text, a request that asks about them is JSON, whatever
 * "NAME=VALUE" at its beginning sets, and no server gets it.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "net/ask.h"
#include "read/span.h"

static void
check(enum ctx_http_verdict v, const struct ctx_ask_answer *a,
    const struct ctx_err *err)
{
	if (v != CTX_HTTP_DONE) {
		MUST(err->text[0] != '\0');
		return;
	}
	MUST(a->finish == CTX_ASK_STOP || a->finish == CTX_ASK_LENGTH);
	MUST(a->finish == CTX_ASK_LENGTH || a->text.len > 0);
	if (a->text.len == 0)
		return;
	MUST(memchr(a->text.data, '\0', a->text.len) == NULL);
	MUST(ctx_utf8_check(a->text.data, a->text.len) == a->text.len);
}

/* Is this what --set takes: names with points between them, and a value? */
static int
is_set(const char *text, size_t n)
{
	return n > 0 && text[n] == '=' && text[0] != '.' &&
	    text[n - 1] != '.' && memmem(text, n, "..", 2) == NULL;
}

/* Take the body of a request that was made before. */
static int
body(void *arg, unsigned max_tokens, struct ctx_buf *out,
    struct ctx_err *err)
{
	const struct ctx_buf *made = arg;

	if (max_tokens > 100)
		return ctx_fail(err, CTX_EINPUT, "too many");
	return ctx_buf_add(out, made->data, made->len);
}

/* What is sent to a URL that is none, and so is never sent. */
static void
send_it(struct ctx_ask *ask, const char *text, const struct ctx_buf *made)
{
	static const char *const more[] = { "anthropic-version: 1", "x: y",
	    NULL };
	struct ctx_ask_answer a = { 0 };
	struct ctx_err err = { 0 };

	ask->url = "none://example.invalid/";
	ask->key = "k";
	ask->header = more;
	MUST(ctx_ask(ask, "Be brief.", text, &a, &err) == -1);
	MUST(err.text[0] != '\0' && a.text.len == 0);
	ask->body = body;
	ask->body_arg = (void *)made;
	ctx_err_clear(&err);
	MUST(ctx_ask(ask, NULL, NULL, &a, &err) == -1);
	ctx_ask_answer_done(&a);
}

/* Ask for an answer to the text, with options that a number selects. */
static void
request(const struct ctx_ask_format *f, const struct ctx_buf *text,
    unsigned how)
{
	struct ctx_set set = { 0 };
	struct ctx_ask ask = { .format = f, .model = "m", .max_tokens = 100,
	    .stream = how & 1, .temperature = how & 2 ? 0.5 : -1,
	    .prompt_tokens = how & 4 ? 5000 : 0, .set = &set };
	char *name = strdup(text->data);
	size_t n = strcspn(text->data, "=\n");
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_doc doc = { 0 };

	MUST(name != NULL);
	if (is_set(name, n)) {
		name[n] = '\0';
		set.name = name;
		set.value = name + n + 1;
		ask.nset = 1;
	}
	MUST(ctx_ask_request(&ask, "Be brief.", text->data, &out, &err) == 0);
	MUST(ctx_doc_try(&doc, out.data, out.len) == 1);
	if (how & 8)
		send_it(&ask, text->data, &out);
	ctx_doc_done(&doc);
	ctx_buf_done(&out);
	free(name);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char *const names[] = { "openai", "anthropic", "ollama" };
	const struct ctx_ask_format *f;
	struct ctx_ask_answer a = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_buf text = { 0 };
	enum ctx_http_verdict v;

	if (len-- == 0)
		return 0;
	f = ctx_ask_format(names[data[0] % 3]);
	MUST(strcmp(ctx_ask_format_name(f), names[data[0] % 3]) == 0);
	v = ctx_ask_read(f, (const char *)data + 1, len, &a, &err);
	check(v, &a, &err);
	ctx_err_clear(&err);
	v = ctx_ask_read_stream(f, (const char *)data + 1, len, &a, &err);
	check(v, &a, &err);
	ctx_ask_answer_done(&a);
	ctx_buf_add(&text, data + 1, len);
	if (ctx_buf_str(&text) != NULL && strlen(text.data) == len &&
	    ctx_utf8_check(text.data, len) == len)
		request(f, &text, data[0] / 3u);
	ctx_buf_done(&text);
	return 0;
}
