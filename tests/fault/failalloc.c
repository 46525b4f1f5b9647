/* SPDX-License-Identifier: MIT */
/*
 * Makes memory run out; a library to preload, see fails.h.  It counts what
 * main and the functions that it calls request: malloc and related calls,
 * mmap, and threads.
 */
#include "fails.h"

#include <pthread.h>

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static void *(*real_aligned)(size_t, size_t);
static int (*real_posix)(void **, size_t, size_t);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);
static int (*real_thread)(pthread_t *, const pthread_attr_t *,
    void *(*)(void *), void *);

/* dlsym itself requests memory before it can say where to get it. */
static char early[16384];
static size_t nearly;

static void *
early_alloc(size_t n)
{
	void *p = early + nearly;

	nearly += (n + 15) & ~(size_t)15;
	if (nearly > sizeof(early))
		abort();
	return p;
}

static int
is_early(const void *p)
{
	return (const char *)p >= early &&
	    (const char *)p < early + sizeof(early);
}

static void
find(void)
{
	static int done;

	if (done)
		return;
	done = 1;
	FIND(real_calloc, "calloc");
	FIND(real_realloc, "realloc");
	FIND(real_free, "free");
	FIND(real_aligned, "aligned_alloc");
	FIND(real_posix, "posix_memalign");
	FIND(real_mmap, "mmap");
	FIND(real_thread, "pthread_create");
	FIND(real_malloc, "malloc");
}

void *
malloc(size_t n)
{
	find();
	if (real_malloc == NULL)
		return early_alloc(n);
	return fails() ? NULL : real_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	find();
	if (real_malloc == NULL)
		return early_alloc(n * size);
	return fails() ? NULL : real_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	void *moved;

	find();
	if (is_early(p) || real_malloc == NULL) {
		moved = malloc(n);
		if (moved != NULL && p != NULL)
			memcpy(moved, p, n);
		return moved;
	}
	return fails() ? NULL : real_realloc(p, n);
}

void
free(void *p)
{
	find();
	if (p != NULL && !is_early(p))
		real_free(p);
}

void *
aligned_alloc(size_t align, size_t n)
{
	find();
	return fails() ? NULL : real_aligned(align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	find();
	return fails() ? ENOMEM : real_posix(p, align, n);
}

/* On 32-bit machines glibc has two kinds of offsets. */
#ifdef __GLIBC__
#define OFF64	off64_t
#else
#define OFF64	off_t
#endif

void *
mmap(void *addr, size_t n, int prot, int flags, int fd, off_t off)
{
	find();
	return fails() ? MAP_FAILED :
	    real_mmap(addr, n, prot, flags, fd, off);
}

void *
mmap64(void *addr, size_t n, int prot, int flags, int fd, OFF64 off)
{
	return mmap(addr, n, prot, flags, fd, (off_t)off);
}

int
pthread_create(pthread_t *t, const pthread_attr_t *attr,
    void *(*run)(void *), void *arg)
{
	find();
	return fails() ? EAGAIN : real_thread(t, attr, run, arg);
}
