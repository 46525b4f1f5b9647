/* SPDX-License-Identifier: MIT */
/*
 * The rules of .gitignore files: which paths a walk through a tree leaves out.
 * A stack: rules of a folder are put on it when the walk enters the folder and
 * taken off when it leaves.  All zero is empty.
 */
#ifndef CTX_DIGEST_IGNORE_H
#define CTX_DIGEST_IGNORE_H

#include <stddef.h>

#include "base/buf.h"

struct ctx_ignore_rule {
	size_t off;		/* of the pattern, in text: the parts */
	unsigned parts;		/* between its **, a NUL behind each */
	size_t base;		/* bytes of a path before what it is held to */
	unsigned not:1,		/* !pattern: not left out after all */
		 folder:1,	/* pattern/: folders only */
		 path:1;	/* has a slash: held to the path */
};

struct ctx_ignore {
	struct ctx_ignore_rule *rule;
	size_t n, cap;
	struct ctx_buf text;
};

/*
 * Add the rules of a file whose contents are data[0 .. len), in a folder whose
 * path, with the slash behind it, is base bytes long.  0, or -1 out of memory.
 */
int	ctx_ignore_add(struct ctx_ignore *g, const char *data, size_t len,
	    size_t base);

/* Take the rules from the n-th on off again. */
void	ctx_ignore_pop(struct ctx_ignore *g, size_t n);

/* Is path, a folder or not, left out?  The last rule that matches decides. */
int	ctx_ignore_has(const struct ctx_ignore *g, const char *path,
	    int folder);

void	ctx_ignore_done(struct ctx_ignore *g);

#endif
