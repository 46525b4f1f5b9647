/* SPDX-License-Identifier: MIT */
/* Whole files, and files named by their contents; see cli_files.h. */
#include "cli_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli_temp.h"
#include "read/span.h"

int
cli_file_path(struct ctx_buf *path, const char *dir, const char *name,
    struct ctx_err *err)
{
	ctx_buf_reset(path);
	ctx_buf_addf(path, "%s/%s", dir, name);
	return ctx_buf_str(path) == NULL ? ctx_fail_nomem(err) : 0;
}

void
cli_file_encode(struct ctx_buf *out, const char *name, size_t len)
{
	size_t i, n;

	for (i = 0; i < len; i += n + 1) {
		n = ctx_scan_utf8(name + i, len - i);
		ctx_str_encode(out, name + i, n);
		if (i + n < len)
			ctx_buf_addf(out, "\\\\x%02x",
			    (unsigned char)name[i + n]);
	}
}

int
cli_file_put(const struct cli_file *f, struct ctx_err *err)
{
	struct cli_temp temp = { 0 };
	struct ctx_buf path = { 0 };
	struct ctx_err why = { 0 };
	struct stat st;
	int rc = -1;

	if (cli_file_path(&path, f->dir, f->name, err) == -1)
		goto out;
	if (stat(path.data, &st) == 0 && st.st_size == (off_t)f->len)
		rc = 0;
	else if (cli_temp_open(&temp, path.data, &why) == 0) {
		temp.loose = !f->sync;
		if (ctx_fd_write(temp.fd, f->p, f->len) == -1)
			ctx_fail_errno(&why, errno, "cannot write");
		else
			rc = cli_temp_replace(&temp, path.data, &why);
	}
	if (rc == -1)
		ctx_fail(err, why.code, "%.100s: %.140s", f->dir, why.text);
out:
	cli_temp_done(&temp);
	ctx_buf_done(&path);
	return rc;
}

int
cli_file_get(const char *name, struct ctx_buf *out, struct ctx_err *err)
{
	int fd = open(name, O_RDONLY);
	int rc;

	if (fd == -1)
		return errno == ENOENT ? 0 :
		    ctx_fail_errno(err, errno, "%s", name);
	if ((rc = ctx_fd_read(fd, CTX_LINE_MAX, out)) == -1)
		ctx_fail_errno(err, errno, "%s", name);
	else if (rc == 0)
		rc = ctx_fail(err, CTX_ESYSTEM, "%s is too large", name);
	close(fd);
	return rc;
}

/* Are they one file?  What keeps nothing, such as a pipe, may be used twice. */
static int
is_same(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && a->st_dev == b->st_dev &&
	    a->st_ino == b->st_ino;
}

int
cli_file_is_one(const char *file, const char *name)
{
	struct stat a, b;
	int rc;

	if (stat(file, &a) == -1)
		return errno == ENOENT && strcmp(file, name) == 0;
	rc = strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &b) :
	    stat(name, &b);
	return rc == 0 && is_same(&a, &b);
}

static int
is_open(const char *file, int fd)
{
	struct stat a, b;

	return stat(file, &a) == 0 && fstat(fd, &b) == 0 && is_same(&a, &b);
}

/* Does the argument of the option name a file? */
static int
takes_file(const struct cli_opt *o)
{
	return o->arg != NULL && (strstr(o->arg, "FILE") != NULL ||
	    strcmp(o->arg, "WHERE") == 0);
}

const char *
cli_file_apart(const struct cli *c, const char *option)
{
	const char *file = cli_argument(c, option);
	const struct cli_opt *o;
	struct cli_walk w;
	size_t at;
	int i;

	for (i = 0; i < c->nfile || i == 0; i++)
		if (cli_file_is_one(file, c->nfile > 0 ? c->file[i] : "-"))
			cli_usage(c, "--%s: %s is the history itself", option,
			    file);
	for (i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
		if (is_open(file, i))
			cli_usage(c, "--%s: %s is the file that %s to", option,
			    file, i == STDOUT_FILENO ? "the output goes" :
			    "messages go");
	cli_walk_begin(&w, c->cmd->opts);
	while ((o = cli_walk_next(&w, &at)) != NULL)
		if (takes_file(o) && strcmp(o->name, option) != 0 &&
		    c->argument[w.n - 1] != NULL &&
		    cli_file_is_one(file, c->argument[w.n - 1]))
			cli_usage(c, "--%s: %s is the file of --%s", option,
			    file, o->name);
	return file;
}

static void
open_out(struct ctx_out *out, const char *option, struct cli *c)
{
	struct ctx_err err = { 0 };
	const char *name = cli_file_apart(c, option);
	int fd = open(name, O_WRONLY | O_CREAT, 0666);

	if (fd == -1) {
		ctx_fail_errno(&err, errno, "cannot write");
		cli_report(c, name, &err);
		exit(cli_end(c));
	}
	/* it may have another name, which says nothing before it is there */
	(void)cli_file_apart(c, option);
	ctx_out_init(out, fd, name);
}

static void
add_out(struct ctx_out *out, const char *option, int later, struct cli *c)
{
	(void)cli_file_apart(c, option);
	c->output[c->noutput++] = (struct cli_output){ out, option, later };
}

void
cli_file_out(struct ctx_out *out, const char *option, struct cli *c)
{
	add_out(out, option, 0, c);
}

void
cli_file_out_later(struct ctx_out *out, const char *option, struct cli *c)
{
	add_out(out, option, 1, c);
}

void
cli_file_outs(struct cli *c)
{
	const struct cli_output *end = c->output + c->noutput, *o;
	struct ctx_err err = { 0 };

	for (o = c->output; o < end; o++)
		open_out(o->out, o->option, c);
	for (o = c->output; o < end; o++)
		/* a pipe has no length */
		if (!o->later && ftruncate(o->out->fd, 0) == -1 &&
		    errno != EINVAL) {
			ctx_fail_errno(&err, errno, "cannot write");
			cli_report(c, o->out->name, &err);
			exit(cli_end(c));
		}
	c->noutput = 0;
}

void
cli_file_out_done(struct ctx_out *out, struct cli *c)
{
	struct ctx_err err = { 0 };

	if (out->name == NULL)
		return;
	if (ctx_out_flush(out, &err) == -1 || (close(out->fd) == -1 &&
	    ctx_fail_errno(&err, errno, "%s", out->name) == -1))
		cli_report(c, NULL, &err);
	ctx_out_done(out);
}

void
cli_file_dir(const char *dir, int make, struct cli *c)
{
	struct stat st;

	if (make && mkdir(dir, 0777) == -1 && errno != EEXIST) {
		cli_error(c, CLI_SYSTEM, "%s: %s", dir, strerror(errno));
		exit(cli_end(c));
	}
	if (stat(dir, &st) == -1 || !S_ISDIR(st.st_mode)) {
		cli_error(c, CLI_SYSTEM, "%s: not a directory", dir);
		exit(cli_end(c));
	}
}
