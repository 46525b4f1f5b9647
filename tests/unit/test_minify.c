/* SPDX-License-Identifier: MIT */
/* White space, and lists of records, in JSON that tools print. */
#include "text/minify.h"

#include <stdlib.h>

#include "check.h"

/* Contents of JSON strings, with ' for \". */
struct cases {
	const char *in, *out;	/* out NULL: unchanged */
};

static const struct cases minify[] = {
	{ "{ 'a' : 1 }", "{'a':1}" },
	{ "[ 1 ,\\n\\t2\\r\\n]", "[1,2]" },
	{ " \\n{'a':{},'b':[ ]} \\n", "{'a':{},'b':[]}" },
	{ "{\\n  'a': [\\n    1,\\n    'x'\\n  ]\\n}\\n", "{'a':[1,'x']}" },
	{ "{'a':1}", NULL },
	{ "[]", NULL },
	/* what is in strings stays, with its quotes and backslashes */
	{ "{'a b': ' c , d '}", "{'a b':' c , d '}" },
	{ "['\\\\' , ' ]", "['\\\\' , ']" },
	{ "['\\\\'', ' , ' ]", "['\\\\'',' , ']" },
	{ "['\\\\\\\\', ' , ' ]", "['\\\\\\\\',' , ']" },
	{ "['\\\\n  \\\\u0020', 1]", "['\\\\n  \\\\u0020',1]" },
	/* both spellings stay: of numbers and names, and of the string */
	{ "[ 1.50e+07, -0, 1E400, 12345678901234567890 ]",
	    "[1.50e+07,-0,1E400,12345678901234567890]" },
	{ "{'a': 1, 'a': 2}", "{'a':1,'a':2}" },
	{ "['\xc3\xa9', '\\u00e9 \\/', '\\ud83d\\ude00', '\\ud800 x']",
	    "['\xc3\xa9','\\u00e9 \\/','\\ud83d\\ude00','\\ud800 x']" },
	{ "\\u005b\\u0020\\u000a1\\u002c\\u0009\\u0022 \\u0022 \\u005D",
	    "\\u005b1\\u002c\\u0022 \\u0022\\u005D" },
	/* a line each */
	{ "{'a': 1}\\n{'a': 2}\\n", "{'a':1}\\n{'a':2}\\n" },
	{ "{'a':1}\\r\\n\\n \\n[ ] \\n\\n", "{'a':1}\\n[]\\n" },
	{ "\\n{'a':1}\\n{'a': '\\\\n '}", "{'a':1}\\n{'a':'\\\\n '}" },
	{ "{'a':1}\\n{'a':2}", NULL },
	{ "{'a':1}\\n{'a':2}\\n", NULL },
	/* no JSON, or not as a whole */
	{ "", NULL },
	{ " ", NULL },
	{ "'a string' ", NULL },
	{ " 1 ", NULL },
	{ "{ 'a': 1 } and more", NULL },
	{ "Result: { 'a': 1 }", NULL },
	{ "{ 'a': 1 } { 'a': 2 }", NULL },
	{ "{ 'a': 1 }\\n7\\n", NULL },
	{ "{ 'a': 1 }\\n{ 'a': 2 }\\nend", NULL },
	{ "{ 'a': 1, }", NULL },
	{ "{ 'a': NaN }", NULL },
	{ "{ a: 1 }", NULL },
	{ "[ 1 2 ]", NULL },
	{ "[ 01 ]", NULL },
	{ "[ '\\n' ]", NULL },
	{ "[ '\\\\x' ]", NULL },
	{ "{ 'a': 1", NULL },
	{ "[2024-05-01] started ", NULL },
	{ "\xef\xbb\xbf{ 'a': 1 }", NULL },
	{ "\\u0000[ 1 ]", NULL }
};

