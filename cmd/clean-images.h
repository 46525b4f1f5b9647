/* SPDX-License-Identifier: MIT */
/* The folder that images move out to and come back from: --images out|in. */
#ifndef CTX_CMD_CLEAN_IMAGES_H
#define CTX_CMD_CLEAN_IMAGES_H

#include "cli.h"
#include "decide/images.h"

struct clean_images {
	struct ctx_images_opts opts;
	const char *dir;
	struct ctx_buf url_dir;		/* "file:///..." of dir, escaped */
	struct ctx_buf path, file;	/* working storage */
};

/* The options, of a struct clean_images. */
extern const struct cli_opt clean_images_opts[];
/* Opens the folder; errors end the process. */
void	clean_images_open(struct clean_images *i, struct cli *c);
void	clean_images_done(struct clean_images *i);

#endif
