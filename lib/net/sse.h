/* SPDX-License-Identifier: MIT */
/*
 * Server-sent events: bytes in, in pieces cut anywhere; the data of each event
 * out.  Lines end in LF, CRLF or CR; comments and other fields are skipped;
 * several data lines of one event are joined by a newline.  All zero is a
 * parser at the start.
 */
#ifndef CTX_NET_SSE_H
#define CTX_NET_SSE_H

#include <stddef.h>

#include "base/buf.h"

struct ctx_sse {
	struct ctx_buf line;	/* of a line that has not ended */
	struct ctx_buf data;	/* of an event that has not ended */
	int some;		/* the event has a data line */
	int cr;			/* the last byte was a CR: skip an LF */
};

/*
 * Take p[0 .. len).  event gets the data of each event that ends in it, not
 * terminated, borrowed; anything but 0 from it ends the feeding.
 *
 * Returns: 0, what event returned, or -1 out of memory.
 */
int	ctx_sse_feed(struct ctx_sse *s, const char *p, size_t len,
	    int (*event)(void *arg, const char *data, size_t len), void *arg);

/* Back to the start, memory kept. */
void	ctx_sse_reset(struct ctx_sse *s);
void	ctx_sse_done(struct ctx_sse *s);

#endif
