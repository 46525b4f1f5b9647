/* SPDX-License-Identifier: MIT */
/* What ctx-clean makes of texts: which ones are scrubbed, cut and cleared. */
#include "job/clean.h"

#include "check.h"
#include "jobs.h"
#include "quotes.h"

/* Lines are written with ' for ". */
#define SYSTEM(text)	"{'role':'system','content':'" text "'}\n"
#define USER(text)	"{'role':'user','content':'" text "'}\n"
#define CALL(id, name)	"{'role':'assistant','content':null,'tool_calls':[{" \
			"'id':'" id "','type':'function','function':{'name':'" \
			name "','arguments':'[1]'}}]}\n"
#define EMPTY(id, name)	"{'role':'assistant','content':null,'tool_calls':[{" \
			"'id':'" id "','type':'function','function':{'name':'" \
			name "','arguments':'{}'}}]}\n"
#define RESULT(id, text) "{'role':'tool','tool_call_id':'" id "','content':'" \
			text "'}\n"
#define BOTH(id, text)	CALL(id, "f") RESULT(id, text)

/* Anthropic's: a call, and a result that is a list of two texts. */
#define USE		"{'role':'assistant','content':[{'type':'tool_use'," \
			"'id':'a','name':'f','input':{'n':1}},{'type':" \
			"'tool_use','id':'b','name':'f','input':{}}]}\n"
#define LISTS(x, y, z)	"{'role':'user','content':[{'type':'tool_result'," \
			"'tool_use_id':'a','content':[{'type':'text','text':" \
			"'" x "'},{'type':'text','text':'" y "'}]},{'type':" \
			"'tool_result','tool_use_id':'b','content':'" z "'}]}\n"

#define TEN	"0123456789"
#define FORTY	TEN TEN TEN TEN
#define HUNDRED	TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define LINE	TEN "\\n"
#define LINEX	TEN "x\\n"
#define E20	"éééééééééééééééééééé"
#define E200	E20 E20 E20 E20 E20 E20 E20 E20 E20 E20

/* From sha256sum. */
#define SENT(digits, n) "[same text as sent before: sha256:" digits ", " n \
			" chars]"
#define SAME200		SENT("295cbb667c2d2380", "200")
#define SAME_CUT	SENT("fdeee7400b8dbc2d", "300")
#define SAME_E		SENT("df20b2aa6262e99e", "200")
#define CUT		"\\n... (truncated, 300 chars total)"
#define GONE(n)		"[tool result cleared: " n " chars]"
#define LONG1		"a text of thirty-two characters."
#define LONG2		"another one of 32 characters: 32"

static const char *const kept_tool[] = { "g", "h" };

/* A byte is a token. */
static int
count(void *arg, struct ctx_str s, uint64_t want, uint64_t *total,
    uint64_t *chars, struct ctx_err *err)
{
	(void)arg;
	(void)err;
	*total = s.len;
	if (chars != NULL)
		*chars = want < s.len ? want : s.len;
	return 0;
}

#define CLEAR(...)	{ .clear = 1, .count = count, __VA_ARGS__ }

