/* SPDX-License-Identifier: MIT */
/*
 * What the commands share that show histories to people: the options about
 * counting and about the screen, and the job that reads.
 *
 * Names: cli_scene_, struct cli_scene.
 */
#ifndef CTX_CMD_CLI_SCENE_H
#define CTX_CMD_CLI_SCENE_H

#include "cli_pager.h"
#include "cli_stream.h"
#include "show/look.h"
#include "show/scene.h"

struct cli_scene {
	struct cli_stream stream;	/* first: its callbacks receive it */
	struct ctx_cost cost;
	struct ctx_scene_opts opts;	/* message and follow are the command's */
	struct cli_screen screen;
	struct ctx_look look;		/* after cli_scene_open */
};

/* About counting and reading: the last group of a table. */
extern const struct cli_opt cli_scene_opts[];

/* To be called first, and after the options are read. */
void	cli_scene_init(struct cli_scene *s);
void	cli_scene_open(struct cli_scene *s, struct cli *c);

/*
 * Make the job that calls s->opts.message, s->stream.job, which the command may
 * put into another one.  The words are what is said of records that are no
 * message, and of messages of other branches: "not shown", "were not shown".
 */
void	cli_scene_job(struct cli_scene *s, struct cli *c, const char *odd,
	    const char *beside);

/* Was all read, but for single lines? */
int	cli_scene_whole(const struct cli_scene *s, const struct cli *c);

/* cli_screen_end; also frees all. */
int	cli_scene_end(struct cli_scene *s, struct cli *c);

#endif
