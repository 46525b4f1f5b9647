/* SPDX-License-Identifier: MIT */
/*
 * The number of tokens an image costs by each provider's published formula.
 * It is an estimate, since providers change their scaling.  The rules are a
 * table by provider and model (image_data.inc); a user's rule for a model takes
 * precedence (token/model.h).
 */
#ifndef CTX_TOKEN_IMAGE_H
#define CTX_TOKEN_IMAGE_H

#include <stdint.h>

#include "base/err.h"
#include "base/pixels.h"

/* OpenAI's "detail"; of Google's media resolution, ultra high is ORIGINAL. */
enum ctx_detail {
	CTX_DETAIL_AUTO,
	CTX_DETAIL_LOW,
	CTX_DETAIL_MEDIUM,
	CTX_DETAIL_HIGH,
	CTX_DETAIL_ORIGINAL,
	CTX_DETAIL_COUNT
};

enum ctx_image_kind {
	CTX_IMAGE_UNSET,
	CTX_IMAGE_TILES,	/* OpenAI: a base, and as many for each tile
				   of 512 pixels */
	CTX_IMAGE_PATCHES,	/* OpenAI: patches of 32 pixels times
				   hundredths, at most as many as at this
				   detail; 0: all */
	CTX_IMAGE_GRID,		/* Anthropic: patches of 28 pixels within a
				   longest edge and a number of patches */
	CTX_IMAGE_CROPS,	/* Google: so many for each crop */
	CTX_IMAGE_FIXED		/* Google: so many at this detail */
};

struct ctx_image_rule {
	enum ctx_image_kind kind;
	unsigned a, b;			/* as above: base and tile, ... */
	unsigned at[CTX_DETAIL_COUNT];	/* of PATCHES and FIXED */
};

/*
 * The rule for a provider's model, whose name may be written with or without
 * what surrounds such names; a provider that has no rules of its own is
 * treated as "openai".
 */
const struct ctx_image_rule *ctx_image_rule(const char *provider,
	    const char *name);

/*
 * Read a rule: tiles:BASE,TILE, patches:PERCENT[,MOST], grid:EDGE,PATCHES,
 * crops:TOKENS or fixed:TOKENS, where MOST and the TOKENS of fixed may be five
 * numbers: for detail auto, low, medium, high and original.
 *
 * Returns: 0, or -1 with CTX_EUSAGE.
 */
int	ctx_image_parse(const char *text, struct ctx_image_rule *rule,
	    struct ctx_err *err) CTX_CHECKED;

/* Tokens of an image; an unknown size counts as 1024 x 1024. */
uint64_t ctx_image_tokens(const struct ctx_image_rule *rule,
	    struct ctx_pixels size, enum ctx_detail detail);

#endif
