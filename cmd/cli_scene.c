/* SPDX-License-Identifier: MIT */
/* What the commands share that show histories; see cli_scene.h. */
#include "cli_scene.h"

#include "cli_cost.h"
#include "show/width.h"

#define OPT_OF struct cli_scene
const struct cli_opt cli_scene_opts[] = {
	OPT_GROUP("Counting"),
	OPT_SUB(cost, cli_model_opts),
	OPT_SUB(stream, cli_branch_opts),
	OPT_SUB(stream, cli_stream_opts),
	OPT_END
};
#undef OPT_OF

void
cli_scene_init(struct cli_scene *s)
{
	cli_cost_init(&s->cost);
}

void
cli_scene_open(struct cli_scene *s, struct cli *c)
{
	s->look.ascii = !ctx_width_locale();
	cli_cost_open(&s->cost, c);
	cli_screen_open(&s->screen, c);
	s->look.columns = s->screen.width;
	s->look.colour = s->screen.color;
}

void
cli_scene_job(struct cli_scene *s, struct cli *c, const char *odd,
    const char *beside)
{
	struct ctx_err err = { 0 };

	s->opts.cost = &s->cost;
	cli_stream_job(&s->stream, ctx_scene_new(&s->opts, &err), &err, c);
	s->stream.odd = odd;
	s->stream.beside = beside;
}

int
cli_scene_whole(const struct cli_scene *s, const struct cli *c)
{
	return c->worst < CLI_INPUT || (c->worst == CLI_INPUT &&
	    s->stream.on_error != CTX_BAD_STOP);
}

int
cli_scene_end(struct cli_scene *s, struct cli *c)
{
	ctx_job_free(s->stream.job);
	ctx_cost_done(&s->cost);
	return cli_screen_end(c);
}
