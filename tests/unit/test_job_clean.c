/* SPDX-License-Identifier: MIT */
/* The job of ctx-clean, run on whole streams with one and several threads. */
#include "edit/ledger.h"
#include "job/clean.h"

#include "check.h"
#include "jobs.h"

/* All but the first character of a text of 150. */
#define TEN0	"0000000000"
#define TEXT	"123456789" TEN0 TEN0 TEN0 TEN0 TEN0 TEN0 TEN0 TEN0 TEN0 TEN0 \
		TEN0 TEN0 TEN0 "0000000007"
#define HASH	"48dd649879b2e0a507155e90c0431531" \
		"c77fb4f9db2aeb2e2d60d951092e4706"
#define MARK	"123\\n... (truncated, 150 chars total, sha256:" HASH ")"
#define KEY	"ccbbcbedecf334d035d960e4d81eb14e" \
		"013403d3612f1cfb82df16e1cb3811d5"
#define SPELLED	"1b6b83af6558e81ae9130f2306917949" \
		"7dbfc44b38db0631629d7e810c0697cf"
#define USER(text)	"{\"role\":\"user\",\"content\":\"" text "\"}"
#define ANSWER(text)	"{\"role\":\"assistant\",\"content\":\"" text "\"}"
#define FUNCTION	"\"type\":\"function\",\"function\":{\"name\":\"f\"," \
			"\"arguments\":\"{}\"}"
#define CALL(id)	"{\"role\":\"assistant\",\"content\":null," \
			"\"tool_calls\":[{\"id\":\"" id "\"," FUNCTION "}]}"
#define TWO(a, b) "{\"role\":\"assistant\",\"content\":null," \
			"\"tool_calls\":[{\"id\":\"" a "\"," FUNCTION "},{" \
			"\"id\":\"" b "\"," FUNCTION "}]}"
#define RESULT(id, text) "{\"role\":\"tool\",\"tool_call_id\":\"" id \
			"\",\"content\":\"" text "\"}"

static const struct {
	const char *what;
	struct ctx_clean_opts opts;
	const char *by, *in, *out, *rows;
} cases[] = {
	{ "a valid history is unchanged", { .check = 0 }, NULL,
	    USER("a") "\n" CALL("c1") "\n" RESULT("c1", "r") "\n"
	    ANSWER("b") "\n",
	    USER("a") "\n" CALL("c1") "\n" RESULT("c1", "r") "\n"
	    ANSWER("b") "\n", "" },
	{ "an unanswered call and an orphan are removed", { .check = 0 }, NULL,
	    USER("a") "\n" CALL("c1") "\n" ANSWER("b") "\n"
	    RESULT("c9", "r") "\n" USER("c") "\n",
	    USER("a") "\n" ANSWER("b") "\n" USER("c") "\n", "" },
	{ "with check, there are findings and no output", { .check = 1 }, NULL,
	    USER("a") "\n" CALL("c1") "\n" ANSWER("b") "\n", "",
	    "unanswered-call 2  tool call has no result\n" },
	{ "conversations by their keys", { .check = 0 }, "k",
	    "{\"k\":1," "\"role\":\"user\",\"content\":\"a\"}\n"
	    "{\"k\":1,\"role\":\"assistant\",\"content\":null,"
	    "\"tool_calls\":[{\"id\":\"c1\"," FUNCTION "}]}\n"
	    "{\"k\":2,\"role\":\"user\",\"content\":\"b\"}\n"
	    "{\"k\":2,\"role\":\"tool\",\"tool_call_id\":\"c1\","
	    "\"content\":\"not mine\"}\n"
	    "{\"k\":1,\"role\":\"tool\",\"tool_call_id\":\"c1\","
	    "\"content\":\"r\"}\n",
	    "{\"k\":1," "\"role\":\"user\",\"content\":\"a\"}\n"
	    "{\"k\":1,\"role\":\"assistant\",\"content\":null,"
	    "\"tool_calls\":[{\"id\":\"c1\"," FUNCTION "}]}\n"
	    "{\"k\":2,\"role\":\"user\",\"content\":\"b\"}\n"
	    "{\"k\":1,\"role\":\"tool\",\"tool_call_id\":\"c1\","
	    "\"content\":\"r\"}\n", "" },
	/*
	 * The SHA-256 of the text, and the key of what was written: that of "r 0 0
	 * 2 c1" and the SHA-256 of that.  Both by Python's hashlib.
	 */
	{ "a result that is cut is stored first",
	    { .lean = { .keep = 1, .result = { .max = 4 } } }, NULL,
	    CALL("c1") "\n" RESULT("c1", "0" TEXT) "\n",
	    CALL("c1") "\n" RESULT("c1", "0" MARK) "\n",
	    "- 0 " HASH " 0" TEXT "\n"
	    "- 0 " KEY " " HASH " c1\n" },
	/* the same text with another spelling, so the same SHA-256 */
	{ "its spelling is stored too if it is unusual",
	    { .lean = { .keep = 1, .result = { .max = 4 } } }, NULL,
	    CALL("c1") "\n" RESULT("c1", "\\u0030" TEXT) "\n",
	    CALL("c1") "\n" RESULT("c1", "\\u0030" MARK) "\n",
	    "- 0 " HASH " 0" TEXT "\n"
	    "- 0 " SPELLED ".json \\u0030" TEXT "\n"
	    "- 0 " KEY " " SPELLED ".json c1\n" },
	{ "nothing", { .check = 0 }, NULL, "", "", "" },
};

