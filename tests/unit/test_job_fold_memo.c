/* SPDX-License-Identifier: MIT */
/* The job of ctx-summarize: what is remembered of a conversation. */
#include "base/sha256.h"

#include "folds.h"

/* from sha256sum: the first two lines of FOUR(""), with their newlines */
#define SHA		"e7d34907f31066557e1d54bd4efb41d3363a684e4c92d398e1d48cb9926e167d"

struct memory {
	struct ctx_fold_memo memo;	/* summarylen 0: there is no state */
	char sha256[65];
	int times;			/* calls of remember */
};

static int
recall(void *arg, struct ctx_fold_memo *m, struct ctx_err *err)
{
	const struct memory *mem = arg;

	(void)err;
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
recall_row(void *arg, struct ctx_fold_memo *m, struct ctx_err *err)
{
	static char hex[CTX_SHA256_HEX];
	size_t i = *(const size_t *)arg;

	(void)err;
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
recall_none(void *arg, struct ctx_fold_memo *m, struct ctx_err *err)
{
	(void)err;
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

int
main(void)
{
	size_t i;

	TEST("the counter");
	open_cost();
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
	ctx_cost_done(&cost);
	return CHECK_DONE("job_fold_memo");
}
