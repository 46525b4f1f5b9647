/* SPDX-License-Identifier: MIT */
/*
 * Sources of the formulas: OpenAI, Images and vision, "Calculating costs";
 * Anthropic, Vision, "Resolution and token cost", and Coordinates and bounding
 * boxes, "How Claude resizes and pads images"; Google, Understand images,
 * "Token calculation".
 */
#include "token/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More than any header needs: a JPEG's may follow a large EXIF block. */
#define HEAD_MAX	(192u << 10)

static uint32_t
be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t
be32(const uint8_t *p)
{
	return be16(p) << 16 | be16(p + 2);
}

static uint32_t
le16(const uint8_t *p)
{
	return (uint32_t)p[1] << 8 | p[0];
}

static uint32_t
le24(const uint8_t *p)
{
	return (uint32_t)p[2] << 16 | le16(p);
}

/* The first frame header among a JPEG's segments. */
static int
jpeg_size(const uint8_t *p, size_t len, struct ctx_image_size *out)
{
	size_t at = 2, n;
	uint8_t mark;

	while (at + 9 < len) {
		if (p[at] != 0xff)
			return -1;
		mark = p[at + 1];
		if (mark == 0xff) {
			at++;
			continue;
		}
		if (mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 &&
		    mark != 0xc8 && mark != 0xcc) {
			out->height = be16(p + at + 5);
			out->width = be16(p + at + 7);
			return 0;
		}
		n = be16(p + at + 2);
		if (n < 2)
			return -1;
		at += 2 + n;
	}
	return -1;
}

static int
webp_size(const uint8_t *p, size_t len, struct ctx_image_size *out)
{
	uint32_t bits;

	if (len < 30)
		return -1;
	if (memcmp(p + 12, "VP8X", 4) == 0) {
		out->width = le24(p + 24) + 1;
		out->height = le24(p + 27) + 1;
	} else if (memcmp(p + 12, "VP8 ", 4) == 0) {
		out->width = le16(p + 26) & 0x3fff;
		out->height = le16(p + 28) & 0x3fff;
	} else if (memcmp(p + 12, "VP8L", 4) == 0) {
		bits = le24(p + 21) | (uint32_t)p[24] << 24;
		out->width = (bits & 0x3fff) + 1;
		out->height = (bits >> 14 & 0x3fff) + 1;
	} else
		return -1;
	return 0;
}

