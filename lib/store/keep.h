/* SPDX-License-Identifier: MIT */
/*
 * Keeping a store in order: prune, check, backup, vacuum.
 */
#ifndef CTX_STORE_KEEP_H
#define CTX_STORE_KEEP_H

#include "store/thread.h"

/* Remove a thread with its workspace.  *sum grows by what is gone. */
int	ctx_keep_remove(struct ctx_store *st, const char *thread,
	    struct ctx_removed *sum, struct ctx_err *err);

struct ctx_prune {
	int64_t before;		/* last written before this time */
	int64_t keep_last;	/* of the newest threads, these stay */
	int ckpts_only;		/* older checkpoints, not threads */
	int dry_run;
};

/*
 * What goes or would go: one thread (place: its workspace's path or NULL).
 * Called before it is removed; -1 ends the pruning.
 */
typedef int ctx_prune_fn(const char *thread, int64_t updated, void *arg,
	    struct ctx_err *err);

/*
 * Remove the threads that are not pinned, a transaction each, with their
 * workspaces; or of each context the checkpoints that are too old, but never
 * its newest one.
 */
int	ctx_keep_prune(struct ctx_store *st, const struct ctx_prune *how,
	    ctx_prune_fn *fn, void *arg, struct ctx_removed *sum,
	    struct ctx_err *err);

/*
 * 1 if an automatic prune is due: the last one is a day old or more; then the
 * day is noted.  0 if not, -1.
 */
int	ctx_keep_prune_due(struct ctx_store *st, struct ctx_err *err);

/* A finding of a check; "" for what is fine. */
typedef int ctx_check_fn(const char *finding, void *arg, struct ctx_err *err);

struct ctx_checked {
	int64_t threads, contexts, messages, contents, findings;
	int64_t unindexed;	/* with full: messages, up to some thousand */
};

/*
 * quick_check, foreign keys, logs without holes; with full also SQLite's
 * integrity_check, every sum and hash (that is what proves the contents,
 * SQLite has no sums of its own), and the words in the index.
 */
int	ctx_keep_check(struct ctx_store *st, int full, ctx_check_fn *fn,
	    void *arg, struct ctx_checked *sum, struct ctx_err *err);

/* Does this SQLite have the write-ahead log defect that db.h tells of? */
int	ctx_keep_wal_defect(void);
const char *ctx_keep_library(void);

/* A copy to a file that is not there yet: whole, or not at all. */
int	ctx_keep_backup(struct ctx_store *st, const char *path,
	    struct ctx_err *err);

/* Give free pages back to the file system. */
int	ctx_keep_vacuum(struct ctx_store *st, int64_t *before, int64_t *after,
	    struct ctx_err *err);

#endif
