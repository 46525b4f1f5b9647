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
	{ "10 tokens for each conversation",
	    { .win = { .tokens = 10, .has_tokens = 1 }, .counting = 1,
	    .cost = &by_member }, NULL,
	    LINE(COSTS("9", "a") "," COSTS("6", "b") "," COSTS("4", "c"))
	    LINE(COSTS("11", "d")) LINE(COSTS("1", "e")),
	    LINE(COSTS("6", "b") "," COSTS("4", "c")) LINE(COSTS("1", "e")),
	    "", "- 2  what must stay takes 11 tokens" },
	{ "nothing", { .win = { .last = 1 } }, NULL, "", "", "", "" },
};

static void
cut(size_t i, size_t n, unsigned threads, struct gave *g,
    struct ctx_cut_sums *did)
{
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_cut_new(&cases[i].opts, &err);

	if (!CHECK(j != NULL))
		return;
	j->turns.by = cases[i].by;
	run_times(j, g, cases[i].in, n, threads);
	*did = *ctx_cut_figures(j);
	ctx_job_free(j);
}

static void
test_case(size_t i)
{
	struct gave one = { 0 }, many = { 0 };
	struct ctx_cut_sums a, b;

	cut(i, 1, 1, &one, &a);
	CHECK_BUF(&one.out, cases[i].out);
	CHECK_BUF(&one.side, cases[i].side);
	CHECK(one.rows.len >= strlen(cases[i].rows) && (one.rows.len == 0 ||
	    memcmp(one.rows.data, cases[i].rows,
	    strlen(cases[i].rows)) == 0));
	CHECK_INT(one.rows.len > 0, cases[i].rows[0] != '\0');
	gave_done(&one);
	cut(i, 2000, 1, &one, &a);
	cut(i, 2000, 3, &many, &b);
	CHECK_SAME(&many.out, &one.out);
	CHECK_SAME(&many.side, &one.side);
	CHECK_SAME(&many.rows, &one.rows);
	CHECK(memcmp(&a, &b, sizeof(a)) == 0);
	gave_done(&one);
	gave_done(&many);
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

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("%s", cases[i].what);
		test_case(i);
	}
	RUN(test_sums());
	return CHECK_DONE("cut");
}
