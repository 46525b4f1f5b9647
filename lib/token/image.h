/* SPDX-License-Identifier: MIT */
/*
 * What an image costs, by each provider's published formula: an estimate, since
 * providers change their scaling.
 */
#ifndef CTX_TOKEN_IMAGE_H
#define CTX_TOKEN_IMAGE_H

#include <stdint.h>

#include "base/pixels.h"

/*
 * Tokens of an image of that size for a model ("gpt-4o", with or without what
 * stands around such names, token/model.h) of a provider ("openai",
 * "anthropic", "google"; anything else is taken for "openai").  A size that is
 * not known counts as 1024 x 1024.  low: OpenAI's "detail": "low".
 */
uint64_t ctx_image_tokens(const char *provider, const char *model,
	    struct ctx_pixels size, int low);

#endif
