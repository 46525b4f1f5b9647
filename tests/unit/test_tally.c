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
	{ "roles in conversation lines", CTX_TALLY_ROLE, NULL, NULL,
	    LINE(SAYS(3, "user") "," SAYS(4, "assistant"))
	    LINE(SAYS(1, "assistant")), "", "", { 8, 3, 145 },
	    "user 3 1\nassistant 5 2\n" },
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

/* The same with bytes. */
static void
print_bytes(const struct ctx_tally_table *t, struct ctx_buf *out)
{
	const char *name;
	size_t no, i, len;

	for (no = 0; no < t->names.n; no++)
		for (i = 0; i < t->names.n; i++) {
			name = ctx_strmap_at(&t->names, i, &len);
			if (t->entry[i].no != no)
				continue;
			ctx_buf_add(out, name, len);
			ctx_buf_addf(out, " %d %d %d\n",
			    (int)t->entry[i].sum.tokens,
			    (int)t->entry[i].sum.messages,
			    (int)t->entry[i].sum.bytes);
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

	if (!CHECK(j != NULL))
		return sum;
	j->turns.by = cases[i].key;
	run_times(j, g, cases[i].in, n, threads);
	sum = ctx_tally_take(j);
	ctx_buf_reset(table);
	print_table(ctx_tally_table(j), table);
	ctx_job_free(j);
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
	check_same(&many, &one);
	CHECK_SAME(&b, &a);
	gave_done(&one);
	gave_done(&many);
	ctx_buf_done(&a);
	ctx_buf_done(&b);
}

/* --- what is counted ----------------------------------------------------- */

/* A token is 2.5 characters, at least 1; a definition of f costs 8, all 12. */
#define CALLS	"{\"role\":\"assistant\",\"content\":\"hi\",\"tool_calls\":[{" \
	"\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"lsall\"," \
	"\"arguments\":\"{\\\"a\\\":1}\"}}]}\n"
#define RESULT(id, text) "{\"role\":\"tool\",\"tool_call_id\":\"" id \
	"\",\"content\":\"" text "\"}\n"
#define USES	"{\"messages\":[{\"role\":\"assistant\",\"content\":[{" \
	"\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":" \
	"{\"k\":1}}]},{\"role\":\"user\",\"content\":[{\"type\":" \
	"\"tool_result\",\"tool_use_id\":\"t\",\"content\":[{\"type\":" \
	"\"text\",\"text\":\"12345\"},{\"type\":\"text\",\"text\":" \
	"\"1\"}]},{\"type\":\"text\",\"text\":\"12345\"}]}]}\n"
#define TEXT(role, text) "{\"role\":\"" role "\",\"content\":\"" text "\"}\n"

static const struct {
	const char *what;
	struct ctx_tally_opts opts;	/* tools and cost are set */
	int tools;
	const char *key, *in, *out;
	struct ctx_tally_sum sum;	/* but the bytes, which are all */
	const char *table;	/* "name tokens messages bytes\n", in order */
	const char *rows;
} counts[] = {
	{ "calls and their results by tool", { .by = CTX_TALLY_TOOL }, 0,
	    NULL, CALLS RESULT("c", "12345") RESULT("x", "1"), "",
	    { 1 + 4 + 2 + 1, 3, 0 }, "lsall 6 2 14\n(unknown) 1 1 1\n", "" },
	{ "the texts in a result, and none beside it",
	    { .by = CTX_TALLY_TOOL }, 0, NULL, USES, "",
	    { 1 + 2 + 2 + 1 + 2, 2, 0 }, "f 6 2 13\n", "" },
	{ "definitions are part of a file", { .by = CTX_TALLY_FILE }, 1, NULL,
	    TEXT("user", "12345") TEXT("user", "12345"), "",
	    { 24, 2, 0 }, "", "" },
	{ "and of each conversation in it", { .by = CTX_TALLY_FILE,
	    .conversations = 1 }, 1, "k", "{\"k\":1,\"role\":\"user\","
	    "\"content\":\"1\"}\n{\"messages\":[{\"role\":\"user\",\"content\":"
	    "\"1\"}]}\n{\"k\":2,\"role\":\"user\",\"content\":\"1\"}\n"
	    "{\"k\":1,\"role\":\"user\",\"content\":\"1\"}\n", "",
	    { 64, 4, 0 }, "", "- 2  21 1 45\n- 0 1 22 2 72\n"
	    "- 0 2 21 1 36\n" },
	{ "they have a role", { .by = CTX_TALLY_ROLE }, 1, NULL,
	    TEXT("user", "1") TEXT("tool", "") TEXT("system", "12345"), "",
	    { 23, 3, 0 }, "user 1 1 30\ndefinitions 20 0 0\n"
	    "tool 0 1 29\nsystem 2 1 36\n", "" },
	{ "or a name", { .by = CTX_TALLY_TOOL }, 1, NULL,
	    CALLS RESULT("c", "1"), "", { 1 + 4 + 1 + 20, 2, 184 },
	    "lsall 5 2 10\nf 8 0 0\n", "" },
	{ "messages", { .by = CTX_TALLY_MESSAGE }, 0, NULL,
	    TEXT("user", "1") "\n" TEXT("assistant", "12345"), "",
	    { 3, 2, 0 }, "", "user 1  1 1 30\nassistant 3  2 1 39\n" },
	{ "a number that is there is replaced",
	    { .by = CTX_TALLY_FILE, .annotate = "t" }, 0, NULL,
	    "{\"role\":\"user\",\"t\":\"old\",\"content\":\"12345\"}\n",
	    "{\"role\":\"user\",\"t\":2,\"content\":\"12345\"}\n",
	    { 2, 1, 0 }, "", "" },
	{ "a name of it may need escapes",
	    { .by = CTX_TALLY_FILE, .annotate = "\"" }, 0, NULL,
	    TEXT("user", "1"),
	    "{\"\\\"\":1,\"role\":\"user\",\"content\":\"1\"}\n",
	    { 1, 1, 0 }, "", "" },
	{ "a prompt that is a text has no members",
	    { .by = CTX_TALLY_FILE, .annotate = "t" }, 0, NULL,
	    "{\"system\":\"12345\",\"messages\":[" "{\"role\":\"user\","
	    "\"content\":\"1\"}]}\n",
	    "{\"system\":\"12345\",\"messages\":[{\"t\":1,\"role\":\"user\","
	    "\"content\":\"1\"}]}\n", { 3, 2, 0 }, "", "" },
};

static int
put_sums(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	struct gave *g = arg;

	(void)err;
	ctx_buf_addf(&g->rows, "%s %d %.*s %d %d %d\n",
	    row->rule != NULL ? row->rule : "-", (int)row->line,
	    (int)row->namelen, row->name != NULL ? row->name : "",
	    (int)row->n[0], (int)row->n[1], (int)row->n[2]);
	return 0;
}

static void
open_chars(struct ctx_cost *cost)
{
	struct ctx_err err = { 0 };

	memset(cost, 0, sizeof(*cost));
	cost->choice.tok = ctx_tok_open("chars", &err);
	CHECK_INT(ctx_counter_init(&cost->counter, cost->choice.tok, &err), 0);
	cost->counter.factor = cost->choice.factor = (struct ctx_ratio){ 1, 1 };
	cost->ready = 1;
}

static void
test_count(size_t i)
{
	struct ctx_tool tool = { .name = { "f", 1 } };
	const struct ctx_tools tools = { &tool, 1, 1 };
	const struct ctx_along along = { .tools = &tools };
	struct ctx_tally_opts opts = counts[i].opts;
	struct ctx_buf in = { 0 }, table = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_tally_sum sum;
	struct ctx_cost cost;
	struct gave g = { 0 };
	struct ctx_job *j;

	open_chars(&cost);
	opts.cost = &cost;
	opts.along = counts[i].tools ? &along : NULL;
	j = ctx_tally_new(&opts, &err);
	j->turns.by = counts[i].key;
	j->sink = (struct ctx_sink){ gave_bytes, put_sums, &g };
	ctx_buf_adds(&in, counts[i].in);
	CHECK_INT(give_text(j, &in, &err), 0);
	sum = ctx_tally_take(j);
	CHECK_INT(sum.tokens, counts[i].sum.tokens);
	CHECK_INT(sum.messages, counts[i].sum.messages);
	CHECK_INT(sum.bytes, in.len);
	print_bytes(ctx_tally_table(j), &table);
	CHECK_BUF(&table, counts[i].table);
	CHECK_BUF(&g.rows, counts[i].rows);
	CHECK_BUF(&g.out, counts[i].out);
	/* the file that follows begins at 0, with the same names */
	sum = ctx_tally_take(j);
	CHECK_INT(sum.tokens + sum.messages + sum.bytes, 0);
	ctx_job_free(j);
	ctx_cost_done(&cost);
	ctx_buf_done(&in);
	ctx_buf_done(&table);
	gave_done(&g);
}

/* Names of another file come after those of the first. */
static void
test_files(void)
{
	struct ctx_tally_opts opts = { .by = CTX_TALLY_ROLE,
	    .cost = &by_member };
	struct ctx_err err = { 0 };
	struct ctx_buf table = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j = ctx_tally_new(&opts, &err);

	run_times(j, &g, SAYS(1, "user") "\n" SAYS(2, "assistant") "\n", 1, 1);
	run_times(j, &g, SAYS(4, "system") "\n" SAYS(8, "user") "\n", 1, 3);
	run_times(j, &g, SAYS(16, "assistant") "\n" LINE(SAYS(32, "tool")), 1,
	    1);
	print_table(ctx_tally_table(j), &table);
	CHECK_BUF(&table, "user 9 2\nassistant 18 2\nsystem 4 1\ntool 32 1\n");
	CHECK_INT(ctx_tally_take(j).tokens, 63);
	ctx_job_free(j);
	ctx_buf_done(&table);
	gave_done(&g);
}

/* Of a file that fails, nothing is counted. */
static void
test_failed(void)
{
	struct ctx_tally_opts opts = { .by = CTX_TALLY_FILE,
	    .cost = &by_member, .annotate = "t" };
	struct ctx_err err = { 0 };
	struct gave g = { .fail_at = 100 };
	struct ctx_buf in = { 0 };
	struct ctx_job *j = ctx_tally_new(&opts, &err);
	int i;

	for (i = 0; i < 10; i++)
		ctx_buf_adds(&in, SAYS(1, "user") "\n");
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), -1);
	CHECK_INT(ctx_tally_take(j).tokens, 0);
	g.fail_at = 0;
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), 0);
	CHECK_INT(ctx_tally_take(j).tokens, 10);
	ctx_job_free(j);
	ctx_buf_done(&in);
	gave_done(&g);
}

