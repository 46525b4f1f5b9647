/* SPDX-License-Identifier: MIT */
/* What an API takes; see takes.h. */
#include "edit/takes.h"

#include <stdio.h>

/* Is the word in the list, where each stands between spaces? */
static int
is_listed(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *p = list;

	while (len > 0 && (p = strstr(p, word)) != NULL) {
		if (p > list && p[-1] == ' ' && p[len] == ' ')
			return 1;
		p++;
	}
	return 0;
}

static int
takes(const struct ctx_taker *t, const struct ctx_takes *e)
{
	return t->api == NULL || e->only == NULL ||
	    is_listed(e->only, t->api);
}

/* The entry for the type of an object; NULL if the table has none. */
static const struct ctx_takes *
tag_of(const struct ctx_taker *t)
{
	const struct ctx_takes *e = t->takes;

	while (e != NULL && e->name != NULL && !e->tag)
		e++;
	return e != NULL && e->name != NULL ? e : NULL;
}

/* Is the object's type in the list?  Without a type it is in none. */
static int
is_of(const struct ctx_takes *tag, const struct ctx_doc *doc, uint32_t object,
    const char *types)
{
	struct ctx_str type = ctx_node_str(doc, CTX_GET(doc, object,
	    tag->name));
	char word[64];

	if (type.len >= sizeof(word))
		return 0;
	snprintf(word, sizeof(word), "%.*s", CTX_STR_ARGS(type));
	return type.p != NULL && is_listed(types, word);
}

int
ctx_takes_key(const struct ctx_taker *t, const struct ctx_doc *doc,
    uint32_t object, uint32_t key, struct ctx_taker *in)
{
	const struct ctx_takes *e = t->takes, *tag = tag_of(t);

	in->takes = NULL;
	in->api = t->api;
	if (e == NULL || (tag != NULL && tag->of != NULL &&
	    !is_of(tag, doc, object, tag->of)))
		return 1;
	while (e->name != NULL &&
	    !ctx_doc_key_is(doc, key, e->name, strlen(e->name)))
		e++;
	in->takes = e->in;
	return e->name != NULL && takes(t, e) && !(e->given &&
	    ctx_node_type(doc, key + 1) == 'n') && (e->of == NULL || e->tag ||
	    is_of(tag, doc, object, e->of));
}

/* The entry of that name, or the end of the table. */
static const struct ctx_takes *
find(const struct ctx_taker *t, const char *name)
{
	const struct ctx_takes *e = t->takes;

	while (e->name != NULL && strcmp(e->name, name) != 0)
		e++;
	return e;
}

struct ctx_taker
ctx_takes_in(const struct ctx_taker *t, const char *name)
{
	struct ctx_taker in = { NULL, t->api };

	if (t->takes != NULL)
		in.takes = find(t, name)->in;
	return in;
}

int
ctx_takes_name(const struct ctx_taker *t, const char *name)
{
	const struct ctx_takes *e;

	if (t->takes == NULL)
		return 1;
	e = find(t, name);
	return e->name != NULL && takes(t, e);
}

int
ctx_takes_object(const struct ctx_taker *t, const struct ctx_doc *doc,
    uint32_t node)
{
	const struct ctx_takes *e, *tag = tag_of(t);
	uint32_t v;

	if (tag == NULL || tag->of != NULL)
		return 1;
	v = CTX_GET(doc, node, tag->name);
	for (e = t->takes; e->name != NULL; e++)
		if (ctx_node_is(doc, v, e->name))
			return takes(t, e);
	return 0;
}

int
ctx_takes_all(const struct ctx_taker *t, const struct ctx_doc *doc,
    uint32_t node)
{
	struct ctx_taker in;
	uint32_t e, k;

	if (t->takes == NULL)
		return 1;
	CTX_FOR_LIST(doc, e, node)
		if (!ctx_takes_object(t, doc, e) || !ctx_takes_all(t, doc, e))
			return 0;
	CTX_FOR_KEYS(doc, k, node)
		if (!ctx_takes_key(t, doc, node, k, &in) ||
		    !ctx_takes_all(&in, doc, k + 1))
			return 0;
	return 1;
}
