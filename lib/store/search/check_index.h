/* SPDX-License-Identifier: MIT */
/*
 * Are the indexes of words and of trigrams correct?  For check.c.
 */
#ifndef CTX_STORE_SEARCH_CHECK_INDEX_H
#define CTX_STORE_SEARCH_CHECK_INDEX_H

#include "store/db.h"

/*
 * In a read transaction: cut every message that is marked as indexed again,
 * and compare its words and their positions, and its trigrams if there is an
 * index of them, with those in the index.  *differ gets the approximate number
 * of messages that differ.
 */
int	ctx_check_index(struct ctx_store *st, int64_t *differ,
	    struct ctx_err *err);

#endif
