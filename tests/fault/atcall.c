/* SPDX-License-Identifier: MIT */
/*
 * Sends a signal at a known place; a library to preload.  Before call number
 * ATCALL_N, counted from 1, of those that create, change, rename or remove a
 * file, the process sends itself the signal ATCALL_SIGNAL (a number).  With
 * ATCALL_ERRNO the call fails with that errno instead, and with ATCALL_N=N+ all
 * later ones, too.  With ATCALL_NAME only calls of that function count.  With
 * ATCALL_AFTER=1 the signal is sent to all threads of the process, after the
 * call, which takes 0.2 seconds then.  With ATCALL_COUNT=F the number of calls is
 * written to file F.
 */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long count;
static int send;		/* the signal, after the call */

static long
number(const char *name)
{
	const char *s = getenv(name);

	return s != NULL ? atol(s) : 0;
}

/* The signal may go to any thread that does not block it. */
static void
send_after(void)
{
	if (!send)
		return;
	send = 0;
	kill(getpid(), (int)number("ATCALL_SIGNAL"));
	usleep(200 * 1000);
}

/* Returns 0 to continue, or -1 with errno to fail. */
static int
look(const char *name)
{
	const char *only = getenv("ATCALL_NAME"), *n = getenv("ATCALL_N");
	long sig, e;

	if (only != NULL && strcmp(only, name) != 0)
		return 0;
	if (++count != number("ATCALL_N") && (n == NULL ||
	    strchr(n, '+') == NULL || count < number("ATCALL_N")))
		return 0;
	send = number("ATCALL_AFTER") != 0;
	if ((sig = number("ATCALL_SIGNAL")) != 0 && !send)
		raise((int)sig);
	if ((e = number("ATCALL_ERRNO")) == 0)
		return 0;
	errno = (int)e;
	return -1;
}

__attribute__((destructor)) static void
at_exit(void)
{
	const char *s = getenv("ATCALL_COUNT");
	FILE *f;

	if (s != NULL && (f = fopen(s, "w")) != NULL) {
		fprintf(f, "%ld\n", count);
		fclose(f);
	}
}

#define CALL(ret, name, params, args) \
	ret name params \
	{ \
		static ret (*real)params; \
		ret rc; \
		if (real == NULL) \
			*(void **)&real = dlsym(RTLD_NEXT, #name); \
		rc = look(#name) == -1 ? -1 : real args; \
		send_after(); \
		return rc; \
	}

CALL(int, mkstemps, (char *t, int n), (t, n))
CALL(int, mkstemps64, (char *t, int n), (t, n))
CALL(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n))
CALL(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n))
CALL(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n))
CALL(int, fchown, (int fd, uid_t u, gid_t g), (fd, u, g))
CALL(int, fchmod, (int fd, mode_t m), (fd, m))
CALL(int, fsetxattr, (int fd, const char *k, const void *v, size_t n, int f),
    (fd, k, v, n, f))
CALL(int, fsync, (int fd), (fd))
CALL(int, link, (const char *a, const char *b), (a, b))
CALL(int, rename, (const char *a, const char *b), (a, b))
