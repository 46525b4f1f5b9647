/* SPDX-License-Identifier: MIT */
/*
 * What a request has besides its messages, by the API and the model: the members
 * that a model refuses, and how a prefix of it is marked for the cache.  The rows have
 * their sources beside them, with the day on which those were read.
 *
 * Names: ctx_param_.
 */
#ifndef CTX_DECIDE_PARAM_H
#define CTX_DECIDE_PARAM_H

#include "decide/api.h"

struct ctx_param_row {
	const char *api;	/* name of the server */
	const char *models;	/* as in struct ctx_api_row; NULL: all */
	const char *names;	/* members, each between spaces; "a.b" is the
				   member b of a; tool_choice.forced is one
				   that makes the model call a tool */
	const char *instead;	/* what it takes for them, or NULL */
	const char *beside;	/* it takes them without this one */
	int perhaps;		/* it takes some of them, depending on others */
};

/*
 * The row by which the model refuses the member; NULL if there is none.  has(arg, name)
 * says whether another member is in the request; has may be NULL.
 */
const struct ctx_param_row *ctx_param_refused(const char *api,
	    struct ctx_str model, const char *name,
	    int (*has)(const void *arg, const char *name), const void *arg);

/* How the API is told what to cache, or where. */
enum ctx_param_cache {
	CTX_CACHE_NONE,		/* it is not told */
	CTX_CACHE_MARKS,	/* by cache_control in blocks, at most four */
	CTX_CACHE_POINTS,	/* by elements cachePoint, at most four */
	CTX_CACHE_WHOLE,	/* by cache_control beside the messages */
	CTX_CACHE_KEY		/* by prompt_cache_key */
};
struct ctx_param_caching {
	const char *api, *models;
	enum ctx_param_cache how;
	int tools;		/* also after the definitions of tools */
};
/* How that is for a model; .how is CTX_CACHE_NONE where it is not known. */
const struct ctx_param_caching *ctx_param_cached(const char *api,
	    struct ctx_str model);

#endif
