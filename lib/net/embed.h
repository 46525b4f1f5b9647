/* SPDX-License-Identifier: MIT */
/*
 * Get vectors for texts from an endpoint that implements OpenAI's
 * /v1/embeddings: a list of texts is sent, and as many vectors of equal length
 * come back.  An answer is accepted only if it is complete.
 */
#ifndef CTX_NET_EMBED_H
#define CTX_NET_EMBED_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "net/http.h"

#define CTX_EMBED_DIM_MAX	65536

struct ctx_embed {
	const char *url;		/* complete: see net/endpoint.h */
	const char *model;
	const char *key;		/* or NULL; never printed */
	const char *cacert;		/* or NULL */
	struct ctx_http_limits limits;	/* of each request */
	void (*waiting)(void *arg, unsigned try, uint64_t ms, const char *why);
	void *arg;
};

struct ctx_embed_text {
	const char *p;
	size_t len;
};

/* Must be all zero before the call; call _done afterwards. */
struct ctx_embed_vectors {
	float *v;		/* n vectors of dim numbers, in order */
	size_t n, dim;
};

/*
 * Ask for the vectors of n texts (UTF-8).
 *
 * Returns: 0, or -1 with CTX_EREMOTE, CTX_EUSAGE (URL or certificate file) or
 *          CTX_ENOMEM.
 */
int	ctx_embed_ask(const struct ctx_embed *e,
	    const struct ctx_embed_text *text, size_t n,
	    struct ctx_embed_vectors *out, struct ctx_err *err) CTX_CHECKED;

void	ctx_embed_done(struct ctx_embed_vectors *v);

/*
 * Read the n vectors in a body; ctx_embed_ask calls it for an answer, and it
 * is public for tests.  Each vector is a list of numbers, or the base64 of
 * 32-bit floats.
 */
enum ctx_http_verdict ctx_embed_read(const char *body, size_t len, size_t n,
	    struct ctx_embed_vectors *out, struct ctx_err *err) CTX_CHECKED;

#endif
