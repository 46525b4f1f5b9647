/* SPDX-License-Identifier: MIT */
/* Growable bytes; see buf.h. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
ctx_buf_reserve(struct ctx_buf *b, size_t n)
{
	size_t cap;
	char *p;

	if (b->failed)
		return -1;
	if (n <= b->cap - b->len)
		return 0;
	if (n > SIZE_MAX / 2 - b->len) {
		b->failed = 1;
		return -1;
	}
	cap = b->cap < 64 ? 64 : b->cap;
	while (cap - b->len < n)
		cap += cap / 2;
	if ((p = realloc(b->data, cap)) == NULL) {
		b->failed = 1;
		return -1;
	}
	b->data = p;
	b->cap = cap;
	return 0;
}

int
ctx_buf_add(struct ctx_buf *b, const void *p, size_t n)
{
	/* a failed buffer may have room */
	if ((n > b->cap - b->len || b->failed) && ctx_buf_reserve(b, n) == -1)
		return -1;
	if (n > 0)
		memcpy(b->data + b->len, p, n);
	b->len += n;
	return 0;
}

int
ctx_buf_addc(struct ctx_buf *b, char c)
{
	if ((b->len == b->cap || b->failed) && ctx_buf_reserve(b, 1) == -1)
		return -1;
	b->data[b->len++] = c;
	return 0;
}

int
ctx_buf_addf(struct ctx_buf *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || ctx_buf_reserve(b, (size_t)n + 1) == -1) {
		va_end(again);
		b->failed = 1;
		return -1;
	}
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
	va_end(again);
	b->len += (size_t)n;
	return 0;
}

char *
ctx_buf_str(struct ctx_buf *b)
{
	if (ctx_buf_reserve(b, 1) == -1)
		return NULL;
	b->data[b->len] = '\0';
	return b->data;
}

char *
ctx_buf_join(const char *a, const char *b, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };

	ctx_buf_adds(&out, a);
	ctx_buf_adds(&out, b);
	if (ctx_buf_str(&out) == NULL) {
		ctx_buf_done(&out);
		ctx_fail_nomem(err);
		return NULL;
	}
	return out.data;
}

int
ctx_buf_fail(const struct ctx_buf *b, struct ctx_err *err)
{
	return b->failed ? ctx_fail_nomem(err) : 0;
}

void
ctx_buf_reset(struct ctx_buf *b)
{
	b->len = 0;
	b->failed = 0;
}

void
ctx_buf_done(struct ctx_buf *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

int
ctx_room_more(void *v, size_t n, size_t *cap, size_t size, size_t first)
{
	size_t want = *cap;
	void *array;

	if (n >= SIZE_MAX / size / 2)
		return -1;
	if (want < first)
		want = first;
	while (want <= n)
		want *= 2;
	/* all object pointers have the same representation here */
	memcpy(&array, v, sizeof(array));
	if ((array = realloc(array, want * size)) == NULL)
		return -1;
	memcpy(v, &array, sizeof(array));
	*cap = want;
	return 0;
}
