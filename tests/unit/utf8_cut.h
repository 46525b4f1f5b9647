/* SPDX-License-Identifier: MIT */
#ifndef CTX_TESTS_UTF8_CUT_H
#define CTX_TESTS_UTF8_CUT_H

#include <stddef.h>

/*
 * The length of the first nchars characters of valid text, or len if there are
 * fewer.
 */
static inline size_t
utf8_cut(const char *p, size_t len, size_t nchars)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((signed char)p[i] >= -64 && nchars-- == 0)
			break;
	return i;
}

#endif
