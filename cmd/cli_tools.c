/* SPDX-License-Identifier: MIT */
/* What goes out with each conversation; see cli_tools.h. */
#include "cli_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_files.h"
#include "view/dialect.h"

void
cli_tools_read(struct cli *c, void *place)
{
	struct cli_tools *t = place;
	struct ctx_err err = { 0 };
	int rc;

	/* the last one counts */
	cli_tools_done(t);
	rc = cli_file_get(c->arg, &t->file, &err);
	if (rc == 0)
		ctx_fail(&err, CTX_ESYSTEM, "no such file");
	else if (rc == 1 && ctx_doc_scan(&t->doc, t->file.data, t->file.len,
	    &err) == 0 && ctx_tools_read(&t->list, &t->doc, 0, &err) == 0 &&
	    t->list.n == 0)
		ctx_fail(&err, CTX_EINPUT, "no tool definitions; expected a "
		    "JSON list of objects with a name");
	if (err.code == CTX_OK)
		return;
	cli_report(c, c->arg, &err);
	exit(cli_end(c));
}

void
cli_tools_done(struct cli_tools *t)
{
	ctx_tools_done(&t->list);
	ctx_doc_done(&t->doc);
	ctx_buf_done(&t->file);
}

/* --- all of it --------------------------------------------------------- */

#define OPT_OF struct cli_along
const struct cli_opt cli_along_opts[] = {
	OPT_CALL(0, "system", "FILE", system, cli_prompt_read,
	    "count the system prompt in FILE with each conversation"),
	OPT_CALL(0, "tools", "FILE", tools, cli_tools_read,
	    "count the tool definitions in FILE instead of those in a "
	    "conversation"),
	OPT_END
};
#undef OPT_OF

void
cli_along_open(struct cli_along *a, struct cli *c)
{
	struct ctx_err err = { 0 };

	a->along.tools = &a->tools.list;
	a->along.defs = a->tools.list.n > 0 ? &a->tools.doc : NULL;
	if (!cli_given(c, "system"))
		return;
	ctx_buf_adds(&a->line, "{\"role\":\"system\",\"content\":\"");
	ctx_buf_add(&a->line, a->system.str.p, a->system.str.len);
	ctx_buf_adds(&a->line, "\"}");
	if (ctx_buf_fail(&a->line, &err) == 0 &&
	    ctx_dialect_line(&a->message, &ctx_dialect_openai, a->line.data,
	    a->line.len, &err) == 0)
		a->along.system = &a->message;
	cli_must(c, a->along.system == NULL ? -1 : 0, &err);
}

uint64_t
cli_along_system(const struct cli_along *a, struct ctx_cost *k, struct cli *c)
{
	struct ctx_err err = { 0 };
	uint64_t n = 0;

	if (a->along.system != NULL)
		cli_must(c, ctx_cost_msg(k, a->along.system, 0, &n, &err),
		    &err);
	k->of[CTX_OF_FRAMING] = 0;
	return n;
}

void
cli_along_done(struct cli_along *a)
{
	ctx_convo_done(&a->message);
	ctx_buf_done(&a->line);
	cli_prompt_done(&a->system);
	cli_tools_done(&a->tools);
}
