/* SPDX-License-Identifier: MIT */
/* ctx.h: what fails leaves nothing behind; tests/library.bats has the rest. */
#include "api/ctx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "nomem.h"

#define CALL "{\"role\":\"user\",\"content\":\"look\"}\n" \
	"{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"type\":" \
	"\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}\n"
#define RESULT "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":" \
	"\"password = hunter2hunter2\"}\n"
#define HISTORY	CALL RESULT "{\"role\":\"assistant\",\"content\":\"so\"}\n"

static char store_path[64];

static int
clean(struct ctx_lib_text *out, struct ctx_lib_err *err)
{
	struct ctx_lib_clean_opts o = { .lean = CTX_LIB_LEAN_SAFE, .redact = 1,
	    .redact_key = "0123456789abcdef", .clear_results = 1 };

	return ctx_lib_clean(&o, HISTORY, strlen(HISTORY), out, err);
}

static int
cut(struct ctx_lib_text *out, struct ctx_lib_err *err)
{
	struct ctx_lib_truncate_opts o = { .tokens = 40, .note = 1 };
	int rc = -1;

	out->data = NULL;
	if ((o.counter = ctx_lib_counter_new("gpt-4o", NULL, err)) != NULL)
		rc = ctx_lib_truncate(&o, HISTORY, strlen(HISTORY), out, err);
	ctx_lib_counter_free(o.counter);
	return rc;
}

static int
convert(struct ctx_lib_text *out, struct ctx_lib_err *err)
{
	struct ctx_lib_convert_opts o = { .to = "anthropic", .request = 1,
	    .model = "claude-sonnet-4-5", .system = "s",
	    .tools = "[{\"name\":\"f\"}]" };

	return ctx_lib_convert(&o, HISTORY, strlen(HISTORY), out, NULL, err);
}

static int
keep(struct ctx_lib_text *out, struct ctx_lib_err *err)
{
	struct ctx_lib_store *st;
	int rc = -1;

	out->data = NULL;
	unlink(store_path);
	st = ctx_lib_store_open(store_path, CTX_LIB_CREATE, err);
	if (st != NULL && ctx_lib_append(st, "t", NULL, HISTORY,
	    strlen(HISTORY), err) == 4)
		rc = ctx_lib_load(st, "t", NULL, out, err);
	ctx_lib_store_close(st);
	return rc;
}

/* Every step-th request for memory fails in turn. */
static void
test_nomem(int (*call)(struct ctx_lib_text *, struct ctx_lib_err *), int step)
{
	struct ctx_lib_text want, got;
	struct ctx_lib_err err = { 0 };
	int rc, failed, n = 0;

	CHECK_INT(call(&want, &err), 0);
	do {
		nomem(n);
		n += step;
		rc = call(&got, &err);
		failed = nomem_failed();
		if (rc == 0)
			CHECK(got.len == want.len &&
			    memcmp(got.data, want.data, got.len) == 0);
		else
			CHECK(got.data == NULL && (err.code == CTX_LIB_NOMEM ||
			    (call == keep && err.code == CTX_LIB_SYSTEM)));
		ctx_lib_free(rc == 0 ? got.data : NULL);
	} while (failed);
	ctx_lib_free(want.data);
}

