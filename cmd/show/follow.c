/* SPDX-License-Identifier: MIT */
/* A log that grows; see follow.h. */
#include "cmd/show/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"

#define PAUSE	{ 0, 100000000 }	/* between looks, a tenth of a second */

/* A file that became shorter was written anew. */
static void
rewind_if_shorter(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && st.st_size < lseek(fd, 0, SEEK_CUR))
		(void)lseek(fd, 0, SEEK_SET);
}

/* In a child: copy what in has and will have, as long as the parent lives. */
static _Noreturn void
copy(int in, int out, pid_t parent)
{
	const struct timespec pause = PAUSE;
	static char block[65536];
	ssize_t n;

	while (getppid() == parent) {
		n = read(in, block, sizeof(block));
		if (n > 0 && ctx_fd_write(out, block, (size_t)n) == -1)
			break;
		if (n > 0)
			continue;
		rewind_if_shorter(in);
		(void)nanosleep(&pause, NULL);
	}
	_exit(0);
}

static _Noreturn void
give_up(struct cli *c, const char *what)
{
	struct ctx_err err = { 0 };

	ctx_fail_errno(&err, errno, "%s", what);
	cli_report(c, c->file[0], &err);
	exit(cli_end(c));
}

void
show_follow(struct cli *c)
{
	pid_t self = getpid(), child = -1;
	int end[2], in;

	if (c->nfile > 1)
		cli_usage(c, "--follow needs one file");
	if (c->nfile == 0 || strcmp(c->file[0], "-") == 0)
		return;
	if ((in = open(c->file[0], O_RDONLY)) == -1)
		give_up(c, "cannot open");
	if (pipe(end) == -1 || (child = fork()) == -1)
		give_up(c, "cannot follow");
	if (child == 0) {
		close(end[0]);
		copy(in, end[1], self);
	}
	close(in);
	close(end[1]);
	dup2(end[0], STDIN_FILENO);
	close(end[0]);
	c->nfile = 0;
}
