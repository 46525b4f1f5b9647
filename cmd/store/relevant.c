/* SPDX-License-Identifier: MIT */
/* ctx-store relevant: the part of a thread that a question needs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli_budget.h"
#include "cmd/store/by.h"
#include "cmd/store/units.h"
#include "cmd/store/cmd.h"
#include "store/log.h"
#include "store/search/rank.h"

enum { OPT_AROUND = CLI_LONG, OPT_PIN, OPT_RECENT, OPT_TO };

static const struct cli_opt relevant_opts[] = {
	{ OPT_AROUND, "around", "N",
	    "with N groups before and after a relevant one" },
	BY_OPTS,
	STORE_CONTEXT,
	CLI_COST_OPTS,
	CLI_BUDGET_OPTS,
	{ OPT_PIN, "pin", "KEY", "messages with this member stay" },
	{ OPT_RECENT, "recent", "SHARE",
	    "of the budget for the newest messages (0.50)" },
	{ 't', "tokens", "N", "what fits N tokens" },
	{ OPT_TO, "to", "TEXT", "the question" },
	STORE_COMMON
};

struct relevant {
	struct store *s;
	struct ctx_cost cost;
	struct cli_budget budget;
	int has_tokens;
	const char *question;
	struct by by;
	struct units units;

	int open_line;		/* what was written last has no line end */
	uint64_t kept;		/* messages */
};

static int
take_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct relevant *k = arg;

	return units_take(&k->units, m->seq, m->raw, m->len, err);
}

/*
 * What has to do with the question, by words, by meaning or by both.  -1 has
 * been reported, or *err says why.
 */
static int
rank(struct relevant *k, struct ctx_rank *r, struct ctx_err *err)
{
	struct ctx_rank like = { 0 };
	struct store *s = k->s;
	int64_t missing = 0;
	int rc = by_meaning(&k->by, k->question, &s->where, 1, &like);

	if (rc == -1)
		return -1;
	if (rc == 0 || k->by.how != BY_MEANING)
		rc = ctx_rank_words(s->st, &s->where, k->question, r,
		    &missing, err);
	else
		rc = 0;
	if (rc == 0 && like.n > 0) {
		ctx_rank_sort(r);
		rc = ctx_rank_fuse(r, &like, err);
	}
	ctx_rank_done(&like);
	if (rc == 0 && missing > 0)
		cli_warn(&s->cli, "%lld messages are not indexed: run "
		    "ctx-store reindex", (long long)missing);
	return rc;
}

/* A unit is worth what the best of its messages is. */
static int
score(struct relevant *k, struct ctx_err *err)
{
	struct ctx_rank r = { 0 };
	struct ctx_choose_unit *unit;
	const struct units_row *row;
	size_t i;
	int rc = rank(k, &r, err);

	for (i = 0; i < r.n && rc == 0; i++) {
		if ((row = units_find(&k->units, r.hit[i].seq)) == NULL)
			continue;
		unit = &k->units.choose.unit[row->unit];
		if (r.hit[i].score > unit->score)
			unit->score = r.hit[i].score;
	}
	ctx_rank_done(&r);
	return rc;
}

static int
print_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct relevant *k = arg;

	if (k->open_line && store_write("\n", 1, err) == -1)
		return -1;
	k->open_line = m->len > 0 && m->raw[m->len - 1] != '\n';
	k->kept++;
	return store_write(m->raw, m->len, err);
}

static int
is_kept(const struct relevant *k, size_t i)
{
	const struct units *u = &k->units;

	return u->row[i].unit != NO_UNIT &&
	    u->choose.unit[u->row[i].unit].flags & CTX_WIN_KEPT;
}

/* The messages that are kept, run by run, read once more. */
static int
print(struct relevant *k, struct ctx_err *err)
{
	struct ctx_range range = CTX_RANGE_ALL;
	size_t i = 0, end;

	while (i < k->units.nrow) {
		for (end = i; end < k->units.nrow && is_kept(k, end); end++)
			continue;
		if (end == i) {
			i++;
			continue;
		}
		range.from_seq = k->units.row[i].seq;
		range.to_seq = k->units.row[end - 1].seq;
		if (ctx_log_read(k->s->st, &k->s->where, &range,
		    print_message, k, err) == -1)
			return -1;
		i = end;
	}
	return 0;
}

static int
relevant(struct relevant *k, struct ctx_err *err)
{
	struct ctx_range all = CTX_RANGE_ALL;

	if (ctx_log_read(k->s->st, &k->s->where, &all, take_message, k,
	    err) == -1 || units_end(&k->units, err) == -1 ||
	    score(k, err) == -1 ||
	    ctx_choose_end(&k->units.choose, err) == -1)
		return -1;
	return print(k, err);
}

static void
options(struct relevant *k)
{
	struct ctx_choose_opts *o = &k->units.choose.opts;
	struct cli *c = &k->s->cli;
	int ch;

	while ((ch = store_getopt(k->s)) != -1)
		switch (ch) {
		case OPT_AROUND:
			o->around = cli_num(c, 0, UINT32_MAX);
			break;
		case OPT_PIN:
			k->units.pin = c->arg;
			break;
		case OPT_RECENT:
			o->recent = cli_ratio(c);
			break;
		case OPT_TO:
			k->question = c->arg;
			break;
		case 't':
			o->tokens = cli_num(c, 0, UINT32_MAX);
			k->has_tokens = 1;
			break;
		default:
			if (!by_opt(&k->by, ch) &&
			    !cli_budget_opt(&k->budget, c, ch))
				cli_cost_opt(&k->cost, c, ch);
		}
	store_operands(k->s, 1, 1, "a thread");
	if (k->question == NULL)
		cli_usage(c, "needs --to, the question");
	if (!k->has_tokens && k->cost.model_name == NULL)
		cli_usage(c, "needs --tokens, or --model for its window");
	if (!k->has_tokens) {
		o->tokens = cli_budget_tokens(&k->budget,
		    &k->cost, c);
		o->system_free = k->budget.system;
	}
	cli_cost_open(&k->cost, c);
}

static void
relevant_run(struct store *s)
{
	struct relevant k = { .s = s, .by.helper.s = s,
	    .units.choose.opts.recent = { 5, 10 } };
	const struct ctx_choose *choose = &k.units.choose;
	struct ctx_err err = { 0 };

	cli_cost_init(&k.cost);
	cli_budget_init(&k.budget, &s->cli);
	options(&k);
	k.units.cost = &k.cost;
	if (store_open(s) == 0 && relevant(&k, &err) == -1) {
		if (err.code != CTX_OK)
			store_report(s, NULL, &err);
	} else if (s->cli.verbose && s->st != NULL)
		cli_warn(&s->cli, "%" PRIu64 " of %zu messages, %" PRIu64
		    " of %" PRIu64 " tokens; %zu group%s for the question",
		    k.kept, k.units.nrow, choose->used + choose->system,
		    choose->opts.tokens, choose->relevant,
		    choose->relevant == 1 ? "" : "s");
	cli_figure(&s->cli, "messages", k.kept);
	cli_figure(&s->cli, "tokens", choose->used + choose->system);
	helper_done(&k.by.helper);
	units_done(&k.units);
	ctx_cost_done(&k.cost);
}

const struct store_cmd store_relevant_cmds[] = {
	{ "relevant", CTX_STORE_READ, relevant_run, { "ctx-store relevant",
	    "[OPTION ...] --to TEXT -t N THREAD",
	    "Write the part of a thread that a question needs and that fits.",
	    relevant_opts } },
	{ 0 }
};
