/* SPDX-License-Identifier: MIT */
/* The index of words; see search.h. */
#include "store/search.h"

#include "store/db.h"

int
ctx_search_add(struct ctx_store *st, int64_t id, const char *raw, size_t len,
    struct ctx_err *err)
{
	(void)st;
	(void)id;
	(void)raw;
	(void)len;
	(void)err;
	return 0;
}

int
ctx_search_forget(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	(void)st;
	(void)thread;
	(void)err;
	return 0;
}
