/* SPDX-License-Identifier: MIT */
/*
 * pace - measure how fast commands handle one line at a time, and the disk
 *
 *	pace [-e] [-d FILE] [-n N] [-r ROUNDS] LINE -- COMMAND ... [-- ...] ...
 *
 * In each round, each command gets N lines, so that disturbances of the machine
 * affect all of them equally.  A command runs during all rounds and gets the
 * next line when it has answered the one before.  With -e it is started for
 * each line, which is all of its input.  LINE is sent with its '%' replaced by
 * a count from 1.  With -d, each round also syncs FILE N times after writing 4
 * KB to its end ("append") and N times after writing 4 KB over what is there
 * ("over").
 *
 * A line is printed for each round and command: its number from 0 or the word,
 * the lines per second, and the median and the maximum of the waits in
 * milliseconds.
 */
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COMMANDS 8
#define BLOCK 4096

extern char **environ;

struct command {
	char **argv;
	pid_t pid;
	int in, out;		/* our ends of its standard input and output */
	unsigned count;		/* lines sent */
};

static void
die(const char *what)
{
	fprintf(stderr, "pace: %s: %s\n", what, strerror(errno));
	exit(4);
}

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int
earlier(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
report(const char *name, double *wait, unsigned n)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		sum += wait[i];
	qsort(wait, n, sizeof(*wait), earlier);
	printf("%s %.0f %.3f %.3f\n", name, n * 1e3 / sum, wait[n / 2],
	    wait[n - 1]);
}

static void
start(struct command *c)
{
	posix_spawn_file_actions_t fa;
	int in[2], out[2], i;

	if (pipe(in) == -1 || pipe(out) == -1)
		die("pipe");
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&fa, out[1], STDOUT_FILENO);
	for (i = 0; i < 2; i++) {
		fcntl(in[i], F_SETFD, FD_CLOEXEC);
		fcntl(out[i], F_SETFD, FD_CLOEXEC);
	}
	errno = posix_spawnp(&c->pid, c->argv[0], &fa, NULL, c->argv, environ);
	if (errno != 0)
		die(c->argv[0]);
	posix_spawn_file_actions_destroy(&fa);
	close(in[0]);
	close(out[1]);
	c->in = in[1];
	c->out = out[0];
}

static void
finish(struct command *c)
{
	char rest[BLOCK];
	int status;

	if (c->in != -1)
		close(c->in);
	while (read(c->out, rest, sizeof(rest)) > 0)
		continue;
	close(c->out);
	if (waitpid(c->pid, &status, 0) == -1)
		die("wait");
	if (status != 0) {
		fprintf(stderr, "pace: %s failed\n", c->argv[0]);
		exit(1);
	}
}

static void
send_line(struct command *c, const char *line)
{
	char text[BLOCK];
	size_t before = strcspn(line, "%");
	const char *after = line + before + (line[before] == '%');
	int n;

	n = snprintf(text, sizeof(text), "%.*s", (int)before, line);
	c->count++;
	if (line[before] == '%')
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%u%s",
		    c->count, after);
	text[n++] = '\n';
	/* a command that reads nothing may have ended already */
	if (write(c->in, text, (size_t)n) != n && errno != EPIPE)
		die(c->argv[0]);
}

static void
await_line(struct command *c)
{
	char text[BLOCK];
	ssize_t n;

	do
		n = read(c->out, text, sizeof(text));
	while (n > 0 && text[n - 1] != '\n');
	if (n <= 0)
		finish(c);
}

static void
run(struct command *c, const char *name, const char *line, int each,
    double *wait, unsigned n)
{
	double begin;
	unsigned i;

	for (i = 0; i < n; i++) {
		begin = now_ms();
		if (each) {
			start(c);
			send_line(c, line);
			close(c->in);
			c->in = -1;
			finish(c);
		} else {
			send_line(c, line);
			await_line(c);
		}
		wait[i] = now_ms() - begin;
	}
	report(name, wait, n);
}

static void
sync_disk(const char *file, double *wait, unsigned n)
{
	static const char *const names[] = { "append", "over" };
	static char block[BLOCK] = "x";
	double begin;
	unsigned k, i;
	int fd;

	unlink(file);
	if ((fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) == -1 ||
	    fsync(fd) == -1)
		die(file);
	for (k = 0; k < 2; k++) {
		for (i = 0; i < n; i++) {
			begin = now_ms();
			if (pwrite(fd, block, BLOCK, (off_t)i * BLOCK) !=
			    BLOCK || fdatasync(fd) == -1)
				die(file);
			wait[i] = now_ms() - begin;
		}
		report(names[k], wait, n);
	}
	close(fd);
}

/* Find the commands after each "--"; returns their number. */
static unsigned
split(char **argv, int argc, struct command *c)
{
	unsigned n = 0;
	int i;

	for (i = 0; i < argc && n < COMMANDS; i++)
		if (strcmp(argv[i], "--") == 0) {
			argv[i] = NULL;
			c[n++].argv = argv + i + 1;
		}
	return n;
}

int
main(int argc, char *argv[])
{
	struct command c[COMMANDS] = { 0 };
	const char *disk = NULL;
	unsigned n = 100, rounds = 5, ncmd, r, k;
	char name[16];
	double *wait;
	int ch, each = 0;

	/* the + makes getopt stop at the first operand */
	while ((ch = getopt(argc, argv, "+ed:n:r:")) != -1)
		if (ch == 'e')
			each = 1;
		else if (ch == 'd')
			disk = optarg;
		else if (ch == 'n')
			n = (unsigned)strtoul(optarg, NULL, 10);
		else if (ch == 'r')
			rounds = (unsigned)strtoul(optarg, NULL, 10);
		else
			return 2;
	if (optind >= argc || n == 0 || (wait = calloc(n, sizeof(*wait))) ==
	    NULL)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	ncmd = split(argv + optind + 1, argc - optind - 1, c);
	for (k = 0; k < ncmd && !each; k++)
		start(&c[k]);
	for (r = 0; r < rounds; r++) {
		if (disk != NULL)
			sync_disk(disk, wait, n);
		for (k = 0; k < ncmd; k++) {
			snprintf(name, sizeof(name), "%u", k);
			run(&c[k], name, argv[optind], each, wait, n);
		}
	}
	for (k = 0; k < ncmd && !each; k++)
		finish(&c[k]);
	free(wait);
	return fflush(stdout) == 0 ? 0 : 4;
}
