/* SPDX-License-Identifier: MIT */
/*
 * What the APIs take, by their documents, and how their messages are read.  It
 * shares nothing with lib: JSON is read by jansson, and each rule is written
 * again from the API's words, in its plainest form.
 */
#ifndef CTX_TESTS_EVERY_API_H
#define CTX_TESTS_EVERY_API_H

#include <jansson.h>

#include "every.h"

/* --- reading ------------------------------------------------------------- */

static inline int
every_tag(const char *s)
{
	return s != NULL && *s == 't' ? atoi(s + 1) : -1;
}

static inline void
every_put(struct every *h, char kind, const char *id, const char *text)
{
	struct every_msg *m = &h->msg[h->n];
	struct every_part *p = &m->part[m->npart++];

	if (m->npart > EVERY_PARTS)
		abort();
	*p = (struct every_part){ .kind = kind, .tag = every_tag(text) };
	snprintf(p->id, sizeof(p->id), "%s", id != NULL ? id : "");
}

static inline const char *
every_str(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static inline void
every_read_openai(struct every *h, const json_t *o)
{
	const json_t *calls = json_object_get(o, "tool_calls"), *f;
	const char *text = every_str(o, "content");
	size_t i;

	if (h->msg[h->n].role == 't') {
		every_put(h, 'r', every_str(o, "tool_call_id"), text);
		return;
	}
	if (text != NULL)
		every_put(h, '.', NULL, text);
	for (i = 0; i < json_array_size(calls); i++) {
		f = json_object_get(json_array_get(calls, i), "function");
		every_put(h, 'c', every_str(json_array_get(calls, i), "id"),
		    every_str(f, "arguments"));
	}
}

static inline void
every_read_anthropic(struct every *h, const json_t *o)
{
	const json_t *list = json_object_get(o, "content"), *b;
	const char *type;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		b = json_array_get(list, i);
		if ((type = every_str(b, "type")) == NULL)
			abort();
		if (strcmp(type, "text") == 0)
			every_put(h, '.', NULL, every_str(b, "text"));
		else if (strcmp(type, "tool_use") == 0)
			every_put(h, 'c', every_str(b, "id"), every_str(
			    json_object_get(b, "input"), "x"));
		else
			every_put(h, 'r', every_str(b, "tool_use_id"),
			    every_str(b, "content"));
	}
}

static inline void
every_read_responses(struct every *h, const json_t *o)
{
	const char *type = every_str(o, "type");
	struct every_msg *m = &h->msg[h->n];

	if (type != NULL && strcmp(type, "function_call") == 0) {
		m->role = 'A';
		every_put(h, 'c', every_str(o, "call_id"),
		    every_str(o, "arguments"));
	} else if (type != NULL &&
	    strcmp(type, "function_call_output") == 0) {
		m->role = 't';
		every_put(h, 'r', every_str(o, "call_id"),
		    every_str(o, "output"));
	} else
		every_put(h, '.', NULL, every_str(o, "content"));
}

/* Read one message. */
static inline void
every_read_msg(struct every *h, const json_t *o)
{
	const char *role = every_str(o, "role");

	if (h->n == EVERY_MSGS)
		abort();
	h->msg[h->n] = (struct every_msg){ .role = role == NULL ? '?' :
	    *role == 'a' ? 'A' : *role };
	if (h->d == EVERY_OPENAI)
		every_read_openai(h, o);
	else if (h->d == EVERY_ANTHROPIC)
		every_read_anthropic(h, o);
	else
		every_read_responses(h, o);
	h->n++;
}

/* Read a conversation line into h, whose dialect is set; 0 if it is none. */
static inline int
every_read(struct every *h, const char *line, size_t len)
{
	json_t *o = json_loadb(line, len, 0, NULL);
	const json_t *list = json_object_get(o, h->d == EVERY_RESPONSES ?
	    "input" : "messages");
	size_t i;

	h->n = 0;
	for (i = 0; i < json_array_size(list); i++)
		every_read_msg(h, json_array_get(list, i));
	i = json_is_array(list);
	json_decref(o);
	return (int)i;
}

