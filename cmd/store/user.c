/* SPDX-License-Identifier: MIT */
/* ctx-store rm, users: what belongs to one person, and removing it. */
#include <stdio.h>
#include <string.h>

#include "cmd/store/cmd.h"
#include "store/keep.h"
#include "store/measure.h"
#include "store/row.h"

struct rm {
	int dry_run;
};

#define OPT_OF struct rm
static const struct cli_opt rm_opts[] = {
	OPT_ROWS(store_rm_context),
	OPT_FLAG(0, "dry-run", dry_run,
	    "only list what would be removed", .excludes = "context"),
	STORE_COMMON
};
#undef OPT_OF

/* Say what would be removed with a thread. */
static int
tell(struct store *s, struct ctx_removed *sum, struct ctx_err *err)
{
	struct ctx_ref ref;

	if (ctx_thread_find(s->st, &s->where, &ref, err) == -1)
		return -1;
	sum->threads++;
	return ctx_keep_tell(s->st, ref.thread, store_gone, s, NULL, err);
}

static int
remove_one(struct store *s, const struct rm *how, struct ctx_removed *sum,
    struct ctx_err *err)
{
	if (how->dry_run)
		return tell(s, sum, err);
	return s->where.context != NULL ?
	    ctx_context_remove(s->st, &s->where, sum, err) :
	    ctx_keep_remove(s->st, s->where.thread, sum, err);
}

static void
report(struct store *s, const struct rm *how, const struct ctx_removed *sum)
{
	if (how->dry_run) {
		cli_warn(&s->cli, "would remove %lld thread%s",
		    (long long)sum->threads, CLI_S(sum->threads));
		return;
	}
	cli_warn(&s->cli, "removed %lld thread%s, %lld context%s, %lld "
	    "message%s, %lld checkpoint%s", (long long)sum->threads,
	    CLI_S(sum->threads), (long long)sum->contexts,
	    CLI_S(sum->contexts), (long long)sum->messages,
	    CLI_S(sum->messages), (long long)sum->checkpoints,
	    CLI_S(sum->checkpoints));
}

/*
 * Threads or, with --user alone, everything of the user; a variable is not
 * enough for that.
 */
static int
rm_run(struct store *s, struct ctx_err *err)
{
	struct ctx_removed sum = { 0 };
	struct rm how = { 0 };
	int i;

	store_options(s, &how);
	if (s->cli.nfile == 0 && (!s->user_given || s->where.context != NULL))
		cli_usage(&s->cli, "needs a THREAD, or --user NAME to remove "
		    "everything of that user");
	if (store_open(s, err) == -1)
		return -1;
	if (s->cli.nfile == 0 && ctx_keep_erase(s->st, how.dry_run, store_gone,
	    s, &sum, err) == -1)
		store_report(s, NULL, err);
	for (i = 0; i < s->cli.nfile; i++) {
		s->where.thread = s->cli.file[i];
		if (remove_one(s, &how, &sum, err) == -1)
			store_report(s, NULL, err);
	}
	report(s, &how, &sum);
	return 0;
}

static int
print_user(const struct ctx_measured *m, void *arg, struct ctx_err *err)
{
	struct store *s = arg;
	struct ctx_buf *b = &s->row;

	ctx_row_begin(b);
	ctx_row_text(b, "user_id", m->user);
	ctx_row_int(b, "threads", m->threads);
	ctx_row_int(b, "messages", m->messages);
	ctx_row_int(b, "checkpoints", m->checkpoints);
	ctx_row_int(b, "files", m->files);
	ctx_row_int(b, "state_members", m->members);
	ctx_row_int(b, "bytes", m->bytes);
	if (m->updated != 0)
		ctx_row_when(b, "updated_at", m->updated);
	else
		ctx_row_text(b, "updated_at", NULL);
	return store_list_row(s, err);
}

static int
users_run(struct store *s, struct ctx_err *err)
{
	return store_begin(s, NULL, err) == -1 ? -1 : ctx_measure_users(s->st,
	    print_user, s, err);
}

const struct store_cmd store_user_cmds[] = {
	STORE_CMD("rm", WRITE, rm_run, "[THREAD ...]",
	    "Remove threads, a context and its descendants, or a user.",
	    rm_opts),
	STORE_CMD("users", READ, users_run, "",
	    "List the users with what the store keeps of them.",
	    store_plain_opts),
	STORE_END
};
