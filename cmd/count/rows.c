/* SPDX-License-Identifier: MIT */
/* What ctx-count prints; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "job/charge.h"

/*
 * What n tokens of input cost with the model or, of a common prefix, what a
 * cache saves of that.  Returns 1, or 0 if a price is not known.
 */
static int
cost_of(const struct count_rows *r, uint64_t n, uint64_t *nano)
{
	const char *model = r->cost.model_name;
	const uint64_t plain[CTX_PRICE_N] = { [CTX_PRICE_INPUT] = n };
	const uint64_t cached[CTX_PRICE_N] = { [CTX_PRICE_CACHED] = n };
	uint64_t less = 0;

	if (!ctx_prices_cost(&r->prices, model, "", plain, nano) ||
	    (r->opts.by == CTX_TALLY_PREFIX &&
	    !ctx_prices_cost(&r->prices, model, "", cached, &less)))
		return 0;
	*nano -= less < *nano ? less : *nano;
	return 1;
}

static void
put(const struct count_rows *r, const struct count_row *of)
{
	struct count_row row = *of;
	char money[CLI_DOLLARS];
	uint64_t nano;

	if (r->price && row.money == NULL)
		row.money = cost_of(r, row.sum->tokens, &nano) ?
		    cli_dollars(nano, money) : "-";
	if (count_row(stdout, r->format, &row) == -1)
		cli_error(r->stream.cli, CLI_SYSTEM, "out of memory");
	putchar('\n');
}

/* "file:12" */
static size_t
place_name(const struct count_rows *r, uint64_t line, char *out, size_t size)
{
	char quoted[512];

	return (size_t)snprintf(out, size, "%s:%" PRIu64,
	    ctx_err_quote(quoted, sizeof(quoted), r->stream.file,
	    strlen(r->stream.file)), line);
}

/*
 * At the end of a conversation: print its row, and note whether it is too
 * large.
 */
static void
conversation(struct count_rows *r, const struct count_row *row, uint64_t line)
{
	if (r->opts.by == CTX_TALLY_CONVERSATION)
		put(r, row);
	if (r->has_max && row->sum->tokens > r->max)
		count_over_budget(r, row, line);
}

int
count_rows_put(struct cli_stream *s, const struct ctx_row *of,
    struct ctx_err *err)
{
	const struct ctx_tally_sum sum = { of->n[0], of->n[1], of->n[2] };
	struct count_row row = { .what = "conversation", .name = s->file,
	    .len = strlen(s->file), .sum = &sum };
	struct count_rows *r = (struct count_rows *)s;
	char name[600];

	(void)err;
	if (of->name != NULL) {
		row.name = of->name;
		row.len = of->namelen;
		row.is_json = 1;
	} else if (of->line != 0) {
		row.len = place_name(r, of->line, name, sizeof(name));
		row.name = name;
	}
	if (of->what != CTX_TALLY_A_MESSAGE) {
		conversation(r, &row, of->line);
		return 0;
	}
	row.what = "message";
	row.key = "role";
	row.extra = of->rule;
	row.show = 1;
	put(r, &row);
	return 0;
}

/* --- a file ------------------------------------------------------------ */

/* Say how close a number is to its limit. */
static const char *
nearness(uint64_t n, uint64_t max)
{
	if (max == 0)
		return "";
	return n > max ? " (over the limit)" :
	    n * 10 >= max * 9 ? " (near the limit)" : "";
}

static void
print_status(const struct count_rows *r, const struct ctx_tally_sum *sum)
{
	const uint64_t window = r->has_max ? r->max : r->window;
	char quoted[512];

	printf("Session: %s\n", ctx_err_quote(quoted, sizeof(quoted),
	    r->stream.file, strlen(r->stream.file)));
	printf("Messages: %" PRIu64 " / %" PRIu64 " (max)%s\n", sum->messages,
	    r->max_messages, nearness(sum->messages, r->max_messages));
	printf("Tokens: %" PRIu64, sum->tokens);
	if (window > 0)
		printf(" / %" PRIu64 " (%.0f %%)%s", window, 100.0 *
		    (double)sum->tokens / (double)window,
		    nearness(sum->tokens, window));
	putchar('\n');
	if (window > 0 && isatty(STDOUT_FILENO))
		count_gauge(stdout, sum->tokens, window);
}

