/* SPDX-License-Identifier: MIT */
#include "store/log_batch.h"

int
ctx_log_batch(struct ctx_store *st, const struct ctx_append *how,
    struct ctx_entry *lines, size_t n, struct ctx_err *err)
{
	(void)st;
	(void)how;
	(void)lines;
	(void)n;
	(void)err;
	return 0;
}

int
ctx_log_batch_hold(struct ctx_store *st, const struct ctx_append *how,
    struct ctx_err *err)
{
	(void)st;
	(void)how;
	(void)err;
	return 0;
}

int
ctx_log_batch_again(struct ctx_store *st)
{
	(void)st;
	return 0;
}
