/* SPDX-License-Identifier: MIT */
/* Gemma's tokens by a text's scripts. */
#include "token/writing.h"

#include "check.h"

/* What 100 tokens of o200k_base become. */
static const struct {
	const char *text;
	uint64_t tokens;
} texts[] = {
	{ "", 100 },
	{ "prose, and a bit \xc3\xa4 more", 103 },
	{ " \n{\"json\":true}", 109 },
	{ "[1]", 109 },
	{ "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", 120 },		/* Hebrew */
	{ "\xd9\x85\xd8\xb1", 103 },				/* Arabic */
	{ "\xef\xad\x90", 103 },		/* its presentation form */
	{ "\xe0\xa4\x95\xe0\xb8\x81", 87 },		/* Hindi, Thai */
	{ "\xe3\x81\x82\xe3\x82\xa2", 58 },			/* kana */
	{ "\xe4\xb8\x80\xf0\xa0\x80\x80", 83 },			/* Han */
	{ "\xea\xb0\x80", 98 },					/* Hangul */
	{ "\xce\xb1\xd0\xb6\xd5\xa1", 98 },	/* Greek to Armenian */
	/* one of each: (58 * 60 + 83 * 65) / 125 */
	{ "\xe3\x81\x82\xe4\xb8\x80", 71 },
	/* a digit of three, which is 2 more; and of one, which is none */
	{ "a 123 b", 105 }, { "a 1 b", 103 }, { "1234", 105 },
};

static uint64_t
tokens(const char *text, size_t len, size_t part, uint64_t n)
{
	struct ctx_writing w = { { 0 }, 0, 0, 0, 0, 0, 0 };
	size_t i;

	for (i = 0; i < len; i += part)
		ctx_writing_feed(&w, text + i, len - i < part ? len - i :
		    part);
	return ctx_writing_tokens(&w, n);
}

/* The same in parts of any size. */
static void
test_text(size_t i)
{
	size_t len = strlen(texts[i].text), part;

	for (part = 1; part <= len + 1; part++)
		CHECK_INT(tokens(texts[i].text, len, part, 100),
		    texts[i].tokens);
}

/* Few tokens have no factor; bytes that are no text do no harm. */
static void
test_few(void)
{
	CHECK_INT(tokens("\xd7\xa9", 2, 2, 2), 2);
	CHECK_INT(tokens("\xd7\xa9", 2, 2, 3), 4);
	CHECK_INT(tokens("2026", 4, 4, 2), 4);
	CHECK_INT(tokens("", 0, 1, 0), 0);
	CHECK_INT(tokens("\x80\xff\xf0\x9f", 4, 1, 5), 5);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		TEST("text %d: %s", (int)i, texts[i].text);
		test_text(i);
	}
	RUN(test_few());
	return CHECK_DONE("writing");
}
