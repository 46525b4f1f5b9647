/* SPDX-License-Identifier: MIT */
/*
 * Subagents: a subagent is a context with a history of its own that starts
 * with its task, and it hands back one result.
 */
#ifndef CTX_STORE_AGENT_H
#define CTX_STORE_AGENT_H

#include "base/buf.h"
#include "store/thread.h"

struct ctx_spawn {
	const char *task;
	const char *call;	/* id of the parent's tool call, or NULL */
	int64_t max_loops;	/* -1 for no limit */
};

/*
 * Create "subagent-xxxxxxxx" below the context w.  Its first message is the
 * task; its state has context_id, parent_context, loops and max_loops.
 */
int	ctx_agent_spawn(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_spawn *how, char id[CTX_CONTEXT_ID_SIZE],
	    struct ctx_err *err);

struct ctx_finish {
	const char *result;	/* NULL for its newest assistant message */
	size_t result_len;
	int failed;
	int64_t loops;		/* -1 for the number in its state */
	int as_message;		/* print a tool message for the parent */
	const char *call;	/* its tool_call_id; NULL: the spawn's */
};

/*
 * Append one line to out: {"ok":..,"result":..,"context_id":..,"loops":..}, or
 * a message with that as its content.  The line is also kept in the subagent's
 * state as "finished".
 */
int	ctx_agent_finish(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_finish *how, struct ctx_buf *out,
	    struct ctx_err *err);

#endif
