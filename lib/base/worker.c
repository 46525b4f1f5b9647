/* SPDX-License-Identifier: MIT */
/* Threads without signals; see worker.h. */
#include "base/worker.h"

#include <signal.h>

/* Signals that a thread causes itself, by what it does. */
static const int own[] = {
	SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTRAP,
	SIGXFSZ
};

int
ctx_worker_start(pthread_t *t, void *(*fn)(void *), void *arg)
{
	sigset_t others, was;
	size_t i;
	int rc;

	sigfillset(&others);
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_BLOCK, &others, &was);
	rc = pthread_create(t, NULL, fn, arg);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return rc;
}
