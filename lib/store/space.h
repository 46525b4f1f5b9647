/* SPDX-License-Identifier: MIT */
/*
 * Workspaces: each thread can have a directory, created on first use,
 * accessible only to its owner, under $CTX_WORKSPACES or FILE.d next to the
 * database.  Its name is a random number that the database stores; paths found
 * in threads, states or imports are never used.
 */
#ifndef CTX_STORE_SPACE_H
#define CTX_STORE_SPACE_H

#include "store/store.h"

/* The path, which the caller frees; *path is NULL if there is none yet. */
int	ctx_space_find(struct ctx_store *st, const char *thread, char **path,
	    struct ctx_err *err);

/* The same, but the workspace is created if necessary. */
int	ctx_space_make(struct ctx_store *st, const char *thread, char **path,
	    struct ctx_err *err);

/*
 * Remove a directory that ctx_space_find returned, with all its contents.  It
 * does not follow links or cross mounts, and it handles any depth.  A missing
 * directory is not an error.
 */
int	ctx_space_remove(const char *path, struct ctx_err *err);

#endif
