/* SPDX-License-Identifier: MIT */
/*
 * The files of a tree, in the order of their names, without what .gitignore
 * files (those of the folders above too, up to where .git is) leave out, and
 * without .git itself.  Symbolic links in the tree are not followed.
 */
#ifndef CTX_DIGEST_WALK_H
#define CTX_DIGEST_WALK_H

#include "base/err.h"

struct ctx_walk {
	/* A regular file.  -1 with *err ends the walk. */
	int (*file)(const char *path, void *arg, struct ctx_err *err);
	/* A folder that cannot be read, why in *err; the walk goes on. */
	void (*trouble)(const char *path, void *arg, const struct ctx_err *err);
	void *arg;
	int all;		/* also what .gitignore leaves out */
};

/* 0, or -1 with the *err of the callback, or out of memory. */
int	ctx_walk_tree(const struct ctx_walk *w, const char *top,
	    struct ctx_err *err) CTX_CHECKED;

#endif
