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

/* A pattern and a text that are compared. */
struct glob {
	const char *begin, *end;	/* of the pattern */
	const char *p, *t;
	/* Where to go on after a mismatch: the last * and the last **. */
	const char *star, *star_t;
	const char *deep, *deep_t;
};

/* Is a ** at p, which stands for folders? */
static int
is_deep(const struct glob *g)
{
	return g->end - g->p >= 2 && g->p[0] == '*' && g->p[1] == '*' &&
	    (g->p == g->begin || g->p[-1] == '/') &&
	    (g->end - g->p == 2 || g->p[2] == '/');
}

/* The stars at p have taken in nothing so far; 1 if all the rest may follow. */
static int
take_stars(struct glob *g)
{
	if (is_deep(g)) {
		g->p += g->end - g->p > 2 ? 3 : 2;
		g->deep = g->p;
		g->deep_t = g->t;
		g->star = NULL;
		return g->p == g->end && g->p[-1] == '*';
	}
	while (g->p < g->end && *g->p == '*')
		g->p++;
	g->star = g->p;
	g->star_t = g->t;
	return 0;
}

/* After a mismatch: the last * takes in one more, or ** one folder more. */
static int
take_more(struct glob *g)
{
	if (g->star != NULL && *g->star_t != '\0' && *g->star_t != '/') {
		g->p = g->star;
		g->t = ++g->star_t;
		return 1;
	}
	if (g->deep == NULL || (g->deep_t = strchr(g->deep_t, '/')) == NULL)
		return 0;
	g->p = g->deep;
	g->t = ++g->deep_t;
	g->star = NULL;
	return 1;
}

int
ctx_ignore_match(const char *pattern, size_t plen, const char *text)
{
	struct glob g = { .begin = pattern, .end = pattern + plen,
	    .p = pattern, .t = text };

	for (;;) {
		while (g.p < g.end && *g.p == '*')
			if (take_stars(&g))
				return *g.t != '\0';
		if (*g.t == '\0' && g.p == g.end)
			return 1;
		if (*g.t != '\0' && one(&g.p, g.end, *g.t))
			g.t++;
		else if (!take_more(&g))
			return 0;
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
