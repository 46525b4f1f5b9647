/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "digest/ignore.h"

/* Is p[i] the start of a ** that matches folders? */
static int
is_deep(const char *p, size_t len, size_t i)
{
	return len - i >= 2 && p[i] == '*' && p[i + 1] == '*' &&
	    (i == 0 || p[i - 1] == '/') && (len - i == 2 || p[i + 2] == '/');
}

/*
 * Add the parts between the ** of a pattern, each ended by a NUL; returns
 * their number.
 */
static unsigned
add_parts(struct ctx_buf *out, const char *p, size_t len)
{
	unsigned n = 1;
	size_t i;

	for (i = 0; i < len && !out->failed; i++) {
		if (!is_deep(p, len, i)) {
			ctx_buf_addc(out, p[i]);
			continue;
		}
		/* the adjacent slashes belong to it */
		if (i > 0 && out->data[out->len - 1] == '/')
			out->len--;
		ctx_buf_addc(out, '\0');
		n++;
		i += 2;
	}
	ctx_buf_addc(out, '\0');
	return n;
}

/*
 * The rest of path after as many folders as part has names; NULL if there are
 * fewer.
 */
static const char *
skip_folders(const char *path, const char *part)
{
	for (;; part++) {
		if ((path = strchr(path, '/')) == NULL)
			return NULL;
		path++;
		if ((part = strchr(part, '/')) == NULL)
			return path;
	}
}

/*
 * Do the n parts match the whole path?  Each ** matches as little as lets the
 * next part match, which leaves as much as possible to the later parts.
 */
static int
matches(const char *part, unsigned n, const char *path)
{
	int deep = 0, flags;

	for (; n > 0; n--, part += strlen(part) + 1, deep = 1) {
		if (*part == '\0' && n > 1)
			continue;
		if (*part == '\0')
			return *path != '\0';
		flags = FNM_PATHNAME | (n > 1 ? FNM_LEADING_DIR : 0);
		while (fnmatch(part, path, flags) != 0)
			if (!deep || (path = skip_folders(path, "")) == NULL)
				return 0;
		if (n > 1 && (path = skip_folders(path, part)) == NULL)
			return 0;
	}
	return 1;
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
	r.parts = add_parts(&g->text, p, len);
	g->rule[g->n++] = r;
	return g->text.failed ? -1 : 0;
}

int
ctx_ignore_add(struct ctx_ignore *g, const char *data, size_t len,
    size_t base)
{
	const char *p = data, *end = data + len, *nl;

	if (len > 2 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
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
		if (matches(g->text.data + r->off, r->parts,
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
