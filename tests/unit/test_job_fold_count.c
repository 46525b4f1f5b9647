/* SPDX-License-Identifier: MIT */
/* The job of ctx-summarize: what is counted, and what it decides by that. */
#include "folds.h"

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

int
main(void)
{
	size_t i;

	TEST("the counter");
	open_cost();
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		TEST("%s", counts[i].what);
		test_count(i, 0);
		test_count(i, 1);
	}
	ctx_cost_done(&cost);
	return CHECK_DONE("job_fold_count");
}
