/* SPDX-License-Identifier: MIT */
/*
 * Sessions in one SQLite file.  This header and the ones it includes are all
 * that a command sees: whole operations, each of them one transaction (reads
 * of long logs: several short ones), none of them SQL.
 *
 * A store holds threads (sessions).  A thread holds contexts: "main", forks
 * of another one, and subagents.  A context holds the log: messages numbered
 * by seq from 1, never rewritten; a fork goes on counting where its parent was
 * left.  Beside the log stand views, checkpoints, state, memory and files.
 *
 * Promises: when a writing function returned 0, what it wrote is on the disk.
 * When it returned -1, nothing of it was stored, except where its comment says
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
	CTX_STORE_WRITE,	/* the file must be there */
	CTX_STORE_CREATE	/* created if it is not, mode 0600 */
};

/* Names of threads, contexts, checkpoints ...: bytes of UTF-8, no NUL. */
#define CTX_NAME_MAX	1024

/*
 * Open the store at path, NULL for the default: $CTX_DB, else ctx/ctx.db in
 * $XDG_DATA_HOME, else in ~/.local/share.
 *
 * Returns: 0 and *out, which the caller closes, or -1: CTX_ENO when a reader
 *          finds no file, CTX_ESYSTEM when the file is no store of ours, is
 *          damaged, or cannot be opened.  A file that is empty is an empty
 *          store.
 */
int	ctx_store_open(struct ctx_store **out, const char *path,
	    enum ctx_store_mode mode, struct ctx_err *err);

/*
 * 0, or -1 when the last clean-up failed; nothing that was stored is lost by
 * that, and st is gone in any case.  NULL is closed already.
 */
int	ctx_store_close(struct ctx_store *st, struct ctx_err *err);

/* The file's resolved name, for messages. */
const char *ctx_store_path(const struct ctx_store *st);

/* 0, or -1 with CTX_EUSAGE if name is no name (see CTX_NAME_MAX). */
int	ctx_store_name_check(const char *what, const char *name, size_t len,
	    struct ctx_err *err);

#endif
