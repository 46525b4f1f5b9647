/* SPDX-License-Identifier: MIT */
/*
 * Records of a session that are written follow records that are written.  Only
 * the members that name other records are patched, where those have changed.
 *
 * Names: ctx_relink.
 */
#ifndef CTX_EDIT_RELINK_H
#define CTX_EDIT_RELINK_H

#include "edit/patch.h"
#include "view/chain.h"

enum ctx_relink_as {
	CTX_RELINK_OLD,		/* a record of the source */
	CTX_RELINK_NEW,		/* a new one; it follows what was written last */
	CTX_RELINK_ANSWER	/* the same, unless its parent is beside the
				   branch */
};

/*
 * ch must have a form.  Add to patch what the record at root must name instead, which is written now.
 * Returns 0, or -1 with *err.
 */
int	ctx_relink(struct ctx_chain *ch, const struct ctx_doc *doc,
	    uint32_t root, enum ctx_relink_as as, struct ctx_patch *patch,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * The same for lines: append to out what is written in their place.  Returns 1;
 * 0 if that is the lines themselves; or -1 with *err.
 */
int	ctx_relink_lines(struct ctx_chain *ch, const char *raw, size_t len,
	    enum ctx_relink_as as, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

/* Note that these lines are written.  Returns 0, or -1 with *err. */
int	ctx_relink_note(struct ctx_chain *ch, const char *raw, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

#endif