/* An option that is wrong. */
static void
test_wrong(void)
{
	struct ctx_lib_text out = { store_path, 9 };
	struct ctx_lib_err err;

	CHECK_INT(ctx_lib_clean(&(struct ctx_lib_clean_opts){ .api = "x" },
	    "", 0, &out, &err), -1);
	CHECK_INT(err.code, CTX_LIB_USAGE);
	CHECK(out.data == NULL && out.len == 0);
	CHECK_INT(ctx_lib_clean(&(struct ctx_lib_clean_opts){ .redact = 1,
	    .redact_key = "short" }, "", 0, &out, NULL), -1);
	CHECK_INT(ctx_lib_clean(&(struct ctx_lib_clean_opts){
	    .max_result = 5, .tail = 5 }, "", 0, &out, &err), -1);
	CHECK_STR(err.text, "tail must be less than max_result and "
	    "max_message");
	CHECK_INT(ctx_lib_truncate(&(struct ctx_lib_truncate_opts){
	    .tokens = 5 }, "", 0, &out, &err), -1);
	CHECK_STR(err.text, "tokens needs a counter");
	CHECK_INT(ctx_lib_truncate(&(struct ctx_lib_truncate_opts){
	    .last = 5, .step = 5 }, "", 0, &out, &err), -1);
	CHECK_INT(err.code, CTX_LIB_USAGE);
	CHECK_INT(ctx_lib_convert(NULL, "", 0, &out, NULL, &err), -1);
	CHECK_STR(err.text, "to: not a target for histories");
	CHECK_INT(ctx_lib_convert(&(struct ctx_lib_convert_opts){
	    .to = "openai", .request = 1 }, "", 0, &out, NULL, &err), -1);
	CHECK_STR(err.text, "a request needs a model");
	CHECK_INT(ctx_lib_convert(&(struct ctx_lib_convert_opts){
	    .to = "openai", .request = 1, .model = "\xff" }, CALL,
	    strlen(CALL), &out, NULL, &err), -1);
	CHECK_STR(err.text, "model is not UTF-8");
	CHECK(ctx_lib_counter_new(NULL, "none_such", &err) == NULL);
	CHECK_INT(err.code, CTX_LIB_USAGE);
}

/* A member is not ignored because its switch is off. */
static void
test_switches(void)
{
	static const struct ctx_lib_clean_opts clean[] = {
		{ .redact_rules = "all" }, { .redact_key = "0123456789abcdef" }
	};
	static const struct ctx_lib_convert_opts convert[] = {
		{ .to = "openai", .system = "s" }, { .to = "openai",
		    .tools = "[{\"name\":\"f\"}]" },
		{ .to = "openai", .tool_choice = "auto" },
		{ .to = "openai", .max_output = 1 },
		{ .to = "openai", .stream = 1 }, { .to = "openai", .cache = 1 }
	};
	struct ctx_lib_text out;
	struct ctx_lib_err err;
	size_t i;

	for (i = 0; i < sizeof(clean) / sizeof(clean[0]); i++) {
		memset(&err, 0, sizeof(err));
		CHECK_INT(ctx_lib_clean(clean + i, HISTORY, strlen(HISTORY),
		    &out, &err), -1);
		CHECK_INT(err.code, CTX_LIB_USAGE);
		CHECK_STR(err.text, "redact_rules and redact_key need redact");
	}
	for (i = 0; i < sizeof(convert) / sizeof(convert[0]); i++) {
		memset(&err, 0, sizeof(err));
		CHECK_INT(ctx_lib_convert(convert + i, HISTORY,
		    strlen(HISTORY), &out, NULL, &err), -1);
		CHECK_INT(err.code, CTX_LIB_USAGE);
		CHECK_STR(err.text, "system, tools, tool_choice, max_output, "
		    "stream and cache need request");
	}
}

/* What a target cannot express is counted or, if that is asked, refused. */
static void
test_lost(void)
{
	static const char in[] = "{\"role\":\"user\",\"name\":\"bob\","
	    "\"content\":\"b\"}\n";
	struct ctx_lib_convert_opts o = { .to = "openai-responses" };
	struct ctx_lib_text out;
	struct ctx_lib_err err;
	uint64_t lost = 9;

	CHECK_INT(ctx_lib_convert(&o, in, sizeof(in) - 1, &out, &lost, &err),
	    0);
	CHECK_INT(lost, 1);
	ctx_lib_free(out.data);
	o.strict = 1;
	CHECK_INT(ctx_lib_convert(&o, in, sizeof(in) - 1, &out, &lost, &err),
	    -1);
	CHECK_INT(err.code, CTX_LIB_NO);
	CHECK_INT(err.line, 1);
	CHECK_STR(err.text, "it would lose or change 1 value");
}

