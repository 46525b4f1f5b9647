/* SPDX-License-Identifier: MIT */
/* Contents of JSON strings, with every code path of this machine. */
#include "base/utf8.h"
#include "check.h"
#include "paths.h"

static const struct {
	const char *spelled;
	size_t chars;
	const char *text;
	size_t len;
} cases[] = {
	{ "", 0, S("") },
	{ "abc", 3, S("abc") },
	{ "a\\nb", 3, S("a\nb") },
	{ "\\\"\\\\\\/\\b\\f\\n\\r\\t", 8, S("\"\\/\b\f\n\r\t") },
	{ "\\u0041\\u00e9\\u4F60", 3, S("A\xc3\xa9\xe4\xbd\xa0") },
	{ "\\u0000x", 2, S("\0x") },
	{ "\\ud83d\\ude00", 1, S("\xf0\x9f\x98\x80") },
	{ "\\uD834\\uDD1E\\uDBFF\\uDFFF", 2,
	    S("\xf0\x9d\x84\x9e\xf4\x8f\xbf\xbf") },
	{ "\\ud83d", 1, S("\xef\xbf\xbd") },
	{ "\\ude00\\ud83d", 2, S("\xef\xbf\xbd\xef\xbf\xbd") },
	{ "\\ud83d\\ud83d\\ude00", 2, S("\xef\xbf\xbd\xf0\x9f\x98\x80") },
	{ "\\ud83dx\\ude00", 3, S("\xef\xbf\xbdx\xef\xbf\xbd") },
	{ "\\ud83d\\n", 2, S("\xef\xbf\xbd\n") },
	{ "\\ud7ff\\ue000", 2, S("\xed\x9f\xbf\xee\x80\x80") },
	{ "\\\\u0041", 6, S("\\u0041") },
	{ "\\\\\\u0041", 2, S("\\A") },
	{ "\xe4\xbd\xa0\xe5\xa5\xbd", 2, S("\xe4\xbd\xa0\xe5\xa5\xbd") },
	{ "\xf0\x9f\x98\x80\xc3\xa9", 2, S("\xf0\x9f\x98\x80\xc3\xa9") },
};

static void
test_table(void)
{
	struct ctx_buf out = { 0 };
	size_t i, len;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		len = strlen(cases[i].spelled);
		CHECK_INT(ctx_str_chars(cases[i].spelled, len), cases[i].chars);
		ctx_buf_reset(&out);
		CHECK_INT(ctx_str_decode(&out, cases[i].spelled, len), 0);
		check_mem(ctx_buf_str(&out), out.len, cases[i].text,
		    cases[i].len, __FILE__, __LINE__);
		CHECK_INT(ctx_str_spelling(cases[i].spelled, len, 0), 0);
		CHECK_INT(ctx_str_spelling(cases[i].spelled, len,
		    cases[i].len), len);
		CHECK_INT(ctx_str_spelling(cases[i].spelled, len, SIZE_MAX),
		    len);
	}
	ctx_buf_done(&out);
}

/* The bytes of the text, and the bytes of its spelling. */
static void
test_spelling(void)
{
	static const char s[] = "ab\\n\\u00e9\\ud83d\\ude00\xe4\xbd\xa0"
	    "\\ud800x";
	static const size_t want[][2] = { { 1, 1 }, { 2, 2 }, { 3, 4 },
	    { 5, 10 }, { 9, 22 }, { 10, 23 }, { 12, 25 }, { 15, 31 },
	    { 16, 32 } };
	size_t i;

	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		CHECK_INT(ctx_str_spelling(S(s), want[i][0]), want[i][1]);
}

static void
test_cut(void)
{
	static const char s[] = "ab\\n\\u00e9\\ud83d\\ude00\xe4\xbd\xa0"
	    "\\ud800\\\\ plain text with more than eight bytes";
	static const size_t want[] = { 0, 1, 2, 4, 10, 22, 25, 31, 33, 34, 35 };
	size_t i, chars = ctx_str_chars(S(s));

	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		CHECK_INT(ctx_str_cut(S(s), i), want[i]);
	CHECK_INT(ctx_str_cut(S(s), chars - 1), sizeof(s) - 2);
	CHECK_INT(ctx_str_cut(S(s), chars), sizeof(s) - 1);
	CHECK_INT(ctx_str_cut(S(s), chars + 1), sizeof(s) - 1);
	CHECK_INT(ctx_str_cut(NULL, 0, 5), 0);
}

