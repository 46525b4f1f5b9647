/* SPDX-License-Identifier: MIT */
/* The loop of the filters; see cli_stream.h. */
#include "cli_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli_files.h"
#include "cli_inputs.h"
#include "cli_kind.h"
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

static const char *const on_errors[] = { "stop", "skip", "keep", NULL };

#define OPT_OF struct cli_stream
const struct cli_opt cli_lines_opts[] = {
	OPT_GROUP("Input"),
	OPT_TEXT('b', "by", "KEY", by,
	    "group messages into conversations by member KEY"),
	OPT_WORD(0, "on-error", "HOW", on_error, on_errors,
	    "how to treat lines that are not JSON (default stop)"),
	OPT_END
};

const struct cli_opt cli_stream_opts[] = {
	OPT_ROWS(cli_lines_opts),
	OPT_CALL('d', "dialect", "NAME", dialect, take_dialect,
	    "dialect to read (default: detected)", .word = dialect_name),
	OPT_END
};

const struct cli_opt cli_jobs_opts[] = {
	OPT_NUM('j', "jobs", "N", threads, 1, CTX_RUN_THREADS_MAX,
	    "number of threads (default 1)"),
	OPT_END
};

const struct cli_opt cli_dropped_opts[] = {
	OPT_TEXT(0, "dropped", "FILE", dropped,
	    "write the messages that are taken out to FILE"),
	OPT_END
};

const struct cli_opt cli_rejected_opts[] = {
	OPT_TEXT(0, "rejected", "FILE", rejected,
	    "with --on-error skip: write the lines that are skipped to FILE",
	    .needs = "on-error"),
	OPT_END
};

const struct cli_opt cli_branch_opts[] = {
	OPT_FLAG(0, "all-branches", all_branches,
	    "take all branches of a session, not only the one that goes on"),
	OPT_END
};
#undef OPT_OF

/* --- a job's callbacks ------------------------------------------------- */

static int
waiting(void *arg, struct ctx_err *err)
{
	struct cli_stream *s = arg;

	cli_progress_step(&s->progress);
	if (s->before_read != NULL && s->before_read(s, err) == -1)
		return -1;
	return ctx_out_flush(&s->out, err);
}

static int
first(void *arg, struct ctx_reader *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct cli_stream *s = arg;

	if (s->shard.n > 1 && ctx_shard_first(&s->shard, line, err) == -1)
		return -1;
	/* whoever writes to standard input is to be read to the end */
	if (s->shard.how == CTX_SHARD_NONE)
		return !s->std;
	return s->first_line == NULL ? 0 : s->first_line(s, r, line, err);
}

/* --shard; lines of a pipe are counted here, too. */
static int
mine(void *arg, const struct ctx_line *line, struct ctx_err *err)
{
	struct cli_stream *s = arg;

	if (s->progress.counts)
		cli_progress_line(&s->progress, line->len);
	return s->shard.n > 1 ? ctx_shard_has(&s->shard, line, err) : 1;
}

/* A file that is something else is recognized by its first line. */
static void
bad(void *arg, const struct ctx_line *line, const struct ctx_err *why)
{
	struct cli_stream *s = arg;
	struct ctx_err err = *why;

	/* what is JSON, and refused nevertheless, has no column */
	if (err.col == 0 || (line != NULL && line->no == 1 &&
	    cli_kind(line->raw, line->len, err.col, s->piped != NULL ?
	    s->piped : s->cli->cmd->name, err.text, sizeof(err.text))))
		s->foreign = 1;
	if (s->bad_line != NULL)
		s->bad_line(s, &err);
	else
		cli_report(s->cli, s->file, &err);
}

/*
 * Keep a line that is skipped; nothing else has it when a file is edited in place,
 * so it then always goes to a file.
 */
static int
skipped(void *arg, const struct ctx_line *line, struct ctx_err *err)
{
	struct cli_stream *s = arg;

	if (s->reject.name == NULL && s->place.on &&
	    cli_in_place_beside(&s->place, ".rejected", &s->reject, err) == -1)
		return -1;
	return s->reject.name == NULL ? 0 :
	    ctx_out_line(&s->reject, line->raw, line->len, NULL, err);
}

static int
bytes(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	struct cli_stream *s = arg;

	return ctx_out_line(to == CTX_TO_SIDE ? &s->side : &s->out, p, len,
	    block, err);
}

static int
row(void *arg, const struct ctx_row *r, struct ctx_err *err)
{
	struct cli_stream *s = arg;

	return s->row(s, r, err);
}

/* The stream that own belongs to. */
static struct cli_stream *
stream_of(struct ctx_job *own)
{
	return (struct cli_stream *)((char *)own -
	    offsetof(struct cli_stream, own));
}

static int
own_file_end(struct ctx_job *own, struct ctx_job *const *job, unsigned n,
    struct ctx_err *err)
{
	struct cli_stream *s = stream_of(own);

