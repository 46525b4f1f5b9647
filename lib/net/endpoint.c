/* SPDX-License-Identifier: MIT */
/* Choose an endpoint and its key; see endpoint.h. */
#include "net/endpoint.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KEY_MAX 4096
#define URL_MAX 4096
#define ORIGIN_MAX (URL_MAX + 8)	/* adds the port */

/* A provider: the names of its variables, and its address. */
struct provider {
	const char *api;
	const char *base;	/* variable */
	const char *home;	/* default address */
	const char *key;	/* variable, or NULL */
	const char *token;	/* variable with a Bearer token, or NULL */
	const char *end;	/* of the whole URL */
	int version;		/* put /v1 before end, unless there is one */
};

static const struct provider providers[] = {
	{ "openai", "OPENAI_BASE_URL", "https://api.openai.com/v1",
	    "OPENAI_API_KEY", NULL, "/chat/completions", 1 },
	{ "anthropic", "ANTHROPIC_BASE_URL", "https://api.anthropic.com",
	    "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "/messages", 1 },
	{ "ollama", "OLLAMA_HOST", "http://127.0.0.1:11434",
	    NULL, NULL, "/api/chat", 0 }
};
enum { OPENAI, ANTHROPIC, OLLAMA, NPROVIDER };

/* There is one API for vectors, which other providers offer too. */
static const struct provider embedder = { "openai", "OPENAI_BASE_URL",
	"https://api.openai.com/v1", "OPENAI_API_KEY", NULL, "/embeddings", 1
};

/* The value of a variable; an empty one counts as unset. */
static const char *
env(const struct ctx_endpoint_want *w, const char *name)
{
	const char *s = name != NULL ? w->env(name) : NULL;

	return s != NULL && s[0] != '\0' ? s : NULL;
}

/* The first of three that is set. */
static const char *
first(const char *a, const char *b, const char *c)
{
	return a != NULL ? a : b != NULL ? b : c;
}

static const char *
named_url(const struct ctx_endpoint_want *w)
{
	return first(w->url, env(w, w->embed ? "CTX_EMBED_URL" :
	    "CTX_SUMMARIZE_URL"), NULL);
}

static const char *
named_model(const struct ctx_endpoint_want *w)
{
	if (w->embed)
		return first(w->model, env(w, "CTX_EMBED_MODEL"), NULL);
	return first(w->model, env(w, "CTX_SUMMARIZE_MODEL"),
	    env(w, "SUMMARIZATION_MODEL"));
}

int
ctx_endpoint_wanted(const struct ctx_endpoint_want *w)
{
	if (w->engine != CTX_ENGINE_UNSET)
		return w->engine == CTX_ENGINE_MODEL;
	return named_url(w) != NULL || named_model(w) != NULL;
}

/*
 * The origin of a URL, "https://host:443/", as parsed by libcurl, which will
 * send the request.  Returns 0, or -1 with CTX_EUSAGE (name is not a
 * usable URL), CTX_ESYSTEM (libcurl was built without https) or CTX_ENOMEM.
 * A URL with a password is refused, since that would be a key in an argument.
 */
static int
origin_of(const char *url, const char *name, char out[ORIGIN_MAX],
    struct ctx_err *err)
{
	CURLU *u = curl_url();
	CURLUcode rc = CURLUE_OUT_OF_MEMORY;
	const char *colon = name[0] != '\0' ? ": " : "";
	char *text = NULL;

	if (strlen(url) > URL_MAX || (strncasecmp(url, "https://", 8) != 0 &&
	    strncasecmp(url, "http://", 7) != 0))
		rc = CURLUE_MALFORMED_INPUT;
	else if (u != NULL && (rc = curl_url_set(u, CURLUPART_URL, url,
	    CURLU_DISALLOW_USER)) == CURLUE_OK &&
	    (rc = curl_url_set(u, CURLUPART_PATH, "/", 0)) == CURLUE_OK &&
	    (rc = curl_url_set(u, CURLUPART_QUERY, NULL, 0)) == CURLUE_OK &&
	    (rc = curl_url_set(u, CURLUPART_FRAGMENT, NULL, 0)) == CURLUE_OK)
		rc = curl_url_get(u, CURLUPART_URL, &text, CURLU_DEFAULT_PORT);
	if (rc == CURLUE_OK)
		snprintf(out, ORIGIN_MAX, "%s", text);
	curl_free(text);
	curl_url_cleanup(u);
	if (rc == CURLUE_OUT_OF_MEMORY)
		return ctx_fail_nomem(err);
	if (rc == CURLUE_UNSUPPORTED_SCHEME)
		return ctx_fail(err, CTX_ESYSTEM, "%s%slibcurl here was built "
		    "without %.*s; install one with it", name, colon,
		    (int)strcspn(url, ":"), url);
	return rc == CURLUE_OK ? 0 : ctx_fail(err, CTX_EUSAGE,
	    "%s%snot an http or https URL, or it contains a password", name,
	    colon);
}

/*
 * Does the URL have the same origin?  Returns 1, 0 (also if it is not a URL),
 * or -1.
 */
static int
leads_to(const char *url, const char *origin, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	char other[ORIGIN_MAX];

	if (origin_of(url, "", other, &why) == 0)
		return strcasecmp(origin, other) == 0;
	return why.code == CTX_ENOMEM ? ctx_fail_nomem(err) : 0;
}

static int
host_is(const char *origin, const char *name)
{
	const char *host = strstr(origin, "://") + 3;
	size_t n = strlen(name);

	return strncasecmp(host, name, n) == 0 && host[n] == ':';
}

/* Is it an address in 127.0.0.0/8, rather than a name that begins like one? */
static int
is_loopback(const char *origin)
{
	const char *host = strstr(origin, "://") + 3;

	return host_is(origin, "localhost") || host_is(origin, "[::1]") ||
	    (strncmp(host, "127.", 4) == 0 &&
	    host[strspn(host, "0123456789.")] == ':');
}

/* The part after the host in a URL that was accepted. */
static const char *
path_of(const char *url)
{
	const char *host = strstr(url, "://") + 3;

	return host + strcspn(host, "/?#");
}

/* Does the path have a segment such as /v1 or /v1beta? */
static int
has_version(const char *path, size_t len)
{
	size_t i;

	for (i = 0; i + 2 < len; i++)
		if (path[i] == '/' && path[i + 1] == 'v' &&
		    path[i + 2] >= '0' && path[i + 2] <= '9')
			return 1;
	return 0;
}

static int
ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && memcmp(s + len - n, end, n) == 0;
}

