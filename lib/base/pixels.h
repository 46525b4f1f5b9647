/* SPDX-License-Identifier: MIT */
/* The size of a PNG, JPEG, GIF or WebP image, read from its header. */
#ifndef CTX_BASE_PIXELS_H
#define CTX_BASE_PIXELS_H

#include <stddef.h>
#include <stdint.h>

/* Both are 0 if the size is not known. */
struct ctx_pixels {
	uint32_t width;
	uint32_t height;
};

/*
 * Set *out from the header in data.  Returns 0, or -1 with *out unchanged if
 * data is not such an image or is too short.
 */
int	ctx_pixels_read(const void *data, size_t len, struct ctx_pixels *out);

/* The same for base64 text, which may contain white space and be cut off. */
int	ctx_pixels_base64(const char *text, size_t len,
	    struct ctx_pixels *out);

#endif
