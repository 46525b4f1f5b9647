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
#define HUNDRED	TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
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
	{ { .ansi = 1 }, USER("a\\bb"), USER("b") },
	{ { .ansi = 1 }, USER("ab\\b"), USER("a") },
	{ { .ansi = 1 }, USER("a\\fb"), USER("ab") },
	{ { .ansi = 1 }, USER("a\\u0007b"), USER("ab") },
	{ { .ansi = 1 }, USER("a\\u001Bc"), USER("a") },
	{ { .ansi = 1 }, USER("a\x7f"), USER("a") },
	{ { .ansi = 1 }, USER("a\xc2\x9b" "31mb"), USER("ab") },
	{ { .ansi = 1 }, USER("\\\\\\u0007x"), USER("\\\\x") },
	{ { .ansi = 1 }, USER("\\n\\u0007x"), USER("\\nx") },
	{ { .ansi = 1 }, USER("\\\\b \\\\f \\\\u0007 \\u0100 \\u1000"),
	    USER("\\\\b \\\\f \\\\u0007 \\u0100 \\u1000") },
	{ { .ansi = 1 }, SYSTEM("a\\u0007b"), SYSTEM("a\\u0007b") },

	/* repeated lines, in results only */
	{ { .squeeze = 1 }, BOTH("c", "x\\nx\\nx\\nx\\n"),
	    BOTH("c", "x\\n... (previous line 3 more times)\\n") },
	{ { .squeeze = 1 }, USER("x\\nx\\nx\\nx\\n"),
	    USER("x\\nx\\nx\\nx\\n") },

	/* copies; a length is in characters */
	{ { .dedupe = 200 }, USER(HUNDRED HUNDRED) USER(HUNDRED HUNDRED)
	    BOTH("c", HUNDRED HUNDRED), USER(HUNDRED HUNDRED) USER(SAME200)
	    BOTH("c", SAME200) },
	{ { .dedupe = 201 }, USER(HUNDRED HUNDRED) USER(HUNDRED HUNDRED),
	    USER(HUNDRED HUNDRED) USER(HUNDRED HUNDRED) },
	{ { .dedupe = 200 }, USER(E200) USER(E200), USER(E200) USER(SAME_E) },
	{ { .dedupe = 201 }, USER(E200) USER(E200), USER(E200) USER(E200) },
	{ { .dedupe = 200 }, SYSTEM(E200) USER(E200) SYSTEM(E200) USER(E200),
	    SYSTEM(E200) USER(E200) SYSTEM(E200) USER(SAME_E) },
	/* one spelling or another */
	{ { .dedupe = 200 }, USER(HUNDRED HUNDRED) USER("\\u0030123456789"
	    TEN TEN TEN TEN TEN TEN TEN TEN TEN HUNDRED),
	    USER(HUNDRED HUNDRED) USER(SAME200) },
	/* a reference is to what is written, and only to a long text */
	{ { .dedupe = 200, .message = { .max = 210 } },
	    USER(HUNDRED HUNDRED HUNDRED) USER(HUNDRED HUNDRED HUNDRED),
	    USER(HUNDRED HUNDRED TEN CUT) USER(SAME_CUT) },
	{ { .dedupe = 200, .message = { .max = 20 } },
	    USER(HUNDRED HUNDRED HUNDRED) USER(HUNDRED HUNDRED HUNDRED),
	    USER(TEN TEN CUT) USER(TEN TEN CUT) },

	/* limits of results and of messages */
	{ { .result = { .max = 4 } }, USER(TEN) BOTH("c", TEN),
	    USER(TEN) BOTH("c", "0123\\n... (truncated, 10 chars total)") },
	{ { .message = { .max = 4 } }, USER(TEN) BOTH("c", TEN),
	    USER("0123\\n... (truncated, 10 chars total)") BOTH("c", TEN) },
	{ { .message = { .max = 4 } }, SYSTEM(TEN), SYSTEM(TEN) },

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
