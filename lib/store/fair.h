/* SPDX-License-Identifier: MIT */
/*
 * The lock of writers, first come, first served.
 *
 * It is a flock on FILE-lock.  A process that gives it back and wants it again
 * would get it before one that waits, which is only being woken then.  So
 * processes that take it again and again wait in a queue first, which is a lock
 * on the file's first byte, and leave that when they have the lock.  Those that
 * store one message do not: being woken twice costs them more than it gains.
 */
#ifndef CTX_STORE_FAIR_H
#define CTX_STORE_FAIR_H

/*
 * Take the lock of an open file, again if it was taken for more than one
 * transaction before.  Returns 0, or -1 with errno set: EINTR if it was not
 * free within that many seconds.
 */
int	ctx_fair_take(int fd, int again, int seconds);

/* Take it only if it is free, or soon will be. */
int	ctx_fair_try(int fd);

void	ctx_fair_leave(int fd);

#endif
