/* SPDX-License-Identifier: MIT */
/*
 * Workspaces: a directory a thread, made when it is first asked for, for its
 * owner alone, under $CTX_WORKSPACES or FILE.d beside the database.  Its name
 * is a random number that the database keeps; what threads, states or imports
 * say about paths never takes part.
 */
#ifndef CTX_STORE_SPACE_H
#define CTX_STORE_SPACE_H

#include "store/store.h"

/* The path, *path NULL if there is none yet.  The caller frees. */
int	ctx_space_find(struct ctx_store *st, const char *thread, char **path,
	    struct ctx_err *err);

/* The same, made if need be. */
int	ctx_space_make(struct ctx_store *st, const char *thread, char **path,
	    struct ctx_err *err);

/*
 * Remove a directory that ctx_space_find named, with all that is in it.
 * Follows no links, crosses no mounts, needs no depth.  Nothing there is fine.
 */
int	ctx_space_remove(const char *path, struct ctx_err *err);

#endif
