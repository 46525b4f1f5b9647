/* SPDX-License-Identifier: MIT */
/*
 * read/span on every path that this machine has: tables of what RFC 8259
 * allows and forbids, nodes, columns, every border of a vector, and random
 * documents against the plain reader below and against jansson.
 */
#include "read/span.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "check.h"

#define S(s)	(s), sizeof(s) - 1	/* bytes that may hold NULs */

static const char *const paths[] = { "avx2", "neon", "portable" };

#define NPATHS	(sizeof(paths) / sizeof(paths[0]))

/* The outcome of a scan; col 0 is success. */
struct result {
	size_t col;
	const char *text;
	struct ctx_doc doc;
	struct ctx_err err;
};

/* A copy of its own size, so that the sanitizer sees each byte too far. */
static void
scan(struct result *r, const char *raw, size_t len)
{
	char *copy = malloc(len > 0 ? len : 1);
	int rc;

	if (len > 0)
		memcpy(copy, raw, len);
	ctx_err_clear(&r->err);
	rc = ctx_doc_scan(&r->doc, copy, len, &r->err);
	if (rc == -1 && r->err.code != CTX_EINPUT)
		abort();
	r->col = rc == -1 ? r->err.col : 0;
	r->text = r->err.text;
	r->doc.raw = NULL;
	free(copy);
}

/*
 * The reference: recursive, a byte at a time.  It notes nodes and the offset
 * of the first byte that is wrong.
 */
struct ref {
	const unsigned char *p;
	size_t len, i, bad;
	int depth;
	struct ctx_node node[4096];
	uint32_t n;
};

static int ref_value(struct ref *r, int element);

static int
ref_fail(struct ref *r, size_t at)
{
	r->bad = at;
	return -1;
}

static int
ref_peek(const struct ref *r)
{
	return r->i < r->len ? r->p[r->i] : -1;
}

static void
ref_space(struct ref *r)
{
	while (ref_peek(r) == ' ' || ref_peek(r) == '\t' ||
	    ref_peek(r) == '\n' || ref_peek(r) == '\r')
		r->i++;
}

static int
ref_hex(int c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
	    (c >= 'A' && c <= 'F');
}

static int
ref_escape(struct ref *r)
{
	size_t at = r->i++;
	int c = ref_peek(r), k;

	if (c == -1)
		return ref_fail(r, r->len);
	if (c == 0 || strchr("\"\\/bfnrtu", c) == NULL)
		return ref_fail(r, at);
	r->i++;
	if (c != 'u')
		return 0;
	for (k = 0; k < 4; k++, r->i++) {
		if (ref_peek(r) == -1)
			return ref_fail(r, r->len);
		if (!ref_hex(ref_peek(r)))
			return ref_fail(r, at);
	}
	return 0;
}

static int
ref_string(struct ref *r)
{
	struct ctx_node *node = &r->node[r->n++];
	size_t step;
	int c;

	node->off = (uint32_t)r->i;
	node->next = r->n;
	if (ref_peek(r) != '"')
		return ref_fail(r, r->i);
	r->i++;
	while ((c = ref_peek(r)) != '"') {
		if (c == -1 || c < 0x20)
			return ref_fail(r, r->i);
		if (c == '\\') {
			if (ref_escape(r) == -1)
				return -1;
			continue;
		}
		step = ctx_utf8_step((const char *)r->p + r->i,
		    r->len - r->i, NULL);
		if (step == 0)
			return ref_fail(r, r->i);
		r->i += step;
	}
	r->i++;
	node->len = (uint32_t)r->i - node->off;
	return 0;
}

static int
ref_digits(struct ref *r)
{
	if (ref_peek(r) < '0' || ref_peek(r) > '9')
		return ref_fail(r, r->i);
	while (ref_peek(r) >= '0' && ref_peek(r) <= '9')
		r->i++;
	return 0;
}

