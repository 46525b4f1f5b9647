/* SPDX-License-Identifier: MIT */
/* ctx-store prune, check, backup, vacuum, migrate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/when.h"
#include "cmd/store/cmd.h"
#include "store/keep.h"
#include "store/row.h"

int
store_gone(const struct ctx_gone *g, void *store, struct ctx_err *err)
{
	struct store *s = store;

	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, "thread_id", g->thread);
	ctx_row_text(&s->row, "user_id", g->user);
	ctx_row_when(&s->row, "updated_at", g->updated);
	ctx_row_int(&s->row, "messages", g->messages);
	ctx_row_int(&s->row, "bytes", g->bytes);
	return store_row(s, err);
}

static int
vacuum(struct store *s, struct ctx_err *err)
{
	int64_t before, after;

	if (ctx_keep_vacuum(s->st, &before, &after, err) == -1)
		return -1;
	cli_warn(&s->cli, "the store had %lld bytes and now has %lld",
	    (long long)before, (long long)after);
	return 0;
}

struct prune {
	struct ctx_prune how;
	int vacuum;
};

#define OPT_OF struct prune
static const struct cli_opt prune_opts[] = {
	OPT_WHEN(0, "older-than", "AGE", how.before,
	    "remove threads not written to for AGE, such as 7d"),
	OPT_NUM(0, "max-size", "SIZE", how.max_size, 1, INT64_MAX,
	    "remove the oldest threads until the others take at most SIZE"),
	OPT_NUM(0, "keep-last", "N", how.keep_last, 0, INT64_MAX,
	    "keep the newest N threads, and without other limits only these"),
	OPT_FLAG(0, "each-user", how.each_user,
	    "keep the newest threads of each user", .needs = "keep-last"),
	OPT_FLAG(0, "checkpoints", how.ckpts_only,
	    "remove only checkpoints, except each context's newest",
	    .needs = "older-than", .excludes = "max-size keep-last"),
	OPT_FLAG(0, "dry-run", how.dry_run, "only list what would be removed"),
	OPT_FLAG(0, "vacuum", vacuum,
	    "also give the freed space back to the file system"),
	STORE_COMMON
};
#undef OPT_OF

static int
prune_run(struct store *s, struct ctx_err *err)
{
	struct ctx_removed sum = { 0 };
	struct prune p = { .how.before = INT64_MIN };

	store_options(s, &p);
	if (!cli_given(&s->cli, "older-than") && p.how.max_size == 0) {
		if (!cli_given(&s->cli, "keep-last"))
			cli_usage(&s->cli, "--older-than, --max-size or "
			    "--keep-last is required");
		p.how.before = INT64_MAX;
	}
	if (store_open(s, err) == -1)
		return -1;
	if (ctx_keep_prune(s->st, &p.how, store_gone, s, &sum, err) == -1 ||
	    (p.vacuum && !p.how.dry_run && vacuum(s, err) == -1))
		store_report(s, NULL, err);
	cli_warn(&s->cli, "%s %lld thread%s, %lld message%s, %lld "
	    "checkpoint%s", p.how.dry_run ? "would remove" : "removed",
	    (long long)sum.threads, CLI_S(sum.threads),
	    (long long)sum.messages, CLI_S(sum.messages),
	    (long long)sum.checkpoints, CLI_S(sum.checkpoints));
	return 0;
}

uint64_t
store_prune_age(const struct store *s)
{
	struct ctx_err err = { 0 };
	uint64_t seconds = 0;

	cli_must(&s->cli, ctx_env_age("CTX_PRUNE_AFTER", &seconds, &err),
	    &err);
	return seconds;
}

void
store_prune_after(struct store *s, uint64_t seconds)
{
	struct ctx_removed sum = { 0 };
	struct ctx_prune how = { 0 };
	struct ctx_err err = { 0 };
	int due;

	/* no thread can be that old */
	if (seconds == 0 || seconds > INT64_MAX / CTX_SECOND / 2)
		return;
	how.before = ctx_when_now() - (int64_t)seconds * CTX_SECOND;
	if ((due = ctx_keep_prune_due(s->st, &err)) == 1)
		due = ctx_keep_prune(s->st, &how, NULL, NULL, &sum, &err);
	/* The messages are stored, so append has not failed. */
	if (due == -1)
		cli_warn(&s->cli, "CTX_PRUNE_AFTER: %s", err.text);
	if (sum.threads > 0)
		cli_warn(&s->cli, "CTX_PRUNE_AFTER=%s: removed %lld thread%s, "
		    "%lld message%s", getenv("CTX_PRUNE_AFTER"),
		    (long long)sum.threads, CLI_S(sum.threads),
		    (long long)sum.messages, CLI_S(sum.messages));
}

