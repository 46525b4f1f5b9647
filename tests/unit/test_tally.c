/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-count, run on whole streams with one and several threads.
 * Each message states its cost, so that a tokenizer is used only when texts are
 * counted in advance.
 */
#include "job/tally.h"

#include "check.h"
#include "jobs.h"

#define SAYS(n, role)	"{\"n\":" #n ",\"role\":\"" role "\",\"content\":\"\"}"
#define LINE(list)	"{\"messages\":[" list "]}\n"

static struct ctx_cost by_member = { .key = "n" };

static const struct {
	const char *what;
	enum ctx_tally_by by;
	const char *key, *annotate, *in, *out, *rows;
	struct ctx_tally_sum sum;
	const char *table;	/* "name tokens messages\n", in order */
} cases[] = {
	{ "a file", CTX_TALLY_FILE, NULL, NULL,
	    SAYS(3, "user") "\n" SAYS(4, "assistant") "\n", "", "",
	    { 7, 2, 75 }, "" },
	{ "roles, by first occurrence", CTX_TALLY_ROLE, NULL, NULL,
	    SAYS(3, "user") "\n" SAYS(4, "assistant") "\n" SAYS(1, "user")
	    "\n", "", "", { 8, 3, 110 }, "user 4 2\nassistant 4 1\n" },
	{ "messages", CTX_TALLY_MESSAGE, NULL, NULL,
	    SAYS(3, "user") "\n" LINE(SAYS(4, "assistant")), "",
	    "user 1  \nassistant 2  \n", { 7, 2, 90 }, "" },
	{ "conversations: lines first, others at the end",
	    CTX_TALLY_CONVERSATION, "k", NULL,
	    "{\"k\":\"b\",\"n\":1,\"role\":\"user\",\"content\":\"\"}\n"
	    "{\"k\":\"a\",\"n\":2,\"role\":\"user\",\"content\":\"\"}\n"
	    LINE(SAYS(9, "user"))
	    "{\"k\":\"b\",\"n\":4,\"role\":\"user\",\"content\":\"\"}\n",
	    "", "- 3  \n- 0 \"b\" \n- 0 \"a\" \n", { 16, 4, 179 }, "" },
	{ "annotated", CTX_TALLY_FILE, NULL, "t",
	    SAYS(3, "user") "\n\n" LINE(SAYS(4, "user")),
	    "{\"t\":3,\"n\":3,\"role\":\"user\",\"content\":\"\"}\n\n"
	    LINE("{\"t\":4,\"n\":4,\"role\":\"user\",\"content\":\"\"}"), "",
	    { 7, 2, 86 }, "" },
	{ "nothing", CTX_TALLY_ROLE, NULL, NULL, "", "", "", { 0, 0, 0 }, "" },
};

static void
print_table(const struct ctx_tally_table *t, struct ctx_buf *out)
{
	const char *name;
	size_t no, i, len;

	for (no = 0; no < t->names.n; no++)
		for (i = 0; i < t->names.n; i++) {
			name = ctx_strmap_at(&t->names, i, &len);
			if (t->entry[i].no == no)
				ctx_buf_addf(out, "%.*s %d %d\n", (int)len,
				    name, (int)t->entry[i].sum.tokens,
				    (int)t->entry[i].sum.messages);
		}
}

static struct ctx_tally_sum
count(size_t i, size_t n, unsigned threads, struct gave *g,
    struct ctx_buf *table)
{
	struct ctx_tally_opts opts = { .by = cases[i].by,
	    .annotate = cases[i].annotate, .cost = &by_member };
	struct ctx_tally_sum sum = { 0, 0, 0 };
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_tally_new(&opts, &err);
	struct ctx_buf in = { 0 };

	if (!CHECK(j != NULL))
		return sum;
	j->turns.by = cases[i].key;
	while (n-- > 0)
		ctx_buf_adds(&in, cases[i].in);
	CHECK_INT(run_text(j, g, &in, threads, CTX_BAD_STOP), 0);
	sum = ctx_tally_take(j);
	ctx_buf_reset(table);
	print_table(ctx_tally_table(j), table);
	ctx_job_free(j);
	ctx_buf_done(&in);
	return sum;
}

static void
test_case(size_t i)
{
	struct gave one = { 0 }, many = { 0 };
	struct ctx_buf a = { 0 }, b = { 0 };
	struct ctx_tally_sum x, y;

	x = count(i, 1, 1, &one, &a);
	CHECK_BUF(&one.out, cases[i].out);
	CHECK_BUF(&one.rows, cases[i].rows);
	CHECK_BUF(&a, cases[i].table);
	CHECK_INT(x.tokens, cases[i].sum.tokens);
	CHECK_INT(x.messages, cases[i].sum.messages);
	CHECK_INT(x.bytes, cases[i].sum.bytes);
	gave_done(&one);
	x = count(i, 2000, 1, &one, &a);
	y = count(i, 2000, 3, &many, &b);
	CHECK(memcmp(&x, &y, sizeof(x)) == 0);
	CHECK_SAME(&many.out, &one.out);
	CHECK_SAME(&many.rows, &one.rows);
	CHECK_SAME(&b, &a);
	gave_done(&one);
	gave_done(&many);
	ctx_buf_done(&a);
	ctx_buf_done(&b);
}

/* The strings of a long conversation are counted in advance, each once. */
static void
test_ahead(void)
{
	struct ctx_cost cost = { .overhead = 4 };
	struct ctx_tally_opts opts = { .cost = &cost };
	struct ctx_tally_sum one, many;
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j;
	int i;

	cost.choice.tok = ctx_tok_open("o200k_base", &err);
	if (!CHECK(cost.choice.tok != NULL) ||
	    !CHECK_INT(ctx_counter_init(&cost.counter, cost.choice.tok, &err),
	    0))
		return;
	cost.counter.factor = (struct ctx_ratio){ 1, 1 };
	cost.ready = 1;
	for (i = 0; i < 40000; i++)
		ctx_buf_addf(&in, "{\"role\":\"user\",\"content\":\"number %d, "
		    "of those that are long enough to be noted, and %s\"}\n",
		    i, i % 3 == 0 ? "it \\\"quotes\\\\\\\"" : "no more");
	j = ctx_tally_new(&opts, &err);
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), 0);
	one = ctx_tally_take(j);
	CHECK_INT(run_text(j, &g, &in, 3, CTX_BAD_STOP), 0);
	many = ctx_tally_take(j);
	CHECK(memcmp(&one, &many, sizeof(one)) == 0);
	CHECK_INT(one.messages, 40000);
	ctx_job_free(j);
	ctx_cost_done(&cost);
	ctx_buf_done(&in);
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
	RUN(test_ahead());
	return CHECK_DONE("tally");
}
