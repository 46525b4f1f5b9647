/* SPDX-License-Identifier: MIT */
/*
 * Does the index of words have what it should?  For check.c.
 */
#ifndef CTX_STORE_SEARCH_CHECK_INDEX_H
#define CTX_STORE_SEARCH_CHECK_INDEX_H

#include "store/db.h"

/*
 * In a read transaction: every message that is said to be indexed is cut again,
 * and the words, with their places, are compared with those in the index.
 * *differ gets the number of messages, about, that differ.
 */
int	ctx_check_index(struct ctx_store *st, int64_t *differ,
	    struct ctx_err *err);

#endif
