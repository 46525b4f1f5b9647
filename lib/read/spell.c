/* SPDX-License-Identifier: MIT */
/* JSON spelled in other ways; see spell.h. */
#include "read/spell.h"

#include <string.h>

/* What follows the string whose opening quote is at p. */
static const char *
after_string(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		if (*p == '\\' && p + 1 < end)
			p++;
	return p < end ? p + 1 : end;
}

static int
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What is between blanks is copied in one piece: calls are counted often. */
void
ctx_spell_compact(struct ctx_buf *out, struct ctx_str json)
{
	const char *p = json.p, *from = p;
	const char *end = json.len > 0 ? p + json.len : p;

	while (p < end) {
		if (*p == '"')
			p = after_string(p, end);
		else if (is_blank(*p)) {
			ctx_buf_add(out, from, (size_t)(p - from));
			while (p < end && is_blank(*p))
				p++;
			from = p;
		} else
			p++;
	}
	ctx_buf_add(out, from, (size_t)(p - from));
}

/* Append spaces, or with an indentation a new line. */
static void
add_gap(struct ctx_buf *out, int lines, int depth)
{
	if (!lines) {
		ctx_buf_addc(out, ' ');
		return;
	}
	ctx_buf_addc(out, '\n');
	while (depth-- > 0)
		ctx_buf_adds(out, "  ");
}

/* Append the string at p with its quotes; returns what follows it. */
static const char *
add_string(struct ctx_buf *out, const char *p, const char *end)
{
	struct ctx_str s = { p + 1, 0 };

	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\';
	s.len = (uint32_t)(p - s.p);
	ctx_spell_string(out, s);
	return p + 1;
}

static void
add_json(struct ctx_buf *out, struct ctx_str json, int lines)
{
	const char *p = json.p, *end = p + json.len;
	int depth = 0, empty = 0;

	while (p < end) {
		if (is_blank(*p)) {
			p++;
			continue;
		}
		if (*p == '}' || *p == ']') {
			depth--;
			if (lines && !empty)
				add_gap(out, 1, depth);
		} else if (empty && lines)
			add_gap(out, 1, depth);
		empty = *p == '{' || *p == '[';
		depth += empty;
		if (*p == '"') {
			p = add_string(out, p, end);
			continue;
		}
		ctx_buf_addc(out, *p);
		if (*p == ':')
			ctx_buf_addc(out, ' ');
		else if (*p == ',')
			add_gap(out, lines, depth);
		p++;
	}
}

void
ctx_spell_spaced(struct ctx_buf *out, struct ctx_str json)
{
	add_json(out, json, 0);
}

void
ctx_spell_indented(struct ctx_buf *out, struct ctx_str json)
{
	add_json(out, json, 1);
}

void
ctx_spell_string(struct ctx_buf *out, struct ctx_str s)
{
	struct ctx_buf text = { 0 };

	ctx_str_decode(&text, s.p, s.len);
	ctx_buf_addc(out, '"');
	ctx_str_encode(out, text.data, text.len);
	ctx_buf_addc(out, '"');
	out->failed |= text.failed;
	ctx_buf_done(&text);
}

/* The next escape that may not be the shortest spelling; NULL if there is none. */
static const char *
long_escape(const char *p, const char *end)
{
	while (p < end && (p = memchr(p, '\\', (size_t)(end - p))) != NULL &&
	    end - p > 1 && p[1] != 'u' && p[1] != '/')
		p += 2;
	return p < end ? p : NULL;
}

int
ctx_spell_is_plain(struct ctx_str s)
{
	return s.len == 0 || long_escape(s.p, s.p + s.len) == NULL;
}

void
ctx_spell_plain(struct ctx_buf *out, struct ctx_str s)
{
	const char *p = s.p, *end = s.len > 0 ? p + s.len : p, *at;
	size_t n, used;
	char c[4];

	for (; (at = long_escape(p, end)) != NULL; p = at + used) {
		ctx_buf_add(out, p, (size_t)(at - p));
		used = ctx_str_escape(at, (size_t)(end - at), c, &n);
		if (ctx_str_half(at, used) == 0)
			ctx_buf_add(out, at, used);
		else
			ctx_str_encode(out, c, n);
	}
	if (p < end)
		ctx_buf_add(out, p, (size_t)(end - p));
}

size_t
ctx_spell_number(struct ctx_strmap *m, struct ctx_str s)
{
	struct ctx_buf text = { 0 };
	size_t n = CTX_STRMAP_FULL;

	if (ctx_spell_is_plain(s))
		return ctx_strmap_add(m, s.p, s.len);
	ctx_spell_plain(&text, s);
	if (!text.failed)
		n = ctx_strmap_add(m, text.data, text.len);
	ctx_buf_done(&text);
	return n;
}
