/* SPDX-License-Identifier: MIT */
/* The job of ctx-convert, run on whole streams with one and several threads. */
#include "job/convert_job.h"

#include "check.h"
#include "jobs.h"

#define ITEM(text) "{\"input\":[{\"type\":\"message\",\"role\":\"user\"," \
	"\"content\":[{\"type\":\"input_text\",\"text\":\"" text "\"}]}]}\n"
#define USER(key, text) "{" key "\"role\":\"user\",\"content\":\"" text "\"}\n"
#define ANSWER(key, text) \
	"{" key "\"role\":\"assistant\",\"content\":\"" text "\"}\n"

static const struct {
	const char *what, *to, *by;
	enum ctx_convert_shape shape;
	int strict;
	const char *in, *out, *rows;
} cases[] = {
	{ "message lines", "gemini", NULL, CTX_AS_CAME, 0,
	    USER("", "hi") ANSWER("", "ho"),
	    "{\"role\":\"user\",\"parts\":[{\"text\":\"hi\"}]}\n"
	    "{\"role\":\"model\",\"parts\":[{\"text\":\"ho\"}]}\n", "" },
	{ "a conversation line", "gemini", NULL, CTX_AS_CAME, 0,
	    "{\"id\":7,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n",
	    "{\"id\":7,\"contents\":[{\"role\":\"user\",\"parts\":"
	    "[{\"text\":\"hi\"}]}]}\n", "" },
	{ "two conversations, in the order of beginning", "sharegpt", "k",
	    CTX_CONVERSATION, 0,
	    USER("\"k\":1,", "a") USER("\"k\":2,", "b") ANSWER("\"k\":1,", "c")
	    ANSWER("\"k\":2,", "d"),
	    "{\"k\":1,\"conversations\":[{\"from\":\"human\",\"value\":\"a\"},"
	    "{\"from\":\"gpt\",\"value\":\"c\"}]}\n"
	    "{\"k\":2,\"conversations\":[{\"from\":\"human\",\"value\":\"b\"},"
	    "{\"from\":\"gpt\",\"value\":\"d\"}]}\n", "" },
	{ "a blank line separates conversations", "text", "k", CTX_AS_CAME, 0,
	    USER("\"k\":1,", "a") USER("\"k\":2,", "b"),
	    "USER: a\n\nUSER: b\n", "" },
	{ "conversations that would lose something", "openai-responses", NULL,
	    CTX_AS_CAME, 1,
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n"
	    "{\"messages\":[{\"role\":\"user\",\"name\":\"bob\",\"content\":"
	    "\"b\"}]}\n"
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"c\"}]}\n",
	    ITEM("a") ITEM("c"), "- 2  \n" },
	{ "blank lines and other records", "gemini", NULL, CTX_AS_CAME, 0,
	    "\n{\"meta\":1}\n" USER("", "hi") "\n",
	    "{\"role\":\"user\",\"parts\":[{\"text\":\"hi\"}]}\n", "" },
	{ "nothing", "gemini", NULL, CTX_AS_CAME, 0, "", "", "" },
};

/* Run the job of the case on its text, n times. */
static void
convert(size_t i, size_t n, unsigned threads, struct gave *g, void *did)
{
	struct ctx_convert_job_opts opts = { .to = ctx_target_find(cases[i].to),
	    .shape = cases[i].shape, .strict = cases[i].strict };
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_convert_job_new(&opts, &err);

	if (!CHECK(j != NULL))
		return;
	j->turns.by = cases[i].by;
	run_times(j, g, cases[i].in, n, threads);
	memcpy(did, ctx_convert_job_figures(j),
	    sizeof(struct ctx_convert_job_sums));
	ctx_job_free(j);
}

static void
test_case(size_t i)
{
	struct gave one = { 0 };
	struct ctx_convert_job_sums a;

	convert(i, 1, 1, &one, &a);
	CHECK_BUF(&one.out, cases[i].out);
	CHECK_BUF(&one.rows, cases[i].rows);
	gave_done(&one);
	check_threads(convert, i, 2000, sizeof(a));
}

/* --- what is lost -------------------------------------------------------- */

#define LINE(list) "{\"messages\":[" list "]}\n"
#define SAYS(role, more) "{\"role\":\"" role "\"" more "}"
#define A	SAYS("user", ",\"content\":\"a\"")
#define BOB	SAYS("user", ",\"name\":\"bob\",\"content\":\"b\"")
#define CALLS	SAYS("assistant", ",\"content\":null,\"tool_calls\":[{\"id\":" \
	"\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\"," \
	"\"arguments\":\"{}\"}}]")
#define ODD	SAYS("user", ",\"content\":[{\"type\":\"odd\"}]")
#define SEALED	SAYS("assistant", ",\"content\":[{\"type\":\"compaction\"," \
	"\"encrypted_content\":\"x\"}]")
#define GEMINI_A "{\"contents\":[{\"role\":\"user\",\"parts\":[{" \
	"\"text\":\"a\"}]}]}\n"
#define SHARE_A	"{\"conversations\":[{\"from\":\"human\",\"value\":\"a\"}]}\n"
#define SHARE_B	"{\"conversations\":[{\"from\":\"human\",\"value\":\"b\"}]}\n"

