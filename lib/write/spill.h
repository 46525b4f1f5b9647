/* SPDX-License-Identifier: MIT */
/*
 * Bytes that wait, in order of arrival: in memory while they are few, then in
 * an unlinked file in TMPDIR or /tmp.  The space of dropped items is reclaimed
 * from time to time, so the file is at most a few megabytes larger than twice
 * what waits.
 *
 * All zero is empty.
 */
#ifndef CTX_WRITE_SPILL_H
#define CTX_WRITE_SPILL_H

#include <stdint.h>

#include "base/buf.h"

#define CTX_SPILL_MAX	(2u * 1024 * 1024)	/* bytes in memory */

/* Where some bytes are.  The caller owns it and drops it before freeing it. */
struct ctx_spilled {
	uint64_t off;
	size_t len;
	struct ctx_spilled *prev, *next;
};

struct ctx_spill {
	size_t max;		/* bytes in memory; 0: CTX_SPILL_MAX */

	/* internal */
	struct ctx_spilled *first, *last;
	uint64_t live;		/* waiting bytes */
	uint64_t base;		/* bytes in the file, before the tail */
	struct ctx_buf tail;
	int fd;			/* descriptor of the file + 1, or 0 */
	struct ctx_buf seen;	/* read from the file, at seen_off */
	uint64_t seen_off;
	size_t ahead;
};

/*
 * The folder, if files without a name can be made in it, so that a process that
 * can open no others can still spill (base/sandbox.h); or NULL.
 */
const char *ctx_spill_unnamed(void);

/* Forget everything; items still in it must no longer be used. */
void	ctx_spill_done(struct ctx_spill *s);

/* Store a copy of p[0 .. len).  0, or -1 with CTX_ENOMEM or CTX_ESYSTEM. */
int	ctx_spill_add(struct ctx_spill *s, struct ctx_spilled *item,
	    const char *p, size_t len, struct ctx_err *err);

/*
 * Append to an item.  Returns 1; 0 if it is not the last one added or is
 * already large, and another must be added; -1 as above.
 */
int	ctx_spill_more(struct ctx_spill *s, struct ctx_spilled *item,
	    const char *p, size_t len, struct ctx_err *err);

/* The bytes of an item, borrowed until the next call; NULL with *err. */
const char *ctx_spill_get(struct ctx_spill *s,
	    const struct ctx_spilled *item, struct ctx_err *err);

void	ctx_spill_drop(struct ctx_spill *s, struct ctx_spilled *item);

#endif
