/* SPDX-License-Identifier: MIT */
/*
 * A value whose strings are in their shortest spelling, so that they can be
 * compared, and base64 read, byte for byte.  Writers of JSON may spell any
 * character as an escape: PHP and Swift do so with slashes, .NET with + and &.
 */
#ifndef CTX_READ_RESPELLED_H
#define CTX_READ_RESPELLED_H

#include "read/span.h"

/* All zero is empty; its memory is used again. */
struct ctx_respelled {
	struct ctx_buf text;
	struct ctx_doc doc;
};

/*
 * A document with the value at node e of doc, which becomes node *top of it:
 * doc itself, with *top = e, if the value is spelled so; else one that is valid
 * until the next call, with *top = 0.  Their nodes have the same order.  Returns
 * NULL if out of memory.
 */
const struct ctx_doc *ctx_respelled_of(struct ctx_respelled *p,
	    const struct ctx_doc *doc, uint32_t e, uint32_t *top) CTX_CHECKED;

void	ctx_respelled_done(struct ctx_respelled *p);

#endif