	(void)job;
	(void)n;
	return s->file_end == NULL ? 0 : s->file_end(s, err);
}

static void
own_give_up(struct ctx_job *own)
{
	struct cli_stream *s = stream_of(own);

	if (s->give_up != NULL)
		s->give_up(s);
}

static const struct ctx_job_kind own_kind = {
	.file_end = own_file_end,
	.give_up = own_give_up
};

/* Pass the options on to the job and to what runs it. */
static void
begin(struct cli_stream *s)
{
	static const struct ctx_sink none;
	struct ctx_turns turns = s->own.turns;

	if (s->job == NULL) {
		s->job = &s->own;
		ctx_job_init(s->job, &own_kind);
		s->job->turns = turns;
	}
	s->job->turns.by = s->by;
	s->job->turns.dialect = s->dialect;
	if (memcmp(&s->job->sink, &none, sizeof(none)) == 0)
		s->job->sink = (struct ctx_sink){ bytes, row, s };
	s->run = (struct ctx_run){ .job = s->job, .threads = s->threads,
	    .on_error = s->on_error, .waiting = waiting, .bad = bad,
	    .texts = s->texts, .skipped = skipped, .first = first, .arg = s };
	if (s->shard.n > 1) {
		s->shard.by = s->by;
		s->shard.dialect = s->dialect;
		s->job->turns.by_line = &s->shard.by_line;
	}
}

/* Say what of the file no command can see. */
static void
tell_held(struct cli_stream *s)
{
	const struct ctx_held *h = &s->job->turns.held;
	char file[512];

	ctx_err_quote(file, sizeof(file), s->file, strlen(s->file));
	if (h->lines > 0 && h->keyed == 0 && s->shard.keyed == 0)
		cli_warn(s->cli, "%s: no message has the member %s of --by, so all "
		    "are one conversation", file, s->by);
	if (!s->unmixed)
		cli_kind_apart(s->cli, s->file, &s->job->turns.apart);
	if (h->records > 0 && h->messages == 0) {
		s->without++;
		if (s->no_message != NULL)
			s->no_message(s, file, h->records);
		else
			cli_warn(s->cli, "%s: no message in %" PRIu64
			    " record%s; ctx-stream(5) lists the formats that "
			    "are read", file, h->records, CLI_S(h->records));
	} else if (h->odd > 0 && s->odd != NULL)
		cli_warn(s->cli, "%s: %" PRIu64 " %s %s (first: line %" PRIu64
		    "); ctx-clean --check names each", file, h->odd,
		    h->odd == 1 ? "record is not a message and was" :
		    "records are not messages and were", s->odd, h->odd_line);
	if (h->replaced > 0 && s->beside != NULL && !s->all_branches)
		cli_warn(s->cli, "%s: %" PRIu64 " message%s that a summary "
		    "replaced %s (--all-branches takes them)", file,
		    h->replaced, CLI_S(h->replaced), s->beside);
	if (h->beside > 0 && s->beside != NULL && !s->all_branches)
		cli_warn(s->cli, "%s: %" PRIu64 " message%s of other branches %s "
		    "(--all-branches takes them)", file, h->beside,
		    CLI_S(h->beside), s->beside);
}

/* Read the lines of one descriptor.  Returns 0, or -1 with *err set. */
static int
each_line(struct cli_stream *s, int fd, struct ctx_err *err)
{
	int rc;

	cli_progress_begin(&s->progress, s->cli, s->late, s->file, fd);
	s->run.mine = s->shard.n > 1 || s->progress.counts ? mine : NULL;
	s->hold_back = 0;
	s->foreign = 0;
	ctx_shard_begin(&s->shard, s->std ? NULL : s->file);
	rc = ctx_run_fd(&s->run, fd, err);
	if (rc == 0 && s->dropped != NULL)
		rc = ctx_out_flush(&s->side, err);
	if (rc == 0 && s->job != &s->own && s->file_end != NULL)
		rc = s->file_end(s, err);
	cli_progress_end(&s->progress);
	if (rc == 0)
		tell_held(s);
	return rc;
}

/* Did this output fail?  Then its name begins the message. */
static int
is_of(const struct ctx_err *err, const struct ctx_out *out)
{
	return err->line == 0 && out->name != NULL &&
	    strncmp(err->text, out->name, strlen(out->name)) == 0;
}

/*
 * Report an error with the name of the input or, if it failed, of the output.
 */
static void
report(struct cli_stream *s, const struct ctx_err *err)
{
	cli_report(s->cli, is_of(err, &s->out) || is_of(err, &s->side) ||
	    is_of(err, &s->reject) ? NULL : s->file, err);
}

