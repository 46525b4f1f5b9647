/* SPDX-License-Identifier: MIT */
/* Parts by type; see types.h. */
#include "edit/types.h"

#include <string.h>

/* Add n parts of type name[0 .. len). */
static void
add(struct ctx_types *t, const char *name, size_t len, uint64_t n)
{
	size_t i;

	if (len >= sizeof(t->type[0].name))
		len = sizeof(t->type[0].name) - 1;
	for (i = 0; i < t->n; i++)
		if (strncmp(t->type[i].name, name, len) == 0 &&
		    t->type[i].name[len] == '\0')
			break;
	if (i == CTX_TYPES_MAX)
		i = CTX_TYPES_MAX - 1;
	if (i == t->n) {
		if (i == CTX_TYPES_MAX - 1) {
			name = "other";
			len = 5;
		}
		memcpy(t->type[i].name, name, len);
		t->type[i].name[len] = '\0';
		t->type[i].n = 0;
		t->n++;
	}
	t->type[i].n += n;
}

/* The name of a part's type: its own word, or its first key, as in Gemini's. */
static struct ctx_str
type_of(const struct ctx_doc *doc)
{
	static const char *const keys[] = { "type", "part_kind", "kind" };
	struct ctx_str s = { NULL, 0 };
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]) && s.p == NULL; i++)
		s = ctx_node_str(doc, ctx_doc_get(doc, 0, keys[i],
		    strlen(keys[i])));
	if (s.p == NULL && ctx_node_type(doc, 0) == '{' && doc->n > 1)
		s = ctx_node_str(doc, 1);
	return s;
}

void
ctx_types_count(struct ctx_types *t, struct ctx_doc *doc, struct ctx_str json)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	struct ctx_str s = { NULL, 0 };
	char name[sizeof(t->type[0].name)];
	size_t i;

	/* without memory it is counted, but not named */
	if (json.p != NULL && ctx_doc_try(doc, json.p, json.len) == 1)
		s = type_of(doc);
	for (i = 0; i < s.len && i < sizeof(name) - 1; i++)
		name[i] = memchr(plain, s.p[i], sizeof(plain) - 1) != NULL ?
		    s.p[i] : '?';
	if (i == 0)
		add(t, "unknown", 7, 1);
	else
		add(t, name, i, 1);
}

void
ctx_types_add(struct ctx_types *t, const struct ctx_types *more)
{
	size_t i;

	for (i = 0; i < more->n; i++)
		add(t, more->type[i].name, strlen(more->type[i].name),
		    more->type[i].n);
}