struct check {
	int full;
};

#define OPT_OF struct check
static const struct cli_opt check_opts[] = {
	OPT_FLAG(0, "full", full,
	    "verify all checksums, hashes and the search index"),
	STORE_COMMON
};

static int
print_finding(const char *text, void *arg, struct ctx_err *err)
{
	struct store *s = arg;

	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, "finding", text);
	return store_list_row(s, err);
}

static int
check_run(struct store *s, struct ctx_err *err)
{
	struct ctx_checked sum = { 0 };
	struct check how = { 0 };

	if (store_begin(s, &how, err) == -1 || ctx_keep_check(s->st, how.full,
	    print_finding, s, &sum, err) == -1)
		return -1;
	if (ctx_keep_wal_defect() && s->cli.verbose)
		cli_warn(&s->cli, "SQLite %s may have the write-ahead log "
		    "defect fixed in 3.51.3; ctx-store's lock avoids it, but "
		    "other programs that write the file would not",
		    ctx_keep_library());
	if (sum.unindexed > 0)
		cli_warn(&s->cli, "%lld message%s not indexed; run 'ctx-store "
		    "reindex'", (long long)sum.unindexed,
		    sum.unindexed == 1 ? " is" : "s are");
	if (sum.findings > 0)
		cli_error(&s->cli, CLI_SYSTEM, "%s: %lld finding%s",
		    ctx_store_path(s->st), (long long)sum.findings,
		    CLI_S(sum.findings));
	else
		cli_warn(&s->cli, "no damage found in %lld thread%s, %lld "
		    "context%s, %lld message%s", (long long)sum.threads,
		    CLI_S(sum.threads), (long long)sum.contexts,
		    CLI_S(sum.contexts), (long long)sum.messages,
		    CLI_S(sum.messages));
	return 0;
}

static int
backup_run(struct store *s, struct ctx_err *err)
{
	return store_begin(s, NULL, err) == -1 ? -1 :
	    ctx_keep_backup(s->st, s->cli.file[0], err);
}

static int
vacuum_run(struct store *s, struct ctx_err *err)
{
	return store_begin(s, NULL, err) == -1 ? -1 : vacuum(s, err);
}

/* Opening the store for writing migrates it. */
static int
migrate_run(struct store *s, struct ctx_err *err)
{
	return store_begin(s, NULL, err);
}

const struct store_cmd store_keep_cmds[] = {
	STORE_CMD("prune", WRITE, prune_run, "",
	    "Remove threads that have not been written to for some time.",
	    prune_opts),
	STORE_CMD_WHOLE("check", READ, check_run, "",
	    "Check the store for damage.", check_opts),
	STORE_CMD_WHOLE("backup", READ, backup_run, "FILE",
	    "Copy the store while it is in use.", store_plain_opts),
	STORE_CMD_WHOLE("vacuum", WRITE, vacuum_run, "",
	    "Give the space of removed data back to the file system, and erase "
	    "its traces.",
	    store_plain_opts),
	STORE_CMD_WHOLE("migrate", WRITE, migrate_run, "",
	    "Convert an older store to this program's version.",
	    store_plain_opts),
	STORE_END
};
