/* SPDX-License-Identifier: MIT */
/*
 * Which model is asked, where, and with what key, from options and variables.
 * Nothing is asked unless somebody named an endpoint or a model for this very
 * purpose; a key goes only where it belongs.
 *
 *	says that a model is to be asked	says only where, or who
 *	--engine model, --url, --ask-model	OPENAI_BASE_URL OPENAI_API_KEY
 *	CTX_SUMMARIZE_URL			ANTHROPIC_BASE_URL
 *	CTX_SUMMARIZE_MODEL			ANTHROPIC_API_KEY
 *	SUMMARIZATION_MODEL			ANTHROPIC_AUTH_TOKEN OLLAMA_HOST
 *
 * For vectors CTX_EMBED_URL and CTX_EMBED_MODEL say it instead, and the API is
 * OpenAI's /v1/embeddings.
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

/* What options say; NULL where one was not given. */
struct ctx_endpoint_want {
	enum ctx_engine engine;
	const char *url;
	const char *model;
	const char *api;	/* "openai", "anthropic", "ollama" */
	const char *key_file;
	int embed;		/* vectors are asked for, not answers */
	int insecure_http;	/* a key may go over http: to anywhere */
	/* getenv, or a test's */
	const char *(*env)(const char *name);
};

struct ctx_endpoint {
	const struct ctx_ask_format *format;
	char *url;		/* whole */
	char *model;
	char *key;		/* NULL: none */
	int bearer;		/* it is an Anthropic token, not a key */
	/* the variable whose key was not sent there, or NULL */
	const char *withheld;
};

/* Is a model to be asked at all?  Else the offline engine works. */
int	ctx_endpoint_wanted(const struct ctx_endpoint_want *want);

/*
 * Find it.  *ep is yours to _done.
 *
 * Returns: 0, or -1 with CTX_EUSAGE (nothing to ask, a bad URL, a key over
 *          http:), CTX_ESYSTEM (key file), CTX_ENOMEM.
 */
int	ctx_endpoint_find(const struct ctx_endpoint_want *want,
	    struct ctx_endpoint *ep, struct ctx_err *err) CTX_CHECKED;
void	ctx_endpoint_done(struct ctx_endpoint *ep);

#endif
