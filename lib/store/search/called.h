/* SPDX-License-Identifier: MIT */
/*
 * Which messages may have calls of a tool, or results from it: those with the
 * tool's name in their texts, as the index finds it, and those that answer them.
 * Others need not be read.
 *
 * What the index cannot tell may have them, too: messages that are not in it,
 * or not by the current rules, and those with a tool that is named by a type,
 * which is no text ("tool-NAME" of AI SDK's user interface).  The latter are
 * listed in the table typed_tool, as far as it goes back.
 */
#ifndef CTX_STORE_SEARCH_CALLED_H
#define CTX_STORE_SEARCH_CALLED_H

#include "store/db.h"

/* All zero except what the caller sets is one that was not asked yet. */
struct ctx_called {
	struct ctx_store *st;		/* set by the caller */
	const char *tool;		/* set by the caller; NULL for any */

	/* private */
	enum { CTX_CALLED_NEW, CTX_CALLED_COUNTED, CTX_CALLED_MADE,
	    CTX_CALLED_NONE } state;
	int64_t asked;			/* so often */
	int64_t named;			/* messages that the index finds */
	int64_t since;			/* typed_tool lists those after it */
	int64_t *id;			/* in order */
	size_t n, cap;
};

/*
 * In a read transaction: may message id be one?  Returns 1, 0, or -1.  The
 * first ones may: the list is made when looking at that many messages takes as
 * long as making it.
 */
int	ctx_called_may(struct ctx_called *c, int64_t id, struct ctx_err *err);

void	ctx_called_done(struct ctx_called *c);

/* The last message of which typed_tool does not tell.  Returns 0 or -1. */
int	ctx_called_since(struct ctx_store *st, int64_t *since,
	    struct ctx_err *err);

/* In a write transaction: nothing is indexed any more. */
int	ctx_called_empty(struct ctx_store *st, struct ctx_err *err);

/*
 * In a write transaction: a message with a tool that is named by a type is
 * added to the index, or removed from it.
 */
int	ctx_called_typed(struct ctx_store *st, int64_t id, int delete,
	    struct ctx_err *err);

#endif
