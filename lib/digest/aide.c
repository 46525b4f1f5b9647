/* SPDX-License-Identifier: MIT */
#include "digest/aide.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/helper.h"

#define SECONDS	10	/* that it may take for an answer */
#define NOMEM	4	/* its exit code without memory */

#ifndef SOCK_CLOEXEC
#define SOCK_CLOEXEC	0	/* it is set later */
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL	0	/* the socket has an option for it */
#endif

/* End the program if it is running.  Returns -1 if it ended for want of memory. */
static int
stop(struct ctx_aide *a)
{
	int status = 0;

	if (a->pid == 0)
		return 0;
	close(a->fd);
	kill(a->pid, SIGKILL);
	while (waitpid(a->pid, &status, 0) == -1 && errno == EINTR)
		continue;
	a->pid = 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == NOMEM ? -1 : 0;
}

void
ctx_aide_done(struct ctx_aide *a)
{
	stop(a);
	ctx_buf_done(&a->answer);
	memset(a, 0, sizeof(*a));
}

/* There is no answer, for this reason.  Returns CTX_AIDE_NOT or -1. */
static int
without(struct ctx_aide *a, const char *why)
{
	if (stop(a) == -1)
		return -1;
	ctx_buf_reset(&a->answer);
	ctx_buf_adds(&a->answer, why);
	return ctx_buf_str(&a->answer) == NULL ? -1 : CTX_AIDE_NOT;
}

/* A socket does not send a signal when the other side has ended. */
static void
limit(int fd)
{
	const struct timeval most = { .tv_sec = SECONDS };

	fcntl(fd, F_SETFD, FD_CLOEXEC);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
#ifdef SO_NOSIGPIPE
	setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){ 1 }, sizeof(int));
#endif
}

/* Returns 0, or -1 if it cannot be started. */
static int
start(struct ctx_aide *a, const char *name)
{
	char word[32];
	char *argv[2] = { word, NULL };
	struct ctx_buf path = { 0 };
	struct ctx_err err = { 0 };
	int fd[2], rc, why = 0;

	snprintf(word, sizeof(word), "%s", name);
	rc = ctx_helper_find(name, &path, &err);
	if (rc == 0 && (rc = socketpair(AF_UNIX, SOCK_STREAM |
	    SOCK_CLOEXEC, 0, fd)) == 0) {
		limit(fd[0]);
		fcntl(fd[1], F_SETFD, FD_CLOEXEC);
		why = ctx_helper_start(path.data, argv, fd[1], fd[1],
		    &a->pid);
		rc = why == 0 ? 0 : -1;
		close(fd[1]);
		if (rc == -1) {
			close(fd[0]);
			a->pid = 0;
		}
		a->fd = fd[0];
	}
	ctx_buf_done(&path);
	a->missing = rc == -1 && err.code != CTX_ENOMEM && why != ENOMEM;
	return rc;
}

static int
put(int fd, const char *p, size_t len)
{
	ssize_t n;

	for (; len > 0; p += n, len -= (size_t)n)
		while ((n = send(fd, p, len, MSG_NOSIGNAL)) == -1)
			if (errno != EINTR)
				return -1;
	return 0;
}

static int
get(int fd, char *p, size_t len)
{
	ssize_t n;

	for (; len > 0; p += n, len -= (size_t)n) {
		while ((n = recv(fd, p, len, 0)) == -1)
			if (errno != EINTR)
				return -1;
		if (n == 0) {
			errno = 0;
			return -1;
		}
	}
	return 0;
}

static const char *
reason(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK ? "it takes too long" :
	    "the program that opens it failed";
}

int
ctx_aide_ask(struct ctx_aide *a, const char *name, const char *data,
    size_t len)
{
	char head[CTX_AIDE_HEAD + 1];
	unsigned long n;

	if (len > CTX_AIDE_ASK_MAX)
		return without(a, "it is too large");
	if (a->pid == 0 && (a->missing || start(a, name) == -1)) {
		if (!a->missing)
			return -1;
		ctx_buf_reset(&a->answer);
		ctx_buf_addf(&a->answer, "no %s", name);
		return ctx_buf_str(&a->answer) == NULL ? -1 : CTX_AIDE_NOT;
	}
	snprintf(head, sizeof(head), CTX_AIDE_FORM, 0, len);
	if (put(a->fd, head, CTX_AIDE_HEAD) == -1 ||
	    put(a->fd, data, len) == -1 ||
	    get(a->fd, head, CTX_AIDE_HEAD) == -1)
		return without(a, reason());
	head[CTX_AIDE_HEAD] = '\0';
	n = strtoul(head + 1, NULL, 10);
	if (*head == '0' + CTX_AIDE_NOMEM)
		return -1;
	if (*head < '0' || *head > '2' || n > CTX_AIDE_ANSWER_MAX)
		return without(a, "the program that opens it failed");
	ctx_buf_reset(&a->answer);
	if (ctx_buf_reserve(&a->answer, n + 1) == -1) {
		stop(a);
		return -1;
	}
	if (get(a->fd, a->answer.data, n) == -1)
		return without(a, reason());
	a->answer.len = n;
	a->answer.data[n] = '\0';
	return *head - '0';
}
