/* SPDX-License-Identifier: MIT */
/*
 * Replacements of byte ranges of one record.  They must not overlap and may be
 * added in any order.  All zero is an empty list.  Only what is replaced is
 * copied.
 */
#ifndef CTX_EDIT_PATCH_H
#define CTX_EDIT_PATCH_H

#include "base/buf.h"

struct ctx_patch_one {
	size_t off, len;	/* range in the record */
	size_t text, textlen;	/* range in patch->text */
};

struct ctx_patch {
	struct ctx_patch_one *one;	/* sorted by off */
	size_t n, cap;
	struct ctx_buf text;
};

void	ctx_patch_reset(struct ctx_patch *p);
void	ctx_patch_done(struct ctx_patch *p);

/*
 * Replace raw[off .. off+len) with text[0 .. textlen).
 *
 * Units:   bytes from the start of the record; len 0 inserts.
 * Owns:   text is copied, the caller keeps its own.
 * Returns: 0, or -1 with *err set to CTX_ERANGE (overlaps an earlier range) or
 *          CTX_ENOMEM; p is then unchanged.
 */
int	ctx_patch_add(struct ctx_patch *p, size_t off, size_t len,
	    const char *text, size_t textlen, struct ctx_err *err) CTX_CHECKED;

/* Does one patch replace all of raw[off .. off+len)? */
int	ctx_patch_covers(const struct ctx_patch *p, size_t off, size_t len);

/*
 * Append raw[from .. to) to out with the patches inside that range applied.
 * Every patch must be either inside or outside of the range; an insertion at to
 * is outside.
 */
int	ctx_patch_apply(const struct ctx_patch *p, const char *raw, size_t from,
	    size_t to, struct ctx_buf *out);

/* Forget the patches inside [from .. to), whose result was used elsewhere. */
void	ctx_patch_absorb(struct ctx_patch *p, size_t from, size_t to);

#endif
