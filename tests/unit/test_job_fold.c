/* SPDX-License-Identifier: MIT */
/* The job of ctx-summarize, run on streams with one and several threads. */
#include "job/fold_job.h"

#include "check.h"
#include "jobs.h"

/* Each message costs 1000, as its member c says. */
#define USER(key, text)	"{" key "\"role\":\"user\",\"content\":\"" text \
			"\",\"c\":1000}"
#define ANSWER(key, text) "{" key "\"role\":\"assistant\",\"content\":\"" \
			text "\",\"c\":1000}"
#define HEAD		"[Context: Summary of earlier conversation ("
#define UNDERSTOOD	"Understood. I have the context from our earlier " \
			"conversation."
#define SUMMARY(key, role) "{" key "\"role\":\"" role "\",\"content\":\"" HEAD \
			"2 turns)]:\\nwhat a and b are\"}"
#define REPLY(key)	"{" key "\"role\":\"assistant\",\"content\":\"" \
			UNDERSTOOD "\"}"
#define FOUR(key)	USER(key, "a") "\n" ANSWER(key, "b") "\n" \
			USER(key, "c") "\n" ANSWER(key, "d") "\n"
#define TWO(key)	USER(key, "c") "\n" ANSWER(key, "d") "\n"
#define K1		"\"k\":1,"
#define K2		"\"k\":2,"
/* from sha256sum: the first two lines of FOUR(""), with their newlines */
#define SHA		"e7d34907f31066557e1d54bd4efb41d3363a684e4c92d398e1d48cb9926e167d"

static struct ctx_cost cost;

static void
open_cost(void)
{
	struct ctx_err err = { 0 };

	cost.key = "c";
	cost.choice.tok = ctx_tok_open("chars", &err);
	cost.choice.factor = (struct ctx_ratio){ 1, 1 };
	CHECK_INT(ctx_counter_init(&cost.counter, cost.choice.tok, &err), 0);
	cost.counter.factor = cost.choice.factor;
	cost.ready = 1;
}

/* Options with which the last two messages stay. */
static struct ctx_fold_job_opts
two_stay(void)
{
	return (struct ctx_fold_job_opts){ .fold = { .last = 2,
	    .min_fold = 1, .budget = 10, .trigger = { 8, 10 },
	    .target = { 4, 10 } }, .max_tokens = 1000, .cost = &cost };
}

static int
holds(struct ctx_buf *b, const char *text)
{
	return strstr(ctx_buf_str(b), text) != NULL;
}

/* --- asking a model ------------------------------------------------------ */

struct asked {
	const char *answer, *no;	/* no: the error instead */
	enum ctx_code code;
	struct ctx_buf said;		/* the questions: "kind:text;" */
};

static int
answer(void *arg, struct ctx_fold_question *q, struct ctx_err *err)
{
	struct asked *a = arg;
	size_t i;

	for (i = 0; i < q->nsaid; i++)
		ctx_buf_addf(&a->said, "%d:%.*s;", (int)q->said[i].kind,
		    (int)q->said[i].len, q->said[i].text);
	if (a->no != NULL)
		return ctx_fail(err, a->code, "%s", a->no);
	ctx_buf_adds(q->answer, a->answer);
	return 0;
}

