/* SPDX-License-Identifier: MIT */
/* The job of ctx-truncate, run on streams with one and several threads. */
#include "job/cut.h"

#include "check.h"
#include "jobs.h"

#define USER(text)	"{\"role\":\"user\",\"content\":\"" text "\"}"
#define ANSWER(text)	"{\"role\":\"assistant\",\"content\":\"" text "\"}"
#define COSTS(n, text)	"{\"n\":" n ",\"role\":\"user\",\"content\":\"" text \
			"\"}"
#define LINE(list)	"{\"messages\":[" list "]}\n"

/* Messages of Pydantic AI, of which one can have a system prompt and more. */
#define P_SYSTEM	"{\"part_kind\":\"system-prompt\",\"content\":\"s\"}"
#define P_USER(text)	"{\"part_kind\":\"user-prompt\",\"content\":\"" \
			text "\"}"
#define ASKS(parts)	"{\"kind\":\"request\",\"parts\":[" parts "]}"
#define SAYS		"{\"kind\":\"response\",\"parts\":[{\"part_kind\":" \
			"\"text\",\"content\":\"b\"}]}"

static struct ctx_cost by_member = { .key = "n" };

static const struct {
	const char *what;
	struct ctx_cut_opts opts;
	const char *by, *in, *out, *side, *rows;
} cases[] = {
	{ "the newest two messages", { .win = { .last = 2 }, .put_aside = 1 },
	    NULL,
	    USER("a") "\n" ANSWER("b") "\n" USER("c") "\n" ANSWER("d") "\n",
	    USER("c") "\n" ANSWER("d") "\n",
	    USER("a") "\n" ANSWER("b") "\n", "" },
	{ "the same in a conversation line",
	    { .win = { .last = 2 }, .put_aside = 1 }, NULL,
	    LINE(USER("a") "," ANSWER("b") "," USER("c") "," ANSWER("d")),
	    LINE(USER("c") "," ANSWER("d")),
	    LINE(USER("a") "," ANSWER("b")), "" },
	{ "with a note", { .win = { .last = 1 }, .note = 1 }, NULL,
	    LINE(USER("a") "," ANSWER("b") "," USER("c")),
	    LINE(USER("[2 earlier messages left out here]") "," USER("c")),
	    "", "" },
	{ "a message without parts",
	    { .win = { .last = 1 }, .put_aside = 1 }, NULL,
	    "{\"role\":\"user\",\"content\":null}\n" USER("a") "\n",
	    USER("a") "\n", "{\"role\":\"user\",\"content\":null}\n", "" },
	{ "each conversation by its key", { .win = { .last = 1 } }, "k",
	    "{\"k\":1,\"role\":\"user\",\"content\":\"a\"}\n"
	    "{\"k\":2,\"role\":\"user\",\"content\":\"b\"}\n"
	    "{\"k\":1,\"role\":\"user\",\"content\":\"c\"}\n",
	    "{\"k\":2,\"role\":\"user\",\"content\":\"b\"}\n"
	    "{\"k\":1,\"role\":\"user\",\"content\":\"c\"}\n", "", "" },
	{ "nothing changes its place", { .win = { .last = 2 } }, "k",
	    "{\"k\":1,\"role\":\"user\",\"content\":\"a\"}\n"
	    "{\"k\":1,\"meta\":1}\n"
	    "{\"k\":2,\"role\":\"user\",\"content\":\"b\"}\n"
	    "{\"k\":1,\"meta\":2}\n" "{\"k\":1,\"meta\":3}\n"
	    "{\"k\":2,\"meta\":4}\n" "{\"k\":1,\"meta\":5}\n"
	    "{\"k\":2,\"meta\":6}\n",
	    "{\"k\":1,\"role\":\"user\",\"content\":\"a\"}\n"
	    "{\"k\":1,\"meta\":1}\n"
	    "{\"k\":2,\"role\":\"user\",\"content\":\"b\"}\n"
	    "{\"k\":1,\"meta\":2}\n" "{\"k\":1,\"meta\":3}\n"
	    "{\"k\":2,\"meta\":4}\n" "{\"k\":1,\"meta\":5}\n"
	    "{\"k\":2,\"meta\":6}\n", "", "" },
	{ "10 tokens for each conversation",
	    { .win = { .tokens = 10, .has_tokens = 1 }, .counting = 1,
	    .cost = &by_member }, NULL,
	    LINE(COSTS("9", "a") "," COSTS("6", "b") "," COSTS("4", "c"))
	    LINE(COSTS("11", "d")) LINE(COSTS("1", "e")),
	    LINE(COSTS("6", "b") "," COSTS("4", "c")) LINE(COSTS("1", "e")),
	    "", "- 2  what must stay takes 11 tokens" },
	{ "half a message", { .win = { .last = 1 }, .put_aside = 1 }, NULL,
	    ASKS(P_SYSTEM "," P_USER("a")) "\n" SAYS "\n" ASKS(P_USER("c"))
	    "\n",
	    ASKS(P_SYSTEM) "\n" ASKS(P_USER("c")) "\n",
	    ASKS(P_USER("a")) "\n" SAYS "\n", "" },
	{ "half an element", { .win = { .last = 1 }, .put_aside = 1 }, NULL,
	    LINE(ASKS(P_SYSTEM "," P_USER("a")) "," SAYS ","
	    ASKS(P_USER("c"))),
	    LINE(ASKS(P_SYSTEM) "," ASKS(P_USER("c"))),
	    LINE(ASKS(P_USER("a")) "," SAYS), "" },
	{ "both halves", { .win = { .last = 3 }, .put_aside = 1 }, NULL,
	    ASKS(P_SYSTEM "," P_USER("a")) "\n" SAYS "\n" ASKS(P_USER("c"))
	    "\n",
	    ASKS(P_SYSTEM "," P_USER("a")) "\n" SAYS "\n" ASKS(P_USER("c"))
	    "\n", "", "" },
	{ "a note after a half", { .win = { .last = 2 }, .note = 1 }, NULL,
	    ASKS(P_SYSTEM "," P_SYSTEM "," P_USER("a") "," P_USER("a")) "\r\n"
	    SAYS "\r\n" ASKS(P_USER("c")) "\r\n",
	    ASKS(P_SYSTEM "," P_SYSTEM) "\r\n"
	    ASKS(P_USER("[1 earlier message left out here]")) "\r\n"
	    SAYS "\r\n" ASKS(P_USER("c")) "\r\n", "", "" },
	{ "a note before both halves", { .win = { .last = 3 }, .note = 1 }, NULL,
	    ASKS(P_USER("z")) "\n" ASKS(P_SYSTEM "," P_USER("a")) "\n" SAYS
	    "\n" ASKS(P_USER("c")) "\n",
	    ASKS(P_USER("[1 earlier message left out here]")) "\n"
	    ASKS(P_SYSTEM "," P_USER("a")) "\n" SAYS "\n" ASKS(P_USER("c"))
	    "\n", "", "" },
	{ "nothing", { .win = { .last = 1 } }, NULL, "", "", "", "" },
};

