/* SPDX-License-Identifier: MIT */
/* What ctx-truncate reports; see truncate-rows.h. */
#include "truncate-rows.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli_cost.h"

/* Report by name a conversation that cannot be made to fit. */
static void
left_out(struct cli_stream *s, const struct ctx_row *row)
{
	struct ctx_err named = { .code = CTX_ENO, .line = row->line };
	char quoted[64] = "";

	if (row->name != NULL)
		ctx_err_quote(quoted, sizeof(quoted), row->name, row->namelen);
	snprintf(named.text, sizeof(named.text), "%s%s%.*s", quoted,
	    row->name != NULL ? ": " : "", row->textlen > 180 ? 180 :
	    (int)row->textlen, row->text);
	cli_report(s->cli, s->file, &named);
	s->hold_back |= s->place.on;
}

int
truncate_row(struct cli_stream *s, const struct ctx_row *row,
    struct ctx_err *err)
{
	(void)err;
	if (row->what == CTX_CUT_LEFT_OUT)
		left_out(s, row);
	else if (s->cli->verbose)
		cli_warn(s->cli,
		    "%s:%" PRIu64 ": it refers to a text that was cut", s->file,
		    row->line);
	return 0;
}

void
truncate_closing_line(const struct ctx_cut_opts *opts,
    const struct ctx_cut_sums *did, const struct cli *c)
{
	char level[64], system[40] = "";

	if (did->system > 0)
		snprintf(system, sizeof(system), " and %" PRIu64
		    " of the system", did->system);
	fprintf(stderr, "%s: %" PRIu64 " conversation%s, %" PRIu64
	    " of them cut; %" PRIu64 " message%s%s kept, %" PRIu64 " dropped",
	    c->cmd->name, did->conversations, CLI_S(did->conversations),
	    did->cut, did->kept, CLI_S(did->kept), system, did->dropped);
	if (opts->counting)
		fprintf(stderr, " (%" PRIu64 " tokens, %s)", did->tokens,
		    cli_cost_level(opts->cost, level, sizeof(level)));
	if (did->lean > 0)
		fprintf(stderr, "; %" PRIu64 " without the bodies of results",
		    did->lean);
	if (opts->win.has_tokens)
		fprintf(stderr, "; budget %" PRIu64 " tokens",
		    opts->win.tokens);
	fputc('\n', stderr);
}