/*
 * Join base and the provider's end, with /v1 only once; a query stays at the
 * end.
 */
static char *
whole_url(const struct provider *p, const char *base)
{
	const char *path = path_of(base);
	struct ctx_buf b = { 0 };
	size_t len = strcspn(base, "?#");
	const char *query = base + len;

	while (len > 0 && base[len - 1] == '/')
		len--;
	ctx_buf_add(&b, base, len);
	if (!ends_with(base, len, p->end)) {
		if (p->version &&
		    !has_version(path, (size_t)(base + len - path)))
			ctx_buf_adds(&b, "/v1");
		ctx_buf_adds(&b, p->end);
	}
	ctx_buf_add(&b, query, strcspn(query, "#"));
	if (ctx_buf_str(&b) == NULL)
		ctx_buf_done(&b);
	return b.data;
}

/*
 * OLLAMA_HOST: a URL, a host or host:port; "0.0.0.0" is the address it listens
 * on.
 */
static int
ollama_base(const char *s, char *out, size_t size)
{
	const char *end;
	int n;

	if (strstr(s, "://") != NULL)
		return (size_t)snprintf(out, size, "%s", s) < size ? 0 : -1;
	if (strncmp(s, "0.0.0.0", 7) == 0 && (s[7] == '\0' || s[7] == ':'))
		n = snprintf(out, size, "http://127.0.0.1%s", s + 7);
	else
		n = snprintf(out, size, "http://%s", s);
	if (n < 0 || (size_t)n + 6 >= size)
		return -1;
	/* after the brackets of an IPv6 address */
	end = strchr(out + 7, ']');
	if (strchr(end != NULL ? end : out + 7, ':') == NULL) {
		if (path_of(out)[0] != '\0')
			return -1;
		memcpy(out + n, ":11434", 7);
	}
	return 0;
}

