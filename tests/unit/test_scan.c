/* SPDX-License-Identifier: MIT */
/*
 * The code paths of read/span must agree: on a vector's borders, on all kinds
 * of UTF-8, and on random documents, which are also compared with the simple
 * reader below and with jansson.
 */
#include <jansson.h>

#include "base/utf8.h"
#include "check.h"
#include "paths.h"

/*
 * The reference: recursive, one byte at a time.  It records the nodes and the
 * offset of the first wrong byte.
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

/* If the line ends inside a character, the error is an early end. */
static int
ref_bad_char(struct ref *r)
{
	static const char fill[] = "\x80\x90\xa0\xbf";
	size_t left = r->len - r->i, i;
	char c[4];

	for (i = 0; i < 4 && left < 4; i++) {
		memset(c, fill[i], sizeof(c));
		memcpy(c, r->p + r->i, left);
		if (ctx_utf8_step(c, sizeof(c), NULL) > left)
			return ref_fail(r, r->len);
	}
	return ref_fail(r, r->i);
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
			return ref_bad_char(r);
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

/* Returns the column of the error, or 0 if there is none. */
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

/*
 * Write `lead` spaces, then ["TEXT",{"k":"TEXT"}] with a TEXT of len bytes,
 * made of as many 'a' as necessary and copies of unit; returns the length.
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

/* Check a document, and the same with a wrong byte in its first string. */
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

/* Bad escapes at every position of a string, and unterminated strings. */
static void
test_bad_escapes(const char *path)
{
	static const char *const escs[] = {
		"\\x", "\\u00g0", "\\u1", "\\\\\\a", "\\uabc", "\\\\\\u123"
	};
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
	size_t len, valid;	/* bytes before the first bad one */
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

/* All sequences of four bytes, each at the edge of a class. */
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

/* A seed document with a few bytes changed, inserted, doubled or removed. */
static size_t
mutate(char *out, uint64_t *state)
{
	static const char *const seeds[] = {
		"{\"role\":\"user\",\"content\":\"hi\\n\\\"there\\\"\"}",
		"{\"a\":[1,-2.5e+10,true,false,null,\"x\"],\"b\":{\"c\":{}}}",
		" [ { \"k\" : \"\xe4\xbd\xa0\xe5\xa5\xbd\" } , [ ] , 0 ]\r\n",
		"[\"\\ud83d\\ude00\\u00e9\\\\\\/\\b\\f\\t\","
		    "\"\xf0\x9f\x98\x80\"]",
		"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
		    "{\"id\":\"call_1\",\"type\":\"function\",\"function\":"
		    "{\"name\":\"f\",\"arguments\":"
		    "\"{\\\"path\\\":\\\"a/b.c\\\",\\\"n\\\":12}\"}}]}\n",
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
		case 3:		/* pushes the rest over a block border */
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

/* jansson refuses some valid JSON; everything else must be the same. */
static int
jansson_agrees(const char *raw, size_t len, int ok)
{
	json_error_t error;
	json_t *json;
	int same;

	if (memchr(raw, '\0', len) != NULL)
		return 1;	/* it ignores a NUL after a number or literal */
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
			if (ctx_cpu_force(paths[k]) == -1)
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
	/* the documents must be of both kinds */
	CHECK(ok > 20000 && ok < 80000);
	ctx_doc_done(&r.doc);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < NPATHS; i++) {
		if (ctx_cpu_force(paths[i]) == -1)
			continue;
		TEST("borders of blocks, %s", paths[i]);
		test_borders(paths[i]);
		TEST("bad escapes, %s", paths[i]);
		test_bad_escapes(paths[i]);
		TEST("the table of UTF-8, %s", paths[i]);
		test_utf8_table(paths[i]);
		TEST("the edges of UTF-8, %s", paths[i]);
		test_utf8_edges();
	}
	RUN(test_random());
	return CHECK_DONE("scan");
}
