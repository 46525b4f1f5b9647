/* SPDX-License-Identifier: MIT */
/* Which job has a conversation; see owners.h. */
#include "job/owners.h"

#include <stdlib.h>
#include <string.h>

#define FOLLOW	2u	/* lines of a conversation, on average, that follow one
			   another */
#define COME_BACK 8u	/* of so many, one may be of a conversation that has
			   come before */
#define UNEVEN	(512u * 1024)	/* bytes by which a job may be ahead */

struct ctx_owner {
	uint64_t hash;
	uint32_t job;			/* its number + 1; 0: free */
	uint32_t round;			/* in which it came last */
};

void
ctx_owners_done(struct ctx_owners *o)
{
	free(o->slot);
	memset(o, 0, sizeof(*o));
}

void
ctx_owners_reset(struct ctx_owners *o)
{
	if (o->n > 0)
		memset(o->slot, 0, o->nslot * sizeof(*o->slot));
	o->n = 0;
	o->rounds = 0;
	memset(o->had, 0, sizeof(o->had));
}

static struct ctx_owner *
look_up(const struct ctx_owners *o, uint64_t hash)
{
	size_t i = (size_t)(hash & (o->nslot - 1));

	while (o->slot[i].job != 0 && o->slot[i].hash != hash)
		i = (i + 1) & (o->nslot - 1);
	return &o->slot[i];
}

/* Make room for n more. */
static int
reserve(struct ctx_owners *o, size_t n)
{
	struct ctx_owners more = *o;
	size_t i;

	if (more.nslot == 0)
		more.nslot = 1024;
	while (more.nslot / 2 < o->n + n)
		more.nslot *= 2;
	if (more.nslot == o->nslot)
		return 0;
	if ((more.slot = calloc(more.nslot, sizeof(*more.slot))) == NULL)
		return -1;
	for (i = 0; i < o->nslot; i++)
		if (o->slot[i].job != 0)
			*look_up(&more, o->slot[i].hash) = o->slot[i];
	free(o->slot);
	*o = more;
	return 0;
}

/* Do the lines of most conversations follow one another, as far as is seen? */
static int
one_by_one(struct ctx_owners *o, struct ctx_owned *all, size_t nall, unsigned n)
{
	size_t i, lines = 0, back = 0;
	struct ctx_owner *w;

	o->rounds++;
	for (i = 0; i < nall; i++) {
		w = look_up(o, all[i].hash);
		all[i].is_new = w->job == 0;
		if (w->job == 0) {
			w->hash = all[i].hash;
			w->job = (uint32_t)(all[i].hash % n) + 1;
			o->n++;
		} else
			back += w->round == o->rounds;
		w->round = o->rounds;
		lines += all[i].n;
	}
	return lines >= FOLLOW * nall && back * COME_BACK <= nall;
}

/* The job that gets what its thread has read, or the one that has had least. */
static unsigned
taker(const struct ctx_owners *o, unsigned n, unsigned own)
{
	unsigned i, least = own;

	for (i = 0; i < n; i++)
		if (o->had[i] < o->had[least])
			least = i;
	return o->had[own] - o->had[least] > UNEVEN ? least : own;
}

int
ctx_owners_find(struct ctx_owners *o, struct ctx_owned *all, size_t nall,
    unsigned n, unsigned own, struct ctx_err *err)
{
	struct ctx_owner *w;
	int keep;
	size_t i;

	if (reserve(o, nall) == -1)
		return ctx_fail_nomem(err);
	keep = one_by_one(o, all, nall, n);
	own = taker(o, n, own);
	for (i = 0; i < nall; i++) {
		w = look_up(o, all[i].hash);
		if (all[i].is_new && keep)
			w->job = own + 1;
		all[i].job = w->job - 1;
		o->had[all[i].job] += all[i].bytes;
	}
	return 0;
}
