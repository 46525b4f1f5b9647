/* SPDX-License-Identifier: MIT */
/* ctx-store load: messages of a thread, byte for byte. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/when.h"
#include "cmd/store/cmd.h"
#include "store/log.h"

#define FOLLOW_NS	100000000	/* between two looks, with --follow */

enum { OPT_AT = CLI_LONG, OPT_FOLLOW, OPT_IDLE, OPT_PARENT, OPT_SINCE,
    OPT_TURN, OPT_UNTIL, OPT_VIEW };

static const struct cli_opt load_opts[] = {
	{ OPT_AT, "at", "CHECKPOINT", "as it was at this checkpoint" },
	STORE_CONTEXT,
	{ OPT_FOLLOW, "follow", NULL, "go on with what is appended" },
	{ OPT_IDLE, "idle", "AGE",
	    "exit 1 if nothing was written for so long" },
	{ 'n', "last", "N", "only the newest N messages" },
	{ OPT_SINCE, "since-seq", "N", "only from message N on" },
	{ OPT_UNTIL, "until-seq", "N", "only up to message N" },
	{ OPT_TURN, "turn", "N[-M]", "only these turns" },
	{ OPT_VIEW, "view", "NAME[@N]", "what the model saw, version N" },
	{ OPT_PARENT, "with-parent", NULL,
	    "a subagent's parent before it" },
	STORE_COMMON
};

struct load {
	struct ctx_range range;
	int follow;
	uint64_t idle;		/* seconds, 0: any */
	int open_line;		/* the last one had no line end */
	int64_t seq;		/* of the last one */
};

static int
print_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct load *l = arg;

	if (l->open_line && store_write("\n", 1, err) == -1)
		return -1;
	l->open_line = m->len > 0 && m->raw[m->len - 1] != '\n';
	if (m->seq > l->seq)
		l->seq = m->seq;
	return store_write(m->raw, m->len, err);
}

static void
parse_turns(struct store *s, struct ctx_range *r)
{
	char *end;

	errno = 0;
	r->from_turn = r->to_turn = strtoll(s->cli.arg, &end, 10);
	if (*end == '-')
		r->to_turn = strtoll(end + 1, &end, 10);
	if (*end != '\0' || end == s->cli.arg || errno != 0 ||
	    r->from_turn < 0 || r->to_turn < r->from_turn)
		cli_usage(&s->cli, "--turn: '%s' is not N or N-M", s->cli.arg);
}

/* "NAME@N": cuts argv's own word. */
static void
parse_view(struct store *s, struct ctx_range *r)
{
	char *name = (char *)(uintptr_t)s->cli.arg;
	char *at = strrchr(name, '@'), *end;

	r->view = name;
	if (at == NULL || at == name || at[1] < '1' || at[1] > '9')
		return;
	r->view_n = strtoll(at + 1, &end, 10);
	if (*end == '\0')
		*at = '\0';
	else
		r->view_n = 0;
}

static void
load_options(struct store *s, struct load *l)
{
	int ch;

	while ((ch = store_getopt(s)) != -1)
		switch (ch) {
		case OPT_AT:
			l->range.ckpt = s->cli.arg;
			break;
		case OPT_FOLLOW:
			l->follow = 1;
			break;
		case OPT_IDLE:
			l->idle = cli_age(&s->cli);
			break;
		case 'n':
			l->range.last = (int64_t)cli_num(&s->cli, 1,
			    INT64_MAX);
			break;
		case OPT_SINCE:
			l->range.from_seq = (int64_t)cli_num(&s->cli, 1,
			    INT64_MAX);
			break;
		case OPT_UNTIL:
			l->range.to_seq = (int64_t)cli_num(&s->cli, 1,
			    INT64_MAX);
			break;
		case OPT_TURN:
			parse_turns(s, &l->range);
			break;
		case OPT_VIEW:
			parse_view(s, &l->range);
			break;
		case OPT_PARENT:
			l->range.with_parent = 1;
			break;
		}
	if (l->follow && (l->range.view != NULL || l->range.ckpt != NULL ||
	    l->range.to_seq != 0 || l->range.to_turn != -1))
		cli_usage(&s->cli, "--follow has no end: it does not go with "
		    "--view, --at, --turn or --until-seq");
}

static int
check_idle(struct store *s, const struct load *l, struct ctx_err *err)
{
	char when[CTX_WHEN_SIZE];
	int64_t updated;

	if (ctx_thread_updated(s->st, &s->where, &updated, err) == -1)
		return -1;
	if (l->idle > INT64_MAX / CTX_SECOND ||
	    ctx_when_now() - updated <= (int64_t)l->idle * CTX_SECOND)
		return 0;
	return ctx_fail(err, CTX_ENO, "expired: idle since %s",
	    ctx_when_text(updated, when));
}

static volatile sig_atomic_t stopped;

static void
stop(int sig)
{
	stopped = sig;
}

/* Until a signal; the store is closed in order, then the signal has its way. */
static int
follow(struct store *s, struct load *l, struct ctx_err *err)
{
	struct timespec wait = { 0, FOLLOW_NS };

	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	while (!stopped) {
		if (store_flush(err) == -1)
			return -1;
		nanosleep(&wait, NULL);
		l->range.last = 0;
		l->range.from_seq = l->seq + 1;
		if (ctx_log_read(s->st, &s->where, &l->range, print_message,
		    l, err) == -1)
			return -1;
	}
	return 0;
}

static void
load_run(struct store *s)
{
	struct load l = { .range = CTX_RANGE_ALL };
	struct ctx_err err = { 0 };
	int rc = 0;

	load_options(s, &l);
	store_operands(s, 1, 1, "a thread");
	if (store_open(s) == -1)
		return;
	if (l.idle != 0)
		rc = check_idle(s, &l, &err);
	if (rc == 0)
		rc = ctx_log_read(s->st, &s->where, &l.range, print_message,
		    &l, &err);
	if (rc == 0 && l.follow)
		rc = follow(s, &l, &err);
	if (rc == -1)
		store_report(s, NULL, &err);
	if (stopped) {
		ctx_store_close(s->st, NULL);
		s->st = NULL;
		fflush(stdout);
		signal(stopped, SIG_DFL);
		raise(stopped);
	}
}

const struct store_cmd store_load_cmds[] = {
	{ "load", CTX_STORE_READ, load_run, { "ctx-store load",
	    "[OPTION ...] THREAD", "Write a thread's messages as they came.",
	    load_opts, NULL } },
	{ 0 }
};
