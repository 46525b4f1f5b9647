/* SPDX-License-Identifier: MIT */
/* Images: width and height from their headers; no pixels are read. */
#include "digest/format.h"

#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/pixels.h"

/* A TIFF's first directory: tags 256 and 257. */
static void
tiff(struct ctx_digest *d, const unsigned char *p, size_t len)
{
	uint32_t (*num)(const void *, int) = *p == 'I' ? ctx_bytes_le :
	    ctx_bytes_be;
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

/*
 * HEIF and AVIF: the largest of the "ispe" boxes.  The others are of the tiles
 * that the image is made of, and of a smaller image for previews.
 */
static void
heif(struct ctx_digest *d, const unsigned char *p, size_t len)
{
	const unsigned char *end = p + (len > 65536 ? 65536 : len);
	uint32_t width, height;

	while ((p = memmem(p, (size_t)(end - p), "ispe", 4)) != NULL &&
	    end - p >= 16) {
		width = ctx_bytes_be(p + 8, 4);
		height = ctx_bytes_be(p + 12, 4);
		if ((uint64_t)width * height > (uint64_t)d->width * d->height) {
			d->width = width;
			d->height = height;
		}
		p += 16;
	}
}

int
ctx_format_image(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	const unsigned char *p = (const unsigned char *)data;
	struct ctx_pixels size;

	(void)err;
	if (ctx_pixels_read(data, len, &size) == 0) {
		d->width = size.width;
		d->height = size.height;
	} else if (len >= 26 && memcmp(p, "BM", 2) == 0 && p[14] == 12) {
		d->width = ctx_bytes_le(p + 18, 2);	/* of OS/2 */
		d->height = ctx_bytes_le(p + 20, 2);
	} else if (len >= 26 && memcmp(p, "BM", 2) == 0) {
		d->width = ctx_bytes_le(p + 18, 4);
		d->height = ctx_bytes_le(p + 22, 4);
		if (d->height > INT32_MAX)	/* stored from the top down */
			d->height = 0 - d->height;
	} else if (len >= 8 && memcmp(p, "\0\0\1\0", 4) == 0) {
		d->width = p[6] == 0 ? 256 : p[6];
		d->height = p[7] == 0 ? 256 : p[7];
	} else if (len >= 12 && memcmp(p + 4, "ftyp", 4) == 0)
		heif(d, p, len);
	else if (len >= 8 && (*p == 'I' || *p == 'M'))
		tiff(d, p, len);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}
