/* SPDX-License-Identifier: MIT */
/* Base64; see base64.h. */
#include "base/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "abcdefghijklmnopqrstuvwxyz0123456789+/";

/* Six bits, or 64 for a byte that is none of the alphabet. */
static unsigned
value(unsigned char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26u;
	if (c >= '0' && c <= '9')
		return c - '0' + 52u;
	return c == '+' ? 62 : c == '/' ? 63 : 64;
}

int
ctx_base64_decode(struct ctx_buf *out, const char *text, size_t len)
{
	size_t pad = 0, i, k;
	unsigned v, bits;
	char *p;

	if (len % 4 != 0)
		return -1;
	if (len > 0 && text[len - 1] == '=')
		pad = text[len - 2] == '=' ? 2 : 1;
	if (ctx_buf_reserve(out, len / 4 * 3) == -1)
		return -1;
	p = out->data + out->len;
	for (i = 0; i < len; i += 4) {
		for (bits = 0, k = 0; k < 4; k++) {
			v = i + k >= len - pad ? 0 :
			    value((unsigned char)text[i + k]);
			if (v == 64)
				return -1;
			bits = bits << 6 | v;
		}
		*p++ = (char)(bits >> 16);
		*p++ = (char)(bits >> 8);
		*p++ = (char)bits;
	}
	/* the bits that padding leaves over */
	while (pad > 0 && pad-- > 0)
		if (*--p != '\0')
			return -1;
	out->len = (size_t)(p - out->data);
	return 0;
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
