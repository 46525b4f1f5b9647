/* SPDX-License-Identifier: MIT */
/* How much the store keeps of a thread or of a user. */
#ifndef CTX_STORE_MEASURE_H
#define CTX_STORE_MEASURE_H

#include "store/store.h"

/*
 * The bytes that the contents of a thread take in the store: messages, files,
 * states and everything else, without the index.  Contents that several
 * threads share count in each of them.  The time grows with the thread.
 */
int	ctx_measure_thread(struct ctx_store *st, int64_t thread,
	    int64_t *bytes, struct ctx_err *err);

/*
 * The bytes of the file: those in use, and how many of them are in use without
 * any thread; those of the contents of all threads and states; and of these,
 * those of the threads of the store's user, or of all.
 */
struct ctx_measured_file {
	int64_t used, fixed, contents, own;
};
int	ctx_measure_file(struct ctx_store *st, struct ctx_measured_file *f,
	    struct ctx_err *err);

/* Of these: used and fixed, once the contents are known. */
int	ctx_measure_pages(struct ctx_store *st, struct ctx_measured_file *f,
	    struct ctx_err *err);

/* A user who has a thread or a state. */
struct ctx_measured {
	const char *user;		/* valid until the callback returns */
	int64_t threads, messages, checkpoints, files;
	int64_t members;		/* of the user's state */
	int64_t bytes;
	int64_t updated;		/* 0 if there is no thread */
};
typedef int ctx_measure_fn(const struct ctx_measured *m, void *arg,
	    struct ctx_err *err);

/* Pass the users to fn, by name. */
int	ctx_measure_users(struct ctx_store *st, ctx_measure_fn *fn, void *arg,
	    struct ctx_err *err);

#endif
