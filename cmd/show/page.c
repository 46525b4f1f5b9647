/* SPDX-License-Identifier: MIT */
/* ctx-show --html and --svg; see page.h. */
#include "cmd/show/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli_cost.h"
#include "cli_files.h"
#include "show/safe.h"

#define WINDOW_MOST	1000000000000	/* --window */

/* As in enum ctx_picture_kind. */
static const char *const pictures[] = { "bar", "treemap", "plot", NULL };

#define OPT_OF struct show_page
const struct cli_opt show_page_opts[] = {
	OPT_TEXT(0, "html", "FILE", file,
	    "write one page to FILE (\"-\": standard output)",
	    .excludes = "follow"),
	OPT_WORD(0, "svg", "PICTURE", svg, pictures,
	    "print a picture of the tokens", .min = 1,
	    .excludes = "follow html"),
	OPT_NUM(0, "window", "N", window, 1, WINDOW_MOST,
	    "tokens of the window in plots (default: the model's)",
	    .needs = "html svg"),
	OPT_FLAG(0, "no-redact", no_redact,
	    "leave secrets as they are", .needs = "html svg"),
	OPT_END
};
#undef OPT_OF

/* The page must not take the place of what it is made of. */
static void
check_operands(const struct show_page *p, const struct cli *c)
{
	struct stat page, st;
	int i;

	if (stat(p->file, &page) == -1)
		return;
	for (i = 0; i < c->nfile; i++)
		if (stat(c->file[i], &st) == 0 && S_ISREG(st.st_mode) &&
		    st.st_dev == page.st_dev && st.st_ino == page.st_ino)
			cli_usage(c, "--html: %s is the history itself",
			    p->file);
}

/* The page is named after the last component of the first file. */
static void
name_page(struct show_page *p, const struct cli *c)
{
	const char *slash;

	if (c->nfile == 0 || strcmp(c->file[0], "-") == 0)
		return;
	slash = strrchr(c->file[0], '/');
	ctx_buf_adds(&p->title, slash == NULL ? c->file[0] : slash + 1);
	if (c->nfile > 1)
		ctx_buf_addf(&p->title, " and %d more", c->nfile - 1);
	if ((p->page.title = ctx_buf_str(&p->title)) == NULL)
		cli_nomem(c);
}

int
show_page_on(const struct show_page *p)
{
	return p->file != NULL || p->svg != 0;
}

void
show_page_open(struct show_page *p, struct cli *c)
{
	struct ctx_redact_opts opts = { .key = getenv("CTX_REDACT_KEY") };
	struct ctx_err err = { 0 };

	name_page(p, c);
	if (!p->no_redact) {
		opts.keylen = opts.key != NULL ? strlen(opts.key) : 0;
		p->redact = ctx_redact_new(&opts, &err);
		cli_must(c, p->redact == NULL ? -1 : 0, &err);
	}
	p->page.redacted = !p->no_redact;
	p->page.picture = &p->picture;
	if (p->file == NULL || strcmp(p->file, "-") == 0) {
		ctx_out_init(&p->out, STDOUT_FILENO, "standard output");
		return;
	}
	check_operands(p, c);
	cli_file_out(&p->out, p->file, c);
}

struct ctx_job *
show_page_job(struct show_page *p, struct ctx_job *scene, struct ctx_err *err)
{
	return p->redact == NULL || scene == NULL ? scene :
	    ctx_safe_new(p->redact, scene, err);
}

int
show_page_put(struct show_page *p, const struct ctx_shown *m,
    struct ctx_err *err)
{
	return p->svg != 0 ? ctx_picture_add(&p->picture, m, 0, err) :
	    ctx_page_put(&p->page, m, err);
}

static int
write_out(void *arg, const char *bytes, size_t len, struct ctx_err *err)
{
	const struct show_page *p = arg;

	if (len == 0 || ctx_fd_write(p->out.fd, bytes, len) == 0)
		return 0;
	return ctx_fail_errno(err, errno, "%s", p->out.name);
}

static int
write_picture(struct show_page *p, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };
	int rc = ctx_picture_put(&p->picture,
	    (enum ctx_picture_kind)(p->svg - 1), 1, &out, err);

	if (rc == 0)
		rc = write_out(p, out.data, out.len, err);
	ctx_buf_done(&out);
	return rc;
}

void
show_page_end(struct show_page *p, const struct ctx_cost *k, struct cli *c)
{
	struct ctx_err err = { 0 };
	int rc = 0;

	p->page.counted = cli_cost_level(k, p->counted, sizeof(p->counted));
	p->picture.window = p->window > 0 ? p->window :
	    k->choice.model != NULL ? k->choice.model->window : 0;
	/* a part of a history, without a word in it, would be taken for it */
	if (c->worst < CLI_SYSTEM)
		rc = p->svg != 0 ? write_picture(p, &err) :
		    ctx_page_end(&p->page, write_out, p, &err);
	if (rc == -1)
		cli_report(c, NULL, &err);
	if (p->out.fd != STDOUT_FILENO)
		cli_file_out_done(&p->out, c);
	ctx_page_done(&p->page);
	ctx_picture_done(&p->picture);
	ctx_redact_free(p->redact);
	ctx_buf_done(&p->title);
}
