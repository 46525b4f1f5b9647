/* SPDX-License-Identifier: MIT */
/* Report what happened to conversations; see report.h. */
#include "cmd/summarize/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli_cost.h"
#include "cli_files.h"
#include "read/span.h"

#define ASKED "asked"		/* the model, in the table of --prices */

void
summarize_prices_take(struct cli *c, void *place)
{
	struct ctx_err err = { 0 };
	char in[24], out[24], cached[24], row[96];
	int used = 0, n;

	ctx_prices_done(place);
	n = sscanf(c->arg, "%23[0-9.],%23[0-9.]%n,%23[0-9.]%n", in, out, &used,
	    cached, &used);
	if (n == 2)
		strcpy(cached, in);
	if (n >= 2)
		snprintf(row, sizeof(row), ASKED " - 0 %s %s - - %s", in,
		    cached, out);
	if (n < 2 || c->arg[used] != '\0' ||
	    ctx_prices_read(place, row, strlen(row), &err) == -1)
		cli_usage(c, "--prices needs two or three prices of a million "
		    "tokens, such as 3,5 or 3,5,1");
}

/* Add a member to the object in b; the first one begins it. */
static void
add_text(struct ctx_buf *b, const char *name, const char *text, size_t len)
{
	ctx_buf_addf(b, "%c\"%s\":\"", b->len == 0 ? '{' : ',', name);
	cli_file_encode(b, text, len);
	ctx_buf_addc(b, '"');
}

static void
add_number(struct ctx_buf *b, const char *name, uint64_t n)
{
	ctx_buf_addf(b, ",\"%s\":%" PRIu64, name, n);
}

/* Add what the server counted, as far as it did. */
static void
add_usage(struct ctx_buf *b, const struct ctx_row *row)
{
	static const struct { const char *name; int n; } counts[] = {
		{ "prompt_tokens", CTX_FOLD_N_PROMPT },
		{ "cached_tokens", CTX_FOLD_N_CACHED },
		{ "output_tokens", CTX_FOLD_N_OUTPUT }
	};
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if ((int64_t)row->n[counts[i].n] >= 0)
			add_number(b, counts[i].name, row->n[counts[i].n]);
}

/* Add what the tokens cost, if the server said how many there were. */
static void
add_cost(struct ctx_buf *b, const struct ctx_prices *p,
    const struct ctx_row *row)
{
	int64_t in = (int64_t)row->n[CTX_FOLD_N_PROMPT];
	int64_t out = (int64_t)row->n[CTX_FOLD_N_OUTPUT];
	int64_t cached = (int64_t)row->n[CTX_FOLD_N_CACHED];
	uint64_t tokens[CTX_PRICE_N] = { 0 }, nano;
	char money[CLI_DOLLARS];

	if (in < 0 || out < 0)
		return;
	cached = cached < 0 ? 0 : cached > in ? in : cached;
	tokens[CTX_PRICE_INPUT] = (uint64_t)(in - cached);
	tokens[CTX_PRICE_CACHED] = (uint64_t)cached;
	tokens[CTX_PRICE_OUTPUT] = (uint64_t)out;
	if (ctx_prices_cost(p, ASKED, "", tokens, &nano))
		ctx_buf_addf(b, ",\"cost\":%s", cli_dollars(nano, money));
}

