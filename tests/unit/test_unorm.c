/* SPDX-License-Identifier: MIT */
/*
 * Normalization forms, with Unicode's own test.  Each line has five texts: one
 * text, and its NFC, NFD, NFKC and NFKD.
 *
 *	test_unorm [FILE]
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/unorm.h"
#include "base/utf8.h"
#include "check.h"
#include "utf8_cut.h"

/* Write the text in this form to out; it is fed in parts of step bytes. */
static void
form_of(struct ctx_buf *out, enum ctx_unorm form, const struct ctx_buf *text,
    size_t step)
{
	const uint8_t *p = (const uint8_t *)text->data;
	struct ctx_err err = { 0 };
	size_t done = 0, have = 0, len;

	ctx_buf_reset(out);
	do {
		have += utf8_cut((const char *)p + have, text->len - have,
		    step);
		len = have - done;
		CHECK_INT(ctx_unorm_append(form, out, p + done, &len,
		    have == text->len, &err), 0);
		done += len;
	} while (have < text->len);
	CHECK_INT(done, text->len);
}

/* Convert hexadecimal code points to UTF-8; returns where they end. */
static char *
read_text(char *p, struct ctx_buf *out)
{
	char text[4], *end;

	ctx_buf_reset(out);
	while (*p != ';' && *p != '\n' && *p != '\0') {
		ctx_buf_add(out, text, ctx_utf8_put(text,
		    (uint32_t)strtoul(p, &end, 16)));
		if (end == p)
			return NULL;
		for (p = end; *p == ' '; p++)
			;
	}
	return *p == ';' ? p + 1 : p;
}

static int
same(const struct ctx_buf *a, const struct ctx_buf *b)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

/* Column i in each form must equal the column with this number. */
static void
check_line(const struct ctx_buf col[5], const char *line)
{
	static const int want[5][4] = {
		{ 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { 3, 4, 3, 4 },
		{ 3, 4, 3, 4 }
	};
	struct ctx_buf out = { 0 };
	int i, form, step;

	for (i = 0; i < 5; i++)
		for (form = CTX_UNORM_NFC; form <= CTX_UNORM_NFKD; form++)
			for (step = 1; step < 100; step += 98) {
				form_of(&out, (enum ctx_unorm)form, &col[i],
				    (size_t)step);
				if (!CHECK(same(&out,
				    &col[want[i][form - 1]])))
					fprintf(stderr, "form %d of column %d, "
					    "by %d: %s", form, i + 1, step,
					    line);
			}
	ctx_buf_done(&out);
}

static void
check_file(const char *path)
{
	struct ctx_buf col[5] = { 0 };
	FILE *f = fopen(path, "r");
	char *line = NULL, *p;
	size_t cap = 0, n = 0;
	int i;

	if (!CHECK(f != NULL))
		return;
	while (getline(&line, &cap, f) != -1) {
		for (i = 0, p = line; i < 5 && p != NULL; i++)
			p = read_text(p, &col[i]);
		if (!CHECK(p != NULL))
			break;
		check_line(col, line);
		n++;
	}
	CHECK(n > 1000);
	for (i = 0; i < 5; i++)
		ctx_buf_done(&col[i]);
	free(line);
	fclose(f);
}

/*
 * A megabyte of combining marks without a letter must be sorted at once.
 * Characters added after Unicode 9.0 are not sorted.
 */
static void
test_long(void)
{
	struct ctx_buf text = { 0 }, out = { 0 };
	size_t i;

	for (i = 0; i < 250000; i++)
		ctx_buf_adds(&text, i % 2 ? "\xcc\x81" : "\xcc\xa3");
	form_of(&out, CTX_UNORM_NFD, &text, text.len);
	CHECK_INT(out.len, text.len);
	for (i = 0; i < 250000; i++)
		if (memcmp(out.data + 2 * i, i < 125000 ? "\xcc\xa3" :
		    "\xcc\x81", 2) != 0)
			break;
	CHECK_INT(i, 250000);
	ctx_buf_reset(&text);
	/* U+08D3 was added in Unicode 11, with class 220. */
	ctx_buf_adds(&text, "e\xcc\x81\xe0\xa3\x93\xcc\xa3");
	form_of(&out, CTX_UNORM_NFC, &text, 1);
	CHECK_MEM(out.data, out.len, "\xc3\xa9\xe0\xa3\x93\xcc\xa3");
	ctx_buf_done(&text);
	ctx_buf_done(&out);
}

int
main(int argc, char *argv[])
{
	TEST("the rows of Unicode");
	check_file(argc > 1 ? argv[1] : "tests/data/unorm/NormalizationTest.txt");
	RUN(test_long());
	return CHECK_DONE("unorm");
}
