/* SPDX-License-Identifier: MIT */
#include "token/norm.h"

#include <string.h>

#include "base/unorm.h"

/* Replace U+2581 with a space in the bytes from at on. */
static void
lower_spaces(struct ctx_buf *b, size_t at)
{
	static const char mark[] = "\xe2\x96\x81";
	char *p = b->data + at, *end = b->data + b->len, *to, *q = NULL;

	while (p < end && ((q = memchr(p, mark[0], (size_t)(end - p))) != NULL)
	    && (end - q < 3 || memcmp(q, mark, 3) != 0))
		p = q + 1;
	if (p >= end || q == NULL)
		return;
	for (p = to = q; p < end;)
		if (end - p >= 3 && memcmp(p, mark, 3) == 0) {
			*to++ = ' ';
			p += 3;
		} else
			*to++ = *p++;
	b->len = (size_t)(to - b->data);
}

int
ctx_norm_append(unsigned norm, struct ctx_buf *out, const uint8_t *p,
    size_t *len, int whole, struct ctx_err *err)
{
	size_t from = out->len;
	int rc = 0;

	if (norm & CTX_NORM_FORM)
		rc = ctx_unorm_append(norm & CTX_NORM_FORM, out, p, len, whole,
		    err);
	else
		ctx_buf_add(out, p, *len);
	if (rc == -1 || ctx_buf_fail(out, err) == -1)
		return -1;
	if (norm & CTX_NORM_SPACE && out->len > from)
		lower_spaces(out, from);
	return 0;
}
