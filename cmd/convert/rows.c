/* SPDX-License-Identifier: MIT */
/* What ctx-convert reports; see rows.h. */
#include "cmd/convert/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli_fare.h"
#include "cli_files.h"

/* Print " speaker names (3), parts of type x (1)" and a newline. */
static void
put_losses(const uint64_t *loss, const struct ctx_types_lost *by)
{
	const struct ctx_types *names;
	const char *sep = "", *what;
	size_t k;
	int i;

	for (i = 0; i < CTX_L_N; i++) {
		names = i == CTX_L_PART ? &by->parts :
		    i == CTX_L_MEMBER ? &by->members : NULL;
		if (loss[i] > 0 && names == NULL) {
			fprintf(stderr, "%s %s (%" PRIu64 ")", sep,
			    ctx_loss_texts[i], loss[i]);
			sep = ",";
		}
		what = i == CTX_L_PART ? "parts of type" : "members";
		for (k = 0; names != NULL && k < names->n; k++) {
			cli_tell("%s %s %s (%" PRIu64 ")", sep, what,
			    names->type[k].name, names->type[k].n);
			sep = ",";
		}
	}
	fputc('\n', stderr);
}

static int
put_fare(struct convert_rows *r, const struct ctx_row *row,
    struct ctx_err *err)
{
	struct cli_fare f = { .file = r->stream.file, .line = row->line,
	    .fare = (enum ctx_fare)row->n[0], .why = row->rule,
	    .path = { row->n[0] == CTX_MADE ? NULL : row->name,
	    (uint32_t)row->namelen },
	    .from = { row->n[3] > 0 ? row->text : NULL,
	    (uint32_t)row->n[3] },
	    .to = { row->text == NULL ? NULL : row->text + row->n[3],
	    (uint32_t)(row->textlen - row->n[3]) },
	    .bytes = row->n[1], .values = row->n[2] };

	return cli_fare_put(&r->report, &r->line, &f, err);
}

/* Handle a conversation that is left out, or a line of the report. */
static int
put_row(struct cli_stream *s, const struct ctx_row *row,
    struct ctx_err *err)
{
	struct ctx_types_lost left;
	char file[256];

	if (row->what == CTX_CONVERT_ROW_FARE)
		return put_fare((struct convert_rows *)s, row, err);
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

/* A file has records but no message. */
static void
no_message(struct cli_stream *s, const char *file, uint64_t records)
{
	cli_error(s->cli, CLI_INPUT, "%s: no message in %" PRIu64
	    " record%s, so there is nothing to convert; ctx-stream(5) lists "
	    "the formats that are read", file, records, CLI_S(records));
}

void
convert_rows_open(struct convert_rows *r, struct ctx_convert_job_opts *opts,
    int answers, struct cli *c)
{
	r->stream.row = put_row;
	r->stream.no_message = no_message;
	if (r->report_name == NULL)
		return;
	if (opts->to->only_text && !answers)
		cli_usage(c, "--report needs a dialect that is JSON");
	cli_file_out(&r->report, "report", c);
	opts->report = !opts->to->only_text;
}

void
convert_rows_close(struct convert_rows *r, struct cli *c)
{
	cli_file_out_done(&r->report, c);
	ctx_buf_done(&r->line);
}

void
convert_closing_lines(const struct ctx_convert_job_sums *did, int waiting,
    struct cli *c)
{
	uint64_t loss[CTX_L_N], all = 0;
	int i;

	memcpy(loss, did->loss, sizeof(loss));
	loss[CTX_L_UNKNOWN] = 0;	/* each file's were told */
	for (i = 0; i < CTX_L_N; i++)
		all += loss[i];
	if (waiting && did->calls == 0)
		cli_raise(c, CLI_NO);
	if (c->verbose)
		fprintf(stderr, "%s: %" PRIu64 " conversation%s\n",
		    c->cmd->name, did->conversations,
		    CLI_S(did->conversations));
	if (waiting && loss[CTX_L_ARGUMENTS] > 0)
		cli_warn(c, "the arguments of %" PRIu64 " call%s are not JSON; "
		    "they are written as a string", loss[CTX_L_ARGUMENTS],
		    CLI_S(loss[CTX_L_ARGUMENTS]));
	if (c->quiet || waiting || all == 0)
		return;
	fprintf(stderr, "%s: lost or changed:", c->cmd->name);
	put_losses(loss, &did->left);
}