static const struct {
	const char *a, *b;
	int same;
} equals[] = {
	{ "", "", 1 }, { "a", "a", 1 }, { "a", "b", 0 }, { "a", "", 0 },
	{ "a", "\\u0061", 1 }, { "\\n", "\\u000a", 1 }, { "\\n", "\\u000A", 1 },
	{ "\\/", "/", 1 }, { "\\n", "n", 0 }, { "\\\\n", "\\n", 0 },
	{ "\\u00e9", "\xc3\xa9", 1 },
	{ "\\ud83d\\ude00", "\xf0\x9f\x98\x80", 1 },
	{ "\\ud800", "\\ud801", 0 }, { "\\ud800", "\\uD800", 1 },
	{ "\\ud800", "\xef\xbf\xbd", 0 }, { "\\ufffd", "\xef\xbf\xbd", 1 },
	{ "ab\\t", "ab\\tc", 0 }, { "\\u0061b", "ab", 1 },
};

static void
test_equal(void)
{
	size_t i;
	const char *a, *b;

	for (i = 0; i < sizeof(equals) / sizeof(equals[0]); i++) {
		a = equals[i].a;
		b = equals[i].b;
		CHECK_INT(ctx_str_equal(a, strlen(a), b, strlen(b)),
		    equals[i].same);
		CHECK_INT(ctx_str_equal(b, strlen(b), a, strlen(a)),
		    equals[i].same);
	}
	CHECK(ctx_str_equal(NULL, 0, NULL, 0));
	CHECK(!ctx_str_equal(NULL, 0, "a", 1));
}

static const struct {
	const char *text;
	size_t len;
	const char *spelled;
} encodes[] = {
	{ S(""), "" },
	{ S("plain / text \x7f"), "plain / text \x7f" },
	{ S("\"\\\b\f\n\r\t"), "\\\"\\\\\\b\\f\\n\\r\\t" },
	{ S("\0\x01\x0b\x1f"), "\\u0000\\u0001\\u000b\\u001f" },
	{ S("\xe4\xbd\xa0 \xf0\x9f\x98\x80"),
	    "\xe4\xbd\xa0 \xf0\x9f\x98\x80" },
	{ S("0123456789\n0123456789\""), "0123456789\\n0123456789\\\"" },
};

static void
test_encode(void)
{
	struct ctx_buf out = { 0 };
	size_t i;

	for (i = 0; i < sizeof(encodes) / sizeof(encodes[0]); i++) {
		ctx_buf_reset(&out);
		CHECK_INT(ctx_str_encode(&out, encodes[i].text,
		    encodes[i].len), 0);
		CHECK_MEM(ctx_buf_str(&out), out.len, encodes[i].spelled);
	}
	ctx_buf_done(&out);
}

static uint32_t
roll(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % n;
}

/*
 * Strings of random characters, whose number is known because they are added
 * one by one; a surrogate pair always comes with both halves.
 */
static size_t
random_string(char *out, size_t *chars, size_t *ends, uint64_t *state)
{
	static const char *const units[] = {
		"a", "b", "cde fgh", "\xc3\xa9", "\xe4\xbd\xa0",
		"\xf0\x9f\x98\x80", "\\n", "\\\\", "\\\"", "\\u00e9",
		"\\ud83d\\ude00", "\\ud83dx"
	};
	static const unsigned char nchars[] = {
		1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 2
	};
	uint32_t n = roll(state, 60), escapes = roll(state, 2), u;
	size_t len = 0, k;

	*chars = 0;
	while (n-- > 0) {
		u = roll(state, escapes ? 12 : 6);
		memcpy(out + len, units[u], strlen(units[u]));
		if (nchars[u] == 1)
			ends[(*chars)++] = len += strlen(units[u]);
		else
			for (k = nchars[u]; k > 0; k--)
				ends[(*chars)++] =
				    len + strlen(units[u]) - k + 1;
		len = ends[*chars - 1];
	}
	return len;
}

