/* SPDX-License-Identifier: MIT */
/*
 * Message lines that are read as one conversation, though a member of theirs
 * tells conversations apart.
 */
#ifndef CTX_VIEW_APART_H
#define CTX_VIEW_APART_H

#include "base/strmap.h"
#include "read/span.h"

#define CTX_APART_MAX	1000	/* more values are not counted */

struct ctx_apart {		/* all zero before the first message */
	const char *name;	/* the member, or NULL */
	int begun;
	struct ctx_strmap values;
};

/* Is there anything to look for? */
static inline int
ctx_apart_open(const struct ctx_apart *a)
{
	return !a->begun || a->name != NULL;
}

/*
 * Look at a message, the object of the document.  If the first one has no such
 * member, nothing is looked for in the others.  Memory that is missing ends the
 * count.
 */
void	ctx_apart_see(struct ctx_apart *a, const struct ctx_doc *doc);
/* Forget all of it. */
void	ctx_apart_done(struct ctx_apart *a);

#endif
