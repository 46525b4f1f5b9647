/* SPDX-License-Identifier: MIT */
/* Tool definitions; see cli_tools.h. */
#include "cli_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_files.h"

void
cli_tools_read(struct cli *c, void *place)
{
	struct cli_tools *t = place;
	struct ctx_err err = { 0 };
	int rc = cli_file_get(c->arg, &t->file, &err);

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
