/* SPDX-License-Identifier: MIT */
/*
 * Words to messages.  What is indexed is the text of a message, not its JSON:
 * runs of Chinese, Japanese and Korean as overlapping pairs of characters and
 * the last one, everything else as it is.
 */
#ifndef CTX_STORE_SEARCH_H
#define CTX_STORE_SEARCH_H

#include "store/store.h"

/* In a write transaction: index message row id with that line. */
int	ctx_search_add(struct ctx_store *st, int64_t id, const char *raw,
	    size_t len, struct ctx_err *err);

/*
 * In a write transaction: the messages of a thread in the contexts that
 * temp.gone(id) lists are about to be deleted.
 */
int	ctx_search_forget(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

#endif
