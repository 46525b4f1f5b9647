/* SPDX-License-Identifier: MIT */
/* Text for the index of words; see cut.h. */
#include "store/cut.h"

#include <string.h>

#include "base/utf8.h"

/* Characters that are written without spaces between words. */
static int
is_run(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} range[] = {
		{ 0x2e80, 0x2fdf }, { 0x3005, 0x3007 }, { 0x3021, 0x3029 },
		{ 0x3031, 0x3035 }, { 0x3041, 0x30ff }, { 0x3105, 0x31bf },
		{ 0x31f0, 0x31ff }, { 0x3400, 0x4dbf }, { 0x4e00, 0x9fff },
		{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xff66, 0xff9f },
		{ 0x20000, 0x3ffff },
	};
	size_t i;

	if (c < range[0].from)
		return 0;
	for (i = 0; i < sizeof(range) / sizeof(range[0]); i++)
		if (c >= range[i].from && c <= range[i].to)
			return 1;
	return 0;
}

/* Length of the run at text[0 .. len), 0 if there is none. */
static size_t
run_len(const char *text, size_t len)
{
	size_t n = 0, step;
	uint32_t c;

	while (n < len && (unsigned char)text[n] >= 0x80 &&
	    (step = ctx_utf8_step(text + n, len - n, &c)) > 0 && is_run(c))
		n += step;
	return n;
}

/* The pairs of a run; with last also its last character alone. */
static void
add_pairs(struct ctx_buf *out, const char *run, size_t len, int last)
{
	size_t a = ctx_utf8_step(run, len, NULL), b;

	while (a < len) {
		b = ctx_utf8_step(run + a, len - a, NULL);
		ctx_buf_add(out, run, a + b);
		ctx_buf_addc(out, ' ');
		run += a;
		len -= a;
		a = b;
	}
	if (last)
		ctx_buf_add(out, run, len);
}

int
ctx_cut_text(struct ctx_buf *out, const char *text, size_t len)
{
	size_t i = 0, start = 0, n;

	while (i < len) {
		if ((unsigned char)text[i] < 0x80) {
			i++;
			continue;
		}
		if ((n = run_len(text + i, len - i)) == 0) {
			n = ctx_utf8_step(text + i, len - i, NULL);
			i += n > 0 ? n : 1;
			continue;
		}
		ctx_buf_add(out, text + start, i - start);
		ctx_buf_addc(out, ' ');
		add_pairs(out, text + i, n, 1);
		ctx_buf_addc(out, ' ');
		start = i += n;
	}
	return ctx_buf_add(out, text + start, len - start);
}

/* Would unicode61 find anything in it? */
static int
has_word(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0x80 ||
		    (text[i] >= '0' && text[i] <= '9') ||
		    ((text[i] | 0x20) >= 'a' && (text[i] | 0x20) <= 'z'))
			return 1;
	return 0;
}

/* text as an FTS5 string: in double quotes, those inside doubled, no NUL. */
static void
add_quoted(struct ctx_buf *out, const char *text, size_t len)
{
	size_t i;

	ctx_buf_addc(out, '"');
	for (i = 0; i < len; i++) {
		if (text[i] == '"')
			ctx_buf_addc(out, '"');
		ctx_buf_addc(out, text[i] != '\0' ? text[i] : ' ');
	}
	ctx_buf_addc(out, '"');
}

static void
add_and(struct ctx_buf *out, size_t start)
{
	if (out->len > start)
		ctx_buf_adds(out, " AND ");
}

/* A run: a phrase of its pairs; one character alone begins a pair. */
static void
add_run(struct ctx_buf *out, const char *run, size_t len, size_t start)
{
	add_and(out, start);
	if (ctx_utf8_step(run, len, NULL) == len) {
		add_quoted(out, run, len);
		ctx_buf_adds(out, " *");
		return;
	}
	ctx_buf_addc(out, '"');
	add_pairs(out, run, len, 0);
	ctx_buf_addc(out, '"');
}

static void
add_word(struct ctx_buf *out, const char *word, size_t len, size_t start)
{
	size_t i = 0, from = 0, n;

	while (i <= len) {
		n = i < len ? run_len(word + i, len - i) : 0;
		if (n == 0 && i < len) {
			i++;
			continue;
		}
		if (i > from && has_word(word + from, i - from)) {
			add_and(out, start);
			add_quoted(out, word + from, i - from);
			ctx_buf_adds(out, " *");
		}
		if (n > 0)
			add_run(out, word + i, n, start);
		from = i += n > 0 ? n : 1;
	}
}

static void
add_phrase(struct ctx_buf *out, const char *text, size_t len, size_t start)
{
	struct ctx_buf cut = { 0 };

	if (!has_word(text, len))
		return;
	/* The last character alone stands only at the end of a run. */
	if (run_len(text, len) == len)
		add_run(out, text, len, start);
	else {
		ctx_cut_text(&cut, text, len);
		add_and(out, start);
		add_quoted(out, cut.data, cut.len);
		if (cut.failed)
			out->failed = 1;
	}
	ctx_buf_done(&cut);
}

int
ctx_cut_query(struct ctx_buf *out, const char *text, size_t len)
{
	size_t i = 0, n, start = out->len;
	const char *end;

	while (i < len) {
		if (strchr(" \t\r\n", text[i]) != NULL) {
			i++;
			continue;
		}
		if (text[i] == '"' && (end = memchr(text + i + 1, '"',
		    len - i - 1)) != NULL) {
			n = (size_t)(end - text) - i - 1;
			add_phrase(out, text + i + 1, n, start);
			i += n + 2;
			continue;
		}
		for (n = 0; i + n < len && (text[i + n] == '\0' ||
		    strchr(" \t\r\n", text[i + n]) == NULL); n++)
			continue;
		add_word(out, text + i, n > 0 ? n : 1, start);
		i += n > 0 ? n : 1;
	}
	return out->failed ? -1 : out->len > start;
}
