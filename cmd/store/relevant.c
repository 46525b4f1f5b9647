/* SPDX-License-Identifier: MIT */
/* ctx-store relevant: print the part of a thread that a question needs. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli_budget.h"
#include "cmd/store/meaning.h"
#include "session/relevant.h"

struct relevant {
	struct store *s;
	struct cli_args thread;		/* others */
	struct ctx_cost cost;
	struct ctx_budget budget;
	const char *question;
	struct meaning meaning;
	struct ctx_relevant part;
};

/*
 * Rank messages by their relation to the question: by words, by meaning or by
 * both.  -1 has been reported unless *err is set.
 */
static int
rank(struct relevant *k, struct ctx_rank *r, struct ctx_err *err)
{
	struct ctx_rank like = { 0 };
	struct store *s = k->s;
	struct ctx_vector_like of = { .where = k->part.where,
	    .nwhere = k->part.nwhere };
	int meant = meaning_rank(&k->meaning, k->question, &of, &like);
	int rc = meant == -1 ? -1 : 0;

	if (rc == 0 && (!meant || k->meaning.method != METHOD_MEANING))
		rc = ctx_rank_words(s->st, k->part.where, k->part.nwhere,
		    k->question, r, err);
	if (rc == 0 && like.n > 0) {
		ctx_rank_sort(r);
		rc = ctx_rank_fuse(r, &like, err);
	}
	ctx_rank_done(&like);
	return rc;
}

#define OPT_OF struct relevant
static const struct cli_opt relevant_opts[] = {
	OPT_TEXT(0, "question", "TEXT", question,
	    "find what is relevant to this question", .must = 1),
	STORE_CONTEXT,
	OPT_LIST(0, "thread", "NAME", thread,
	    "also write what the question needs of this thread; can be "
	    "repeated"),
	OPT_FLAG(0, "all-branches", part.all_branches,
	    "take all branches of a session, not only the one that goes on"),
	OPT_NUM(0, "around", "N", part.choose.opts.around, 0, UINT32_MAX,
	    "include N groups before and after each relevant one"),
	OPT_RATIO(0, "recent", "SHARE", part.choose.opts.recent,
	    "share of the budget for the newest messages (default 0.50)"),
	OPT_TEXT(0, "pin", "KEY", part.pin,
	    "keep messages that have member KEY"),
	OPT_GROUP("Limits"),
	OPT_NUM('t', "tokens", "N", part.choose.opts.tokens, 0, UINT32_MAX,
	    "write at most N tokens"),
	OPT_SUB(budget, cli_budget_opts),
	OPT_SUB(cost, cli_cost_opts),
	OPT_GROUP("Method"),
	OPT_SUB(meaning, meaning_method_opts),
	STORE_COMMON
};

static void
options(struct relevant *k)
{
	struct ctx_choose_opts *o = &k->part.choose.opts;
	struct cli *c = &k->s->cli;
	size_t i;

	cli_cost_init(&k->cost);
	cli_budget_init(&k->budget, c);
	store_options(k->s, k);
	if (!cli_given(c, "tokens")) {
		if (k->cost.model_name == NULL && k->budget.window == 0)
			cli_usage(c, "--tokens is required, or --model or "
			    "--window for a share of the window");
		o->tokens = cli_budget_tokens(&k->budget, NULL, &k->cost, c);
		o->system_free = k->budget.system;
	}
	cli_cost_open(&k->cost, c);
	k->part.cost = &k->cost;
	/* the operand, and these */
	k->part.where = calloc(1 + k->thread.n, sizeof(*k->part.where));
	if (k->part.where == NULL)
		cli_nomem(c);
	k->part.where[k->part.nwhere++] = k->s->where;
	for (i = 0; i < k->thread.n; i++)
		k->part.where[k->part.nwhere++].thread = k->thread.v[i];
}

static int
relevant_run(struct store *s, struct ctx_err *err)
{
	struct relevant k = { .s = s, .meaning.s = s,
	    .part.choose.opts.recent = { 5, 10 } };
	const struct ctx_choose *choose = &k.part.choose;
	struct ctx_rank hits = { 0 };
	int rc;

	options(&k);
	rc = store_open(s, err);
	k.part.st = s->st;
	if (rc == 0 && (rc = ctx_relevant_read(&k.part, err)) == 0 &&
	    (rc = rank(&k, &hits, err)) == 0)
		rc = ctx_relevant_write(&k.part, &hits, store_message, s, err);
	if (rc == 0 && s->cli.verbose)
		cli_warn(&s->cli, "%" PRIu64 " of %zu messages, %" PRIu64
		    " of %" PRIu64 " tokens; %zu group%s for the question",
		    k.part.kept, k.part.nrow, choose->used + choose->system,
		    choose->opts.tokens, choose->relevant,
		    CLI_S(choose->relevant));
	if (rc == 0 && k.part.beside > 0)
		cli_warn(&s->cli, "%" PRIu64 " message%s of other branches "
		    "%s not considered (--all-branches takes them)",
		    k.part.beside, CLI_S(k.part.beside),
		    k.part.beside == 1 ? "was" : "were");
	cli_figure(&s->cli, "messages", k.part.kept);
	cli_figure(&s->cli, "tokens", choose->used + choose->system);
	ctx_embedder_done(&k.meaning.embedder);
	ctx_rank_done(&hits);
	free(k.part.where);
	cli_args_done(&k.thread);
	ctx_relevant_done(&k.part);
	ctx_cost_done(&k.cost);
	return rc;
}

const struct store_cmd store_relevant_cmds[] = {
	STORE_CMD("relevant", READ, relevant_run, "THREAD",
	    "Write the part of a thread that a question needs and a budget "
	    "allows.",
	    relevant_opts),
	STORE_END
};
