/* SPDX-License-Identifier: MIT */
/*
 * Import sessions of other programs, with their threads and subagents.
 * Importing the same file again, or a longer one, adds what is new; a file
 * that begins differently is refused (CTX_EINPUT).
 *
 * Names: ctx_batch_, ctx_langgraph_, ctx_llm_.
 */
#ifndef CTX_STORE_PORT_FOREIGN_H
#define CTX_STORE_PORT_FOREIGN_H

#include "store/log.h"

enum ctx_foreign {
	CTX_FOREIGN_CLAUDE_CODE,	/* a session's .jsonl */
	CTX_FOREIGN_CODEX,		/* a rollout's .jsonl */
	CTX_FOREIGN_LANGGRAPH,		/* SqliteSaver's database */
	CTX_FOREIGN_AGENTS,		/* OpenAI Agents' SQLiteSession */
	CTX_FOREIGN_LLM			/* llm's logs.db */
};

/*
 * Set the role of a line of a shape that the store does not know, and whether it
 * opens a turn.  Returns 0, or -1 with CTX_ENOMEM.
 */
typedef int ctx_foreign_role_fn(void *arg, struct ctx_entry *line,
	    struct ctx_err *err);

struct ctx_foreign_sum {
	/* set by the caller; NULL: such a line keeps the word that it has */
	ctx_foreign_role_fn *role;
	void *arg;

	/* what was imported or exported */
	int64_t threads, messages, checkpoints;
};

/*
 * Import a file.  Each thread is stored in a few transactions; what was stored
 * before a failure stays.  CTX_EINPUT if the file is not of that kind.
 */
int	ctx_foreign_import(struct ctx_store *st, enum ctx_foreign kind,
	    const char *path, struct ctx_foreign_sum *sum,
	    struct ctx_err *err);

/*
 * Write the checkpoints of threads (names NULL for all) to a new LangGraph
 * database at path, which must not exist.  What was imported is written
 * unchanged, row for row.  The state of one of our own checkpoints, unless it
 * is in LangGraph's form, becomes its channel_values.  A subagent's
 * checkpoints become a thread of that name.
 */
int	ctx_langgraph_export(struct ctx_store *st, const char *path,
	    const char *const *names, size_t n, struct ctx_foreign_sum *sum,
	    struct ctx_err *err);

/* The rest is for the files of this folder. */

/* Lines of one context, borrowed: raw and len are set. */
struct ctx_batch {
	struct ctx_entry *line;
	size_t n, cap;
	struct ctx_buf text;	/* holds lines that were generated */
	size_t system;		/* llm.c: line of the system prompt + 1 */
};

/*
 * Add a line; its bytes are copied to text.  It is scanned when it is stored;
 * then its ts counts if it has no time of its own.
 */
int	ctx_batch_add(struct ctx_batch *b, const char *raw, size_t len,
	    struct ctx_err *err);
void	ctx_batch_done(struct ctx_batch *b);

/*
 * Store a log: lines that are already stored must be the same, and the others
 * are appended.
 */
int	ctx_foreign_store(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_make *make, struct ctx_batch *b,
	    struct ctx_foreign_sum *sum, struct ctx_err *err);

int	ctx_foreign_database(struct ctx_store *st, enum ctx_foreign kind,
	    const char *path, struct ctx_foreign_sum *sum,
	    struct ctx_err *err);

#endif
