/* SPDX-License-Identifier: MIT */
/*
 * A conversation line as the messages in it, system prompts that stand beside
 * them included.
 */
#ifndef CTX_CMD_STORE_SPLIT_H
#define CTX_CMD_STORE_SPLIT_H

#include "base/buf.h"
#include "view/dialect.h"

/* All zero is ready; memory is kept from line to line. */
struct store_split {
	struct ctx_convo one;
	struct ctx_buf line;
};

/* Gets each message as a line of its own, good until it returns. */
typedef int store_split_fn(const char *line, size_t len, void *arg,
	    struct ctx_err *err);

/*
 * 1: all were handed over; 0: the line is not a conversation; -1, also when fn
 * returned that.
 */
int	store_split(struct store_split *s, const char *raw, size_t len,
	    store_split_fn *fn, void *arg, struct ctx_err *err);

void	store_split_done(struct store_split *s);

#endif
