/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "digest/literal.h"

const char *
ctx_literal_comment(const char *p, const char *end, const char *open,
    const char *close, int nest)
{
	size_t nopen = strlen(open), nclose = strlen(close), depth = 1;

	for (p += nopen; p < end; p++) {
		if (*p == *close && (size_t)(end - p) >= nclose &&
		    memcmp(p, close, nclose) == 0) {
			p += nclose;
			if (--depth == 0)
				return p;
			p--;
		} else if (nest && *p == *open && (size_t)(end - p) >= nopen &&
		    memcmp(p, open, nopen) == 0) {
			p += nopen - 1;
			depth++;
		}
	}
	return end;
}

const char *
ctx_literal_long(const char *p, const char *end)
{
	const char *q;
	size_t n, level;

	for (q = p + 1; q < end && *q == '='; q++)
		continue;
	if (q == end || *q != '[')
		return NULL;
	level = (size_t)(q - p) - 1;
	while ((q = memchr(q, ']', (size_t)(end - q))) != NULL) {
		for (q++, n = 0; q < end && *q == '='; q++)
			n++;
		if (n == level && q < end && *q == ']')
			return q + 1;
	}
	return end;
}

const char *
ctx_literal_raw_paren(const char *p, const char *end)
{
	const char *q, *delim = p + 1;
	char close;
	size_t n;

	for (q = delim; q < end && q - delim <= 16; q++)
		if (*q == '(' || *q == '[' || *q == '{' || *q == '"')
			break;
	if (q == end || q - delim > 16 || *q == '"')
		return NULL;
	n = (size_t)(q - delim);
	close = *q == '(' ? ')' : *q == '[' ? ']' : '}';
	while ((q = memchr(q, close, (size_t)(end - q))) != NULL) {
		q++;
		if ((size_t)(end - q) > n && memcmp(q, delim, n) == 0 &&
		    q[n] == '"')
			return q + n + 1;
	}
	return end;
}

const char *
ctx_literal_raw_hash(const char *p, const char *begin, const char *end)
{
	const char *q;
	ptrdiff_t hashes = 0, n;

	while (p - begin > hashes && p[-hashes - 1] == '#')
		hashes++;
	if (p - begin <= hashes || p[-hashes - 1] != 'r')
		return NULL;
	for (q = p + 1; (q = memchr(q, '"', (size_t)(end - q))) != NULL; ) {
		for (q++, n = 0; n < hashes && q < end && *q == '#'; n++)
			q++;
		if (n == hashes)
			return q;
	}
	return end;
}

const char *
ctx_literal_copy(const char *p, const char *end)
{
	static const char row[] = "\n\\.";
	const char *nl;
	size_t n;

	if (end - p < 5 || strncasecmp(p, "copy ", 5) != 0)
		return p;
	nl = memchr(p, '\n', (size_t)(end - p));
	n = (size_t)((nl == NULL ? end : nl) - p);
	if (memmem(p, n, " FROM stdin", 11) == NULL &&
	    memmem(p, n, " from stdin", 11) == NULL)
		return p;
	for (p += n; (p = memmem(p, (size_t)(end - p), row, 3)) != NULL; ) {
		p += 3;
		if (p == end || *p == '\n' || *p == '\r')
			return p;
	}
	return end;
}

const char *
ctx_literal_fence(const char *p, const char *end)
{
	const char *q = p, *nl;

	do {
		if ((nl = memchr(q, '\n', (size_t)(end - q))) == NULL)
			return end;
		for (q = nl + 1; q < end && (*q == ' ' || *q == '\t' ||
		    *q == '\r'); q++)
			continue;
	} while (end - q < 3 || memcmp(q, p, 3) != 0);
	nl = memchr(q, '\n', (size_t)(end - q));
	return nl == NULL ? end : nl;
}

const char *
ctx_literal_char(const char *p, const char *end)
{
	const char *q = p + 1, *max;

	max = end - p > 14 ? p + 14 : end;
	if (q < max && *q == '\\')
		q += 2;
	else if (q < max && (unsigned char)*q < 0x80)
		return q + 1 < max && q[1] == '\'' && *q != '\'' ? q + 2 : NULL;
	for (; q < max && *q != '\n'; q++)
		if (*q == '\'')
			return q + 1;
	return NULL;
}

const char *
ctx_literal_delimited(const char *p, const char *end)
{
	static const char open[] = "([{<", close[] = ")]}>";
	const char *pair = strchr(open, *p);
	char first = *p, last = pair != NULL ? close[pair - open] : *p;
	size_t depth = 1;

	for (p++; p < end; p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
		else if (*p == last) {
			if (--depth == 0)
				return p + 1;
		} else if (*p == first)
			depth++;
	}
	return NULL;
}