int
ctx_image_size(const void *data, size_t len, struct ctx_image_size *out)
{
	const uint8_t *p = data;
	struct ctx_image_size size = { 0, 0 };

	if (len >= 24 && memcmp(p, "\x89PNG\r\n\x1a\n", 8) == 0) {
		size.width = be32(p + 16);
		size.height = be32(p + 20);
	} else if (len >= 10 && memcmp(p, "GIF8", 4) == 0) {
		size.width = le16(p + 6);
		size.height = le16(p + 8);
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

static int
base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

int
ctx_image_size_base64(const char *text, size_t len, struct ctx_image_size *out)
{
	uint8_t head[HEAD_MAX];
	unsigned acc = 0, bits = 0;
	size_t i, n = 0;
	int v;

	for (i = 0; i < len && n < sizeof(head) && text[i] != '='; i++) {
		if ((v = base64_digit(text[i])) == -1)
			continue;
		acc = (acc << 6 | (unsigned)v) & 0xffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			head[n++] = (uint8_t)(acc >> bits);
		}
	}
	return ctx_image_size(head, n, out);
}

/* OpenAI's models: tiles of 512 pixels, or patches of 32 times a factor. */
static const struct openai {
	const char *part;	/* of the model's name; the first match counts */
	unsigned base;
	unsigned tile;		/* 0: patches */
	double factor;
} openai[] = {
	{ "gpt-4o-mini", 2833, 5667, 0 },
	{ "gpt-4.1-mini", 0, 0, 1.62 },
	{ "gpt-4.1-nano", 0, 0, 2.46 },
	{ "gpt-5-mini", 0, 0, 1.62 },
	{ "gpt-5.4-mini", 0, 0, 1.62 },
	{ "gpt-5-nano", 0, 0, 2.46 },
	{ "gpt-5.4-nano", 0, 0, 2.46 },
	{ "o4-mini", 0, 0, 1.72 },
	{ "gpt-5", 70, 140, 0 },
	{ "o1", 75, 150, 0 },
	{ "o3", 75, 150, 0 },
	{ "", 85, 170, 0 },
};

static uint64_t
ceil_div(double x, double unit)
{
	return (uint64_t)ceil(x / unit - 1e-9);
}

/* Into a square of 2048, the shorter side down to 768, tiles of 512. */
static uint64_t
openai_tiles(const struct openai *o, double w, double h, int low)
{
	double scale;

	if (low)
		return o->base;
	scale = 2048 / fmax(w, h);
	if (scale < 1) {
		w *= scale;
		h *= scale;
	}
	scale = 768 / fmin(w, h);
	if (scale < 1) {
		w *= scale;
		h *= scale;
	}
	return o->base + o->tile * ceil_div(w, 512) * ceil_div(h, 512);
}

/* At most 1536 patches, whole ones if it has to shrink. */
static uint64_t
openai_patches(const struct openai *o, double w, double h)
{
	uint64_t n = ceil_div(w, 32) * ceil_div(h, 32);
	double r, pw, ph, fit;

	if (n > 1536) {
		r = sqrt(32.0 * 32 * 1536 / (w * h));
		pw = w * r / 32;
		ph = h * r / 32;
		fit = fmin(floor(pw) / pw, floor(ph) / ph);
		n = ceil_div(pw * fit, 1) * ceil_div(ph * fit, 1);
		n = n > 1536 ? 1536 : n;
	}
	return (uint64_t)ceil((double)n * o->factor - 1e-9);
}

/*
 * The version in a name of Claude's, times 100: claude-opus-4-7 has 407,
 * claude-3-5-sonnet 305; a date behind it is none of it.  0: no number.
 */
static unsigned
claude_version(const char *model)
{
	const char *p = strstr(model, "claude");
	char *end;
	unsigned long major, minor;

	p = p != NULL ? p + strcspn(p, "0123456789") : "";
	if (*p == '\0')
		return 0;
	major = strtoul(p, &end, 10);
	minor = *end == '-' || *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	return major > 99 ? 0 : (unsigned)(major * 100 +
	    (minor > 99 ? 0 : minor));
}

#define CLAUDE_PATCH 28

static uint64_t
claude_patches(double w, double h)
{
	return ceil_div(w, CLAUDE_PATCH) * ceil_div(h, CLAUDE_PATCH);
}

static int
claude_fits(double w, double h, double edge, uint64_t most)
{
	return (double)ceil_div(fmax(w, h), CLAUDE_PATCH) * CLAUDE_PATCH <=
	    edge && claude_patches(w, h) <= most;
}

/*
 * Patches of 28 pixels, of the largest size of the same proportions that is
 * within the model's limits.  From version 4.7 on, and for a name without
 * version, these are 2576 pixels an edge and 4784 patches, before that 1568
 * and 1568.
 */
static uint64_t
anthropic_tokens(const char *model, double w, double h)
{
	unsigned version = claude_version(model);
	int large = version == 0 || version >= 407;
	double edge = large ? 2576 : 1568, side = fmax(w, h);
	double ratio = side / fmin(w, h), mid, low = 1;
	uint64_t most = large ? 4784 : 1568;

	if (claude_fits(w, h, edge, most))
		return claude_patches(w, h);
	while (low + 1 < side) {
		mid = floor((low + side) / 2);
		if (claude_fits(mid, fmax(rint(mid / ratio), 1), edge, most))
			low = mid;
		else
			side = mid;
	}
	return claude_patches(low, fmax(rint(low / ratio), 1));
}

/* 258 a tile; up to 384 pixels an image is one. */
static uint64_t
google_tokens(double w, double h)
{
	double unit = floor(fmin(w, h) / 1.5);

	if (w <= 384 && h <= 384)
		return 258;
	unit = fmin(fmax(unit, 256), 768);
	return 258 * ceil_div(w, unit) * ceil_div(h, unit);
}

uint64_t
ctx_image_tokens(const char *provider, const char *model,
    struct ctx_image_size size, int low)
{
	const struct openai *o = openai;
	double w = size.width, h = size.height;

	if (size.width == 0 || size.height == 0)
		w = h = 1024;
	if (strcmp(provider, "anthropic") == 0)
		return anthropic_tokens(model, w, h);
	if (strcmp(provider, "google") == 0)
		return google_tokens(w, h);
	while (strstr(model, o->part) == NULL)
		o++;
	return o->tile != 0 ? openai_tiles(o, w, h, low) :
	    openai_patches(o, w, h);
}