/* Rows are "loses line name:1 ...\n", "sealed line\n", "nothing line\n". */
static const struct {
	const char *what, *to;
	int strict;
	const char *in, *out, *rows;
	uint64_t conversations, calls, parts, names, unknown;	/* the totals */
	const char *types;	/* of the parts that are left out, in all */
} losses[] = {
	{ "nothing", "sharegpt", 0, LINE(A) LINE(A), SHARE_A SHARE_A, "",
	    2, 0, 0, 0, 0, "" },
	{ "names", "sharegpt", 0, LINE(A) LINE(BOB) LINE(BOB), SHARE_A SHARE_B
	    SHARE_B, "", 3, 0, 0, 2, 0, "" },
	{ "with strict, names of what is written", "openai-responses", 1,
	    LINE(BOB) LINE(A) LINE(BOB), ITEM("a"), "loses 1 name:1\nloses 3 name:1\n",
	    3, 0, 0, 0, 0, "" },
	{ "several", "openai-responses", 1, LINE(BOB "," A "," ODD "," BOB ","
	    CALLS "," A) LINE(A), ITEM("a"),
	    "loses 1 call:1 part:1 name:2 types:odd\n", 2, 0, 0, 0, 0, "" },
	{ "parts", "gemini", 0, LINE(ODD "," A) LINE(A "," ODD),
	    GEMINI_A
	    GEMINI_A,
	    "", 2, 0, 2, 0, 0, "odd:2" },
	{ "all parts", "gemini", 0, LINE(ODD) LINE(A),
	    GEMINI_A,
	    "nothing 1\n", 2, 0, 0, 0, 0, "" },
	{ "what is sealed", "gemini", 0, LINE(A "," SEALED "," BOB) LINE(A),
	    GEMINI_A,
	    "sealed 1\n", 2, 0, 0, 0, 0, "" },
	{ "no message", "gemini", 0, "\n{\"a\":1}\n{\"messages\":[]}\n",
	    "{\"contents\":[]}\n", "", 1, 0, 0, 0, 1, "" },
	{ "what is no message", "gemini", 0, LINE("7," A ",{},\"s\",null,{\"b\":1}"),
	    GEMINI_A, "", 1, 0, 0, 0, 4, "" },
	{ "with strict, the same", "gemini", 1, LINE(A ",true") "{\"a\":1}\n"
	    LINE(A) LINE(A ",null"), GEMINI_A GEMINI_A,
	    "loses 1 unknown:1\nloses 2 unknown:1\n", 3, 0, 0, 0, 0, "" },
	{ "in the same dialect, it stays", "openai", 1, LINE(A ",{\"b\":1},7"),
	    LINE(A ",{\"b\":1},7"), "", 1, 0, 0, 0, 0, "" },
};

static void
put_types(struct ctx_buf *b, const struct ctx_types *t, const char *form)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		ctx_buf_addf(b, form, t->type[i].name);
		if (strchr(form, ':') == NULL)
			ctx_buf_addf(b, ":%d", (int)t->type[i].n);
	}
}

static int
put_loss(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	static const char *const whats[] = { "loses", "sealed", "nothing" };
	static const char *const names[CTX_L_N] = { [CTX_L_CALL] = "call",
	    [CTX_L_PART] = "part", [CTX_L_NAME] = "name",
	    [CTX_L_UNKNOWN] = "unknown" };
	struct ctx_types_lost left;
	struct gave *g = arg;
	size_t i;

	(void)err;
	ctx_buf_addf(&g->rows, "%s %d", whats[row->what], (int)row->line);
	for (i = 0; i < CTX_L_N; i++)
		if (row->n[i] > 0)
			ctx_buf_addf(&g->rows, " %s:%d", names[i] != NULL ?
			    names[i] : "other", (int)row->n[i]);
	if (row->text != NULL) {
		CHECK_INT(row->textlen, sizeof(left));
		memcpy(&left, row->text, sizeof(left));
		put_types(&g->rows, &left.parts, " types:%s");
	}
	ctx_buf_adds(&g->rows, "\n");
	return 0;
}

static void
test_losses(size_t i)
{
	struct ctx_convert_job_opts opts = {
	    .to = ctx_target_find(losses[i].to), .strict = losses[i].strict };
	const struct ctx_convert_job_sums *did;
	struct ctx_buf in = { 0 }, types = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j = ctx_convert_job_new(&opts, &err);
	uint64_t sum = 0;
	size_t k;

	j->sink = (struct ctx_sink){ gave_bytes, put_loss, &g };
	ctx_buf_adds(&in, losses[i].in);
	CHECK_INT(give_text(j, &in, &err), 0);
	CHECK_BUF(&g.out, losses[i].out);
	CHECK_BUF(&g.rows, losses[i].rows);
	did = ctx_convert_job_figures(j);
	CHECK_INT(did->conversations, losses[i].conversations);
	for (k = 0; k < CTX_L_N; k++)
		sum += did->loss[k];
	CHECK_INT(did->loss[CTX_L_CALL], losses[i].calls);
	CHECK_INT(did->loss[CTX_L_PART], losses[i].parts);
	CHECK_INT(did->loss[CTX_L_NAME], losses[i].names);
	CHECK_INT(did->loss[CTX_L_UNKNOWN], losses[i].unknown);
	CHECK_INT(sum, losses[i].calls + losses[i].parts + losses[i].names +
	    losses[i].unknown);
	put_types(&types, &did->left.parts, "%s");
	CHECK_BUF(&types, losses[i].types);
	ctx_job_free(j);
	ctx_buf_done(&in);
	ctx_buf_done(&types);
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
	for (i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		TEST("losses: %s", losses[i].what);
		test_losses(i);
	}
	return CHECK_DONE("convert_job");
}
