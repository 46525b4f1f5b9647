/* SPDX-License-Identifier: MIT */
/* The loop of the filters; see cli_stream.h. */
#include "cli_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_temp.h"

static const char *
dialect_name(size_t i)
{
	return ctx_dialects[i] != NULL ? ctx_dialects[i]->name : NULL;
}

static void
take_dialect(struct cli *c, void *place)
{
	const struct ctx_dialect **d = place;

	*d = ctx_dialects[cli_opt_find_word(c)];
}

static void
take_in_place(struct cli *c, void *place)
{
	struct cli_stream *s = place;

	s->in_place = 1;
	s->suffix = c->arg;
}

const char *const cli_on_errors[] = { "stop", "skip", "keep", NULL };

#define OPT_OF struct cli_stream
const struct cli_opt cli_stream_opts[] = {
	OPT_GROUP("Input"),
	OPT_TEXT('b', "by", "KEY", turns.by,
	    "tell conversations apart by this member"),
	OPT_CALL('d', "dialect", "NAME", turns.dialect, take_dialect,
	    "do not detect the message format", .word = dialect_name),
	OPT_WORD(0, "on-error", "HOW", on_error, cli_on_errors,
	    "a line that is not JSON"),
	OPT_END
};

const struct cli_opt cli_in_place_opts[] = {
	OPT_DO('i', "in-place", "=SUFFIX", take_in_place,
	    "edit files in place, keep the old one with SUFFIX"),
	OPT_END
};
#undef OPT_OF

static int
flush_before_read(void *arg, struct ctx_err *err)
{
	struct cli_stream *s = arg;

	cli_progress_step(&s->progress);
	if (s->before_read != NULL && s->before_read(s, err) == -1)
		return -1;
	return ctx_out_flush(&s->out, err);
}

/*
 * A line that is not JSON, named; then as --on-error says.  1: go on, 0: end
 * of this file, -1: *err.
 */
static int
bad_line(struct cli_stream *s, const struct ctx_line *line,
    struct ctx_err *bad, struct ctx_err *err)
{
	if (line->raw[line->len - 1] != '\n')
		snprintf(bad->text + strlen(bad->text), sizeof(bad->text) -
		    strlen(bad->text), " (the last line is cut off)");
	if (s->bad_line != NULL && s->bad_line(s, bad))
		return 1;
	cli_report(s->cli, s->file, bad);
	switch (s->on_error) {
	case CLI_STOP:
		s->hold_back = 1;
		return 0;
	case CLI_SKIP:
		s->changed = 1;
		return 1;
	case CLI_KEEP:
		return ctx_turns_foreign(&s->turns, line, err) == -1 ? -1 : 1;
	}
	return 0;
}

int
cli_stream_line(struct cli_stream *s, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_err bad = { 0 };

	if (ctx_turns_line(&s->turns, line, &bad) == 0)
		return 1;
	if (bad.code != CTX_EINPUT || bad.line == 0) {
		*err = bad;
		return -1;
	}
	return bad_line(s, line, &bad, err);
}

/* Nothing but white space, or a byte order mark? */
static int
says_nothing(const struct ctx_line *line)
{
	size_t i;

	for (i = 0; i < line->len; i++)
		if (memchr(" \t\r\n\xef\xbb\xbf", line->raw[i], 7) == NULL)
			return 0;
	return 1;
}

/* The lines of one descriptor.  0, or -1 with *err. */
static int
each_line(struct cli_stream *s, int fd, struct ctx_err *err)
{
	struct ctx_reader r;
	struct ctx_line line;
	int rc, go = 1, first = s->first_line != NULL;

	ctx_reader_init(&r, fd);
	r.before_read = flush_before_read;
	r.arg = s;
	s->hold_back = 0;
	cli_progress_begin(&s->progress, s->cli, s->file, fd);
	while (go == 1 && (rc = ctx_reader_next(&r, &line, err)) == 1) {
		if (first && !says_nothing(&line)) {
			first = 0;
			rc = s->first_line(s, &r, &line, err);
			if (rc != 0) {
				rc = rc == 1 ? 0 : -1;
				break;
			}
		}
		go = cli_stream_line(s, &line, err);
		rc = go == -1 ? -1 : 0;
	}
	if (rc == -1 && err->code == CTX_EINPUT && err->line != 0) {
		/* a line too long to be read: nothing behind it can be */
		cli_report(s->cli, s->file, err);
		ctx_err_clear(err);
		s->hold_back = 1;
		rc = 0;
	}
	if (rc != -1)
		rc = ctx_turns_end(&s->turns, err);
	if (rc != -1)
		rc = ctx_queue_end(&s->queue, s->turns.seq, err);
	if (rc != -1 && s->file_end != NULL)
		rc = s->file_end(s, err);
	if (rc == -1) {
		ctx_turns_forget(&s->turns);
		ctx_queue_forget(&s->queue, s->turns.seq);
		if (s->give_up != NULL)
			s->give_up(s);
	}
	ctx_reader_done(&r);
	cli_progress_end(&s->progress);
	return rc;
}