/* Put the provider's address for this environment into out. */
static int
home_of(const struct ctx_endpoint_want *w, const struct provider *p,
    char *out, size_t size, struct ctx_err *err)
{
	const char *s = env(w, p->base);

	if (s == NULL)
		s = p->home;
	if (p == &providers[OLLAMA]) {
		if (ollama_base(s, out, size) == -1)
			return ctx_fail(err, CTX_EUSAGE, "%s: not a host name",
			    p->base);
	} else if (strlen(s) >= size)
		return ctx_fail(err, CTX_EUSAGE, "%s: the URL is too long",
		    p->base);
	else
		memcpy(out, s, strlen(s) + 1);
	return 0;
}

/* Guess whose API an endpoint has from its URL. */
static const struct provider *
guess_by_url(const char *s, const char *origin)
{
	size_t len = strcspn(s, "?#");
	const char *path = path_of(s);

	if (host_is(origin, "api.anthropic.com") ||
	    ends_with(s, len, "/messages"))
		return &providers[ANTHROPIC];
	if (ends_with(s, len, "/api/chat") ||
	    (ends_with(origin, strlen(origin), ":11434/") &&
	    (path[0] == '\0' || strcmp(path, "/") == 0)))
		return &providers[OLLAMA];
	return &providers[OPENAI];
}

static int
has_any(const struct ctx_endpoint_want *w, const struct provider *p)
{
	return env(w, p->base) != NULL || env(w, p->key) != NULL ||
	    env(w, p->token) != NULL;
}

/*
 * Guess the provider if only a model is named: by its name, then by which
 * variables are set.
 */
static const struct provider *
guess_by_env(const struct ctx_endpoint_want *w, const char *model)
{
	int i;

	if (model != NULL && strncmp(model, "claude", 6) == 0 &&
	    has_any(w, &providers[ANTHROPIC]))
		return &providers[ANTHROPIC];
	for (i = 0; i < NPROVIDER; i++)
		if (has_any(w, &providers[i]))
			return &providers[i];
	return NULL;
}

static const struct provider *
provider_named(const char *api)
{
	int i;

	for (i = 0; i < NPROVIDER; i++)
		if (strcmp(providers[i].api, api) == 0)
			return &providers[i];
	return NULL;
}

/* Set a key that is valid in a header. */
static int
set_key(struct ctx_endpoint *ep, const char *s, size_t len, const char *from,
    struct ctx_err *err)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((unsigned char)s[i] <= ' ' || (unsigned char)s[i] >= 0x7f)
			return ctx_fail(err, CTX_EUSAGE,
			    "%s: not a key: byte %zu cannot be part of one",
			    from, i + 1);
	if (len == 0 || len > KEY_MAX)
		return ctx_fail(err, CTX_EUSAGE, "%s: %s", from,
		    len == 0 ? "contains no key" : "is too long for a key");
	if ((ep->key = strndup(s, len)) == NULL)
		return ctx_fail_nomem(err);
	return 0;
}

/* Read the key from the first line of a file. */
static int
read_key(struct ctx_endpoint *ep, const char *name, struct ctx_err *err)
{
	char buf[KEY_MAX + 2];
	FILE *f = fopen(name, "r");
	size_t n;
	int bad;

	if (f == NULL)
		return ctx_fail_errno(err, errno, "%s", name);
	n = fread(buf, 1, sizeof(buf), f);
	bad = ferror(f);
	fclose(f);
	if (bad)
		return ctx_fail(err, CTX_ESYSTEM, "%s: cannot read the file",
		    name);
	buf[n < sizeof(buf) ? n : n - 1] = '\0';
	return set_key(ep, buf, strcspn(buf, "\r\n"), name, err);
}

