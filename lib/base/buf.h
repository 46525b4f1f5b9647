/* SPDX-License-Identifier: MIT */
/*
 * Growable bytes.  All zero is an empty buffer.  A failed growth is sticky:
 * later additions do nothing and return -1 too, so a run of additions may be
 * checked once, with ctx_buf_fail, at its end.
 *
 * Names: ctx_room_.
 */
#ifndef CTX_BASE_BUF_H
#define CTX_BASE_BUF_H

#include <stddef.h>

#include "base/err.h"

struct ctx_buf {
	char *data;	/* not terminated, unless ctx_buf_str was called */
	size_t len;
	size_t cap;
	int failed;
};

/* Room for at least n more bytes behind len.  0, or -1 out of memory. */
int	ctx_buf_reserve(struct ctx_buf *b, size_t n) CTX_CHECKED;
int	ctx_buf_add(struct ctx_buf *b, const void *p, size_t n);
int	ctx_buf_addc(struct ctx_buf *b, char c);
int	ctx_buf_adds(struct ctx_buf *b, const char *s);
int	ctx_buf_addf(struct ctx_buf *b, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/* The bytes as a terminated string (the NUL is not in len); NULL on failure. */
char	*ctx_buf_str(struct ctx_buf *b) CTX_CHECKED;

/* -1 with *err out of memory if any addition failed, else 0. */
int	ctx_buf_fail(const struct ctx_buf *b, struct ctx_err *err) CTX_CHECKED;

/* Empty it, keep the memory, forget a failure. */
void	ctx_buf_reset(struct ctx_buf *b);
void	ctx_buf_done(struct ctx_buf *b);

/*
 * Make room for element n of the array v, a variable or member that is set when
 * the array moves, and that holds cap of them; doubles.  0, or -1 out of memory,
 * nothing having changed.  The one idiom for growing arrays:
 *
 *	if (CTX_ROOM(p->item, p->n, &p->cap) == -1)
 *		return ctx_fail_nomem(err);
 *	p->item[p->n++] = item;
 *
 * An array begins with 8 elements; CTX_ROOM_FEW is for one of which there may be
 * a million, and begins with 1.
 */
#define CTX_ROOM(v, n, cap)	ctx_room(&(v), (n), (cap), sizeof(*(v)), 8)
#define CTX_ROOM_FEW(v, n, cap)	ctx_room(&(v), (n), (cap), sizeof(*(v)), 1)
int	ctx_room(void *v, size_t n, size_t *cap, size_t size, size_t first)
	    CTX_CHECKED;

#endif
