/* SPDX-License-Identifier: MIT */
/*
 * Growable bytes.  All zero is an empty buffer.  A failed growth is sticky:
 * later additions do nothing and return -1 too, so a series of additions can be
 * checked once, with ctx_buf_fail, at its end.
 *
 * Names: ctx_room_.
 */
#ifndef CTX_BASE_BUF_H
#define CTX_BASE_BUF_H

#include <stddef.h>
#include <string.h>

#include "base/err.h"

struct ctx_buf {
	char *data;	/* not terminated, unless ctx_buf_str was called */
	size_t len;
	size_t cap;
	int failed;
};

/* Make room for n more bytes after len.  Returns 0, or -1 if out of memory. */
int	ctx_buf_reserve(struct ctx_buf *b, size_t n) CTX_CHECKED;
int	ctx_buf_add(struct ctx_buf *b, const void *p, size_t n);
int	ctx_buf_addc(struct ctx_buf *b, char c);
static inline int
ctx_buf_adds(struct ctx_buf *b, const char *s)
{
	return ctx_buf_add(b, s, strlen(s));	/* known, of a literal */
}
int	ctx_buf_addf(struct ctx_buf *b, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/* a and b as one string, which the caller frees; NULL on failure. */
char	*ctx_buf_join(const char *a, const char *b, struct ctx_err *err);

/* The bytes as a terminated string (the NUL is not in len); NULL on failure. */
char	*ctx_buf_str(struct ctx_buf *b) CTX_CHECKED;

/* -1 with *err set to CTX_ENOMEM if any addition failed, else 0. */
int	ctx_buf_fail(const struct ctx_buf *b, struct ctx_err *err) CTX_CHECKED;

/* Empty it and clear a failure, but keep the memory. */
void	ctx_buf_reset(struct ctx_buf *b);
void	ctx_buf_done(struct ctx_buf *b);

/*
 * Make room for element n of the array v, which holds cap elements.  v is a
 * variable or member; it is updated when the array moves.  The capacity
 * doubles.  Returns 0, or -1 if out of memory, with nothing changed.  All
 * growing arrays use this idiom:
 *
 *	if (CTX_ROOM(p->item, p->n, &p->cap) == -1)
 *		return ctx_fail_nomem(err);
 *	p->item[p->n++] = item;
 *
 * An array begins with 8 elements.  CTX_ROOM_FEW begins with 1, for arrays of
 * which there may be a million.
 */
#define CTX_ROOM(v, n, cap)	ctx_room(&(v), (n), (cap), sizeof(*(v)), 8)
#define CTX_ROOM_FEW(v, n, cap)	ctx_room(&(v), (n), (cap), sizeof(*(v)), 1)
int	ctx_room_more(void *v, size_t n, size_t *cap, size_t size,
	    size_t first) CTX_CHECKED;

static inline CTX_CHECKED int
ctx_room(void *v, size_t n, size_t *cap, size_t size, size_t first)
{
	return n < *cap ? 0 : ctx_room_more(v, n, cap, size, first);
}

#endif
