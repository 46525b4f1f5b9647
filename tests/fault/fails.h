/* SPDX-License-Identifier: MIT */
/*
 * Makes calls fail by number; shared by failalloc.c and faildb.c, which are
 * libraries to preload.  Each of them counts the calls in which it asks
 * fails().  tests/fault/allocs.py runs them.  The environment controls them:
 *
 *	FAILALLOC=N		fails the N-th call and no other
 *	FAILALLOC=N+		fails the N-th and all after it
 *	FAILALLOC_TRACE=F	writes the stack of the first failure to file F
 *	FAILALLOC_SERVE=R,W	serves: reads jobs from descriptor R and answers
 *				on W, see serve()
 *
 * A served program is loaded once and forked for each job, before main, which
 * is many times faster than loading it again.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/wait.h>

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS 20	/* a program that takes longer hangs */

struct seen {
	atomic_long count;	/* calls so far */
	atomic_long failed;
};

static struct seen own, *seen = &own;
static long at;			/* 0 if none fails */
static int all, on;
static const char *trace;

#define FIND(var, name) *(void **)&(var) = dlsym(RTLD_NEXT, name)

/* Called before main: find what the library needs before calls arrive. */
static void find(void);

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
 * Serve jobs until the driver closes its end.  A job is { which call fails,
 * whether all later ones fail too }, the answer { wait status, calls, failures
 * }.  Returns in the child that runs the job.
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
			/* for programs that this program runs */
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
		backtrace(frame, 2);	/* the first call loads a library */
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
