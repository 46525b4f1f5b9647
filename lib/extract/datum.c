/* SPDX-License-Identifier: MIT */
/* Values and names in JSON; see datum.h. */
#include "extract/datum.h"

#include <string.h>

#include "extract/term.h"

#define NAME_MAX 48	/* a longer string is not looked up as a name */

int
ctx_datum_next(struct ctx_datum *v, const char *p, size_t len, size_t *i)
{
	size_t b, e;

	if (v->is_name) {
		v->name = v->text;
		v->namelen = v->len;
	}
	while (*i < len && p[*i] != '\0' &&
	    strchr(" \t\r\n{}[],:", p[*i]) != NULL)
		++*i;
	if (*i == len)
		return 0;
	v->quoted = p[*i] == '"';
	b = e = *i + (size_t)v->quoted;
	if (!v->quoted)
		while (e < len && (p[e] == '\0' ||
		    strchr(" \t\r\n{}[],:\"", p[e]) == NULL))
			e++;
	else
		while (e < len && p[e] != '"')
			e += p[e] == '\\' && e + 1 < len ? 2 : 1;
	v->text = p + b;
	v->len = e - b;
	*i = e + (size_t)(v->quoted && e < len);
	for (e = *i; e < len && (p[e] == ' ' || p[e] == '\n'); e++)
		;
	v->is_name = v->quoted && e < len && p[e] == ':';
	return 1;
}

/* The slot of a name, or of what is free for it; NULL if it is too long. */
static uint64_t *
slot_of(const struct ctx_datum_names *set, const char *p, size_t len,
    uint64_t *hash)
{
	char low[NAME_MAX];
	size_t i;

	if (len == 0 || len > sizeof(low))
		return NULL;
	for (i = 0; i < len; i++)
		low[i] = p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] | 32) : p[i];
	*hash = ctx_term_hash(low, len) | 1;
	for (i = *hash / 2 % CTX_DATUM_SLOTS; set->slot[i] != 0 &&
	    set->slot[i] != *hash; i = (i + 1) % CTX_DATUM_SLOTS)
		;
	return (uint64_t *)&set->slot[i];
}

void
ctx_datum_name_add(struct ctx_datum_names *set, const char *p, size_t len)
{
	uint64_t hash, *slot = slot_of(set, p, len, &hash);

	if (slot == NULL || *slot != 0 || set->n >= CTX_DATUM_SLOTS / 4 * 3)
		return;
	*slot = hash;
	set->n++;
}

int
ctx_datum_name_has(const struct ctx_datum_names *set, const char *p,
    size_t len)
{
	uint64_t hash;
	const uint64_t *slot = slot_of(set, p, len, &hash);

	return slot != NULL && *slot != 0;
}