/* A name that the commands refuse is refused, too. */
static void
test_names(void)
{
	static const char *const names[] = { "", "\xff" };
	struct ctx_lib_append_opts o;
	struct ctx_lib_err err = { 0 };
	struct ctx_lib_text out;
	struct ctx_lib_store *st;
	size_t i;

	unlink(store_path);
	st = ctx_lib_store_open(store_path, CTX_LIB_CREATE, &err);
	for (i = 0; i < 2 && CHECK(st != NULL); i++) {
		o = (struct ctx_lib_append_opts){ .user = names[i] };
		CHECK_INT(ctx_lib_append(st, "t", &o, CALL, strlen(CALL),
		    &err), -1);
		CHECK_INT(err.code, CTX_LIB_USAGE);
		o = (struct ctx_lib_append_opts){ .context = names[i] };
		CHECK_INT(ctx_lib_append(st, "t", &o, CALL, strlen(CALL),
		    NULL), -1);
		CHECK_INT(ctx_lib_append(st, names[i], NULL, CALL,
		    strlen(CALL), NULL), -1);
		CHECK_INT(ctx_lib_load(st, names[i], NULL, &out, &err), -1);
		CHECK_INT(err.code, CTX_LIB_USAGE);
	}
	ctx_lib_store_close(st);
}

/* The line whose id is that of another one is named. */
static void
test_conflict(void)
{
	static const char in[] = "{\"id\":\"b\"}\n{\"id\":\"a\",\"n\":2}\n";
	struct ctx_lib_err err = { 0 };
	struct ctx_lib_store *st;

	unlink(store_path);
	st = ctx_lib_store_open(store_path, CTX_LIB_CREATE, &err);
	if (!CHECK(st != NULL))
		return;
	CHECK_INT(ctx_lib_append(st, "t", NULL, "{\"id\":\"a\"}\n", 11, &err),
	    1);
	CHECK_INT(ctx_lib_append(st, "t", NULL, in, strlen(in), &err), -1);
	CHECK_INT(err.code, CTX_LIB_INPUT);
	CHECK_INT(err.line, 2);
	ctx_lib_store_close(st);
}

/* The thread that was written to last, also by others, when a call begins. */
static void
test_last(void)
{
	struct ctx_lib_err err = { 0 };
	struct ctx_lib_store *st, *other;
	struct ctx_lib_text out;
	int i;

	unlink(store_path);
	st = ctx_lib_store_open(store_path, CTX_LIB_CREATE, &err);
	other = ctx_lib_store_open(store_path, CTX_LIB_CREATE, &err);
	for (i = 0; i < 2 && CHECK(st != NULL && other != NULL); i++) {
		CHECK_INT(ctx_lib_append(other, i == 0 ? "t" : "u", NULL,
		    i == 0 ? "{\"n\":1}\n" : "{\"n\":2}\n", 8, &err), 1);
		CHECK_INT(ctx_lib_load(st, "@last", NULL, &out, &err), 0);
		CHECK_STR(out.data, i == 0 ? "{\"n\":1}\n" : "{\"n\":2}\n");
		ctx_lib_free(out.data);
	}
	ctx_lib_store_close(st);
	ctx_lib_store_close(other);
}

int
main(void)
{
	snprintf(store_path, sizeof(store_path), "/tmp/ctx-test-api-%ld.db",
	    (long)getpid());
	RUN(test_wrong());
	RUN(test_switches());
	RUN(test_lost());
	RUN(test_names());
	RUN(test_conflict());
	RUN(test_last());
	RUN(test_nomem(clean, 1));
	RUN(test_nomem(cut, 1));
	RUN(test_nomem(convert, 1));
	RUN(test_nomem(keep, 7));
	unlink(store_path);
	strcat(store_path, "-lock");
	unlink(store_path);
	return CHECK_DONE("api");
}
