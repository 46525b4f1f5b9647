/* SPDX-License-Identifier: MIT */
/*
 * A parser of server-sent events: it takes bytes, cut anywhere, and gives the
 * data of each event.  Lines end in LF, CRLF or CR; comments and other fields
 * are skipped; several data lines of one event are joined with newlines.  An
 * event whose data is empty is left out: it would be one to a browser, but some
 * servers send it only to keep a connection alive.  An all-zero parser is in
 * its initial state.
 */
#ifndef CTX_BASE_SSE_H
#define CTX_BASE_SSE_H

#include <stddef.h>

#include "base/buf.h"

struct ctx_sse {
	struct ctx_buf line;	/* of the unfinished line */
	struct ctx_buf data;	/* of the unfinished event */
	int some;		/* the event has a data line */
	int cr;			/* the last byte was a CR: skip an LF */
};

/*
 * Parse p[0 .. len).  event is called with the data of each event that ends
 * there, borrowed and not terminated; if it returns anything but 0, parsing
 * stops.
 *
 * Returns: 0, what event returned, or -1 if out of memory.
 */
int	ctx_sse_feed(struct ctx_sse *s, const char *p, size_t len,
	    int (*event)(void *arg, const char *data, size_t len), void *arg);

/* Return to the initial state; the memory is kept. */
void	ctx_sse_reset(struct ctx_sse *s);
void	ctx_sse_done(struct ctx_sse *s);

#endif
