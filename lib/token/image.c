/* SPDX-License-Identifier: MIT */
/*
 * Sources of the formulas: OpenAI, Images and vision, "Calculating costs";
 * Anthropic, Vision, "Resolution and token cost", and Coordinates and bounding
 * boxes, "How Claude resizes and pads images"; Google, Understand images,
 * "Token calculation".
 */
#include "token/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

/*
 * OpenAI's models: tiles of 512 pixels, or patches of 32 pixels times a
 * factor.
 */
static const struct openai {
	const char *part;	/* part of the model's name; first match wins */
	unsigned base;
	unsigned tile;		/* 0 for patches */
	unsigned factor;	/* hundredths */
} openai[] = {
	{ "gpt-4o-mini", 2833, 5667, 0 },
	{ "gpt-4.1-mini", 0, 0, 162 },
	{ "gpt-4.1-nano", 0, 0, 246 },
	{ "gpt-5-mini", 0, 0, 162 },
	{ "gpt-5.4-mini", 0, 0, 162 },
	{ "gpt-5-nano", 0, 0, 246 },
	{ "gpt-5.4-nano", 0, 0, 246 },
	{ "o4-mini", 0, 0, 172 },
	{ "gpt-5", 70, 140, 0 },
	{ "o1", 75, 150, 0 },
	{ "o3", 75, 150, 0 },
	{ "", 85, 170, 0 },
};

static uint64_t
ceil_div(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Fit the image into a square of 2048, scale the shorter side down to 768, and
 * count tiles of 512.
 */
static uint64_t
openai_tiles(const struct openai *o, uint64_t w, uint64_t h, int low)
{
	uint64_t num = 1, den = 1;	/* the factor that scales the sides */

	if (low)
		return o->base;
	if (most(w, h) > 2048) {
		num = 2048;
		den = most(w, h);
	}
	if (least(w, h) * num > 768 * den) {
		num = 768;
		den = least(w, h);
	}
	return o->base + o->tile * ceil_div(w * num, 512 * den) *
	    ceil_div(h * num, 512 * den);
}

/*
 * At most 1536 patches.  An image that must shrink gets a whole number of them
 * along one side: the side that would lose the larger share in rounding down.
 */
static uint64_t
openai_patches(const struct openai *o, uint64_t w, uint64_t h)
{
	uint64_t n = ceil_div(w, 32) * ceil_div(h, 32), pw, ph;

	if (n > 1536) {
		pw = ctx_root(1536 * w / h);
		ph = ctx_root(1536 * h / w);
		if (pw * h < ph * w)
			n = pw * ceil_div(pw * h, w);
		else
			n = ph * ceil_div(ph * w, h);
		n = least(n, 1536);
	}
	return ceil_div(n * o->factor, 100);
}

/*
 * The version in the name of a Claude model, times 100: claude-opus-4-7 has
 * 407, claude-3-5-sonnet 305; a date after it is not part of it.  0 if there
 * is no number.
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
claude_patches(uint64_t w, uint64_t h)
{
	return ceil_div(w, CLAUDE_PATCH) * ceil_div(h, CLAUDE_PATCH);
}

static int
claude_fits(uint64_t w, uint64_t h, uint64_t edge, uint64_t patches)
{
	return ceil_div(most(w, h), CLAUDE_PATCH) * CLAUDE_PATCH <= edge &&
	    claude_patches(w, h) <= patches;
}

/*
 * The short side of an image of w by h whose long side is scaled to n: to the
 * nearest integer, ties to even.
 */
static uint64_t
claude_short(uint64_t n, uint64_t w, uint64_t h)
{
	uint64_t num = n * least(w, h), den = most(w, h);
	uint64_t q = num / den, twice = num % den * 2;

	if (twice > den || (twice == den && q % 2 == 1))
		q++;
	return most(q, 1);
}

/*
 * Count patches of 28 pixels at the largest size with the same proportions
 * that is within the model's limits.  From version 4.7 on, and for a name
 * without a version, the limits are 2576 pixels an edge and 4784 patches;
 * before that, 1568 and 1568.
 */
static uint64_t
anthropic_tokens(const char *model, uint64_t w, uint64_t h)
{
	unsigned version = claude_version(model);
	int large = version == 0 || version >= 407;
	uint64_t edge = large ? 2576 : 1568, patches = large ? 4784 : 1568;
	uint64_t side = most(w, h), low = 1, mid;

	if (claude_fits(w, h, edge, patches))
		return claude_patches(w, h);
	while (low + 1 < side) {
		mid = (low + side) / 2;
		if (claude_fits(mid, claude_short(mid, w, h), edge, patches))
			low = mid;
		else
			side = mid;
	}
	return claude_patches(low, claude_short(low, w, h));
}

/* 258 tokens a tile; an image of up to 384 pixels is one tile. */
static uint64_t
google_tokens(uint64_t w, uint64_t h)
{
	uint64_t unit = least(most(least(w, h) * 2 / 3, 256), 768);

	if (w <= 384 && h <= 384)
		return 258;
	return 258 * ceil_div(w, unit) * ceil_div(h, unit);
}

uint64_t
ctx_image_tokens(const char *provider, const char *model,
    struct ctx_pixels size, int low)
{
	const struct openai *o = openai;
	uint64_t w = size.width, h = size.height;

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
