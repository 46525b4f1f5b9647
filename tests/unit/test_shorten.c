/* SPDX-License-Identifier: MIT */
/* What remains of a text that is too long. */
#include "text/shorten.h"

#include "base/buf.h"
#include "check.h"
#include "decide/clear.h"

#define A8	"aaaaaaaa"
#define A16	A8 A8
#define B8	"bbbbbbbb"
#define C22	"cccccccccccccccccccccc"
#define HEX	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define CHARS(n)	"\\n... (truncated, " n " chars total)"
#define TOKENS(n)	"\\n... (truncated, " n " tokens total)"
#define HASHED(n)	"\\n... (truncated, " n " chars total, sha256:" HEX ")"

/* Texts are the contents of JSON strings; want is NULL if unchanged. */
static const struct {
	unsigned max, tail;
	int tokens;
	const char *text, *hash, *want;
} cases[] = {
	{ 0, 0, 0, "abcdef", NULL, NULL },
	{ 6, 0, 0, "abcdef", NULL, NULL },
	{ 3, 0, 0, "\xc3\xa9\xc3\xa9\xc3\xa9", NULL, NULL },
	{ 3, 0, 0, "abcdef", NULL, "abc" CHARS("6") },
	{ 2, 0, 0, "\xc3\xa9\xc3\xa9\xc3\xa9", NULL,
	    "\xc3\xa9\xc3\xa9" CHARS("3") },
	{ 2, 0, 0, "\\u00e9\\n\\\\x", NULL, "\\u00e9\\n" CHARS("4") },
	{ 3, 0, 0, "abcdef", HEX, "abc" HASHED("6") },
	{ 4, 1, 0, "abcdef", NULL, "abc" CHARS("6") "\\nf" },
	{ 4, 4, 0, "abcdef", NULL, CHARS("6") "\\ncdef" },
	{ 4, 1, 0, "abcdef", HEX, "abc" HASHED("6") "\\nf" },

	/* a second time changes nothing */
	{ 3, 0, 0, "abc" CHARS("6"), NULL, NULL },
	{ 3, 0, 0, "abc" HASHED("6"), NULL, NULL },
	{ 3, 0, 0, CHARS("6"), NULL, NULL },
	{ 4, 1, 0, "abc" CHARS("9") "\\nf", NULL, NULL },
	/* shortening further keeps the original count */
	{ 2, 0, 0, "abc" CHARS("6"), NULL, "ab" CHARS("6") },
	{ 2, 0, 0, "abc" HASHED("6"), NULL, "ab" HASHED("6") },
	/* a text that only looks shortened is counted completely */
	{ 3, 0, 0, "abcdef" CHARS("6"), NULL, "abc" CHARS("37") },
	{ 3, 0, 0, "abc" CHARS("3"), NULL, "abc" CHARS("34") },
	{ 3, 0, 0, "abc" TOKENS("6"), NULL, "abc" CHARS("35") },
	{ 4, 1, 0, "abc" CHARS("4") "\\nf", NULL,
	    "abc" CHARS("36") "\\nf" },
	{ 3, 0, 0, "ab" CHARS("6") " x", NULL, "ab\\n" CHARS("35") },
	{ 3, 0, 0, "abc\\n... (truncated,  chars total)", NULL,
	    "abc" CHARS("33") },
	{ 3, 0, 0, "abc\\n... (truncated, 6 chars total", NULL,
	    "abc" CHARS("33") },
	{ 3, 0, 0, "abc" CHARS("123456789012345678"), NULL, NULL },
	{ 3, 0, 0, "abc" CHARS("1234567890123456789"), NULL,
	    "abc" CHARS("52") },

	/* cut at a line end if one is near */
	{ 20, 2, 0, A16 "\\n" B8, NULL, A16 CHARS("25") "\\nbb" },
	{ 20, 2, 0, A16 "\\\\n" B8, NULL, A16 "\\\\n" CHARS("26") "\\nbb" },
	{ 20, 2, 0, A8 "aaaaa\\n" B8 "bbbb", NULL,
	    A8 "aaaaa\\nbbbb" CHARS("26") "\\nbb" },
	{ 18, 0, 0, A16 "\\n" B8, NULL, A16 "\\nb" CHARS("25") },
	{ 30, 24, 0, A16 A8 "aaaaaab\\n" C22, NULL,
	    "aaaaaa" CHARS("54") "\\n" C22 },

	/* in tokens, which have two characters here */
	{ 4, 0, 1, A16 "aaaa", NULL, A8 TOKENS("10") },
	{ 4, 0, 1, A8 TOKENS("10"), NULL, NULL },
	{ 4, 0, 1, A8 CHARS("10"), NULL, A8 TOKENS("20") },
	/* a piece can have slightly more tokens than it had in its text */
	{ 4, 0, 1, A16 A8 TOKENS("99"), NULL, NULL },
	{ 4, 0, 1, A16 A8 "a" TOKENS("99"), NULL, A8 TOKENS("99") },
	{ 4, 0, 1, A8, NULL, NULL },
};

