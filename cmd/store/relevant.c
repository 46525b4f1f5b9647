/* SPDX-License-Identifier: MIT */
/* ctx-store relevant: the part of a thread that a question needs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli_budget.h"
#include "cmd/store/method.h"
#include "cmd/store/units.h"
#include "cmd/store/cmd.h"
#include "store/log.h"
#include "store/search/rank.h"

struct relevant {
	struct store *s;
	struct ctx_cost cost;
	struct cli_budget budget;
	const char *question;
	struct method method;
	struct units units;

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
	int rc = method_meaning(&k->method, k->question, &s->where, 1, &like);

	if (rc == -1)
		return -1;
	if (rc == 0 || k->method.how != METHOD_MEANING)
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

	k->kept++;
	return store_message(k->s, m, err);
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

#define OPT_OF struct relevant
static const struct cli_opt relevant_opts[] = {
	OPT_TEXT(0, "question", "TEXT", question, "the question", .must = 1),
	STORE_CONTEXT,
	OPT_NUM(0, "around", "N", units.choose.opts.around, 0, UINT32_MAX,
	    "with N groups before and after a relevant one"),
	OPT_RATIO(0, "recent", "SHARE", units.choose.opts.recent,
	    "of the budget for the newest messages (0.50)"),
	OPT_TEXT(0, "pin", "KEY", units.pin,
	    "messages with this member stay"),
	OPT_GROUP("How much"),
	OPT_NUM('t', "tokens", "N", units.choose.opts.tokens, 0, UINT32_MAX,
	    "what fits N tokens"),
	OPT_SUB(budget, cli_budget_opts),
	OPT_SUB(cost, cli_cost_opts),
	OPT_GROUP("How"),
	OPT_SUB(method, method_opts),
	STORE_COMMON
};

static void
options(struct relevant *k)
{
	struct ctx_choose_opts *o = &k->units.choose.opts;
	struct cli *c = &k->s->cli;

	store_options(k->s, k);
	if (!cli_given(c, "tokens")) {
		if (k->cost.model_name == NULL)
			cli_usage(c, "needs --tokens, or --model for its "
			    "window");
		o->tokens = cli_budget_tokens(&k->budget, &k->cost, c);
		o->system_free = k->budget.system;
	}
	cli_cost_open(&k->cost, c);
}

static int
relevant_run(struct store *s, struct ctx_err *err)
{
	struct relevant k = { .s = s, .method.helper.s = s,
	    .units.choose.opts.recent = { 5, 10 } };
	const struct ctx_choose *choose = &k.units.choose;
	int rc;

	cli_cost_init(&k.cost);
	cli_budget_init(&k.budget, &s->cli);
	options(&k);
	k.units.cost = &k.cost;
	rc = store_open(s, err);
	if (rc == 0)
		rc = relevant(&k, err);
	if (rc == 0 && s->cli.verbose)
		cli_warn(&s->cli, "%" PRIu64 " of %zu messages, %" PRIu64
		    " of %" PRIu64 " tokens; %zu group%s for the question",
		    k.kept, k.units.nrow, choose->used + choose->system,
		    choose->opts.tokens, choose->relevant,
		    choose->relevant == 1 ? "" : "s");
	cli_figure(&s->cli, "messages", k.kept);
	cli_figure(&s->cli, "tokens", choose->used + choose->system);
	helper_done(&k.method.helper);
	units_done(&k.units);
	ctx_cost_done(&k.cost);
	return rc;
}

const struct store_cmd store_relevant_cmds[] = {
	STORE_CMD("relevant", READ, relevant_run, "THREAD",
	    "Write the part of a thread that a question needs and that fits.",
	    relevant_opts),
	STORE_END
};
