/* SPDX-License-Identifier: MIT */
/*
 * Converts a conversation to another dialect: its messages as lines, as one
 * conversation line, as an API request, or as text.
 */
#ifndef CTX_EDIT_CONVERT_H
#define CTX_EDIT_CONVERT_H

#include "edit/ledger.h"
#include "edit/own_fix.h"
#include "edit/request.h"
#include "view/branch.h"
#include "view/turn.h"

enum ctx_convert_shape { CTX_AS_CAME, CTX_MESSAGES, CTX_CONVERSATION };

struct ctx_convert {
	/* set by the caller */
	const struct ctx_target *to;
	enum ctx_convert_shape shape;
	int request;			/* the whole of it as a request to the
					   API */
	const char *by;			/* member that tells conversations
					   apart, or NULL */
	int goes_on;			/* continues a history that is
					   elsewhere, so it need not begin with
					   a user */
	struct ctx_request want;	/* what it has beside the messages */
	const struct ctx_api *api;	/* for a request: the server, or NULL */
	const struct ctx_markers *notes;	/* NULL: in English */
	int strict;			/* count what strict readers refuse */
	int decided;			/* the user says in what dialect it is */
	const char *const *only;	/* as in struct ctx_writer */
	size_t nonly;
	/*
	 * For text: only the newest steps that cost no more than budget.  cost
	 * counts text[0 .. len); NULL: all steps.
	 */
	uint64_t budget;
	int (*cost)(void *arg, const char *text, size_t len, uint64_t *n,
	    struct ctx_err *err);
	void *arg;

	struct ctx_branches branches;	/* .each: all are converted */

	/* the result, valid until the next call */
	struct ctx_buf out;
	struct ctx_script script;	/* .loss: totals of all calls so far */
	struct ctx_ledger ledger;	/* with .rows, what became of everything
					   in the source */

	/* working storage */
	struct ctx_linker linker;
	struct ctx_plan plan;
	struct ctx_own own;
	struct ctx_writer writer;
	struct ctx_tools used;
	size_t *ends, capends;
};

void	ctx_convert_done(struct ctx_convert *cv);

/*
 * Convert c, unless that is impossible: then .script.sealed is set and .out is
 * empty.  strand is its conversation of message lines, or NULL if it was
 * read as one conversation line.  Of a tree, its last branch is converted; c is
 * reduced to that.  Returns 0, or -1 with *err.
 */
int	ctx_convert(struct ctx_convert *cv, struct ctx_convo *c,
	    const struct ctx_strand *strand, struct ctx_err *err) CTX_CHECKED;

/*
 * With .branches.each, convert the next branch of c.  Returns 1; 0 if there is none;
 * or -1 with *err.
 */
int	ctx_convert_next(struct ctx_convert *cv, struct ctx_convo *c,
	    const struct ctx_strand *strand, struct ctx_err *err) CTX_CHECKED;

#endif
