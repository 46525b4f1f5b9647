/* SPDX-License-Identifier: MIT */
/* A log that grows; see follow.h. */
#include "cmd/show/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* Start tail with the file as its input and to as its output. */
static int
start_tail(const char *file, int to, struct ctx_err *err)
{
	static char name[] = "tail", from[] = "-c", first[] = "+1", on[] = "-f",
	    end[] = "--";
	char *const argv[] = { name, from, first, on, end, (char *)file, NULL };
	posix_spawn_file_actions_t do_first;
	pid_t pid;
	int rc = posix_spawn_file_actions_init(&do_first);

	if (rc == 0) {
		rc = posix_spawn_file_actions_adddup2(&do_first, to,
		    STDOUT_FILENO);
		if (rc == 0)
			rc = posix_spawnp(&pid, "tail", &do_first, NULL, argv,
			    environ);
		posix_spawn_file_actions_destroy(&do_first);
	}
	return rc == 0 ? 0 : ctx_fail_errno(err, rc, "cannot run tail");
}

void
show_follow(struct cli *c)
{
	struct ctx_err err = { 0 };
	char quoted[256];
	const char *file;
	int end[2];

	if (c->nfile > 1)
		cli_usage(c, "--follow needs one file");
	if (c->nfile == 0 || strcmp(c->file[0], "-") == 0)
		return;
	file = c->file[0];
	if (access(file, R_OK) == -1)
		cli_must(c, ctx_fail_errno(&err, errno, "cannot open %s",
		    ctx_err_quote(quoted, sizeof(quoted), file, strlen(file))),
		    &err);
	if (pipe(end) == -1 || fcntl(end[0], F_SETFD, FD_CLOEXEC) == -1 ||
	    fcntl(end[1], F_SETFD, FD_CLOEXEC) == -1)
		cli_must(c, ctx_fail_errno(&err, errno, "pipe"), &err);
	cli_must(c, start_tail(file, end[1], &err), &err);
	close(end[1]);
	dup2(end[0], STDIN_FILENO);
	close(end[0]);
	c->nfile = 0;
	c->lifted = 1;
}