/* By size: powers of two, and none. */
static void
test_sizes(unsigned threads)
{
	static const char in[] = LINE(SAYS(0, "user") "," SAYS(1, "user") ","
	    SAYS(1, "user") ","
	    SAYS(2, "user") "," SAYS(3, "user") "," SAYS(4, "user") ","
	    SAYS(1024, "user") "," SAYS(1023, "user") ","
	    SAYS(9999999999, "user"));
	struct ctx_tally_opts opts = { .by = CTX_TALLY_SIZE,
	    .cost = &by_member };
	struct ctx_buf sizes = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j = ctx_tally_new(&opts, &err);
	int i;

	run_times(j, &g, in, 500, threads);
	for (i = 0; i < 65; i++)
		if (ctx_tally_sizes(j)[i] > 0)
			ctx_buf_addf(&sizes, "%d:%d ", i,
			    (int)ctx_tally_sizes(j)[i]);
	CHECK_BUF(&sizes, "0:1000 1:1000 2:500 9:500 10:500 33:500 64:500 ");
	ctx_job_free(j);
	ctx_buf_done(&sizes);
	gave_done(&g);
}

/* What a second file has in common with the beginning of the first. */
static void
test_prefix(const char *first, const char *second, uint64_t tokens,
    uint64_t messages, uint64_t bytes)
{
	struct ctx_tally_opts opts = { .by = CTX_TALLY_PREFIX,
	    .cost = &by_member };
	struct ctx_err err = { 0 };
	struct ctx_tally_sum sum;
	struct gave g = { 0 };
	struct ctx_job *j = ctx_tally_new(&opts, &err);

	run_times(j, &g, first, 1, 1);
	sum = ctx_tally_take(j);
	CHECK_INT(sum.tokens + sum.messages + sum.bytes, 0);
	run_times(j, &g, second, 1, 1);
	sum = ctx_tally_take(j);
	CHECK_INT(sum.tokens, tokens);
	CHECK_INT(sum.messages, messages);
	CHECK_INT(sum.bytes, bytes);
	ctx_job_free(j);
	gave_done(&g);
}

#define A1	SAYS(1, "user")
#define B2	SAYS(2, "assistant")
#define C4	SAYS(4, "user")

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
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		TEST("%s", counts[i].what);
		test_count(i);
	}
	RUN(test_files());
	RUN(test_failed());
	RUN(test_sizes(1));
	RUN(test_sizes(3));
	RUN(test_prefix(A1 "\n" B2 "\n" C4 "\n", A1 "\n" B2 "\n" A1 "\n"
	    C4 "\n", 3, 2, 75));
	RUN(test_prefix(A1 "\n" B2 "\n", A1 "\n" B2 "\n" C4 "\n", 3, 2, 75));
	RUN(test_prefix(A1 "\n" B2 "\n" C4 "\n", A1 "\n", 1, 1, 35));
	RUN(test_prefix(A1 "\n", C4 "\n" A1 "\n", 0, 0, 0));
	RUN(test_prefix("", A1 "\n", 0, 0, 0));
	RUN(test_prefix(LINE(A1 "," B2), A1 "\n" C4 "\n", 1, 1, 35));
	RUN(test_prefix(A1 "\n" B2 "\n", LINE(A1 "," B2), 3, 2, 73));
	RUN(test_ahead());
	return CHECK_DONE("tally");
}
