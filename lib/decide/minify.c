/* SPDX-License-Identifier: MIT */
/* JSON without white space; see minify.h. */
#include "decide/minify.h"

enum form { NO_JSON, ONE_VALUE, LINES };

static int
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The first byte of the character at byte i; *used is set to its spelling. */
static char
char_at(struct ctx_str s, size_t i, size_t *used)
{
	char c[4];
	size_t n;

	*used = 1;
	if (s.p[i] != '\\')
		return s.p[i];
	*used = ctx_str_escape(s.p + i, s.len - i, c, &n);
	return c[0];
}

/* Does the text begin as an object or a list does?  Most others do not. */
static int
may_be_json(struct ctx_str s)
{
	size_t i, used;
	char c = ' ';

	for (i = 0; i < s.len && is_space(c); i += used)
		c = char_at(s, i, &used);
	return c == '{' || c == '[';
}

/* Is it JSON Lines?  -1 if out of memory. */
static int
is_lines(struct ctx_doc *doc, const char *p, size_t len)
{
	size_t i, n, lines = 0;
	int rc;

	for (i = 0;; i += n, lines++) {
		while (i < len && is_space(p[i]))
			i++;
		if (i == len)
			return lines >= 2;
		if (p[i] != '{' && p[i] != '[')
			return 0;
		n = ctx_scan_newline(p + i, len - i);
		if ((rc = ctx_doc_try(doc, p + i, n)) != 1)
			return rc;
	}
}

/* Decode the text into plain and find out its form.  0, or -1. */
static int
form_of(struct ctx_doc *doc, struct ctx_str text, struct ctx_buf *plain,
    enum form *form)
{
	int rc;

	*form = NO_JSON;
	if (!may_be_json(text))
		return 0;
	ctx_buf_reset(plain);
	if (ctx_str_decode(plain, text.p, text.len) == -1 ||
	    (rc = ctx_doc_try(doc, plain->data, plain->len)) == -1)
		return -1;
	*form = ONE_VALUE;
	if (rc == 1)
		return 0;
	rc = is_lines(doc, plain->data, plain->len);
	*form = rc == 1 ? LINES : NO_JSON;
	return rc == -1 ? -1 : 0;
}

/* Append s, which is JSON, without white space between its tokens. */
static void
strip(struct ctx_str s, enum form form, struct ctx_buf *out)
{
	int string = 0, escape = 0, line = 0;
	size_t i, used, from = 0;
	char c;

	for (i = 0; i < s.len; i += used) {
		c = char_at(s, i, &used);
		if (string) {
			string = escape || c != '"';
			escape = !escape && c == '\\';
			continue;
		}
		if (is_space(c)) {
			ctx_buf_add(out, s.p + from, i - from);
			from = i + used;
			line |= c == '\n' && out->len > 0;
			continue;
		}
		/* in JSON Lines no value has a line end outside a string */
		if (line && form == LINES)
			ctx_buf_adds(out, "\\n");
		line = 0;
		string = c == '"';
	}
	ctx_buf_add(out, s.p + from, s.len - from);
	if (line && form == LINES)
		ctx_buf_adds(out, "\\n");
}

int
ctx_minify(struct ctx_doc *doc, struct ctx_str text, struct ctx_buf *plain,
    struct ctx_buf *out)
{
	enum form form;

	if (form_of(doc, text, plain, &form) == -1)
		return -1;
	if (form == NO_JSON)
		return 0;
	strip(text, form, out);
	return out->failed ? -1 : !ctx_str_same(ctx_str_of(out), text);
}
