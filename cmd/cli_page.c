/* SPDX-License-Identifier: MIT */
/* A page or picture; see cli_page.h. */
#include "cli_page.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli_files.h"
#include "show/safe.h"

void
cli_page_open(struct cli_page *p, struct cli *c)
{
	struct ctx_redact_opts opts = { 0 };
	struct ctx_err err = { 0 };

	if (!p->no_redact) {
		cli_must(c, ctx_redact_env(&opts, &err), &err);
		p->redact = ctx_redact_new(&opts, &err);
		cli_must(c, p->redact == NULL ? -1 : 0, &err);
	}
	if (p->file == NULL || strcmp(p->file, "-") == 0) {
		ctx_out_init(&p->out, STDOUT_FILENO, "standard output");
		return;
	}
	cli_file_out_later(&p->out, "html", c);
}

static void
add_name(struct ctx_buf *out, const char *file)
{
	const char *slash = strrchr(file, '/');

	if (strcmp(file, "-") == 0)
		ctx_buf_adds(out, "standard input");
	else
		ctx_buf_adds(out, slash == NULL ? file : slash + 1);
}

static const char *
whole_title(struct cli_page *p, struct cli *c)
{
	const char *title = ctx_buf_str(&p->title);

	if (title == NULL)
		cli_nomem(c);
	return title;
}

const char *
cli_page_title(struct cli_page *p, struct cli *c, const char *file, int others)
{
	if (strcmp(file, "-") == 0)
		return NULL;
	add_name(&p->title, file);
	if (others > 0)
		ctx_buf_addf(&p->title, " and %d more", others);
	return whole_title(p, c);
}

const char *
cli_page_titles(struct cli_page *p, struct cli *c, char *file[2])
{
	add_name(&p->title, file[0]);
	ctx_buf_adds(&p->title, " \u2192 ");
	add_name(&p->title, file[1]);
	return whole_title(p, c);
}

struct ctx_job *
cli_page_job(const struct cli_page *p, struct ctx_job *scene,
    struct ctx_err *err)
{
	return p->redact == NULL || scene == NULL ? scene :
	    ctx_safe_new(p->redact, scene, err);
}

int
cli_page_write(void *arg, const char *bytes, size_t len, struct ctx_err *err)
{
	struct cli_page *p = arg;

	if (len == 0)
		return 0;
	/* the page before stays until there is another; a pipe has no length */
	if (!p->begun && p->out.fd != STDOUT_FILENO &&
	    ftruncate(p->out.fd, 0) == -1 && errno != EINVAL)
		return ctx_fail_errno(err, errno, "%s", p->out.name);
	p->begun = 1;
	if (ctx_fd_write(p->out.fd, bytes, len) == 0)
		return 0;
	return ctx_fail_errno(err, errno, "%s", p->out.name);
}

void
cli_page_done(struct cli_page *p, struct cli *c)
{
	if (p->out.fd != STDOUT_FILENO)
		cli_file_out_done(&p->out, c);
	ctx_redact_free(p->redact);
	ctx_buf_done(&p->title);
}
