/* SPDX-License-Identifier: MIT */
/* The operands as open files; see cli_inputs.h. */
#include "cli_inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "write/spill.h"

/* Every system has so many descriptors, and so many beside the operands do. */
#define FEW	16

struct cli_input {
	int fd, error;		/* errno if fd is -1 */
};

const char *
cli_inputs_name(const struct cli_inputs *in, int i)
{
	return in->cli->nfile > 0 ? in->cli->file[i] : "-";
}

/* Is the sandbox wanted, and enough for what the command will do? */
static int
is_wanted(const struct cli *c)
{
	const char *v = getenv("CTX_SANDBOX");

	if (v == NULL || *v == '\0' || strcmp(v, "on") == 0)
		return !c->lifted;
	if (strcmp(v, "off") != 0)
		cli_usage(c, "CTX_SANDBOX is on or off");
	return 0;
}

/*
 * May it be opened before its turn?  One that waits for a writer may not,
 * unless it is the first.
 */
static int
is_early(const struct cli_inputs *in, int i)
{
	struct stat st;

	return i == 0 || stat(cli_inputs_name(in, i), &st) == -1 ||
	    !S_ISFIFO(st.st_mode);
}

/* May all be? */
static int
are_early(const struct cli_inputs *in)
{
	struct rlimit most;
	int i;

	if (in->n > CLI_INPUTS_MAX)
		return 0;
	if (in->n > FEW && (getrlimit(RLIMIT_NOFILE, &most) == -1 ||
	    (rlim_t)in->n + FEW > most.rlim_cur))
		return 0;
	for (i = 0; i < in->n; i++)
		if (!is_early(in, i))
			return 0;
	return 1;
}

static int
open_input(const struct cli_inputs *in, int i, int *error)
{
	const char *name = cli_inputs_name(in, i);
	int fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY);

	*error = fd == -1 ? errno : 0;
	return fd;
}

void
cli_inputs_open(struct cli_inputs *in, struct cli *c)
{
	const char *scratch = NULL;
	int i;

	in->cli = c;
	in->n = c->nfile > 0 ? c->nfile : 1;
	if (!is_wanted(c) || !are_early(in) ||
	    (c->spills && (scratch = ctx_spill_unnamed()) == NULL))
		return;
	in->ahead = calloc((size_t)in->n, sizeof(*in->ahead));
	if (in->ahead == NULL)
		cli_nomem(c);
	for (i = 0; i < in->n; i++)
		in->ahead[i].fd = open_input(in, i, &in->ahead[i].error);
	cli_open_log(c);
	(void)ctx_sandbox_enter(scratch);
}

int
cli_inputs_fd(struct cli_inputs *in, int i, struct ctx_err *err)
{
	int error, fd;

	if (in->ahead != NULL) {
		fd = in->ahead[i].fd;
		error = in->ahead[i].error;
	} else
		fd = open_input(in, i, &error);
	if (fd == STDIN_FILENO && isatty(fd) && isatty(STDERR_FILENO))
		cli_warn(in->cli, "reading what you type; Ctrl-D ends it, and "
		    "'man %s' says more", in->cli->cmd->name);
	return fd != -1 ? fd : ctx_fail_errno(err, error, "cannot open");
}

void
cli_inputs_done(struct cli_inputs *in)
{
	free(in->ahead);
	in->ahead = NULL;
}
