/* SPDX-License-Identifier: MIT */
#include "net/endpoint.h"

#include "check.h"

/* Options and variables, and the resulting URL, model and key, or error. */
static const struct row {
	const char *url, *model, *api;
	const char *env[8];	/* NAME, value, ... */
	const char *want_url, *want_model, *want_key, *want_err;
} table[] = {
	/*
	 * base URLs with and without /v1, a final slash, or the complete path
	 */
	{ "http://a:1", "m", NULL, { 0 },
	    "http://a:1/v1/chat/completions", "m", NULL, NULL },
	{ "http://a:1/", "m", NULL, { 0 },
	    "http://a:1/v1/chat/completions", "m", NULL, NULL },
	{ "http://a:1/v1", "m", NULL, { 0 },
	    "http://a:1/v1/chat/completions", "m", NULL, NULL },
	{ "http://a:1/v1//", "m", NULL, { 0 },
	    "http://a:1/v1/chat/completions", "m", NULL, NULL },
	{ "http://a/x/v1/chat/completions", "m", NULL, { 0 },
	    "http://a/x/v1/chat/completions", "m", NULL, NULL },
	{ "https://a/v1beta/openai/", "m", NULL, { 0 },
	    "https://a/v1beta/openai/chat/completions", "m", NULL, NULL },
	{ "https://a/o?version=2", "m", NULL, { 0 },
	    "https://a/o/v1/chat/completions?version=2", "m", NULL, NULL },
	{ "https://api.anthropic.com", "m", NULL, { 0 },
	    "https://api.anthropic.com/v1/messages", "m", NULL, NULL },
	{ "http://a/v1/messages", "m", NULL, { 0 },
	    "http://a/v1/messages", "m", NULL, NULL },
	{ "http://localhost:11434", "m", NULL, { 0 },
	    "http://localhost:11434/api/chat", "m", NULL, NULL },
	{ "http://localhost:11434/v1", "m", NULL, { 0 },
	    "http://localhost:11434/v1/chat/completions", "m", NULL, NULL },
	{ "http://a", "m", "ollama", { 0 },
	    "http://a/api/chat", "m", NULL, NULL },
	{ "http://a", NULL, NULL, { 0 },
	    "http://a/v1/chat/completions", "default", NULL, NULL },
	/* variables */
	{ NULL, NULL, NULL, { "CTX_SUMMARIZE_URL", "http://b/v1" },
	    "http://b/v1/chat/completions", "default", NULL, NULL },
	{ NULL, NULL, NULL, { "SUMMARIZATION_MODEL", "gpt-x",
	    "OPENAI_API_KEY", "k1" },
	    "https://api.openai.com/v1/chat/completions", "gpt-x", "k1",
	    NULL },
	{ NULL, "claude-x", NULL, { "OPENAI_API_KEY", "k1",
	    "ANTHROPIC_API_KEY", "k2" },
	    "https://api.anthropic.com/v1/messages", "claude-x", "k2", NULL },
	{ NULL, "m", NULL, { "OLLAMA_HOST", "box" },
	    "http://box:11434/api/chat", "m", NULL, NULL },
	{ NULL, "m", NULL, { "OLLAMA_HOST", "0.0.0.0:99" },
	    "http://127.0.0.1:99/api/chat", "m", NULL, NULL },
	{ NULL, "m", NULL, { "OLLAMA_HOST", "[::1]" },
	    "http://[::1]:11434/api/chat", "m", NULL, NULL },
	{ NULL, "m", NULL, { "OLLAMA_HOST", "[::1]:99" },
	    "http://[::1]:99/api/chat", "m", NULL, NULL },
	{ NULL, "m", NULL, { "OLLAMA_HOST", "https://box" },
	    "https://box/api/chat", "m", NULL, NULL },
	{ NULL, "m", NULL, { "OPENAI_BASE_URL", "" }, NULL, NULL, NULL,
	    "no endpoint to ask" },
	/* keys are sent to their own endpoint only */
	{ NULL, "m", NULL, { "OPENAI_BASE_URL", "https://me.example/v1",
	    "OPENAI_API_KEY", "k1" },
	    "https://me.example/v1/chat/completions", "m", "k1", NULL },
	{ "https://other.example", "m", NULL, { "OPENAI_API_KEY", "k1" },
	    "https://other.example/v1/chat/completions", "m", NULL, NULL },
	{ "https://api.openai.com.evil.example", "m", NULL,
	    { "OPENAI_API_KEY", "k1" },
	    "https://api.openai.com.evil.example/v1/chat/completions", "m",
	    NULL, NULL },
	{ "http://api.openai.com", "m", NULL, { "OPENAI_API_KEY", "k1" },
	    "http://api.openai.com/v1/chat/completions", "m", NULL, NULL },
	{ "https://api.openai.com:444", "m", NULL, { "OPENAI_API_KEY", "k1" },
	    "https://api.openai.com:444/v1/chat/completions", "m", NULL,
	    NULL },
	{ "https://API.openai.com", "m", NULL, { "OPENAI_API_KEY", "k1" },
	    "https://API.openai.com/v1/chat/completions", "m", "k1", NULL },
	{ "http://127.0.0.1:9/v1", "m", NULL, { "OPENAI_BASE_URL",
	    "http://127.0.0.1:9/v1", "OPENAI_API_KEY", "k1" },
	    "http://127.0.0.1:9/v1/chat/completions", "m", "k1", NULL },
	{ NULL, "m", NULL, { "OPENAI_BASE_URL", "http://[::1]:9/v1",
	    "OPENAI_API_KEY", "k1" },
	    "http://[::1]:9/v1/chat/completions", "m", "k1", NULL },
	{ "HTTPS://api.openai.com:443/v1", "m", NULL, { "OPENAI_API_KEY",
	    "k1" }, "HTTPS://api.openai.com:443/v1/chat/completions", "m",
	    "k1", NULL },
	{ "https://api.openai.com", "m", NULL, { "OPENAI_BASE_URL", "no URL",
	    "OPENAI_API_KEY", "k1" },
	    "https://api.openai.com/v1/chat/completions", "m", "k1", NULL },
	{ "https://other.example", "m", NULL, { "OPENAI_BASE_URL", "no URL",
	    "OPENAI_API_KEY", "k1" },
	    "https://other.example/v1/chat/completions", "m", NULL, NULL },
	{ NULL, "m", NULL, { "OPENAI_BASE_URL", "http://127.1.1.1.1.example",
	    "OPENAI_API_KEY", "k1" }, NULL, NULL, NULL, "over http:" },
	{ NULL, "m", NULL, { "OPENAI_BASE_URL", "http://far.example/v1",
	    "OPENAI_API_KEY", "k1" }, NULL, NULL, NULL, "over http:" },
	{ NULL, "m", NULL, { "OPENAI_BASE_URL", "http://127.0.0.1.example/v1",
	    "OPENAI_API_KEY", "k1" }, NULL, NULL, NULL, "over http:" },
	{ NULL, "m", NULL, { "OPENAI_API_KEY", "k\nX-Evil: 1" },
	    NULL, NULL, NULL, "not a key" },
	/* invalid URLs */
	{ "ftp://a", "m", NULL, { 0 }, NULL, NULL, NULL, "not an http" },
	{ "http://", "m", NULL, { 0 }, NULL, NULL, NULL, "not an http" },
	{ "http://u:p@a", "m", NULL, { 0 }, NULL, NULL, NULL, "password" },
	{ "http://u@a", "m", NULL, { 0 }, NULL, NULL, NULL, "password" },
	{ "http:a", "m", NULL, { 0 }, NULL, NULL, NULL, "not an http" },
	{ "https:/a", "m", NULL, { 0 }, NULL, NULL, NULL, "not an http" },
	{ "http://[::1", "m", NULL, { 0 }, NULL, NULL, NULL, "not an http" },
	{ "http://a:1x", "m", NULL, { 0 }, NULL, NULL, NULL, "not an http" },
	{ NULL, "m", NULL, { "OPENAI_BASE_URL", "a b", "OPENAI_API_KEY",
	    "k1" }, NULL, NULL, NULL, "OPENAI_BASE_URL: not an http" },
	{ NULL, "m", NULL, { "OLLAMA_HOST", "box/x" }, NULL, NULL, NULL,
	    "OLLAMA_HOST: not a host name" },
	{ "http://a b", "m", NULL, { 0 }, NULL, NULL, NULL, "not an http" },
	{ "http://a:99999", "m", NULL, { 0 }, NULL, NULL, NULL,
	    "not an http" },
	{ "http://a", "m", "soap", { 0 }, NULL, NULL, NULL, "unknown API" },
	/* for vectors: one API, with its own variables */
	{ "http://a:1", NULL, "embed", { 0 },
	    "http://a:1/v1/embeddings", "default", NULL, NULL },
	{ "http://a:11434", "m", "embed", { "CTX_EMBED_URL", "http://b" },
	    "http://a:11434/v1/embeddings", "m", NULL, NULL },
	{ "http://a/v1/embeddings", "m", "embed", { 0 },
	    "http://a/v1/embeddings", "m", NULL, NULL },
	{ NULL, NULL, "embed", { "CTX_EMBED_URL", "http://b/v1",
	    "CTX_EMBED_MODEL", "m" },
	    "http://b/v1/embeddings", "m", NULL, NULL },
	{ NULL, NULL, "embed", { "CTX_EMBED_MODEL", "m", "OPENAI_API_KEY",
	    "k1" }, "https://api.openai.com/v1/embeddings", "m", "k1", NULL },
	{ "http://b", NULL, "embed", { "OPENAI_API_KEY", "k1" },
	    "http://b/v1/embeddings", "default", NULL, NULL },
	{ NULL, NULL, "embed", { "OPENAI_API_KEY", "k1",
	    "CTX_SUMMARIZE_URL", "http://b" }, NULL, NULL, NULL,
	    "no endpoint to ask" }
};

