/* SPDX-License-Identifier: MIT */
/*
 * Parts of the store that need no database: checksums, times, cuts, queries,
 * merge patches, MessagePack.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/crc32c.h"
#include "base/when.h"
#include "check.h"
#include "store/search/lex.h"
#include "store/entry.h"
#include "store/port/msgpack.h"
#include "store/state.h"
#include "store/search/index.h"
#include "store/search/text.h"

/* RFC 3720, B.4, and the usual check string. */
static void
test_crc(void)
{
	unsigned char b[32];
	int i;

	CHECK(ctx_crc32c(0, "123456789", 9) == 0xe3069283);
	memset(b, 0, sizeof(b));
	CHECK(ctx_crc32c(0, b, 32) == 0x8a9136aa);
	memset(b, 0xff, sizeof(b));
	CHECK(ctx_crc32c(0, b, 32) == 0x62a8ab43);
	for (i = 0; i < 32; i++)
		b[i] = (unsigned char)i;
	CHECK(ctx_crc32c(0, b, 32) == 0x46dd794e);
	CHECK(ctx_crc32c_portable(0, b, 32) == 0x46dd794e);
	for (i = 0; i <= 32; i++)
		CHECK(ctx_crc32c(ctx_crc32c(0, b, (size_t)i), b + i,
		    (size_t)(32 - i)) == 0x46dd794e);
}

static void
test_when(void)
{
	static const struct {
		const char *text;
		int64_t t;	/* INT64_MIN: refused */
	} cases[] = {
		{ "1970-01-01T00:00:00Z", 0 },
		{ "1970-01-02", INT64_C(86400000000) },
		{ "2000-02-29T12:00:00.5Z", INT64_C(951825600500000) },
		{ "2026-03-01T00:00:00+01:00", INT64_C(1772319600000000) },
		{ "2026-03-01 00:00:00.123456789Z",
		    INT64_C(1772323200123456) },
		{ "1969-12-31T23:59:59.999999Z", -1 },
		{ "2001-02-29", INT64_MIN }, { "2000-13-01", INT64_MIN },
		{ "2000-00-10", INT64_MIN }, { "2000-01-01T24:00:00Z",
		    INT64_MIN },
		{ "2000-01-01T00:00:00", INT64_MIN },
		{ "2000-01-01T00:00:00.Z", INT64_MIN },
		{ "2000-1-1", INT64_MIN }, { "", INT64_MIN },
	};
	char text[CTX_WHEN_SIZE];
	struct ctx_err err = { 0 };
	int64_t t;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		t = INT64_MIN;
		ctx_when_scan(cases[i].text, strlen(cases[i].text), &t);
		CHECK_INT(t, cases[i].t);
	}
	CHECK_STR(ctx_when_text(0, text), "1970-01-01T00:00:00.000000Z");
	CHECK_STR(ctx_when_text(-1, text), "1969-12-31T23:59:59.999999Z");
	CHECK_STR(ctx_when_text(INT64_C(951825600500000), text),
	    "2000-02-29T12:00:00.500000Z");
	CHECK(ctx_when_parse("2d", INT64_C(1000000000000), &t, &err) == 0);
	CHECK_INT(t, INT64_C(1000000000000) - INT64_C(172800000000));
	CHECK(ctx_when_parse("-2d", 0, &t, &err) == -1);
}

static int
add_part(const char *text, size_t len, int prefix, void *arg)
{
	ctx_buf_add(arg, text, len);
	return ctx_buf_adds(arg, prefix ? "*|" : "|");
}