/* --- what is valid ------------------------------------------------------- */

/* The ids that wait for a result. */
struct every_open {
	int n;
	const char *id[EVERY_MSGS * EVERY_PARTS];
};

static inline int
every_take(struct every_open *o, const char *id)
{
	int i;

	for (i = 0; i < o->n; i++)
		if (strcmp(o->id[i], id) == 0) {
			o->id[i] = o->id[--o->n];
			return 1;
		}
	return 0;
}

static inline int
every_has(const struct every_open *o, const char *id)
{
	int i;

	for (i = 0; i < o->n; i++)
		if (strcmp(o->id[i], id) == 0)
			return 1;
	return 0;
}

/*
 * "An assistant message with 'tool_calls' must be followed by tool messages
 * responding to each 'tool_call_id'", and "messages with role 'tool' must be a
 * response to a preceding message with 'tool_calls'".
 */
static inline const char *
every_bad_openai(const struct every *h)
{
	struct every_open open = { 0 };
	const struct every_msg *m;
	int i, k;

	for (i = 0; i < h->n; i++) {
		m = &h->msg[i];
		if (m->npart == 0)
			return "an empty message";
		if (m->role == 't') {
			if (!every_take(&open, m->part[0].id))
				return "a result without its call";
			continue;
		}
		if (open.n > 0)
			return "calls are not followed by their results";
		for (k = 0; k < m->npart; k++) {
			if (m->part[k].kind != 'c')
				continue;
			if (every_has(&open, m->part[k].id))
				return "two calls have one id";
			open.id[open.n++] = m->part[k].id;
		}
	}
	return open.n > 0 ? "calls without results at the end" : NULL;
}

/*
 * The messages of one role that follow each other are one.  "`tool_use` ids
 * were found without `tool_result` blocks immediately after", "unexpected
 * `tool_use_id` found in `tool_result` blocks", "`tool_use` ids must be
 * unique", and in the content of a user's message results come first.
 */
static inline const char *
every_bad_anthropic(const struct every *h)
{
	struct every_open open = { 0 };
	int i, k, other = 0;
	const struct every_part *p;

	for (i = 0; i < h->n; i++) {
		if (i == 0 || h->msg[i].role != h->msg[i - 1].role) {
			if (h->msg[i].role == 'A' && open.n > 0)
				return "calls without results";
			other = 0;
		}
		if (h->msg[i].npart == 0)
			return "an empty message";
		for (k = 0; k < h->msg[i].npart; k++) {
			p = EVERY_PART(h, i, k);
			if (p->kind == 'r' && other)
				return "a result after other content";
			if (p->kind == 'r' && !every_take(&open, p->id))
				return "a result without its call";
			if (p->kind == 'c' && every_has(&open, p->id))
				return "two calls have one id";
			if (p->kind == 'c')
				open.id[open.n++] = p->id;
			other |= h->msg[i].role == 'u' && p->kind != 'r';
		}
	}
	return open.n > 0 ? "calls without results at the end" : NULL;
}

/*
 * "No tool output found for function call", "No tool call found for function
 * call output".  A result may come anywhere after its call.
 */
static inline const char *
every_bad_responses(const struct every *h)
{
	struct every_open open = { 0 };
	const struct every_part *p;
	int i;

	for (i = 0; i < h->n; i++) {
		if (h->msg[i].npart == 0)
			return "an empty item";
		p = h->msg[i].part;
		if (p->kind == 'r' && !every_take(&open, p->id))
			return "an output without its call";
		if (p->kind == 'c')
			open.id[open.n++] = p->id;
	}
	return open.n > 0 ? "calls without outputs" : NULL;
}

/* Why the API does not take h; NULL if it does. */
static inline const char *
every_bad(const struct every *h)
{
	return h->d == EVERY_OPENAI ? every_bad_openai(h) :
	    h->d == EVERY_ANTHROPIC ? every_bad_anthropic(h) :
	    every_bad_responses(h);
}

#endif