static const struct cases tables[] = {
	{ "[{'id':1},{'id':2},{'id':3}]", "[3 rows: id]\\n1\\n2\\n3" },
	{ " [ {'b': 'x, y', 'a': 1.0}, {'b': null, 'a': -0},\\n"
	    "{'b': '', 'a': true} ]\\n",
	    "[3 rows: b,a]\\n'x, y',1.0\\nnull,-0\\n'',true" },
	/* names that need quotes; both spellings stay */
	{ "[{'a b':1,'':2},{'a b':3,'':4},{'a b':5,'':6}]",
	    "[3 rows: 'a b','']\\n1,2\\n3,4\\n5,6" },
	{ "[{'\\\\u0041':'\\ud800','\\u0041':'\xc3\xa9'},{'\\\\u0041':'\\/',"
	    "'\\u0041':1E0},{'\\\\u0041':'\\\\n','\\u0041':0}]",
	    "[3 rows: '\\\\u0041',\\u0041]\\n'\\ud800',\xc3\xa9\\n"
	    "\\/,1E0\\n'\\\\n',0" },
	/* in other values, which are minified */
	{ "{'r': [{'a':1},{'a':2},{'a':3}], 'n': [ 1 ]}",
	    "{'r':[3 rows: a]\\n1\\n2\\n3\\n,'n':[1]}" },
	{ "[ [{'a':1},{'a':2},{'a':3}],[{'b':1},{'b':2},{'b':3},{'b':4}] ]",
	    "[[3 rows: a]\\n1\\n2\\n3\\n,[4 rows: b]\\n1\\n2\\n3\\n4\\n]" },
	/* too few, or not alike */
	{ "[{'a':1},{'a':2}]", NULL },
	{ "[ {'a': 1}, {'a': 2} ]", NULL },
	{ "[{},{},{}]", NULL },
	{ "[{'a':1},{'a':2},{'b':3}]", NULL },
	{ "[{'a':1},{'a':2},{'a':3,'b':4}]", NULL },
	{ "[{'a':1,'b':2},{'b':1,'a':2},{'a':1,'b':2}]", NULL },
	{ "[{'a':1},{'a':2},{'a':[]}]", NULL },
	{ "[{'a':{}},{'a':2},{'a':3}]", NULL },
	{ "[{'a':1},{'a':2},{'a':{'b':{'c':3}}}]", NULL },
	{ "[{'a':1},{'a':2},{'a':3},4]", NULL },
	{ "[{'a':1},2,{'a':2},{'a':3}]", NULL },
	{ "[1,{'a':1},{'a':2},{'a':3}]", NULL },
	{ "['x',{'a':1},{'a':2},{'a':3}]", NULL },
	{ "[['a',1],['a',2],['a',3]]", NULL },
	{ "[]", NULL },
	{ "[1,2,3]", NULL },
	{ "{'a':[],'b':1,'c':2}", NULL },
	{ "{'a':1}\\n{'a':2}\\n{'a':3}\\n", NULL },
	{ "[{'a':1},{'a':2},{'a':3}] and more", NULL }
};

static struct ctx_doc doc;
static struct ctx_buf plain;

typedef int minify_fn(struct ctx_doc *, struct ctx_str, struct ctx_buf *,
	    struct ctx_buf *);

static int
apply(minify_fn *fn, struct ctx_buf *in, struct ctx_buf *out)
{
	ctx_buf_reset(out);
	return fn(&doc, ctx_str_of(in), &plain, out);
}

/* Put text into b, with \" for '. */
static void
put(struct ctx_buf *b, const char *text)
{
	ctx_buf_reset(b);
	for (; *text != '\0'; text++)
		if (*text == '\'')
			ctx_buf_adds(b, "\\\"");
		else
			ctx_buf_addc(b, *text);
}