static void
clean(size_t i, size_t n, unsigned threads, struct gave *g, void *did)
{
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_clean_new(&cases[i].opts, &err);

	if (!CHECK(j != NULL))
		return;
	j->turns.by = cases[i].by;
	run_times(j, g, cases[i].in, n, threads);
	memcpy(did, ctx_clean_figures(j), sizeof(struct ctx_clean_sums));
	ctx_job_free(j);
}

static void
test_case(size_t i)
{
	struct gave one = { 0 };
	struct ctx_clean_sums a;

	clean(i, 1, 1, &one, &a);
	CHECK_BUF(&one.out, cases[i].out);
	CHECK_BUF(&one.rows, cases[i].rows);
	gave_done(&one);
	check_threads(clean, i, 2000, sizeof(a));
}

/* Return the text that was kept, for --restore. */
static int
kept(void *arg, const char *name, struct ctx_buf *out, struct ctx_err *err)
{
	(void)err;
	if (strcmp(name, "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bed"
	    "b9f882f7882") != 0)
		return 0;
	ctx_buf_adds(out, arg);
	return 1;
}

#define CUT	RESULT("c1", "0123\\n... (truncated, 10 chars total, sha256:" \
	"84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882)")

static void
test_restore(char *text, int rc, const char *want)
{
	struct ctx_clean_opts opts = { .lean = { .kept = kept,
	    .kept_arg = text, .kept_in = "d" } };
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_clean_new(&opts, &err);
	struct ctx_buf in = { 0 };
	struct gave g = { 0 };

	ctx_buf_adds(&in, CALL("c1") "\n" CUT "\n");
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), rc);
	CHECK_BUF(&g.out, want);
	ctx_job_free(j);
	ctx_buf_done(&in);
	gave_done(&g);
}

/* Without a key, all threads use the same random one for their hashes. */
static void
test_redact(void)
{
	struct ctx_redact_opts redact = { 0 };
	struct ctx_clean_opts opts = { 0 };
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;
	size_t i, len;

	opts.lean.redact = ctx_redact_new(&redact, &err);
	j = ctx_clean_new(&opts, &err);
	for (i = 0; i < 3000; i++)
		ctx_buf_adds(&in, "{\"messages\":[" USER("AKIA"
		    "IOSFODNN7EXAMPLQ") "]}\n");
	CHECK_INT(run_text(j, &g, &in, 3, CTX_BAD_STOP), 0);
	CHECK(memmem(g.out.data, g.out.len, "[REDACTED:", 10) != NULL);
	len = g.out.len / 3000;
	for (i = 0; i < 3000; i++)
		if (!CHECK(memcmp(g.out.data, g.out.data + i * len,
		    len) == 0))
			break;
	ctx_job_free(j);
	ctx_redact_free(opts.lean.redact);
	ctx_buf_done(&in);
	gave_done(&g);
}

/* --- reports ------------------------------------------------------------- */

/*
 * What is reported: "rule line path id fare values before after tokens-before
 * tokens-after".  A token is 2.5 characters, at least 1.
 */
#define TEN	"0123456789"

