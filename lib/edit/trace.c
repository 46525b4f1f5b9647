/* SPDX-License-Identifier: MIT */
/* Which bytes were written; see trace.h. */
#include "edit/trace.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void
ctx_trace_reset(struct ctx_trace *t)
{
	t->ncopy = t->nmark = t->near = 0;
	t->failed = 0;
}

void
ctx_trace_done(struct ctx_trace *t)
{
	free(t->copy);
	free(t->mark);
	memset(t, 0, sizeof(*t));
}

void
ctx_trace_add(struct ctx_trace *t, const char *p, size_t len)
{
	if (len == 0) {
		ctx_trace_mark(t, CTX_CARRIED, p, (struct ctx_str){ NULL, 0 },
		    NULL);
		return;
	}
	if (CTX_ROOM(t->copy, t->ncopy, &t->capcopy) == -1) {
		t->failed = 1;
		return;
	}
	t->copy[t->ncopy++] = (struct ctx_span){ p, len };
}

void
ctx_trace_mark(struct ctx_trace *t, enum ctx_fare fare, const char *p,
    struct ctx_str to, const char *why)
{
	if (!t->on)
		return;
	if (CTX_ROOM(t->mark, t->nmark, &t->capmark) == -1) {
		t->failed = 1;
		return;
	}
	t->mark[t->nmark++] = (struct ctx_mark){ p, 0, fare, to, why };
}

void
ctx_trace_made(struct ctx_trace *t, struct ctx_str from, struct ctx_str to,
    const char *why)
{
	size_t n = t->nmark;

	ctx_trace_mark(t, CTX_MADE, from.p, to, why);
	if (t->nmark > n)
		t->mark[n].len = from.len;
}

/* Spans of several records are compared by address, as numbers. */
static int
compare_spans(const void *a, const void *b)
{
	const struct ctx_span *x = a, *y = b;

	if (x->p != y->p)
		return (uintptr_t)x->p < (uintptr_t)y->p ? -1 : 1;
	return x->len > y->len ? -1 : x->len < y->len;
}

/* Of marks of one value, that which says most comes first. */
static int
compare_marks(const void *a, const void *b)
{
	const struct ctx_mark *x = a, *y = b;

	if (x->p != y->p)
		return (uintptr_t)x->p < (uintptr_t)y->p ? -1 : 1;
	return x->fare > y->fare ? -1 : x->fare < y->fare;
}

/* Sort what mostly is in order. */
static void
sort(void *list, size_t n, size_t size, int (*compare)(const void *,
    const void *))
{
	const char *p = list;
	size_t i;

	for (i = 1; i < n; i++)
		if (compare(p + (i - 1) * size, p + i * size) > 0) {
			qsort(list, n, size, compare);
			return;
		}
}

static int
compare_own(const void *a, const void *b)
{
	const struct ctx_spelled *x = a, *y = b;

	return x->own.p == y->own.p ? 0 :
	    (uintptr_t)x->own.p < (uintptr_t)y->own.p ? -1 : 1;
}

/* If s is one of the list's own spellings, make it the source's. */
static void
use_source(struct ctx_str *s, const struct ctx_spelled *list, size_t n)
{
	const struct ctx_spelled key = { .own = *s }, *of;

	of = bsearch(&key, list, n, sizeof(*list), compare_own);
	if (of != NULL)
		*s = of->source;
}

/* Say of the source what was said of c's own spelling of an id. */
static int
use_sources(struct ctx_trace *t, const struct ctx_convo *c)
{
	const size_t size = c->nspelled * sizeof(*c->spelled);
	struct ctx_spelled *list;
	struct ctx_str s;
	size_t i;

	if (c->nspelled == 0)
		return 0;
	if ((list = malloc(size)) == NULL)
		return -1;
	memcpy(list, c->spelled, size);
	qsort(list, c->nspelled, sizeof(*list), compare_own);
	for (i = 0; i < t->ncopy; i++) {
		s = (struct ctx_str){ t->copy[i].p, t->copy[i].len };
		use_source(&s, list, c->nspelled);
		t->copy[i] = (struct ctx_span){ s.p, s.len };
	}
	for (i = 0; i < t->nmark; i++) {
		s = (struct ctx_str){ t->mark[i].p, 0 };
		if (t->mark[i].fare != CTX_MADE)
			use_source(&s, list, c->nspelled);
		t->mark[i].p = s.p;
		use_source(&t->mark[i].to, list, c->nspelled);
	}
	free(list);
	return 0;
}

int
ctx_trace_settle(struct ctx_trace *t, const struct ctx_convo *c)
{
	struct ctx_span *last;
	size_t i, n = 0;

	if (use_sources(t, c) == -1)
		return -1;
	sort(t->copy, t->ncopy, sizeof(*t->copy), compare_spans);
	sort(t->mark, t->nmark, sizeof(*t->mark), compare_marks);
	/* join what overlaps */
	for (i = 0; i < t->ncopy; i++) {
		last = n > 0 ? &t->copy[n - 1] : NULL;
		if (last == NULL || (uintptr_t)t->copy[i].p >
		    (uintptr_t)last->p + last->len)
			t->copy[n++] = t->copy[i];
		else if (t->copy[i].p + t->copy[i].len > last->p + last->len)
			last->len = (size_t)(t->copy[i].p - last->p) +
			    t->copy[i].len;
	}
	t->ncopy = n;
	return t->failed ? -1 : 0;
}

/* Set t->near to the last copy that begins at or before p, if there is one. */
static int
find(struct ctx_trace *t, const char *p)
{
	size_t lo = 0, hi = t->ncopy, mid;
	uintptr_t at = (uintptr_t)p;

	if (t->near < t->ncopy && (uintptr_t)t->copy[t->near].p <= at) {
		if (t->near + 1 == t->ncopy ||
		    (uintptr_t)t->copy[t->near + 1].p > at)
			return 1;
		if (t->near + 2 == t->ncopy ||
		    (uintptr_t)t->copy[t->near + 2].p > at) {
			t->near++;
			return 1;
		}
		lo = t->near + 1;
	}
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if ((uintptr_t)t->copy[mid].p <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	t->near = lo > 0 ? lo - 1 : 0;
	return lo > 0;
}

int
ctx_trace_copied(struct ctx_trace *t, const char *p, size_t len)
{
	const struct ctx_span *s;
	uintptr_t from = (uintptr_t)p, to = from + len, end;
	size_t next = 0;

	if (find(t, p)) {
		s = &t->copy[t->near];
		end = (uintptr_t)s->p + s->len;
		if (len == 0 ? end > from && (uintptr_t)s->p < from :
		    end >= to)
			return 2;
		if (end > from)
			return 1;
		next = t->near + 1;
	}
	return next < t->ncopy && (uintptr_t)t->copy[next].p < to;
}

/* The first mark at or after p. */
static size_t
first_mark(const struct ctx_trace *t, const char *p)
{
	size_t lo = 0, hi = t->nmark, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if ((uintptr_t)t->mark[mid].p < (uintptr_t)p)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct ctx_mark *
ctx_trace_marked(const struct ctx_trace *t, const char *p)
{
	size_t i = first_mark(t, p);

	return i < t->nmark && t->mark[i].p == p ? &t->mark[i] : NULL;
}

int
ctx_trace_marks(const struct ctx_trace *t, const char *p, size_t len)
{
	size_t i = first_mark(t, p);

	return i < t->nmark && (uintptr_t)t->mark[i].p < (uintptr_t)p + len;
}
