/* SPDX-License-Identifier: MIT */
/*
 * ctx-show --html and --svg.
 *
 * Names: show_page_, struct show_page.
 */
#ifndef CTX_CMD_SHOW_PAGE_H
#define CTX_CMD_SHOW_PAGE_H

#include "cli_cost.h"
#include "cli_page.h"
#include "job/cost.h"
#include "show/page.h"

struct show_page {
	struct cli_page to;
	int svg;			/* 1 + enum ctx_picture_kind; 0: none */
	uint64_t window;		/* --window, or 0 */
	struct ctx_page page;
	struct ctx_picture picture;
	char counted[CLI_COST_WORDS];
};

extern const struct cli_opt show_page_opts[];

/* Is anything but a transcript asked for? */
int	show_page_on(const struct show_page *p);

/* Open it; n of the operands are the history. */
void	show_page_open(struct show_page *p, struct cli *c, int n);

/* Add a message.  Returns 0, or -1 with *err. */
int	show_page_put(struct show_page *p, const struct ctx_shown *m,
	    struct ctx_err *err) CTX_CHECKED;

/* Write the page or the picture, if all was read; k has counted. */
void	show_page_end(struct show_page *p, const struct ctx_cost *k, int all,
	    struct cli *c);

#endif
