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
