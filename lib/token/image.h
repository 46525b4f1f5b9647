/* SPDX-License-Identifier: MIT */
/*
 * The number of tokens an image costs by each provider's published formula.
 * It is an estimate, since providers change their scaling.
 */
#ifndef CTX_TOKEN_IMAGE_H
#define CTX_TOKEN_IMAGE_H

#include <stdint.h>

#include "base/pixels.h"

/*
 * Tokens of an image of the given size.  The model may be written with or
 * without what surrounds such names ("gpt-4o"; token/model.h); a provider
 * other than "openai", "anthropic" and "google" is treated as "openai".  An
 * unknown size counts as 1024 x 1024. low is OpenAI's "detail": "low".
 */
uint64_t ctx_image_tokens(const char *provider, const char *model,
	    struct ctx_pixels size, int low);

#endif
