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

struct ctx_str
ctx_types_name(const struct ctx_doc *doc, uint32_t node)
{
	static const char *const keys[] = { "type", "part_kind", "kind",
	    NULL };
	struct ctx_str s = ctx_node_first(doc, node, keys);

	if (s.p == NULL && ctx_node_type(doc, node) == '{' &&
	    doc->node[node].next > node + 1)
		s = ctx_node_str(doc, node + 1);
	return s;
}

void
ctx_types_add_name(struct ctx_types *t, struct ctx_str s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	char name[sizeof(t->type[0].name)];
	size_t i;

	for (i = 0; i < s.len && i < sizeof(name) - 1; i++)
		name[i] = memchr(plain, s.p[i], sizeof(plain) - 1) != NULL ?
		    s.p[i] : '?';
	if (i == 0)
		add(t, "unknown", 7, 1);
	else
		add(t, name, i, 1);
}

void
ctx_types_count(struct ctx_types *t, struct ctx_doc *doc, struct ctx_str json)
{
	struct ctx_str s = { NULL, 0 };

	/* without memory it is counted, but not named */
	if (json.p != NULL && ctx_doc_try(doc, json.p, json.len) == 1)
		s = ctx_types_name(doc, 0);
	ctx_types_add_name(t, s);
}

static void
add_all(struct ctx_types *t, const struct ctx_types *more)
{
	size_t i;

	for (i = 0; i < more->n; i++)
		add(t, more->type[i].name, strlen(more->type[i].name),
		    more->type[i].n);
}

void
ctx_types_add(struct ctx_types_lost *t, const struct ctx_types_lost *more)
{
	add_all(&t->parts, &more->parts);
	add_all(&t->members, &more->members);
}
