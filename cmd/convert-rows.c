/* SPDX-License-Identifier: MIT */
/* What ctx-convert reports; see convert-rows.h. */
#include "convert-rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Print " speaker names (3), parts of type x (1)" and a newline.  left has
 * the parts by type.
 */
static void
put_losses(const uint64_t *loss, const struct ctx_types *left)
{
	const char *sep = "";
	size_t k;
	int i;

	for (i = 0; i < CTX_L_N; i++) {
		if (loss[i] > 0 && i != CTX_L_PART) {
			fprintf(stderr, "%s %s (%" PRIu64 ")", sep,
			    ctx_loss_texts[i], loss[i]);
			sep = ",";
		}
		for (k = 0; i == CTX_L_PART && k < left->n; k++) {
			fprintf(stderr, "%s parts of type %s (%" PRIu64 ")",
			    sep, left->type[k].name, left->type[k].n);
			sep = ",";
		}
	}
	fputc('\n', stderr);
}

int
convert_row(struct cli_stream *s, const struct ctx_row *row,
    struct ctx_err *err)
{
	struct ctx_types left;
	char file[256];

	(void)err;
	ctx_err_quote(file, sizeof(file), s->file, strlen(s->file));
	if (row->what == CTX_CONVERT_ROW_NOTHING) {
		cli_error(s->cli, CLI_INPUT, "%s:%" PRIu64
		    ": nothing of the conversation is left to convert", file,
		    row->line);
		return 0;
	}
	fprintf(stderr, "%s: %s:%" PRIu64 ": conversation left out; ",
	    s->cli->cmd->name, file, row->line);
	if (row->what == CTX_CONVERT_ROW_SEALED) {
		fputs("its beginning is a compaction that only its own API "
		    "can read: convert the history from before it, or ask "
		    "that API for a summary\n", stderr);
		cli_raise(s->cli, CLI_INPUT);
		return 0;
	}
	fputs("it would lose or change:", stderr);
	memcpy(&left, row->text, sizeof(left));
	put_losses(row->n, &left);
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
	put_losses(did->loss, &did->left);
}
