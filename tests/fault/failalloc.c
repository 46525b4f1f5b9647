/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out, as a library to preload; tests/fault/allocs.py drives
 * it.  What main and all that it calls asks for is counted: malloc and its
 * kin, mmap, and threads.  By the environment,
 *
 *	FAILALLOC=N		fails the N-th request and no other
 *	FAILALLOC=N+		fails the N-th and all after it
 *	FAILALLOC_TRACE=F	writes the stack of the first failure to file F
 *	FAILALLOC_SERVE=R,W	serves: reads jobs from descriptor R and answers
 *				on W, see serve()
 *
 * A served program is loaded once and forked for each job, before main: that
 * is many times faster than to load it again.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/wait.h>

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS 20	/* what takes longer hangs */

struct seen {
	atomic_long count;	/* requests so far */
	atomic_long failed;
};

static struct seen own, *seen = &own;
static long at;			/* 0: none fails */
static int all, on;
static const char *trace;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static void *(*real_aligned)(size_t, size_t);
static int (*real_posix)(void **, size_t, size_t);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);
static int (*real_thread)(pthread_t *, const pthread_attr_t *,
    void *(*)(void *), void *);

/* dlsym itself asks for memory before it can say where to get it. */
static char early[16384];
static size_t nearly;

static void *
early_alloc(size_t n)
{
	void *p = early + nearly;

	nearly += (n + 15) & ~(size_t)15;
	if (nearly > sizeof(early))
		abort();
	return p;
}

static int
is_early(const void *p)
{
	return (const char *)p >= early &&
	    (const char *)p < early + sizeof(early);
}

#define FIND(var, name) *(void **)&(var) = dlsym(RTLD_NEXT, name)

static void
find(void)
{
	static int done;

	if (done)
		return;
	done = 1;
	FIND(real_calloc, "calloc");
	FIND(real_realloc, "realloc");
	FIND(real_free, "free");
	FIND(real_aligned, "aligned_alloc");
	FIND(real_posix, "posix_memalign");
	FIND(real_mmap, "mmap");
	FIND(real_thread, "pthread_create");
	FIND(real_malloc, "malloc");
}

static void
write_trace(void)
{
	void *frame[40];
	int fd, n;

	on = 0;
	fd = open(trace, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	n = backtrace(frame, 40);
	backtrace_symbols_fd(frame, n, fd);
	close(fd);
	on = 1;
}

static int
fails(void)
{
	long n;

	if (!on)
		return 0;
	n = atomic_fetch_add(&seen->count, 1) + 1;
	if (at == 0 || (all ? n < at : n != at))
		return 0;
	if (atomic_fetch_add(&seen->failed, 1) == 0 && trace != NULL)
		write_trace();
	errno = ENOMEM;
	return 1;
}

void *
malloc(size_t n)
{
	find();
	if (real_malloc == NULL)
		return early_alloc(n);
	return fails() ? NULL : real_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	find();
	if (real_malloc == NULL)
		return early_alloc(n * size);
	return fails() ? NULL : real_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	void *moved;

	find();
	if (is_early(p) || real_malloc == NULL) {
		moved = malloc(n);
		if (moved != NULL && p != NULL)
			memcpy(moved, p, n);
		return moved;
	}
	return fails() ? NULL : real_realloc(p, n);
}

void
free(void *p)
{
	find();
	if (p != NULL && !is_early(p))
		real_free(p);
}

void *
aligned_alloc(size_t align, size_t n)
{
	find();
	return fails() ? NULL : real_aligned(align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	find();
	return fails() ? ENOMEM : real_posix(p, align, n);
}

void *
mmap(void *addr, size_t n, int prot, int flags, int fd, off_t off)
{
	find();
	return fails() ? MAP_FAILED :
	    real_mmap(addr, n, prot, flags, fd, off);
}

void *
mmap64(void *addr, size_t n, int prot, int flags, int fd, off_t off)
{
	return mmap(addr, n, prot, flags, fd, off);
}

int
pthread_create(pthread_t *t, const pthread_attr_t *attr,
    void *(*run)(void *), void *arg)
{
	find();
	return fails() ? EAGAIN : real_thread(t, attr, run, arg);
}

/* --- jobs --------------------------------------------------------------- */

static void
stand_in(const char *variable, int fd, int flags)
{
	const char *name = getenv(variable);
	int in = name == NULL ? -1 : open(name, flags, 0600);

	if (in == -1 || dup2(in, fd) == -1)
		_exit(99);
	close(in);
}

/*
 * Until the driver closes its end: a job is { which request fails, whether all
 * after it fail too }, the answer { wait status, requests, failures }.  Returns
 * in the child that does the job.
 */
static void
serve(int from, int to)
{
	int64_t job[2], answer[3];
	char variable[32];
	int status;
	pid_t pid;

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		_exit(99);
	while (read(from, job, sizeof(job)) == sizeof(job)) {
		seen->count = seen->failed = 0;
		if ((pid = fork()) == 0) {
			close(from);
			close(to);
			stand_in("FAILALLOC_STDIN", 0, O_RDONLY);
			stand_in("FAILALLOC_STDOUT", 1,
			    O_WRONLY | O_CREAT | O_TRUNC);
			stand_in("FAILALLOC_STDERR", 2,
			    O_WRONLY | O_CREAT | O_TRUNC);
			at = (long)job[0];
			all = (int)job[1];
			/* for programs that this one runs */
			snprintf(variable, sizeof(variable), "%ld%s", at,
			    all ? "+" : "");
			setenv("FAILALLOC", variable, 1);
			unsetenv("FAILALLOC_SERVE");
			alarm(SECONDS);
			return;
		}
		if (pid == -1 || waitpid(pid, &status, 0) == -1)
			_exit(99);
		answer[0] = status;
		answer[1] = seen->count;
		answer[2] = seen->failed;
		if (write(to, answer, sizeof(answer)) != sizeof(answer))
			break;
	}
	_exit(0);
}

static int (*real_main)(int, char **, char **);

static int
begin(int argc, char **argv, char **env)
{
	const char *s;
	void *frame[2];
	int from, to;

	find();
	if ((s = getenv("FAILALLOC")) != NULL) {
		at = atol(s);
		all = strchr(s, '+') != NULL;
	}
	if ((trace = getenv("FAILALLOC_TRACE")) != NULL)
		backtrace(frame, 2);	/* it loads a library the first time */
	if ((s = getenv("FAILALLOC_SERVE")) != NULL &&
	    sscanf(s, "%d,%d", &from, &to) == 2)
		serve(from, to);
	on = 1;
	return real_main(argc, argv, env);
}

int	__libc_start_main(int (*)(int, char **, char **), int, char **,
	    void (*)(void), void (*)(void), void (*)(void), void *);

int
__libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
    void (*init)(void), void (*fini)(void), void (*end)(void), void *stack)
{
	int (*start)(int (*)(int, char **, char **), int, char **,
	    void (*)(void), void (*)(void), void (*)(void), void *);

	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	real_main = main;
	return start(begin, argc, argv, init, fini, end, stack);
}
