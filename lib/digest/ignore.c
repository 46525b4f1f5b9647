/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "digest/ignore.h"

/* The set that opens at p: behind it, or NULL if it never closes. */
static const char *
in_set(const char *p, const char *end, char c, int *yes)
{
	unsigned char lo, hi, ch = (unsigned char)c;
	int not, first = 1;

	p++;
	not = p < end && (*p == '!' || *p == '^');
	p += not;
	*yes = 0;
	for (; p < end && (*p != ']' || first); first = 0) {
		if (*p == '\\' && p + 1 < end)
			p++;
		lo = hi = (unsigned char)*p++;
		if (end - p >= 2 && *p == '-' && p[1] != ']') {
			hi = (unsigned char)p[1];
			p += 2;
		}
		*yes |= lo <= ch && ch <= hi;
	}
	*yes ^= not;
	return p < end ? p + 1 : NULL;
}

/*
 * One character of the pattern at *p against c, no star; 1 and *p behind it if
 * they agree.
 */
static int
one(const char **p, const char *end, char c)
{
	const char *to;
	int yes;

	if (*p == end)
		return 0;
	if (**p == '[' && c != '/' && (to = in_set(*p, end, c, &yes)) != NULL) {
		*p = to;
		return yes;
	}
	if (**p == '?' && c != '/')
		;
	else {
		if (**p == '\\' && *p + 1 < end)
			++*p;
		if (**p != c)
			return 0;
	}
	++*p;
	return 1;
}

int
ctx_ignore_match(const char *pattern, size_t plen, const char *text)
{
	const char *p = pattern, *end = pattern + plen, *t = text;
	/* Where to go on after a mismatch: the last * and the last **. */
	const char *star = NULL, *star_t = NULL;
	const char *deep = NULL, *deep_t = NULL;
	int names = 0;			/* deep was **, with a slash behind */

	for (;;) {
		if (end - p >= 2 && p[0] == '*' && p[1] == '*' &&
		    (p == pattern || p[-1] == '/') &&
		    (end - p == 2 || p[2] == '/')) {
			names = end - p > 2;
			p += names ? 3 : 2;
			deep = p;
			deep_t = t;
			star = NULL;
			if (p == end && !names)
				return *t != '\0';
			continue;
		}
		if (p < end && *p == '*') {
			while (p < end && *p == '*')
				p++;
			star = p;
			star_t = t;
			continue;
		}
		if (*t == '\0' && p == end)
			return 1;
		if (*t != '\0' && one(&p, end, *t)) {
			t++;
			continue;
		}
		if (star != NULL && *star_t != '\0' && *star_t != '/') {
			p = star;
			t = ++star_t;
			continue;
		}
		if (deep == NULL || (deep_t = strchr(deep_t, '/')) == NULL)
			return 0;
		p = deep;
		t = ++deep_t;
		star = NULL;
	}
}

static int
add_rule(struct ctx_ignore *g, const char *p, size_t len, size_t base)
{
	struct ctx_ignore_rule r = { .base = base };

	if (len > 0 && p[len - 1] == '\r')
		len--;
	while (len > 0 && p[len - 1] == ' ' &&
	    (len < 2 || p[len - 2] != '\\'))
		len--;
	if (len == 0 || *p == '#')
		return 0;
	if (*p == '!') {
		r.not = 1;
		p++;
		len--;
	}
	if (len > 0 && p[len - 1] == '/') {
		r.folder = 1;
		len--;
	}
	r.path = len > 0 && memchr(p, '/', len) != NULL;
	if (len > 0 && *p == '/') {
		p++;
		len--;
	}
	if (len == 0)
		return 0;
	if (CTX_ROOM(g->rule, g->n, &g->cap) == -1)
		return -1;
	r.off = g->text.len;
	r.len = len;
	if (ctx_buf_add(&g->text, p, len) == -1)
		return -1;
	g->rule[g->n++] = r;
	return 0;
}

int
ctx_ignore_add(struct ctx_ignore *g, const char *data, size_t len,
    size_t base)
{
	const char *p = data, *end = data + len, *nl;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl == NULL ? end : nl;
		if (add_rule(g, p, (size_t)(nl - p), base) == -1)
			return -1;
	}
	return 0;
}

void
ctx_ignore_pop(struct ctx_ignore *g, size_t n)
{
	if (n < g->n) {
		g->text.len = g->rule[n].off;
		g->n = n;
	}
}

int
ctx_ignore_has(const struct ctx_ignore *g, const char *path, int folder)
{
	const struct ctx_ignore_rule *r;
	const char *name = strrchr(path, '/');
	size_t i, len = strlen(path);

	name = name == NULL ? path : name + 1;
	for (i = g->n; i-- > 0; ) {
		r = &g->rule[i];
		if ((r->folder && !folder) || r->base > len)
			continue;
		if (ctx_ignore_match(g->text.data + r->off, r->len,
		    r->path ? path + r->base : name))
			return !r->not;
	}
	return 0;
}

void
ctx_ignore_done(struct ctx_ignore *g)
{
	free(g->rule);
	ctx_buf_done(&g->text);
	memset(g, 0, sizeof(*g));
}
