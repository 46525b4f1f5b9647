/* SPDX-License-Identifier: MIT */
/*
 * The rules of .gitignore files, which say what a walk through a tree leaves
 * out.  They form a stack: the rules of a folder are pushed when the walk
 * enters the folder and popped when it leaves.  An all-zero stack is empty.
 */
#ifndef CTX_DIGEST_IGNORE_H
#define CTX_DIGEST_IGNORE_H

#include <stddef.h>

#include "base/buf.h"

struct ctx_ignore_rule {
	size_t off;		/* of the pattern in text: the parts */
	unsigned parts;		/* between its **, each ended by a NUL */
	size_t base;		/* bytes of a path before the matched part */
	unsigned not:1,		/* !pattern: not left out after all */
		 folder:1,	/* pattern/: folders only */
		 path:1;	/* contains a slash: matches the path */
};

struct ctx_ignore {
	struct ctx_ignore_rule *rule;
	size_t n, cap;
	struct ctx_buf text;
};

/*
 * Add the rules of a file whose contents are data[0 .. len), in a folder whose
 * path is base bytes long including the final slash.  Returns 0, or -1 if out
 * of memory.
 */
int	ctx_ignore_add(struct ctx_ignore *g, const char *data, size_t len,
	    size_t base);

/* Remove all rules from rule n on. */
void	ctx_ignore_pop(struct ctx_ignore *g, size_t n);

/*
 * Is path left out?  folder says whether it is a folder.  The last matching
 * rule decides.
 */
int	ctx_ignore_has(const struct ctx_ignore *g, const char *path,
	    int folder);

void	ctx_ignore_done(struct ctx_ignore *g);

#endif
