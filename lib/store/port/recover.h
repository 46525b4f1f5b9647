/* SPDX-License-Identifier: MIT */
/*
 * Copy everything that is intact in a damaged store to a new one.
 *
 * A message is intact if its line matches its sum, everything else if its
 * contents match their hash.  The gaps in a log are closed: a message after a
 * gap takes the number of the missing one, and checkpoints, forks, summaries
 * and views follow their messages.  A view with a missing message is dropped,
 * because it would no longer be what the model saw.  Threads and contexts of
 * which only the contents are left get new names.
 */
#ifndef CTX_STORE_PORT_RECOVER_H
#define CTX_STORE_PORT_RECOVER_H

#include "store/store.h"

/* Called for each loss; thread is NULL if it belongs to no thread. */
typedef int ctx_lost_fn(const char *thread, const char *what, void *arg,
	    struct ctx_err *err);

struct ctx_recovered {
	int64_t threads, messages, lost;
};

/*
 * to must be empty.  Returns -1 if it cannot be written, or if fn returned
 * that; failures in from are reported to fn.
 */
int	ctx_recover(struct ctx_store *from, struct ctx_store *to,
	    ctx_lost_fn *fn, void *arg, struct ctx_recovered *sum,
	    struct ctx_err *err);

#endif
