/* SPDX-License-Identifier: MIT */
/*
 * What a message is to the window of ctx-truncate: its flags, what it costs,
 * what it refers to.
 */
#ifndef CTX_CMD_TRUNCATE_WEIGH_H
#define CTX_CMD_TRUNCATE_WEIGH_H

#include "cmd/truncate/cut.h"

/* The flags of message m, whose marks are in k->more. */
unsigned cut_flags(const struct cut *k, const struct ctx_convo *c, uint32_t m,
	    struct ctx_stays *stays);

/* Add what message m costs to the item, where costs are wanted. */
int	cut_weigh(struct cut *k, const struct ctx_convo *c, uint32_t m,
	    struct ctx_win_item *item, struct ctx_err *err);

/*
 * Note what messages m to end of c say that may be referred to, and refer to.
 * They are the window's last item; its text will stay at raw.
 */
int	cut_refer(struct cut *k, struct ctx_window *w, struct ctx_refs *refs,
	    const struct ctx_convo *c, uint32_t m, uint32_t end,
	    const char *raw, struct ctx_err *err);

#endif