static void
cut(size_t i, size_t n, unsigned threads, struct gave *g, void *did)
{
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_cut_new(&cases[i].opts, &err);

	if (!CHECK(j != NULL))
		return;
	j->turns.by = cases[i].by;
	run_times(j, g, cases[i].in, n, threads);
	memcpy(did, ctx_cut_figures(j), sizeof(struct ctx_cut_sums));
	ctx_job_free(j);
}

static void
test_case(size_t i)
{
	struct gave one = { 0 };
	struct ctx_cut_sums a;

	cut(i, 1, 1, &one, &a);
	CHECK_BUF(&one.out, cases[i].out);
	CHECK_BUF(&one.side, cases[i].side);
	CHECK(one.rows.len >= strlen(cases[i].rows) && (one.rows.len == 0 ||
	    memcmp(one.rows.data, cases[i].rows,
	    strlen(cases[i].rows)) == 0));
	CHECK_INT(one.rows.len > 0, cases[i].rows[0] != '\0');
	gave_done(&one);
	check_threads(cut, i, 2000, sizeof(a));
}

/* The totals of messages and conversations. */
static void
test_sums(void)
{
	struct ctx_cut_sums did;
	struct gave g = { 0 };

	cut(1, 3, 2, &g, &did);
	CHECK_INT(did.conversations, 3);
	CHECK_INT(did.cut, 3);
	CHECK_INT(did.kept, 6);
	CHECK_INT(did.dropped, 6);
	gave_done(&g);
}