/* Without halves of surrogate pairs the text is the same; scans notice them. */
static int
mends(const char *s, size_t len, const struct ctx_buf *text)
{
	struct ctx_buf mended = { 0 }, line = { 0 };
	struct ctx_doc doc = { 0 };
	size_t half = ctx_str_half(s, len), n;
	char *copy = malloc(len + 1);
	int ok;

	memcpy(copy + 1, s, len);
	n = ctx_str_mend(copy + 1, len);
	ctx_str_decode(&mended, copy + 1, len);
	ctx_buf_addc(&line, '"');
	ctx_buf_add(&line, s, len);
	ctx_buf_addc(&line, '"');
	ok = ctx_doc_try(&doc, line.data, line.len) == 1 &&
	    doc.escapes >= (half < len) && (n > 0) == (half < len) &&
	    ctx_str_half(copy + 1, len) == len &&
	    mended.len == text->len &&
	    memcmp(mended.data, text->data, text->len) == 0;
	ctx_doc_done(&doc);
	ctx_buf_done(&line);
	ctx_buf_done(&mended);
	free(copy);
	return ok;
}

static void
test_half(void)
{
	static const struct {
		const char *s, *mended;
		size_t half;
	} halves[] = {
		{ "", "", 0 },
		{ "a\\\\ud800", "a\\\\ud800", 8 },
		{ "a\\\\\\ud800", "a\\\\\\ufffd", 3 },
		{ "\\\\ud\\ud800", "\\\\ud\\ufffd", 4 },
		{ "\\ud7ff\\ue000", "\\ud7ff\\ue000", 12 },
		{ "\\ud83d\\ude00", "\\ud83d\\ude00", 12 },
		{ "\\ud83d\\ud83d\\ude00\\ude00",
		    "\\ufffd\\ud83d\\ude00\\ufffd", 0 },
		{ "x\\uDFFF\\uD800", "x\\ufffd\\ufffd", 1 }
	};
	char s[64];
	size_t i, len;

	for (i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		len = strlen(halves[i].s);
		memcpy(s, halves[i].s, len + 1);
		CHECK_INT(ctx_str_half(s, len), halves[i].half);
		ctx_str_mend(s, len);
		CHECK_STR(s, halves[i].mended);
	}
}

static int
random_ok(const char *s, size_t len, size_t chars, const size_t *ends)
{
	struct ctx_buf text = { 0 }, again = { 0 };
	size_t i;
	int ok;

	ctx_str_decode(&text, s, len);
	ctx_str_encode(&again, text.data, text.len);
	ok = ctx_str_chars(s, len) == chars && mends(s, len, &text) &&
	    ctx_utf8_check(text.data, text.len) == text.len &&
	    ctx_utf8_count(text.data, text.len) == chars &&
	    ctx_str_cut(s, len, chars) == len &&
	    ctx_str_chars(again.data, again.len) == chars &&
	    (memmem(s, len, "\\ud83dx", 7) != NULL ||
	    ctx_str_equal(s, len, again.data, again.len));
	for (i = 0; ok && i < chars; i++)
		ok = ctx_str_cut(s, len, i + 1) == ends[i];
	ctx_buf_done(&text);
	ctx_buf_done(&again);
	return ok;
}

static void
test_random(void)
{
	uint64_t state = 7;
	size_t i, len, chars, bad = 0, ends[512];
	char s[1024], *copy;

	for (i = 0; i < 20000; i++) {
		len = random_string(s, &chars, ends, &state);
		copy = malloc(len + 1);
		memcpy(copy + 1, s, len);	/* nothing follows it */
		if (!random_ok(copy + 1, len, chars, ends) && bad++ == 0)
			fprintf(stderr, "%s: %.*s\n", ctx_cpu_name(),
			    (int)len, s);
		free(copy);
	}
	CHECK_INT(bad, 0);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < NPATHS; i++) {
		if (ctx_cpu_force(paths[i]) == -1)
			continue;
		TEST("the table of strings, %s", paths[i]);
		test_table();
		TEST("cuts, %s", paths[i]);
		test_cut();
		TEST("random strings, %s", paths[i]);
		test_random();
	}
	RUN(test_spelling());
	RUN(test_half());
	RUN(test_equal());
	RUN(test_encode());
	return CHECK_DONE("str");
}
