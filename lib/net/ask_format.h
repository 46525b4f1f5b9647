/* SPDX-License-Identifier: MIT */
/*
 * What a wire format supplies to net/ask.c; a new format is one file and one
 * row.
 */
#ifndef CTX_NET_ASK_FORMAT_H
#define CTX_NET_ASK_FORMAT_H

#include <jansson.h>

#include "net/ask.h"

struct ctx_ask_format {
	const char *name;
	/* streams are lines of JSON rather than server-sent events */
	int lines;
	/* Build the request: yours to decref, or NULL if out of memory. */
	json_t *(*request)(const struct ctx_ask *ask, const char *system,
	    const char *user);
	/* The headers that the format needs besides the key's. */
	const char *const *header;
	/* The header for the key, with %s in its place. */
	const char *key_header;
	/*
	 * Take text, finish and usage from a complete answer, or from one
	 * event of a stream; returns 1 if that was the last one.
	 */
	int (*read)(json_t *root, struct ctx_ask_answer *answer);
	int (*event)(json_t *root, struct ctx_ask_answer *answer);
};

extern const struct ctx_ask_format ctx_ask_openai, ctx_ask_anthropic,
    ctx_ask_ollama;

/* [{"role":"system","content":system},{"role":"user","content":user}] */
json_t	*ctx_ask_messages(const char *system, const char *user);

/*
 * Add a member to object.  Returns object, or NULL, with object freed, if out of memory;
 * both may be NULL then.
 */
json_t	*ctx_ask_add(json_t *object, const char *name, json_t *value);
/* The same with the temperature, unless the model's own is wanted. */
json_t	*ctx_ask_add_temperature(json_t *object, const struct ctx_ask *ask);

/* Append j if it is a string; otherwise do nothing. */
void	ctx_ask_add_text(struct ctx_ask_answer *answer, const json_t *j);

/* Set why the answer ended, if obj's member key tells. */
void	ctx_ask_take_finish(const json_t *obj, const char *key,
	    struct ctx_ask_answer *answer);

/* Store obj's integer member, if present, in *out. */
void	ctx_ask_take_count(const json_t *obj, const char *key, int64_t *out);

#endif