/* --- which messages stay ------------------------------------------------- */

/*
 * Histories in short: s system, u user, a assistant, c a call, r its result,
 * each with the tokens of its text, which has 5 characters for 2 tokens.  An
 * exclamation mark pins the message.  A call has 2 tokens; n is a user whose
 * name has 40; o is not a message.
 *
 * The result is a character for each message: k is kept, l kept without the
 * body of its result, p in part, and - is gone.  N is the note, before the
 * message that follows it.
 */
static const struct {
	const char *what;
	struct ctx_cut_opts opts;	/* costs are counted if has_tokens */
	uint64_t overhead;
	const char *in, *out, *note;
	/* conversations, cut, kept, dropped, tokens, lean, system */
	uint64_t sums[7];
} shorts[] = {
	{ "the newest two", { .win = { .last = 2 } }, 0,
	    "u2 a2 u2 a2", "--kk", "", { 1, 1, 2, 2, 0, 0 } },
	{ "all", { .win = { .last = 4 }, .note = 1 }, 0,
	    "u2 a2 u2 a2", "kkkk", "", { 1, 0, 4, 0, 0, 0 } },
	{ "a note about one", { .win = { .last = 3 }, .note = 1 }, 0,
	    "u2 a2 u2 a2", "-Nkkk", "[1 earlier message left out here]",
	    { 1, 1, 3, 1, 0, 0 } },
	{ "about several, after the system prompt",
	    { .win = { .last = 1 }, .note = 1 }, 0,
	    "s2 u2 a2 u2", "k--Nk", "[2 earlier messages left out here]",
	    { 1, 1, 1, 2, 0, 0, 1 } },
	{ "several system prompts", { .win = { .last = 1 } }, 0,
	    "s2 s2 u2 s2 s2 s2 a2", "kk-kkkk", "", { 1, 1, 1, 1, 0, 0, 5 } },
	{ "begin with a user",
	    { .win = { .last = 3 }, .start = CTX_CUT_USER }, 0,
	    "u2 a2 u2 a2", "--kk", "", { 1, 1, 2, 2, 0, 0 } },
	{ "begin anywhere", { .win = { .last = 3 }, .start = CTX_CUT_ANY }, 0,
	    "u2 a2 u2 a2", "-kkk", "", { 1, 1, 3, 1, 0, 0 } },
	{ "a call with its result", { .win = { .last = 2 } }, 0,
	    "u2 c r2 a2", "-kkk", "", { 1, 1, 3, 1, 0, 0 } },
	{ "what is pinned", { .win = { .last = 2 }, .pin = "pin" }, 0,
	    "u2 u2! a2 u2 a2", "-k--k", "", { 1, 1, 2, 3, 0, 0 } },
	{ "what nobody pins", { .win = { .last = 2 } }, 0,
	    "u2 u2! a2 u2 a2", "---kk", "", { 1, 1, 2, 3, 0, 0 } },
	{ "without the end", { .win = { .last = 9, .exclude_last = 2 },
	    .note = 1 }, 0, "u2 a2 u2 a2", "kk--", "", { 1, 1, 2, 2, 0, 0 } },
	{ "what is not a message goes with the one before",
	    { .win = { .last = 2 } }, 0,
	    "u2 o u2 o a2 o", "--kkkk", "", { 1, 1, 2, 1, 0, 0 } },
	{ "or stays with a system prompt, or before all messages",
	    { .win = { .last = 1 } }, 0,
	    "o o s2 o o u2 o a2", "kkkkk--k", "", { 1, 1, 1, 1, 0, 0, 1 } },
	{ "several of them", { .win = { .last = 1 } }, 0,
	    "u2 o o o s2 o u2 o o", "----kkkkk", "", { 1, 1, 1, 1, 0, 0, 1 } },
	{ "all of them", { .win = { .last = 9 } }, 0,
	    "u2 o o o u2 o o", "kkkkkkk", "", { 1, 0, 2, 0, 0, 0 } },
	{ "all, with their system prompts", { .win = { .last = 6 } }, 0,
	    "s2 u2 c r2 s2 a2", "kkkkkk", "", { 1, 0, 4, 0, 0, 0, 2 } },
	{ "all that are not system prompts", { .win = { .last = 4 } }, 0,
	    "s2 u2 c r2 s2 a2", "kkkkkk", "", { 1, 0, 4, 0, 0, 0, 2 } },
	{ "all but the end", { .win = { .last = 6,
	    .end_on = CTX_WIN_END_USER } }, 0,
	    "s2 u2 a2", "kk-", "", { 1, 1, 1, 1, 0, 0, 1 } },
	/* tokens */
	{ "a budget that is enough",
	    { .win = { .has_tokens = 1, .tokens = 60 }, .note = 1 }, 0,
	    "u20 a20 u20", "kkk", "", { 1, 0, 3, 0, 0, 0 } },
	{ "one that is not keeps 24 tokens for a note",
	    { .win = { .has_tokens = 1, .tokens = 64 }, .note = 1 }, 0,
	    "u30 a20 u20", "-Nkk",
	    "[1 earlier message (30 tokens) left out here]",
	    { 1, 1, 2, 1, 30, 0 } },
	{ "23 are too few", { .win = { .has_tokens = 1, .tokens = 63 },
	    .note = 1 }, 0, "u30 a20 u20", "--Nk",
	    "[2 earlier messages (50 tokens) left out here]",
	    { 1, 1, 1, 2, 50, 0 } },
	{ "no note, no tokens for it",
	    { .win = { .has_tokens = 1, .tokens = 40 } }, 0,
	    "u30 a20 u20", "-kk", "", { 1, 1, 2, 1, 30, 0 } },
	{ "each message and the note have an overhead",
	    { .win = { .has_tokens = 1, .tokens = 36 }, .note = 1 }, 4,
	    "u30 a2 u4", "--Nk",
	    "[2 earlier messages (40 tokens) left out here]",
	    { 1, 1, 1, 2, 40, 0 } },
	{ "they are too much", { .win = { .has_tokens = 1, .tokens = 35 },
	    .note = 1 }, 4, "u30 a2 u4", NULL, "what must stay takes 36 "
	    "tokens, but the budget is 35", { 0, 0, 0, 0, 0, 0 } },
	{ "the rest of a budget", { .win = { .has_tokens = 1, .tokens = 72 },
	    .partial = 1 }, 0, "u30 u50 a20 u20", "-pkk", "",
	    { 1, 1, 3, 1, 30, 0 } },
	{ "a rest of 31 is too small",
	    { .win = { .has_tokens = 1, .tokens = 71 }, .partial = 1 }, 0,
	    "u30 u50 a20 u20", "--kk", "", { 1, 1, 2, 2, 80, 0 } },
	{ "and one of 35 with an overhead of 4",
	    { .win = { .has_tokens = 1, .tokens = 83 }, .partial = 1 }, 4,
	    "u30 u50 a20 u20", "--kk", "", { 1, 1, 2, 2, 88, 0 } },
	{ "one of 36 is not",
	    { .win = { .has_tokens = 1, .tokens = 84 }, .partial = 1 }, 4,
	    "u30 u50 a20 u20", "-pkk", "", { 1, 1, 3, 1, 34, 0 } },
	{ "no part of a result",
	    { .win = { .has_tokens = 1, .tokens = 72 }, .partial = 1 }, 0,
	    "c r50 a20 u20", "--kk", "", { 1, 1, 2, 2, 52, 0 } },
	{ "the newest message in part",
	    { .win = { .has_tokens = 1, .tokens = 40 }, .partial = 1 }, 0,
	    "u30 u50", "-p", "", { 1, 1, 1, 1, 30, 0 } },
	{ "nothing fits beside a long name",
	    { .win = { .has_tokens = 1, .tokens = 72 }, .partial = 1 }, 0,
	    "u30 n50 a20 u20", "--kk", "", { 1, 1, 2, 2, 120, 0 } },
	{ "which the note counts too", { .win = { .has_tokens = 1,
	    .tokens = 96 }, .partial = 1, .note = 1 }, 0,
	    "u30 n50 a20 u20", "--Nkk",
	    "[2 earlier messages (120 tokens) left out here]",
	    { 1, 1, 2, 2, 120, 0 } },
	{ "20 tokens fit beside it",
	    { .win = { .has_tokens = 1, .tokens = 60 }, .partial = 1 }, 0,
	    "u30 n50", "-p", "", { 1, 1, 1, 1, 30, 0 } },
	{ "nothing fits of the newest",
	    { .win = { .has_tokens = 1, .tokens = 40 }, .partial = 1 }, 0,
	    "u30 n50", NULL, "no part of a message fits the budget",
	    { 0, 0, 0, 0, 0, 0 } },
	/* "[tool result cleared: 125 chars]" has 12 tokens */
	{ "results without their bodies",
	    { .win = { .has_tokens = 1, .tokens = 60, .results_first = 1 } },
	    0, "u20 c r50 a20", "kklk", "", { 1, 1, 4, 0, 0, 1 } },
	{ "only as many as are needed",
	    { .win = { .has_tokens = 1, .tokens = 120, .results_first = 1 } },
	    0, "u20 c r50 c r50", "kklkk", "", { 1, 1, 5, 0, 0, 1 } },
	{ "nothing to cut", { .win = { .has_tokens = 1, .tokens = 124,
	    .results_first = 1 } }, 0, "u20 c r50 c r50", "kkkkk", "",
	    { 1, 0, 5, 0, 0, 0 } },
};

