/* SPDX-License-Identifier: MIT */
/*
 * What is whole of a thread in a damaged store, and where it goes when the
 * holes close up.  For recover.c, which writes it into a new one.  All zero but
 * st, fn and arg is nothing found yet.
 */
#ifndef CTX_STORE_PORT_SALVAGE_H
#define CTX_STORE_PORT_SALVAGE_H

#include "store/db.h"
#include "store/port/rowkind.h"
#include "store/port/recover.h"

/* A context, found or made up, and what is left of its log. */
struct ctx_salvaged {
	int64_t id, parent;		/* parent -1: none */
	int64_t parent_seq;		/* as it was */
	int64_t first, next;		/* seqs, as they were */
	int64_t new_first;
	int64_t *seq;			/* of messages that are whole */
	size_t nseq, cap;
	int fork, found;
};

struct ctx_salvage {
	struct ctx_store *st;		/* the damaged one */
	ctx_lost_fn *fn;
	void *arg;
	int64_t lost;			/* times that fn was called */
	int stop;			/* a failure that is not st's fault */
	unsigned unread;		/* tables that were told as lost */

	/* the thread in hand */
	int64_t thread;
	struct ctx_buf name;
	int named;			/* by its row */
	struct ctx_salvaged *context;
	size_t ncontext, cap;
	struct ctx_buf text;		/* the contents that were read last */
};

/* Say that something is lost.  0, or -1 when fn wants no more. */
int	ctx_salvage_lost(struct ctx_salvage *s, struct ctx_err *err,
	    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/*
 * After a failure, *why: one of the damaged store is told as lost, 0.  -1 for
 * any other, and *err says which.
 */
int	ctx_salvage_told(struct ctx_salvage *s, const char *what,
	    struct ctx_err *why, struct ctx_err *err);

/* 1: a row of q; 0: there is none, or it cannot be read; -1: no memory. */
int	ctx_salvage_row(struct ctx_salvage *s, sqlite3_stmt *q,
	    struct ctx_err *err);

/* On to the next thread that some row speaks of.  1; 0: there is none; -1. */
int	ctx_salvage_thread(struct ctx_salvage *s, struct ctx_err *err);

/* The thread's name, made up if it is gone.  0 or -1. */
int	ctx_salvage_name(struct ctx_salvage *s, struct ctx_err *err);

/* Its contexts, parents before their children, with their messages.  0, -1. */
int	ctx_salvage_contexts(struct ctx_salvage *s, struct ctx_err *err);

/* The context of that id; NULL if there is none. */
struct ctx_salvaged *ctx_salvage_find(struct ctx_salvage *s, int64_t id);

/* The number that the newest message up to seq has now; 0: there is none. */
int64_t	ctx_salvage_seq(struct ctx_salvage *s, const struct ctx_salvaged *c,
	    int64_t seq);

/* The number that the message seq of c itself has now; 0: it is not whole. */
int64_t	ctx_salvage_number(const struct ctx_salvaged *c, int64_t seq);

/*
 * Is the message seq whole, whose JSON, body and sum are the columns of q from
 * col on?  Then its line is s->text.  1 or 0, with a reason in *why or none.
 */
int	ctx_salvage_message(struct ctx_salvage *s, sqlite3_stmt *q,
	    int64_t seq, int col, struct ctx_err *why);

/* Is the row whole: what owns it, and its contents?  1, 0, -1. */
int	ctx_salvage_whole(struct ctx_salvage *s, const struct ctx_rowkind *k,
	    sqlite3_stmt *q, struct ctx_err *err);

/*
 * Which part of a memory the row is, of those that are left: they close up like
 * messages.  *gone is how many rows are missing directly before it.
 */
int64_t	ctx_salvage_part(struct ctx_salvage *s, const struct ctx_rowkind *k,
	    sqlite3_stmt *q, int64_t *gone);

/* On to another thread. */
void	ctx_salvage_forget(struct ctx_salvage *s);
void	ctx_salvage_done(struct ctx_salvage *s);

#endif