static void
test_cut(void)
{
	static const struct {
		const char *text, *cut;
	} cases[] = {
		{ "plain words", "plain words" },
		{ "\xe4\xb8\x8a\xe4\xb8\x8b\xe6\x96\x87",
		    " \xe4\xb8\x8a\xe4\xb8\x8b \xe4\xb8\x8b\xe6\x96\x87 "
		    "\xe6\x96\x87 " },
		{ "a\xe6\x96\x87" "b", "a \xe6\x96\x87 b" },
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "", "" },
	};
	static const struct {
		const char *text, *names;
	} names[] = {
		{ "loadData x", " \xee\x80\x80 load Data" },
		{ "getHTTPServer2", " \xee\x80\x80 get HTTP Server2" },
		{ "load_data LOAD load Load a9 iOS", "" },
		{ "(userName,oldUser)", " \xee\x80\x80 user Name"
		    " \xee\x80\x80 old User" },
		{ "aGVsbG8gd29ybGQ", "" },	/* base64 */
	};
	/* Parts, each followed by a bar; * if the last word is a prefix. */
	static const struct {
		const char *text, *parts;
	} queries[] = {
		{ "session", "session*|" },
		{ "two words", "two*|words*|" },
		{ "\"exact phrase\"", "exact phrase|" },
		{ "NEAR(a OR b)*", "NEAR(a*|OR*|b)**|" },
		{ "say\"hi", "say\"hi*|" },
		{ "\xe4\xb8\x8a\xe4\xb8\x8b\xe6\x96\x87",
		    "\xe4\xb8\x8a\xe4\xb8\x8b \xe4\xb8\x8b\xe6\x96\x87 |" },
		{ "\"\xe4\xb8\x8a\xe4\xb8\x8b\"", "\xe4\xb8\x8a\xe4\xb8\x8b |" },
		{ "\xe6\x96\x87", "\xe6\x96\x87*|" },
		{ "x\xe6\x96\x87", "x*|\xe6\x96\x87*|" },
		{ "\"x\xe4\xb8\x8a\xe4\xb8\x8b\"",
		    "x \xe4\xb8\x8a\xe4\xb8\x8b |" },
		{ "\"x\xe6\x96\x87\"", "x \xe6\x96\x87*|" },
		{ "", "" }, { "  ", "" }, { "\"\"", "" },
		{ "\" a", "\"*|a*|" },
	};
	struct ctx_buf out = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctx_buf_reset(&out);
		CHECK(ctx_lex_text(&out, cases[i].text,
		    strlen(cases[i].text)) == 0);
		CHECK_MEM(out.data != NULL ? out.data : "", out.len,
		    cases[i].cut);
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ctx_buf_reset(&out);
		CHECK(ctx_lex_names(&out, names[i].text,
		    strlen(names[i].text)) == 0);
		CHECK_MEM(out.data != NULL ? out.data : "", out.len,
		    names[i].names);
	}
	for (i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		ctx_buf_reset(&out);
		CHECK(ctx_lex_query(queries[i].text, strlen(queries[i].text),
		    add_part, &out) == 0);
		CHECK_MEM(out.data != NULL ? out.data : "", out.len,
		    queries[i].parts);
	}
	ctx_buf_done(&out);
}

static void
test_diff(void)
{
	static const struct {
		const char *a, *b, *patch;
	} cases[] = {
		{ "{}", "{}", "{}" },
		{ "{\"a\":1}", "{\"a\":1.0}", "{\"a\":1.0}" },
		{ "{\"a\":1,\"b\":2}", "{\"b\":2}", "{\"a\":null}" },
		{ "{\"a\":{\"x\":1,\"y\":2}}", "{\"a\":{\"x\":1,\"y\":3}}",
		    "{\"a\":{\"y\":3}}" },
		{ "[1]", "{\"a\":1}", "{\"a\":1}" },
		{ "{\"a\":1,\"a\":2}", "{\"a\":2}", "{}" },
		{ "{\"\\u0061\":1}", "{\"a\":1}", "{}" },
	};
	struct ctx_buf patch = { 0 }, again = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctx_buf_reset(&patch);
		ctx_buf_reset(&again);
		CHECK(ctx_state_diff(&patch, cases[i].a, strlen(cases[i].a),
		    cases[i].b, strlen(cases[i].b), &err) == 0);
		CHECK_MEM(patch.data, patch.len, cases[i].patch);
		CHECK(ctx_state_patch(&again, cases[i].a, strlen(cases[i].a),
		    patch.data, patch.len, &err) == 0);
	}
	CHECK(ctx_state_patch(&again, "{}", 2, "{", 1, &err) == -1);
	ctx_buf_done(&patch);
	ctx_buf_done(&again);
}

/* A hundred thousand members on both sides must not take quadratic time. */
static void
test_wide(void)
{
	struct ctx_buf a = { 0 }, b = { 0 }, out = { 0 };
	struct ctx_err err = { 0 };
	int i;

	for (i = 0; i < 100000; i++) {
		ctx_buf_addf(&a, "%s\"k%d\":1", i > 0 ? "," : "{", i);
		ctx_buf_addf(&b, "%s\"k%d\":%d", i > 0 ? "," : "{", i,
		    i == 77 ? 2 : 1);
	}
	ctx_buf_addc(&a, '}');
	ctx_buf_addc(&b, '}');
	CHECK(ctx_state_diff(&out, a.data, a.len, b.data, b.len, &err) == 0);
	CHECK_MEM(out.data, out.len, "{\"k77\":2}");
	ctx_buf_done(&a);
	ctx_buf_done(&b);
	ctx_buf_done(&out);
}

