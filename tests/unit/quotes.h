/* SPDX-License-Identifier: MIT */
/* JSON in C strings is easier to read with ' for ". */
#ifndef CTX_TESTS_QUOTES_H
#define CTX_TESTS_QUOTES_H

#include <stddef.h>

/* Replace each character from in s[0 .. n). */
static inline void
quotes(char *s, size_t n, char from, char to)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i] == from)
			s[i] = to;
}

#endif
