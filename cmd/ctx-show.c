/* SPDX-License-Identifier: MIT */
/* ctx-show - show a message history to people. */
#include <stdio.h>
#include <string.h>

#include "cli_cost.h"
#include "cli_pager.h"
#include "cli_stream.h"
#include "cmd/show/follow.h"
#include "cmd/show/page.h"
#include "show/screen.h"
#include "show/width.h"

struct show {
	struct cli_stream stream;
	struct ctx_cost cost;
	struct ctx_scene_opts scene;
	struct ctx_screen text;
	struct show_page page;
	struct ctx_buf out;
	struct cli_screen screen;
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
	OPT_FLAG(0, "follow", scene.follow,
	    "show what is added to the file until you end it"),
	OPT_FLAG(0, "full", text.full, "show all lines of all messages"),
	OPT_SUB(screen, cli_screen_opts),
	OPT_GROUP("Pages and pictures"),
	OPT_SUB(page, show_page_opts),
	OPT_GROUP("Counting"),
	OPT_SUB(cost, cli_model_opts),
	OPT_SUB(stream, cli_branch_opts),
	OPT_SUB(stream, cli_stream_opts),
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
	s->text.ascii = !ctx_width_locale();
	s->page.page.select = select;
}

static int
put_message(void *arg, const struct ctx_shown *m, struct ctx_err *err)
{
	struct show *s = arg;

	if (show_page_on(&s->page))
		return show_page_put(&s->page, m, err);
	ctx_buf_reset(&s->out);
	if (ctx_screen_put(&s->text, m, &s->out, err) == -1)
		return -1;
	if (s->out.len > 0)
		fwrite(s->out.data, 1, s->out.len, stdout);
	return 0;
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

static void
show(struct show *s, struct cli *c)
{
	struct ctx_err err = { 0 };
	struct ctx_job *job;

	s->scene.cost = &s->cost;
	s->scene.message = put_message;
	s->scene.arg = s;
	job = ctx_scene_new(&s->scene, &err);
	cli_stream_job(&s->stream, job, &err, c);
	job = show_page_job(&s->page, job, &err);
	cli_stream_job(&s->stream, job, &err, c);
	s->stream.odd = "not shown";
	s->stream.beside = "were not shown";
	s->stream.before_read = flush;
	cli_each_turn(&s->stream, c);
	ctx_job_free(s->stream.job);
}

int
main(int argc, char *argv[])
{
	struct show s = { 0 };
	struct cli cli;
	int code;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&s.cost);
	cli_options(&cli, &s);
	settle(&s, &cli);
	cli_cost_open(&s.cost, &cli);
	if (s.scene.follow) {
		s.screen.no_pager = 1;
		show_follow(&cli);
	}
	if (show_page_on(&s.page)) {
		s.screen.no_pager = 1;
		show_page_open(&s.page, &cli);
	}
	cli_screen_open(&s.screen, &cli);
	s.text.columns = s.screen.width;
	s.text.colour = s.screen.color;
	show(&s, &cli);
	if (show_page_on(&s.page))
		show_page_end(&s.page, &s.cost, &cli);
	cli_figure(&cli, "messages", s.text.messages + s.page.page.messages);
	cli_figure(&cli, "tokens", s.text.tokens + s.page.page.tokens);
	code = cli_screen_end(&s.screen, &cli);
	ctx_screen_done(&s.text);
	ctx_buf_done(&s.out);
	ctx_cost_done(&s.cost);
	cli_args_done(&s.tools);
	return code;
}
