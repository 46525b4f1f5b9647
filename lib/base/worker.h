/* SPDX-License-Identifier: MIT */
/* Threads that leave signals to the one that has started them. */
#ifndef CTX_BASE_WORKER_H
#define CTX_BASE_WORKER_H

#include <pthread.h>

#include "base/err.h"

/*
 * Start a thread that gets no signals but those that it causes itself, so that
 * whoever blocks them in the first thread has blocked them.  Returns 0, or the
 * number of an error.
 */
int	ctx_worker_start(pthread_t *t, void *(*fn)(void *), void *arg)
	    CTX_CHECKED;

#endif
