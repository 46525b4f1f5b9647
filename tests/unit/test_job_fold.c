/* SPDX-License-Identifier: MIT */
/* The job of ctx-summarize, run on streams with one and several threads. */
#include "folds.h"

/* Messages of Pydantic AI, of which one can have a system prompt and more. */
#define P_SYSTEM	"{\"part_kind\":\"system-prompt\",\"content\":\"s\"}"
#define P_USER(text)	"{\"part_kind\":\"user-prompt\",\"content\":\"" \
			text "\"}"
#define P_COSTS(text)	"{\"part_kind\":\"user-prompt\",\"content\":\"" \
			text "\",\"c\":1000}"
#define ASKS(parts)	"{\"kind\":\"request\",\"parts\":[" parts "]}"
#define TELLS(text)	"{\"kind\":\"response\",\"parts\":[{\"part_kind\":" \
			"\"text\",\"content\":\"" text "\"}],\"c\":1000}"

static int
holds(struct ctx_buf *b, const char *text)
{
	return strstr(ctx_buf_str(b), text) != NULL;
}

/* --- asking a model ------------------------------------------------------ */

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
	{ "half a message", CTX_FOLD_AS_USER, CTX_FOLD_TO_STREAM, NULL,
	    ASKS(P_SYSTEM "," P_COSTS("a")) "\r\n" TELLS("b") "\r\n"
	    ASKS(P_COSTS("c")) "\r\n" TELLS("d") "\r\n",
	    ASKS(P_SYSTEM) "\r\n" ASKS(P_USER(HEAD "2 turns)]:\\nwhat a and "
	    "b are")) "\r\n" ASKS(P_COSTS("c")) "\r\n" TELLS("d") "\r\n",
	    ASKS(P_COSTS("a")) "\r\n" TELLS("b") "\r\n",
	    "folded 0  folded\n" },
	{ "half an element", CTX_FOLD_AS_USER, CTX_FOLD_TO_STREAM, NULL,
	    "{\"messages\":[" ASKS(P_SYSTEM "," P_COSTS("a")) "," TELLS("b") ","
	    ASKS(P_COSTS("c")) "," TELLS("d") "]}\n",
	    "{\"messages\":[" ASKS(P_SYSTEM) "," ASKS(P_USER(HEAD
	    "2 turns)]:\\nwhat a and b are")) "," ASKS(P_COSTS("c")) ","
	    TELLS("d") "]}\n",
	    "{\"messages\":[" ASKS(P_COSTS("a")) "," TELLS("b") "]}\n",
	    "folded 0  folded\n" },
	{ "the first message is whole", CTX_FOLD_AS_USER, CTX_FOLD_TO_STREAM,
	    NULL, ASKS(P_COSTS("a")) "\n" ASKS(P_SYSTEM "," P_COSTS("b")) "\n"
	    ASKS(P_COSTS("c")) "\n" TELLS("d") "\n",
	    ASKS(P_USER(HEAD "2 turns)]:\\nwhat a and b are")) "\n"
	    ASKS(P_SYSTEM) "\n" ASKS(P_COSTS("c")) "\n" TELLS("d") "\n",
	    ASKS(P_COSTS("a")) "\n" ASKS(P_COSTS("b")) "\n",
	    "folded 0  folded\n" },
	{ "what is not a message follows", CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, NULL, "{\"m\":0}\n" USER("", "a")
	    "\n{\"m\":1}\n" ANSWER("", "b") "\n\n" USER("", "c")
	    "\n{\"m\":2}\n" ANSWER("", "d") "\n",
	    "{\"m\":0}\n" SUMMARY("", "user") "\n" REPLY("") "\n"
	    USER("", "c") "\n{\"m\":2}\n" ANSWER("", "d") "\n",
	    USER("", "a") "\n{\"m\":1}\n" ANSWER("", "b") "\n\n",
	    "folded 0  folded\n" },
	{ "also in a list", CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, NULL,
	    "{\"messages\":[{\"m\":0}," USER("", "a") ",{\"m\":1},"
	    ANSWER("", "b") "," USER("", "c") ",{\"m\":2},"
	    ANSWER("", "d") "]}\n",
	    "{\"messages\":[{\"m\":0}," SUMMARY("", "user") "," REPLY("") ","
	    USER("", "c") ",{\"m\":2}," ANSWER("", "d") "]}\n",
	    "{\"messages\":[" USER("", "a") ",{\"m\":1}," ANSWER("", "b")
	    "]}\n", "folded 0  folded\n" },
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

/* Histories, and what a model is told of all but their last message. */
#define LAST_USER "{'role':'user','content':'?'}\n"