static void
one_stream(struct cli_stream *s, struct cli_inputs *in, int i)
{
	const char *name = cli_inputs_name(in, i);
	struct ctx_err err = { 0 };
	int fd, rc;

	s->std = strcmp(name, "-") == 0;
	s->file = !s->std ? name : s->called != NULL ? s->called :
	    cli_stdin_name;
	if ((fd = cli_inputs_fd(in, i, &err)) == -1) {
		cli_report(s->cli, s->file, &err);
		return;
	}
	rc = each_line(s, fd, &err);
	/* also write what was made of the lines before an error */
	if (ctx_out_flush(&s->out, &err) == -1 || rc == -1) {
		if (s->no_reader != NULL && s->out.gone)
			*s->no_reader = 1;
		if (s->no_reader == NULL || !*s->no_reader)
			report(s, &err);
	}
	if (!s->std)
		close(fd);
}

/* --- in place ---------------------------------------------------------- */

/*
 * What was taken out must be on disk before the file is replaced.  A pipe or a
 * terminal cannot be synced, and is not expected to keep anything.
 */
static int
sync_side(struct ctx_out *out, struct ctx_err *err)
{
	if (out->name == NULL)
		return 0;
	if (ctx_out_flush(out, err) == -1)
		return -1;
	if (fsync(out->fd) == -1)
		return errno == EINVAL || errno == ENOTSUP ? 0 :
		    ctx_fail_errno(err, errno, "%s", out->name);
	return ctx_fd_sync_folder(out->name) == 0 ? 0 :
	    ctx_fail_errno(err, errno, "%s", out->name);
}

/* Close what the lines of this file went to, and say what it is. */
static void
end_reject(struct cli_stream *s)
{
	if (s->reject.name == NULL || s->rejected != NULL)
		return;
	cli_warn(s->cli, "%s: the lines that were skipped are in %s",
	    s->place.name, s->reject.name);
	cli_file_out_done(&s->reject, s->cli);
	s->reject.name = NULL;
}

static int
one_in_place(struct cli_stream *s, const char *name, struct ctx_err *err)
{
	const unsigned failures = s->cli->failures;
	struct cli_in_place *place = &s->place;
	int rc;

	if (cli_in_place_open(place, name, err) == -1)
		return -1;
	ctx_out_done(&s->out);
	ctx_out_init(&s->out, place->temp.fd, "new file");
	s->job->changed = 0;
	rc = each_line(s, place->fd, err);
	if (rc == 0)
		rc = ctx_out_flush(&s->out, err);
	if (rc == 0 && s->job->changed && !s->job->cut_off &&
	    !s->hold_back && s->cli->failures == failures &&
	    (rc = sync_side(&s->side, err)) == 0 &&
	    (rc = sync_side(&s->reject, err)) == 0)
		rc = cli_in_place_replace(place,
		    s->job->turns.held.sessions > 0, s->cli, err);
	end_reject(s);
	cli_in_place_done(place);
	return rc;
}

void
cli_stream_job(struct cli_stream *s, struct ctx_job *job,
    const struct ctx_err *err, struct cli *c)
{
	if (job == NULL)
		cli_must(c, -1, err);
	s->job = job;
	if (s->all_branches)
		job->turns.branch = CTX_BRANCH_ALL;
}

/* -i */
static void
each_in_place(struct cli_stream *s, struct cli *c)
{
	struct ctx_err err;
	int i;

	for (i = 0; i < c->nfile; i++) {
		memset(&err, 0, sizeof(err));
		if (one_in_place(s, s->file = c->file[i], &err) == -1)
			cli_report(c, s->file, &err);
	}
}

/* What only all options together tell, before any file is touched. */
static void
check(const struct cli_stream *s, const struct cli *c)
{
	int i;

	(void)cli_inputs_boxed(c);
	if (s->rejected != NULL && s->on_error != CTX_BAD_SKIP)
		cli_usage(c, "--rejected needs --on-error skip");
	if (!s->place.on)
		return;
	if (c->nfile == 0)
		cli_usage(c, "-i needs a FILE to edit");
	for (i = 0; i < c->nfile; i++)
		if (strcmp(c->file[i], "-") == 0)
			cli_usage(c, "-i cannot edit standard input (-); "
			    "without -i, the result is printed");
}

void
cli_each_turn(struct cli_stream *s, struct cli *c)
{
	struct cli_inputs in = { 0 };
	int i;

	s->cli = c;
	check(s, c);
	if (s->dropped != NULL)
		cli_file_out(&s->side, "dropped", c);
	if (s->rejected != NULL)
		cli_file_out(&s->reject, "rejected", c);
	cli_file_outs(c);
	ctx_out_init(&s->out, STDOUT_FILENO, "standard output");
	begin(s);
	if (s->place.on)
		each_in_place(s, c);
	else
		cli_inputs_open(&in, c);
	/* a failure of the output is that of all files */
	for (i = 0; i < in.n && s->out.failed == 0; i++)
		one_stream(s, &in, i);
	cli_inputs_done(&in);
	ctx_run_done(&s->run);
	ctx_shard_done(&s->shard);
	if (s->job == &s->own)
		ctx_job_done(&s->own);
	ctx_out_done(&s->out);
	cli_file_out_done(&s->side, c);
	cli_file_out_done(&s->reject, c);
}
