/* SPDX-License-Identifier: MIT */
/* Members of an object that is JSON in a buffer: what is small and made by us. */
#ifndef CTX_EDIT_MEMBER_H
#define CTX_EDIT_MEMBER_H

#include "read/node.h"

/*
 * Set the member of the object in b to json, or remove it if json.p is NULL.  In a name
 * like "a.b", b is a member of the object a, which is made if there is none.  A new
 * member comes last.  Returns 0, or -1 with *err.
 */
int	ctx_member_set(struct ctx_buf *b, const char *name, struct ctx_str json,
	    struct ctx_err *err) CTX_CHECKED;

/* The bytes of doc that go with the member of object that has this value. */
void	ctx_member_range(const struct ctx_doc *doc, uint32_t object,
	    uint32_t value, size_t *from, size_t *to);

/* The node of the member of that name, which may be "a.b", or CTX_NONE. */
uint32_t ctx_member_find(const struct ctx_doc *doc, uint32_t object,
	    const char *name);

#endif