static void
test_entry(void)
{
	static const struct {
		const char *line, *mid, *role;
		int turn;
	} cases[] = {
		{ "{\"role\":\"user\",\"content\":\"x\"}", "", "user", 1 },
		{ "{\"id\":\"a\\u0062\",\"role\":\"developer\"}", "ab",
		    "system", 0 },
		{ "{\"id\":-1.50,\"type\":\"ai\"}", "-1.50", "assistant", 0 },
		{ "{\"id\":\"\",\"uuid\":\"u\",\"from\":\"human\"}", "u",
		    "user", 1 },
		{ "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{}}]}",
		    "", "user", 0 },
		{ "{\"payload\":{\"type\":\"function_call_output\"}}", "",
		    "tool", 0 },
		{ "{\"id\":\"a\\u0000b\"}", NULL, "", 0 },
	};
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_entry e;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(ctx_entry_scan(&e, cases[i].line, strlen(cases[i].line),
		    NULL, &doc, &err) == 0);
		/* An id that is not a string becomes a hash with 64 digits. */
		if (cases[i].mid == NULL)
			CHECK_INT(strlen(e.mid), 64);
		else
			CHECK_STR(e.mid, cases[i].mid);
		CHECK_STR(e.role, cases[i].role);
		CHECK_INT(e.opens_turn, cases[i].turn);
	}
	CHECK(ctx_entry_scan(&e, "5", 1, NULL, &doc, &err) == -1);
	CHECK_INT(err.col, 1);
	ctx_doc_done(&doc);
}

/* The depth of nested lists around a value that can still be read. */
#define DEEP	200

