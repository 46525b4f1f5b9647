/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a server's answer, whole and streamed, in each format.  An
 * answer that is accepted must be text: UTF-8, not blank, without NUL.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "net/ask.h"

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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char *const names[] = { "openai", "anthropic", "ollama" };
	const struct ctx_ask_format *f;
	struct ctx_ask_answer a = { 0 };
	struct ctx_err err = { 0 };
	enum ctx_http_verdict v;

	if (len-- == 0)
		return 0;
	f = ctx_ask_format(names[data[0] % 3]);
	v = ctx_ask_read(f, (const char *)data + 1, len, &a, &err);
	check(v, &a, &err);
	ctx_err_clear(&err);
	v = ctx_ask_read_stream(f, (const char *)data + 1, len, &a, &err);
	check(v, &a, &err);
	ctx_ask_answer_done(&a);
	return 0;
}
