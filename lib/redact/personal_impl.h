/* SPDX-License-Identifier: MIT */
/* Internals that the sources of personal share.  Names: personal_. */
#ifndef CTX_REDACT_PERSONAL_IMPL_H
#define CTX_REDACT_PERSONAL_IMPL_H

#include "redact/personal.h"

/* One search. */
struct personal {
	const char *text;
	size_t len;
	unsigned kinds;
	ctx_personal_fn *fn;
	void *arg;
};

static inline int
personal_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline int
personal_is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline char
personal_lower(char c)
{
	return personal_is_upper(c) ? (char)(c | 0x20) : c;
}

static inline int
personal_is_alpha(char c)
{
	return personal_lower(c) >= 'a' && personal_lower(c) <= 'z';
}

static inline int
personal_is_alnum(char c)
{
	return personal_is_alpha(c) || personal_is_digit(c);
}

static inline int
personal_is_hex(char c)
{
	return personal_is_digit(c) ||
	    (personal_lower(c) >= 'a' && personal_lower(c) <= 'f');
}

/* May a number that ends before text[end] end there? */
static inline int
personal_ends(const char *text, size_t len, size_t end)
{
	char c;

	if (end >= len)
		return 1;
	c = text[end];
	if (personal_is_alnum(c) || c == '_')
		return 0;
	return (c != '-' && c != '.' && c != '/') || end + 1 >= len ||
	    !personal_is_alnum(text[end + 1]);
}

#endif
