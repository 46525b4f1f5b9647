/* SPDX-License-Identifier: MIT */
/*
 * Elements out of a JSON array, members out of an object, with their comma;
 * and elements in another order.
 */
#ifndef CTX_EDIT_LIST_H
#define CTX_EDIT_LIST_H

#include "edit/patch.h"
#include "read/span.h"

enum ctx_item_fate { CTX_ITEM_STAYS, CTX_ITEM_GOES, CTX_ITEM_FRONT };

/* What becomes of the element (or member value) at node. */
struct ctx_item {
	uint32_t list;		/* the array or object */
	uint32_t node;
	enum ctx_item_fate fate;
};

/*
 * Patch one list: item[0 .. n) are its elements that do not just stay, in
 * document order.  Patches inside the elements must have been added before.
 * White space between elements that stay is kept; where order changes,
 * elements are joined by a comma.
 */
int	ctx_list_edit(struct ctx_patch *p, const struct ctx_doc *doc,
	    const struct ctx_item *item, size_t n, struct ctx_buf *scratch,
	    struct ctx_err *err) CTX_CHECKED;

/* How many elements or members node has. */
size_t	ctx_list_count(const struct ctx_doc *doc, uint32_t list);

#endif
