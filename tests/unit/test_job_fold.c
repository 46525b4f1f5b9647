/* SPDX-License-Identifier: MIT */
/* The job of ctx-summarize, run on streams with one and several threads. */
#include "base/sha256.h"
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

/* Messages of Pydantic AI, of which one can have a system prompt and more. */
#define P_SYSTEM	"{\"part_kind\":\"system-prompt\",\"content\":\"s\"}"
#define P_USER(text)	"{\"part_kind\":\"user-prompt\",\"content\":\"" \
			text "\"}"
#define P_COSTS(text)	"{\"part_kind\":\"user-prompt\",\"content\":\"" \
			text "\",\"c\":1000}"
#define ASKS(parts)	"{\"kind\":\"request\",\"parts\":[" parts "]}"
#define TELLS(text)	"{\"kind\":\"response\",\"parts\":[{\"part_kind\":" \
			"\"text\",\"content\":\"" text "\"}],\"c\":1000}"

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
	struct ctx_buf said;		/* the questions: "kindtool:text;" */
};

static int
answer(void *arg, struct ctx_fold_question *q, struct ctx_err *err)
{
	struct asked *a = arg;
	size_t i;

	for (i = 0; i < q->nsaid; i++)
		ctx_buf_addf(&a->said, "%d%.*s:%.*s;", (int)q->said[i].kind,
		    (int)q->said[i].toollen, q->said[i].tool,
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
	    "0:a;2f:{\"k\":\"\\u00e9\"};2g:{};3g:r;3f:x;0:u;" },
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

/* --- numbers ------------------------------------------------------------- */

/* Messages that cost c; ' is written for ". */
#define SAYS(role, text, c) "{'role':'" role "','content':'" text "','c':" #c \
	"}\n"
#define U(c)	SAYS("user", "Room 12 has 24 seats.", c)
#define A(c)	SAYS("assistant", "Noted.", c)
#define S	SAYS("system", "s", 1)
#define OLD(role) "{'role':'" role "','content':'" HEAD \
	"2 turns)]:\\nwhat a and b are'}\n"
#define CALLS(more) "{'role':'assistant','content':null,'c':50,'tool_calls':" \
	"[{'id':'c','type':'function','function':{'name':'f','arguments':" \
	"'{}'}}]}\n" more
#define RESULT	"{'role':'tool','tool_call_id':'c','content':'r','c':50}\n"
#define SERVES	"{'role':'assistant','c':50,'content':[{'type':" \
	"'server_tool_use','id':'s','name':'web_search','input':{}}]}\n"
/* budget 100 of which 10 stay, and the trigger 80 */
#define BY_COST	{ .budget = 100, .trigger = { 8, 10 }, .target = { 1, 10 }, \
		.min_fold = 1 }
#define LAST(n)	{ .last = n, .min_fold = 1, .trigger = { 8, 10 } }

/*
 * The marker has 54 characters, 21 tokens, and that of a text 42, 16; the reply
 * has 61, 24; the earlier summary 70, 28, of which 16, 6 after the marker.  The
 * answer has 4 tokens.  A summary replaces only what costs more.
 */
