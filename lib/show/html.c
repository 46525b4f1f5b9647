/* SPDX-License-Identifier: MIT */
/* Text inside of HTML and SVG; see html.h. */
#include "show/html.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "show/width.h"

/* What c is written as, or NULL: as it is. */
static const char *
entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* The bytes from p on that are written as they are. */
static size_t
plain_run(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] >= ' ' && p[n] < 0x7f && entity(p[n]) == NULL)
		n++;
	return n;
}

/* Append the character at p, which is not plain.  Returns its bytes. */
static size_t
put_char(struct ctx_buf *out, const char *p, size_t len, int flat)
{
	char escaped[CTX_ERR_ESCAPED];
	const char *as = entity(*p);
	size_t n;

	if (*p == '\r' && len > 1 && p[1] == '\n')
		return 1;	/* the line end follows */
	if (as != NULL || *p == '\t' || *p == '\n') {
		if (as != NULL)
			ctx_buf_adds(out, as);
		else if (flat)
			ctx_buf_adds(out, *p == '\n' ? "\\n" : " ");
		else
			ctx_buf_addc(out, *p);
		return 1;
	}
	if ((n = ctx_width_escape(p, len, escaped)) > 0) {
		ctx_buf_adds(out, escaped);
		return n;
	}
	n = ctx_utf8_step(p, len, NULL);
	ctx_buf_add(out, p, n);
	return n;
}

static void
put_text(struct ctx_buf *out, struct ctx_str text, int flat)
{
	size_t at = 0, n;

	while (at < text.len && !out->failed) {
		if ((n = plain_run(text.p + at, text.len - at)) > 0)
			ctx_buf_add(out, text.p + at, n);
		else
			n = put_char(out, text.p + at, text.len - at, flat);
		at += n;
	}
}

void
ctx_html_text(struct ctx_buf *out, struct ctx_str text)
{
	put_text(out, text, 0);
}

void
ctx_html_line(struct ctx_buf *out, struct ctx_str text)
{
	put_text(out, text, 1);
}

void
ctx_html_json(struct ctx_buf *out, struct ctx_str json)
{
	size_t at = 0, n;

	while (at < json.len && !out->failed) {
		for (n = at; n < json.len && json.p[n] != '&' &&
		    json.p[n] != '<' && json.p[n] != '>'; n++)
			;
		ctx_buf_add(out, json.p + at, n - at);
		if (n < json.len)
			ctx_buf_adds(out, entity(json.p[n++]));
		at = n;
	}
}

void
ctx_html_number(struct ctx_buf *out, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n), i;

	for (i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			ctx_buf_addc(out, ',');
		ctx_buf_addc(out, digits[i]);
	}
}

void
ctx_html_count(struct ctx_buf *out, uint64_t n, const char *unit)
{
	ctx_html_number(out, n);
	ctx_buf_addf(out, " %s%s", unit, n == 1 ? "" : "s");
}
