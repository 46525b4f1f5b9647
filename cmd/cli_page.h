/* SPDX-License-Identifier: MIT */
/*
 * A page or picture that a command makes of histories: where it goes, and the
 * redaction of what it shows.
 *
 * Names: cli_page_, struct cli_page.
 */
#ifndef CTX_CMD_CLI_PAGE_H
#define CTX_CMD_CLI_PAGE_H

#include "cli.h"
#include "job/job.h"
#include "redact/redact.h"
#include "write/out.h"

struct cli_page {
	const char *file;	/* --html; NULL or "-": standard output */
	int no_redact;
	struct ctx_redact *redact;
	struct ctx_out out;
	int begun;		/* something was written */
	struct ctx_buf title;
};

/* Open the file. */
void	cli_page_open(struct cli_page *p, struct cli *c);

/*
 * Name the page after a file, and how many others, or after two files that are
 * compared.  NULL: it has no name.
 */
const char *cli_page_title(struct cli_page *p, struct cli *c, const char *file,
	    int others);
const char *cli_page_titles(struct cli_page *p, struct cli *c, char *file[2]);

/*
 * The job whose lines go to scene, which it owns: scene, or one that redacts
 * first.  NULL with *err.
 */
struct ctx_job *cli_page_job(const struct cli_page *p, struct ctx_job *scene,
	    struct ctx_err *err) CTX_CHECKED;

/* Write to the page, arg.  Returns 0, or -1 with *err. */
int	cli_page_write(void *arg, const char *bytes, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

void	cli_page_done(struct cli_page *p, struct cli *c);

#endif
