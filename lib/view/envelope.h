/* SPDX-License-Identifier: MIT */
/*
 * Session logs whose records have an id and name the record that they follow,
 * so that they form a tree: the branch that is still sent, and the frame of a
 * new record.
 */
#ifndef CTX_VIEW_ENVELOPE_H
#define CTX_VIEW_ENVELOPE_H

#include "view/dialect.h"

/* For struct ctx_dialect's branches: of dialect d, which has a chain. */
int	ctx_envelope_branches(const struct ctx_convo *c, uint32_t tip,
	    const struct ctx_dialect *d, unsigned char *gone) CTX_CHECKED;

/*
 * Set gone[] of the messages of that dialect whose records are not on the branch:
 * on[] has those that are.  If one block of a message is, all its blocks are.
 */
int	ctx_envelope_beside(const struct ctx_convo *c,
	    const struct ctx_dialect *of, const unsigned char *on,
	    unsigned char *gone) CTX_CHECKED;

/*
 * Begin a record {"parentUuid":...,"uuid":... after the neighbour, with the
 * members that its neighbours share.
 */
void	ctx_envelope_emit(struct ctx_buf *out, const struct ctx_new *what);

/* A number that depends only on what the record says and on its parent. */
uint64_t ctx_envelope_hash(struct ctx_str parent, const struct ctx_new *what);

#endif
