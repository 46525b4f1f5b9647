/* SPDX-License-Identifier: MIT */
/*
 * read/span with every code path of this machine: tables of what RFC 8259
 * allows and forbids, nodes, columns, lookup. test_scan.c has other tests.
 */
#include "check.h"
#include "paths.h"

static const struct {
	const char *raw;
	size_t len;
} good[] = {
	{ S("0") }, { S("-0") }, { S("0.0") }, { S("-0.5e-07") },
	{ S("1E+2") },
	{ S("1e400") }, { S("123456789012345678901234567890") },
	{ S("1.10") }, { S("-9.99E99") }, { S("10") }, { S("0e0") },
	{ S("true") }, { S("false") }, { S("null") }, { S("\"\"") },
	{ S(" \t\r\n{ } \n") }, { S("[]") }, { S("[ ]") }, { S("[\n]\r\n") },
	{ S("[true,false,null,1,-1,\"\",[],{}]") },
	{ S("[ 1 , 2 ]") }, { S("{ \"a\" : 1 , \"a\" : 2 }") },
	{ S("{\"\":0}") },
	{ S("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uFfFf\"") },
	{ S("\"\\ud800\"") }, { S("\"\\udc00\\ud800\"") },
	{ S("\"\\ud834\\udd1e\"") }, { S("\"\\ud83dx\"") },
	{ S("\"\x7f\"") }, { S("\"\xc2\x80\xdf\xbf\xe0\xa0\x80\"") },
	{ S("\"\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"") },
	{ S("\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"") },
	{ S("\"\xef\xbb\xbf\"") },
	{ S("{\"\xe4\xbd\xa0\":\"\xe5\xa5\xbd\"}") },
	{ S("\"\\\\\"") }, { S("\"\\\\\\\"\"") }, { S("\"\xe2\x80\xa8\"") },
};

static const struct {
	const char *raw;
	size_t len, col;
	const char *text;	/* after "not JSON: "; NULL: not UTF-8 */
} wrong[] = {
	{ S(""), 1, "unexpected end" },
	{ S("  "), 3, "unexpected end" },
	{ S("\n"), 1, "unexpected end" },
	{ S("\r\n"), 1, "unexpected end" },
	{ S("{"), 2, "unexpected end" },
	{ S("[1"), 3, "unexpected end" },
	{ S("[1,"), 4, "unexpected end" },
	{ S("{\"a\":\n"), 6, "unexpected end" },
	{ S("{\"a\"\r\n"), 5, "unexpected end" },
	{ S("{\"a\":\"b\n"), 8, "unexpected end" },
	{ S("\""), 2, "unexpected end" },
	{ S("\"\\"), 3, "unexpected end" },
	{ S("\"\\u12"), 6, "unexpected end" },
	{ S("\"abc\\\""), 7, "unexpected end" },
	{ S("tru"), 4, "unexpected end" },
	{ S("-"), 2, "unexpected end" },
	{ S("1."), 3, "unexpected end" },
	{ S("1e"), 3, "unexpected end" },
	{ S("1e+"), 4, "unexpected end" },
	{ S("x"), 1, "unexpected 'x'" },
	{ S("'a'"), 1, "unexpected '''" },
	{ S("trux"), 4, "unexpected 'x'" },
	{ S("nulL"), 4, "unexpected 'L'" },
	{ S("True"), 1, "unexpected 'T'" },
	{ S("NaN"), 1, "unexpected 'N'" },
	{ S("nan"), 2, "unexpected 'a'" },
	{ S("+1"), 1, "unexpected '+'" },
	{ S(".5"), 1, "unexpected '.'" },
	{ S("-x"), 2, "unexpected 'x'" },
	{ S("-.5"), 2, "unexpected '.'" },
	{ S("[1.]"), 4, "unexpected ']'" },
	{ S("[1.e1]"), 4, "unexpected 'e'" },
	{ S("[1e,2]"), 4, "unexpected ','" },
	{ S("[01]"), 3, "unexpected '1'" },
	{ S("[-01]"), 4, "unexpected '1'" },
	{ S("[0x1]"), 3, "unexpected 'x'" },
	{ S("[1 2]"), 4, "unexpected '2'" },
	{ S("[1,]"), 4, "unexpected ']'" },
	{ S("[,1]"), 2, "unexpected ','" },
	{ S("[1,,2]"), 4, "unexpected ','" },
	{ S("]"), 1, "unexpected ']'" },
	{ S("[}"), 2, "unexpected '}'" },
	{ S("{]"), 2, "unexpected ']'" },
	{ S("[1}"), 3, "unexpected '}'" },
	{ S("{\"a\":1]"), 7, "unexpected ']'" },
	{ S("{\"a\":1,}"), 8, "unexpected '}'" },
	{ S("{,}"), 2, "unexpected ','" },
	{ S("{a:1}"), 2, "unexpected 'a'" },
	{ S("{1:1}"), 2, "unexpected '1'" },
	{ S("{\"a\"}"), 5, "unexpected '}'" },
	{ S("{\"a\" 1}"), 6, "unexpected '1'" },
	{ S("{\"a\"::1}"), 6, "unexpected ':'" },
	{ S("{\"a\":1 \"b\":2}"), 8, "unexpected '\"'" },
	{ S("[1]//"), 4, "text after the value" },
	{ S("/**/1"), 1, "unexpected '/'" },
	{ S("[\f1]"), 2, "unexpected '\\x0c'" },
	{ S("[\0]"), 2, "unexpected '\\x00'" },
	{ S("\xc2\xa0""1"), 1, "unexpected '\xc2\xa0'" },
	{ S("[\xe4\xbd\xa0]"), 2, "unexpected '\xe4\xbd\xa0'" },
	{ S("01"), 2, "text after the value" },
	{ S("1 2"), 3, "text after the value" },
	{ S("{}{}"), 3, "text after the value" },
	{ S("{}\n{}\n"), 4, "text after the value" },
	{ S("{}\0"), 3, "text after the value" },
	{ S("\"a\nb\""), 3, "control character in string" },
	{ S("\"a\tb\""), 3, "control character in string" },
	{ S("\"\0\""), 2, "control character in string" },
	{ S("\"\x1f\""), 2, "control character in string" },
	{ S("\"a\n\n"), 3, "control character in string" },
	{ S("{\"a\nb\":1}"), 4, "control character in string" },
	{ S("\"\\x\""), 2, "bad escape" },
	{ S("\"\\'\""), 2, "bad escape" },
	{ S("\"ab\\N\""), 4, "bad escape" },
	{ S("\"\\u12\""), 2, "bad escape" },
	{ S("\"\\u12g4\""), 2, "bad escape" },
	{ S("\"\\U0041\""), 2, "bad escape" },
	{ S("\"\\\n\""), 2, "bad escape" },
	{ S("\"\\\0\""), 2, "bad escape" },
	{ S("\"\\u00/0\""), 2, "bad escape" },
	{ S("\"\\u00:0\""), 2, "bad escape" },
	{ S("\"\\u00@0\""), 2, "bad escape" },
	{ S("\"\\u00G0\""), 2, "bad escape" },
	{ S("\"\\u00`0\""), 2, "bad escape" },
	{ S("\"\\\xe4\xbd\xa0\""), 2, "bad escape" },
	{ S("\"\x80\""), 2, NULL },
	{ S("\"\xc3\""), 2, NULL },
	{ S("\"\xc3"), 3, "unexpected end" },
	{ S("\"\xe4\xbd\n"), 4, "unexpected end" },
	{ S("\"\xf0\x9f\x98\r\n"), 5, "unexpected end" },
	{ S("\"\xe0"), 3, "unexpected end" },
	{ S("\"\xed\x9f"), 4, "unexpected end" },
	{ S("\"\xed\xa0"), 2, NULL },
	{ S("\"\xe0\x80"), 2, NULL },
	{ S("\"\xf4\x90"), 2, NULL },
	{ S("\"\x80"), 2, NULL },
	{ S("\"\xc3\xc3"), 2, NULL },
	{ S("[\xe4\xbd"), 2, NULL },
	{ S("\"\xff\x01\""), 2, NULL },
	{ S("\xff"), 1, NULL },
	{ S("\"\x01\xff\""), 2, "control character in string" },
	{ S("[\"\xe4\xbd\xa0\xed\xa0\x80\"]"), 6, NULL },
	{ S("{\"\xc0\x80\":1}"), 3, NULL },
};

/* Nodes as "off+len>next", separated by spaces. */
static const struct {
	const char *raw, *nodes;
} lists[] = {
	{ "{\"a\":[1,\"x\"],\"b\":{}}",
	  "0+20>6 1+3>2 5+7>4 8+3>4 13+3>5 17+2>6" },
	{ " 12 ", "1+2>1" },
	{ "[1,true,null]", "0+13>1" },
	{ "[[],[{}],\"\"]", "0+12>5 1+2>2 4+4>4 5+2>4 9+2>5" },
	{ "{\"n\":-1.5e3,\"t\":true,\"f\":false,\"z\":null}",
	  "0+40>9 1+3>2 5+6>3 12+3>4 16+4>5 21+3>6 25+5>7 31+3>8 35+4>9" },
	{ "{ \"a\" : { \"b\" : [ \"c\\\"d\" ] } }",
	  "0+30>6 2+3>2 8+20>6 10+3>4 16+10>6 18+6>6" },
};

static void
test_tables(const char *path)
{
	struct result r = { 0 };
	char want[128];
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		scan(&r, good[i].raw, good[i].len);
		if (!CHECK(r.col == 0))
			fprintf(stderr, "%s: good[%zu]: %zu: %s\n", path, i,
			    r.col, r.text);
	}
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		scan(&r, wrong[i].raw, wrong[i].len);
		snprintf(want, sizeof(want), "%s%s",
		    wrong[i].text != NULL ? "not JSON: " : "not UTF-8",
		    wrong[i].text != NULL ? wrong[i].text : "");
		if (!CHECK(r.col == wrong[i].col) ||
		    !CHECK(strcmp(r.text, want) == 0))
			fprintf(stderr, "%s: wrong[%zu]: %zu: %s\n", path, i,
			    r.col, r.text);
		CHECK_INT(r.doc.n, 0);
	}
	ctx_doc_done(&r.doc);
}

static void
test_lists(void)
{
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };
	char got[512];
	size_t i, len;
	uint32_t k;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		CHECK_INT(ctx_doc_scan(&doc, lists[i].raw,
		    strlen(lists[i].raw), &err), 0);
		len = 0;
		for (k = 0; k < doc.n; k++)
			len += (size_t)snprintf(got + len, sizeof(got) - len,
			    "%s%u+%u>%u", k > 0 ? " " : "", doc.node[k].off,
			    doc.node[k].len, doc.node[k].next);
		CHECK_STR(got, lists[i].nodes);
	}
	ctx_doc_done(&doc);
}

