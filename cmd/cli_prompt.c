/* SPDX-License-Identifier: MIT */
/* A file with a prompt; see cli_prompt.h. */
#include "cli_prompt.h"

#include <stdlib.h>
#include <string.h>

#include "cli_files.h"

#define PROMPT_MAX	(1u << 20)

/* Is it text, and as much as a prompt may be?  0, or -1 with *err. */
static int
check(const struct ctx_buf *b, struct ctx_err *err)
{
	if (b->len == 0)
		return ctx_fail(err, CTX_EINPUT, "is empty");
	if (b->len > PROMPT_MAX)
		return ctx_fail(err, CTX_EINPUT, "is too long for a prompt");
	if (memchr(b->data, '\0', b->len) != NULL ||
	    ctx_scan_utf8(b->data, b->len) < b->len)
		return ctx_fail(err, CTX_EINPUT, "is not UTF-8 text");
	return 0;
}

void
cli_prompt_read(struct cli *c, void *place)
{
	struct cli_prompt *p = place;
	struct ctx_err err = { 0 };
	int rc;

	ctx_buf_reset(&p->text);
	ctx_buf_reset(&p->escaped);
	rc = cli_file_get(c->arg, &p->text, &err);
	if (rc == 0)
		ctx_fail(&err, CTX_ESYSTEM, "no such file");
	while (rc == 1 && p->text.len > 0 &&
	    strchr("\r\n", p->text.data[p->text.len - 1]) != NULL &&
	    p->text.data[p->text.len - 1] != '\0')
		p->text.len--;
	if (rc == 1 && check(&p->text, &err) == 0) {
		ctx_str_encode(&p->escaped, p->text.data, p->text.len);
		if (ctx_buf_str(&p->text) == NULL || p->escaped.failed)
			cli_nomem(c);
		p->str = ctx_str_of(&p->escaped);
		return;
	}
	cli_report(c, c->arg, &err);
	exit(cli_end(c));
}

void
cli_prompt_done(struct cli_prompt *p)
{
	ctx_buf_done(&p->text);
	ctx_buf_done(&p->escaped);
}
