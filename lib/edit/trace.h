/* SPDX-License-Identifier: MIT */
/*
 * Which bytes of a source were written to a result.  Writers borrow their
 * strings from the records of the source, so the address of what they write
 * says which value it is.
 */
#ifndef CTX_EDIT_TRACE_H
#define CTX_EDIT_TRACE_H

#include <stddef.h>

#include "view/convo.h"

/* What became of a value, or of all values of a kind in a message. */
enum ctx_fare {
	CTX_CARRIED,		/* it is in the result, as it is */
	CTX_REFORMED,		/* it is there, as a part of another value */
	CTX_RENAMED,		/* another value stands for it */
	CTX_LEFT_OUT,
	CTX_MOVED,		/* it is there, but in another place */
	CTX_MADE,		/* it is only in the result */
	CTX_FARE_N
};

struct ctx_span {
	const char *p;
	size_t len;
};

/* A value that is not simply copied. */
struct ctx_mark {
	const char *p;		/* its contents in the source; CTX_MADE: NULL,
				   or what it is made of */
	uint32_t len;		/* of what it is made of */
	enum ctx_fare fare;
	struct ctx_str to;	/* what is written instead; escaped */
	const char *why;	/* CTX_MADE: what it is, a constant */
};

struct ctx_trace {		/* all zero is valid and off */
	int on;			/* set by the caller */
	struct ctx_span *copy;
	struct ctx_mark *mark;
	size_t ncopy, nmark, capcopy, capmark;
	size_t near;		/* where the last question was answered */
	int failed;		/* memory ran out */
};

void	ctx_trace_reset(struct ctx_trace *t);
void	ctx_trace_done(struct ctx_trace *t);

void	ctx_trace_add(struct ctx_trace *t, const char *p, size_t len);
/* p[0 .. len) is written as it is. */
static inline void
ctx_trace_copy(struct ctx_trace *t, const char *p, size_t len)
{
	if (t->on && p != NULL)
		ctx_trace_add(t, p, len);
}

/* The value whose contents begin at p is written as to, or in another form. */
void	ctx_trace_mark(struct ctx_trace *t, enum ctx_fare fare, const char *p,
	    struct ctx_str to, const char *why);

/* to is made of from, which is not in the source; both are escaped. */
void	ctx_trace_made(struct ctx_trace *t, struct ctx_str from,
	    struct ctx_str to, const char *why);

/* All of c is written: prepare to answer.  Returns -1 if out of memory. */
int	ctx_trace_settle(struct ctx_trace *t, const struct ctx_convo *c)
	    CTX_CHECKED;
/* Was p[0 .. len) copied?  0: no; 1: some of it; 2: all of it. */
int	ctx_trace_copied(struct ctx_trace *t, const char *p, size_t len);
/* The mark of the value whose contents begin at p, or NULL. */
const struct ctx_mark *ctx_trace_marked(const struct ctx_trace *t,
	    const char *p);
/* Has any value in p[0 .. len) a mark? */
int	ctx_trace_marks(const struct ctx_trace *t, const char *p, size_t len);

#endif
