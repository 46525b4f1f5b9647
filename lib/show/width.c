/* SPDX-License-Identifier: MIT */
/* How wide text is on a terminal; see width.h. */
#include "show/width.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/err.h"
#include "base/utf8.h"
#include "read/span.h"
#include "token/cluster.h"

#define TAB 8

static int
is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

int
ctx_width_locale(void)
{
	static const char *const names[] = { "", "C.UTF-8", "C.utf8",
	    "en_US.UTF-8", "UTF-8" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (setlocale(LC_CTYPE, names[i]) != NULL && is_utf8())
			return 1;
	return 0;
}

static int
is_joiner(uint32_t cp)
{
	return cp == 0x200c || cp == 0x200d || (cp >= 0xfe00 && cp <= 0xfe0f);
}

static unsigned
columns_of(uint32_t cp)
{
	int n;

	if (cp < 0x7f)
		return cp >= 0x20;
	n = is_utf8() ? wcwidth((wchar_t)cp) : 1;
	return n < 0 ? 1 : (unsigned)n;
}

/* The cluster at p[0 .. len), len > 0: its length, and its columns, 0 to 2. */
static size_t
step(const char *p, size_t len, unsigned *columns)
{
	struct ctx_cluster cluster = { 0 };
	size_t at = 0, n;
	uint32_t cp;
	unsigned w;

	for (*columns = 0; at < len; at += n) {
		if ((n = ctx_utf8_step(p + at, len - at, &cp)) == 0)
			n = cp = 1;
		if (ctx_cluster_begins(&cluster, cp) && at > 0)
			break;
		w = columns_of(cp);
		/* a pair of regional indicators, and what is shown as emoji */
		if (at > 0 && (cp == 0xfe0f || (cp >= 0x1f1e6 &&
		    cp <= 0x1f1ff)))
			w = 2;
		*columns = w > *columns ? w : *columns;
	}
	return at;
}

void
ctx_width_flat(struct ctx_buf *out, const char *p, size_t len)
{
	size_t at, n;

	for (at = 0; at < len; at += n + 1) {
		for (n = 0; at + n < len && p[at + n] != '\n' &&
		    p[at + n] != '\t'; n++)
			;
		ctx_width_print(out, p + at, n);
		if (at + n < len)
			ctx_buf_adds(out, p[at + n] == '\n' ? "\\n" : " ");
	}
}

char *
ctx_width_number(uint64_t n, char out[CTX_WIDTH_NUMBER])
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n), i, o = 0;

	for (i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			out[o++] = ',';
		out[o++] = digits[i];
	}
	out[o] = '\0';
	return out;
}

size_t
ctx_width_of(const char *p, size_t len)
{
	size_t at, n = 0;
	unsigned w;

	for (at = 0; at < len; n += w)
		at += step(p + at, len - at, &w);
	return n;
}

/* Append spaces up to the next tab stop after the one at offset stop. */
static void
add_tab(struct ctx_buf *out, size_t stop)
{
	size_t col = out->len == stop ? 0 :
	    ctx_width_of(out->data + stop, out->len - stop);

	do
		ctx_buf_addc(out, ' ');
	while (++col % TAB != 0);
}

size_t
ctx_width_escape(const char *p, size_t len, char out[CTX_ERR_ESCAPED])
{
	uint32_t cp;

	return ctx_utf8_step(p, len, &cp) > 0 && is_joiner(cp) ? 0 :
	    ctx_err_escape(p, len, out);
}

void
ctx_width_print(struct ctx_buf *out, const char *p, size_t len)
{
	char escaped[CTX_ERR_ESCAPED];
	size_t at, n, stop = out->len;	/* the last tab stop */

	for (at = 0; at < len && !out->failed; at += n) {
		if (p[at] == '\t') {
			n = 1;
			add_tab(out, stop);
			stop = out->len;
			continue;
		}
		if ((n = ctx_width_escape(p + at, len - at, escaped)) > 0) {
			ctx_buf_adds(out, escaped);
		} else {
			n = ctx_utf8_step(p + at, len - at, NULL);
			ctx_buf_add(out, p + at, n);
		}
	}
}

size_t
ctx_width_cut(const char *p, size_t len, size_t columns)
{
	size_t at = 0, n;
	unsigned w;

	while (at < len) {
		n = step(p + at, len - at, &w);
		if (w > columns)
			break;
		columns -= w;
		at += n;
	}
	return at;
}

/* The number of spaces at the beginning. */
static size_t
indent_of(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] == ' ')
		n++;
	return n;
}

/* Marks of Chinese and Japanese with which no line begins, and with which none ends. */
static const char closing[] = "\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f"
    "\uff05\u2026\u2019\u201d\u3009\u300b\u300d\u300f\u3011\u3015\u3017\uff09"
    "\uff3d\uff5d";
static const char opening[] = "\u2018\u201c\u3008\u300a\u300c\u300e\u3010\u3014"
    "\u3016\uff08\uff3b\uff5b";

static int
is_one_of(const char *marks, const char *p, size_t len)
{
	return len == 3 && memmem(marks, strlen(marks), p, len) != NULL;
}

size_t
ctx_width_wrap(const char *p, size_t len, size_t columns, size_t *next)
{
	size_t at = 0, end = 0, n, last = 0, used = 0;
	unsigned w, before = 0;

	while (at < len) {
		n = step(p + at, len - at, &w);
		/* a line may end before a space, and after a wide character */
		if (at > 0 && ((p[at] == ' ' && p[at - 1] != ' ') ||
		    (before == 2 && !is_one_of(closing, p + at, n) &&
		    !is_one_of(opening, p + last, at - last))))
			end = at;
		if (used + w > columns && p[at] != ' ')
			break;
		used += w;
		before = w;
		last = at;
		at += n;
	}
	if (at == len && used <= columns)
		end = len;
	if (end == 0 || indent_of(p, len) >= end)
		end = at;
	if (end == 0)
		end = step(p, len, &w);
	*next = end + indent_of(p + end, len - end);
	return end;
}

size_t
ctx_width_lines(const char *p, size_t len)
{
	size_t at, n = 0;

	for (at = 0; at < len; n++)
		at += ctx_scan_newline(p + at, len - at) + 1;
	return n;
}
