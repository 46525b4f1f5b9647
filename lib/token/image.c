/* SPDX-License-Identifier: MIT */
/*
 * The formulas: OpenAI, Images and vision, "Calculating costs"; Anthropic,
 * Vision, "Resolution and token cost", and Coordinates and bounding boxes, "How
 * Claude resizes and pads images"; Google, Understand images, "Token
 * calculation".
 */
#include "token/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "token/model.h"
#include "token/image_data.inc"

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
openai_tiles(const struct ctx_image_rule *r, uint64_t w, uint64_t h,
    enum ctx_detail detail)
{
	uint64_t num = 1, den = 1;	/* the factor that scales the sides */

	if (detail == CTX_DETAIL_LOW)
		return r->a;
	if (most(w, h) > 2048) {
		num = 2048;
		den = most(w, h);
	}
	if (least(w, h) * num > 768 * den) {
		num = 768;
		den = least(w, h);
	}
	return r->a + r->b * ceil_div(w * num, 512 * den) *
	    ceil_div(h * num, 512 * den);
}

/*
 * An image that must shrink gets a whole number of patches along one side: the
 * side that would lose the larger share in rounding down.
 */
static uint64_t
openai_patches(const struct ctx_image_rule *r, uint64_t w, uint64_t h,
    uint64_t budget)
{
	uint64_t n = ceil_div(w, 32) * ceil_div(h, 32), pw, ph;

	if (budget != 0 && n > budget) {
		pw = ctx_root(budget * w / h);
		ph = ctx_root(budget * h / w);
		if (pw * h < ph * w)
			n = pw * ceil_div(pw * h, w);
		else
			n = ph * ceil_div(ph * w, h);
		n = least(n, budget);
	}
	return ceil_div(n * r->a, 100);
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
 * that is within the model's limits.
 */
static uint64_t
anthropic_tokens(uint64_t edge, uint64_t patches, uint64_t w, uint64_t h)
{
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

/* An image of up to 384 pixels is one crop. */
static uint64_t
google_crops(uint64_t tokens, uint64_t w, uint64_t h)
{
	uint64_t unit = least(most(least(w, h) * 2 / 3, 256), 768);

	if (w <= 384 && h <= 384)
		return tokens;
	return tokens * ceil_div(w, unit) * ceil_div(h, unit);
}

uint64_t
ctx_image_tokens(const struct ctx_image_rule *rule, struct ctx_pixels size,
    enum ctx_detail detail)
{
	uint64_t w = size.width, h = size.height;

	if (size.width == 0 || size.height == 0)
		w = h = 1024;
	switch (rule->kind) {
	case CTX_IMAGE_TILES:
		return openai_tiles(rule, w, h, detail);
	case CTX_IMAGE_PATCHES:
		return openai_patches(rule, w, h, rule->at[detail]);
	case CTX_IMAGE_GRID:
		return anthropic_tokens(rule->a, rule->b, w, h);
	case CTX_IMAGE_CROPS:
		return google_crops(rule->a, w, h);
	case CTX_IMAGE_FIXED:
	case CTX_IMAGE_UNSET:
		break;
	}
	return rule->at[detail];
}

static const struct ctx_image_rule *
find_rule(const char *provider, const char *name)
{
	const struct ctx_image_rule *best = NULL;
	size_t i, n, longest = 0;

	for (i = 0; i < sizeof(image_data) / sizeof(*image_data); i++) {
		if (strcmp(image_data[i].provider, provider) != 0)
			continue;
		n = *image_data[i].prefix == '\0' ? 1 :
		    ctx_model_match(image_data[i].prefix, name) + 1;
		if ((n > 1 || *image_data[i].prefix == '\0') && n > longest) {
			longest = n;
			best = &image_data[i].rule;
		}
	}
	return best;
}

const struct ctx_image_rule *
ctx_image_rule(const char *provider, const char *name)
{
	const struct ctx_image_rule *rule = find_rule(provider, name);

	return rule != NULL ? rule : find_rule("openai", name);
}

/* The kinds, and how many numbers they take. */
static const struct {
	const char *name;
	enum ctx_image_kind kind;
	const char *counts;
} kinds[] = {
	{ "tiles:", CTX_IMAGE_TILES, "2" },
	{ "patches:", CTX_IMAGE_PATCHES, "126" },
	{ "grid:", CTX_IMAGE_GRID, "2" },
	{ "crops:", CTX_IMAGE_CROPS, "1" },
	{ "fixed:", CTX_IMAGE_FIXED, "15" },
};

#define NUMBERS	(1 + CTX_DETAIL_COUNT)
#define NUMBER_MAX 1000000

/* Read numbers that commas separate; returns how many, or 0. */
static size_t
read_numbers(const char *p, unsigned v[NUMBERS])
{
	char *end;
	size_t n = 0;

	for (;; p = end + 1) {
		unsigned long x = strtoul(p, &end, 10);

		if (end == p || *p < '0' || *p > '9' || x > NUMBER_MAX ||
		    n == NUMBERS)
			return 0;
		v[n++] = (unsigned)x;
		if (*end != ',')
			return *end == '\0' ? n : 0;
	}
}

/* Make the rule of a kind from n numbers. */
static void
fill(struct ctx_image_rule *rule, enum ctx_image_kind kind, const unsigned *v,
    size_t n)
{
	size_t i, first = kind == CTX_IMAGE_PATCHES;

	memset(rule, 0, sizeof(*rule));
	rule->kind = kind;
	rule->a = v[0];
	rule->b = n > 1 ? v[1] : 0;
	/* one number is for every detail */
	for (i = 0; i < CTX_DETAIL_COUNT && n > first; i++)
		rule->at[i] = n == first + 1 ? v[first] : v[first + i];
}

int
ctx_image_parse(const char *text, struct ctx_image_rule *rule,
    struct ctx_err *err)
{
	unsigned v[NUMBERS];
	size_t i, n, len;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		len = strlen(kinds[i].name);
		if (strncmp(text, kinds[i].name, len) != 0)
			continue;
		n = read_numbers(text + len, v);
		if (strchr(kinds[i].counts, (int)('0' + n)) == NULL)
			break;
		fill(rule, kinds[i].kind, v, n);
		return 0;
	}
	return ctx_fail(err, CTX_EUSAGE, "'%s' is not a rule for images: "
	    "tiles:BASE,TILE, patches:PERCENT[,MOST], grid:EDGE,PATCHES, "
	    "crops:TOKENS or fixed:TOKENS", text);
}
