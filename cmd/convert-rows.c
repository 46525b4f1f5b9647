/* SPDX-License-Identifier: MIT */
/* What ctx-convert reports; see convert-rows.h. */
#include "convert-rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Print " speaker names (3), images and files (1)" and a newline. */
static void
put_losses(const uint64_t *loss)
{
	const char *sep = "";
	int i;

	for (i = 0; i < CTX_L_N; i++)
		if (loss[i] > 0) {
			fprintf(stderr, "%s %s (%" PRIu64 ")", sep,
			    ctx_loss_texts[i], loss[i]);
			sep = ",";
		}
	fputc('\n', stderr);
}

int
convert_row(struct cli_stream *s, const struct ctx_row *row,
    struct ctx_err *err)
{
	char file[256];

	(void)err;
	ctx_err_quote(file, sizeof(file), s->file, strlen(s->file));
	if (row->what == CTX_CONVERT_NOTHING) {
		cli_error(s->cli, CLI_INPUT, "%s:%" PRIu64
		    ": nothing of the conversation is left to convert", file,
		    row->line);
		return 0;
	}
	fprintf(stderr, "%s: %s:%" PRIu64 ": conversation left out; it would "
	    "lose or change:", s->cli->cmd->name,
	    file, row->line);
	put_losses(row->n);
	cli_raise(s->cli, CLI_NO);
	return 0;
}

void
convert_no_message(struct cli_stream *s, const char *file, uint64_t records)
{
	cli_error(s->cli, CLI_INPUT, "%s: no message in %" PRIu64
	    " record%s, so there is nothing to convert; ctx-stream(5) lists "
	    "the formats that are read", file, records, CLI_S(records));
}

void
convert_closing_lines(const struct ctx_convert_job_sums *did,
    const struct cli *c)
{
	static const uint64_t none[CTX_L_N];

	if (c->verbose)
		fprintf(stderr, "%s: %" PRIu64 " conversation%s\n",
		    c->cmd->name, did->conversations,
		    CLI_S(did->conversations));
	if (c->quiet || memcmp(did->loss, none, sizeof(none)) == 0)
		return;
	fprintf(stderr, "%s: lost or changed:", c->cmd->name);
	put_losses(did->loss);
}
