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

#include "base/buf.h"
#include "base/fd.h"
#include "cli_inputs.h"

#define PAUSE	{ 0, 100000000 }	/* between looks, a tenth of a second */

/* A file that became shorter was written anew: forget the line in part. */
static void
rewind_if_shorter(int fd, struct ctx_buf *part)
{
	struct stat st;

	if (fstat(fd, &st) == -1 || st.st_size >= lseek(fd, 0, SEEK_CUR))
		return;
	(void)lseek(fd, 0, SEEK_SET);
	ctx_buf_reset(part);
}

/* Copy whole lines; of the last one keep what is there in part. */
static int
copy_lines(int out, const char *p, size_t n, struct ctx_buf *part)
{
	size_t end = n;

	while (end > 0 && p[end - 1] != '\n')
		end--;
	if (end > 0) {
		if (ctx_fd_write(out, part->data, part->len) == -1 ||
		    ctx_fd_write(out, p, end) == -1)
			return -1;
		ctx_buf_reset(part);
	}
	return ctx_buf_add(part, p + end, n - end);
}

/* In a child: copy what in has and will have, as long as the parent lives. */
static _Noreturn void
copy(int in, int out, pid_t parent)
{
	const struct timespec pause = PAUSE;
	static char block[65536];
	struct ctx_buf part = { 0 };
	ssize_t n;

	while (getppid() == parent) {
		n = read(in, block, sizeof(block));
		if (n > 0 && copy_lines(out, block, (size_t)n, &part) == -1)
			break;
		if (n > 0)
			continue;
		rewind_if_shorter(in, &part);
		(void)nanosleep(&pause, NULL);
	}
	_exit(0);
}

static _Noreturn void
give_up(struct cli *c, const struct ctx_err *err)
{
	cli_report(c, c->file[0], err);
	exit(cli_end(c));
}

const char *
show_follow(struct cli *c)
{
	pid_t self = getpid(), child = -1;
	struct ctx_err err = { 0 };
	int end[2], in;

	if (c->nfile > 1)
		cli_usage(c, "--follow needs one file");
	if (c->nfile == 0 || strcmp(c->file[0], "-") == 0)
		return NULL;
	if ((in = open(c->file[0], O_RDONLY)) == -1) {
		cli_input_fail(c->file[0], errno, &err);
		give_up(c, &err);
	}
	if (cli_input_check(c, in, &err) == -1)
		give_up(c, &err);
	if (pipe(end) == -1 || (child = fork()) == -1) {
		ctx_fail_errno(&err, errno, "cannot follow");
		give_up(c, &err);
	}
	if (child == 0) {
		close(end[0]);
		copy(in, end[1], self);
	}
	close(in);
	close(end[1]);
	dup2(end[0], STDIN_FILENO);
	close(end[0]);
	c->nfile = 0;
	return c->file[0];
}
