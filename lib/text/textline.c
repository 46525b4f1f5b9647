/* SPDX-License-Identifier: MIT */
/* Lines of texts; see textline.h. */
#include "text/textline.h"

#include <string.h>

int
ctx_textline_next(const char *text, size_t len, size_t *at,
    struct ctx_textline *l)
{
	const char *nl;

	if (*at >= len)
		return 0;
	l->p = text + *at;
	nl = memchr(l->p, '\n', len - *at);
	l->len = nl != NULL ? (size_t)(nl - l->p) : len - *at;
	l->end = nl != NULL;
	*at += l->len + l->end;
	if (l->end == 1 && l->len > 0 && l->p[l->len - 1] == '\r') {
		l->len--;
		l->end = 2;
	}
	return 1;
}

size_t
ctx_textline_number(const char *p, size_t len)
{
	static const char arrow[] = "\xe2\x86\x92";
	size_t i = 0, digits;

	while (i < len && p[i] == ' ')
		i++;
	for (digits = i; i < len && p[i] >= '0' && p[i] <= '9';)
		i++;
	if (i == digits || i == len)
		return 0;
	if (p[i] == '\t')
		return i + 1;
	if ((p[i] == ':' || p[i] == '|') && i + 1 < len && p[i + 1] == ' ')
		return i + 2;
	return len - i >= 3 && memcmp(p + i, arrow, 3) == 0 ? i + 3 : 0;
}
