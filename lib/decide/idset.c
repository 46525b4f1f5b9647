/* SPDX-License-Identifier: MIT */
/* A set of ids; see idset.h. */
#include "decide/idset.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

static int
grow(struct ctx_idset *l)
{
	size_t cap = l->cap == 0 ? 64 : l->cap * 2, i, k;
	struct ctx_seen_id *id = calloc(cap, sizeof(*id));

	if (id == NULL)
		return -1;
	for (i = 0; i < l->cap; i++) {
		if (l->id[i].hash == 0)
			continue;
		for (k = l->id[i].hash & (cap - 1); id[k].hash != 0;
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

void
ctx_idset_reset(struct ctx_idset *l)
{
	/* a table that one long turn needed would be cleared again and again */
	if (l->cap > 1024)
		ctx_idset_done(l);
	if (l->n > 0)
		memset(l->id, 0, l->cap * sizeof(*l->id));
	l->n = 0;
}

struct ctx_seen_id *
ctx_idset_see(struct ctx_idset *l, const char *id, size_t len)
{
	uint64_t h = ctx_strmap_hash(id, len);
	size_t k;

	h += h == 0;		/* 0 means a free slot */
	if (l->n * 2 >= l->cap && grow(l) == -1)
		return NULL;
	for (k = h & (l->cap - 1); l->id[k].hash != 0;
	    k = (k + 1) & (l->cap - 1))
		if (l->id[k].hash == h)
			return &l->id[k];
	l->id[k].hash = h;
	l->n++;
	return &l->id[k];
}