static const struct {
	const char *what;
	struct ctx_clean_opts opts;
	const char *in, *rows;
} reports[] = {
	{ "a call goes, alone in its message", { .check = 0 },
	    USER("a") "\n" CALL("c1") "\n" ANSWER("b") "\n",
	    "unanswered-call 2 /tool_calls/0 c1 left-out 4 2 0 1 0\n"
	    "empty-message 2   left-out 2 121 0 0 0\n" },
	{ "or beside another", { .check = 0 }, USER("a") "\n"
	    TWO("c1", "c2") "\n" RESULT("c2", "r") "\n" ANSWER("b") "\n",
	    "unanswered-call 2 /tool_calls/0 c1 left-out 4 2 0 1 0\n" },
	{ "or with its message", { .links.unanswered = CTX_DROP },
	    USER("a") "\n" TWO("c1", "c2") "\n" RESULT("c2", "r") "\n"
	    ANSWER("b") "\n",
	    "unanswered-call 3  c2 left-out 3 1 0 1 0\n"
	    "unanswered-call 2 /tool_calls/0 c1 left-out 4 2 0 1 0\n"
	    "empty-message 2   left-out 6 192 0 0 0\n" },
	{ "or it gets a result", { .links.unanswered = CTX_REPAIR }, USER("a")
	    "\n" CALL("c1") "\n" ANSWER("b") "\n",
	    "unanswered-call 2 /tool_calls/0 c1 made 4 70 0 0 0\n" },
	{ "a result goes", { .check = 0 }, USER("a") "\n"
	    RESULT("c9", "0123456789") "\n",
	    "orphan-result 2  c9 left-out 3 10 0 4 0\n" },
	{ "a result moves", { .check = 0 }, CALL("c1") "\n" USER("a") "\n"
	    RESULT("c1", "r") "\n",
	    "misplaced-result 3   moved 3 49 0 0 0\n" },
	{ "an id is new", { .check = 0 }, TWO("c1", "c1") "\n"
	    RESULT("c1", "r") "\n" RESULT("c1", "s") "\n",
	    "reused-id 1 /tool_calls/1/id c1_2 renamed 1 4 0 0 0\n"
	    "reused-id 3 /tool_call_id c1_2 renamed 1 4 0 0 0\n" },
	{ "in a conversation line", { .check = 0 }, "{\"messages\":[" USER("a")
	    "," RESULT("c9", "r") "," USER("b") "]}\n",
	    "orphan-result 1 /messages/1 c9 left-out 3 1 0 1 0\n" },
	{ "a result is cut", { .lean = { .result = { .max = 4 } } },
	    CALL("c1") "\n" RESULT("c1", TEN TEN TEN TEN TEN TEN) "\n",
	    "max-result 2 /content c1 reformed 1 60 37 24 14\n" },
	{ "a result is cut to 4 tokens",
	    { .lean = { .result = { .max = 4, .tokens = 1 } } },
	    CALL("c1") "\n" RESULT("c1", TEN TEN TEN TEN TEN TEN) "\n",
	    "max-result 2 /content c1 reformed 1 60 44 24 17\n" },
	{ "what has no more tokens is not",
	    { .lean = { .result = { .max = 24, .tokens = 1 } } },
	    CALL("c1") "\n" RESULT("c1", TEN TEN TEN TEN TEN TEN) "\n", "" },
	{ "nor what would be no shorter",
	    { .lean = { .result = { .max = 23, .tokens = 1 } } },
	    CALL("c1") "\n" RESULT("c1", TEN TEN TEN TEN TEN TEN TEN TEN) "\n",
	    "" },
	{ "an empty list goes", { .check = 0 }, USER("a") "\n"
	    "{\"role\":\"assistant\",\"content\":\"b\",\"tool_calls\":[]}\n",
	    "empty-tool-calls 2 /tool_calls  left-out 0 2 0 0 0\n" },
	{ "an empty message goes", { .links.drop_empty = 1 }, USER("a") "\n"
	    USER("") "\n",
	    "empty-message 2   left-out 2 28 0 0 0\n" },
	{ "nothing", { .check = 0 }, USER("a") "\n", "" },
};

static int
put_report(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	static const char *const fares[] = { [CTX_LEFT_OUT] = "left-out",
	    [CTX_REFORMED] = "reformed", [CTX_MOVED] = "moved",
	    [CTX_RENAMED] = "renamed", [CTX_MADE] = "made" };
	struct gave *g = arg;
	int i;

	(void)err;
	CHECK_INT(row->what, CTX_CLEAN_CHANGE);
	ctx_buf_addf(&g->rows, "%s %d %.*s %.*s %s", row->rule,
	    (int)row->line, (int)row->namelen, row->name, (int)row->textlen,
	    row->text != NULL ? row->text : "", fares[row->n[0]]);
	for (i = 1; i < 6; i++)
		ctx_buf_addf(&g->rows, " %d", (int)row->n[i]);
	ctx_buf_adds(&g->rows, "\n");
	return 0;
}

static void
test_report(size_t i)
{
	struct ctx_clean_opts opts = reports[i].opts;
	struct ctx_cost cost = { .ready = 1 };
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;

	cost.choice.tok = ctx_tok_open("chars", &err);
	CHECK_INT(ctx_counter_init(&cost.counter, cost.choice.tok, &err), 0);
	cost.counter.factor = (struct ctx_ratio){ 1, 1 };
	opts.cost = &cost;
	opts.report = 1;
	j = ctx_clean_new(&opts, &err);
	j->sink = (struct ctx_sink){ gave_bytes, put_report, &g };
	ctx_buf_adds(&in, reports[i].in);
	CHECK_INT(give_text(j, &in, &err), 0);
	CHECK_BUF(&g.rows, reports[i].rows);
	CHECK_INT(j->changed, reports[i].rows[0] != '\0');
	ctx_job_free(j);
	ctx_cost_done(&cost);
	ctx_buf_done(&in);
	gave_done(&g);
}

int
main(void)
{
	char good[] = "0123456789", bad[] = "0123456780";
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("%s", cases[i].what);
		test_case(i);
	}
	for (i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
		TEST("a report: %s", reports[i].what);
		test_report(i);
	}
	RUN(test_restore(good, 0, CALL("c1") "\n" RESULT("c1", "0123456789")
	    "\n"));
	RUN(test_restore(bad, -1, ""));
	RUN(test_redact());
	return CHECK_DONE("job_clean");
}