/* Impossible sizes of a line. */
static void
test_sizes(void)
{
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_doc_scan(&doc, NULL, 0, &err), -1);
	CHECK_INT(err.col, 1);
	ctx_err_clear(&err);
	CHECK_INT(ctx_doc_scan(&doc, "1", (size_t)CTX_LINE_MAX + 1, &err), -1);
	CHECK_INT(err.code, CTX_EINPUT);
	ctx_doc_done(&doc);
}

static void
test_depth(void)
{
	char raw[2 * CTX_DEPTH_MAX + 2];
	struct result r = { 0 };

	memset(raw, '[', CTX_DEPTH_MAX + 1);
	memset(raw + CTX_DEPTH_MAX + 1, ']', CTX_DEPTH_MAX + 1);
	scan(&r, raw + 1, 2 * CTX_DEPTH_MAX);
	CHECK_INT(r.col, 0);
	CHECK_INT(r.doc.n, CTX_DEPTH_MAX);
	CHECK_INT(r.doc.node[0].next, CTX_DEPTH_MAX);
	CHECK_INT(r.doc.node[CTX_DEPTH_MAX - 1].len, 2);
	scan(&r, raw, sizeof(raw));
	CHECK_INT(r.col, CTX_DEPTH_MAX + 1);
	CHECK_STR(r.text, "not JSON: nested deeper than 1024");
	ctx_doc_done(&r.doc);
}

