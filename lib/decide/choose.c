/* SPDX-License-Identifier: MIT */
/* What goes into a budget; see choose.h. */
#include "decide/choose.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define NOWHERE	SIZE_MAX

void
ctx_choose_done(struct ctx_choose *c)
{
	free(c->unit);
	free(c->link);
	free(c->tried);
	memset(c, 0, sizeof(*c));
}

int
ctx_choose_add(struct ctx_choose *c, const struct ctx_choose_unit *unit,
    struct ctx_err *err)
{
	if (CTX_ROOM(c->unit, c->n, &c->cap) == -1)
		return ctx_fail_nomem(err);
	c->unit[c->n] = *unit;
	c->unit[c->n++].link = 0;
	return 0;
}

int
ctx_choose_link(struct ctx_choose *c, size_t from, size_t to,
    struct ctx_err *err)
{
	if (CTX_ROOM(c->link, c->nlink, &c->caplink) == -1)
		return ctx_fail_nomem(err);
	c->link[c->nlink].to = to;
	c->link[c->nlink++].next = c->unit[from].link;
	c->unit[from].link = c->nlink;
	return 0;
}

/* Put unit i in for now. */
static void
put(struct ctx_choose *c, size_t i)
{
	struct ctx_choose_unit *u = &c->unit[i];

	if (u->flags & CTX_WIN_KEPT)
		return;
	u->flags |= CTX_WIN_KEPT;
	if (u->flags & CTX_WIN_SYSTEM)
		c->system += u->cost;
	else
		c->used += u->cost;
	c->tried[c->ntried++] = i;
}

/* Tokens charged for everything that is in. */
static uint64_t
charged(const struct ctx_choose *c)
{
	uint64_t free_ = c->opts.system_free;

	return c->used + (c->system > free_ ? c->system - free_ : 0);
}

/* The request that unit i follows or is; NOWHERE if there is none. */
static size_t
request_of(const struct ctx_choose *c, size_t i)
{
	for (;; i--) {
		if (c->unit[i].flags & CTX_WIN_USER)
			return i;
		if (i == 0 || c->unit[i - 1].of != c->unit[i].of)
			return NOWHERE;
	}
}

/* Put in unit i and everything that it needs. */
static void
put_with_needs(struct ctx_choose *c, size_t i)
{
	size_t done = c->ntried, l;

	put(c, i);
	while (done < c->ntried) {
		i = c->tried[done++];
		if (!(c->unit[i].flags & CTX_WIN_SYSTEM) && i < c->first)
			c->first = i;
		for (l = c->unit[i].link; l != 0; l = c->link[l - 1].next)
			put(c, c->link[l - 1].to);
		if (done == c->ntried && c->opts.start_user &&
		    c->first < c->n &&
		    (i = request_of(c, c->first)) != NOWHERE)
			put(c, i);
	}
}

static void
take_back(struct ctx_choose *c, size_t first)
{
	struct ctx_choose_unit *u;

	while (c->ntried > 0) {
		u = &c->unit[c->tried[--c->ntried]];
		u->flags &= ~(unsigned)CTX_WIN_KEPT;
		if (u->flags & CTX_WIN_SYSTEM)
			c->system -= u->cost;
		else
			c->used -= u->cost;
	}
	c->first = first;
}

/* Put in unit i and what it needs, if that fits max tokens. */
static int
try(struct ctx_choose *c, size_t i, uint64_t max)
{
	size_t first = c->first;

	if (c->unit[i].flags & CTX_WIN_KEPT)
		return 1;
	if (c->unit[i].cost > max)
		return 0;
	c->ntried = 0;
	put_with_needs(c, i);
	if (charged(c) <= max && (!c->opts.start_user ||
	    c->unit[c->first].flags & CTX_WIN_USER || c->first == first))
		return 1;
	take_back(c, first);
	return 0;
}

/* Put in what must stay and the newest unit. */
static int
take_needful(struct ctx_choose *c, size_t *newest, struct ctx_err *err)
{
	size_t i;

	*newest = NOWHERE;
	c->ntried = 0;
	for (i = c->n; i-- > 0;) {
		if (*newest == NOWHERE && c->unit[i].of == 0 &&
		    !(c->unit[i].flags & CTX_WIN_SYSTEM))
			*newest = i;
		if (i == *newest ||
		    c->unit[i].flags & (CTX_WIN_SYSTEM | CTX_WIN_MUST))
			put_with_needs(c, i);
	}
	if (charged(c) <= c->opts.tokens)
		return 0;
	return ctx_fail(err, CTX_ENO,
	    "what must stay takes %llu tokens, but the budget is %llu",
	    (unsigned long long)charged(c),
	    (unsigned long long)c->opts.tokens);
}

/* Put in the units before i while they fit.  Returns where it stopped. */
static size_t
take_newest(struct ctx_choose *c, size_t i, uint64_t max)
{
	while (i > 0 && c->unit[i - 1].of == 0 && try(c, i - 1, max))
		i--;
	return i;
}

/* Put in the units on both sides of i in its history, the nearest first. */
static void
take_around(struct ctx_choose *c, size_t i)
{
	const struct ctx_choose_unit *u = c->unit;
	size_t k;

	for (k = 1; k <= c->opts.around && (i >= k || k < c->n - i); k++) {
		if (i >= k && u[i - k].of == u[i].of)
			try(c, i - k, c->opts.tokens);
		if (k < c->n - i && u[i + k].of == u[i].of)
			try(c, i + k, c->opts.tokens);
	}
}

/* A scored unit, for sorting. */
struct scored {
	double score;
	size_t i;
};

static int
compare_scored(const void *a, const void *b)
{
	const struct scored *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return x->i < y->i ? 1 : -1;
}

static int
take_scored(struct ctx_choose *c, struct ctx_err *err)
{
	struct scored *list = NULL;
	size_t n = 0, cap = 0, i;

	for (i = 0; i < c->n; i++) {
		if (c->unit[i].score <= 0)
			continue;
		if (CTX_ROOM(list, n, &cap) == -1) {
			free(list);
			return ctx_fail_nomem(err);
		}
		list[n++] = (struct scored){ c->unit[i].score, i };
	}
	if (n > 1)
		qsort(list, n, sizeof(*list), compare_scored);
	for (i = 0; i < n; i++)
		if (try(c, list[i].i, c->opts.tokens)) {
			c->relevant++;
			take_around(c, list[i].i);
		}
	free(list);
	return 0;
}

int
ctx_choose_end(struct ctx_choose *c, struct ctx_err *err)
{
	uint64_t left;
	size_t newest, i;

	c->used = c->system = 0;
	c->first = c->n;
	c->relevant = 0;
	c->tried = malloc((c->n + 1) * sizeof(*c->tried));
	if (c->tried == NULL)
		return ctx_fail_nomem(err);
	if (take_needful(c, &newest, err) == -1)
		return -1;
	left = c->opts.tokens - charged(c);
	i = take_newest(c, newest == NOWHERE ? 0 : newest, c->opts.tokens -
	    left + ctx_ratio_of(c->opts.recent, left));
	if (take_scored(c, err) == -1)
		return -1;
	take_newest(c, i, c->opts.tokens);
	return 0;
}
