/* SPDX-License-Identifier: MIT */
/*
 * killer CTX-STORE ROUNDS SEED: repeatedly append a stream to a store in this
 * folder and kill -9 the process at a random moment.
 *
 * The lines are sent in bursts, each of which is a commit.  After each round
 * the log must contain what it contained before, followed by a prefix of what
 * was sent that includes everything that was acknowledged; the next round
 * continues after it.  From time to time, and at the end, the whole store is
 * checked, every line may be sent again, and a new store is begun, so that
 * some are killed during creation.
 */
#define _GNU_SOURCE
#include <sys/wait.h>

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

#define LIFE	25		/* rounds for one store */
#define SENT	200		/* lines in a round that is not killed */
#define LINE	6000		/* bytes, at most */

static const char *store;
static uint64_t seed;

static void
die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	exit(1);
}

static uint64_t
draw(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

static uint64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/*
 * Line n, from 1; most are short, some are stored separately because of their
 * size.
 */
static int
line(char out[LINE], long n)
{
	return snprintf(out, LINE, "{\"id\":\"m%ld\",\"role\":\"user\","
	    "\"content\":\"line %ld 上下文 of %0*ld\"}\n", n, n,
	    n % 17 == 0 ? 5000 : 8, n);
}

/* Send lines from first on in bursts, until nobody reads them. */
static void
feed(int fd, long first, long count)
{
	char text[LINE];
	long n;
	int len;

	signal(SIGPIPE, SIG_DFL);
	for (n = first; n < first + count; n++) {
		len = line(text, n);
		if (write(fd, text, (size_t)len) != len)
			_exit(1);
		if (draw(5) == 0)
			usleep((useconds_t)draw(400));
	}
	_exit(0);
}

/* Start ctx-store with in and out as its standard input and output. */
static pid_t
run(int in, int out, char *const argv[])
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	dup2(in, 0);
	dup2(out, 1);
	execv(store, argv);
	_exit(127);
}

static int
finish(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) == -1)
		if (errno != EINTR)
			die("waitpid: %s", strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Count the complete lines in a file. */
static long
count_lines(const char *path)
{
	FILE *f = fopen(path, "r");
	long n = 0;
	int c;

	while (f != NULL && (c = getc(f)) != EOF)
		n += c == '\n';
	if (f != NULL)
		fclose(f);
	return n;
}

/*
 * Append lines from first on; kill the process after us microseconds (0:
 * never).  Returns the number of lines acknowledged.
 */
static long
append(long first, long count, uint64_t us)
{
	char *argv[] = { "ctx-store", "append", "-q", "--ack", "S", NULL };
	int in[2], out, rc;
	pid_t feeder, pid;

	out = open("acks", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (out == -1 || pipe2(in, O_CLOEXEC) == -1)
		die("%s", strerror(errno));
	if ((feeder = fork()) == 0)
		feed(in[1], first, count);
	close(in[1]);
	pid = run(in[0], out, argv);
	close(in[0]);
	close(out);
	if (us > 0) {
		usleep((useconds_t)us);
		kill(pid, SIGKILL);
	}
	rc = finish(pid);
	kill(feeder, SIGKILL);
	finish(feeder);
	if (rc > 0 || (us == 0 && rc != 0))
		die("append ended with %d", rc);
	return count_lines("acks");
}

/*
 * Check that the lines from first on are as they were sent; returns their
 * number.
 */
static long
load(long first, int may_be_none)
{
	char since[24], want[LINE], got[LINE];
	char *argv[] = { "ctx-store", "load", "--since-seq", since, "S",
	    NULL };
	int out[2], rc;
	long n = 0;
	pid_t pid;
	FILE *f;

	snprintf(since, sizeof(since), "%ld", first);
	if (pipe2(out, O_CLOEXEC) == -1)
		die("%s", strerror(errno));
	pid = run(0, out[1], argv);
	close(out[1]);
	f = fdopen(out[0], "r");
	while (fgets(got, sizeof(got), f) != NULL) {
		line(want, first + n);
		if (strcmp(got, want) != 0)
			die("line %ld is another one: %.60s", first + n, got);
		n++;
	}
	fclose(f);
	rc = finish(pid);
	if (rc != 0 && !(rc == 1 && n == 0 && may_be_none))
		die("load ended with %d", rc);
	return n;
}

static void
check(void)
{
	char *argv[] = { "ctx-store", "check", "-q", "--full", NULL };
	int rc = finish(run(0, 1, argv));

	if (rc != 0)
		die("check --full ended with %d", rc);
}

/*
 * Check that everything is right, and that sending everything again completes
 * it.
 */
static void
whole(long stored)
{
	check();
	if (load(1, stored == 0) != stored)
		die("the log has not %ld lines any more", stored);
	if (append(1, stored + 30, 0) != stored + 30)
		die("a retry did not acknowledge all lines");
	if (load(1, 0) != stored + 30)
		die("a retry did not complete the log");
	check();
}

static void
begin(void)
{
	unlink("db");
	unlink("db-wal");
	unlink("db-shm");
	unlink("db-lock");
}

int
main(int argc, char *argv[])
{
	long rounds, i, stored = 0, acked, more, beyond = 0, none = 0, all = 0;
	uint64_t span = UINT64_MAX, took;

	if (argc != 4)
		die("usage: killer CTX-STORE ROUNDS SEED");
	store = argv[1];
	rounds = atol(argv[2]);
	seed = strtoull(argv[3], NULL, 10);
	signal(SIGPIPE, SIG_IGN);
	setlinebuf(stdout);
	setenv("CTX_DB", "db", 1);
	if (freopen("err", "w", stderr) == NULL)
		die("err: %s", strerror(errno));
	begin();
	/*
	 * Measure how long a round takes here: the kills are spread over that
	 * time.
	 */
	for (i = 0; i < 4; i++) {
		begin();
		took = now_us();
		append(1, SENT, 0);
		took = now_us() - took;
		span = took < span ? took : span;
	}
	span = span * 3 / 4;	/* the rest is the close */
	begin();
	for (i = 0; i < rounds; i++) {
		acked = append(stored + 1, SENT, 1 + draw(span));
		more = load(stored + 1, stored == 0);
		if (more < acked)
			die("round %ld: acknowledged %ld, stored %ld", i,
			    acked, more);
		none += acked == 0;
		all += more == SENT;
		beyond += more > acked;
		stored += more;
		if ((i + 1) % LIFE == 0 || i + 1 == rounds) {
			whole(stored);
			begin();
			stored = 0;
		}
	}
	printf("%ld rounds of %llu us: %ld before the first acknowledgement, "
	    "%ld after the last line, %ld with more on disk than was "
	    "acknowledged\n", rounds, (unsigned long long)span, none, all,
	    beyond);
	return 0;
}