static const struct {
	const char *in, *said;
} tells[] = {
	{ "{'role':'user','content':'a\\n\\u0022\\u00e9'}\n",
	    "0:a\n\"\303\251;" },
	{ "{'role':'system','content':'s'}\n{'role':'user','content':'a'}\n"
	    "{'role':'system','content':'t'}\n", "0:a;" },
	{ "{'role':'user','content':[{'type':'text','text':'a'},{'type':"
	    "'image_url','image_url':{'url':'http://e.org/'}},{'type':'text',"
	    "'text':'b'}]}\n", "0:a;0:b;" },
	{ "{'role':'user','content':'a'}\n{'role':'assistant','content':'b',"
	    "'tool_calls':[{'id':'c','type':'function','function':{'name':'ls',"
	    "'arguments':'{\\'x\\':1}'}},{'id':'d','type':'function',"
	    "'function':{'name':'f\\u0067'}}]}\n{'role':'tool','tool_call_id':"
	    "'d','content':'r\\u0064'}\n{'role':'tool','tool_call_id':'c',"
	    "'content':[{'type':'text','text':'r1'},{'type':'text','text':"
	    "'r2'}]}\n", "0:a;1:b;2ls:{\"x\":1};2fg:;3fg:rd;3ls:r1;3ls:r2;" },
	{ "{'role':'user','content':'a'}\n{'role':'assistant','content':["
	    "{'type':'thinking','thinking':'t','signature':'s'},{'type':"
	    "'tool_use','id':'t1','name':'f','input':{'k':'\\u00e9'}},{'type':"
	    "'tool_use','id':'t2','name':'g','input':{}}]}\n{'role':'user',"
	    "'content':[{'type':'tool_result','tool_use_id':'t2','content':"
	    "'r'},{'type':'tool_result','tool_use_id':'t1','content':[{'type':"
	    "'text','text':'x'}]},{'type':'text','text':'u'}]}\n",
	    "0:a;2f:{\"k\":\"é\"};2g:{};3g:r;3f:x;0:u;" },
	{ "{'role':'user','content':'a'}\n{'role':'assistant','content':["
	    "{'type':'compaction','content':'so far'},{'type':'text','text':"
	    "'b'}]}\n{'role':'user','content':'c'}\n",
	    /* it replaced the message before it */
	    "4:so far;1:b;0:c;" },
	/* a result without a call, and one without a text */
	{ "{'role':'user','content':'a'}\n{'role':'tool','tool_call_id':'x',"
	    "'content':'o'}\n{'role':'tool','tool_call_id':'y','content':null}"
	    "\n", "0:a;3:o;" },
};

static void
test_tells(size_t i)
{
	struct asked a = { .answer = "x" };
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_err err = { 0 };
	struct ctx_buf in = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;
	const char *p;

	opts.to = CTX_FOLD_TO_QUESTION;
	opts.fold.last = 1;
	opts.ask = answer;
	opts.ask_arg = &a;
	j = ctx_fold_job_new(&opts, &err);
	for (p = tells[i].in; *p != '\0'; p++)
		ctx_buf_addc(&in, *p == '\'' ? '"' : *p);
	for (p = LAST_USER; *p != '\0'; p++)
		ctx_buf_addc(&in, *p == '\'' ? '"' : *p);
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), 0);
	CHECK_BUF(&a.said, tells[i].said);
	CHECK_BUF(&g.out, "x");
	ctx_job_free(j);
	ctx_buf_done(&a.said);
	ctx_buf_done(&in);
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

/* A row that cannot be written, and a question that fails, end the file. */
static int
no_row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	(void)arg;
	return row->what == CTX_FOLD_ROW_OFFLINE ? ctx_fail(err, CTX_ESYSTEM,
	    "full") : 0;
}

static void
test_failing(enum ctx_fold_job_to to)
{
	struct asked a = { .no = "no", .code = CTX_EREMOTE };
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;

	opts.to = to;
	opts.ask = answer;
	opts.ask_arg = &a;
	opts.fallback = 1;
	j = ctx_fold_job_new(&opts, &err);
	j->sink = (struct ctx_sink){ gave_bytes, no_row, &g };
	ctx_buf_adds(&in, FOUR(""));
	CHECK_INT(give_text(j, &in, &err), -1);
	CHECK_STR(err.text, to == CTX_FOLD_TO_QUESTION ? "no" : "full");
	CHECK_INT(g.out.len, 0);
	ctx_job_give_up(j);
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
	check_same(&many, &one);
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
	for (i = 0; i < sizeof(tells) / sizeof(tells[0]); i++) {
		TEST("what was said: %s", tells[i].said);
		test_tells(i);
	}
	RUN(test_no_answer(CTX_EREMOTE, 0, "failed 0  no\n"));
	RUN(test_no_answer(CTX_EREMOTE, 1, "- 0  no\nfolded 0  folded\n"));
	RUN(test_no_answer(CTX_ESYSTEM, 1, ""));
	RUN(test_failing(CTX_FOLD_TO_STREAM));
	RUN(test_failing(CTX_FOLD_TO_QUESTION));
	RUN(test_large_answer());
	RUN(test_threads(0, ""));
	RUN(test_threads(1, ""));
	RUN(test_threads(0, "{oops\n{\"k\":1}\n"));
	RUN(test_threads(1, "{oops\n{\"k\":1}\n"));
	RUN(test_full(1));
	RUN(test_full(3));
	ctx_cost_done(&cost);
	return CHECK_DONE("job_fold");
}
