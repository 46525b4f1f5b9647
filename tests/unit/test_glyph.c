/* SPDX-License-Identifier: MIT */
#include "extract/glyph.h"

#include "base/utf8.h"
#include "check.h"

/* The first character of each run of a class, in order. */
static const struct run {
	uint32_t first;
	enum ctx_glyph class;
} runs[] = {
	{ 0, CTX_GLYPH_MARK }, { '\t', CTX_GLYPH_SPACE },
	{ '\r' + 1, CTX_GLYPH_MARK }, { ' ', CTX_GLYPH_SPACE },
	{ '!', CTX_GLYPH_MARK }, { '0', CTX_GLYPH_DIGIT },
	{ ':', CTX_GLYPH_MARK }, { 'A', CTX_GLYPH_ALPHA },
	{ '[', CTX_GLYPH_MARK }, { 'a', CTX_GLYPH_ALPHA },
	{ '{', CTX_GLYPH_MARK }, { 0x85, CTX_GLYPH_SPACE },
	{ 0x86, CTX_GLYPH_MARK }, { 0xa0, CTX_GLYPH_SPACE },
	{ 0xa1, CTX_GLYPH_MARK }, { 0xc0, CTX_GLYPH_LETTER },
	{ 0xd7, CTX_GLYPH_MARK }, { 0xd8, CTX_GLYPH_LETTER },
	{ 0xf7, CTX_GLYPH_MARK }, { 0xf8, CTX_GLYPH_LETTER },
	{ 0x2000, CTX_GLYPH_SPACE }, { 0x200c, CTX_GLYPH_MARK },
	{ 0x2c00, CTX_GLYPH_LETTER }, { 0x2e00, CTX_GLYPH_MARK },
	{ 0x3000, CTX_GLYPH_SPACE }, { 0x3001, CTX_GLYPH_MARK },
	{ 0x3040, CTX_GLYPH_LETTER }, { 0x3041, CTX_GLYPH_HAN },
	{ 0x3100, CTX_GLYPH_LETTER }, { 0x3400, CTX_GLYPH_HAN },
	{ 0x4dc0, CTX_GLYPH_LETTER }, { 0x4e00, CTX_GLYPH_HAN },
	{ 0xa000, CTX_GLYPH_LETTER }, { 0xe000, CTX_GLYPH_MARK },
	{ 0xf900, CTX_GLYPH_HAN }, { 0xfb00, CTX_GLYPH_LETTER },
	{ 0xfe00, CTX_GLYPH_MARK }, { 0x10000, CTX_GLYPH_LETTER },
	{ 0x1f000, CTX_GLYPH_MARK }, { 0x20000, CTX_GLYPH_HAN },
	{ 0x40000, CTX_GLYPH_LETTER }, { 0x110000, CTX_GLYPH_MARK }
};

static void
check_class(uint32_t cp, enum ctx_glyph want)
{
	enum ctx_glyph class;
	uint32_t got;
	char p[4];
	size_t n = ctx_utf8_put(p, cp);

	CHECK_INT(ctx_glyph_step(p, n, &got, &class), n);
	CHECK_INT(got, cp);
	if (!CHECK_INT(class, want))
		fprintf(stderr, "\tU+%04X\n", (unsigned)cp);
}

static void
test_classes(void)
{
	const struct run *r;
	uint32_t last;

	for (r = runs; r->first < 0x110000; r++) {
		last = r[1].first - 1;
		check_class(r->first, r->class);
		check_class(last == 0xdfff ? 0xd7ff : last, r->class);
	}
}

static void
test_invalid(void)
{
	enum ctx_glyph class;
	uint32_t cp;

	CHECK_INT(ctx_glyph_step("\xe5\xad", 2, &cp, &class), 1);
	CHECK_INT(cp, 0xfffd);
	CHECK_INT(class, CTX_GLYPH_MARK);
	CHECK_INT(ctx_glyph_size("\xe5\xad", 2), 2);
	CHECK_INT(ctx_glyph_step("\x80", 1, &cp, &class), 1);
	CHECK_INT(cp, 0xfffd);
}

/* The size of a text, and how many of its bytes have at most a size. */
static void
check_size(const char *text, uint32_t size, uint32_t at_most, size_t bytes)
{
	CHECK_INT(ctx_glyph_size(text, strlen(text)), size);
	CHECK_INT(ctx_glyph_cut(text, strlen(text), at_most), bytes);
}

static void
test_sizes(void)
{
	check_size("", 0, 0, 0);
	check_size("  ", 0, 0, 2);
	check_size("  a", 1, 0, 2);
	check_size("abcdef", 1, 1, 6);
	check_size("abcdefg", 2, 1, 6);
	check_size("abcdef ghi jkl", 3, 2, 11);
	check_size("123", 1, 0, 0);
	check_size("1234567", 3, 2, 6);
	check_size("ab12", 2, 1, 2);
	check_size("äöü", 1, 1, 6);
	check_size("äöüä", 2, 1, 6);
	check_size("学学", 2, 1, 3);
	check_size("a.b", 3, 2, 2);
	check_size("...", 3, 9, 3);
	check_size("a b", 2, 1, 2);
}

/* What is outside of U+4E00 to U+9FFF is ignored; what is not UTF-8 ends it. */
static void
test_set(void)
{
	static const uint32_t in[] = { 0x4e00, 0x4e07, 0x4e08, 0x5317, 0x9fff };
	struct ctx_han_set set;
	char text[64];
	uint32_t cp, want;
	size_t i, n = 1, wrong = 0;

	text[0] = 'a';
	for (i = 0; i < 5; i++)
		n += ctx_utf8_put(text + n, in[i]);
	n += ctx_utf8_put(text + n, 0x4dff);
	n += ctx_utf8_put(text + n, 0xa000);
	strcpy(text + n, "\xff\xe5\x8c\x98");
	ctx_han_set_init(&set, text);
	for (cp = 0; cp < 0x11000; cp++) {
		for (want = i = 0; i < 5; i++)
			want |= cp == in[i];
		wrong += (ctx_han_set_has(&set, cp) != 0) != want;
	}
	CHECK_INT(wrong, 0);
}

int
main(void)
{
	RUN(test_classes());
	RUN(test_invalid());
	RUN(test_sizes());
	RUN(test_set());
	return CHECK_DONE("glyph");
}
