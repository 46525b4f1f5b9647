/* SPDX-License-Identifier: MIT */
/*
 * What is intact of a thread in a damaged store, and its place once the gaps
 * are closed.  For recover.c, which writes it to a new store.  Initially all
 * zero except st, fn and arg.
 */
#ifndef CTX_STORE_PORT_SALVAGE_H
#define CTX_STORE_PORT_SALVAGE_H

#include "store/db.h"
#include "store/port/rowkind.h"
#include "store/port/recover.h"

/* A context, found or made up, and what is left of its log. */
struct ctx_salvaged {
	int64_t id, parent;		/* parent -1 for none */
	int64_t parent_seq;		/* original number */
	int64_t first, next;		/* original seqs */
	int64_t new_first;
	int64_t *seq;			/* of the intact messages */
	size_t nseq, cap;
	int fork, found;
};

struct ctx_salvage {
	struct ctx_store *st;		/* the damaged store */
	ctx_lost_fn *fn;
	void *arg;
	int64_t lost;			/* number of calls of fn */
	int stop;			/* a failure that is not due to st */
	unsigned unread;		/* tables already reported as lost */

	/* The current thread: */
	int64_t thread;
	struct ctx_buf name;
	int named;			/* its row has the name */
	struct ctx_salvaged *context;
	size_t ncontext, cap;
	struct ctx_buf text;		/* the contents read last */
	struct ctx_buf view;		/* the view looked at last */
	int view_whole;			/* is it intact? */
	struct ctx_buf memory;		/* the memory whose parts are moved */
	int64_t pos, at;		/* its last part, and the new place */
};

/* Report a loss.  Returns 0, or -1 if fn asked to stop. */
int	ctx_salvage_lost(struct ctx_salvage *s, struct ctx_err *err,
	    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/*
 * Handle the failure *why.  If it is due to the damaged store, report a loss
 * and return 0; otherwise return -1 with *err set.
 */
int	ctx_salvage_told(struct ctx_salvage *s, const char *what,
	    struct ctx_err *why, struct ctx_err *err);

/*
 * Returns 1 for a row of q, 0 if there is none or it cannot be read, or -1 if
 * out of memory.
 */
int	ctx_salvage_row(struct ctx_salvage *s, sqlite3_stmt *q,
	    struct ctx_err *err);

/*
 * Move to the next thread that any row refers to.  Returns 1, 0 if there is
 * none, or -1.
 */
int	ctx_salvage_thread(struct ctx_salvage *s, struct ctx_err *err);

/* Set the thread's name, a new one if the name is lost.  Returns 0 or -1. */
int	ctx_salvage_name(struct ctx_salvage *s, struct ctx_err *err);

/*
 * Find its contexts, parents before their children, with their messages.
 * Returns 0 or -1.
 */
int	ctx_salvage_contexts(struct ctx_salvage *s, struct ctx_err *err);

/* The context with that id, or NULL. */
struct ctx_salvaged *ctx_salvage_find(struct ctx_salvage *s, int64_t id);

/* The new number of the newest message up to seq; 0 if there is none. */
int64_t	ctx_salvage_seq(struct ctx_salvage *s, const struct ctx_salvaged *c,
	    int64_t seq);

/* The new number of message seq of c itself; 0 if it is not intact. */
int64_t	ctx_salvage_number(const struct ctx_salvaged *c, int64_t seq);

/*
 * Is message seq of the context, whose JSON, body and sum are the columns of
 * q from col on, intact?  Returns 1 with the line in s->text, or 0, perhaps
 * with a reason in *why.
 */
int	ctx_salvage_message(struct ctx_salvage *s, sqlite3_stmt *q,
	    int64_t context, int64_t seq, int col, struct ctx_err *why);

/* Is the row intact: its owner and its contents?  Returns 1, 0, or -1. */
int	ctx_salvage_whole(struct ctx_salvage *s, const struct ctx_rowkind *k,
	    sqlite3_stmt *q, struct ctx_err *err);

/*
 * The row's number among the remaining parts of a memory, whose gaps are
 * closed like those of messages.  *gone gets the number of rows missing
 * directly before it.
 */
int64_t	ctx_salvage_part(struct ctx_salvage *s, const struct ctx_rowkind *k,
	    sqlite3_stmt *q, int64_t *gone);

/* Forget the current thread before moving to the next. */
void	ctx_salvage_forget(struct ctx_salvage *s);
void	ctx_salvage_done(struct ctx_salvage *s);

#endif
