/* SPDX-License-Identifier: MIT */
/*
 * Tries at exit what a fault could be used for; a library to preload.  It
 * writes a line to standard error for each attempt: what it was, and "done" or
 * "refused".
 */
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void
tell(const char *what, long rc)
{
	dprintf(2, "%s: %s\n", what, rc != -1 ? "done" :
	    errno == EPERM || errno == EACCES ? "refused" : "failed");
}

__attribute__((destructor)) static void
at_exit(void)
{
	pid_t pid;

	tell("read a file", open("/dev/null", O_RDONLY));
	tell("make a file", open("escaped", O_WRONLY | O_CREAT, 0600));
	tell("connect", socket(AF_INET, SOCK_STREAM, 0));
	tell("signal another process", kill(getppid(), 0));
	tell("start a process", pid = fork());
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}
