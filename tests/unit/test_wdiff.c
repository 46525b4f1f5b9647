/* SPDX-License-Identifier: MIT */
/* How the words of two texts differ. */
#include "compare/wdiff.h"

#include "check.h"
#include "seeded.h"

/* The result: what is left out in [], what is added in {}. */
static const struct {
	const char *old, *new, *want;
} cases[] = {
	{ "", "", "" },
	{ "a", "", "[a]" },
	{ "", "a", "{a}" },
	{ "one two three", "one two three", "one two three" },
	{ "one two three", "one 2 three", "one [two]{2} three" },
	{ "one two three", "one three", "one [two ]three" },
	{ "the end", "the end\n", "the end{\n}" },
	/* names are one word, also with letters that are not of ASCII */
	{ "caf\303\251_1 is open", "caf\303\251_2 is open",
	    "[caf\303\251_1]{caf\303\251_2} is open" },
	/* a character of Chinese is one */
	{ "\346\230\216\345\244\251\350\247\201",
	    "\344\273\212\345\244\251\350\247\201",
	    "[\346\230\216]{\344\273\212}\345\244\251\350\247\201" },
	/* what both have between two changes must say something */
	{ "aaa of bbb", "ccc of ddd", "[aaa of bbb]{ccc of ddd}" },
	{ "aaa then bbb", "ccc then ddd", "[aaa]{ccc} then [bbb]{ddd}" },
	{ "aaa\nbbb", "ccc\nddd", "[aaa]{ccc}\n[bbb]{ddd}" },
	/* bytes that are no characters */
	{ "a\377b", "a\376b", "a[\377]{\376}b" },
};

static void
put(void *arg, char sign, struct ctx_str text)
{
	struct ctx_buf *out = arg;

	ctx_buf_adds(out, sign == '-' ? "[" : sign == '+' ? "{" : "");
	ctx_buf_add(out, text.p, text.len);
	ctx_buf_adds(out, sign == '-' ? "]" : sign == '+' ? "}" : "");
}

static struct ctx_str
str(const char *s)
{
	return (struct ctx_str){ s, (uint32_t)strlen(s) };
}

static void
test_cases(void)
{
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ctx_buf_reset(&out);
		CHECK_INT(ctx_wdiff(str(cases[i].old), str(cases[i].new), put,
		    &out, &err), 0);
		CHECK_MEM(out.len > 0 ? out.data : "", out.len, cases[i].want);
	}
	ctx_buf_done(&out);
}

/* What is not added is the old text, what is not left out the new one. */
static void
take(void *arg, char sign, struct ctx_str text)
{
	struct ctx_buf *out = arg;

	if (sign != '+')
		ctx_buf_add(&out[0], text.p, text.len);
	if (sign != '-')
		ctx_buf_add(&out[1], text.p, text.len);
}

static void
make(struct ctx_buf *out)
{
	static const char *const words[] = { "a", "word", " ", "  ", "\n", ".",
	    "of", "\303\251", "\345\244\251", "\377" };
	uint32_t n = seeded(30);

	ctx_buf_reset(out);
	while (n-- > 0)
		ctx_buf_adds(out, words[seeded(10)]);
}

static void
test_texts(void)
{
	struct ctx_buf text[2] = { { 0 }, { 0 } }, got[2] = { { 0 }, { 0 } };
	struct ctx_err err = { 0 };
	int n, i;

	for (n = 0; n < 5000; n++) {
		for (i = 0; i < 2; i++) {
			make(&text[i]);
			ctx_buf_reset(&got[i]);
		}
		CHECK_INT(ctx_wdiff(ctx_str_of(&text[0]), ctx_str_of(&text[1]),
		    take, got, &err), 0);
		for (i = 0; i < 2; i++)
			CHECK(got[i].len == text[i].len && (text[i].len == 0 ||
			    memcmp(got[i].data, text[i].data,
			    text[i].len) == 0));
	}
	for (i = 0; i < 2; i++) {
		ctx_buf_done(&text[i]);
		ctx_buf_done(&got[i]);
	}
}

int
main(void)
{
	RUN(test_cases());
	RUN(test_texts());
	return CHECK_DONE("test_wdiff");
}