static const struct row *row;

static char *
env(const char *name)
{
	size_t i;

	for (i = 0; i + 1 < 8 && row->env[i] != NULL; i += 2)
		if (strcmp(row->env[i], name) == 0)
			return (char *)(uintptr_t)row->env[i + 1];
	return NULL;
}

static const char *
or_none(const char *s)
{
	return s != NULL ? s : "(none)";
}

static void
test_wanted(void)
{
	static const struct row no = {
		.env = { "OPENAI_API_KEY", "k", "OPENAI_BASE_URL", "http://a",
		    "OLLAMA_HOST", "a" }
	};
	static const struct row yes = {
		.env = { "CTX_SUMMARIZE_MODEL", "m" }
	};
	struct ctx_endpoint_want w = { .env = env };

	row = &no;
	CHECK_INT(ctx_endpoint_wanted(&w), 0);
	w.model = "m";
	CHECK_INT(ctx_endpoint_wanted(&w), 1);
	w.engine = CTX_ENGINE_OFFLINE;
	CHECK_INT(ctx_endpoint_wanted(&w), 0);
	w = (struct ctx_endpoint_want){ .env = env };
	row = &yes;
	CHECK_INT(ctx_endpoint_wanted(&w), 1);
}

int
main(void)
{
	struct ctx_endpoint ep;
	struct ctx_err err;
	size_t i;

	RUN(test_wanted());
	TEST("the table of variables");
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct ctx_endpoint_want w = { .env = env };
		int rc;

		row = &table[i];
		w.url = row->url;
		w.model = row->model;
		w.embed = row->api != NULL && strcmp(row->api, "embed") == 0;
		w.api = w.embed ? NULL : row->api;
		ctx_err_clear(&err);
		rc = ctx_endpoint_find(&w, &ep, &err);
		if (row->want_err != NULL) {
			CHECK_INT(rc, -1);
			if (!CHECK(strstr(err.text, row->want_err) != NULL))
				fprintf(stderr, "\trow %zu: %s\n", i,
				    err.text);
			CHECK_INT(err.code, CTX_EUSAGE);
			CHECK(strstr(err.text, "k1") == NULL);
		} else if (CHECK_INT(rc, 0)) {
			CHECK_STR(ep.url, row->want_url);
			CHECK_STR(ep.model, row->want_model);
			CHECK_STR(or_none(ep.key), or_none(row->want_key));
		}
		ctx_endpoint_done(&ep);
	}
	return CHECK_DONE("endpoint");
}
