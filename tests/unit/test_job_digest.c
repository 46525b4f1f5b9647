/* SPDX-License-Identifier: MIT */
/* The job of ctx-digest-files, run with one and several threads. */
#include "job/digest_job.h"

#include "check.h"
#include "jobs.h"

/* The contents of a file, and their SHA-256 from sha256sum. */
#define FILE_TEXT \
	"# Loads the rows of a file, and takes out those that are empty.\\n" \
	"def load():\\n    return open(\\\"x\\\").read()\\n\\n" \
	"def clean(rows):\\n    return [r for r in rows if r]\\n"
#define FILE_SHA \
	"94cb8c9436d4c61b4613aadd3c1beccd1d6c62ca2f9546bbfb6bde08804dbc23"
#define LINE		"a.py (python, 6 lines, functions: load, clean)"

#define CALL(key, name, args) "{" key "\"role\":\"assistant\",\"content\":" \
	"null,\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\"," \
	"\"function\":{\"name\":\"" name "\",\"arguments\":\"" args "\"}}]}\n"
#define READ(key)	CALL(key, "read_file", "{\\\"path\\\":\\\"a.py\\\"}")
#define RESULT(key, text) "{" key "\"role\":\"tool\",\"tool_call_id\":\"c1\"," \
	"\"content\":\"" text "\"}\n"
#define ANSWER(key)	"{" key "\"role\":\"assistant\",\"content\":\"Ok.\"}\n"
#define K1		"\"k\":1,"
#define K2		"\"k\":2,"

static const struct {
	const char *what;
	struct ctx_digest_job_opts opts;
	const char *by, *in, *out, *rows;
} cases[] = {
	{ "a file that was read becomes a line", { .width = 240 }, NULL,
	    READ("") RESULT("", FILE_TEXT) ANSWER(""),
	    READ("") RESULT("", "[file read] " LINE) ANSWER(""), "" },
	{ "in Chinese", { .width = 240, .lang = CTX_ZH }, NULL,
	    READ("") RESULT("", FILE_TEXT) ANSWER(""),
	    READ("") RESULT("", "[文件已读取] a.py (python, 6行, 函数: load, "
	    "clean)") ANSWER(""), "" },
	{ "contents are stored first, under the hash in the line",
	    { .width = 240, .keep = 1 }, NULL,
	    READ("") RESULT("", FILE_TEXT) ANSWER(""),
	    READ("") RESULT("", "[file read] " LINE " sha256:" FILE_SHA)
	    ANSWER(""), "- 0 " FILE_SHA " # Loads the rows of a file, and "
	    "takes out those that are empty.\ndef load():\n    return "
	    "open(\"x\").read()\n\ndef clean(rows):\n    return [r for r in "
	    "rows if r]\n\n" },
	{ "a file without an answer after it is kept", { .width = 240 }, NULL,
	    READ("") RESULT("", FILE_TEXT), READ("") RESULT("", FILE_TEXT),
	    "" },
	{ "a small file is kept", { .width = 240, .min = 1000 }, NULL,
	    READ("") RESULT("", FILE_TEXT) ANSWER(""),
	    READ("") RESULT("", FILE_TEXT) ANSWER(""), "" },
	{ "a file shorter than its line is kept", { .width = 240 }, NULL,
	    READ("") RESULT("", "def f(): pass\\n") ANSWER(""),
	    READ("") RESULT("", "def f(): pass\\n") ANSWER(""), "" },
	{ "results of other tools are kept", { .width = 240 }, NULL,
	    CALL("", "fetch", "{}") RESULT("", FILE_TEXT) ANSWER(""),
	    CALL("", "fetch", "{}") RESULT("", FILE_TEXT) ANSWER(""), "" },
	{ "conversations by their keys", { .width = 240 }, "k",
	    READ(K1) READ(K2) RESULT(K2, FILE_TEXT) "{\"meta\":1}\n"
	    RESULT(K1, FILE_TEXT) ANSWER(K2),
	    READ(K1) READ(K2) RESULT(K2, "[file read] " LINE)
	    "{\"meta\":1}\n" RESULT(K1, FILE_TEXT) ANSWER(K2), "" },
	{ "nothing", { .width = 240 }, NULL, "", "", "" },
};

static void
digest(size_t i, size_t n, unsigned threads, struct gave *g, void *did)
{
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_digest_job_new(&cases[i].opts, &err);

	if (!CHECK(j != NULL))
		return;
	j->turns.by = cases[i].by;
	run_times(j, g, cases[i].in, n, threads);
	memcpy(did, ctx_digest_job_figures(j),
	    sizeof(struct ctx_digest_job_sums));
	ctx_job_free(j);
}

static void
test_case(size_t i)
{
	struct gave one = { 0 };
	struct ctx_digest_job_sums a;

	digest(i, 1, 1, &one, &a);
	CHECK_BUF(&one.out, cases[i].out);
	CHECK_BUF(&one.rows, cases[i].rows);
	CHECK_INT(a.contents > 0, strcmp(cases[i].in, cases[i].out) != 0);
	/* eight characters of the file are escaped with a backslash */
	CHECK_INT(a.before - a.after, strlen(cases[i].in) -
	    strlen(cases[i].out) - 8 * a.contents);
	gave_done(&one);
	check_threads(digest, i, 300, sizeof(a));
}

