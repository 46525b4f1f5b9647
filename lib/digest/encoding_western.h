/* SPDX-License-Identifier: MIT */
/* Texts in ISO 8859-1 and in what Windows made of it; see encoding.h. */
#ifndef CTX_DIGEST_ENCODING_WESTERN_H
#define CTX_DIGEST_ENCODING_WESTERN_H

#include <stddef.h>

/*
 * Is it text in a language of western Europe?  These encodings have a
 * character for each byte, so the letters are compared with those of each
 * language, and must stand where letters stand.
 */
int	ctx_encoding_is_western(const char *p, size_t len);

/* Has it characters that only Windows has? */
int	ctx_encoding_is_windows(const char *p, size_t len);

#endif
