/* SPDX-License-Identifier: MIT */
/* The answers of servers as JSON, and the errors in them.  For net/ only. */
#ifndef CTX_NET_REMOTE_H
#define CTX_NET_REMOTE_H

#include <jansson.h>

#include "net/http.h"

/*
 * A body as JSON into *root, yours to free.  Other verdicts than _DONE have
 * the reason in *err.
 */
enum ctx_http_verdict ctx_remote_json(const char *body, size_t len,
	    json_t **root, struct ctx_err *err) CTX_CHECKED;

/*
 * Is there an error in it?  Then the verdict in *v, the reason in *err; the
 * key (or NULL) is never repeated.
 */
int	ctx_remote_is_error(const json_t *root, const char *key,
	    enum ctx_http_verdict *v, struct ctx_err *err) CTX_CHECKED;

/* What the body of an HTTP error says, if it says it the usual way. */
void	ctx_remote_explain(const struct ctx_http_answer *http,
	    const char *key, char *out, size_t size);

#endif
