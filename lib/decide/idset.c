/* SPDX-License-Identifier: MIT */
/* A set of ids; see idset.h. */
#include "decide/idset.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
hash(const char *p, size_t len)
{
	uint64_t h = 14695981039346656037u;

	while (len-- > 0)
		h = (h ^ (unsigned char)*p++) * 1099511628211u;
	h ^= h >> 32;
	return h == 0 ? 1 : h;		/* 0 is a free place */
}

static int
grow(struct ctx_idset *l)
{
	size_t cap = l->cap == 0 ? 64 : l->cap * 2, i, k;
	uint64_t *id = calloc(cap, sizeof(*id));

	if (id == NULL)
		return -1;
	for (i = 0; i < l->cap; i++) {
		if (l->id[i] == 0)
			continue;
		for (k = l->id[i] & (cap - 1); id[k] != 0;
		    k = (k + 1) & (cap - 1))
			;
		id[k] = l->id[i];
	}
	free(l->id);
	l->id = id;
	l->cap = cap;
	return 0;
}

void
ctx_idset_done(struct ctx_idset *l)
{
	free(l->id);
	memset(l, 0, sizeof(*l));
}

int
ctx_idset_add(struct ctx_idset *l, const char *id, size_t len)
{
	uint64_t h = hash(id, len);
	size_t k;

	if (l->n * 2 >= l->cap && grow(l) == -1)
		return -1;
	for (k = h & (l->cap - 1); l->id[k] != 0;
	    k = (k + 1) & (l->cap - 1))
		if (l->id[k] == h)
			return 0;
	l->id[k] = h;
	l->n++;
	return 1;
}
