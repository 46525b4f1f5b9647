/* SPDX-License-Identifier: MIT */
/*
 * Walk the files of a tree in the order of their names, leaving out .git and
 * what .gitignore files exclude (also those of the folders above, up to the
 * one that holds .git).  Symbolic links in the tree are not followed.
 */
#ifndef CTX_DIGEST_WALK_H
#define CTX_DIGEST_WALK_H

#include "base/err.h"

struct ctx_walk {
	/* Called for each regular file; -1 with *err set ends the walk. */
	int (*file)(const char *path, void *arg, struct ctx_err *err);
	/*
	 * Called for a folder that cannot be read, with the reason in *err;
	 * the walk continues.
	 */
	void (*trouble)(const char *path, void *arg, const struct ctx_err *err);
	void *arg;
	int all;		/* include what .gitignore excludes */
};

/* Returns 0, or -1 with *err set by a callback or for want of memory. */
int	ctx_walk_tree(const struct ctx_walk *w, const char *top,
	    struct ctx_err *err) CTX_CHECKED;

#endif
