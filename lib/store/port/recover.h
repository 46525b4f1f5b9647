/* SPDX-License-Identifier: MIT */
/*
 * All that is whole in a damaged store, into a new one.
 *
 * A message is whole when its line matches its sum, everything else when its
 * contents match their hash.  What is left of a log closes up: a message that
 * follows a hole gets the number of the one that is gone, and checkpoints,
 * forks, summaries and views follow their messages.  A view that had a message
 * that is gone goes too: it would not be what the model saw.  Threads and
 * contexts of which only the contents are left get names of their own.
 */
#ifndef CTX_STORE_PORT_RECOVER_H
#define CTX_STORE_PORT_RECOVER_H

#include "store/store.h"

/* Something is lost; thread NULL: of no thread. */
typedef int ctx_lost_fn(const char *thread, const char *what, void *arg,
	    struct ctx_err *err);

struct ctx_recovered {
	int64_t threads, messages, lost;
};

/*
 * to is empty.  -1 when it cannot be written, or when fn returned that; what
 * went wrong in from is told to fn.
 */
int	ctx_recover(struct ctx_store *from, struct ctx_store *to,
	    ctx_lost_fn *fn, void *arg, struct ctx_recovered *sum,
	    struct ctx_err *err);

#endif
