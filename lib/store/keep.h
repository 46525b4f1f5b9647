/* SPDX-License-Identifier: MIT */
/*
 * Maintenance of a store: prune, check, backup, vacuum.
 */
#ifndef CTX_STORE_KEEP_H
#define CTX_STORE_KEEP_H

#include "store/thread.h"

/* Remove a thread with its workspace.  *sum grows by what was removed. */
int	ctx_keep_remove(struct ctx_store *st, const char *thread,
	    struct ctx_removed *sum, struct ctx_err *err);

struct ctx_prune {
	int64_t before;		/* only if last written before this time */
	int64_t keep_last;	/* keep this many of the newest threads */
	int ckpts_only;		/* remove old checkpoints, not threads */
	int dry_run;
};

/*
 * Called for each thread before it is removed, or if it would be; -1 ends the
 * pruning.
 */
typedef int ctx_prune_fn(const char *thread, int64_t updated, void *arg,
	    struct ctx_err *err);

/*
 * Remove old threads that are not pinned, with their workspaces, each in its
 * own transaction; or, of each context, the old checkpoints except its newest
 * one.  fn may be NULL.
 */
int	ctx_keep_prune(struct ctx_store *st, const struct ctx_prune *how,
	    ctx_prune_fn *fn, void *arg, struct ctx_removed *sum,
	    struct ctx_err *err);

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
 * Copy the store to a file that must not exist yet; the copy is complete or
 * does not appear.
 */
int	ctx_keep_backup(struct ctx_store *st, const char *path,
	    struct ctx_err *err);

/* Return free pages to the file system. */
int	ctx_keep_vacuum(struct ctx_store *st, int64_t *before, int64_t *after,
	    struct ctx_err *err);

#endif
