/* SPDX-License-Identifier: MIT */
/*
 * Find out which model to ask, where, and with which key, from options and
 * variables.  No model is asked unless an endpoint or a model was named for
 * this very purpose; a key is sent only to the provider that it belongs to.
 *
 *	says that a model is to be asked	says only where, or who
 *	--engine model, --url, --ask-model	OPENAI_BASE_URL OPENAI_API_KEY
 *	CTX_SUMMARIZE_URL			ANTHROPIC_BASE_URL
 *	CTX_SUMMARIZE_MODEL			ANTHROPIC_API_KEY
 *	SUMMARIZATION_MODEL			ANTHROPIC_AUTH_TOKEN OLLAMA_HOST
 *
 * For vectors, CTX_EMBED_URL and CTX_EMBED_MODEL are used instead, and the API
 * is OpenAI's /v1/embeddings.
 */
#ifndef CTX_NET_ENDPOINT_H
#define CTX_NET_ENDPOINT_H

#include "base/err.h"
#include "net/ask.h"

enum ctx_engine {
	CTX_ENGINE_UNSET,
	CTX_ENGINE_OFFLINE,
	CTX_ENGINE_MODEL
};

/* The options; NULL for those that were not given. */
struct ctx_endpoint_want {
	enum ctx_engine engine;
	const char *url;
	const char *model;
	const char *api;	/* "openai", "anthropic", "ollama" */
	const char *key_file;
	int embed;		/* ask for vectors, not for answers */
	int insecure_http;	/* allow a key over http: to any host */
	/* getenv, or a test's replacement */
	char *(*env)(const char *name);
};

struct ctx_endpoint {
	const struct ctx_ask_format *format;
	char *url;		/* complete, with its path */
	char *model;
	char *key;		/* NULL for no key */
	int bearer;		/* it is an Anthropic token rather than a key */
	/* the variable whose key was not sent to this host, or NULL */
	const char *withheld;
};

/* Is a model to be asked at all?  If not, the offline engine works. */
int	ctx_endpoint_wanted(const struct ctx_endpoint_want *want);

/*
 * Find the endpoint.  Pass *ep to _done in the end.
 *
 * Returns: 0, or -1 with CTX_EUSAGE (nothing to ask, a bad URL, a key over
 *          http:), CTX_ESYSTEM (key file, libcurl without https) or CTX_ENOMEM.
 */
int	ctx_endpoint_find(const struct ctx_endpoint_want *want,
	    struct ctx_endpoint *ep, struct ctx_err *err) CTX_CHECKED;
void	ctx_endpoint_done(struct ctx_endpoint *ep);

#endif
