/* SPDX-License-Identifier: MIT */
/* Paths in URLs (RFC 3986). */
#ifndef CTX_BASE_URL_H
#define CTX_BASE_URL_H

#include "base/buf.h"

/*
 * Append a path of any bytes: all but its slashes and the unreserved characters
 * is escaped, so that a colon does not end a scheme.
 */
void	ctx_url_path(struct ctx_buf *out, const char *path);

#endif
