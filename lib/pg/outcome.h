/* SPDX-License-Identifier: MIT */
/*
 * What became of a transaction whose connection was lost before the server
 * answered.
 *
 * Each transaction that writes also inserts a row with a token of its own into
 * the table "done".  To ask what became of it, a new connection writes the same
 * row: if it is there, the transaction was committed; if not, it is there now,
 * and the transaction, which may still be on its way, can never be committed.
 * As the question is a commit itself, its answer comes no earlier than from the
 * standby that commits wait for.
 */
#ifndef CTX_PG_OUTCOME_H
#define CTX_PG_OUTCOME_H

#include "pg/conn.h"

/* Take a new token for the transaction that comes. */
int	ctx_outcome_token(struct ctx_store *st, struct ctx_err *err);

/* Commit the transaction, and reconnect if the connection is lost. */
int	ctx_outcome_commit(struct ctx_store *st, struct ctx_err *err);

/*
 * After a failure that may have been the loss of the connection: reconnect and
 * ask.  seq and turn get what the statement put beside the token.  Returns 1 if
 * the transaction was committed, or -1: err is then set, if it was not.
 */
int	ctx_outcome_ask(struct ctx_store *st, int64_t *seq, int64_t *turn,
	    struct ctx_err *err);

/*
 * Is the last failure that of a connection, and nothing of the transaction
 * stored, and a server there again?
 */
int	ctx_outcome_again(struct ctx_store *st);

/* Wait until all that was read is as safe as a commit. */
int	ctx_outcome_settle(struct ctx_store *st, struct ctx_err *err);

/* Sometimes, remove the tokens of more than an hour ago. */
void	ctx_outcome_sweep(struct ctx_store *st);

#endif
