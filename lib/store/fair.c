/* SPDX-License-Identifier: MIT */
/* The lock of writers; see fair.h. */
#include "store/fair.h"

#include <sys/file.h>
#include <sys/time.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Locks of an open file where they exist, otherwise those of a process. */
#ifdef F_OFD_SETLK
#define QUEUE		F_OFD_SETLK
#define QUEUE_WAIT	F_OFD_SETLKW
#else
#define QUEUE		F_SETLK
#define QUEUE_WAIT	F_SETLKW
#endif

static int
queue(int fd, int cmd, short type)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET,
	    .l_len = 1 };

	return fcntl(fd, cmd, &lock);
}

static void
alarmed(int sig)
{
	(void)sig;
}

/* Wait in the queue if it is needed, then for the lock. */
static int
wait_for(int fd, int wait, int queued)
{
	int rc, saved;

	if (wait && !(queued = queue(fd, QUEUE_WAIT, F_WRLCK) == 0) &&
	    errno == EINTR)
		return -1;
	rc = flock(fd, LOCK_EX);
	saved = errno;
	if (queued)
		queue(fd, QUEUE, F_UNLCK);
	errno = saved;
	return rc;
}

/*
 * These locks have no timeout and polling would be unfair, so a timer
 * interrupts them; it repeats in case its first signal arrives just before the
 * call.
 */
static int
wait_seconds(int fd, int wait, int queued, int seconds)
{
	struct itimerval tick = { { 0, 100000 }, { seconds, 0 } };
	struct itimerval off = { { 0, 0 }, { 0, 0 } };
	struct sigaction sa, old;
	int rc, saved;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = alarmed;
	sigemptyset(&sa.sa_mask);
	sigaction(SIGALRM, &sa, &old);
	setitimer(ITIMER_REAL, &tick, NULL);
	rc = wait_for(fd, wait, queued);
	saved = errno;
	setitimer(ITIMER_REAL, &off, NULL);
	sigaction(SIGALRM, &old, NULL);
	errno = saved;
	return rc;
}

int
ctx_fair_take(int fd, int again, int seconds)
{
	int queued = again && queue(fd, QUEUE, F_WRLCK) == 0, rc, saved;

	/* where there is no queue, there is still the lock */
	if (again && !queued && (errno == EAGAIN || errno == EACCES))
		return wait_seconds(fd, 1, 0, seconds);
	if ((rc = flock(fd, LOCK_EX | LOCK_NB)) == -1 &&
	    (errno == EWOULDBLOCK || errno == EINTR))
		return wait_seconds(fd, 0, queued, seconds);
	saved = errno;
	if (queued)
		queue(fd, QUEUE, F_UNLCK);
	errno = saved;
	return rc;
}

int
ctx_fair_try(int fd)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i > 0)
			usleep(500);
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -1;
	}
	return -1;
}

void
ctx_fair_leave(int fd)
{
	flock(fd, LOCK_UN);
}
