/* SPDX-License-Identifier: MIT */
/*
 * Sessions in one SQLite file, or in a database of PostgreSQL (lib/pg).
 * Commands see only this header and those it includes: complete operations
 * without SQL, each of them one transaction (several short ones for reads of
 * long logs).
 *
 * A store holds threads (sessions).  A thread holds contexts: "main", forks of
 * other contexts, and subagents.  A context holds the log: messages numbered
 * by seq from 1 that are never rewritten; a fork continues the numbering of
 * its parent.  Besides the log there are views, checkpoints, state, memory and
 * files.
 *
 * When a writing function has returned 0, what it wrote is on disk.  When it
 * has returned -1, nothing of it was stored, except where its comment says
 * so.  Times are microseconds since 1970 in UTC (base/when.h).
 */
#ifndef CTX_STORE_STORE_H
#define CTX_STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx_store;

enum ctx_store_mode {
	CTX_STORE_READ,		/* changes nothing, creates nothing */
	CTX_STORE_WRITE,	/* the file must exist */
	CTX_STORE_CREATE,	/* created if missing, with mode 0600 */
	/* added: only this machine opens it, whatever its file system is */
	CTX_STORE_SINGLE_HOST = 4
};

/* Names of threads, contexts, checkpoints and so on are UTF-8 without NUL. */
#define CTX_NAME_MAX	1024

/*
 * Open the store at path.  If path is NULL, the default is $CTX_DB, else
 * ctx/ctx.db in $XDG_DATA_HOME, else in ~/.local/share.
 *
 * Returns: 0 with *out, which the caller closes, or -1: CTX_ENO if there is
 *          no file, and none is created, CTX_ESYSTEM if the file is not a
 *          ctx store, is damaged, or cannot be opened.  An empty file is an empty store.
 */
int	ctx_store_open(struct ctx_store **out, const char *path,
	    unsigned mode, struct ctx_err *err);

/*
 * Is it the name of a database, postgresql://... or service=..., not of a file?
 * Only programs that are linked with lib/pg can open it.
 */
int	ctx_store_is_url(const char *path);

/*
 * Before the first store is opened, in a program that uses SQLite only for
 * stores and only in one thread: let SQLite go without locks between threads
 * and without counts of its memory.
 */
void	ctx_store_alone(void);

/*
 * Open a new store in a private folder, which is removed when the store is
 * closed: next to the file near or, if that is NULL, in $TMPDIR, else /tmp.
 */
int	ctx_store_open_temp(struct ctx_store **out, const char *near,
	    struct ctx_err *err);

/*
 * Close the store.  Returns 0, or -1 if the last clean-up failed; nothing
 * stored is lost by that, and st is freed in either case.  NULL is ignored.
 */
int	ctx_store_close(struct ctx_store *st, struct ctx_err *err);

/*
 * Call fn now and then while the store is at work, also in the middle of what takes
 * long; it must not use the store.
 */
void	ctx_store_watch(struct ctx_store *st, void (*fn)(void *arg), void *arg);

/*
 * From now on there are only the threads and the state of this user, borrowed:
 * others are not found or listed, a thread that is created is the user's, and
 * creating one with the name of another's fails with CTX_ENO.  This is a
 * filter: whoever can open the file can read all of it.  NULL removes it.
 * "@last" means the same thread from its first use after this call on, so that
 * what consists of several transactions does not go to several threads.
 */
void	ctx_store_user(struct ctx_store *st, const char *user);

/* The file's resolved name, for messages. */
const char *ctx_store_path(const struct ctx_store *st);

/* Returns 0, or -1 with CTX_EUSAGE if name is not valid (see CTX_NAME_MAX). */
int	ctx_store_name_check(const char *what, const char *name, size_t len,
	    struct ctx_err *err);

#endif
