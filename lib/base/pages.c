/* SPDX-License-Identifier: MIT */
#include "base/pages.h"

#include <string.h>

/* A linearized file says so in its first 1024 bytes. */
#define LINEAR_MAX	1024

static int
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

uint64_t
ctx_pages_pdf(const char *p, size_t len)
{
	const char *end = p + len, *q;
	uint64_t n = 0;

	while (p < end &&
	    (p = memmem(p, (size_t)(end - p), "/Type", 5)) != NULL) {
		p += 5;
		for (q = p; q < end && is_space(*q); q++)
			continue;
		if (end - q >= 5 && memcmp(q, "/Page", 5) == 0 &&
		    (end - q == 5 || q[5] < 'A' || q[5] > 'z'))
			n++;
	}
	return n;
}

uint64_t
ctx_pages_stated(const char *p, size_t len)
{
	const char *end = p + (len < LINEAR_MAX ? len : LINEAR_MAX);
	uint64_t n = 0;

	p = memmem(p, (size_t)(end - p), "/Linearized", 11);
	if (p == NULL)
		return 0;
	while ((p = memmem(p, (size_t)(end - p), "/N", 2)) != NULL) {
		p += 2;
		if (p == end || !is_space(*p))
			continue;
		while (p < end && is_space(*p))
			p++;
		for (; p < end && *p >= '0' && *p <= '9' && n < 100000; p++)
			n = n * 10 + (uint64_t)(*p - '0');
		return n;
	}
	return 0;
}
