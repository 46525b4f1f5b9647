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
#include "cli_opt.h"
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

int
cli_inputs_boxed(const struct cli *c)
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
	if (!cli_inputs_boxed(c) || !are_early(in) ||
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
cli_input_fail(const char *name, int error, struct ctx_err *err)
{
	/* en dash, em dash and minus, which editors put in place of hyphens */
	static const char *const dashes[] = { "\u2013", "\u2014", "\u2212" };
	size_t i;

	for (i = 0; error == ENOENT &&
	    i < sizeof(dashes) / sizeof(dashes[0]); i++)
		if (strncmp(name, dashes[i], strlen(dashes[i])) == 0)
			return ctx_fail(err, CTX_ESYSTEM, "cannot open; an "
			    "option begins with a hyphen (-), not with a dash "
			    "(%s)", dashes[i]);
	return ctx_fail_errno(err, error, "cannot open");
}

/* Has the command the option -i? */
static int
has_in_place(const struct cli *c)
{
	const struct cli_opt *o;
	struct cli_walk w;
	size_t at;

	if (c == NULL)
		return 0;
	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, &at)) != NULL)
		if (strcmp(o->name, "in-place") == 0)
			return 1;
	return 0;
}

int
cli_input_check(const struct cli *c, int fd, struct ctx_err *err)
{
	struct stat in, out;

	if (fstat(fd, &in) == -1)
		return 0;
	if (S_ISDIR(in.st_mode))
		return ctx_fail(err, CTX_ESYSTEM, "is a directory; name the "
		    "files in it, as in DIR/*.jsonl");
	if (!S_ISREG(in.st_mode) || fstat(STDOUT_FILENO, &out) == -1 ||
	    in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return 0;
	return ctx_fail(err, CTX_ESYSTEM, "is what the output goes to%s; %s",
	    in.st_size == 0 ? ", which > empties before it is read" : "",
	    has_in_place(c) ? "-i edits a file in place" :
	    "let it go to another file");
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
	if (fd == -1)
		return cli_input_fail(cli_inputs_name(in, i), error, err);
	if (cli_input_check(in->cli, fd, err) == 0)
		return fd;
	if (fd != STDIN_FILENO)
		close(fd);
	return -1;
}

void
cli_inputs_done(struct cli_inputs *in)
{
	free(in->ahead);
	in->ahead = NULL;
}
