/* SPDX-License-Identifier: MIT */
/*
 * Parts of edit.c: message lines (edit.c), conversation lines (edit_convo.c) and new
 * messages (edit_new.c) are made of the same patches.  Functions return 0, or -1 with
 * *err.
 *
 * Names: ctx_edit_.
 */
#ifndef CTX_EDIT_EDIT_IMPL_H
#define CTX_EDIT_EDIT_IMPL_H

#include "edit/edit.h"

/* Add to e->item what becomes of an element of list. */
int	ctx_edit_add_item(struct ctx_edit *e, uint32_t list, uint32_t node,
	    enum ctx_item_fate fate, struct ctx_err *err) CTX_CHECKED;

/* List those of the messages [m .. end) that are dropped. */
int	ctx_edit_items_that_go(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, uint32_t m, uint32_t end,
	    struct ctx_err *err) CTX_CHECKED;

/* List the parts of message m that are dropped or moved. */
int	ctx_edit_items(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, uint32_t m,
	    struct ctx_err *err) CTX_CHECKED;

/* Inner lists first, and what is in a list in its order. */
void	ctx_edit_sort_items(struct ctx_edit *e);

/*
 * Edit the lists with items in them, unless the list is inside what was rewritten
 * as a whole.
 */
int	ctx_edit_patch_lists(struct ctx_edit *e, struct ctx_patch *patch,
	    const struct ctx_doc *doc, struct ctx_buf *scratch,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Patch the rewrites in one node of record r, or in all of it for CTX_NONE; what
 * is rewritten as a whole has none inside.
 */
int	ctx_edit_patch_rewrites(struct ctx_patch *patch,
	    const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t r,
	    uint32_t in, struct ctx_err *err) CTX_CHECKED;

/* Patch the new text or id of a part, if it is a string of the record. */
int	ctx_edit_patch_swap(struct ctx_patch *patch,
	    const struct ctx_plan *plan, const struct ctx_convo *c,
	    const struct ctx_doc *doc, const struct ctx_swap *s,
	    struct ctx_err *err) CTX_CHECKED;

/* Patch message m's new texts and ids, and its dropped and moved parts. */
int	ctx_edit_patch_message(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, uint32_t m,
	    struct ctx_err *err) CTX_CHECKED;

/* Append a new message. */
int	ctx_edit_emit_insert(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, const struct ctx_insert *in,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

/* Write the only record of c, a conversation. */
int	ctx_edit_conversation(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, struct ctx_err *err) CTX_CHECKED;

#endif
