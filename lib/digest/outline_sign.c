/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "digest/names.h"
#include "digest/outline.h"

#define SIGN_MAX	1500	/* bytes of code that a signature is sought in */

#define ELLIPSIS	"\xe2\x80\xa6"
#define CUT_MARK	(sizeof(", " ELLIPSIS ")"))

/* What may begin a definition and says nothing about how it is used. */
static const char *const modifiers[] = { "public", "private", "protected",
	"static", "final", "export", "default", "inline", "extern", "abstract",
	"virtual", "internal", "override", "synchronized", "pub", "open",
	"declare" };

static int
is_gap(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int
is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c & 0x80) != 0 ||
	    ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/*
 * Where the statement of the name begins in its line: after another one, or
 * after the parenthesis of a call.
 */
static const char *
statement(const struct ctx_outline_at *at)
{
	const char *p = at->name;
	unsigned closed = 0;

	while (p > at->line) {
		p--;
		if (*p == '{' || *p == ';')
			return p + 1;
		if (*p == '}')
			return p;
		if (*p == ')')
			closed++;
		else if (*p == '(' && closed > 0)
			closed--;
		else if (*p == '(' && p > at->line && is_word(p[-1]))
			return p + 1;
	}
	return p;
}

/* Skip indentation and modifiers, but not the name. */
static const char *
begin(const struct ctx_outline_at *at)
{
	const char *p = statement(at), *q;
	size_t i, n;

	for (;;) {
		while (p < at->name && is_gap(*p))
			p++;
		for (q = p; q < at->name && *q >= 'a' && *q <= 'z'; q++)
			continue;
		n = (size_t)(q - p);
		for (i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++)
			if (strlen(modifiers[i]) == n &&
			    memcmp(modifiers[i], p, n) == 0)
				break;
		if (q == at->name || !is_gap(*q) ||
		    i == sizeof(modifiers) / sizeof(*modifiers))
			return p;
		p = q;
	}
}

/*
 * Does the signature end at p, outside of parentheses?  called says that there
 * were some, after which an expression can be the body.
 */
static int
ends(const struct ctx_outline_at *at, const char *p, int called)
{
	const char *comment = at->lang->line[0];
	char kind = comment == NULL ? '\0' : *comment;

	if (*p == '=' && p + 1 < at->end && p[1] == '>')
		return kind == '/';
	if (*p == '=')
		return called && p[-1] == ' ' && p + 1 < at->end &&
		    is_gap(p[1]);
	/* a colon begins the body where a hash begins a comment */
	if (*p == ':' && kind == '#')
		return p + 1 == at->end || is_gap(p[1]);
	return *p == '{' || *p == '}' || *p == ';' || *p == '\n';
}

/* The parentheses that are open before the name. */
static unsigned
opened(const struct ctx_outline_at *at, const char *p)
{
	unsigned depth = 0;

	for (; p < at->name; p++) {
		depth += *p == '(';
		depth -= *p == ')' && depth > 0;
	}
	return depth;
}

/*
 * Where the signature that begins at p ends.  If its parentheses are not closed
 * soon, that is the end of the line.
 */
static const char *
finish(const struct ctx_outline_at *at, const char *p)
{
	unsigned depth = opened(at, p), least = depth;
	const char *max, *line = NULL;
	int called = 0;

	p = at->name + at->namelen;
	max = at->end - p > SIGN_MAX ? p + SIGN_MAX : at->end;
	for (; p < max; p++) {
		if (*p == '\n' && line == NULL)
			line = p;
		if (*p == '(' || *p == '[' || (*p == '{' && depth > least))
			depth++;
		else if (*p == ')' || *p == ']' ||
		    (*p == '}' && depth > least)) {
			if (depth-- == 0)
				return p;
			least = depth < least ? depth : least;
			called |= *p == ')';
		} else if (depth == least && ends(at, p, called))
			return p;
	}
	return line != NULL && depth > least ? line : max;
}

/* Copy [p, to) with single spaces, none within brackets, strings shortened. */
static void
copy(struct ctx_buf *out, const char *p, const char *to)
{
	size_t start = out->len;
	char last;

	for (; p < to; p++) {
		last = out->len > start ? out->data[out->len - 1] : '(';
		if (is_gap(*p) || *p == '\\') {
			if (!is_gap(last) && last != '(' && last != '[')
				ctx_buf_addc(out, ' ');
			continue;
		}
		if (last == ' ' && (*p == ')' || *p == ']' || *p == ','))
			out->len--;
		if ((*p == '"' || *p == '\'' || *p == '`') && last == *p)
			ctx_buf_adds(out, ELLIPSIS);
		ctx_buf_addc(out, *p);
		if (out->failed)
			return;
	}
}

/* Remove what does not belong to the signature from its end. */
static void
trim(struct ctx_buf *out, size_t start)
{
	while (out->len > start && strchr(" :={,", out->data[out->len - 1]) !=
	    NULL)
		out->len--;
}

/*
 * Cut what begins at start to width bytes: after a parameter, if there is one
 * within the first parentheses, with the parenthesis closed.
 */
static void
cut(struct ctx_buf *out, size_t start, size_t width)
{
	size_t i, comma = 0, depth = 0;
	char c;

	if (out->len - start <= width)
		return;
	for (i = start; i < out->len && i - start + CUT_MARK <= width; i++) {
		c = out->data[i];
		depth += c == '(';
		depth -= c == ')' && depth > 0;
		if (c == ',' && depth == 1)
			comma = i;
	}
	if (comma == 0 || depth == 0)
		return;
	out->len = comma;
	ctx_buf_adds(out, ", " ELLIPSIS ")");
}

int
ctx_outline_sign(const struct ctx_outline_at *at, struct ctx_buf *out,
    int *declared)
{
	const char *p = begin(at), *to = finish(at, p);
	struct ctx_buf text = { 0 };
	int rc;

	*declared = to < at->end && *to == ';';
	if (*p == '}') {		/* typedef struct { ... } name; */
		ctx_buf_adds(&text, "typedef ");
		p = at->name;
	}
	copy(&text, p, to);
	trim(&text, 0);
	cut(&text, 0, at->width);
	rc = text.failed ? -1 : ctx_name_clean(out, text.data, text.len,
	    at->width);
	ctx_buf_done(&text);
	return rc;
}