#define WHOLE "{\"messages\":[{\"role\":\"assistant\",\"content\":null," \
	"\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":" \
	"{\"name\":\"read_file\",\"arguments\":\"{\\\"path\\\":\\\"a.py\\\"}" \
	"\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\""
#define WHOLE_END "\"},{\"role\":\"assistant\",\"content\":\"Ok.\"}]}\n"

/* Conversation lines with a bad line between them. */
static void
test_lines(unsigned threads)
{
	struct ctx_digest_job_opts opts = { .width = 240, .keep = 1 };
	struct ctx_buf in = { 0 }, want = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j = ctx_digest_job_new(&opts, &err);
	size_t i;

	for (i = 0; i < 400; i++) {
		ctx_buf_adds(&in, i == 350 ? "{oops\n" : "");
		ctx_buf_adds(&in, WHOLE FILE_TEXT WHOLE_END);
		ctx_buf_adds(&want, WHOLE "[file read] " LINE " sha256:"
		    FILE_SHA WHOLE_END);
	}
	CHECK_INT(run_text(j, &g, &in, threads, CTX_BAD_SKIP), 0);
	CHECK_SAME(&g.out, &want);
	CHECK_BUF(&g.bad, "351:2\n");
	CHECK_INT(j->changed, 1);
	CHECK_INT(ctx_digest_job_figures(j)->contents, 400);
	ctx_job_free(j);
	ctx_buf_done(&in);
	ctx_buf_done(&want);
	gave_done(&g);
}

/* --- single results ------------------------------------------------------ */

/* The functions of FILE_TEXT, in 5 lines, and with numbers. */
#define FIVE	"def load():\\n    return open(\\\"x\\\").read()\\n\\n" \
	"def clean(rows):\\n    return [r for r in rows if r]\\n"
#define NUMBERED(a, b, c, d, e) a "\\tdef load():\\n" b "\\t    return " \
	"open(\\\"x\\\").read()\\n" c "\\t\\n" d "\\tdef clean(rows):\\n" \
	e "\\t    return [r for r in rows if r]\\n"
#define FROM_1	NUMBERED("     1", "     2", "     3", "     4", "     5")
#define FROM_7	NUMBERED("     7", "     8", "     9", "    10", "    11")
#define PY(name, lines)	"[file read] " name " (python, " lines \
	", functions: load, clean)"

/* What a tool was asked for, what it said, and what that becomes. */
static const struct {
	const char *args, *text, *becomes;	/* NULL: it stays */
} reads[] = {
	{ "{\\\"path\\\":\\\"a.py\\\"}", FIVE, PY("a.py", "5 lines") },
	/* some lines of a file */
	{ "{\\\"path\\\":\\\"a.py\\\",\\\"offset\\\":10,\\\"limit\\\":6}",
	    FILE_TEXT, PY("a.py", "lines 10–15") },
	{ "{\\\"path\\\":\\\"a.py\\\",\\\"limit\\\":6}", FILE_TEXT,
	    PY("a.py", "lines 1–6") },
	{ "{\\\"path\\\":\\\"a.py\\\",\\\"offset\\\":10}", FIVE,
	    PY("a.py", "lines 10–14") },
	/* lines with numbers, which are not part of the file */
	{ "{\\\"path\\\":\\\"a.py\\\"}", FROM_7, PY("a.py", "lines 7–11") },
	{ "{\\\"path\\\":\\\"a.py\\\"}", FROM_1, PY("a.py", "5 lines") },
	{ "{\\\"path\\\":\\\"a.py\\\",\\\"offset\\\":1,\\\"limit\\\":5}",
	    FROM_1,
	    PY("a.py", "lines 1–5") },
	{ "{\\\"path\\\":\\\"a.py\\\",\\\"offset\\\":3,\\\"limit\\\":5}",
	    FROM_7,
	    PY("a.py", "lines 7–11") },
	{ "{\\\"path\\\":\\\"a.py\\\",\\\"tail\\\":5}", FIVE,
	    PY("a.py", "last 5 lines") },
	/* it is not known which lines are meant, unless they have numbers */
	{ "{\\\"path\\\":\\\"a.py\\\",\\\"at\\\":7}", FIVE, NULL },
	{ "{\\\"path\\\":\\\"a.py\\\",\\\"at\\\":7}", FROM_7,
	    PY("a.py", "lines 7–11") },
	{ "{\\\"path\\\":\\\"a.py\\\"}",
	    "Contents of a.py, from line 7-11:\\n```\\n" FIVE "```", NULL },
	/* a file without a name */
	{ "{}",
	    "One line of a text.\\nAnother one.\\nAnd a third, for a digest.\\n",
	    "[file read] file (text, 3 lines, 60B)" },
	/* one line or two may be what the tool says of it */
	{ "{}", "One line of a text.\\nAnd another, long enough for a digest.\\n",
	    NULL },
	{ "{}", "One line of a text that is long enough for a digest.\\n",
	    NULL },
	/* several files in one text */
	{ "{\\\"paths\\\":[\\\"a.py\\\",\\\"b.py\\\"]}",
	    "a.py:\\n" FIVE "\\n---\\nb.py:\\n" FIVE,
	    PY("a.py", "5 lines") "\\n" PY("b.py", "5 lines") },
	/* it is not sure which is which: a file is missing, or its name */
	{ "{\\\"paths\\\":[\\\"a.py\\\",\\\"b.py\\\",\\\"c.py\\\"]}",
	    "a.py:\\n" FIVE "\\n---\\nb.py:\\n" FIVE, NULL },
	{ "{\\\"paths\\\":[\\\"a.py\\\",\\\"b.py\\\"]}", "a.py:\\n" FIVE
	    "\\n---\\nb.py\\n" FIVE "\\n---\\n" FIVE, NULL },
	{ "{\\\"paths\\\":[\\\"a.py\\\",\\\"b.py\\\"]}", "b.py:\\n" FIVE
	    "\\n---\\n" FIVE, NULL },
	/* what is empty, or already a digest */
	{ "{\\\"path\\\":\\\"a.py\\\"}", "", NULL },
	{ "{\\\"path\\\":\\\"a.py\\\"}", PY("a.py", "5 lines"), NULL },
};

static void
test_read(size_t i)
{
	static const char call[] = "{\"role\":\"assistant\",\"content\":null,"
	    "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":"
	    "{\"name\":\"read_file\",\"arguments\":\"%s\"}}]}\n"
	    "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"%s\"}\n"
	    ANSWER("");
	struct ctx_digest_job_opts opts = { .width = 240 };
	const struct ctx_digest_job_sums *did;
	struct ctx_buf in = { 0 }, want = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j = ctx_digest_job_new(&opts, &err);

	ctx_buf_addf(&in, call, reads[i].args, reads[i].text);
	ctx_buf_addf(&want, call, reads[i].args, reads[i].becomes != NULL ?
	    reads[i].becomes : reads[i].text);
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), 0);
	CHECK_SAME(&g.out, &want);
	CHECK_INT(j->changed, reads[i].becomes != NULL);
	did = ctx_digest_job_figures(j);
	CHECK_INT(did->contents, reads[i].becomes != NULL);
	CHECK_INT(did->before > did->after, reads[i].becomes != NULL);
	ctx_job_free(j);
	ctx_buf_done(&in);
	ctx_buf_done(&want);
	gave_done(&g);
}