static void
test_get(void)
{
	static const char raw[] = "{\"a\":1,\"\\u0061\\n\":2,\"b\":{\"a\":3},"
	    "\"a\":4,\"\":5,\"\\\\n\":6,\"\\ud83d\\ude00\":7,\"\\ud800\":8,"
	    "\"k\\u00e9y\":9,\"aaaa\":10}";
	static const struct {
		const char *key;
		size_t len;
		const char *value;
	} gets[] = {
		{ S("a"), "4" }, { S("a\n"), "2" }, { S("b"), "{\"a\":3}" },
		{ S(""), "5" }, { S("\\n"), "6" },
		{ S("\xf0\x9f\x98\x80"), "7" },
		{ S("\xef\xbf\xbd"), NULL }, { S("k\xc3\xa9y"), "9" },
		{ S("\\\\n"), NULL }, { S("c"), NULL }, { S("aaa"), NULL },
		{ S("aaaa"), "10" }, { S("\\u0061\\n"), NULL },
		{ S("\\ud800"), NULL },
	};
	struct ctx_doc doc = { 0 };
	size_t i;
	uint32_t v;

	CHECK_INT(ctx_doc_scan(&doc, S(raw), NULL), 0);
	for (i = 0; i < sizeof(gets) / sizeof(gets[0]); i++) {
		v = ctx_doc_get(&doc, 0, gets[i].key, gets[i].len);
		if (gets[i].value == NULL)
			CHECK_INT(v, CTX_NONE);
		else if (CHECK(v != CTX_NONE))
			CHECK_MEM(raw + doc.node[v].off, doc.node[v].len,
			    gets[i].value);
	}
	v = ctx_doc_get(&doc, 0, S("b"));
	CHECK_INT(ctx_doc_get(&doc, v, S("a")), v + 2);
	CHECK_INT(ctx_doc_get(&doc, v + 2, S("a")), CTX_NONE);
	CHECK_INT(ctx_node_type(&doc, 1), '"');
	CHECK(ctx_doc_key_is(&doc, 1, S("a")));
	CHECK(!ctx_doc_key_is(&doc, 1, S("A")));
	CHECK_INT(ctx_doc_scan(&doc, S("{}"), NULL), 0);
	CHECK_INT(ctx_doc_get(&doc, 0, S("a")), CTX_NONE);
	ctx_doc_done(&doc);
}