/* Is there a row for each file? */
static int
by_file(const struct count_rows *r)
{
	return r->opts.by == CTX_TALLY_FILE && !r->status &&
	    r->opts.annotate == NULL && !r->tell;
}

static void
end_file(struct count_rows *r, const struct ctx_tally_sum *sum)
{
	const char *name = r->stream.file;
	struct ctx_cost *k = &r->cost;
	char level[80];
	uint64_t nano;
	int nameless = r->format == COUNT_PLAIN &&
	    name == cli_stdin_name;

	r->nfile++;
	ctx_tally_sum_add(&r->total, sum);
	if (r->price && cost_of(r, sum->tokens, &nano))
		r->nano += nano;
	if (r->status && r->opts.annotate == NULL)
		print_status(r, sum);
	else if (by_file(r))
		put(r, &(struct count_row){ .what = "file", .name = name,
		    .len = nameless ? 0 : strlen(name), .sum = sum,
		    .key = "count", .cost = k,
		    .extra = cli_cost_level(k, level, sizeof(level)),
		    .of = k->model_name != NULL || k->of[CTX_OF_SYSTEM] +
		    k->of[CTX_OF_RESERVE] > 0 ? k->of : NULL });
	/* how sure this count is says nothing of the next file */
	ctx_charge_learn(&r->seen, k);
	count_findings_file(r, name);
}

int
count_rows_file(struct cli_stream *s, struct ctx_err *err)
{
	struct ctx_tally_sum sum = ctx_tally_take(s->job);

	(void)err;
	end_file((struct count_rows *)s, &sum);
	return 0;
}

void
count_rows_text(struct count_rows *r, const struct ctx_tally_sum *sum)
{
	const char *name = r->stream.file;

	conversation(r, &(struct count_row){ .what = "conversation",
	    .name = name, .len = strlen(name), .sum = sum }, 0);
	end_file(r, sum);
}

/* --- all files --------------------------------------------------------- */

static void
put_total(const struct count_rows *r, const char *what, const char *name)
{
	struct count_row row = { .what = what, .name = name,
	    .len = strlen(name), .sum = &r->total };
	char money[CLI_DOLLARS];

	/* what one request costs does not tell what several do */
	if (r->nano > 0 && r->opts.by == CTX_TALLY_FILE)
		row.money = cli_dollars(r->nano, money);
	put(r, &row);
}

void
count_rows_end(struct count_rows *r, struct cli *c)
{
	enum ctx_tally_by by = r->opts.by;
	char words[CLI_COST_WORDS];

	ctx_charge_learn(&r->cost, &r->seen);
	if ((by == CTX_TALLY_ROLE || by == CTX_TALLY_TOOL) &&
	    count_table(ctx_tally_table(r->stream.job), stdout, r->format,
	    by == CTX_TALLY_ROLE ? "role" : "tool",
	    isatty(STDOUT_FILENO) && r->format == COUNT_PLAIN) == -1)
		cli_error(c, CLI_SYSTEM, "out of memory");
	if (by == CTX_TALLY_SIZE)
		count_histogram(ctx_tally_sizes(r->stream.job), stdout,
		    r->format);
	if (by == CTX_TALLY_PREFIX && c->worst == CLI_OK) {
		if (!r->tell)
			put_total(r, "common-prefix", "common");
		if (r->opts.apart)
			count_check_min(r, c);
	}
	if (by_file(r) && r->nfile > 1 && r->format == COUNT_PLAIN)
		put_total(r, "file", "total");
	count_findings_end(r, c);
	if (c->verbose || ctx_cost_worst(&r->cost) != CTX_EXACT)
		cli_warn(c, "%s%s", cli_cost_words(&r->cost, words,
		    sizeof(words)), ctx_tok_is_estimate(r->cost.choice.tok) &&
		    r->cost.model_name == NULL ? "; with -m MODEL or without "
		    "-e, a tokenizer counts" : "");
}