/* Write message i of the history; call is the number of its call. */
static void
add_short(struct ctx_buf *b, const char *word, int i, int call)
{
	int n = atoi(word + 1), k;
	const char *pin = word[strlen(word) - 1] == '!' ?
	    "\"pin\":true," : "";

	if (*word == 'c') {
		ctx_buf_addf(b, "{\"role\":\"assistant\",\"content\":null,"
		    "\"tool_calls\":[{\"id\":\"m%d\",\"type\":\"function\","
		    "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}", i);
		return;
	}
	if (*word == 'o') {
		ctx_buf_addf(b, "{\"meta\":\"m%d\"}", i);
		return;
	}
	if (*word == 'r')
		ctx_buf_addf(b, "{\"tool_call_id\":\"m%d\",\"role\":\"tool\",",
		    call);
	else
		ctx_buf_addf(b, "{%s\"role\":\"%s\",", pin, *word == 's' ?
		    "system" : *word == 'a' ? "assistant" : "user");
	if (*word == 'n') {
		ctx_buf_adds(b, "\"name\":\"");
		for (k = 0; k < 100; k++)
			ctx_buf_addc(b, 'n');
		ctx_buf_adds(b, "\",");
	}
	ctx_buf_adds(b, "\"content\":\"");
	for (k = 0; k < n * 5 / 2 - 2; k++)
		ctx_buf_addc(b, 'x');
	ctx_buf_addf(b, "m%d\"}", i);
}

