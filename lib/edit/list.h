/* SPDX-License-Identifier: MIT */
/*
 * Removes elements from a JSON array or members from an object, with their
 * commas, and reorders elements.
 */
#ifndef CTX_EDIT_LIST_H
#define CTX_EDIT_LIST_H

#include "edit/patch.h"
#include "read/span.h"

enum ctx_item_fate { CTX_ITEM_STAYS, CTX_ITEM_GOES, CTX_ITEM_FRONT };

/* What becomes of the element or member value at node. */
struct ctx_item {
	uint32_t list;		/* the array or object */
	uint32_t node;
	enum ctx_item_fate fate;
};

/*
 * Patch one list: item[0 .. n) are the elements that do not simply stay, in
 * document order.  Patches inside the elements must be added before the call.
 * White space between elements that stay is kept; where the order changes,
 * elements are joined with a comma.
 */
int	ctx_list_edit(struct ctx_patch *p, const struct ctx_doc *doc,
	    const struct ctx_item *item, size_t n, struct ctx_buf *scratch,
	    struct ctx_err *err) CTX_CHECKED;

/* The number of elements or members of list. */
size_t	ctx_list_count(const struct ctx_doc *doc, uint32_t list);

#endif
