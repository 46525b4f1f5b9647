/* SPDX-License-Identifier: MIT */
/*
 * Parse the answers of servers as JSON, and recognize errors in them.  Only
 * for net/.
 */
#ifndef CTX_NET_REMOTE_H
#define CTX_NET_REMOTE_H

#include <jansson.h>

#include "net/http.h"

/*
 * Parse a body as JSON into *root, which is yours to free.  Unless the verdict
 * is _DONE, *err has the reason.
 */
enum ctx_http_verdict ctx_remote_json(const char *body, size_t len,
	    json_t **root, struct ctx_err *err) CTX_CHECKED;

/*
 * The error that a body reports, or NULL if it reports none: a string, an
 * object or a list.  refused is set if the status says that there is one.
 * *message gets its text, or NULL.
 */
const json_t *ctx_remote_error(const json_t *root, int refused,
	    const json_t **message);

/*
 * Does it contain an error?  If so, *v gets the verdict and *err the reason, in
 * which the key (or NULL) is never repeated.
 */
int	ctx_remote_is_error(const json_t *root, const char *key,
	    enum ctx_http_verdict *v, struct ctx_err *err) CTX_CHECKED;

/*
 * Does it contain an error that says that the request is longer than what the
 * model reads?  *fits and *asked get the tokens that it reads and those of the
 * request, by the server's count, or -1 where the error does not say.
 */
int	ctx_remote_too_long(const json_t *root, int64_t *fits, int64_t *asked);

/* Describe the body of an HTTP error, if it has one of the usual forms. */
void	ctx_remote_explain(const struct ctx_http_answer *http,
	    const char *key, char *out, size_t size);

#endif