static void
table(minify_fn *fn, const struct cases *cases, size_t n)
{
	struct ctx_buf in = { 0 }, out = { 0 }, want = { 0 }, again = { 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		put(&in, cases[i].in);
		put(&want, cases[i].out != NULL ? cases[i].out : cases[i].in);
		if (!CHECK_INT(apply(fn, &in, &out), cases[i].out != NULL))
			fprintf(stderr, "\tcase %zu\n", i);
		if (cases[i].out == NULL)
			continue;
		if (!CHECK(ctx_str_same(ctx_str_of(&out), ctx_str_of(&want))))
			fprintf(stderr, "\tcase %zu: %.*s\n", i,
			    (int)out.len, out.data);
		CHECK_INT(apply(fn, &out, &again), 0);
	}
	ctx_buf_done(&in);
	ctx_buf_done(&out);
	ctx_buf_done(&want);
	ctx_buf_done(&again);
}

/* 1024 lists in each other are JSON; in one more, they are not for us. */
static void
deep(void)
{
	struct ctx_buf in = { 0 }, out = { 0 };
	unsigned n, i;

	for (n = CTX_DEPTH_MAX; n <= CTX_DEPTH_MAX + 1; n++) {
		ctx_buf_reset(&in);
		for (i = 0; i < n; i++)
			ctx_buf_adds(&in, "[ ");
		for (i = 0; i < n; i++)
			ctx_buf_adds(&in, "]\\n");
		CHECK_INT(apply(ctx_minify, &in, &out),
		    n == CTX_DEPTH_MAX);
		if (n == CTX_DEPTH_MAX)
			CHECK_INT(out.len, 2 * CTX_DEPTH_MAX);
	}
	ctx_buf_done(&in);
	ctx_buf_done(&out);
}

/* Is b a without some white space? */
static int
only_lacks_space(struct ctx_str a, struct ctx_str b)
{
	uint32_t i, n, k = 0;

	for (i = 0; i < a.len; i += n) {
		n = a.p[i] == '\\' ? 2 : 1;
		if (b.len - k >= n && memcmp(a.p + i, b.p + k, n) == 0)
			k += n;
		else if (a.p[i] != ' ' && (n == 1 || a.p[i + 1] != 'n'))
			return 0;
	}
	return k == b.len;
}

/* For any text, what goes is white space, and a second run changes nothing. */
static void
noise(void)
{
	static const char *const tokens[] = { "{", "}", "[", "]", ",", ":",
	    " ", " ", "\\n", "\\\"", "\\\"a\\\"", "\\\\", "1" };
	struct ctx_buf in = { 0 }, out = { 0 }, again = { 0 };
	unsigned seed = 11, i, k, changed = 0;
	int rc;

	for (i = 0; i < 400000; i++) {
		ctx_buf_reset(&in);
		ctx_buf_adds(&in, i % 2 ? "[" : "{ ");
		for (k = 0; k < 1 + i % 9; k++) {
			seed = seed * 1103515245 + 12345;
			ctx_buf_adds(&in, tokens[(seed >> 16) %
			    (sizeof(tokens) / sizeof(*tokens))]);
		}
		ctx_buf_adds(&in, i % 2 ? "]" : "}");
		if ((rc = apply(ctx_minify, &in, &out)) == 0)
			continue;
		changed++;
		if (rc == -1 || !only_lacks_space(ctx_str_of(&in),
		    ctx_str_of(&out)) || apply(ctx_minify, &out, &again) != 0) {
			fprintf(stderr, "\t%.*s\n", (int)in.len, in.data);
			break;
		}
	}
	CHECK_INT(i, 400000);
	CHECK(changed > 1000);
	ctx_buf_done(&in);
	ctx_buf_done(&out);
	ctx_buf_done(&again);
}

int
main(void)
{
	RUN(table(ctx_minify, minify, sizeof(minify) / sizeof(*minify)));
	RUN(table(ctx_minify_tables, tables,
	    sizeof(tables) / sizeof(*tables)));
	RUN(deep());
	RUN(noise());
	ctx_doc_done(&doc);
	ctx_buf_done(&plain);
	return CHECK_DONE("minify");
}