static const struct {
	const char *what;
	struct ctx_fold fold;
	enum ctx_fold_job_as as;
	enum ctx_fold_job_to to;
	uint64_t overhead, max_tokens;	/* 0: the model is asked */
	const char *in;
	/*
	 * "rule text: turns kept all tokens summary engine tries prompt output"
	 */
	const char *row;
} counts[] = {
	{ "a pair of 49 tokens is not smaller than 49", LAST(2),
	    CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, 0, 0, U(25) A(24) U(1) A(1),
	    "failed the summary is not smaller (49 tokens) than what it would "
	    "replace (49): 0 4 0 49 0 2 3 11 12" },
	{ "but than 50", LAST(2), CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, 0, 0,
	    U(25) A(25) U(1) A(1), "folded folded: 2 2 2 50 4 2 3 11 12" },
	{ "each message has its overhead", LAST(2), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 7, 0, U(1) A(1) U(1) A(1),
	    "failed the summary is not smaller (63 tokens) than what it would "
	    "replace (2): 0 4 0 2 0 2 3 11 12" },
	{ "a user's message needs no reply", LAST(2), CTX_FOLD_AS_USER,
	    CTX_FOLD_TO_STREAM, 7, 0, U(1) A(1) U(1) A(1),
	    "failed the summary is not smaller (32 tokens) than what it would "
	    "replace (2): 0 4 0 2 0 2 3 11 12" },
	{ "nor a system message", LAST(2), CTX_FOLD_AS_SYSTEM,
	    CTX_FOLD_TO_STREAM, 0, 0, U(1) A(1) U(1) A(1),
	    "failed the summary is not smaller (25 tokens) than what it would "
	    "replace (2): 0 4 0 2 0 2 3 11 12" },
	{ "nor a pair before the assistant's", LAST(1), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 0, U(1) A(1) U(1) A(1),
	    "failed the summary is not smaller (25 tokens) than what it would "
	    "replace (3): 0 4 0 3 0 2 3 11 12" },
	{ "the marker of a text is shorter", LAST(2), CTX_FOLD_AS_USER,
	    CTX_FOLD_TO_TEXT, 0, 0, U(1) A(1) U(1) A(1),
	    "failed the summary is not smaller (20 tokens) than what it would "
	    "replace (2): 0 4 0 2 0 2 3 11 12" },
	{ "an answer by itself may have any size", LAST(2), CTX_FOLD_AS_USER,
	    CTX_FOLD_TO_ANSWER, 0, 0, U(1) A(1) U(1) A(1),
	    "folded folded: 2 2 2 2 4 2 3 11 12" },
	/* a sentence of 21 characters has 8 tokens, the fewest of a summary */
	{ "offline, 8 tokens fit into 54 - 45, less one", LAST(2),
	    CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, 0, 1000,
	    U(27) A(27) U(1) A(1), "folded folded: 2 2 2 54 8 1 0 -1 -1" },
	{ "not into 53", LAST(2), CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, 0,
	    1000, U(27) A(26) U(1) A(1),
	    "unchanged no room for a summary: 0 4 0 53 0 1 0 -1 -1" },
	{ "nor if they cost little", LAST(2), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 1000, U(1) A(1) U(1) A(1),
	    "unchanged no room for a summary: 0 4 0 2 0 1 0 -1 -1" },
	{ "the limit includes the marker", LAST(2), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 29, U(500) A(500) U(1) A(1),
	    "folded folded: 2 2 2 1000 8 1 0 -1 -1" },
	{ "all of it", LAST(2), CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, 0, 28,
	    U(500) A(500) U(1) A(1),
	    "unchanged no room for a summary: 0 4 0 1000 0 1 0 -1 -1" },
	/* the earlier summary */
	{ "an earlier pair goes too", LAST(2), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 0, S OLD("user") REPLY("") "\n" S U(100)
	    A(100) U(1) A(1), "folded folded: 2 2 4 252 4 2 3 11 12" },
	{ "or a summary without a reply", LAST(2), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 0, S S OLD("system") U(100) A(100) U(1)
	    A(1), "folded folded: 2 2 4 228 4 2 3 11 12" },
	{ "a summary with nothing after it", LAST(2), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 0, OLD("user"),
	    "unchanged under the trigger: 0 0 2 28 6 0 0 -1 -1" },
	{ "a pair with nothing after it", LAST(2), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 0, OLD("user") REPLY("") "\n",
	    "unchanged under the trigger: 0 0 2 52 6 0 0 -1 -1" },
	{ "system messages alone", LAST(2), CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 0, S S,
	    "unchanged under the trigger: 0 0 0 0 0 0 0 -1 -1" },
	{ "its text counts for when to fold", { .last = 2, .min_fold = 1,
	    .when_tokens = 9, .trigger = { 8, 10 } }, CTX_FOLD_AS_USER,
	    CTX_FOLD_TO_STREAM, 0, 0, OLD("user") U(1) A(1) U(1) A(1),
	    "folded folded: 2 2 4 30 4 2 3 11 12" },
	{ "4 messages and 6 tokens", { .last = 2, .min_fold = 1,
	    .when_tokens = 10, .trigger = { 8, 10 } }, CTX_FOLD_AS_USER,
	    CTX_FOLD_TO_STREAM, 0, 0, OLD("user") U(1) A(1) U(1) A(1),
	    "unchanged under the trigger: 0 4 2 28 6 0 0 -1 -1" },
	/* what is not finished stays */
	{ "all goes", BY_COST, CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM, 0, 0,
	    U(50) A(50), "folded folded: 2 0 2 100 4 2 3 11 12" },
	{ "a question stays", BY_COST, CTX_FOLD_AS_PAIR, CTX_FOLD_TO_STREAM,
	    0, 0, U(50) A(50) U(50), "folded folded: 2 1 2 100 4 2 3 11 12" },
	{ "an unanswered call stays", BY_COST, CTX_FOLD_AS_USER,
	    CTX_FOLD_TO_STREAM, 0, 0, U(50) CALLS(""),
	    "folded folded: 1 1 1 50 4 2 3 11 12" },
	{ "an answered one goes, with its result", BY_COST, CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 0, U(50) CALLS(RESULT),
	    "folded folded: 2 0 2 150 4 2 3 11 12" },
	{ "and one of the provider's", BY_COST, CTX_FOLD_AS_PAIR,
	    CTX_FOLD_TO_STREAM, 0, 0, U(50) SERVES,
	    "folded folded: 2 0 2 100 4 2 3 11 12" },
	{ "a call that stays is counted once", { .last = 2, .min_fold = 1,
	    .trigger = { 8, 10 } }, CTX_FOLD_AS_USER, CTX_FOLD_TO_STREAM,
	    0, 0, U(50) CALLS(RESULT), "folded folded: 1 1 1 50 4 2 3 11 12" },
};

