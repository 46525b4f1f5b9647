/* SPDX-License-Identifier: MIT */
/* What a wire format supplies to net/ask.c; a new one is a file and a row. */
#ifndef CTX_NET_ASK_FORMAT_H
#define CTX_NET_ASK_FORMAT_H

#include <jansson.h>

#include "net/ask.h"

struct ctx_ask_format {
	const char *name;
	/* streams are lines of JSON, not server-sent events */
	int lines;
	/* Build the request: yours to decref, NULL out of memory. */
	json_t *(*request)(const struct ctx_ask *ask, const char *system,
	    const char *user);
	/* Append the headers that the format wants, without the key's. */
	const char *const *header;
	/* The header that bears the key, with %s for it. */
	const char *key_header;
	/* Take text, finish and usage out of a whole answer, and out of one
	 * event of a stream; 1: it was the last. */
	int (*read)(json_t *root, struct ctx_ask_answer *answer);
	int (*event)(json_t *root, struct ctx_ask_answer *answer);
};

extern const struct ctx_ask_format ctx_ask_openai, ctx_ask_anthropic,
    ctx_ask_ollama;

/* [{"role":"system","content":system},{"role":"user","content":user}] */
json_t	*ctx_ask_messages(const char *system, const char *user);

/* Append the string j; anything else is nothing. */
void	ctx_ask_add_text(struct ctx_ask_answer *answer, const json_t *j);

/* Why the answer ended, if obj's member key says so. */
void	ctx_ask_take_finish(const json_t *obj, const char *key,
	    struct ctx_ask_answer *answer);

/* obj's integer member, if there is one, into *out. */
void	ctx_ask_take_count(const json_t *obj, const char *key, int64_t *out);

#endif