/*
 * Find the key, if there is one for this endpoint: from the file or, if the
 * endpoint is the provider's own, from the provider's variable.
 */
static int
find_key(const struct ctx_endpoint_want *w, const struct provider *p,
    const char *home, const char *origin, struct ctx_endpoint *ep,
    struct ctx_err *err)
{
	const char *name = p->key, *key = env(w, name);
	int own;

	if (w->key_file != NULL)
		return read_key(ep, w->key_file, err);
	if (key == NULL) {
		name = p->token;
		key = env(w, name);
		ep->bearer = key != NULL;
	}
	if (key == NULL)
		return 0;
	if ((own = leads_to(home, origin, err)) == 0)
		own = leads_to(p->home, origin, err);
	if (own != 1) {
		ep->withheld = name;
		return own;
	}
	return set_key(ep, key, strlen(key), name, err);
}

static const struct provider *
find_provider(const struct ctx_endpoint_want *w, const char *url,
    const char *origin, const char *model, struct ctx_err *err)
{
	const struct provider *p;

	if (w->embed) {
		if (url == NULL && model == NULL)
			ctx_fail(err, CTX_EUSAGE,
			    "no endpoint to ask; give --url or --ask-model, or "
			    "set CTX_EMBED_URL or CTX_EMBED_MODEL");
		return url == NULL && model == NULL ? NULL : &embedder;
	}
	if (w->api != NULL) {
		if ((p = provider_named(w->api)) == NULL)
			ctx_fail(err, CTX_EUSAGE,
			    "unknown API '%s'", w->api);
		return p;
	}
	if (url != NULL)
		return guess_by_url(url, origin);
	if ((p = guess_by_env(w, model)) == NULL)
		ctx_fail(err, CTX_EUSAGE, "no endpoint to ask; give --url, or "
		    "set OPENAI_API_KEY, ANTHROPIC_API_KEY or OLLAMA_HOST");
	return p;
}

int
ctx_endpoint_find(const struct ctx_endpoint_want *w, struct ctx_endpoint *ep,
    struct ctx_err *err)
{
	const char *url = named_url(w), *model = named_model(w);
	const struct provider *p;
	char home[URL_MAX];
	char origin[ORIGIN_MAX];

	*ep = (struct ctx_endpoint){ 0 };
	if ((url != NULL && origin_of(url, "", origin, err) == -1) ||
	    (p = find_provider(w, url, origin, model, err)) == NULL ||
	    home_of(w, p, home, sizeof(home), err) == -1)
		return -1;
	if (url == NULL) {
		url = home;
		if (origin_of(url, p->base, origin, err) == -1)
			return -1;
	}
	if (model == NULL && p != &providers[OPENAI] && p != &embedder)
		return ctx_fail(err, CTX_EUSAGE,
		    "no model to ask; name one with --ask-model");
	ep->format = ctx_ask_format(p->api);
	/* servers with one model accept any name */
	ep->model = strdup(model != NULL ? model : "default");
	ep->url = whole_url(p, url);
	if (ep->model == NULL || ep->url == NULL)
		return ctx_fail_nomem(err);
	if (find_key(w, p, home, origin, ep, err) == -1)
		return -1;
	if (ep->key != NULL && strncmp(origin, "http:", 5) == 0 &&
	    !is_loopback(origin) && !w->insecure_http)
		return ctx_fail(err, CTX_EUSAGE,
		    "the key would be sent unencrypted over http:; use https:, "
		    "or allow it with --insecure-http");
	return 0;
}

void
ctx_endpoint_done(struct ctx_endpoint *ep)
{
	if (ep->key != NULL)
		memset(ep->key, 0, strlen(ep->key));
	free(ep->key);
	free(ep->url);
	free(ep->model);
	*ep = (struct ctx_endpoint){ 0 };
}
