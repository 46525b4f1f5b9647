/* SPDX-License-Identifier: MIT */
/*
 * The full track: messages appended and read back byte for byte.
 */
#ifndef CTX_STORE_LOG_H
#define CTX_STORE_LOG_H

#include "store/entry.h"
#include "store/thread.h"

struct ctx_append {
	struct ctx_where where;		/* made if it is not there */
	struct ctx_make make;
	const char *user;		/* whose thread it is; NULL: as it is */
	const char *view;		/* extended too, NULL: none */
	int64_t expect_seq;		/* of the first line; 0: any */
	int64_t turn;			/* of all lines; 0: counted */
	int conflict_new;		/* same id, other content: store it */
	int no_index;			/* search finds it after a reindex */
	int atomic;			/* all lines or none */
};

/*
 * Append lines[0 .. n) in one transaction.  A line whose id is in that context
 * already, with the same bytes, is not stored again; with other bytes it is an
 * error (unless conflict_new).
 *
 * Returns: 0, or -1: CTX_EINPUT with err->line the index of the bad line + 1,
 *          CTX_ENO if expect_seq is not where the log ends, or the thread is
 *          another user's.  *done lines are
 *          on disk in both cases.
 */
int	ctx_log_append(struct ctx_store *st, const struct ctx_append *how,
	    struct ctx_entry *lines, size_t n, size_t *done,
	    struct ctx_err *err);

/* Which messages: every limit that is set counts. */
struct ctx_range {
	int64_t from_seq, to_seq;	/* inclusive; 0: open */
	int64_t last;			/* the newest n; 0: all */
	int64_t from_turn, to_turn;	/* inclusive; -1: open */
	const char *ckpt;		/* up to this checkpoint; NULL: all */
	const char *view;		/* as the view has it; NULL: the log */
	int64_t view_n;			/* its version, 0: the newest */
	int with_parent;		/* a subagent's parent before it */
};
#define CTX_RANGE_ALL	{ .from_turn = -1, .to_turn = -1 }

struct ctx_message {
	int64_t seq, turn, ts;		/* seq 0: a view's own text */
	const char *mid, *role;		/* "" for none */
	const char *raw;
	size_t len;
};
typedef int ctx_message_fn(const struct ctx_message *m, void *arg,
	    struct ctx_err *err);

/*
 * Hand each message to fn, in order, its bytes checked against their sum.  No
 * transaction is open while fn runs; fn returning -1 ends it.
 */
int	ctx_log_read(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_range *r, ctx_message_fn *fn, void *arg,
	    struct ctx_err *err);

/* Of all messages of a context; a fork's parents' are among them. */
struct ctx_tokens {
	int64_t messages, counted;	/* counted: those with a number */
	int64_t tokens;			/* of them */
};
int	ctx_log_tokens(struct ctx_store *st, const struct ctx_where *w,
	    struct ctx_tokens *sum, struct ctx_err *err);

/*
 * The sum that is stored with a message: CRC-32C of its line, mixed with its
 * place, so that a damaged index that leads to another row is seen too.
 * Mixing twice gives the CRC back.
 */
uint32_t ctx_log_sum_mix(uint32_t crc, int64_t seq);
uint32_t ctx_log_line_sum(const char *line, size_t len, int64_t seq);

#endif
