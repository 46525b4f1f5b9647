/* SPDX-License-Identifier: MIT */
/* A batch of lines that a server can store by itself. */
#ifndef CTX_STORE_LOG_BATCH_H
#define CTX_STORE_LOG_BATCH_H

#include "store/log.h"

/*
 * Append the lines in one statement, if they are for one context that exists
 * and none of their ids is in use.  A file has no such thing.  Returns 1 if
 * they are stored, 0 if each must be looked at, or -1.
 */
int	ctx_log_batch(struct ctx_store *st, const struct ctx_append *how,
	    struct ctx_entry *lines, size_t n, struct ctx_err *err);

/*
 * In a write transaction that appends to several threads: hold those that
 * exist, in an order that is the same for all processes, so that two of them
 * never wait for each other.
 */
int	ctx_log_batch_hold(struct ctx_store *st, const struct ctx_append *how,
	    struct ctx_err *err);

/*
 * After a failure: is it that of a connection, with nothing stored, and is
 * there a new one?  A file is never lost.
 */
int	ctx_log_batch_again(struct ctx_store *st);

#endif
