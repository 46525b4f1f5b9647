/* SPDX-License-Identifier: MIT */
/* Pictures: width and height from their heads; no pixel is read. */
#include <stdint.h>
#include <string.h>

#include "digest/format.h"

static uint32_t
be(const unsigned char *p, int n)
{
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

static uint32_t
le(const unsigned char *p, int n)
{
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* The frame header among the segments of a JPEG. */
static void
jpeg(struct ctx_digest *d, const unsigned char *p, size_t len)
{
	size_t at = 2;

	while (at + 9 < len && p[at] == 0xff) {
		unsigned char m = p[at + 1];

		if (m == 0xff) {		/* fill byte */
			at++;
			continue;
		}
		if (m >= 0xc0 && m <= 0xcf && m != 0xc4 && m != 0xc8 &&
		    m != 0xcc) {
			d->height = be(p + at + 5, 2);
			d->width = be(p + at + 7, 2);
			return;
		}
		at += 2;
		if (m != 0x01 && (m < 0xd0 || m > 0xd8))
			at += be(p + at, 2);
	}
}

static void
webp(struct ctx_digest *d, const unsigned char *p, size_t len)
{
	if (len < 30)
		return;
	if (memcmp(p + 12, "VP8X", 4) == 0) {
		d->width = le(p + 24, 3) + 1;
		d->height = le(p + 27, 3) + 1;
	} else if (memcmp(p + 12, "VP8L", 4) == 0) {
		d->width = (le(p + 21, 4) & 0x3fff) + 1;
		d->height = (le(p + 21, 4) >> 14 & 0x3fff) + 1;
	} else if (memcmp(p + 12, "VP8 ", 4) == 0) {
		d->width = le(p + 26, 2) & 0x3fff;
		d->height = le(p + 28, 2) & 0x3fff;
	}
}

/* The first directory of a TIFF: tags 256 and 257. */
static void
tiff(struct ctx_digest *d, const unsigned char *p, size_t len)
{
	uint32_t (*num)(const unsigned char *, int) = *p == 'I' ? le : be;
	size_t at = num(p + 4, 4), n, i;
	uint32_t tag, value;

	if (at + 2 > len)
		return;
	n = num(p + at, 2);
	for (i = 0, at += 2; i < n && at + 12 <= len; i++, at += 12) {
		tag = num(p + at, 2);
		value = num(p + at + 8, num(p + at + 2, 2) == 3 ? 2 : 4);
		if (tag == 256)
			d->width = value;
		else if (tag == 257)
			d->height = value;
	}
}

/* HEIF and AVIF: the first "ispe" box. */
static void
heif(struct ctx_digest *d, const unsigned char *p, size_t len)
{
	const unsigned char *q;

	q = memmem(p, len > 65536 ? 65536 : len, "ispe", 4);
	if (q != NULL && (size_t)(q - p) + 16 <= len) {
		d->width = be(q + 8, 4);
		d->height = be(q + 12, 4);
	}
}

int
ctx_format_image(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	const unsigned char *p = (const unsigned char *)data;

	(void)err;
	if (len >= 30 && memcmp(p, "\x89PNG", 4) == 0) {
		d->width = be(p + 16, 4);
		d->height = be(p + 20, 4);
	} else if (len >= 10 && memcmp(p, "GIF8", 4) == 0) {
		d->width = le(p + 6, 2);
		d->height = le(p + 8, 2);
	} else if (len >= 26 && memcmp(p, "BM", 2) == 0) {
		d->width = le(p + 18, 4);
		d->height = le(p + 22, 4);
		if (d->height > INT32_MAX)	/* stored from the top down */
			d->height = 0 - d->height;
	} else if (len >= 8 && memcmp(p, "\0\0\1\0", 4) == 0) {
		d->width = p[6] == 0 ? 256 : p[6];
		d->height = p[7] == 0 ? 256 : p[7];
	} else if (len >= 4 && memcmp(p, "\xff\xd8", 2) == 0)
		jpeg(d, p, len);
	else if (len >= 12 && memcmp(p, "RIFF", 4) == 0)
		webp(d, p, len);
	else if (len >= 12 && memcmp(p + 4, "ftyp", 4) == 0)
		heif(d, p, len);
	else if (len >= 8 && (*p == 'I' || *p == 'M'))
		tiff(d, p, len);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}
