/* SPDX-License-Identifier: MIT */
#include "base/pages.h"

#include <string.h>

/* A linearized file says so in its first 1024 bytes. */
#define LINEAR_MAX	1024
#define PAGES_MAX	100000	/* a number is not read past this */

static int
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int
begins(const char *p, const char *end, const char *s)
{
	size_t n = strlen(s);

	return (size_t)(end - p) >= n && memcmp(p, s, n) == 0;
}

static uint64_t
number(const char *p, const char *end)
{
	uint64_t n = 0;

	while (p < end && is_space(*p))
		p++;
	for (; p < end && *p >= '0' && *p <= '9' && n < PAGES_MAX; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	return n;
}

/* A node of the tree of pages. */
struct node {
	int inner;		/* it has a parent */
	uint64_t count;
};

/*
 * Read the members of a dictionary from p, a place in it, to its end or, if
 * step is -1, to its beginning, but not past to.
 */
static void
read_node(struct node *n, const char *p, const char *to, int step,
    const char *end)
{
	int depth = 0, in, out;

	for (; step > 0 ? p < to : p > to; p += step) {
		in = begins(p, end, step > 0 ? "<<" : ">>");
		out = begins(p, end, step > 0 ? ">>" : "<<");
		if (out && depth-- == 0)
			return;
		depth += in;
		if (in || out)
			p += step;
		else if (depth == 0 && begins(p, end, "/Parent"))
			n->inner = 1;
		else if (depth == 0 && begins(p, end, "/Count"))
			n->count = number(p + 6, end);
	}
}

void
ctx_pages_read(struct ctx_pages *pages, const char *p, size_t len)
{
	const char *end = p + len, *from = p, *q, *next;
	struct node node;

	for (p = memmem(p, len, "/Type", 5); p != NULL; from = p, p = next) {
		for (q = p + 5; q < end && is_space(*q); q++)
			continue;
		next = memmem(q, (size_t)(end - q), "/Type", 5);
		if (!begins(q, end, "/Page") || (end - q > 5 && q[5] >= 'A' &&
		    q[5] <= 'z' && !begins(q, end, "/Pages")))
			continue;
		if (!begins(q, end, "/Pages")) {
			pages->objects++;
			continue;
		}
		node = (struct node){ 0 };
		read_node(&node, p, from, -1, end);
		read_node(&node, q, next == NULL ? end : next, 1, end);
		if (!node.inner && node.count > 0)
			pages->stated = node.count;
	}
}

uint64_t
ctx_pages_number(const struct ctx_pages *pages)
{
	return pages->stated > 0 ? pages->stated : pages->objects;
}

uint64_t
ctx_pages_stated(const char *p, size_t len)
{
	const char *end = p + (len < LINEAR_MAX ? len : LINEAR_MAX);

	p = memmem(p, (size_t)(end - p), "/Linearized", 11);
	if (p == NULL)
		return 0;
	while ((p = memmem(p, (size_t)(end - p), "/N", 2)) != NULL) {
		p += 2;
		if (p == end || !is_space(*p))
			continue;
		return number(p, end);
	}
	return 0;
}
