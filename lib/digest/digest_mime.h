/* SPDX-License-Identifier: MIT */
/* Media types, for code that keeps or sends files. */
#ifndef CTX_DIGEST_DIGEST_MIME_H
#define CTX_DIGEST_DIGEST_MIME_H

#include "digest/digest.h"

/*
 * The media type of a digested file, such as "text/csv"; "text/plain" or
 * "application/octet-stream" if it has no type of its own.  Static.
 */
const char *ctx_digest_mime(const struct ctx_digest *d);

#endif
