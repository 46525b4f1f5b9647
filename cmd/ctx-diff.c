/* SPDX-License-Identifier: MIT */
/* ctx-diff - show how two message histories differ. */
#include <stdio.h>
#include <string.h>

#include "cli_cost.h"
#include "cli_page.h"
#include "cli_scene.h"
#include "compare/delta.h"
#include "compare/delta_page.h"

enum format { TEXT, JSON, STAT };

struct diff {
	struct cli_scene scene;		/* first: file_end receives it */
	struct ctx_matching match;
	int new;		/* the new history is being read */
	struct ctx_delta delta;
	enum format format;
	struct ctx_buf out;
	struct cli_page to;		/* --html */
	struct ctx_reel reel[2];
	struct ctx_delta_page page;
};

#define OPT_OF struct diff
static const struct cli_opt opts[] = {
	OPT_GROUP("Output"),
	OPT_FLAG(0, "full", delta.full,
	    "show the lines that differ, as diff -u does",
	    .excludes = "json stat"),
	OPT_TEXT(0, "html", "FILE", to.file,
	    "write one page to FILE (\"-\": standard output)",
	    .excludes = "full json stat"),
	OPT_PICK(0, "json", format, JSON, "print JSON lines",
	    .excludes = "stat"),
	OPT_PICK(0, "stat", format, STAT, "print the totals only, in a line"),
	OPT_FLAG(0, "no-redact", to.no_redact,
	    "leave secrets as they are", .needs = "html"),
	OPT_SUB(scene.screen, cli_screen_opts),
	OPT_SUB(scene, cli_scene_opts),
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

	if (d->to.file != NULL && ctx_reel_add(&d->reel[d->new], m, err) == -1)
		return -1;
	return ctx_match_add(&d->match, d->new, m, err);
}

static int
file_end(struct cli_stream *s, struct ctx_err *err)
{
	(void)err;
	((struct diff *)s)->new = 1;
	s->piped = "ctx-diff OLD -";
	return 0;
}

static void
read_both(struct diff *d, struct cli *c)
{
	struct cli_stream *stream = &d->scene.stream;
	struct ctx_err err = { 0 };

	d->scene.opts.message = add_message;
	d->scene.opts.arg = d;
	d->match.whole = d->delta.full;
	cli_scene_job(&d->scene, c, "not compared", "were not compared");
	/* what counts is what the next request holds */
	stream->job->turns.sent = 1;
	cli_stream_job(stream, cli_page_job(&d->to, stream->job, &err), &err,
	    c);
	stream->file_end = file_end;
	stream->late = 1;
	stream->piped = "ctx-diff - NEW";
	cli_each_turn(stream, c);
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

/* Print what differs, if anything does. */
static int
print(struct diff *d, int differs, struct ctx_err *err)
{
	uint32_t k;

	d->delta.m = &d->match;
	for (k = 0; k <= d->match.nunit && (differs || d->format != TEXT);
	    k++) {
		ctx_buf_reset(&d->out);
		if (put(d, k, err) == -1)
			return -1;
		if (d->out.len > 0)
			fwrite(d->out.data, 1, d->out.len, stdout);
	}
	return 0;
}

static int
write_page(struct diff *d, struct ctx_err *err)
{
	char counted[CLI_COST_WORDS];

	d->page.m = &d->match;
	d->page.reel = d->reel;
	d->page.page.counted = cli_cost_words(&d->scene.cost, counted,
	    sizeof(counted));
	d->page.page.redacted = !d->to.no_redact;
	return ctx_delta_page(&d->page, cli_page_write, &d->to, err);
}

static void
compare(struct diff *d, struct cli *c)
{
	struct ctx_err err = { 0 };
	int differs, rc;

	if (ctx_match_end(&d->match, &err) == -1) {
		cli_report(c, NULL, &err);
		return;
	}
	differs = ctx_delta_is(&d->match);
	rc = d->to.file != NULL ? write_page(d, &err) : print(d, differs, &err);
	if (rc == -1) {
		cli_report(c, NULL, &err);
		return;
	}
	if (differs)
		cli_raise(c, CLI_NO);
	cli_figure(c, "same", d->match.sum[CTX_BECAME_SAME].messages[0]);
	cli_figure(c, "messages", d->match.side[0].messages);
}

static void
open_all(struct diff *d, struct cli *c)
{
	if (c->nfile != 2)
		cli_usage(c, "two histories are compared, OLD and NEW");
	if (strcmp(c->file[0], "-") == 0 && strcmp(c->file[1], "-") == 0)
		cli_usage(c, "standard input (-) can be one of both");
	d->scene.screen.no_pager |= d->to.file != NULL;
	cli_scene_open(&d->scene, c);
	d->delta.look = d->scene.look;
	if (d->to.file == NULL)
		return;
	d->page.page.title = cli_page_titles(&d->to, c, c->file);
	cli_page_open(&d->to, c);
}

int
main(int argc, char *argv[])
{
	struct diff d = { 0 };
	struct cli cli;
	int code;

	cli_init(&cli, &cmd, argc, argv);
	cli_scene_init(&d.scene);
	cli_options(&cli, &d);
	open_all(&d, &cli);
	read_both(&d, &cli);
	/* what was not read whole would seem to be dropped */
	if (cli_scene_whole(&d.scene, &cli))
		compare(&d, &cli);
	if (d.to.file != NULL)
		cli_page_done(&d.to, &cli);
	code = cli_scene_end(&d.scene, &cli);
	ctx_match_done(&d.match);
	ctx_delta_done(&d.delta);
	ctx_delta_page_done(&d.page);
	ctx_reel_done(&d.reel[0]);
	ctx_reel_done(&d.reel[1]);
	ctx_buf_done(&d.out);
	return code;
}
