/* SPDX-License-Identifier: MIT */
/* ctx-diff - show how two message histories differ. */
#include <stdio.h>
#include <string.h>

#include "cli_cost.h"
#include "cli_pager.h"
#include "cli_stream.h"
#include "show/delta.h"
#include "show/width.h"

enum format { TEXT, JSON, STAT };

struct diff {
	struct cli_stream stream;	/* first: file_end receives it */
	struct ctx_cost cost;
	struct ctx_scene_opts scene;
	struct ctx_matching match;
	int new;		/* the new history is being read */
	struct ctx_delta delta;
	enum format format;
	struct ctx_buf out;
	struct cli_screen screen;
};

#define OPT_OF struct diff
static const struct cli_opt opts[] = {
	OPT_GROUP("Output"),
	OPT_FLAG(0, "full", delta.full,
	    "show the lines that differ, as diff -u does",
	    .excludes = "json stat"),
	OPT_PICK(0, "json", format, JSON, "print JSON lines",
	    .excludes = "stat"),
	OPT_PICK(0, "stat", format, STAT, "print the totals only, in a line"),
	OPT_SUB(screen, cli_screen_opts),
	OPT_GROUP("Counting"),
	OPT_SUB(cost, cli_model_opts),
	OPT_SUB(stream, cli_branch_opts),
	OPT_SUB(stream, cli_stream_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-diff", "OLD NEW", "Show how two message histories differ.",
	opts, NULL
};

static int
add_message(void *arg, const struct ctx_shown *m, struct ctx_err *err)
{
	struct diff *d = arg;

	return ctx_match_add(&d->match, d->new, m, err);
}

static int
file_end(struct cli_stream *s, struct ctx_err *err)
{
	(void)err;
	((struct diff *)s)->new = 1;
	return 0;
}

static void
read_both(struct diff *d, struct cli *c)
{
	struct ctx_err err = { 0 };

	d->scene.cost = &d->cost;
	d->scene.message = add_message;
	d->scene.arg = d;
	d->match.whole = d->delta.full;
	cli_stream_job(&d->stream, ctx_scene_new(&d->scene, &err), &err, c);
	/* what counts is what the next request holds */
	d->stream.job->turns.sent = 1;
	d->stream.odd = "not compared";
	d->stream.beside = "were not compared";
	d->stream.file_end = file_end;
	cli_each_turn(&d->stream, c);
	ctx_job_free(d->stream.job);
}

/* Print unit k, or after the last one the totals.  0, or -1 with *err. */
static int
put(struct diff *d, uint32_t k, struct ctx_err *err)
{
	int last = k == d->match.nunit;

	if (d->format == JSON)
		return last ? ctx_delta_json_end(&d->delta, &d->out, err) :
		    ctx_delta_json(&d->delta, k, &d->out, err);
	if (d->format == STAT)
		return last ? ctx_delta_stat(&d->delta, &d->out, err) : 0;
	return last ? ctx_delta_end(&d->delta, &d->out, err) :
	    ctx_delta_put(&d->delta, k, &d->out, err);
}

static void
compare(struct diff *d, struct cli *c)
{
	struct ctx_err err = { 0 };
	int differs;
	uint32_t k;

	if (ctx_match_end(&d->match, &err) == -1) {
		cli_report(c, NULL, &err);
		return;
	}
	d->delta.m = &d->match;
	differs = ctx_delta_is(&d->match);
	for (k = 0; k <= d->match.nunit && (differs || d->format != TEXT);
	    k++) {
		ctx_buf_reset(&d->out);
		if (put(d, k, &err) == -1) {
			cli_report(c, NULL, &err);
			return;
		}
		if (d->out.len > 0)
			fwrite(d->out.data, 1, d->out.len, stdout);
	}
	if (differs)
		cli_raise(c, CLI_NO);
	cli_figure(c, "same", d->match.sum[CTX_BECAME_SAME].messages[0]);
	cli_figure(c, "messages", d->match.side[0].messages);
}

int
main(int argc, char *argv[])
{
	struct diff d = { 0 };
	struct cli cli;
	int code;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&d.cost);
	cli_options(&cli, &d);
	if (cli.nfile != 2)
		cli_usage(&cli, "ctx-diff compares two files, OLD and NEW");
	if (strcmp(cli.file[0], "-") == 0 && strcmp(cli.file[1], "-") == 0)
		cli_usage(&cli, "standard input (-) can be one of both");
	d.delta.ascii = !ctx_width_locale();
	cli_cost_open(&d.cost, &cli);
	cli_screen_open(&d.screen, &cli);
	d.delta.columns = d.screen.width;
	d.delta.colour = d.screen.color;
	read_both(&d, &cli);
	/* what was not read whole would seem to be dropped */
	if (cli.worst < CLI_INPUT || (cli.worst == CLI_INPUT &&
	    d.stream.on_error != CTX_BAD_STOP))
		compare(&d, &cli);
	code = cli_screen_end(&d.screen, &cli);
	ctx_match_done(&d.match);
	ctx_delta_done(&d.delta);
	ctx_buf_done(&d.out);
	ctx_cost_done(&d.cost);
	return code;
}
