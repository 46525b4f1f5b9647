/* SPDX-License-Identifier: MIT */
/*
 * Threads that digest files, each at a desk of its own, and what becomes of the
 * files in the order in which they were given.
 */
#ifndef CTX_CMD_DIGEST_FILES_CREW_H
#define CTX_CMD_DIGEST_FILES_CREW_H

#include "cmd/digest-files/desk.h"

struct crew;

/* What takes the files; -1 with *err ends it. */
typedef int crew_take(struct digested *d, void *arg, struct ctx_err *err);

/*
 * A crew of n threads that work as desk does, which is borrowed.  NULL with
 * *err.
 */
struct crew *crew_new(const struct desk *desk, unsigned n, crew_take *take,
	    void *arg, struct ctx_err *err) CTX_CHECKED;

/*
 * Give it a file, or with why one that could not be read.  Files that are ready
 * are taken meanwhile.  Returns 0, or -1 with *err.
 */
int	crew_give(struct crew *c, const char *path, const struct ctx_err *why,
	    struct ctx_err *err) CTX_CHECKED;

/* Take all that is left, unless *err is set, and free the crew. */
void	crew_end(struct crew *c, struct ctx_err *err);

#endif
