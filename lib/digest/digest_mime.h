/* SPDX-License-Identifier: MIT */
/* Media types, for what keeps or sends files. */
#ifndef CTX_DIGEST_DIGEST_MIME_H
#define CTX_DIGEST_DIGEST_MIME_H

#include "digest/digest.h"

/*
 * The media type of what was digested, "text/csv"; where there is none for it,
 * "text/plain" or "application/octet-stream".  Static.
 */
const char *ctx_digest_mime(const struct ctx_digest *d);

#endif