static const struct {
	const char *what;
	enum ctx_fold_job_as as;
	enum ctx_fold_job_to to;
	const char *by, *in, *out, *side, *rows;
} cases[] = {
	{ "message lines", CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, NULL,
	    FOUR(""), SUMMARY("", "user") "\n" REPLY("") "\n" TWO(""),
	    USER("", "a") "\n" ANSWER("", "b") "\n", "folded 0  folded\n" },
	{ "a conversation line", CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, NULL,
	    "{\"id\":1.10,\"messages\":[" USER("", "a") "," ANSWER("", "b")
	    "," USER("", "c") "," ANSWER("", "d") "]}\n",
	    "{\"id\":1.10,\"messages\":[" SUMMARY("", "user") "," REPLY("") ","
	    USER("", "c") "," ANSWER("", "d") "]}\n",
	    "{\"id\":1.10,\"messages\":[" USER("", "a") "," ANSWER("", "b")
	    "]}\n", "folded 0  folded\n" },
	{ "two conversations, each in its place", CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, "k",
	    USER(K1, "a") "\n" USER(K2, "a") "\n" ANSWER(K2, "b") "\n"
	    ANSWER(K1, "b") "\n" "{\"meta\":1}\n" TWO(K2) TWO(K1),
	    SUMMARY(K1, "user") "\n" REPLY(K1) "\n" SUMMARY(K2, "user") "\n"
	    REPLY(K2) "\n{\"meta\":1}\n" TWO(K2) TWO(K1),
	    USER(K1, "a") "\n" ANSWER(K1, "b") "\n" USER(K2, "a") "\n"
	    ANSWER(K2, "b") "\n",
	    "folded 0 1 folded\nfolded 0 2 folded\n"
	    "unchanged 0  under the trigger\n" },
	{ "as a system message", CTX_FOLD_AS_SYSTEM, CTX_FOLD_TO_STREAM, NULL,
	    FOUR(""), SUMMARY("", "system") "\n" TWO(""),
	    USER("", "a") "\n" ANSWER("", "b") "\n", "folded 0  folded\n" },
	{ "as a text", CTX_FOLD_AS_PAIR, CTX_FOLD_TO_TEXT, NULL, FOUR(""),
	    "[Earlier conversation summary (2 turns)]:\nwhat a and b are\n",
	    "", "folded 0  folded\n" },
	{ "the answer", CTX_FOLD_AS_PAIR, CTX_FOLD_TO_ANSWER, NULL, FOUR(""),
	    "what a and b are\n", "", "folded 0  folded\n" },
	{ "the question", CTX_FOLD_AS_PAIR, CTX_FOLD_TO_QUESTION, NULL,
	    FOUR(""), "what a and b are", "", "" },
	{ "too few to fold", CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, NULL,
	    TWO(""), TWO(""), "", "unchanged 0  under the trigger\n" },
	{ "nothing", CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, NULL, "", "", "",
	    "" },
};

/* Three threads give the same result; questions are asked in order. */
static void
test_case(size_t i, unsigned threads)
{
	struct asked a = { .answer = "what a and b are" };
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;

	opts.as = cases[i].as;
	opts.to = cases[i].to;
	opts.put_aside = 1;
	opts.ask = answer;
	opts.ask_arg = &a;
	if (!CHECK((j = ctx_fold_job_new(&opts, &err)) != NULL))
		return;
	j->turns.by = cases[i].by;
	run_times(j, &g, cases[i].in, 1, threads);
	CHECK_BUF(&g.out, cases[i].out);
	CHECK_BUF(&g.side, cases[i].side);
	CHECK_BUF(&g.rows, cases[i].rows);
	ctx_job_free(j);
	ctx_buf_done(&a.said);
	gave_done(&g);
}

static void
test_question(void)
{
	struct asked a = { .answer = "what a and b are" };
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;

	opts.ask = answer;
	opts.ask_arg = &a;
	j = ctx_fold_job_new(&opts, &err);
	run_times(j, &g, FOUR(""), 1, 1);
	CHECK_BUF(&a.said, "0:a;1:b;");
	ctx_buf_reset(&a.said);
	/* the earlier summary comes first, and the count of turns continues */
	run_times(j, &g, SUMMARY("", "user") "\n" REPLY("") "\n" FOUR(""), 1,
	    1);
	CHECK_BUF(&a.said, "4:what a and b are;0:a;1:b;");
	CHECK(holds(&g.out, HEAD "4 turns"));
	CHECK_INT(ctx_fold_job_figures(j)->conversations, 2);
	CHECK_INT(ctx_fold_job_figures(j)->turns, 4);
	ctx_job_free(j);
	ctx_buf_done(&a.said);
	gave_done(&g);
}