static int
ref_number(struct ref *r)
{
	if (ref_peek(r) == '-')
		r->i++;
	if (ref_peek(r) == '0')
		r->i++;
	else if (ref_digits(r) == -1)
		return -1;
	if (ref_peek(r) == '.') {
		r->i++;
		if (ref_digits(r) == -1)
			return -1;
	}
	if (ref_peek(r) == 'e' || ref_peek(r) == 'E') {
		r->i++;
		if (ref_peek(r) == '+' || ref_peek(r) == '-')
			r->i++;
		return ref_digits(r);
	}
	return 0;
}

static int
ref_literal(struct ref *r, const char *word)
{
	for (; *word != '\0'; word++, r->i++)
		if (ref_peek(r) != *word)
			return ref_fail(r, r->i);
	return 0;
}

static int
ref_scalar(struct ref *r, int element)
{
	size_t at = r->i;
	int c = ref_peek(r), rc;

	rc = c == 't' ? ref_literal(r, "true") :
	    c == 'f' ? ref_literal(r, "false") :
	    c == 'n' ? ref_literal(r, "null") : ref_number(r);
	if (rc == 0 && !element) {
		r->node[r->n] = (struct ctx_node){ (uint32_t)at,
		    (uint32_t)(r->i - at), r->n + 1 };
		r->n++;
	}
	return rc;
}

static int
ref_container(struct ref *r, int open, int close)
{
	uint32_t me = r->n++;

	if (r->depth == CTX_DEPTH_MAX)
		return ref_fail(r, r->i);
	r->depth++;
	r->node[me].off = (uint32_t)r->i++;
	ref_space(r);
	while (ref_peek(r) != close) {
		if (open == '{') {
			if (ref_string(r) == -1)
				return -1;
			ref_space(r);
			if (ref_peek(r) != ':')
				return ref_fail(r, r->i);
			r->i++;
		}
		if (ref_value(r, open == '[') == -1)
			return -1;
		ref_space(r);
		if (ref_peek(r) == close)
			break;
		if (ref_peek(r) != ',')
			return ref_fail(r, r->i);
		r->i++;
		ref_space(r);
		if (ref_peek(r) == close)
			return ref_fail(r, r->i);
	}
	r->i++;
	r->depth--;
	r->node[me].len = (uint32_t)r->i - r->node[me].off;
	r->node[me].next = r->n;
	return 0;
}

static int
ref_value(struct ref *r, int element)
{
	ref_space(r);
	switch (ref_peek(r)) {
	case '"':
		return ref_string(r);
	case '{':
		return ref_container(r, '{', '}');
	case '[':
		return ref_container(r, '[', ']');
	default:
		return ref_scalar(r, element);
	}
}

/* The column of the error, 0 if there is none. */
static size_t
ref_scan(struct ref *r, const char *raw, size_t len)
{
	memset(r, 0, offsetof(struct ref, node));
	r->n = 0;
	r->p = (const unsigned char *)raw;
	r->len = len;
	if (len > 0 && raw[len - 1] == '\n')
		r->len--;
	if (r->len > 0 && raw[r->len - 1] == '\r')
		r->len--;
	if (ref_value(r, 0) == -1)
		return r->bad + 1;
	ref_space(r);
	return r->i == r->len ? 0 : r->i + 1;
}

