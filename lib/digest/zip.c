/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/bytes.h"
#include "digest/inflate.h"
#include "digest/zip.h"

#define END_LEN		22	/* the end record without its comment */
#define CENTRAL_LEN	46
#define LOCAL_LEN	30

int
ctx_zip_open(struct ctx_zip *z, const char *data, size_t len)
{
	const unsigned char *p = (const unsigned char *)data;
	size_t at, lowest;

	if (len < END_LEN)
		return -1;
	/* The end record may be followed by a comment of up to 64 KiB. */
	lowest = len > END_LEN + 65535 ? len - END_LEN - 65535 : 0;
	for (at = len - END_LEN; memcmp(p + at, "PK\5\6", 4) != 0; at--)
		if (at == lowest)
			return -1;
	z->data = p;
	z->len = len;
	z->entries = ctx_bytes_le(p + at + 10, 2);
	z->at = ctx_bytes_le(p + at + 16, 4);
	return z->at <= at ? 0 : -1;
}

int
ctx_zip_next(struct ctx_zip *z, struct ctx_zip_entry *e)
{
	const unsigned char *p = z->data + z->at;
	size_t left = z->len - z->at, n;

	if (left < CENTRAL_LEN || memcmp(p, "PK\1\2", 4) != 0)
		return 0;
	e->namelen = ctx_bytes_le(p + 28, 2);
	n = CENTRAL_LEN + e->namelen + ctx_bytes_le(p + 30, 2) +
	    ctx_bytes_le(p + 32, 2);
	if (n > left)
		return 0;
	e->name = (const char *)p + CENTRAL_LEN;
	e->method = ctx_bytes_le(p + 10, 2);
	e->size = ctx_bytes_le(p + 20, 4);
	e->unpacked = ctx_bytes_le(p + 24, 4);
	e->off = ctx_bytes_le(p + 42, 4);
	z->at += n;
	return 1;
}

int
ctx_zip_find(const struct ctx_zip *z, const char *name,
    struct ctx_zip_entry *e)
{
	struct ctx_zip copy = *z;
	size_t n = strlen(name);

	while (ctx_zip_next(&copy, e))
		if (e->namelen == n && memcmp(e->name, name, n) == 0)
			return 1;
	return 0;
}

int
ctx_zip_read_entry(const struct ctx_zip *z, const struct ctx_zip_entry *e,
    struct ctx_buf *out, size_t max)
{
	const unsigned char *p = z->data + e->off;
	size_t left, n;

	if (e->off > z->len || (left = z->len - e->off) < LOCAL_LEN ||
	    memcmp(p, "PK\3\4", 4) != 0)
		return 0;
	n = LOCAL_LEN + ctx_bytes_le(p + 26, 2) + ctx_bytes_le(p + 28, 2);
	if (n > left || e->size > left - n)
		return 0;
	if (e->method == 8)
		return ctx_inflate(out, (const char *)p + n, e->size,
		    CTX_DEFLATE_RAW, max);
	if (e->method != 0)
		return 0;
	if (ctx_buf_add(out, p + n, e->size < max ? e->size : max) == -1)
		return -1;
	return e->size <= max;
}
