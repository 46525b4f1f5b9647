/* SPDX-License-Identifier: MIT */
/*
 * Bytes that wait, in the order in which they came: in memory as long as they
 * are few, then in a file without a name, in TMPDIR or /tmp.  What was dropped
 * is written over by and by, so that the file is at most some megabytes larger
 * than twice what waits.
 *
 * All zero is empty.
 */
#ifndef CTX_WRITE_SPILL_H
#define CTX_WRITE_SPILL_H

#include <stdint.h>

#include "base/buf.h"

#define CTX_SPILL_MAX	(2u * 1024 * 1024)	/* bytes in memory */

/* Where some bytes are; the caller's, who drops it before it goes. */
struct ctx_spilled {
	uint64_t off;
	size_t len;
	struct ctx_spilled *prev, *next;
};

struct ctx_spill {
	size_t max;		/* in memory; 0: CTX_SPILL_MAX */

	/* its own */
	struct ctx_spilled *first, *last;
	uint64_t live;		/* bytes that wait */
	uint64_t base;		/* bytes in the file, in front of the tail */
	struct ctx_buf tail;
	int fd;			/* the file less one, so that 0 is none */
	struct ctx_buf seen;	/* read from the file, at seen_off */
	uint64_t seen_off;
	size_t ahead;
};

/* Forget all; whoever is still in it must not be used. */
void	ctx_spill_done(struct ctx_spill *s);

/* Take a copy of p[0 .. len).  0, or -1 with CTX_ENOMEM or CTX_ESYSTEM. */
int	ctx_spill_add(struct ctx_spill *s, struct ctx_spilled *item,
	    const char *p, size_t len, struct ctx_err *err);

/*
 * More bytes for an item: 1; 0 if it is not the one that was added last, or has
 * many already: add another; -1 as above.
 */
int	ctx_spill_more(struct ctx_spill *s, struct ctx_spilled *item,
	    const char *p, size_t len, struct ctx_err *err);

/* Its bytes, borrowed until the next call; NULL with *err. */
const char *ctx_spill_get(struct ctx_spill *s,
	    const struct ctx_spilled *item, struct ctx_err *err);

void	ctx_spill_drop(struct ctx_spill *s, struct ctx_spilled *item);

#endif
