/* SPDX-License-Identifier: MIT */
/*
 * A heap of numbered things by what they are worth: the first is worth most
 * or, of several that are worth the same, has the lowest number.
 */
#ifndef CTX_BASE_HEAP_H
#define CTX_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct ctx_heap {
	uint64_t worth;
	size_t i;
};

/* Order h[0 .. n) as a heap. */
void	ctx_heap_make(struct ctx_heap *h, size_t n);
/* Restore the order of h[0 .. n) after the first one was given less worth. */
void	ctx_heap_sink(struct ctx_heap *h, size_t n);
/* Take the first one out; *n, which is not 0, becomes one less. */
void	ctx_heap_pop(struct ctx_heap *h, size_t *n);

#endif
