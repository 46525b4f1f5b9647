/* SPDX-License-Identifier: MIT */
#include "cmd/digest-files/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
map_begin(struct files *f)
{
	struct ctx_err err = { 0 };

	if (f->each.as == FILES_LIST)
		cli_usage(f->cli, "--map and --as list cannot be used "
		    "together");
	f->map.lang = f->each.lang;
	f->map.width = cli_given(f->cli, "width") ? f->each.width :
	    MAP_WIDTH;
	f->map.cost = &f->cost;
	f->map.focus = f->focus.v;
	f->map.nfocus = f->focus.n;
	if (f->map.tokens == 0)
		f->map.tokens = MAP_TOKENS;
	cli_cost_open(&f->cost, f->cli);
	if ((f->desk.map = ctx_map_new(&f->map, &err)) == NULL)
		cli_nomem(f->cli);
	f->desk.digest.symbols.code = ctx_map_code(f->desk.map);
}

static void
report(struct files *f)
{
	const struct ctx_map_sums *s = ctx_map_figures(f->desk.map);

	fprintf(stderr, "%s: %" PRIu64 " of %" PRIu64 " file%s; %" PRIu64
	    " signature%s and %" PRIu64 " name%s of %" PRIu64
	    " definition%s; %" PRIu64 " token%s\n", f->cli->cmd->name,
	    s->shown, s->files, CLI_S(s->files), s->signatures,
	    CLI_S(s->signatures), s->names, CLI_S(s->names), s->definitions,
	    CLI_S(s->definitions), s->tokens, CLI_S(s->tokens));
}

int
map_end(struct files *f, struct ctx_buf *out, struct ctx_err *err)
{
	char quoted[200];
	size_t i;
	int rc;

	if (err->code != CTX_OK)
		return -1;
	ctx_buf_reset(out);
	if ((rc = ctx_map_make(f->desk.map, out, err)) == -1)
		return -1;
	for (i = 0; i < f->focus.n; i++)
		if (!ctx_map_focused(f->desk.map, i))
			cli_warn(f->cli, "--focus %s: no path and no "
			    "definition has this name", ctx_err_quote(quoted,
			    sizeof(quoted), f->focus.v[i],
			    strlen(f->focus.v[i])));
	f->count = ctx_map_figures(f->desk.map)->files;
	if (rc == 0 && f->count > 0)
		cli_error(f->cli, CLI_NO, "not even the number of files fits "
		    "in %" PRIu64 " token%s", f->map.tokens,
		    CLI_S(f->map.tokens));
	if (f->cli->verbose)
		report(f);
	return 0;
}
