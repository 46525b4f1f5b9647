/* SPDX-License-Identifier: MIT */
/*
 * Turns a plan into bytes: what to write for a turn's records, in order, as a
 * list of unchanged records and new texts.
 */
#ifndef CTX_EDIT_EDIT_H
#define CTX_EDIT_EDIT_H

#include "decide/plan.h"
#include "edit/list.h"
#include "edit/patch.h"
#include "edit/relink.h"

struct ctx_piece {
	uint32_t rec;		/* write this record, unless it is text, which
				   is written in its place; CTX_NONE: a new
				   message */
	int is_text;
	size_t off, len;	/* range in edit->text */
};

struct ctx_edit {
	/* member to add to every new message line (--by), and its value */
	const char *by;
	const char *by_value;	/* JSON as it is in the stream */
	size_t by_len;

	/* what links the records of the conversation, or NULL */
	struct ctx_chain *chain;

	/* with a chain: members of records of the source that name another
	   record than before, valid until the next call */
	struct ctx_edit_link {
		uint32_t rec, node;
		uint32_t to;	/* its number in the chain, or CTX_NONE */
	} *link;
	size_t nlink, caplink;

	/* the result, valid until the next call */
	struct ctx_piece *piece;
	size_t npiece, cappiece;
	struct ctx_buf text;

	/* working storage */
	struct ctx_patch patch;
	struct ctx_item *item;
	size_t nitem, capitem;
	struct ctx_buf scratch, list;

	/* the message whose form a new one copies: its record, what the plan
	   changes there, and the message then */
	struct ctx_edit_like {
		struct ctx_doc rec;	/* not owned */
		struct ctx_patch patch;
		struct ctx_buf text;
		struct ctx_doc doc;
	} like;
};

void	ctx_edit_done(struct ctx_edit *e);

/*
 * For a turn without a plan: begin, then add each of its records in order,
 * changed by the current patches of e->patch.  Returns 0, or -1 with
 * CTX_ENOMEM.
 */
void	ctx_edit_begin(struct ctx_edit *e);
int	ctx_edit_rec(struct ctx_edit *e, const struct ctx_convo *c,
	    uint32_t rec, struct ctx_err *err) CTX_CHECKED;

/*
 * Between begin and the end of a turn: add record rec of message lines without the
 * messages that plan drops, or nothing if those are all that it has.  A message of
 * Pydantic AI can be both the system prompt and the user's.
 */
int	ctx_edit_line(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, uint32_t rec,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Append to out the content of message m, which has one, as the settled plan leaves
 * it; this uses e->patch.
 */
int	ctx_edit_content(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, uint32_t m, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Make the object in b a line of its conversation: insert member by (unless
 * NULL) with value[0 .. len) at its front.
 */
int	ctx_edit_add_by(struct ctx_buf *b, const char *by, const char *value,
	    size_t len);

/*
 * Fill e->piece with what to write for c.  plan must be settled and have an
 * order of all messages, unless it changes nothing.
 * Returns: 0, or -1 with CTX_ENOMEM, or CTX_ERANGE for a plan that contradicts
 *          itself.
 */
int	ctx_edit_turn(struct ctx_edit *e, const struct ctx_plan *plan,
	    const struct ctx_convo *c, struct ctx_err *err) CTX_CHECKED;

#endif
