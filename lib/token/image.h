/* SPDX-License-Identifier: MIT */
/*
 * What an image costs, by each provider's published formula: an estimate, since
 * providers change their scaling.
 */
#ifndef CTX_TOKEN_IMAGE_H
#define CTX_TOKEN_IMAGE_H

#include <stddef.h>
#include <stdint.h>

/* Pixels; 0 and 0: not known. */
struct ctx_image_size {
	uint32_t width;
	uint32_t height;
};

/*
 * The size that the header of a PNG, JPEG, GIF or WebP says.  0, or -1 if data
 * is none of these or too short.
 */
int	ctx_image_size(const void *data, size_t len,
	    struct ctx_image_size *out);

/* The same for base64 text; white space and a cut end do not matter. */
int	ctx_image_size_base64(const char *text, size_t len,
	    struct ctx_image_size *out);

/*
 * Tokens of an image of that size for a model ("gpt-4o", with or without what
 * stands around such names, token/model.h) of a provider ("openai",
 * "anthropic", "google"; anything else is taken for "openai").  A size that is
 * not known counts as 1024 x 1024.  low: OpenAI's "detail": "low".
 */
uint64_t ctx_image_tokens(const char *provider, const char *model,
	    struct ctx_image_size size, int low);

#endif
