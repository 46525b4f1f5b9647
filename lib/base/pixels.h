/* SPDX-License-Identifier: MIT */
/* How large a PNG, JPEG, GIF or WebP is, by its head; no pixel is read. */
#ifndef CTX_BASE_PIXELS_H
#define CTX_BASE_PIXELS_H

#include <stddef.h>
#include <stdint.h>

/* 0 and 0: not known. */
struct ctx_pixels {
	uint32_t width;
	uint32_t height;
};

/*
 * Into *out what the head of data says.  0, or -1 and *out as it was if data is
 * none of these or too short.
 */
int	ctx_pixels_read(const void *data, size_t len, struct ctx_pixels *out);

/* The same for base64 text; white space and a cut end do not matter. */
int	ctx_pixels_base64(const char *text, size_t len,
	    struct ctx_pixels *out);

#endif