/* Opens name for reading; a directory is refused by name. */
static int
open_input(const char *name, int flags, struct stat *st, struct ctx_err *err)
{
	int fd = open(name, O_RDONLY | flags);

	if (fd == -1)
		return ctx_fail_errno(err, errno, "cannot open");
	if (fstat(fd, st) == 0 && S_ISDIR(st->st_mode)) {
		close(fd);
		return ctx_fail(err, CTX_ESYSTEM, "is a directory");
	}
	return fd;
}

/* What went wrong, by the name of the input or, if it is that, the output. */
static void
report(struct cli_stream *s, const struct ctx_err *err)
{
	const char *out = s->out.name;

	cli_report(s->cli, err->line != 0 || out == NULL || strncmp(err->text,
	    out, strlen(out)) != 0 ? s->file : NULL, err);
}

static void
one_stream(struct cli_stream *s, const char *name)
{
	struct ctx_err err = { 0 };
	struct stat st;
	int fd = STDIN_FILENO, std = strcmp(name, "-") == 0, rc;

	s->file = std ? "(standard input)" : name;
	if (!std && (fd = open_input(name, 0, &st, &err)) == -1) {
		cli_report(s->cli, s->file, &err);
		return;
	}
	rc = each_line(s, fd, &err);
	/* what was made of the lines before an error is written, too */
	if (ctx_out_flush(&s->out, &err) == -1 || rc == -1) {
		if (s->no_reader != NULL && s->out.gone)
			*s->no_reader = 1;
		if (s->no_reader == NULL || !*s->no_reader)
			report(s, &err);
	}
	if (!std)
		close(fd);
}

/* --- in place --------------------------------------------------------- */

/* The old file under another name as well, so that both are always there. */
static int
keep_backup(const char *path, const char *suffix, struct ctx_err *err)
{
	struct ctx_buf backup = { 0 };
	int rc = 0;

	if (suffix == NULL || *suffix == '\0')
		return 0;
	ctx_buf_adds(&backup, path);
	ctx_buf_adds(&backup, suffix);
	if (ctx_buf_str(&backup) == NULL)
		rc = ctx_fail_nomem(err);
	else if ((unlink(backup.data) == -1 && errno != ENOENT) ||
	    link(path, backup.data) == -1)
		rc = ctx_fail_errno(err, errno, "cannot keep a backup");
	ctx_buf_done(&backup);
	return rc;
}

/* The regular file of that name, and its name without symbolic links. */
static int
open_in_place(const char *name, struct stat *st, char **path,
    struct ctx_err *err)
{
	int fd;

	if ((*path = realpath(name, NULL)) == NULL)
		return ctx_fail_errno(err, errno, "cannot open");
	/* what is no file is refused, and not waited for */
	if ((fd = open_input(*path, O_NONBLOCK, st, err)) != -1 &&
	    !S_ISREG(st->st_mode)) {
		close(fd);
		fd = ctx_fail(err, CTX_ESYSTEM, "is not a regular file");
	}
	if (fd == -1)
		free(*path);
	return fd;
}

static int
one_in_place(struct cli_stream *s, const char *name, struct ctx_err *err)
{
	enum cli_exit worst = s->cli->worst;
	struct cli_temp temp = { 0 };
	struct stat st;
	char *path;
	int in, rc;

	if ((in = open_in_place(name, &st, &path, err)) == -1)
		return -1;
	if ((rc = cli_temp_open(&temp, path, err)) == -1)
		goto out;
	ctx_out_done(&s->out);
	ctx_out_init(&s->out, temp.fd, "new file");
	s->changed = 0;
	s->cli->worst = CLI_OK;
	rc = each_line(s, in, err);
	if (rc == 0)
		rc = ctx_out_flush(&s->out, err);
	if (rc == 0 && s->changed && !s->hold_back &&
	    s->cli->worst < CLI_SYSTEM &&
	    (rc = cli_temp_like(&temp, in, &st, name, s->cli, err)) == 0 &&
	    (rc = keep_backup(path, s->suffix, err)) == 0)
		rc = cli_temp_replace(&temp, path, err);
	cli_raise(s->cli, worst);
out:
	cli_temp_done(&temp);
	free(path);
	close(in);
	return rc;
}

void
cli_each_turn(struct cli_stream *s, struct cli *c)
{
	struct ctx_err err;
	int i;

	s->cli = c;
	if (s->in_place && c->nfile == 0)
		cli_usage(c, "-i needs the names of files");
	ctx_out_init(&s->out, STDOUT_FILENO, "standard output");
	ctx_queue_init(&s->queue, &s->out);
	if (c->nfile == 0)
		one_stream(s, "-");
	for (i = 0; i < c->nfile; i++) {
		memset(&err, 0, sizeof(err));
		if (!s->in_place)
			one_stream(s, c->file[i]);
		else if (one_in_place(s, s->file = c->file[i], &err) == -1)
			cli_report(c, s->file, &err);
	}
	ctx_queue_done(&s->queue);
	ctx_turns_done(&s->turns);
	ctx_out_done(&s->out);
}