/* What is known of message i: where it is in out, and how it is there. */
static char
look_for(const char *out, const char *word, int i, int call, size_t *at)
{
	struct ctx_buf whole = { 0 };
	const char *p;
	char end[32], how = '-';

	add_short(&whole, word, i, call);
	snprintf(end, sizeof(end), "xm%d\"", i);
	if ((p = strstr(out, ctx_buf_str(&whole))) != NULL)
		how = 'k';
	else if ((p = strstr(out, end)) != NULL)
		how = 'p';
	else if (*word == 'r') {
		snprintf(end, sizeof(end), "d\":\"m%d\"", call);
		if ((p = strstr(out, end)) != NULL)
			how = 'l';
	}
	*at = p == NULL ? 0 : (size_t)(p - out);
	ctx_buf_done(&whole);
	return how;
}

/* Describe out in short: how each message is there, and the note. */
static void
describe(const char *out, const char *in, const char *note, struct ctx_buf *b)
{
	const char *n = *note == '\0' ? NULL : strstr(out, note);
	char word[8], how;
	int i = 0, call = 0;
	size_t at, len;

	for (; *in != '\0'; in += len + (in[len] == ' '), i++) {
		len = strcspn(in, " ");
		snprintf(word, sizeof(word), "%.*s", (int)len, in);
		how = look_for(out, word, i, call, &at);
		if (*word == 'c')
			call = i;
		if (n != NULL && how != '-' && (size_t)(n - out) < at) {
			ctx_buf_addc(b, 'N');
			n = NULL;
		}
		ctx_buf_addc(b, how);
	}
}

