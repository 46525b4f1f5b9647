/* SPDX-License-Identifier: MIT */
/*
 * Makes a disk fail; a library to preload.  It intercepts the calls that write
 * to regular files (except standard output) and is controlled by the
 * environment:
 *
 *	FAULT=full:N	lets the first N write, then the disk is full
 *	FAULT=io:N	lets the first N write or sync, then they fail
 *	FAULT=once:N	fails the one after N, and no other
 *	FAULT=kill:N	ends the process by SIGKILL at the one after N
 *	FAULT_COUNT=F	writes into file F how many there were
 *	FAULT_LOG=F	writes into file F what was done, for powercut.c
 *	FAULT_CLOCK=S	sets the clock back by S seconds at each look
 */
#define _GNU_SOURCE
#include <sys/stat.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long count, at = -1;
static char mode;
static int logfd = -1, ready;

#define REAL(ret, name, ...) \
	static ret (*real_##name)(__VA_ARGS__); \
	if (real_##name == NULL) \
		*(void **)&real_##name = dlsym(RTLD_NEXT, #name)

static void
begin(void)
{
	const char *s = getenv("FAULT"), *colon;

	if (ready)
		return;
	ready = 1;
	if (s != NULL && (colon = strchr(s, ':')) != NULL) {
		mode = s[0] == 'o' ? 'o' : s[0];
		at = atol(colon + 1);
	}
	if ((s = getenv("FAULT_LOG")) != NULL)
		logfd = open(s, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		    0600);
}

static void
end(void)
{
	const char *s = getenv("FAULT_COUNT");
	FILE *f;

	if (s != NULL && (f = fopen(s, "w")) != NULL) {
		fprintf(f, "%ld\n", count);
		fclose(f);
	}
}

__attribute__((destructor)) static void
at_exit(void)
{
	end();
}

static int
is_ours(int fd)
{
	struct stat sb;

	return fd > 2 && fd != logfd && fstat(fd, &sb) == 0 &&
	    (S_ISREG(sb.st_mode) || S_ISDIR(sb.st_mode));
}

/* Returns 0 to continue, or else the errno to fail with. */
static int
verdict(int sync)
{
	begin();
	if (mode == 'f' && sync)
		return 0;
	count++;
	if (at < 0 || count <= at)
		return 0;
	if (mode == 'k')
		raise(SIGKILL);
	if (mode == 'f')
		return ENOSPC;
	if (mode == 'o' && count > at + 1)
		return 0;
	return EIO;
}

/* Write a record: op, name, offset, length, bytes. */
static void
note(char op, int fd, const char *path, int64_t off, const void *p, size_t n)
{
	char link[64], name[1024] = "";
	ssize_t len;
	struct { char op; char pad[7]; int64_t off; uint64_t n, name; } head;

	begin();
	if (logfd == -1)
		return;
	if (path == NULL) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		len = readlink(link, name, sizeof(name) - 1);
		name[len > 0 ? len : 0] = '\0';
	} else
		snprintf(name, sizeof(name), "%s", path);
	memset(&head, 0, sizeof(head));
	head.op = op;
	head.off = off;
	head.n = p == NULL ? 0 : n;
	head.name = strlen(name);
	if (op == 't')
		head.off = (int64_t)n;
	REAL(ssize_t, write, int, const void *, size_t);
	if (real_write(logfd, &head, sizeof(head)) == -1 ||
	    real_write(logfd, name, head.name) == -1 ||
	    (head.n > 0 && real_write(logfd, p, n) == -1))
		abort();
}

ssize_t
pwrite64(int fd, const void *p, size_t n, off64_t off)
{
	int e;

	REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
	if (!is_ours(fd))
		return real_pwrite64(fd, p, n, off);
	if ((e = verdict(0)) != 0) {
		/* A full disk accepts what still fits. */
		if (mode == 'f' && n > 512 && count == at + 1)
			return real_pwrite64(fd, p, 512, off);
		errno = e;
		return -1;
	}
	note('w', fd, NULL, off, p, n);
	return real_pwrite64(fd, p, n, off);
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t off)
{
	return pwrite64(fd, p, n, off);
}

ssize_t
write(int fd, const void *p, size_t n)
{
	int e;

	REAL(ssize_t, write, int, const void *, size_t);
	if (!is_ours(fd))
		return real_write(fd, p, n);
	if ((e = verdict(0)) != 0) {
		errno = e;
		return -1;
	}
	note('w', fd, NULL, lseek(fd, 0, SEEK_CUR), p, n);
	return real_write(fd, p, n);
}

int
ftruncate64(int fd, off64_t n)
{
	int e;

	REAL(int, ftruncate64, int, off64_t);
	if (is_ours(fd) && (e = verdict(0)) != 0 && mode != 'f') {
		errno = e;
		return -1;
	}
	note('t', fd, NULL, 0, NULL, (size_t)n);
	return real_ftruncate64(fd, n);
}

int
ftruncate(int fd, off_t n)
{
	return ftruncate64(fd, n);
}

static int
synced(int fd, int e)
{
	if (e != 0) {
		errno = e;
		return -1;
	}
	note('s', fd, NULL, 0, NULL, 0);
	return 0;
}

/* The tests need no real sync: only the order matters. */
int
fsync(int fd)
{
	return synced(fd, is_ours(fd) ? verdict(1) : 0);
}

int
fdatasync(int fd)
{
	return synced(fd, is_ours(fd) ? verdict(1) : 0);
}

int
unlink(const char *path)
{
	REAL(int, unlink, const char *);
	note('u', -1, path, 0, NULL, 0);
	return real_unlink(path);
}

int
clock_gettime(clockid_t id, struct timespec *ts)
{
	const char *s = getenv("FAULT_CLOCK");
	static long looks;
	int rc;

	REAL(int, clock_gettime, clockid_t, struct timespec *);
	rc = real_clock_gettime(id, ts);
	if (s != NULL && id == CLOCK_REALTIME)
		ts->tv_sec -= atol(s) * ++looks;
	return rc;
}
