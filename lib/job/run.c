/* SPDX-License-Identifier: MIT */
/* A job and its input; see run.h. */
#include "job/run.h"

#include <stdio.h>
#include <string.h>

#include "job/run_threads.h"

void
ctx_run_name_bad(struct ctx_run *r, const struct ctx_line *line,
    struct ctx_err *bad)
{
	size_t n = strlen(bad->text);

	if (line->raw[line->len - 1] != '\n' &&
	    strstr(bad->text, "unexpected end") != NULL)
		snprintf(bad->text + n, sizeof(bad->text) - n,
		    " (the last line is cut off)");
	r->bad(r->arg, line, bad);
}

int
ctx_run_skip(struct ctx_run *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	r->job->changed = 1;
	return r->skipped == NULL ? 0 : r->skipped(r->arg, line, err);
}

/* Handle a line that is not JSON.  Returns the same as ctx_run_line. */
static int
bad_line(struct ctx_run *r, const struct ctx_line *line, struct ctx_err *bad,
    struct ctx_err *err)
{
	ctx_run_name_bad(r, line, bad);
	switch (r->on_error) {
	case CTX_BAD_STOP:
		r->job->cut_off = 1;
		return 0;
	case CTX_BAD_SKIP:
		return ctx_run_skip(r, line, err) == -1 ? -1 : 1;
	case CTX_BAD_KEEP:
		return ctx_turns_foreign(&r->job->turns, line, err) == -1 ?
		    -1 : 1;
	case CTX_BAD_TELL:
		break;
	}
	return 1;
}

int
ctx_run_line(struct ctx_run *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_err bad = { 0 };

	if (ctx_job_line(r->job, line, &bad) == 0)
		return 1;
	if (bad.code != CTX_EINPUT || bad.line == 0) {
		*err = bad;
		return -1;
	}
	return bad_line(r, line, &bad, err);
}

/* Is it only white space, unless that is text, or a byte order mark? */
static int
says_nothing(const struct ctx_run *r, const struct ctx_line *line)
{
	const char *blank = r->texts ? "\xef\xbb\xbf" :
	    "\xef\xbb\xbf \t\r\n";
	size_t i;

	for (i = 0; i < line->len; i++)
		if (line->raw[i] == '\0' ||
		    strchr(blank, line->raw[i]) == NULL)
			return 0;
	return 1;
}

int
ctx_run_first(struct ctx_run *r, struct ctx_reader *reader,
    const struct ctx_line *line, struct ctx_err *err)
{
	if (!r->begins || says_nothing(r, line))
		return 0;
	r->begins = 0;
	return r->first == NULL ? 0 : r->first(r->arg, reader, line, err);
}

/* Process all lines in the caller's thread.  Returns 0, or -1 with *err. */
static int
each_line(struct ctx_run *r, struct ctx_reader *reader, struct ctx_err *err)
{
	struct ctx_line line;
	int rc = 1, go = 1;

	while (go == 1 && (rc = ctx_reader_next(reader, &line, err)) == 1) {
		rc = ctx_run_first(r, reader, &line, err);
		if (rc != 0)
			return rc == 1 ? 0 : -1;
		if (r->mine == NULL || (go = r->mine(r->arg, &line,
		    err)) == 1)
			go = ctx_run_line(r, &line, err);
		else if (go == 0)
			go = 1;
	}
	return go == -1 || rc == -1 ? -1 : 0;
}

/* Can the job use threads? */
static int
may_share(const struct ctx_run *r)
{
	const struct ctx_job_kind *kind = r->job->kind;

	return r->threads > 1 && kind->another != NULL;
}

static int
all_lines(struct ctx_run *r, struct ctx_reader *reader, struct ctx_err *err)
{
	unsigned threads = may_share(r) ? r->threads : 0;
	int rc = 1;

	if (threads > 0 || (r->job->kind->ahead != NULL && !r->texts))
		rc = ctx_run_in_threads(r, threads, reader, err);
	return rc == 1 ? each_line(r, reader, err) : rc;
}

/* Process all that the reader has as one file; it is done then. */
static int
run(struct ctx_run *r, struct ctx_reader *reader, struct ctx_err *err)
{
	int rc;

	reader->documents = !r->texts;
	reader->pieces = r->texts;
	reader->before_read = r->waiting;
	reader->arg = r->arg;
	r->job->cut_off = 0;
	memset(&r->job->turns.held, 0, sizeof(r->job->turns.held));
	ctx_apart_done(&r->job->turns.apart);
	r->begins = 1;
	rc = all_lines(r, reader, err);
	if (rc == -1 && err->code == CTX_EINPUT && err->line != 0) {
		/* nothing after a line that is too long can be read */
		r->bad(r->arg, NULL, err);
		ctx_err_clear(err);
		r->job->cut_off = 1;
		rc = 0;
	}
	if (rc == 0)
		rc = ctx_run_end(r, err);
	if (rc == -1) {
		ctx_run_give_up(r);
		ctx_job_give_up(r->job);
	}
	ctx_reader_done(reader);
	return rc;
}

int
ctx_run_fd(struct ctx_run *r, int fd, struct ctx_err *err)
{
	struct ctx_reader reader;

	ctx_reader_init(&reader, fd);
	return run(r, &reader, err);
}

int
ctx_run_text(struct ctx_run *r, const char *text, size_t len,
    struct ctx_err *err)
{
	struct ctx_reader reader;

	if (ctx_reader_text(&reader, text, len, err) == -1)
		return -1;
	return run(r, &reader, err);
}
