/* SPDX-License-Identifier: MIT */
/* The job of ctx-convert, run on whole streams with one and several threads. */
#include "job/convert_job.h"

#include "check.h"
#include "jobs.h"

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
	{ "conversations that would lose something", "sharegpt", NULL,
	    CTX_AS_CAME, 1,
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n"
	    "{\"messages\":[{\"role\":\"user\",\"name\":\"bob\",\"content\":"
	    "\"b\"}]}\n"
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"c\"}]}\n",
	    "{\"conversations\":[{\"from\":\"human\",\"value\":\"a\"}]}\n"
	    "{\"conversations\":[{\"from\":\"human\",\"value\":\"c\"}]}\n",
	    "- 2  \n" },
	{ "blank lines and other records", "gemini", NULL, CTX_AS_CAME, 0,
	    "\n{\"meta\":1}\n" USER("", "hi") "\n",
	    "{\"role\":\"user\",\"parts\":[{\"text\":\"hi\"}]}\n", "" },
	{ "nothing", "gemini", NULL, CTX_AS_CAME, 0, "", "", "" },
};

/* Run the job of the case on its text, n times. */
static void
convert(size_t i, size_t n, unsigned threads, struct gave *g,
    struct ctx_convert_job_sums *did)
{
	struct ctx_convert_job_opts opts = { .to = ctx_target_find(cases[i].to),
	    .shape = cases[i].shape, .strict = cases[i].strict };
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_convert_job_new(&opts, &err);

	if (!CHECK(j != NULL))
		return;
	j->turns.by = cases[i].by;
	run_times(j, g, cases[i].in, n, threads);
	*did = *ctx_convert_job_figures(j);
	ctx_job_free(j);
}

static void
test_case(size_t i)
{
	struct gave one = { 0 }, many = { 0 };
	struct ctx_convert_job_sums a, b;

	convert(i, 1, 1, &one, &a);
	CHECK_BUF(&one.out, cases[i].out);
	CHECK_BUF(&one.rows, cases[i].rows);
	gave_done(&one);
	convert(i, 2000, 1, &one, &a);
	convert(i, 2000, 3, &many, &b);
	CHECK_SAME(&many.out, &one.out);
	CHECK_SAME(&many.rows, &one.rows);
	CHECK(memcmp(&a, &b, sizeof(a)) == 0);
	gave_done(&one);
	gave_done(&many);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("%s", cases[i].what);
		test_case(i);
	}
	return CHECK_DONE("convert_job");
}