/* Examples from the specification, and LangGraph's extension for objects. */
static void
test_msgpack(void)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *json;	/* NULL: refused */
	} cases[] = {
		{ "\x82\xa7" "compact\xc3\xa6schema\x00", 18,
		    "{\"compact\":true,\"schema\":0}" },
		{ "\x93\x01\xff\xd0\x80", 5, "[1,-1,-128]" },
		{ "\xcb\x3f\xf8\0\0\0\0\0\0", 9, "1.5" },
		{ "\xc4\x03\x01\x02\x03", 5, "\"AQID\"" },
		{ "\x81\x05\xc0", 3, "{\"5\":null}" },
		{ "\xd9\x02\"\\", 4, "\"\\\"\\\\\"" },
		{ "\xc7\x09\x02\x93\xa1m\xa1" "C\x81\xa1x\x07", 12,
		    "{\"x\":7}" },
		{ "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", 9,
		    "18446744073709551615" },
		{ "\xc0", 1, "null" }, { "\xc2", 1, "false" },
		{ "\xc3", 1, "true" }, { "\x7f", 1, "127" },
		{ "\xe0", 1, "-32" }, { "\xcc\xff", 2, "255" },
		{ "\xcd\x01\x00", 3, "256" },
		{ "\xce\x00\x01\x00\x00", 5, "65536" },
		{ "\xd1\x80\x00", 3, "-32768" },
		{ "\xd2\x80\0\0\0", 5, "-2147483648" },
		{ "\xd3\x80\0\0\0\0\0\0\0", 9, "-9223372036854775808" },
		{ "\xca\x3f\xc0\0\0", 5, "1.5" },
		{ "\xca\x7f\x80\0\0", 5, "null" },
		{ "\xcb\x7f\xf8\0\0\0\0\0\0", 9, "null" },
		{ "\xc4\x00", 2, "\"\"" }, { "\xc4\x01\x01", 3, "\"AQ==\"" },
		{ "\xc4\x02\x01\x02", 4, "\"AQI=\"" },
		{ "\xc5\x00\x04\xff\xfe\xfd\xfc", 7, "\"//79/A==\"" },
		{ "\xc6\0\0\0\x01\xff", 6, "\"/w==\"" },
		{ "\xa0", 1, "\"\"" }, { "\xda\x00\x01x", 4, "\"x\"" },
		{ "\xdb\0\0\0\x01x", 6, "\"x\"" }, { "\x90", 1, "[]" },
		{ "\xdc\x00\x02\x01\x02", 5, "[1,2]" },
		{ "\xdd\0\0\0\x01\x01", 6, "[1]" }, { "\x80", 1, "{}" },
		{ "\x82\x01\x02\xa1x\x03", 6, "{\"1\":2,\"x\":3}" },
		{ "\xde\x00\x01\x01\x02", 5, "{\"1\":2}" },
		{ "\xdf\0\0\0\x01\x01\x02", 7, "{\"1\":2}" },
		{ "\xd4\x7f\x01", 3, "{\"ext\":127,\"data\":\"AQ==\"}" },
		{ "\xc8\x00\x01\x7f\x01", 5,
		    "{\"ext\":127,\"data\":\"AQ==\"}" },
		{ "\xd6\x02\x93\x01\x02\x03", 6, "3" },
		{ "\xd6\x02\x92\x01\x02\x03", 6, NULL },
		{ "\xd6\x02\xa3\x01\x02\x03", 6, NULL },
		{ "\xc7\x00\x02", 3, NULL }, { "\xd6\x02\x93\x01", 4, NULL },
		{ "\xcd\x01", 2, NULL }, { "\xc4\x02\x01", 3, NULL },
		{ "\xa2x", 2, NULL }, { "\x81\x01", 2, NULL },
		{ "\xd4\x7f", 2, NULL }, { "\xcb\0", 2, NULL },
		{ "\xd9", 1, NULL }, { "\xdc\x00", 2, NULL },
		{ "\x92\x01", 2, NULL }, { "\xc1", 1, NULL },
		{ "\x01\x01", 2, NULL }, { "", 0, NULL },
		{ "\xdf\xff\xff\xff\xff", 5, NULL },
		{ "\xa1\xff", 2, NULL },
		/* a key that is a list with an object, written as a string */
		{ "\x81\x91\x81\x01\x02\x03", 6,
		    "{\"[{\\\"1\\\":2}]\":3}" },
	};
	struct ctx_buf out = { 0 };
	struct ctx_err err;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&err, 0, sizeof(err));
		ctx_buf_reset(&out);
		rc = ctx_msgpack_json((const unsigned char *)cases[i].bytes,
		    cases[i].n, &out, &err);
		CHECK_INT(rc, cases[i].json != NULL ? 0 : -1);
		if (rc == 0)
			CHECK_MEM(out.data, out.len, cases[i].json);
		else
			CHECK_INT(err.code, CTX_EINPUT);
	}
	/* Each key in a key doubles the escapes: these would be 2 to the 40. */
	ctx_buf_reset(&out);
	memset(&err, 0, sizeof(err));
	{
		unsigned char keys[81];

		memset(keys, 0x81, 40);
		memset(keys + 40, 0x01, 41);
		CHECK(ctx_msgpack_json(keys, 41 + 40, &out, &err) == -1);
		CHECK_INT(err.code, CTX_EINPUT);
		CHECK(strstr(err.text, "keys") != NULL && out.len < 1000);
	}
	/* Nesting without end. */
	ctx_buf_reset(&out);
	memset(&err, 0, sizeof(err));
	{
		unsigned char deep[5000];

		memset(deep, 0x91, sizeof(deep));
		deep[DEEP - 1] = 0xc0;
		CHECK(ctx_msgpack_json(deep, DEEP, &out, &err) == 0);
		CHECK(out.len == 2 * (DEEP - 1) + 4);
		deep[DEEP - 1] = 0x91;
		CHECK(ctx_msgpack_json(deep, DEEP + 1, &out, &err) == -1);
		CHECK(ctx_msgpack_json(deep, sizeof(deep), &out, &err) == -1);
	}
	ctx_buf_done(&out);
}

