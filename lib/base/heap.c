/* SPDX-License-Identifier: MIT */
/* Heaps; see heap.h. */
#include "base/heap.h"

static int
before(const struct ctx_heap *a, const struct ctx_heap *b)
{
	return a->worth != b->worth ? a->worth > b->worth : a->i < b->i;
}

/* Let the one at i sink to its place. */
static void
sink(struct ctx_heap *h, size_t n, size_t i)
{
	struct ctx_heap e = h[i];
	size_t k;

	while ((k = 2 * i + 1) < n) {
		k += k + 1 < n && before(&h[k + 1], &h[k]);
		if (!before(&h[k], &e))
			break;
		h[i] = h[k];
		i = k;
	}
	h[i] = e;
}

void
ctx_heap_make(struct ctx_heap *h, size_t n)
{
	size_t i;

	for (i = n / 2; i-- > 0;)
		sink(h, n, i);
}

void
ctx_heap_sink(struct ctx_heap *h, size_t n)
{
	sink(h, n, 0);
}

void
ctx_heap_pop(struct ctx_heap *h, size_t *n)
{
	h[0] = h[--*n];
	sink(h, *n, 0);
}