static const struct {
	struct ctx_lean_opts opts;
	const char *in, *out;
} cases[] = {
	/* what a terminal is told, in every spelling of it */
	{ { .ansi = 1 }, BOTH("c", "a\\bb"),
	    BOTH("c", "b") },
	{ { .ansi = 1 }, BOTH("c", "ab\\b"),
	    BOTH("c", "a") },
	{ { .ansi = 1 }, BOTH("c", "a\\fb"),
	    BOTH("c", "ab") },
	{ { .ansi = 1 }, BOTH("c", "a\\u0007b"),
	    BOTH("c", "ab") },
	{ { .ansi = 1 }, BOTH("c", "a\\u001Bc"),
	    BOTH("c", "a") },
	{ { .ansi = 1 }, BOTH("c", "a\x7f"),
	    BOTH("c", "a") },
	{ { .ansi = 1 }, BOTH("c", "a\xc2\x9b" "31mb"),
	    BOTH("c", "ab") },
	{ { .ansi = 1 }, BOTH("c", "\\\\\\u0007x"),
	    BOTH("c", "\\\\x") },
	{ { .ansi = 1 }, BOTH("c", "\\n\\u0007x"),
	    BOTH("c", "\\nx") },
	{ { .ansi = 1 }, BOTH("c", "\\\\b \\\\f \\\\u0007 \\u0100 \\u1000"),
	    BOTH("c", "\\\\b \\\\f \\\\u0007 \\u0100 \\u1000") },
	{ { .ansi = 1 }, USER("a\\u0007b"), USER("a\\u0007b") },
	/* an API may refuse a blank text */
	{ { .ansi = 1 }, BOTH("c", "\\u001b[0m"), BOTH("c", "\\u001b[0m") },
	{ { .ansi = 1 }, SYSTEM("a\\u0007b"), SYSTEM("a\\u0007b") },

	/* repeated lines, in results only */
	{ { .squeeze = 1 }, BOTH("c", LINEX LINEX LINEX LINEX),
	    BOTH("c", LINEX "... (previous line 3 more times)\\n") },
	/* 11 characters three times are no more than the note */
	{ { .squeeze = 1 }, BOTH("c", LINE LINE LINE LINE),
	    BOTH("c", LINE LINE LINE LINE) },
	{ { .squeeze = 1 }, USER("x\\nx\\nx\\nx\\n"),
	    USER("x\\nx\\nx\\nx\\n") },

	/* copies, of results only; a length is in characters */
	{ { .dedupe = 200 }, BOTH("a", HUNDRED HUNDRED) USER(HUNDRED HUNDRED)
	    BOTH("b", HUNDRED HUNDRED), BOTH("a", HUNDRED HUNDRED)
	    USER(HUNDRED HUNDRED) BOTH("b", SAME200) },
	{ { .dedupe = 200 }, USER(HUNDRED HUNDRED) BOTH("b", HUNDRED HUNDRED),
	    USER(HUNDRED HUNDRED) BOTH("b", HUNDRED HUNDRED) },
	{ { .dedupe = 201 }, BOTH("a", HUNDRED HUNDRED)
	    BOTH("b", HUNDRED HUNDRED), BOTH("a", HUNDRED HUNDRED)
	    BOTH("b", HUNDRED HUNDRED) },
	{ { .dedupe = 200 }, BOTH("a", E200) BOTH("b", E200),
	    BOTH("a", E200) BOTH("b", SAME_E) },
	{ { .dedupe = 201 }, BOTH("a", E200) BOTH("b", E200),
	    BOTH("a", E200) BOTH("b", E200) },
	/* one spelling or another */
	{ { .dedupe = 200 }, BOTH("a", HUNDRED HUNDRED) BOTH("b",
	    "\\u0030123456789" TEN TEN TEN TEN TEN TEN TEN TEN TEN HUNDRED),
	    BOTH("a", HUNDRED HUNDRED) BOTH("b", SAME200) },
	/* a reference is to what is written, and only to a long text */
	{ { .dedupe = 200, .result = { .max = 210 } },
	    BOTH("a", HUNDRED HUNDRED HUNDRED)
	    BOTH("b", HUNDRED HUNDRED HUNDRED),
	    BOTH("a", HUNDRED HUNDRED TEN CUT) BOTH("b", SAME_CUT) },
	{ { .dedupe = 200, .result = { .max = 20 } },
	    BOTH("a", HUNDRED HUNDRED HUNDRED)
	    BOTH("b", HUNDRED HUNDRED HUNDRED),
	    BOTH("a", TEN TEN CUT) BOTH("b", TEN TEN CUT) },

	/* limits of results and of messages */
	{ { .result = { .max = 4 } }, USER(FORTY) BOTH("c", FORTY),
	    USER(FORTY) BOTH("c", "0123\\n... (truncated, 40 chars total)") },
	{ { .message = { .max = 4 } }, USER(FORTY) BOTH("c", FORTY),
	    USER("0123\\n... (truncated, 40 chars total)")
	    BOTH("c", FORTY) },
	{ { .message = { .max = 4 } }, SYSTEM(FORTY), SYSTEM(FORTY) },
	/* 8 and 32 are 40 */
	{ { .result = { .max = 7 } }, BOTH("c", FORTY),
	    BOTH("c", "0123456\\n... (truncated, 40 chars total)") },
	{ { .result = { .max = 8 } }, BOTH("c", FORTY), BOTH("c", FORTY) },

	/* old results */
	{ CLEAR(.clear_keep = 0), BOTH("a", LONG1) BOTH("b", LONG2),
	    BOTH("a", GONE("32")) BOTH("b", GONE("32")) },
	{ CLEAR(.clear_keep = 1), BOTH("a", LONG1) BOTH("b", LONG2),
	    BOTH("a", GONE("32")) BOTH("b", LONG2) },
	{ CLEAR(.clear_keep = 2), BOTH("a", LONG1) BOTH("b", LONG2),
	    BOTH("a", LONG1) BOTH("b", LONG2) },
	{ CLEAR(.clear_keep = 3), BOTH("a", LONG1), BOTH("a", LONG1) },
	/* a note has 31 characters and must be shorter; arguments go anyway */
	{ CLEAR(.clear_keep = 0), BOTH("a", "this one has 31 characters only"),
	    BOTH("a", "this one has 31 characters only") },
	/* there was nothing to clear where a call got a note for its result */
	{ CLEAR(.clear_keep = 0), BOTH("a", LONG1) BOTH("b",
	    "[no result: the tool call was not completed]"),
	    BOTH("a", GONE("32")) BOTH("b",
	    "[no result: the tool call was not completed]") },
	/* nor is that note one of the newest results */
	{ CLEAR(.clear_keep = 1), BOTH("a", LONG1) BOTH("b", LONG2) BOTH("c",
	    "[no result: the tool call was not completed]"),
	    BOTH("a", GONE("32")) BOTH("b", LONG2) BOTH("c",
	    "[no result: the tool call was not completed]") },
	{ CLEAR(.clear_inputs = 1), CALL("a", "f") RESULT("a", LONG1)
	    CALL("b", "f") RESULT("b", "x"),
	    EMPTY("a", "f") RESULT("a", GONE("32")) EMPTY("b", "f")
	    RESULT("b", "x") },
	{ CLEAR(.clear_inputs = 1, .clear_keep = 1), CALL("a", "f")
	    RESULT("a", LONG1) CALL("b", "f") RESULT("b", LONG2),
	    EMPTY("a", "f") RESULT("a", GONE("32")) CALL("b", "f")
	    RESULT("b", LONG2) },
	/* tools that are not cleared do not count as the newest */
	{ CLEAR(.exclude = kept_tool, .nexclude = 2, .clear_keep = 1),
	    CALL("a", "f") RESULT("a", LONG1) CALL("b", "f")
	    RESULT("b", LONG1) CALL("c", "g") RESULT("c", LONG1)
	    CALL("d", "h") RESULT("d", LONG1),
	    CALL("a", "f") RESULT("a", GONE("32")) CALL("b", "f")
	    RESULT("b", LONG1) CALL("c", "g") RESULT("c", LONG1)
	    CALL("d", "h") RESULT("d", LONG1) },
	/* all texts of a result, but not the next result */
	{ CLEAR(.clear_keep = 1), USE LISTS(LONG1, LONG2, LONG1),
	    USE LISTS(GONE("32"), GONE("32"), LONG1) },
	{ CLEAR(.clear_keep = 0), USE LISTS(LONG1, LONG2, LONG1),
	    USE LISTS(GONE("32"), GONE("32"), GONE("32")) },
	/* 1 for the user, and 3 and 32 for each call: above 70, or not 71 */
	{ CLEAR(.pace.when = 71), USER("u") BOTH("a", LONG1)
	    BOTH("b", LONG2), USER("u") BOTH("a", LONG1) BOTH("b", LONG2) },
	{ CLEAR(.pace.when = 70), USER("u") BOTH("a", LONG1)
	    BOTH("b", LONG2), USER("u") BOTH("a", GONE("32"))
	    BOTH("b", GONE("32")) },
	/* each that is cleared gains 32: until at most so many are left */
	{ CLEAR(.pace.when = 70, .pace.down_to = 39), USER("u")
	    BOTH("a", LONG1) BOTH("b", LONG2), USER("u")
	    BOTH("a", GONE("32")) BOTH("b", LONG2) },
	{ CLEAR(.pace.when = 70, .pace.down_to = 38), USER("u")
	    BOTH("a", LONG1) BOTH("b", LONG2), USER("u")
	    BOTH("a", GONE("32")) BOTH("b", GONE("32")) },
	{ CLEAR(.pace.when = 70, .pace.down_to = 71), USER("u")
	    BOTH("a", LONG1) BOTH("b", LONG2), USER("u")
	    BOTH("a", LONG1) BOTH("b", LONG2) },
	/* 7 and 2 for the inputs, and 96 for three texts */
	{ CLEAR(.pace.when = 105), USE LISTS(LONG1, LONG2, LONG1),
	    USE LISTS(LONG1, LONG2, LONG1) },
	{ CLEAR(.pace.when = 104, .pace.down_to = 41),
	    USE LISTS(LONG1, LONG2, LONG1),
	    USE LISTS(GONE("32"), GONE("32"), LONG1) },
	{ CLEAR(.pace.when = 104, .pace.down_to = 40),
	    USE LISTS(LONG1, LONG2, LONG1),
	    USE LISTS(GONE("32"), GONE("32"), GONE("32")) }
};

static void
test_case(size_t i)
{
	struct ctx_clean_opts opts = { .lean = cases[i].opts };
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_clean_new(&opts, &err);
	struct ctx_buf in = { 0 };
	struct gave g = { 0 };

	if (!CHECK(j != NULL))
		return;
	ctx_buf_adds(&in, cases[i].in);
	quotes(in.data, in.len, '\'', '"');
	CHECK_INT(run_text(j, &g, &in, 1, CTX_BAD_STOP), 0);
	quotes(g.out.data, g.out.len, '"', '\'');
	CHECK_BUF(&g.out, cases[i].out);
	ctx_job_free(j);
	ctx_buf_done(&in);
	gave_done(&g);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("case %zu", i);
		test_case(i);
	}
	return CHECK_DONE("lean");
}
