/* SPDX-License-Identifier: MIT */
/* Commands of ctx-store that go on until a signal, and stores that follow. */
#ifndef CTX_CMD_STORE_FOLLOW_H
#define CTX_CMD_STORE_FOLLOW_H

#include <signal.h>

#include "cmd/store/cmd.h"

/* From now on, let SIGINT and SIGTERM only set store_stopped. */
void	store_catch_signals(void);
extern volatile sig_atomic_t store_stopped;

/*
 * If it is set: report what failed (rc -1), close the store, and end by the
 * signal.
 */
void	store_end_by_signal(struct store *s, int rc, struct ctx_err *err);

/*
 * Wait for ms milliseconds, or a signal.  Returns -1 if nobody reads standard
 * output any more, as store_write does.
 */
int	store_wait(int ms, struct ctx_err *err);

/*
 * Export what changed since the position in a file, NULL for everything; if
 * follow is set, go on until a signal.
 */
int	store_follow_export(struct store *s, const char *position, int follow,
	    struct ctx_err *err);

/* Import that, or print the position up to which it was imported. */
int	store_follow_import(struct store *s, const char *file,
	    struct ctx_err *err);
int	store_follow_position(struct store *s, struct ctx_err *err);

#endif
