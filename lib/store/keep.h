/* SPDX-License-Identifier: MIT */
/*
 * Maintenance of a store: remove, prune, erase, check, backup, vacuum.
 */
#ifndef CTX_STORE_KEEP_H
#define CTX_STORE_KEEP_H

#include "store/thread.h"

/* Remove a thread with its workspace.  *sum grows by what was removed. */
int	ctx_keep_remove(struct ctx_store *st, const char *thread,
	    struct ctx_removed *sum, struct ctx_err *err);

/* A thread that is removed, or would be; valid until the callback returns. */
struct ctx_gone {
	const char *thread, *user;	/* user may be NULL */
	int64_t updated, messages;
	int64_t bytes;			/* as in measure.h */
};

/* Called before each removal; -1 ends them. */
typedef int ctx_gone_fn(const struct ctx_gone *g, void *arg,
	    struct ctx_err *err);

/*
 * A thread is removed, unless it is pinned or among the newest, if it is too
 * old, or if it is the oldest and what is left is too large.
 */
struct ctx_prune {
	int64_t before;		/* remove those last written before this */
	int64_t max_size;	/* bytes of the file, until the others take at
				 * most this; 0 for any */
	int64_t keep_last;	/* keep this many of the newest threads, */
	int each_user;		/* for each user */
	int ckpts_only;		/* remove old checkpoints, not threads */
	int dry_run;
};

/*
 * Remove threads of the store's user, or of all, with their workspaces, the
 * oldest first, each in its own transaction; one that is written to meanwhile
 * stays.  Or remove, of each context, the old checkpoints except its newest
 * one.  fn may be NULL.
 */
int	ctx_keep_prune(struct ctx_store *st, const struct ctx_prune *how,
	    ctx_gone_fn *fn, void *arg, struct ctx_removed *sum,
	    struct ctx_err *err);

/*
 * Remove everything of the store's user: threads with their workspaces, each
 * in its own transaction, and the state; and then every trace of it in the
 * file and in its log.  What others have too stays theirs.  A call that was
 * interrupted can be repeated.
 *
 * Returns: 0, or -1: CTX_ENO if there is no such user, CTX_ESYSTEM if traces
 *          may be left, because another process reads an older state of the
 *          store; they are removed by the next call, or by ctx_keep_vacuum.
 */
int	ctx_keep_erase(struct ctx_store *st, int dry_run, ctx_gone_fn *fn,
	    void *arg, struct ctx_removed *sum, struct ctx_err *err);

/*
 * Pass a thread to fn, unless that is NULL, as one that is removed; its size
 * also to *bytes, unless that is NULL.
 */
int	ctx_keep_tell(struct ctx_store *st, int64_t thread, ctx_gone_fn *fn,
	    void *arg, int64_t *bytes, struct ctx_err *err);

/*
 * Returns 1 if an automatic prune is due, that is, if the last one is at least
 * a day old, and records the day; 0 if it is not due; or -1.
 */
int	ctx_keep_prune_due(struct ctx_store *st, struct ctx_err *err);

/* Called for each check with its finding, which is "" if nothing is wrong. */
typedef int ctx_check_fn(const char *finding, void *arg, struct ctx_err *err);

struct ctx_checked {
	int64_t threads, contexts, messages, contents, findings;
	int64_t unindexed;	/* if full: not indexed; up to some thousand */
};

/*
 * Run quick_check and check foreign keys and that logs have no gaps; if full
 * is set, also SQLite's integrity_check, every sum and hash (which is what
 * proves the contents, as SQLite has no checksums of its own), and the words
 * in the index.
 */
int	ctx_keep_check(struct ctx_store *st, int full, ctx_check_fn *fn,
	    void *arg, struct ctx_checked *sum, struct ctx_err *err);

/* Does this SQLite have the write-ahead log defect that db.h describes? */
int	ctx_keep_wal_defect(void);
const char *ctx_keep_library(void);

/*
 * Copy the store to a file that must not exist yet; the copy is complete and
 * was checked, as ctx_keep_check does in full, or does not appear.
 */
int	ctx_keep_backup(struct ctx_store *st, const char *path,
	    struct ctx_err *err);

/* Return free pages to the file system, and remove traces of what was there. */
int	ctx_keep_vacuum(struct ctx_store *st, int64_t *before, int64_t *after,
	    struct ctx_err *err);

/*
 * For this folder: the same.  Returns 1, 0 if another process needs the log,
 * which then still has traces, or -1.
 */
int	ctx_keep_compact(struct ctx_store *st, struct ctx_err *err);

#endif