static int
write_line(struct summarize_report *r, const char *file,
    const struct ctx_row *row, struct ctx_err *err)
{
	static const struct { const char *name; int n; } numbers[] = {
		{ "turns", CTX_FOLD_N_TURNS }, { "kept", CTX_FOLD_N_KEPT },
		{ "summarized_turn_count", CTX_FOLD_N_ALL },
		{ "tokens", CTX_FOLD_N_TOKENS },
		{ "summary_token_count", CTX_FOLD_N_SUMMARY },
		{ "tries", CTX_FOLD_N_TRIES }, { "ms", CTX_FOLD_N_MS }
	};
	static const char *const engines[] = {
		[CTX_FOLD_OFFLINE] = "offline", [CTX_FOLD_ASKED] = "model"
	};
	const char *engine = engines[row->n[CTX_FOLD_N_ENGINE]];
	struct ctx_buf *b = &r->line;
	size_t i;

	ctx_buf_reset(b);
	add_text(b, "file", file, strlen(file));
	add_text(b, "result", row->rule, strlen(row->rule));
	add_text(b, "why", row->text, row->textlen);
	if (engine != NULL)
		add_text(b, "engine", engine, strlen(engine));
	if (r->model != NULL)
		add_text(b, "model", r->model, strlen(r->model));
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		add_number(b, numbers[i].name, row->n[numbers[i].n]);
	if (row->namelen > 0)
		add_text(b, "key", row->name, row->namelen);
	add_usage(b, row);
	add_cost(b, &r->prices, row);
	if (r->facts.len > 0) {
		ctx_buf_addc(b, ',');
		ctx_buf_add(b, r->facts.data, r->facts.len);
	}
	ctx_buf_reset(&r->facts);
	ctx_buf_adds(b, "}\n");
	if (ctx_buf_fail(b, err) == -1)
		return -1;
	return ctx_out_line(&r->out, b->data, b->len, NULL, err);
}

static void
tell_failure(const struct summarize_report *r, struct cli_stream *s,
    const char *text, int len)
{
	struct ctx_err why = { 0 };

	if (r->pass_failure)
		cli_warn(s->cli, "%.*s; the conversation is left unchanged",
		    len, text);
	else {
		ctx_fail(&why, CTX_EREMOTE, "%.*s", len, text);
		cli_report(s->cli, s->file, &why);
	}
}

static void
tell_refusal(struct cli_stream *s, const char *text, int len)
{
	struct ctx_err why = { 0 };

	ctx_fail(&why, CTX_ENO, "%.*s, which is less than --min-facts; the "
	    "conversation is left unchanged", len, text);
	cli_report(s->cli, s->file, &why);
}

int
summarize_report_put(struct summarize_report *r, struct cli_stream *s,
    const struct ctx_row *row, struct ctx_err *err)
{
	int len = (int)row->textlen;

	switch ((enum ctx_fold_job_row)row->what) {
	case CTX_FOLD_ROW_DONE:
		if (strcmp(row->rule, "failed") == 0)
			tell_failure(r, s, row->text, len);
		else if (strcmp(row->rule, "refused") == 0)
			tell_refusal(s, row->text, len);
		return r->name == NULL ? 0 : write_line(r, s->file, row, err);
	case CTX_FOLD_ROW_FACTS:
		ctx_buf_reset(&r->facts);
		ctx_buf_add(&r->facts, row->text, row->textlen);
		return ctx_buf_fail(&r->facts, err);
	case CTX_FOLD_ROW_OFFLINE:
		cli_warn(s->cli, "%.*s; summarizing offline instead", len,
		    row->text);
		break;
	case CTX_FOLD_ROW_ANEW:
		cli_warn(s->cli, "%s: the conversation is not the one that was "
		    "summarized; folding it from the start", r->state);
		break;
	}
	return 0;
}

void
summarize_report_sums(const struct summarize_report *r,
    const struct ctx_fold_job_sums *did, const struct ctx_cost *cost,
    const struct cli *c)
{
	char level[64];

	fprintf(stderr, "%s: %" PRIu64 " conversation%s, %" PRIu64
	    " of them folded, %" PRIu64 " failed; %" PRIu64
	    " turn%s (%" PRIu64 " tokens) became %" PRIu64
	    " tokens (%s); %s\n", c->cmd->name, did->conversations,
	    CLI_S(did->conversations), did->folded, did->failed, did->turns,
	    CLI_S(did->turns), did->tokens, did->summary_tokens,
	    cli_cost_level(cost, level, sizeof(level)),
	    r->model != NULL ? r->model : "offline");
}

void
summarize_report_close(struct summarize_report *r, struct cli *c)
{
	cli_file_out_done(&r->out, c);
	ctx_buf_done(&r->line);
	ctx_buf_done(&r->facts);
	ctx_prices_done(&r->prices);
}