static void
test_text(void)
{
	static const char line[] = "{\"id\":\"no\",\"role\":\"no\",\"content\":"
	    "[{\"type\":\"text\",\"text\":\"one\\ntwo\"},{\"type\":\"tool_use\","
	    "\"id\":\"no\",\"name\":\"f\",\"input\":{\"path\" : \"/x\"}}]}";
	static const char inner[] = "[{\"type\":\"human\",\"data\":{"
	    "\"content\":\"one\",\"data\":\"two\"}},{\"data\":{\"x\":"
	    "\"three\"},\"text\":\"four\"}]";
	char run[200] = "", data[800], want[500];
	struct ctx_doc doc = { 0 };
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };

	CHECK(ctx_doc_scan(&doc, line, strlen(line), &err) == 0);
	CHECK(ctx_text_words(&doc, CTX_INDEX_CUT, &out) == 0);
	CHECK_MEM(out.data, out.len, "one\ntwo\nf\n/x\n");
	/* Only data between words is omitted; the first version omitted all. */
	memset(run, 'a', 199);
	snprintf(data, sizeof(data), "{\"c\":\"one %s/ two %s three %s\"}",
	    run, run, run);
	CHECK(ctx_doc_scan(&doc, data, strlen(data), &err) == 0);
	ctx_buf_reset(&out);
	CHECK(ctx_text_words(&doc, CTX_INDEX_CUT, &out) == 0);
	snprintf(want, sizeof(want), "one  two %s three %s\n", run, run);
	CHECK_MEM(out.data, out.len, want);
	ctx_buf_reset(&out);
	CHECK(ctx_text_words(&doc, 1, &out) == 0);
	CHECK_INT(out.len, 0);
	CHECK(ctx_doc_scan(&doc, line, strlen(line), &err) == 0);
	CHECK(ctx_text_words(&doc, 1, &out) == 0);
	CHECK_MEM(out.data, out.len, "one\ntwo\nf\n/x\n");
	ctx_buf_reset(&out);
	CHECK(ctx_text_answer(&doc, &out) == 0);
	CHECK_MEM(out.data, out.len, "one\ntwo");
	/* a message in "data", which was omitted with it before version 3 */
	CHECK(ctx_doc_scan(&doc, inner, strlen(inner), &err) == 0);
	ctx_buf_reset(&out);
	CHECK(ctx_text_words(&doc, 2, &out) == 0);
	CHECK_MEM(out.data, out.len, "four\n");
	ctx_buf_reset(&out);
	CHECK(ctx_text_words(&doc, 3, &out) == 0);
	CHECK_MEM(out.data, out.len, "one\nfour\n");
	ctx_buf_done(&out);
	ctx_doc_done(&doc);
}

/* The text of a line, wherever its dialect has it. */
static void
test_answer(void)
{
	static const char *const cases[][2] = {
		{ "{\"role\":\"assistant\",\"content\":\"a\\nb\"}", "a\nb" },
		{ "{\"parts\":[{\"text\":\"a\"},{\"x\":1},{\"text\":\"b\"}]}",
		    "a\nb" },
		{ "{\"from\":\"gpt\",\"value\":\"a\"}", "a" },
		{ "{\"message\":{\"content\":[{\"text\":\"a\"}]}}", "a" },
		{ "{\"payload\":{\"content\":\"a\"}}", "a" },
		{ "{\"kwargs\":{\"content\":\"a\"}}", "a" },
		{ "{\"data\":{\"content\":\"a\"}}", "a" },
		{ "{\"message\":{\"x\":1},\"data\":{\"parts\":[{\"text\":"
		    "\"a\"}]}}", "a" },
		{ "{\"content\":\"a\",\"data\":{\"content\":\"b\"}}", "a" },
		{ "{\"other\":{\"content\":\"a\"}}", "" },
		{ "{\"content\":{}}", "" }, { "{\"content\":[{\"text\":{}}]}", "" },
		{ "{\"x\":1}", "" },
	};
	struct ctx_doc doc = { 0 };
	struct ctx_buf out = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctx_buf_reset(&out);
		ctx_buf_addc(&out, '<');
		CHECK_INT(ctx_doc_scan(&doc, cases[i][0], strlen(cases[i][0]),
		    NULL), 0);
		CHECK_INT(ctx_text_answer(&doc, &out), 0);
		/* nothing is added between old contents and the first text */
		CHECK_MEM(out.data + 1, out.len - 1, cases[i][1]);
	}
	ctx_buf_done(&out);
	ctx_doc_done(&doc);
}

int
main(void)
{
	RUN(test_crc());
	RUN(test_when());
	RUN(test_cut());
	RUN(test_diff());
	RUN(test_wide());
	RUN(test_entry());
	RUN(test_msgpack());
	RUN(test_text());
	RUN(test_answer());
	return CHECK_DONE("store");
}
