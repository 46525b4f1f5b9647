/* SPDX-License-Identifier: MIT */
/*
 * Pretends that files are on another file system; a library to preload.
 *
 *	HOST_TYPE=HEX	  f_type of statfs(2)
 *	HOST_MOUNTS=FILE  stands for the table of mounts
 *	HOST_FLOCK=ERRNO, HOST_FCNTL=ERRNO
 *			  locks fail
 *	HOST_LIES=1	  locks succeed, and lock nothing
 *	HOST_APART=1	  each process has a memory of its own
 *	HOST_POLLS=FILE	  gets a byte for each poll(2)
 *	HOST_CALLS=FILE	  writes how often statfs was called, at the end
 */
#define _GNU_SOURCE
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(var, name) \
	if (var == NULL) \
		*(void **)&var = dlsym(RTLD_NEXT, name)

static int calls;

static int
number(const char *name, int base)
{
	const char *s = getenv(name);

	return s == NULL ? 0 : (int)strtoul(s, NULL, base);
}

int
statfs(const char *path, struct statfs *out)
{
	static int (*real)(const char *, struct statfs *);
	int rc;

	REAL(real, "statfs");
	rc = real(path, out);
	calls++;
	if (rc == 0 && getenv("HOST_TYPE") != NULL)
		out->f_type = number("HOST_TYPE", 16);
	return rc;
}

FILE *
fopen(const char *path, const char *mode)
{
	static FILE *(*real)(const char *, const char *);
	const char *mounts = getenv("HOST_MOUNTS");

	REAL(real, "fopen");
	return real(mounts != NULL && strstr(path, "mountinfo") != NULL ?
	    mounts : path, mode);
}

int
flock(int fd, int op)
{
	static int (*real)(int, int);

	REAL(real, "flock");
	if ((errno = number("HOST_FLOCK", 10)) != 0)
		return -1;
	return number("HOST_LIES", 10) ? 0 : real(fd, op);
}

static int
lock(int cmd)
{
	if (cmd != F_SETLK && cmd != F_SETLKW && cmd != F_GETLK)
		return 1;
	if ((errno = number("HOST_FCNTL", 10)) != 0)
		return -1;
	return number("HOST_LIES", 10) && cmd != F_GETLK ? 0 : 1;
}

#define FCNTL(name) \
int \
name(int fd, int cmd, ...) \
{ \
	static int (*real)(int, int, ...); \
	va_list ap; \
	void *arg; \
	int rc; \
\
	REAL(real, #name); \
	va_start(ap, cmd); \
	arg = va_arg(ap, void *); \
	va_end(ap); \
	return (rc = lock(cmd)) == 1 ? real(fd, cmd, arg) : rc; \
}
FCNTL(fcntl)
FCNTL(fcntl64)

#define MMAP(name, off_type) \
void * \
name(void *at, size_t len, int prot, int flags, int fd, off_type off) \
{ \
	static void *(*real)(void *, size_t, int, int, int, off_type); \
\
	REAL(real, #name); \
	if (fd != -1 && (flags & MAP_SHARED) && number("HOST_APART", 10)) \
		flags = (flags & ~MAP_SHARED) | MAP_PRIVATE; \
	return real(at, len, prot, flags, fd, off); \
}
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

int
poll(struct pollfd *fds, nfds_t n, int ms)
{
	static int (*real)(struct pollfd *, nfds_t, int);
	const char *file = getenv("HOST_POLLS");
	int fd;

	REAL(real, "poll");
	if (file != NULL && (fd = open(file, O_WRONLY | O_CREAT | O_APPEND,
	    0600)) != -1) {
		if (write(fd, ".", 1) == -1)
			abort();
		close(fd);
	}
	return real(fds, n, ms);
}

__attribute__((destructor)) static void
report(void)
{
	const char *file = getenv("HOST_CALLS");
	FILE *out;

	if (file == NULL || (out = fopen(file, "w")) == NULL)
		return;
	fprintf(out, "%d\n", calls);
	fclose(out);
}