static const struct {
	const char *raw;
	size_t len;
} good[] = {
	{ S("0") }, { S("-0") }, { S("0.0") }, { S("-0.5e-07") }, { S("1E+2") },
	{ S("1e400") }, { S("123456789012345678901234567890") },
	{ S("1.10") }, { S("-9.99E99") }, { S("10") }, { S("0e0") },
	{ S("true") }, { S("false") }, { S("null") }, { S("\"\"") },
	{ S(" \t\r\n{ } \n") }, { S("[]") }, { S("[ ]") }, { S("[\n]\r\n") },
	{ S("[true,false,null,1,-1,\"\",[],{}]") },
	{ S("[ 1 , 2 ]") }, { S("{ \"a\" : 1 , \"a\" : 2 }") }, { S("{\"\":0}") },
	{ S("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uFfFf\"") },
	{ S("\"\\ud800\"") }, { S("\"\\udc00\\ud800\"") },
	{ S("\"\\ud834\\udd1e\"") }, { S("\"\\ud83dx\"") },
	{ S("\"\x7f\"") }, { S("\"\xc2\x80\xdf\xbf\xe0\xa0\x80\"") },
	{ S("\"\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"") },
	{ S("\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"") },
	{ S("\"\xef\xbb\xbf\"") }, { S("{\"\xe4\xbd\xa0\":\"\xe5\xa5\xbd\"}") },
	{ S("\"\\\\\"") }, { S("\"\\\\\\\"\"") }, { S("\"\xe2\x80\xa8\"") },
};

static const struct {
	const char *raw;
	size_t len, col;
	const char *text;	/* behind "not JSON: ", unless it is not UTF-8 */
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
	{ S("\"\xc3"), 2, NULL },
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

/* Two lines in one array: the second's nodes count on. */
static void
test_more(void)
{
	static const char one[] = "{\"a\":1}", two[] = "[\"b\",{}]";
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_doc_scan_more(&doc, S(one), &err), 0);
	CHECK_INT(doc.n, 3);
	CHECK_INT(ctx_doc_scan_more(&doc, S(two), &err), 0);
	CHECK_INT(doc.n, 6);
	CHECK_INT(doc.node[3].off, 0);
	CHECK_INT(doc.node[3].next, 6);
	CHECK_INT(doc.node[4].off, 1);
	CHECK_INT(doc.node[4].next, 5);
	CHECK(doc.raw == two);
	CHECK_INT(ctx_doc_scan_more(&doc, S("[\"x\",{}"), &err), -1);
	CHECK_INT(ctx_doc_scan_more(&doc, S("[\"\xff\"]"), NULL), -1);
	CHECK_INT(doc.n, 6);
	ctx_err_clear(&err);
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
		{ S(""), "5" }, { S("\\n"), "6" }, { S("\xf0\x9f\x98\x80"), "7" },
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

/*
 * lead spaces, then ["TEXT",{"k":"TEXT"}] with TEXT of len bytes, made of one
 * unit again and again after as many 'a' as are needed; returns its length.
 */
static size_t
build(char *out, size_t lead, size_t len, const char *unit)
{
	size_t ulen = strlen(unit), i, n = lead;
	char text[256];

	memset(out, ' ', lead);
	memset(text, 'a', len % ulen);
	for (i = len % ulen; i < len; i += ulen)
		memcpy(text + i, unit, ulen);
	n += (size_t)sprintf(out + n, "[\"%.*s\",{\"k\":\"%.*s\"}]", (int)len,
	    text, (int)len, text);
	return n;
}

/* One document, and the same with one byte of its first string spoilt. */
static int
aligned_ok(struct result *r, char *raw, size_t lead, size_t len, size_t n)
{
	struct ctx_node *node;
	const char *text;
	size_t col;
	char *last = raw + lead + 1 + len, keep = *last;

	scan(r, raw, n);
	node = r->doc.node;
	if (r->col != 0 || r->doc.n != 5 || node[0].off != lead ||
	    node[0].len != n - lead || node[0].next != 5 ||
	    node[1].off != lead + 1 || node[1].len != len + 2 ||
	    node[2].off != lead + len + 4 || node[2].next != 5 ||
	    node[4].off != lead + len + 9 || node[4].len != len + 2)
		return 0;
	if (len == 0 || keep != 'a')
		return 1;
	*last = '\x1f';
	scan(r, raw, n);
	col = r->col;
	text = "not JSON: control character in string";
	if (col != lead + len + 2 || strcmp(r->text, text) != 0)
		return 0;
	*last = '\xbf';
	scan(r, raw, n);
	*last = keep;
	return r->col == col && strcmp(r->text, "not UTF-8") == 0;
}

static void
test_borders(const char *path)
{
	static const char *const units[] = {
		"a", "\\n", "\\\\", "\\\"", "\\u12aF", "\\\\\\\"", "\xc3\xa9",
		"\xe4\xbd\xa0", "\xf0\x9f\x98\x80", "\\u4f60aa", "\\taaaaaaa"
	};
	size_t u, lead, len, n, bad = 0;
	struct result r = { 0 };
	char raw[1024];

	for (u = 0; u < sizeof(units) / sizeof(units[0]); u++)
		for (lead = 0; lead <= 130; lead++)
			for (len = 0; len <= 200; len++) {
				n = build(raw, lead, len, units[u]);
				if (aligned_ok(&r, raw, lead, len, n))
					continue;
				if (bad++ == 0)
					fprintf(stderr, "%s: %s lead %zu len "
					    "%zu: %zu %s\n", path, units[u],
					    lead, len, r.col, r.text);
			}
	CHECK_INT(bad, 0);
	ctx_doc_done(&r.doc);
}

/* Bad escapes at every place of a string, and strings without an end. */
static void
test_bad_escapes(const char *path)
{
	static const char *const escs[] = { "\\x", "\\u00g0", "\\u1", "\\\\\\a",
	    "\\uabc", "\\\\\\u123" };
	size_t e, at, len, col, bad = 0;
	struct result r = { 0 };
	char raw[512];

	for (e = 0; e < sizeof(escs) / sizeof(escs[0]); e++)
		for (at = 0; at <= 200; at++) {
			raw[0] = '"';
			memset(raw + 1, 'a', 300);
			memcpy(raw + 1 + at, escs[e], strlen(escs[e]));
			raw[1 + at + strlen(escs[e])] = '"';
			len = 1 + at + strlen(escs[e]) + 1;
			col = 2 + at + (strncmp(escs[e], "\\\\", 2) == 0) * 2;
			scan(&r, raw, len);
			if ((r.col != col ||
			    strcmp(r.text, "not JSON: bad escape") != 0) &&
			    bad++ == 0)
				fprintf(stderr, "%s: %s at %zu: %zu %s\n",
				    path, escs[e], at, r.col, r.text);
			raw[1 + at] = '\\';
			scan(&r, raw, 2 + at);
			bad += r.col != at + 3 ||
			    strcmp(r.text, "not JSON: unexpected end") != 0;
		}
	CHECK_INT(bad, 0);
	ctx_doc_done(&r.doc);
}

static const struct {
	const char *bytes;
	size_t len, valid;	/* valid: bytes before the first bad one */
} utf8[] = {
	{ S("\x7f"), 1 }, { S("\xc2\x80"), 2 }, { S("\xdf\xbf"), 2 },
	{ S("\xe0\xa0\x80"), 3 }, { S("\xed\x9f\xbf"), 3 },
	{ S("\xee\x80\x80"), 3 }, { S("\xf0\x90\x80\x80"), 4 },
	{ S("\xf4\x8f\xbf\xbf"), 4 }, { S("\0"), 1 },
	{ S("\xc3\xa9\xe4\xbd\xa0\xf0\x9f\x98\x80"), 9 },
	{ S("\x80"), 0 }, { S("\xbf"), 0 }, { S("\xc3"), 0 },
	{ S("\xc0\x80"), 0 }, { S("\xc1\xbf"), 0 }, { S("\xe0\x80\x80"), 0 },
	{ S("\xe0\x9f\xbf"), 0 }, { S("\xed\xa0\x80"), 0 },
	{ S("\xed\xbf\xbf"), 0 }, { S("\xf0\x80\x80\x80"), 0 },
	{ S("\xf0\x8f\xbf\xbf"), 0 }, { S("\xf4\x90\x80\x80"), 0 },
	{ S("\xf5\x80\x80\x80"), 0 }, { S("\xf8\x88\x80\x80\x80"), 0 },
	{ S("\xfe"), 0 }, { S("\xff"), 0 }, { S("\xe4\xbd"), 0 },
	{ S("\xf0\x9f\x98"), 0 }, { S("\xc3\xa9\xa9"), 2 },
	{ S("\xe4\xbd\xa0\xa0"), 3 }, { S("\xf0\x9f\x98\x80\x80"), 4 },
	{ S("\xc3\xc3\xa9"), 0 }, { S("\xe4\xc3\xa9"), 0 },
	{ S("\xf0\x9f\xc3\xa9"), 0 },
};

static void
test_utf8_table(const char *path)
{
	size_t i, lead, tail, want, len, bad = 0;
	char *raw;

	for (i = 0; i < sizeof(utf8) / sizeof(utf8[0]); i++)
		for (lead = 0; lead <= 130; lead++)
			for (tail = 0; tail <= 70; tail += 1 + tail / 3) {
				len = lead + utf8[i].len + tail;
				raw = malloc(len);
				memset(raw, 'a', len);
				memcpy(raw + lead, utf8[i].bytes, utf8[i].len);
				want = utf8[i].valid == utf8[i].len ? len :
				    lead + utf8[i].valid;
				if (ctx_scan_utf8(raw, len) != want ||
				    ctx_utf8_check(raw, len) != want)
					bad++;
				free(raw);
			}
	if (!CHECK_INT(bad, 0))
		fprintf(stderr, "%s: UTF-8\n", path);
	CHECK_INT(ctx_scan_utf8(NULL, 0), 0);
}

/* All runs of four bytes in which each is at the edge of a class. */
static void
test_utf8_edges(void)
{
	static const unsigned char edge[] = { 0x00, 0x7f, 0x80, 0x8f, 0x90,
	    0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
	    0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff };
	const size_t n = sizeof(edge);
	size_t i, bad = 0;
	char raw[70];

	memset(raw, 'a', sizeof(raw));
	for (i = 0; i < n * n * n * n; i++) {
		raw[62] = (char)edge[i % n];
		raw[63] = (char)edge[i / n % n];
		raw[64] = (char)edge[i / n / n % n];
		raw[65] = (char)edge[i / n / n / n];
		bad += ctx_scan_utf8(raw, sizeof(raw)) !=
		    ctx_utf8_check(raw, sizeof(raw));
	}
	CHECK_INT(bad, 0);
}

static uint32_t
roll(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % n;
}

/* A seed document with a few bytes changed, added, doubled or taken away. */
static size_t
mutate(char *out, uint64_t *state)
{
	static const char *const seeds[] = {
		"{\"role\":\"user\",\"content\":\"hi\\n\\\"there\\\"\"}",
		"{\"a\":[1,-2.5e+10,true,false,null,\"x\"],\"b\":{\"c\":{}}}",
		" [ { \"k\" : \"\xe4\xbd\xa0\xe5\xa5\xbd\" } , [ ] , 0 ]\r\n",
		"[\"\\ud83d\\ude00\\u00e9\\\\\\/\\b\\f\\t\",\"\xf0\x9f\x98\x80\"]",
		"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":"
		    "\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"f\","
		    "\"arguments\":\"{\\\"path\\\":\\\"a/b.c\\\",\\\"n\\\":12}\"}}]}\n",
		"[[[[[[[[]]]]]]],{\"\":{\"\":[{\"\":[]}]}}]",
	};
	static const char bytes[] = "\"\\{}[]:,ntu0e-+. \n\x01\x80\xbf\xc3\xe4"
	    "\xf0\xff/ad8";
	const char *seed = seeds[roll(state, 6)];
	size_t len = strlen(seed), at;
	uint32_t times;

	memcpy(out, seed, len);
	for (times = roll(state, 5); times > 0 && len > 0; times--) {
		at = roll(state, (uint32_t)len);
		switch (roll(state, 5)) {
		case 0:
			out[at] = bytes[roll(state, sizeof(bytes))];
			break;
		case 1:
			memmove(out + at, out + at + 1, --len - at);
			break;
		case 2:
			memmove(out + at + 1, out + at, len++ - at);
			out[at] = bytes[roll(state, sizeof(bytes))];
			break;
		case 3:		/* pushes what follows over a block border */
			memmove(out + at + 40, out + at, len - at);
			memset(out + at, " a"[roll(state, 2)], 40);
			len += 40;
			break;
		default:
			len = at + 1 + roll(state, (uint32_t)(len - at));
		}
	}
	return len;
}

/* jansson refuses some of what JSON allows; the rest must be the same. */
static int
jansson_agrees(const char *raw, size_t len, int ok)
{
	json_error_t error;
	json_t *json;
	int same;

	if (memchr(raw, '\0', len) != NULL)
		return 1;	/* it skips a NUL behind a number or literal */
	json = json_loadb(raw, len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	same = (json != NULL) == ok;
	if (json == NULL && ok)
		same = json_error_code(&error) == json_error_numeric_overflow ||
		    memmem(raw, len, "\\u", 2) != NULL;
	json_decref(json);
	return same;
}

static void
test_random(void)
{
	static struct ref ref;
	uint64_t state = 20240229;
	struct result r = { 0 };
	unsigned i, ok = 0, bad = 0;
	size_t k, len, want;
	char raw[1024];

	for (i = 0; i < 100000; i++) {
		len = mutate(raw, &state);
		want = ref_scan(&ref, raw, len);
		ok += want == 0;
		for (k = 0; k < NPATHS; k++) {
			if (ctx_scan_force(paths[k]) == -1)
				continue;
			scan(&r, raw, len);
			if (r.col != want || (want == 0 &&
			    (r.doc.n != ref.n || memcmp(r.doc.node, ref.node,
			    ref.n * sizeof(ref.node[0])) != 0))) {
				if (bad++ == 0)
					fprintf(stderr, "%s: %zu not %zu: %s: "
					    "%.*s\n", paths[k], r.col, want,
					    r.text, (int)len, raw);
			}
		}
		if (!jansson_agrees(raw, len, want == 0) && bad++ == 0)
			fprintf(stderr, "jansson: %.*s\n", (int)len, raw);
	}
	CHECK_INT(bad, 0);
	/* the mix must hold both kinds */
	CHECK(ok > 20000 && ok < 80000);
	ctx_doc_done(&r.doc);
}

static void
test_choice(void)
{
	CHECK_INT(ctx_scan_force("none such"), -1);
	CHECK_INT(setenv("CTX_SCAN", "portable", 1), 0);
	CHECK_INT(ctx_scan_force(NULL), 0);
	CHECK_STR(ctx_scan_path(), "portable");
	CHECK_INT(setenv("CTX_SCAN", "none such", 1), 0);
	CHECK_INT(ctx_scan_force(NULL), 0);
	CHECK(strlen(ctx_scan_path()) > 0);
	CHECK_INT(ctx_scan_newline(S("ab\nc\n")), 2);
	CHECK_INT(ctx_scan_newline(S("abc")), 3);
	CHECK_INT(ctx_scan_newline(NULL, 0), 0);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < NPATHS; i++) {
		if (ctx_scan_force(paths[i]) == -1)
			continue;
		CHECK_STR(ctx_scan_path(), paths[i]);
		test_tables(paths[i]);
		test_lists();
		test_more();
		test_depth();
		test_get();
		test_borders(paths[i]);
		test_bad_escapes(paths[i]);
		test_utf8_table(paths[i]);
		test_utf8_edges();
	}
	test_random();
	test_choice();
	return CHECK_DONE("span");
}