/* Without an answer: the input and a reason, an offline summary, or an end. */
static void
test_no_answer(enum ctx_code code, int fallback, const char *want)
{
	struct asked a = { .no = "no", .code = code };
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;

	opts.ask = answer;
	opts.ask_arg = &a;
	opts.fallback = fallback;
	j = ctx_fold_job_new(&opts, &err);
	ctx_buf_adds(&in, USER("", "Room 12 has 24 seats.") "\n"
	    ANSWER("", "Room 14 has 30 seats.") "\n" TWO(""));
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP),
	    code == CTX_EREMOTE ? 0 : -1);
	CHECK_BUF(&g.rows, want);
	if (code != CTX_EREMOTE)
		CHECK_INT(g.out.len, 0);
	else if (fallback)
		CHECK(holds(&g.out, HEAD "2 turns)]:\\nRoom 12"));
	else
		CHECK_SAME(&g.out, &in);
	CHECK_INT(ctx_fold_job_figures(j)->failed,
	    code == CTX_EREMOTE && !fallback);
	ctx_job_free(j);
	ctx_buf_done(&a.said);
	ctx_buf_done(&in);
	gave_done(&g);
}

/* An answer must be smaller than the two messages of 1000 that it replaces. */
static void
test_large_answer(void)
{
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_buf big = { 0 };
	struct ctx_err err = { 0 };
	struct asked a = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;
	int i;

	for (i = 0; i < 1000; i++)
		ctx_buf_adds(&big, "large ");
	a.answer = ctx_buf_str(&big);
	opts.ask = answer;
	opts.ask_arg = &a;
	j = ctx_fold_job_new(&opts, &err);
	run_times(j, &g, FOUR(""), 1, 1);
	CHECK_BUF(&g.out, FOUR(""));
	CHECK(strncmp(g.rows.data, "failed 0  the summary is not smaller", 36)
	    == 0);
	ctx_job_free(j);
	ctx_buf_done(&a.said);
	ctx_buf_done(&big);
	gave_done(&g);
}

/* --- the state ----------------------------------------------------------- */

struct memory {
	struct ctx_fold_memo memo;	/* summarylen 0: there is no state */
	char sha256[65];
	int times;			/* calls of remember */
};

static int
recall(void *arg, struct ctx_fold_memo *m)
{
	const struct memory *mem = arg;

	CHECK_INT(m->keylen, 0);
	if (mem->memo.summarylen > 0)
		*m = mem->memo;
	return mem->memo.summarylen > 0;
}

static int
remember(void *arg, const struct ctx_fold_memo *m, struct ctx_err *err)
{
	struct memory *mem = arg;

	(void)err;
	CHECK_MEM(m->summary, m->summarylen, "what a and b are");
	mem->memo = *m;
	mem->memo.summary = "what a and b are";
	snprintf(mem->sha256, sizeof(mem->sha256), "%s", m->sha256);
	mem->memo.sha256 = mem->sha256;
	mem->times++;
	return 0;
}

static void
test_memory(void)
{
	struct memory mem = { .times = 0 };
	struct asked a = { .answer = "what a and b are" };
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;

	opts.ask = answer;
	opts.ask_arg = &a;
	opts.recall = recall;
	opts.remember = remember;
	opts.memo_arg = &mem;
	j = ctx_fold_job_new(&opts, &err);
	run_times(j, &g, FOUR(""), 1, 1);
	CHECK_INT(mem.times, 1);
	CHECK_INT(mem.memo.upto, 2);
	CHECK_INT(mem.memo.turns, 2);
	CHECK_STR(mem.sha256, SHA);
	gave_done(&g);
	/* the same input gives the same result, and nothing is asked */
	ctx_buf_reset(&a.said);
	run_times(j, &g, FOUR(""), 1, 1);
	CHECK_BUF(&g.out, SUMMARY("", "user") "\n" REPLY("") "\n" TWO(""));
	CHECK_BUF(&g.rows, "unchanged 0  under the trigger\n");
	CHECK_INT(a.said.len, 0);
	CHECK_INT(mem.times, 1);
	gave_done(&g);
	/* with other texts, it is not the conversation that was summarized */
	run_times(j, &g, USER("", "A") "\n" ANSWER("", "b") "\n" TWO(""), 1, 1);
	CHECK_BUF(&g.rows, "- 0  \nfolded 0  folded\n");
	CHECK_BUF(&a.said, "0:A;1:b;");
	CHECK_INT(mem.times, 2);
	ctx_job_free(j);
	ctx_buf_done(&a.said);
	gave_done(&g);
}

