/* SPDX-License-Identifier: MIT */
/* Base64; see base64.h. */
#include "base/base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "abcdefghijklmnopqrstuvwxyz0123456789+/";

int
ctx_base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

size_t
ctx_base64_begin(char *out, size_t size, const char *text, size_t len,
    size_t *used)
{
	unsigned acc = 0, bits = 0;
	size_t n = 0, i;
	int v;

	for (i = 0; i < len && n < size; i++) {
		if ((v = ctx_base64_digit(text[i])) == -1)
			break;
		acc = (acc << 6 | (unsigned)v) & 0xffff;
		if ((bits += 6) >= 8) {
			bits -= 8;
			out[n++] = (char)(acc >> bits);
		}
	}
	*used = i;
	return n;
}

int
ctx_base64_decode(struct ctx_buf *out, const char *text, size_t len)
{
	size_t pad = 0, room, used;

	if (len == 0 || len % 4 != 0)
		return len == 0 ? 0 : -1;
	if (text[len - 1] == '=')
		pad = text[len - 2] == '=' ? 2 : 1;
	room = len / 4 * 3;
	len -= pad;
	if (ctx_buf_reserve(out, room) == -1)
		return -1;
	out->len += ctx_base64_begin(out->data + out->len, room, text, len,
	    &used);
	if (used < len || memchr(text, '-', len) != NULL ||
	    memchr(text, '_', len) != NULL)
		return -1;
	/* The unused low bits of the last digit must be zero. */
	return pad > 0 && ctx_base64_digit(text[len - 1]) &
	    (pad == 1 ? 3 : 15) ? -1 : 0;
}

int
ctx_base64_encode(struct ctx_buf *out, const void *data, size_t len)
{
	const unsigned char *s = data;
	unsigned bits;
	size_t i, left;
	char *p;

	if (len > (size_t)-1 / 2 || ctx_buf_reserve(out, len / 3 * 4 + 4) == -1)
		return -1;
	p = out->data + out->len;
	for (i = 0; i < len; i += 3) {
		left = len - i;
		bits = (unsigned)s[i] << 16 |
		    (left > 1 ? (unsigned)s[i + 1] << 8 : 0) |
		    (left > 2 ? s[i + 2] : 0);
		*p++ = alphabet[bits >> 18];
		*p++ = alphabet[bits >> 12 & 63];
		*p++ = left > 1 ? alphabet[bits >> 6 & 63] : '=';
		*p++ = left > 2 ? alphabet[bits & 63] : '=';
	}
	out->len = (size_t)(p - out->data);
	return 0;
}
