/* SPDX-License-Identifier: MIT */
/*
 * Makes one request for memory fail.  A function that runs out of memory either
 * says so, or does what it would have done with enough:
 *
 *	n = 0;
 *	do {
 *		nomem(n);
 *		rc = ...;
 *		failed = nomem_failed();
 *		CHECK(rc == -1 with CTX_ENOMEM, or all is as it should be)
 *		n++;
 *	} while (failed);
 *
 * Only with glibc, and without a sanitizer, which has its own malloc: elsewhere
 * no request fails.  `make check-alloc` does the same with whole commands.
 */
#ifndef CTX_TESTS_NOMEM_H
#define CTX_TESTS_NOMEM_H

#include <stdlib.h>

#include "base/sanitized.h"

#if defined(__GLIBC__) && !CTX_SANITIZED

#include <stdatomic.h>

/* Requests until the one that fails, plus 1; 0 if none is to fail. */
static atomic_long nomem_left;

void	*__libc_malloc(size_t);
void	*__libc_calloc(size_t, size_t);
void	*__libc_realloc(void *, size_t);

static int
nomem_fails(void)
{
	return atomic_load(&nomem_left) > 0 &&
	    atomic_fetch_sub(&nomem_left, 1) == 1;
}

void *
malloc(size_t n)
{
	return nomem_fails() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return nomem_fails() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return nomem_fails() ? NULL : __libc_realloc(p, n);
}

/* Let request number n from now on fail; 0 is the next. */
static inline void
nomem(long n)
{
	atomic_store(&nomem_left, n + 1);
}

/* Has it failed?  From here on none does. */
static inline int
nomem_failed(void)
{
	return atomic_exchange(&nomem_left, 0) <= 0;
}

#else

static inline void
nomem(long n)
{
	(void)n;
}

static inline int
nomem_failed(void)
{
	return 0;
}

#endif
#endif
