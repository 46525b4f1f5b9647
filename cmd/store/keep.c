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

enum { OPT_CKPTS = CLI_LONG, OPT_DRY, OPT_KEEP, OPT_OLDER, OPT_VACUUM,
    OPT_FULL };

static const struct cli_opt prune_opts[] = {
	{ OPT_CKPTS, "checkpoints", NULL,
	    "only checkpoints, of each context all but the newest" },
	{ OPT_DRY, "dry-run", NULL, "only say what would go" },
	{ OPT_KEEP, "keep-last", "N", "the newest N threads stay" },
	{ OPT_OLDER, "older-than", "AGE", "not written for so long (7d)" },
	{ OPT_VACUUM, "vacuum", NULL, "give the space back" },
	STORE_COMMON
};

static int
print_pruned(const char *thread, int64_t updated, void *arg,
    struct ctx_err *err)
{
	struct store *s = arg;

	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, "thread_id", thread);
	ctx_row_when(&s->row, "updated_at", updated);
	ctx_row_end(&s->row);
	return store_row(s, err);
}

static int
vacuum(struct store *s, struct ctx_err *err)
{
	int64_t before, after;

	if (ctx_keep_vacuum(s->st, &before, &after, err) == -1)
		return -1;
	cli_warn(&s->cli, "%lld bytes, now %lld", (long long)before,
	    (long long)after);
	return 0;
}

static void
prune_run(struct store *s)
{
	struct ctx_removed sum = { 0 };
	struct ctx_prune how = { 0 };
	struct ctx_err err = { 0 };
	int ch, age = 0, shrink = 0;

	while ((ch = store_getopt(s)) != -1)
		switch (ch) {
		case OPT_CKPTS:
			how.ckpts_only = 1;
			break;
		case OPT_DRY:
			how.dry_run = 1;
			break;
		case OPT_KEEP:
			how.keep_last = (int64_t)cli_num(&s->cli, 0,
			    INT64_MAX);
			break;
		case OPT_OLDER:
			how.before = cli_when(&s->cli);
			age = 1;
			break;
		case OPT_VACUUM:
			shrink = 1;
			break;
		}
	store_operands(s, 0, 0, "");
	if (!age)
		cli_usage(&s->cli, "needs --older-than");
	if (store_open(s) == -1)
		return;
	if (ctx_keep_prune(s->st, &how, print_pruned, s, &sum, &err) == -1 ||
	    (shrink && !how.dry_run && vacuum(s, &err) == -1))
		store_report(s, NULL, &err);
	cli_warn(&s->cli, "%s %lld threads, %lld messages, %lld checkpoints",
	    how.dry_run ? "would remove" : "removed", (long long)sum.threads,
	    (long long)sum.messages, (long long)sum.checkpoints);
}

static int
print_nothing(const char *thread, int64_t updated, void *arg,
    struct ctx_err *err)
{
	(void)thread;
	(void)updated;
	(void)arg;
	(void)err;
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

	/* nothing is as old as the microseconds of our clock reach */
	if (seconds == 0 || seconds > INT64_MAX / CTX_SECOND / 2)
		return;
	how.before = ctx_when_now() - (int64_t)seconds * CTX_SECOND;
	if ((due = ctx_keep_prune_due(s->st, &err)) == 1)
		due = ctx_keep_prune(s->st, &how, print_nothing, NULL, &sum,
		    &err);
	/* The messages are stored: this is no failure of append. */
	if (due == -1)
		cli_warn(&s->cli, "CTX_PRUNE_AFTER: %s", err.text);
	if (sum.threads > 0)
		cli_warn(&s->cli, "CTX_PRUNE_AFTER=%s: removed %lld threads, "
		    "%lld messages", getenv("CTX_PRUNE_AFTER"),
		    (long long)sum.threads,
		    (long long)sum.messages);
}

static const struct cli_opt check_opts[] = {
	{ OPT_FULL, "full", NULL, "every sum and hash, and the index: read everything" },
	STORE_COMMON
};

static int
print_finding(const char *text, void *arg, struct ctx_err *err)
{
	struct store *s = arg;

	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, "finding", text);
	ctx_row_end(&s->row);
	return store_row(s, err);
}

static void
check_run(struct store *s)
{
	struct ctx_checked sum = { 0 };
	struct ctx_err err = { 0 };
	int full = 0;

	while (store_getopt(s) != -1)
		full = 1;
	store_operands(s, 0, 0, "");
	if (store_open(s) == -1)
		return;
	if (ctx_keep_check(s->st, full, print_finding, s, &sum, &err) == -1) {
		store_report(s, NULL, &err);
		return;
	}
	if (ctx_keep_wal_defect() && s->cli.verbose)
		cli_warn(&s->cli, "SQLite %s may have the write-ahead log "
		    "defect that 3.51.3 mends; ctx-store's lock keeps clear "
		    "of it, other programs writing the file would not",
		    ctx_keep_library());
	if (sum.unindexed > 0)
		cli_warn(&s->cli, "%lld messages are not indexed: run "
		    "ctx-store reindex", (long long)sum.unindexed);
	if (sum.findings > 0)
		cli_error(&s->cli, CLI_SYSTEM, "%s: %lld findings",
		    ctx_store_path(s->st), (long long)sum.findings);
	else
		cli_warn(&s->cli, "%lld threads, %lld contexts, %lld messages:"
		    " in order", (long long)sum.threads,
		    (long long)sum.contexts, (long long)sum.messages);
}

static const struct cli_opt plain_opts[] = { STORE_COMMON };

static void
backup_run(struct store *s)
{
	struct ctx_err err = { 0 };

	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 1, 1, "a file");
	if (store_open(s) == 0 &&
	    ctx_keep_backup(s->st, s->cli.file[0], &err) == -1)
		store_report(s, NULL, &err);
}

static void
vacuum_run(struct store *s)
{
	struct ctx_err err = { 0 };

	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 0, 0, "");
	if (store_open(s) == 0 && vacuum(s, &err) == -1)
		store_report(s, NULL, &err);
}

/* Opening for writing is what migrates. */
static void
migrate_run(struct store *s)
{
	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 0, 0, "");
	store_open(s);
}

const struct store_cmd store_keep_cmds[] = {
	{ "prune", CTX_STORE_WRITE, prune_run, { "ctx-store prune",
	    "--older-than AGE [OPTION ...]",
	    "Remove threads that nobody has written for long.",
	    prune_opts, NULL } },
	{ "check", CTX_STORE_READ, check_run, { "ctx-store check",
	    "[--full]", "Check that everything is as it was written.",
	    check_opts, NULL } },
	{ "backup", CTX_STORE_READ, backup_run, { "ctx-store backup",
	    "FILE", "Copy the store while it is in use.", plain_opts, NULL } },
	{ "vacuum", CTX_STORE_WRITE, vacuum_run, { "ctx-store vacuum", "[-qv]",
	    "Give the space of what was removed back, and forget its words.",
	    plain_opts, NULL } },
	{ "migrate", CTX_STORE_WRITE, migrate_run, { "ctx-store migrate", "[-qv]",
	    "Bring an older store to this program's version.",
	    plain_opts, NULL } },
	{ 0 }
};