static int
count(void *arg, struct ctx_str s, uint64_t want, uint64_t *total,
    uint64_t *chars, struct ctx_err *err)
{
	uint64_t n = ctx_str_chars(s.p, s.len);

	(void)arg;
	(void)err;
	*total = (n + 1) / 2;
	*chars = want * 2 < n ? want * 2 : n;
	return 0;
}

static void
test_shorten(void)
{
	struct ctx_buf out = { 0 };
	struct ctx_shorten how = { .count = count };
	struct ctx_str s;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		how.max = cases[i].max;
		how.tail = cases[i].tail;
		how.tokens = cases[i].tokens;
		s.p = cases[i].text;
		s.len = (uint32_t)strlen(s.p);
		ctx_buf_reset(&out);
		rc = ctx_shorten(&how, s, cases[i].hash, &out, NULL);
		CHECK_INT(rc, cases[i].want != NULL);
		if (!CHECK_MEM(rc == 1 ? out.data : "", out.len,
		    cases[i].want != NULL ? cases[i].want : ""))
			fprintf(stderr, "\tin \"%s\"\n", cases[i].text);
		if (rc != 1)
			continue;
		s.p = cases[i].want;
		s.len = (uint32_t)strlen(s.p);
		CHECK_INT(ctx_shorten(&how, s, NULL, &out, NULL), 0);
	}
	s.p = NULL;
	s.len = 0;
	CHECK_INT(ctx_shorten(&how, s, NULL, &out, NULL), 0);
	ctx_buf_done(&out);
}

static const char *
hash_of(const char *text)
{
	struct ctx_str s = { text, (uint32_t)strlen(text) };

	return ctx_shorten_hash(s);
}

static void
test_hash(void)
{
	static const char whole[] = "abc" HASHED("6"), two[] =
	    "x" HASHED("9") "\\ny" CHARS("6");
	const char *h = hash_of(whole);

	CHECK(h != NULL && strncmp(h, HEX ")", 65) == 0);
	CHECK(hash_of("") == NULL);
	CHECK(hash_of("abc" CHARS("6")) == NULL);
	CHECK(hash_of("abc\\n... (truncated, 6 chars total, sha256:0123)") ==
	    NULL);
	/* only the last marker is ours */
	CHECK(hash_of(two) == NULL);
	CHECK(hash_of(two + 1) == NULL);
}

/* Cleared results: "[tool result cleared: N chars]". */
static void
test_clear(void)
{
	static const struct {
		const char *text, *want;
	} notes[] = {
		{ A16 A16, "[tool result cleared: 32 chars]" },
		{ A16 A8 "aaaaaaa", NULL },	/* 31, like the note */
		{ A16 "\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n", NULL },
		{ "[tool result cleared: 5321 chars] and much more", NULL },
		{ "[tool result cleared: ", NULL },
		{ "", NULL },
	};
	struct ctx_buf out = { 0 };
	struct ctx_str s;
	size_t i;

	for (i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
		ctx_buf_reset(&out);
		ctx_buf_adds(&out, "<");
		s.p = notes[i].text;
		s.len = (uint32_t)strlen(s.p);
		CHECK_INT(ctx_clear_note(&out, NULL, s, NULL), notes[i].want != NULL);
		CHECK_MEM(out.data + 1, out.len - 1,
		    notes[i].want != NULL ? notes[i].want : "");
	}
	ctx_buf_done(&out);
}

int
main(void)
{
	RUN(test_shorten());
	RUN(test_hash());
	RUN(test_clear());
	return CHECK_DONE("shorten");
}
