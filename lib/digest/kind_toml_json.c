/* SPDX-License-Identifier: MIT */
/*
 * TOML (toml.io, 1.0) as JSON, for the readers of kinds: an object with a
 * member for each table, in their order, under the table's dotted name; the
 * keys before the first table are those of "".  Dotted keys are not taken
 * apart, and numbers, dates and booleans become strings.
 */
#include <string.h>

#include "digest/kind_impl.h"

#define DEPTH_MAX	64

struct toml {
	const char *p, *end;
	struct ctx_buf *out;
	int depth;
};

/* Skip blanks and, if lines is set, line ends and comments. */
static void
skip(struct toml *t, int lines)
{
	for (; t->p < t->end; t->p++)
		if (lines && *t->p == '#') {
			t->p = memchr(t->p, '\n', (size_t)(t->end - t->p));
			if (t->p == NULL) {
				t->p = t->end;
				return;
			}
		} else if (*t->p != ' ' && *t->p != '\t' && *t->p != '\r' &&
		    !(lines && *t->p == '\n'))
			return;
}

static int
take(struct toml *t, const char *s)
{
	size_t n = strlen(s);

	if ((size_t)(t->end - t->p) < n || memcmp(t->p, s, n) != 0)
		return 0;
	t->p += n;
	return 1;
}

/* An escape of a basic string, which is nearly one of JSON. */
static int
escape(struct toml *t)
{
	unsigned long cp = 0;
	int i;
	char c = *t->p++;

	if (strchr("btnfr\"\\", c) != NULL && c != '\0') {
		ctx_buf_addf(t->out, "\\%c", c);
		return 1;
	}
	if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
		skip(t, 1);	/* the line goes on; a # would be text */
		return 1;
	}
	if (c != 'u' && c != 'U')
		return 0;
	for (i = c == 'u' ? 4 : 8; i > 0; i--, t->p++) {
		if (t->p == t->end || strchr("0123456789abcdefABCDEF",
		    *t->p) == NULL)
			return 0;
		cp = cp << 4 | (unsigned long)((*t->p & 15) +
		    (*t->p > '9' ? 9 : 0));
	}
	/* what JSON has no short escape for need not be read exactly */
	ctx_buf_addf(t->out, "\\u%04lx", cp > 0xffff ? 0xfffd : cp);
	return 1;
}

/* A string after its opening quotes, which close it as well. */
static int
string(struct toml *t, const char *quotes)
{
	const int lines = quotes[1] != '\0';
	const char *from;

	ctx_buf_addc(t->out, '"');
	while (!take(t, quotes)) {
		if (t->p == t->end || (*t->p == '\n' && !lines))
			return 0;
		if (*t->p == '\\' && *quotes == '"') {
			if (++t->p == t->end || !escape(t))
				return 0;
			continue;
		}
		for (from = t->p++; t->p < t->end && *t->p != *quotes &&
		    *t->p != '\\' && *t->p != '\n'; )
			t->p++;
		ctx_str_encode(t->out, from, (size_t)(t->p - from));
	}
	/* up to two quotes may stand before those that close it */
	while (lines && t->p < t->end && *t->p == *quotes)
		ctx_str_encode(t->out, t->p++, 1);
	ctx_buf_addc(t->out, '"');
	return 1;
}

/* A string with any quotes; 0 if none opens here. */
static int
quoted(struct toml *t)
{
	return take(t, "\"\"\"") ? string(t, "\"\"\"") :
	    take(t, "'''") ? string(t, "'''") :
	    take(t, "\"") ? string(t, "\"") :
	    take(t, "'") ? string(t, "'") : 0;
}

/* A dotted key, up to one of the bytes in until, as a JSON string. */
static int
key(struct toml *t, char until)
{
	size_t start;
	int any = 0;

	ctx_buf_addc(t->out, '"');
	for (skip(t, 0); t->p < t->end && *t->p != until; skip(t, 0)) {
		any = 1;
		if (*t->p == '"' || *t->p == '\'') {
			start = t->out->len;
			if (!quoted(t) || t->out->failed)
				return 0;
			/* without its own quotes */
			memmove(t->out->data + start, t->out->data + start +
			    1, t->out->len - start - 2);
			t->out->len -= 2;
		} else if (strchr("-_.", *t->p) != NULL ||
		    (*t->p >= '0' && *t->p <= '9') ||
		    ((*t->p | 32) >= 'a' && (*t->p | 32) <= 'z'))
			ctx_buf_addc(t->out, *t->p++);
		else
			return 0;
	}
	ctx_buf_addc(t->out, '"');
	return any && t->p < t->end;
}

static int value(struct toml *t);

/* The elements of a list or an inline table after its bracket. */
static int
elements(struct toml *t, char close)
{
	int n = 0, ok;

	if (++t->depth > DEPTH_MAX)
		return 0;
	ctx_buf_addc(t->out, close == ']' ? '[' : '{');
	for (skip(t, 1); t->p < t->end && *t->p != close; skip(t, 1)) {
		if (n++ > 0)
			ctx_buf_addc(t->out, ',');
		if (close == '}') {
			ok = key(t, '=') && take(t, "=");
			ctx_buf_addc(t->out, ':');
			skip(t, 0);
			if (!ok)
				return 0;
		}
		if (!value(t))
			return 0;
		skip(t, 1);
		if (!take(t, ",") && (t->p == t->end || *t->p != close))
			return 0;
	}
	t->depth--;
	ctx_buf_addc(t->out, close);
	return t->p++ < t->end;
}

static int
value(struct toml *t)
{
	const char *from = t->p;

	if (t->p == t->end)
		return 0;
	if (*t->p == '"' || *t->p == '\'')
		return quoted(t);
	if (take(t, "["))
		return elements(t, ']');
	if (take(t, "{"))
		return elements(t, '}');
	while (t->p < t->end && (strchr("+-_.:", *t->p) != NULL ||
	    (*t->p >= '0' && *t->p <= '9') ||
	    ((*t->p | 32) >= 'a' && (*t->p | 32) <= 'z')))
		t->p++;
	ctx_buf_addc(t->out, '"');
	ctx_buf_add(t->out, from, (size_t)(t->p - from));
	ctx_buf_addc(t->out, '"');
	return t->p > from;
}

/* A table's name after its bracket; its object is left open. */
static int
header(struct toml *t)
{
	int list = take(t, "[");

	ctx_buf_adds(t->out, "},");
	if (!key(t, ']') || !take(t, "]") || (list && !take(t, "]")))
		return 0;
	ctx_buf_adds(t->out, ":{");
	return 1;
}

static int
member(struct toml *t)
{
	if (t->out->data[t->out->len - 1] != '{')
		ctx_buf_addc(t->out, ',');
	if (!key(t, '=') || !take(t, "="))
		return 0;
	ctx_buf_addc(t->out, ':');
	skip(t, 0);
	return value(t);
}

int
ctx_kind_toml_json(struct ctx_buf *out, const char *p, size_t len)
{
	struct toml t = { .p = p, .end = p + len, .out = out };
	int ok = 1;

	ctx_buf_adds(out, "{\"\":{");
	for (skip(&t, 1); t.p < t.end && ok && !out->failed; skip(&t, 1)) {
		ok = take(&t, "[") ? header(&t) : member(&t);
		skip(&t, 0);
		/* nothing but a comment may follow */
		ok = ok && (t.p == t.end || *t.p == '\n' || *t.p == '#');
	}
	ctx_buf_adds(out, "}}");
	return out->failed ? -1 : ok;
}