/* A text of 156 bytes is replaced unless more are asked for. */
static void
test_min(uint64_t min, uint64_t contents)
{
	struct ctx_digest_job_opts opts = { .width = 240, .min = min };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j = ctx_digest_job_new(&opts, &err);

	run_times(j, &g, READ("") RESULT("", FILE_TEXT) ANSWER(""), 1, 1);
	CHECK_INT(ctx_digest_job_figures(j)->contents, contents);
	CHECK_INT(ctx_digest_job_figures(j)->before, contents * 156);
	ctx_job_free(j);
	gave_done(&g);
}

/* Several contents in the arguments of one call, and one of no file. */
static void
test_writes(void)
{
	static const char call[] = "{\"role\":\"assistant\",\"content\":null,"
	    "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":"
	    "{\"name\":\"write_file\",\"arguments\":\"{\\\"path\\\":"
	    "\\\"a.txt\\\", \\\"content\\\":\\\"%s\\\",\\\"n\\\":1.10}\"}},"
	    "{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":"
	    "\"write_file\",\"arguments\":\"{\\\"path\\\":\\\"b.txt\\\","
	    "\\\"content\\\":\\\"short\\\"}\"}}]}\n"
	    "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"ok\"}\n"
	    "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"ok\"}\n"
	    ANSWER("");
	struct ctx_digest_job_opts opts = { .width = 240,
	    .reads = { .writes = 1 } };
	struct ctx_buf in = { 0 }, want = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j = ctx_digest_job_new(&opts, &err);

	ctx_buf_addf(&in, call, "One line of a text that is long enough for a "
	    "digest.\\\\n");
	ctx_buf_addf(&want, call, "[file written] a.txt (text, 1 line, 53B)");
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), 0);
	CHECK_SAME(&g.out, &want);
	CHECK_INT(ctx_digest_job_figures(j)->contents, 1);
	CHECK_INT(ctx_digest_job_figures(j)->before, 53);
	CHECK_INT(ctx_digest_job_figures(j)->after, 40);
	ctx_job_free(j);
	ctx_buf_done(&in);
	ctx_buf_done(&want);
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
	for (i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		TEST("read %d: %s", (int)i, reads[i].args);
		test_read(i);
	}
	RUN(test_min(156, 1));
	RUN(test_min(157, 0));
	RUN(test_writes());
	RUN(test_lines(1));
	RUN(test_lines(3));
	return CHECK_DONE("job_digest");
}
