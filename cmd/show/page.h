/* SPDX-License-Identifier: MIT */
/*
 * ctx-show --html and --svg: the file that a page goes to, and the redaction of
 * what is shown.
 *
 * Names: show_page_, struct show_page.
 */
#ifndef CTX_CMD_SHOW_PAGE_H
#define CTX_CMD_SHOW_PAGE_H

#include "cli.h"
#include "job/cost.h"
#include "job/job.h"
#include "redact/redact.h"
#include "show/page.h"
#include "write/out.h"

struct show_page {
	const char *file;		/* --html, or NULL */
	int svg;			/* 1 + enum ctx_picture_kind; 0: none */
	uint64_t window;		/* --window, or 0 */
	int no_redact;
	struct ctx_page page;
	struct ctx_picture picture;
	struct ctx_redact *redact;
	struct ctx_out out;
	struct ctx_buf title;
	char counted[128];
};

extern const struct cli_opt show_page_opts[];

/* Is anything but a transcript asked for? */
int	show_page_on(const struct show_page *p);

/* Open the file, which must not be one of the operands, and name the page. */
void	show_page_open(struct show_page *p, struct cli *c);

/*
 * The job whose lines go to scene, which it owns: scene, or one that redacts
 * first.  NULL with *err.
 */
struct ctx_job *show_page_job(struct show_page *p, struct ctx_job *scene,
	    struct ctx_err *err) CTX_CHECKED;

/* Add a message.  Returns 0, or -1 with *err. */
int	show_page_put(struct show_page *p, const struct ctx_shown *m,
	    struct ctx_err *err) CTX_CHECKED;

/* Write the page or the picture; k has counted. */
void	show_page_end(struct show_page *p, const struct ctx_cost *k,
	    struct cli *c);

#endif
