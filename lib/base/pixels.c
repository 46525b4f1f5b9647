/* SPDX-License-Identifier: MIT */
/* Sizes of images from their headers; see pixels.h. */
#include "base/pixels.h"

#include <string.h>

#include "base/base64.h"
#include "base/bytes.h"

/* More than any header needs: a JPEG's may follow a large EXIF block. */
#define HEAD_MAX	(192u << 10)

/* Find the first frame header among a JPEG's segments. */
static int
jpeg_size(const uint8_t *p, size_t len, struct ctx_pixels *out)
{
	size_t at = 2, n;
	uint8_t mark;

	while (at + 9 < len && p[at] == 0xff) {
		mark = p[at + 1];
		if (mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 &&
		    mark != 0xc8 && mark != 0xcc) {
			out->height = ctx_bytes_be(p + at + 5, 2);
			out->width = ctx_bytes_be(p + at + 7, 2);
			return 0;
		}
		if (mark == 0xff) {		/* a fill byte */
			at++;
			continue;
		}
		at += 2;
		if (mark == 0x01 || (mark >= 0xd0 && mark <= 0xd8))
			continue;		/* these have no length */
		if ((n = ctx_bytes_be(p + at, 2)) < 2)
			return -1;
		at += n;
	}
	return -1;
}

static int
webp_size(const uint8_t *p, size_t len, struct ctx_pixels *out)
{
	uint32_t bits;

	if (len < 30)
		return -1;
	if (memcmp(p + 12, "VP8X", 4) == 0) {
		out->width = ctx_bytes_le(p + 24, 3) + 1;
		out->height = ctx_bytes_le(p + 27, 3) + 1;
	} else if (memcmp(p + 12, "VP8 ", 4) == 0) {
		out->width = ctx_bytes_le(p + 26, 2) & 0x3fff;
		out->height = ctx_bytes_le(p + 28, 2) & 0x3fff;
	} else if (memcmp(p + 12, "VP8L", 4) == 0) {
		bits = ctx_bytes_le(p + 21, 4);
		out->width = (bits & 0x3fff) + 1;
		out->height = (bits >> 14 & 0x3fff) + 1;
	} else
		return -1;
	return 0;
}

int
ctx_pixels_read(const void *data, size_t len, struct ctx_pixels *out)
{
	const uint8_t *p = data;
	struct ctx_pixels size = { 0, 0 };

	if (len >= 24 && memcmp(p, "\x89PNG\r\n\x1a\n", 8) == 0) {
		size.width = ctx_bytes_be(p + 16, 4);
		size.height = ctx_bytes_be(p + 20, 4);
	} else if (len >= 10 && memcmp(p, "GIF8", 4) == 0) {
		size.width = ctx_bytes_le(p + 6, 2);
		size.height = ctx_bytes_le(p + 8, 2);
	} else if (len >= 12 && memcmp(p, "\xff\xd8", 2) == 0) {
		if (jpeg_size(p, len, &size) == -1)
			return -1;
	} else if (len >= 16 && memcmp(p, "RIFF", 4) == 0 &&
	    memcmp(p + 8, "WEBP", 4) == 0) {
		if (webp_size(p, len, &size) == -1)
			return -1;
	} else
		return -1;
	if (size.width == 0 || size.height == 0)
		return -1;
	*out = size;
	return 0;
}

int
ctx_pixels_base64(const char *text, size_t len, struct ctx_pixels *out)
{
	uint8_t head[HEAD_MAX];
	unsigned acc = 0, bits = 0;
	size_t i, n = 0;
	int v;

	for (i = 0; i < len && n < sizeof(head) && text[i] != '='; i++) {
		if ((v = ctx_base64_digit(text[i])) == -1)
			continue;
		acc = (acc << 6 | (unsigned)v) & 0xffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			head[n++] = (uint8_t)(acc >> bits);
		}
	}
	return ctx_pixels_read(head, n, out);
}
