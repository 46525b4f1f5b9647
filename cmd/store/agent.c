/* SPDX-License-Identifier: MIT */
/* ctx-store spawn, finish, workspace. */
#include <stdlib.h>
#include <string.h>

#include "cmd/store/cmd.h"
#include "store/agent.h"
#include "store/row.h"
#include "store/space.h"

#define RESULT_MAX	(900u << 20)

enum { OPT_TASK = CLI_LONG, OPT_CALL, OPT_MAX, OPT_AS, OPT_FAILED, OPT_LOOPS,
    OPT_RESULT };

static const struct cli_opt spawn_opts[] = {
	{ OPT_AS, "as", "HOW", "json, or name: THREAD/ID for other commands" },
	{ OPT_CALL, "call", "ID", "the tool call that asks for it" },
	STORE_CONTEXT,
	{ OPT_MAX, "max-loops", "N", "kept in its state" },
	{ OPT_TASK, "task", "TEXT",
	    "its first message (default: standard input)" },
	STORE_COMMON
};

/* THREAD/ID, also below another subagent. */
static int
put_name(struct store *s, const char *id, struct ctx_err *err)
{
	const char *thread = s->where.thread, *slash = strrchr(thread, '/');
	size_t len = strlen(thread);
	struct ctx_buf b = { 0 };
	int rc;

	if (slash != NULL && strncmp(slash, "/subagent-", 10) == 0)
		len = (size_t)(slash - thread);
	ctx_buf_add(&b, thread, len);
	ctx_buf_addf(&b, "/%s\n", id);
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = store_write(b.data, b.len, err);
	ctx_buf_done(&b);
	return rc;
}

static int
put_id(struct store *s, const char *id, struct ctx_err *err)
{
	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, "context_id", id);
	ctx_row_end(&s->row);
	return store_row(s, err);
}

static void
spawn_run(struct store *s)
{
	static const char *const as[] = { "json", "name", NULL };
	struct ctx_spawn how = { .max_loops = -1 };
	char id[CTX_CONTEXT_ID_SIZE];
	struct ctx_buf task = { 0 };
	struct ctx_err err = { 0 };
	int ch, name = 0;

	while ((ch = store_getopt(s)) != -1)
		if (ch == OPT_TASK)
			how.task = s->cli.arg;
		else if (ch == OPT_AS)
			name = cli_word(&s->cli, as);
		else if (ch == OPT_CALL)
			how.call = s->cli.arg;
		else
			how.max_loops = (int64_t)cli_num(&s->cli, 0,
			    INT64_MAX);
	store_operands(s, 1, 1, "a thread");
	if (how.task == NULL) {
		if (store_slurp(NULL, RESULT_MAX, &task, &err) == -1) {
			store_report(s, NULL, &err);
			return;
		}
		if ((how.task = ctx_buf_str(&task)) == NULL) {
			ctx_fail_nomem(&err);
			store_report(s, NULL, &err);
		}
	}
	if (how.task != NULL && store_open(s) == 0) {
		if (ctx_agent_spawn(s->st, &s->where, &how, id, &err) == -1 ||
		    (name ? put_name : put_id)(s, id, &err) == -1)
			store_report(s, NULL, &err);
	}
	ctx_buf_done(&task);
}

static const struct cli_opt finish_opts[] = {
	{ OPT_AS, "as", "HOW", "json, or message: a tool's for the parent" },
	{ OPT_CALL, "call", "ID", "its tool_call_id (default: as spawned)" },
	STORE_CONTEXT,
	{ OPT_FAILED, "failed", NULL, "\"ok\" is false" },
	{ OPT_LOOPS, "loops", "N", "not the number in its state" },
	{ OPT_RESULT, "result", "TEXT",
	    "not its last answer; - is standard input" },
	STORE_COMMON
};

static void
finish_options(struct store *s, struct ctx_finish *how)
{
	static const char *const as[] = { "json", "message", NULL };
	int ch;

	while ((ch = store_getopt(s)) != -1)
		switch (ch) {
		case OPT_AS:
			how->as_message = cli_word(&s->cli, as);
			break;
		case OPT_CALL:
			how->call = s->cli.arg;
			break;
		case OPT_FAILED:
			how->failed = 1;
			break;
		case OPT_LOOPS:
			how->loops = (int64_t)cli_num(&s->cli, 0, INT64_MAX);
			break;
		case OPT_RESULT:
			how->result = s->cli.arg;
			how->result_len = strlen(how->result);
			break;
		}
	store_operands(s, 1, 1, "a subagent");
}

static void
finish_run(struct store *s)
{
	struct ctx_finish how = { .loops = -1 };
	struct ctx_buf text = { 0 }, out = { 0 };
	struct ctx_err err = { 0 };
	int rc = 0;

	finish_options(s, &how);
	if (how.result != NULL && strcmp(how.result, "-") == 0) {
		rc = store_slurp(NULL, RESULT_MAX, &text, &err);
		how.result = text.data;
		how.result_len = text.len;
	}
	if (rc == 0 && store_open(s) == 0) {
		rc = ctx_agent_finish(s->st, &s->where, &how, &out, &err);
		if (rc == 0)
			rc = store_write(out.data, out.len, &err);
	}
	if (rc == -1)
		store_report(s, NULL, &err);
	ctx_buf_done(&text);
	ctx_buf_done(&out);
}

static const struct cli_opt workspace_opts[] = { STORE_COMMON };

static void
workspace_run(struct store *s)
{
	struct ctx_err err = { 0 };
	char *path = NULL;

	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 1, 1, "a thread");
	if (store_open(s) == -1)
		return;
	if (ctx_space_make(s->st, s->where.thread, &path, &err) == -1 ||
	    store_write(path, strlen(path), &err) == -1 ||
	    store_write("\n", 1, &err) == -1)
		store_report(s, NULL, &err);
	free(path);
}

const struct store_cmd store_agent_cmds[] = {
	{ "spawn", CTX_STORE_CREATE, spawn_run, { "ctx-store spawn",
	    "[OPTION ...] THREAD",
	    "Begin a subagent with a history of its own.", spawn_opts, NULL } },
	{ "finish", CTX_STORE_WRITE, finish_run, { "ctx-store finish",
	    "[OPTION ...] THREAD/subagent-ID",
	    "Write a subagent's result for its parent.", finish_opts, NULL } },
	{ "workspace", CTX_STORE_WRITE, workspace_run,
	    { "ctx-store workspace", "THREAD",
	    "Print the thread's own directory, made at the first time.",
	    workspace_opts, NULL } },
	{ 0 }
};