static void
test_short(size_t i, int whole)
{
	static const struct ctx_ratio one = { 1, 1 };
	struct ctx_cut_opts opts = shorts[i].opts;
	struct ctx_cost count = { .overhead = shorts[i].overhead };
	struct ctx_buf in = { 0 }, got = { 0 };
	const char *p = shorts[i].in, *want = shorts[i].out;
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;
	int n = 0, call = 0, k;
	char word[8];
	size_t len;

	count.choice.tok = ctx_tok_open("chars", &err);
	CHECK_INT(ctx_counter_init(&count.counter, count.choice.tok, &err), 0);
	count.choice.factor = count.counter.factor = one;
	count.ready = 1;
	opts.cost = &count;
	opts.counting = opts.win.has_tokens;
	opts.put_aside = 1;
	ctx_buf_adds(&in, whole ? "{\"messages\":[" : "");
	for (; *p != '\0'; p += len + (p[len] == ' '), n++) {
		len = strcspn(p, " ");
		snprintf(word, sizeof(word), "%.*s", (int)len, p);
		ctx_buf_adds(&in, whole && n > 0 ? "," : "");
		add_short(&in, word, n, call);
		if (*word == 'c')
			call = n;
		ctx_buf_adds(&in, whole ? "" : "\n");
	}
	ctx_buf_adds(&in, whole ? "]}\n" : "");
	j = ctx_cut_new(&opts, &err);
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), 0);
	if (want == NULL) {
		CHECK_INT(g.out.len + g.side.len, 0);
		CHECK(strstr(ctx_buf_str(&g.rows), shorts[i].note) != NULL);
	} else {
		describe(ctx_buf_str(&g.out), shorts[i].in, shorts[i].note,
		    &got);
		CHECK_BUF(&got, want);
		/* whatever is not there whole was put aside */
		ctx_buf_reset(&got);
		describe(ctx_buf_str(&g.side), shorts[i].in, "", &got);
		for (p = want, k = 0; *p != '\0'; p++)
			if (*p != 'N')
				CHECK_INT(got.data[k++] == 'k', *p != 'k' &&
				    *p != 'N');
	}
	CHECK_INT(j->changed, shorts[i].sums[1]);
	CHECK(memcmp(ctx_cut_figures(j), shorts[i].sums,
	    sizeof(shorts[i].sums)) == 0);
	ctx_job_free(j);
	ctx_cost_done(&count);
	ctx_buf_done(&in);
	ctx_buf_done(&got);
	gave_done(&g);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("%s", cases[i].what);
		test_case(i);
	}
	for (i = 0; i < sizeof(shorts) / sizeof(shorts[0]); i++) {
		TEST("%s", shorts[i].what);
		test_short(i, 0);
		test_short(i, 1);
	}
	RUN(test_sums());
	return CHECK_DONE("cut");
}
