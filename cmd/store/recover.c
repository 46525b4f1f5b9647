/* SPDX-License-Identifier: MIT */
/* ctx-store recover: copy what is intact in a damaged store. */
#include <unistd.h>

#include "cmd/store/cmd.h"
#include "store/port/recover.h"
#include "store/port/rescue.h"
#include "store/row.h"

static int
print_lost(const char *thread, const char *what, void *arg,
    struct ctx_err *err)
{
	struct store *s = arg;

	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, "thread_id", thread);
	ctx_row_text(&s->row, "lost", what);
	return store_row(s, err);
}

/*
 * Open the damaged store, or else collect the rows on its pages; *raw says
 * which.
 */
static int
open_old(struct store *s, int *raw, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int rc = store_open(s, &why);

	*raw = 0;
	if (rc == 0 && !ctx_rescue_is_cut(s->db))
		return 0;
	ctx_store_close(s->st, NULL);
	s->st = NULL;
	rc = why.code == CTX_OK || why.code == CTX_ESYSTEM ?
	    ctx_rescue_open(&s->st, s->db, s->cli.file[1], err) : 0;
	*raw = rc == 1;
	if (rc == 0 && why.code == CTX_OK)
		return store_open(s, err);
	if (rc == 0)
		*err = why;
	return rc == 1 ? 0 : -1;
}

/* Nothing tells what was on pages that are not there. */
static int
print_raw(struct store *s, struct ctx_recovered *sum, struct ctx_err *err)
{
	sum->lost++;
	return print_lost(NULL, "the order of the file: its pages were read "
	    "one by one, and what was on missing or damaged ones may have "
	    "left no trace", s, err);
}

static int
recover_run(struct store *s, struct ctx_err *err)
{
	struct ctx_recovered sum = { 0 };
	struct ctx_store *to = NULL;
	int rc, raw;

	store_options(s, NULL);
	s->db = s->cli.file[0];
	if (access(s->cli.file[1], F_OK) == 0)
		cli_usage(&s->cli,
		    "%s already exists; recover writes to a new file",
		    s->cli.file[1]);
	if (open_old(s, &raw, err) == -1)
		return -1;
	rc = ctx_store_open(&to, s->cli.file[1], CTX_STORE_CREATE |
	    (s->single_host ? CTX_STORE_SINGLE_HOST : 0u), err);
	if (rc == 0)
		rc = ctx_recover(s->st, to, print_lost, s, &sum, err);
	if (rc == 0 && raw)
		rc = print_raw(s, &sum, err);
	if (ctx_store_close(to, rc == 0 ? err : NULL) == -1)
		rc = -1;
	if (rc == -1)
		store_report(s, NULL, err);
	cli_warn(&s->cli, "recovered %lld thread%s, %lld message%s",
	    (long long)sum.threads, CLI_S(sum.threads),
	    (long long)sum.messages, CLI_S(sum.messages));
	if (sum.lost > 0)
		cli_error(&s->cli, CLI_NO, "%lld loss%s", (long long)sum.lost,
		    sum.lost == 1 ? "" : "es");
	return rc;
}

const struct store_cmd store_recover_cmds[] = {
	STORE_CMD_WHOLE("recover", READ, recover_run, "OLD NEW",
	    "Copy the intact parts of a store to a new one, and list what was "
	    "lost.", store_plain_opts),
	STORE_END
};
