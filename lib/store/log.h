/* SPDX-License-Identifier: MIT */
/*
 * The log: messages are appended and read back byte for byte.
 */
#ifndef CTX_STORE_LOG_H
#define CTX_STORE_LOG_H

#include "base/strmap.h"
#include "store/entry.h"
#include "store/thread.h"

struct ctx_append {
	struct ctx_where where;		/* created if it does not exist */
	const struct ctx_strmap *threads; /* names with their NUL, of which
					   lines have the number; or NULL: all
					   lines are for where.thread */
	struct ctx_make make;
	const char *view;		/* a view to extend as well, or NULL, */
	size_t seen;			/* which has this many of the first
					   lines already */
	int64_t expect_seq;		/* of the first line; 0 for any */
	int64_t turn;			/* of all lines; 0 to count turns */
	int conflict_new;		/* same id, other content: store it */
	int no_index;			/* not searchable until a reindex */
	int atomic;			/* store all lines or none */
	/* NULL, or called in the transaction, before the lines are stored: -1
	   refuses them */
	int (*check)(struct ctx_store *, const struct ctx_entry *line,
	    size_t n, void *arg, struct ctx_err *);
	void *arg;
};

/*
 * Append lines[0 .. n) in one transaction.  A line whose id is already in the
 * context is not stored again if its bytes are the same; if they differ, it is
 * an error (unless conflict_new is set).
 *
 * Returns: 0, or -1: CTX_EINPUT with err->line set to the index of the bad
 *          line + 1, or CTX_ENO if expect_seq is not the end of the log, or if
 *          the thread belongs to another user (store.h).  In both cases *done
 *          lines are on disk.  With several threads, CTX_ENO also has err->line
 *          set, and no line is on disk.
 */
int	ctx_log_append(struct ctx_store *st, const struct ctx_append *how,
	    struct ctx_entry *lines, size_t n, size_t *done,
	    struct ctx_err *err);

/* A log that is read again and again; all zero before the first time. */
struct ctx_log_same {
	int64_t thread, context, created;
	int64_t end;	/* the seq of its last message */
};

/* Which messages to read; all limits that are set must hold. */
struct ctx_range {
	int64_t from_seq, to_seq;	/* inclusive; 0 for no limit */
	int64_t last;			/* the newest n; 0 for all */
	int64_t from_turn, to_turn;	/* inclusive; -1 for no limit */
	const char *ckpt;		/* up to this one; NULL for all */
	const char *view;		/* as in this view; NULL for the log */
	int64_t view_n;			/* its version; 0 for the newest */
	int with_parent;		/* put a subagent's parent before it */
	struct ctx_log_same *same;	/* NULL, or what was read before: of
					   another log, nothing is read */
};
#define CTX_RANGE_ALL	{ .from_turn = -1, .to_turn = -1 }

struct ctx_message {
	int64_t seq, turn, ts;		/* seq 0 for a view's own text */
	const char *mid, *role;		/* or "" */
	const char *raw;
	size_t len;
};
typedef int ctx_message_fn(const struct ctx_message *m, void *arg,
	    struct ctx_err *err);

/*
 * Pass each message to fn, in order, after checking its bytes against their
 * sum.  No transaction is open while fn runs; if fn returns -1, reading stops.
 * CTX_ENO: there is no such log, or it is another one than before.
 */
int	ctx_log_read(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_range *r, ctx_message_fn *fn, void *arg,
	    struct ctx_err *err);

/*
 * Pass those of the messages to fn whose role is not user, assistant or tool.
 * The time depends on how many they are, in files of this version.
 */
int	ctx_log_beside(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_range *r, ctx_message_fn *fn, void *arg,
	    struct ctx_err *err);

/*
 * Totals over all messages of a context, including those of a fork's parents.
 */
struct ctx_tokens {
	int64_t messages, counted;	/* counted: those with a token count */
	int64_t tokens;			/* their sum */
};
int	ctx_log_tokens(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_tokens *sum, struct ctx_err *err);

/*
 * The sum that is stored with a message: the CRC-32C of its line, mixed with
 * its position, so that a damaged index that leads to another row is also
 * detected.  Mixing twice gives the CRC back.
 */
uint32_t ctx_log_sum_mix(uint32_t crc, int64_t seq);
uint32_t ctx_log_line_sum(const char *line, size_t len, int64_t seq);

#endif