static int
answer_4(void *arg, struct ctx_fold_question *q, struct ctx_err *err)
{
	(void)arg;
	(void)err;
	ctx_buf_adds(q->answer, "0123456789");
	q->tries = 3;
	q->prompt_tokens = 11;
	q->output_tokens = 12;
	return 0;
}

static int
put_numbers(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	static const int all[] = { CTX_FOLD_N_TURNS, CTX_FOLD_N_KEPT,
	    CTX_FOLD_N_ALL, CTX_FOLD_N_TOKENS, CTX_FOLD_N_SUMMARY,
	    CTX_FOLD_N_ENGINE, CTX_FOLD_N_TRIES, CTX_FOLD_N_PROMPT,
	    CTX_FOLD_N_OUTPUT };
	struct gave *g = arg;
	size_t i;

	(void)err;
	CHECK(row->n[CTX_FOLD_N_MS] < 100000);
	ctx_buf_addf(&g->rows, "%s %.*s:", row->rule, (int)row->textlen,
	    row->text);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		ctx_buf_addf(&g->rows, " %d", (int)row->n[all[i]]);
	return 0;
}

/* As lines, and as a conversation line. */
static void
test_count(size_t i, int whole)
{
	struct ctx_fold_job_opts opts = { .fold = counts[i].fold,
	    .as = counts[i].as, .to = counts[i].to,
	    .max_tokens = counts[i].max_tokens == 0 ? 1000 :
	    counts[i].max_tokens, .cost = &cost,
	    .ask = counts[i].max_tokens == 0 ? answer_4 : NULL };
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;
	const char *p;

	cost.overhead = counts[i].overhead;
	j = ctx_fold_job_new(&opts, &err);
	j->sink = (struct ctx_sink){ gave_bytes, put_numbers, &g };
	ctx_buf_adds(&in, whole ? "{\"messages\":[" : "");
	for (p = counts[i].in; *p != '\0'; p++)
		ctx_buf_addc(&in, *p == '\'' ? '"' : !whole || *p != '\n' ?
		    *p : p[1] == '\0' ? ']' : ',');
	ctx_buf_adds(&in, whole ? "}\n" : "");
	CHECK_INT(give_text(j, &in, &err), 0);
	CHECK_BUF(&g.rows, counts[i].row);
	CHECK_INT(j->changed, counts[i].to == CTX_FOLD_TO_STREAM &&
	    counts[i].row[0] == 'f' && counts[i].row[1] == 'o');
	if (counts[i].row[0] == 'u' || counts[i].row[1] == 'a')
		CHECK(counts[i].to != CTX_FOLD_TO_STREAM ||
		    (g.out.len == in.len &&
		    memcmp(g.out.data, in.data, in.len) == 0));
	cost.overhead = 0;
	ctx_job_free(j);
	ctx_buf_done(&in);
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

/* What is remembered with which text, and what becomes of a history then. */
#define HEADED(n, text) "{\"role\":\"user\",\"content\":\"" HEAD n \
	" turns)]:\\n" text "\"}\n" REPLY("") "\n"
#define ANEW	HEADED("2", "what a and b are") TWO("")

static const struct {
	const char *what;
	int found;
	uint64_t upto, turns;
	const char *summary, *of;	/* of: the bytes that it stands for */
	const char *in, *out, *rows, *said;
} recalls[] = {
	{ "nothing is remembered", 0, 2, 7, "old", USER("", "a") "\n"
	    ANSWER("", "b") "\n", FOUR(""), ANEW, "folded 0  folded\n",
	    "0:a;1:b;" },
	{ "no summary is", 1, 2, 7, "", USER("", "a") "\n" ANSWER("", "b")
	    "\n", FOUR(""), ANEW, "folded 0  folded\n", "0:a;1:b;" },
	{ "one of no messages is", 1, 0, 7, "old", "", FOUR(""), ANEW,
	    "folded 0  folded\n", "0:a;1:b;" },
	{ "one of more messages is", 1, 5, 7, "old", FOUR(""), FOUR(""), ANEW,
	    "folded 0  folded\n", "0:a;1:b;" },
	{ "one of other messages is", 1, 2, 7, "old", USER("", "a") "\n"
	    ANSWER("", "B") "\n", FOUR(""), ANEW,
	    "- 0  \nfolded 0  folded\n", "0:a;1:b;" },
	{ "one of a message is", 1, 1, 7, "old", USER("", "a") "\n", FOUR(""),
	    HEADED("8", "what a and b are") TWO(""), "folded 0  folded\n",
	    "4:old;1:b;" },
	{ "one of a letter is", 1, 1, 7, "o", USER("", "a") "\n", FOUR(""),
	    HEADED("8", "what a and b are") TWO(""), "folded 0  folded\n",
	    "4:o;1:b;" },
	{ "one of all messages is", 1, 4, 4, "old", FOUR(""), FOUR(""),
	    HEADED("4", "old"), "unchanged 0  under the trigger\n", "" },
	{ "that of the stream is older", 1, 4, 9, "old",
	    HEADED("2", "what a and b are") USER("", "a") "\n" ANSWER("", "b")
	    "\n", HEADED("2", "what a and b are") FOUR(""),
	    HEADED("9", "old") TWO(""), "unchanged 0  under the trigger\n",
	    "" },
	{ "even if it has more messages", 1, 1, 9, "old",
	    "{\"role\":\"user\",\"content\":\"" HEAD "2 turns)]:\\nc\"}\n",
	    HEADED("2", "c") TWO(""), HEADED("9", "old") TWO(""),
	    "unchanged 0  under the trigger\n", "" },
};

static int
recall_row(void *arg, struct ctx_fold_memo *m)
{
	static char hex[CTX_SHA256_HEX];
	size_t i = *(const size_t *)arg;

	ctx_sha256_hex(recalls[i].of, strlen(recalls[i].of), hex);
	m->summary = recalls[i].summary;
	m->summarylen = strlen(m->summary);
	m->turns = recalls[i].turns;
	m->upto = recalls[i].upto;
	m->sha256 = hex;
	return recalls[i].found;
}

static void
test_recall(size_t i)
{
	struct asked a = { .answer = "what a and b are" };
	struct ctx_fold_job_opts opts = two_stay();
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;

	opts.ask = answer;
	opts.ask_arg = &a;
	opts.recall = recall_row;
	opts.memo_arg = &i;
	j = ctx_fold_job_new(&opts, &err);
	run_times(j, &g, recalls[i].in, 1, 1);
	CHECK_BUF(&g.out, recalls[i].out);
	CHECK_BUF(&g.rows, recalls[i].rows);
	CHECK_BUF(&a.said, recalls[i].said);
	ctx_job_free(j);
	ctx_buf_done(&a.said);
	gave_done(&g);
}

/* Under which keys conversations are remembered: "key/side upto tokens;". */
static int
recall_none(void *arg, struct ctx_fold_memo *m)
{
	ctx_buf_addf(arg, "%.*s/%.*s?;", (int)m->keylen,
	    m->key != NULL ? m->key : "", (int)m->sidelen,
	    m->side != NULL ? m->side : "");
	return 0;
}

static int
remember_key(void *arg, const struct ctx_fold_memo *m, struct ctx_err *err)
{
	(void)err;
	CHECK_INT(m->key == NULL, m->keylen == 0);
	CHECK_INT(m->side == NULL, m->sidelen == 0);
	ctx_buf_addf(arg, "%.*s/%.*s %d %d;", (int)m->keylen,
	    m->key != NULL ? m->key : "", (int)m->sidelen,
	    m->side != NULL ? m->side : "", (int)m->upto, (int)m->tokens);
	return 0;
}

#define SIDE(name, role, text) "{\"type\":\"" role "\",\"uuid\":\"u\"," \
	"\"sessionId\":\"x\",\"parentUuid\":null,\"c\":1000,\"isSidechain\":" \
	"true,\"agentId\":\"" name "\",\"message\":{\"role\":\"" role "\"," \
	"\"content\":\"" text "\"}}\n"

static void
test_keys(const char *by, const char *in, const char *want)
{
	struct ctx_fold_job_opts opts = two_stay();
	struct asked a = { .answer = "what a and b are" };
	struct ctx_buf keys = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;

	opts.ask = answer;
	opts.ask_arg = &a;
	opts.recall = recall_none;
	opts.remember = remember_key;
	opts.memo_arg = &keys;
	j = ctx_fold_job_new(&opts, &err);
	j->turns.by = by;
	run_times(j, &g, in, 1, 1);
	CHECK_BUF(&keys, want);
	ctx_job_free(j);
	ctx_buf_done(&keys);
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
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		TEST("%s", counts[i].what);
		test_count(i, 0);
		test_count(i, 1);
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
	RUN(test_memory());
	for (i = 0; i < sizeof(recalls) / sizeof(recalls[0]); i++) {
		TEST("%s", recalls[i].what);
		test_recall(i);
	}
	/* the answer has 16 characters, 6 tokens */
	RUN(test_keys(NULL, FOUR(""), "/?;/ 2 6;"));
	RUN(test_keys("k", FOUR(K1) FOUR(""), "1/?;1/ 2 6;/?;/ 2 6;"));
	RUN(test_keys("k", "{\"id\":3,\"k\":\"x\",\"messages\":["
	    USER("", "a") "," ANSWER("", "b") "," USER("", "c") ","
	    ANSWER("", "d") "]}\n", "\"x\"/?;\"x\"/ 2 6;"));
	RUN(test_keys(NULL, "{\"k\":1,\"messages\":[" USER("", "a") ","
	    ANSWER("", "b") "," USER("", "c") "," ANSWER("", "d") "]}\n",
	    "/?;/ 2 6;"));
	RUN(test_keys("k", "[" USER("", "a") "," ANSWER("", "b") ","
	    USER("", "c") "," ANSWER("", "d") "]\n", "/?;/ 2 6;"));
	RUN(test_keys(NULL, SIDE("s", "user", "a") SIDE("s", "assistant", "b")
	    SIDE("s", "user", "c") SIDE("s", "assistant", "d"),
	    "/s?;/s 2 6;"));
	RUN(test_threads(0, ""));
	RUN(test_threads(1, ""));
	RUN(test_threads(0, "{oops\n{\"k\":1}\n"));
	RUN(test_threads(1, "{oops\n{\"k\":1}\n"));
	RUN(test_full(1));
	RUN(test_full(3));
	ctx_cost_done(&cost);
	return CHECK_DONE("job_fold");
}