static void
test_choice(void)
{
	CHECK_INT(ctx_cpu_force("none such"), -1);
	CHECK_INT(setenv("CTX_CPU", "portable", 1), 0);
	CHECK_INT(ctx_cpu_force(NULL), 0);
	CHECK_STR(ctx_cpu_name(), "portable");
	CHECK_INT(setenv("CTX_CPU", "none such", 1), 0);
	CHECK_INT(ctx_cpu_force(NULL), 0);
	CHECK(strlen(ctx_cpu_name()) > 0);
	CHECK_INT(ctx_scan_newline(S("ab\nc\n")), 2);
	CHECK_INT(ctx_scan_newline(S("abc")), 3);
	CHECK_INT(ctx_scan_newline(NULL, 0), 0);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < NPATHS; i++) {
		if (ctx_cpu_force(paths[i]) == -1)
			continue;
		TEST("the path, %s", paths[i]);
		CHECK_STR(ctx_cpu_name(), paths[i]);
		TEST("what JSON is and is not, %s", paths[i]);
		test_tables(paths[i]);
		TEST("lists, %s", paths[i]);
		test_lists();
		TEST("more nodes, %s", paths[i]);
		test_sizes();
		TEST("depth, %s", paths[i]);
		test_depth();
		TEST("members, %s", paths[i]);
		test_get();
	}
	RUN(test_choice());
	return CHECK_DONE("span");
}
