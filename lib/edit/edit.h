/* SPDX-License-Identifier: MIT */
/*
 * A plan becomes bytes: what a turn's records are to be written as, in order,
 * as whole records that nobody touched and texts that are new.
 */
#ifndef CTX_EDIT_EDIT_H
#define CTX_EDIT_EDIT_H

#include "decide/plan.h"
#include "edit/list.h"
#include "edit/patch.h"

struct ctx_piece {
	uint32_t rec;		/* this record; unless it is text: */
	int is_text;
	size_t off, len;	/* of edit->text */
};

struct ctx_edit {
	/* A member that every new message line gets: --by and its value. */
	const char *by;
	const char *by_value;	/* JSON as it stands in the stream */
	size_t by_len;

	/* the answer, good until the next call */
	struct ctx_piece *piece;
	size_t npiece, cappiece;
	struct ctx_buf text;

	/* working storage */
	struct ctx_patch patch;
	struct ctx_item *item;
	size_t nitem, capitem;
	struct ctx_buf scratch, list;
};

void	ctx_edit_done(struct ctx_edit *e);

/*
 * A turn without a plan: begin, then each of its records in order, changed by
 * what e->patch has at that time.  0, or -1 with *err set to CTX_ENOMEM.
 */
void	ctx_edit_begin(struct ctx_edit *e);
int	ctx_edit_rec(struct ctx_edit *e, const struct ctx_convo *c,
	    uint32_t rec, struct ctx_err *err) CTX_CHECKED;

/*
 * The object in b becomes a line of its conversation: member by (NULL: none)
 * with value[0 .. len) is put in front.
 */
int	ctx_edit_add_by(struct ctx_buf *b, const char *by, const char *value,
	    size_t len);

/*
 * Fill e->piece with what is to be written for c.  plan must be settled and
 * have an order of all messages, unless it changes nothing.
 * Returns 0, or -1 with CTX_ENOMEM (or CTX_ERANGE for a plan that contradicts
 * itself).
 */
int	ctx_edit_turn(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, struct ctx_err *err) CTX_CHECKED;

#endif
