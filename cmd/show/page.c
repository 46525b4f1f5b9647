/* SPDX-License-Identifier: MIT */
/* ctx-show --html and --svg; see page.h. */
#include "cmd/show/page.h"

#include <sys/stat.h>
#include <unistd.h>

#define WINDOW_MOST	1000000000000	/* --window */

/* As in enum ctx_picture_kind. */
static const char *const pictures[] = { "bar", "treemap", "plot", NULL };

#define OPT_OF struct show_page
const struct cli_opt show_page_opts[] = {
	OPT_TEXT(0, "html", "FILE", to.file,
	    "write one page to FILE (\"-\": standard output)",
	    .excludes = "follow"),
	OPT_WORD(0, "svg", "PICTURE", svg, pictures,
	    "print a picture of the tokens", .min = 1,
	    .excludes = "follow html"),
	OPT_NUM(0, "window", "N", window, 1, WINDOW_MOST,
	    "tokens of the window in plots (default: the model's)",
	    .needs = "html svg"),
	OPT_FLAG(0, "no-redact", to.no_redact,
	    "leave secrets as they are", .needs = "html svg"),
	OPT_END
};
#undef OPT_OF

int
show_page_on(const struct show_page *p)
{
	return p->to.file != NULL || p->svg != 0;
}

void
show_page_open(struct show_page *p, struct cli *c, int n)
{
	if (n > 0)
		p->page.title = cli_page_title(&p->to, c, c->file[0], n - 1);
	p->page.redacted = !p->to.no_redact;
	p->page.picture = &p->picture;
	cli_page_open(&p->to, c);
}

int
show_page_put(struct show_page *p, const struct ctx_shown *m,
    struct ctx_err *err)
{
	if (p->svg == 0)
		return ctx_page_put(&p->page, m, err);
	/* a picture has them all; only whether there are any is asked */
	return ctx_select_msg(p->page.select, m, err) == -1 ? -1 :
	    ctx_picture_add(&p->picture, m, 0, err);
}

static int
write_picture(struct show_page *p, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };
	int rc = ctx_picture_put(&p->picture,
	    (enum ctx_picture_kind)(p->svg - 1), 1, &out, err);

	if (rc == 0)
		rc = cli_page_write(&p->to, out.data, out.len, err);
	ctx_buf_done(&out);
	return rc;
}

/* Would a page without a message replace what is in the file? */
static int
is_kept(const struct show_page *p, struct cli *c)
{
	struct stat st;

	if (p->page.select->seen.messages > 0 ||
	    fstat(p->to.out.fd, &st) == -1 || st.st_size == 0 ||
	    p->to.out.fd == STDOUT_FILENO)
		return 0;
	cli_warn(c, "%s stays as it was", p->to.out.name);
	return 1;
}

void
show_page_end(struct show_page *p, const struct ctx_cost *k, int all,
    struct cli *c)
{
	struct ctx_err err = { 0 };
	int rc = 0;

	p->page.counted = cli_cost_words(k, p->counted, sizeof(p->counted));
	p->picture.window = p->window > 0 ? p->window :
	    k->choice.model != NULL ? k->choice.model->window : 0;
	/* a part of a history, without a word in it, would be taken for it */
	if (all && !is_kept(p, c))
		rc = p->svg != 0 ? write_picture(p, &err) :
		    ctx_page_end(&p->page, cli_page_write, &p->to, &err);
	if (rc == -1)
		cli_report(c, NULL, &err);
	cli_page_done(&p->to, c);
	ctx_page_done(&p->page);
	ctx_picture_done(&p->picture);
}
