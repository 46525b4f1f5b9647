/* SPDX-License-Identifier: MIT */
/* ctx-store spawn, finish, workspace. */
#include <stdlib.h>
#include <string.h>

#include "cmd/store/cmd.h"
#include "store/agent.h"
#include "store/space.h"

struct spawn {
	struct ctx_spawn how;
	int name;		/* print the name rather than JSON */
};

static const char *const spawn_forms[] = { "json", "name", NULL };

#define OPT_OF struct spawn
static const struct cli_opt spawn_opts[] = {
	STORE_CONTEXT,
	OPT_TEXT(0, "task", "TEXT", how.task,
	    "first message of the subagent (default: standard input)"),
	OPT_TEXT(0, "call", "ID", how.call,
	    "id of the tool call that asked for the subagent"),
	OPT_NUM(0, "max-loops", "N", how.max_loops, 0, INT64_MAX,
	    "maximum number of loops, to record in its state"),
	OPT_WORD(0, "as", "HOW", name, spawn_forms,
	    "output format (default json)"),
	STORE_COMMON
};
#undef OPT_OF

/* Print THREAD/ID, also for a subagent of a subagent. */
static int
put_name(struct store *s, const char *id, struct ctx_err *err)
{
	struct ctx_buf *b = &s->row;
	size_t len;

	(void)ctx_thread_is_agent(s->where.thread, &len);
	ctx_buf_reset(b);
	ctx_buf_add(b, s->where.thread, len);
	ctx_buf_addf(b, "/%s\n", id);
	return store_write_buf(b, err);
}

static int
spawn_run(struct store *s, struct ctx_err *err)
{
	struct spawn o = { .how.max_loops = -1 };
	char id[CTX_CONTEXT_ID_SIZE];
	struct ctx_buf task = { 0 };
	int rc = 0;

	store_options(s, &o);
	if (o.how.task == NULL) {
		rc = store_slurp(NULL, &task, err);
		if (rc == 0 && (o.how.task = ctx_buf_str(&task)) == NULL)
			rc = ctx_fail_nomem(err);
		if (rc == 0 && strlen(o.how.task) < task.len)
			rc = ctx_fail(err, CTX_EINPUT,
			    "the task has a NUL byte");
	}
	if (rc == 0)
		rc = store_open(s, err);
	if (rc == 0)
		rc = ctx_agent_spawn(s->st, &s->where, &o.how, id, err);
	if (rc == 0)
		rc = o.name ? put_name(s, id, err) :
		    store_put_text(s, "context_id", id, err);
	ctx_buf_done(&task);
	return rc;
}

static const char *const finish_forms[] = { "json", "message", NULL };

#define OPT_OF struct ctx_finish
static const struct cli_opt finish_opts[] = {
	STORE_CONTEXT,
	OPT_TEXT(0, "result", "TEXT", result,
	    "result, or - for standard input (default: its last answer)"),
	OPT_FLAG(0, "failed", failed, "report that it failed"),
	OPT_NUM(0, "loops", "N", loops, 0, INT64_MAX,
	    "number of loops (default: the number in its state)"),
	OPT_WORD(0, "as", "HOW", as_message, finish_forms,
	    "output format (default json)"),
	OPT_TEXT(0, "call", "ID", call,
	    "id of the tool call to answer (default: that of spawn)"),
	STORE_COMMON
};

static int
finish_run(struct store *s, struct ctx_err *err)
{
	struct ctx_finish how = { .loops = -1 };
	struct ctx_buf text = { 0 }, out = { 0 };
	int rc = 0;

	store_options(s, &how);
	if (how.result != NULL)
		how.result_len = strlen(how.result);
	if (how.result != NULL && strcmp(how.result, "-") == 0) {
		rc = store_slurp(NULL, &text, err);
		how.result = text.data;
		how.result_len = text.len;
	}
	if (rc == 0)
		rc = store_open(s, err);
	if (rc == 0)
		rc = ctx_agent_finish(s->st, &s->where, &how, &out, err);
	if (rc == 0)
		rc = store_write_buf(&out, err);
	ctx_buf_done(&text);
	ctx_buf_done(&out);
	return rc;
}

static int
workspace_run(struct store *s, struct ctx_err *err)
{
	char *path = NULL;
	int rc;

	if (store_begin(s, NULL, err) == -1)
		return -1;
	rc = ctx_space_make(s->st, s->where.thread, &path, err);
	if (rc == 0)
		rc = store_write(path, strlen(path), err);
	if (rc == 0)
		rc = store_write("\n", 1, err);
	free(path);
	return rc;
}

const struct store_cmd store_agent_cmds[] = {
	STORE_CMD("spawn", CREATE, spawn_run, "THREAD",
	    "Start a subagent with a history of its own.", spawn_opts),
	STORE_CMD("finish", WRITE, finish_run, "THREAD/subagent-ID",
	    "Write a subagent's result for its parent.", finish_opts),
	STORE_CMD("workspace", WRITE, workspace_run, "THREAD",
	    "Print the path of a thread's own directory, creating it if "
	    "necessary.",
	    store_plain_opts),
	STORE_END
};