/* --- threads, offline ---------------------------------------------------- */

#define NCONVO 700

/* Add four lines of each of that many conversations, interleaved at the end. */
static void
add_lines(struct ctx_buf *in, int whole)
{
	static const char *const role[] = { "user", "assistant" };
	int i, m;

	for (m = 0; m < 4 && !whole; m++)
		for (i = 0; i < NCONVO; i++)
			ctx_buf_addf(in, "{\"k\":%d,\"role\":\"%s\",\"content\""
			    ":\"Room %d has %d seats for class %d.\",\"c\":1000"
			    "}\n", i, role[m & 1], i, m + 20, i * 7);
	for (i = 0; i < NCONVO && whole; i++) {
		ctx_buf_adds(in, "{\"messages\":[");
		for (m = 0; m < 4; m++)
			ctx_buf_addf(in, "%s{\"role\":\"%s\",\"content\":"
			    "\"Room %d has %d seats.\",\"c\":1000}",
			    m > 0 ? "," : "", role[m & 1], i, m + 20);
		ctx_buf_adds(in, "]}\n");
	}
}

static void
run(const struct ctx_buf *in, unsigned threads, int fails, struct gave *g,
    struct ctx_fold_job_sums *did)
{
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_err err = { 0 };
	struct ctx_job *j;

	opts.put_aside = 1;
	if (!CHECK((j = ctx_fold_job_new(&opts, &err)) != NULL))
		return;
	j->turns.by = "k";
	CHECK_INT(run_text(j, g, in, threads, CTX_BAD_STOP), fails ? -1 : 0);
	*did = *ctx_fold_job_figures(j);
	ctx_job_free(j);
}

static void
test_threads(int whole, const char *more)
{
	struct ctx_fold_job_sums a, b;
	struct gave one = { 0 }, many = { 0 };
	struct ctx_buf in = { 0 };

	add_lines(&in, whole);
	ctx_buf_adds(&in, more);
	run(&in, 1, 0, &one, &a);
	run(&in, 3, 0, &many, &b);
	CHECK_SAME(&many.out, &one.out);
	CHECK_SAME(&many.side, &one.side);
	CHECK_SAME(&many.rows, &one.rows);
	CHECK_SAME(&many.bad, &one.bad);
	CHECK(memcmp(&a, &b, sizeof(a)) == 0);
	/* message lines before a bad line are not complete conversations */
	CHECK_INT(a.folded, whole || *more == '\0' ? NCONVO : 0);
	CHECK(one.out.len > 0 || *more != '\0');
	CHECK_INT(one.bad.len > 0, *more != '\0');
	ctx_buf_done(&in);
	gave_done(&one);
	gave_done(&many);
}

/* Messages that wait for the end of a file that fails are dropped. */
static void
test_full(unsigned threads)
{
	struct gave g = { .fail_at = 5000 };
	struct ctx_fold_job_sums did;
	struct ctx_buf in = { 0 };

	add_lines(&in, 0);
	run(&in, threads, 1, &g, &did);
	CHECK(g.out.len > 4000 && g.out.len <= 5000);
	ctx_buf_done(&in);
	gave_done(&g);
}

int
main(void)
{
	size_t i;

	TEST("what counts");
	open_cost();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("%s", cases[i].what);
		test_case(i, 1);
		test_case(i, 3);
	}
	RUN(test_question());
	RUN(test_no_answer(CTX_EREMOTE, 0, "failed 0  no\n"));
	RUN(test_no_answer(CTX_EREMOTE, 1, "- 0  no\nfolded 0  folded\n"));
	RUN(test_no_answer(CTX_ESYSTEM, 1, ""));
	RUN(test_large_answer());
	RUN(test_memory());
	RUN(test_threads(0, ""));
	RUN(test_threads(1, ""));
	RUN(test_threads(0, "{oops\n{\"k\":1}\n"));
	RUN(test_threads(1, "{oops\n{\"k\":1}\n"));
	RUN(test_full(1));
	RUN(test_full(3));
	ctx_cost_done(&cost);
	return CHECK_DONE("job_fold");
}
