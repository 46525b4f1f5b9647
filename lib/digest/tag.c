/* SPDX-License-Identifier: MIT */
#include "digest/tag.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

int
ctx_tag_next(const char *p, const char *end, const char *name,
    struct ctx_tag *t)
{
	size_t n = strlen(name);
	const char *q;

	while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		for (q = ++p; q < end && strchr(" />\t\r\n:<", *q) == NULL; )
			q++;
		if (q < end && *q == ':')
			p = q + 1;
		if ((size_t)(end - p) > n && memcmp(p, name, n) == 0 &&
		    strchr(" />\t\r\n", p[n]) != NULL) {
			t->p = p;
			t->end = memchr(p, '>', (size_t)(end - p));
			return t->end != NULL;
		}
	}
	return 0;
}

/*
 * Get the value of an attribute; returns 0 if the tag has none of that name.
 * A name that begins with a colon matches with any namespace prefix, but not
 * without one.
 */
int
ctx_tag_attr(const struct ctx_tag *t, const char *name, const char **value,
    size_t *len)
{
	const char *p = t->p, *q;
	size_t n = strlen(name);

	for (; (p = memmem(p, (size_t)(t->end - p), name, n)) != NULL; p += n)
		if ((*name == ':' || p[-1] <= ' ') &&
		    t->end - p > (ptrdiff_t)n + 2 &&
		    p[n] == '=' && (p[n + 1] == '"' || p[n + 1] == '\'')) {
			p += n + 2;
			q = memchr(p, p[-1], (size_t)(t->end - p));
			if (q == NULL)
				return 0;
			*value = p;
			*len = (size_t)(q - p);
			return 1;
		}
	return 0;
}

/* Append text with its entities decoded. */
void
ctx_tag_text(struct ctx_buf *out, const char *p, size_t len)
{
	static const char *const name[] = { "amp;", "lt;", "gt;", "quot;",
	    "apos;" };
	static const char value[] = "&<>\"'";
	char utf8[4];
	size_t i, n, k;
	unsigned long cp;

	for (i = 0; i < len; i++) {
		if (p[i] != '&') {
			ctx_buf_addc(out, p[i]);
			continue;
		}
		for (k = 0; k < 5; k++) {
			n = strlen(name[k]);
			if (len - i - 1 >= n &&
			    memcmp(p + i + 1, name[k], n) == 0)
				break;
		}
		if (k < 5) {
			ctx_buf_addc(out, value[k]);
			i += n;
		} else if (len - i > 3 && p[i + 1] == '#' &&
		    memchr(p + i, ';', len - i) != NULL) {
			cp = p[i + 2] == 'x' ? strtoul(p + i + 3, NULL, 16) :
			    strtoul(p + i + 2, NULL, 10);
			if (cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
				cp = 0xfffd;
			ctx_buf_add(out, utf8, ctx_utf8_put(utf8,
			    (uint32_t)cp));
			i = (size_t)((const char *)memchr(p + i, ';',
			    len - i) - p);
		} else
			ctx_buf_addc(out, '&');
	}
}

void
ctx_tag_text_after(struct ctx_buf *out, const struct ctx_tag *t,
    const char *end)
{
	const char *p = t->end + 1, *to;

	if (p >= end)
		return;
	to = memchr(p, '<', (size_t)(end - p));
	ctx_tag_text(out, p, (size_t)((to == NULL ? end : to) - p));
}

int
ctx_tag_is(const struct ctx_tag *t, const char *name)
{
	return strlen(name) == t->len && memcmp(t->p, name, t->len) == 0;
}

/* The position after what begins with <! or <? at p. */
static const char *
pass(const char *p, const char *end)
{
	static const char *const pairs[][2] = { { "<!--", "-->" },
		{ "<![CDATA[", "]]>" }, { "<?", "?>" }, { "<!", ">" } };
	const char *to;
	size_t i, n;

	for (i = 0; i < 4; i++) {
		n = strlen(pairs[i][0]);
		if ((size_t)(end - p) < n || memcmp(p, pairs[i][0], n) != 0)
			continue;
		to = memmem(p + n, (size_t)(end - p) - n, pairs[i][1],
		    strlen(pairs[i][1]));
		return to == NULL ? end : to + strlen(pairs[i][1]);
	}
	return p + 1;
}

/* The '>' of the tag at p; it may also stand in a value.  NULL if none. */
static const char *
tag_end(const char *p, const char *end)
{
	char quote = '\0';

	for (; p < end; p++)
		if (quote != '\0')
			quote = *p == quote ? '\0' : quote;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '>')
			return p;
	return NULL;
}

int
ctx_tag_step(const char **at, const char *end, struct ctx_tag *t)
{
	const char *p = *at, *q;

	while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		if (end - p > 1 && (p[1] == '!' || p[1] == '?')) {
			p = pass(p, end);
			continue;
		}
		if ((t->end = tag_end(p, end)) == NULL)
			break;
		p++;
		if ((t->closes = *p == '/'))
			p++;
		for (q = t->p = p; q < t->end && *q > ' ' && *q != '/'; q++)
			if (*q == ':')
				t->p = q + 1;
		t->len = (size_t)(q - t->p);
		*at = t->end + 1;
		return 1;
	}
	*at = end;
	return 0;
}
