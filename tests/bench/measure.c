/* SPDX-License-Identifier: MIT */
/*
 * measure - run commands in turn and print what each run took
 *
 *	measure [-i INPUT] [-r ROUNDS] -- COMMAND ... [-- COMMAND ...] ...
 *
 * Each round runs every command once, in order, so that disturbances of the
 * machine affect all of them equally.  Standard input is INPUT, standard output
 * a pipe that cat reads.  Each run prints a line
 *
 *	round  command (both from 0)  exit  CPU ms  wall ms  peak KiB
 *
 * separated by tabs.  CPU is user and system time; wall is the time from before
 * the start to after the end.  This is a small C program because the peak
 * memory of a child is never less than that of its parent.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void
die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(4);
}

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double
ms(const struct timeval *t)
{
	return (double)t->tv_sec * 1e3 + (double)t->tv_usec / 1e3;
}

/* Start argv with these descriptors as its standard input and output. */
static pid_t
start(char *const argv[], int in, int out)
{
	posix_spawn_file_actions_t fa;
	pid_t pid;
	int rc;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&fa, out, STDOUT_FILENO);
	rc = posix_spawnp(&pid, argv[0], &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (rc != 0) {
		errno = rc;
		die(argv[0]);
	}
	return pid;
}

static int
open_or_die(const char *name, int flags)
{
	int fd = open(name, flags | O_CLOEXEC);

	if (fd == -1)
		die(name);
	return fd;
}

static void
run(char *const argv[], const char *input, unsigned round, unsigned which)
{
	static char cat[] = "cat";
	static char *drain[] = { cat, NULL };
	int in = open_or_die(input, O_RDONLY), p[2], status;
	int null = open_or_die("/dev/null", O_WRONLY);
	struct rusage ru;
	pid_t pid, drainer;
	double begin, end;

	if (pipe(p) == -1 || fcntl(p[0], F_SETFD, FD_CLOEXEC) == -1 ||
	    fcntl(p[1], F_SETFD, FD_CLOEXEC) == -1)
		die("pipe");
	drainer = start(drain, p[0], null);
	begin = now_ms();
	pid = start(argv, in, p[1]);
	if (wait4(pid, &status, 0, &ru) == -1)
		die("wait");
	end = now_ms();
	close(p[0]);
	close(p[1]);
	close(in);
	close(null);
	waitpid(drainer, NULL, 0);
	printf("%u\t%u\t%d\t%.3f\t%.3f\t%ld\n", round, which,
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
	    ms(&ru.ru_utime) + ms(&ru.ru_stime), end - begin, ru.ru_maxrss);
}

int
main(int argc, char *argv[])
{
	const char *input = "/dev/null";
	unsigned rounds = 5, r, n;
	int ch, i;

	/* the + makes getopt stop at the first operand */
	while ((ch = getopt(argc, argv, "+i:r:")) != -1)
		if (ch == 'i')
			input = optarg;
		else if (ch == 'r')
			rounds = (unsigned)strtoul(optarg, NULL, 10);
		else
			return 2;
	/* the separators become the ends of argument lists */
	for (i = optind; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			argv[i] = NULL;
	for (r = 0; r < rounds; r++)
		for (i = optind, n = 0; i < argc; n++) {
			run(argv + i, input, r, n);
			while (i < argc && argv[i] != NULL)
				i++;
			i++;
		}
	return fflush(stdout) == 0 ? 0 : 4;
}
