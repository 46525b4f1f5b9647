/* SPDX-License-Identifier: MIT */
/* ctx-show - show a message history to people. */
#include <stdio.h>
#include <string.h>

#include "cli_scene.h"
#include "cmd/show/follow.h"
#include "cmd/show/kept.h"
#include "cmd/show/missed.h"
#include "cmd/show/page.h"
#include "show/screen.h"

struct show {
	struct cli_scene scene;		/* first: flush receives it */
	struct ctx_screen text;
	struct show_page page;
	struct show_kept kept;
	struct ctx_buf out;
	struct cli_args tools;
	const char *turns, *pattern;
};

#define OPT_OF struct show
static const struct cli_opt opts[] = {
	OPT_GROUP("Selection"),
	OPT_TEXT(0, "grep", "PATTERN", pattern,
	    "only messages that PATTERN, a regular expression, matches"),
	OPT_LIST(0, "tool", "NAME", tools,
	    "only calls of the tools that match NAME, and their results"),
	OPT_TEXT(0, "turn", "N-M", turns, "only turns N to M"),
	OPT_GROUP("Output"),
	OPT_FLAG('f', "follow", scene.opts.follow,
	    "show what is added to the file until you end it"),
	OPT_FLAG(0, "full", text.full, "show all lines of all messages"),
	OPT_TEXT(0, "kept", "FILE", kept.file,
	    "mark what is not in FILE, which a filter made of the history",
	    .excludes = "follow"),
	OPT_SUB(scene.screen, cli_screen_opts),
	OPT_GROUP("Pages and pictures"),
	OPT_SUB(page, show_page_opts),
	OPT_SUB(scene, cli_scene_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-show", "[FILE ...]", "Show a message history to people.",
	opts, NULL
};

/* Settle what options mean together. */
static void
settle(struct show *s, struct cli *c)
{
	struct ctx_select *select = &s->text.select;
	struct ctx_err err = { 0 };

	select->tool = s->tools.v;
	select->ntool = s->tools.n;
	if (s->turns != NULL)
		cli_must(c, ctx_select_turns(select, s->turns, &err), &err);
	if (s->pattern != NULL)
		cli_must(c, ctx_select_grep(select, s->pattern, &err), &err);
	s->page.page.select = select;
}

static void
open_all(struct show *s, struct cli *c)
{
	int page = show_page_on(&s->page), follow = s->scene.opts.follow;
	int n = c->nfile;

	if (s->kept.file != NULL)
		show_kept_open(&s->kept, c);
	s->scene.screen.no_pager |= page || follow;
	cli_scene_open(&s->scene, c);
	s->text.look = s->scene.look;
	if (follow)
		s->scene.stream.called = show_follow(c);
	if (page)
		show_page_open(&s->page, c, n);
	s->text.compared = s->kept.file != NULL;
}

/* Print what was made, if it is text. */
static void
print(struct show *s)
{
	if (s->out.len > 0)
		fwrite(s->out.data, 1, s->out.len, stdout);
	ctx_buf_reset(&s->out);
}

static int
put_message(void *arg, const struct ctx_shown *m, struct ctx_err *err)
{
	struct show *s = arg;

	if (show_page_on(&s->page))
		return show_page_put(&s->page, m, err);
	if (ctx_screen_put(&s->text, m, &s->out, err) == -1)
		return -1;
	print(s);
	return 0;
}

static int
take_message(void *arg, const struct ctx_shown *m, struct ctx_err *err)
{
	struct show *s = arg;

	return s->kept.file != NULL ? show_kept_take(&s->kept, m, err) :
	    put_message(s, m, err);
}

/* Of the other history it does not matter. */
static void
take_usage(void *arg, const struct ctx_usage *usage)
{
	struct show *s = arg;

	if (s->kept.file == NULL || s->kept.left > 0)
		ctx_picture_usage(&s->page.picture, usage);
}

/* What was written must be seen while more is waited for. */
static int
flush(struct cli_stream *s, struct ctx_err *err)
{
	(void)s;
	(void)err;
	fflush(stdout);
	return 0;
}

static int
file_end(struct cli_stream *s, struct ctx_err *err)
{
	(void)err;
	show_kept_file_end(&((struct show *)s)->kept);
	return 0;
}

static void
read_all(struct show *s, struct cli *c)
{
	struct cli_stream *stream = &s->scene.stream;
	struct ctx_err err = { 0 };

	s->scene.stream.late = show_page_on(&s->page);
	s->scene.opts.message = take_message;
	s->scene.opts.usage = take_usage;
	s->scene.opts.arg = s;
	cli_scene_job(&s->scene, c, "not shown", "were not shown");
	cli_stream_job(stream, cli_page_job(&s->page.to, stream->job, &err),
	    &err, c);
	stream->before_read = flush;
	stream->file_end = file_end;
	cli_each_turn(stream, c);
}

/* Show the history that was held, with what became of each message. */
static void
show_kept(struct show *s, struct cli *c)
{
	const struct ctx_became_sum *sums = s->kept.match.sum;
	struct ctx_err err = { 0 };
	int rc;

	s->page.picture.sums = sums;
	rc = show_kept_play(&s->kept, put_message, s, &err);
	if (rc == 0 && !show_page_on(&s->page))
		rc = ctx_screen_end(&s->text, sums, &s->out, &err);
	if (rc == -1)
		cli_report(c, NULL, &err);
	else
		print(s);
}

/* Was all read that is to be shown?  Two histories must be whole. */
static int
is_read(const struct show *s, const struct cli *c)
{
	return s->kept.file != NULL ? cli_scene_whole(&s->scene, c) :
	    c->worst < CLI_SYSTEM;
}

/* Say so if there was nothing to show. */
static void
tell_nothing(struct show *s, struct cli *c)
{
	const struct ctx_select *select = &s->text.select;
	int selects = s->turns != NULL || s->pattern != NULL || s->tools.n > 0;

	if (select->seen.messages == 0) {
		if (s->scene.stream.without == 0)
			cli_warn(c, "nothing to show: no message was read");
		if (selects)
			cli_raise(c, CLI_NO);
	} else if (select->seen.selected == 0)
		show_missed(select, s->turns, s->pattern, c);
}

int
main(int argc, char *argv[])
{
	struct show s = { 0 };
	struct cli cli;
	int code, all;

	cli_init(&cli, &cmd, argc, argv);
	cli_scene_init(&s.scene);
	cli_options(&cli, &s);
	settle(&s, &cli);
	open_all(&s, &cli);
	read_all(&s, &cli);
	all = is_read(&s, &cli);
	if (s.kept.file != NULL && all)
		show_kept(&s, &cli);
	if (all && cli_scene_whole(&s.scene, &cli))
		tell_nothing(&s, &cli);
	if (show_page_on(&s.page))
		show_page_end(&s.page, &s.scene.cost, all && cli.worst <
		    CLI_SYSTEM, &cli);
	cli_figure(&cli, "messages", s.text.messages + s.page.page.messages);
	cli_figure(&cli, "tokens", s.text.tokens + s.page.page.tokens);
	code = cli_scene_end(&s.scene, &cli);
	show_kept_done(&s.kept);
	ctx_screen_done(&s.text);
	ctx_buf_done(&s.out);
	cli_args_done(&s.tools);
	return code;
}
