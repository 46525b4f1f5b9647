/* SPDX-License-Identifier: MIT */
/* Stores that follow others, and waiting for changes; see follow.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/store/follow.h"
#include "read/line.h"
#include "store/port/follow.h"

#define POLL_MS	200		/* between two looks at the store */

volatile sig_atomic_t store_stopped;

static void
stop(int sig)
{
	store_stopped = sig;
}

void
store_catch_signals(void)
{
	struct sigaction sa;

	/* a write that waits for its reader is interrupted, too */
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = stop;
	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

void
store_end_by_signal(struct store *s, int rc, struct ctx_err *err)
{
	if (!store_stopped)
		return;
	if (rc == -1 && errno != EINTR)
		store_report(s, NULL, err);
	ctx_store_close(s->st, NULL);
	s->st = NULL;
	fflush(stdout);
	signal(store_stopped, SIG_DFL);
	raise(store_stopped);
}

int
store_wait(int ms, struct ctx_err *err)
{
	struct pollfd out = { STDOUT_FILENO, 0, 0 };

	if (poll(&out, 1, ms) != 1 || !(out.revents & (POLLERR | POLLHUP)))
		return 0;
	store_no_reader = 1;
	return ctx_fail_errno(err, EPIPE, "standard output");
}

/* The last line of a file is a position, or that of an export with one. */
static int
read_position(const char *file, struct ctx_position *pos, struct ctx_err *err)
{
	struct ctx_buf last = { 0 };
	struct ctx_reader in;
	struct ctx_line line;
	int fd = store_open_input(file, err), rc;

	if (fd == -1)
		return -1;
	ctx_reader_init(&in, fd);
	while ((rc = ctx_reader_next(&in, &line, err)) == 1)
		if (!ctx_line_blank(line.raw, line.len)) {
			ctx_buf_reset(&last);
			ctx_buf_add(&last, line.raw, line.len);
		}
	ctx_reader_done(&in);
	if (fd != STDIN_FILENO)
		close(fd);
	if (rc == 0 && (rc = ctx_buf_fail(&last, err)) == 0)
		rc = ctx_position_scan(pos, last.len > 0 ? last.data : "",
		    last.len, err);
	ctx_buf_done(&last);
	return rc;
}

static int
print_line(const char *line, size_t len, void *arg, struct ctx_err *err)
{
	(void)arg;
	return store_write(line, len, err);
}

/* Write all that changed. */
static int
catch_up(struct ctx_follow *f, struct ctx_err *err)
{
	int rc;

	while (!store_stopped && (rc = ctx_follow_next(f, err)) != 0)
		if (rc == -1 || store_flush(err) == -1)
			return -1;
	return 0;
}

static int
follow(struct ctx_follow *f, struct ctx_err *err)
{
	int rc = 1;

	while (!store_stopped) {
		if (rc == 1 && catch_up(f, err) == -1)
			return -1;
		if (store_stopped || store_wait(POLL_MS, err) == -1 ||
		    (rc = ctx_follow_changed(f, err)) == -1)
			break;
	}
	return store_no_reader || rc == -1 ? -1 : 0;
}

int
store_follow_export(struct store *s, const char *position, int on,
    struct ctx_err *err)
{
	struct ctx_position since = { .change = 0 };
	struct ctx_follow *f = NULL;
	int rc;

	if (position != NULL && read_position(position, &since, err) == -1)
		return store_report(s, position, err);
	if (store_open(s, err) == -1)
		return -1;
	if (on)
		store_watch_end(s);
	store_catch_signals();
	rc = ctx_follow_new(&f, s->st, &since, print_line, NULL, err);
	if (rc == 0)
		rc = on ? follow(f, err) : catch_up(f, err);
	if (rc == 0)
		rc = ctx_follow_end(f, err);
	if (rc == 0)
		rc = store_flush(err);
	ctx_follow_free(f);
	store_end_by_signal(s, rc, err);
	return rc;
}

static int
take_lines(struct ctx_follow_take *t, int fd, struct ctx_err *err)
{
	struct ctx_reader in;
	struct ctx_line line;
	int rc;

	ctx_reader_init(&in, fd);
	while ((rc = ctx_reader_next(&in, &line, err)) == 1)
		if (ctx_follow_take_line(t, line.raw, line.len, err) == -1) {
			err->line = line.no;
			rc = -1;
			break;
		}
	ctx_reader_done(&in);
	return rc;
}

int
store_follow_import(struct store *s, const char *file, struct ctx_err *err)
{
	struct ctx_follow_take *t = NULL;
	int64_t units = 0;
	int fd = store_open_input(file, err), rc;

	if (fd == -1)
		return store_report(s, file, err);
	rc = store_open(s, err);
	store_watch_file(s, file, fd);
	if (rc == 0 && (rc = ctx_follow_take_new(&t, s->st, err)) == 0) {
		rc = take_lines(t, fd, err);
		if (ctx_follow_take_end(t, &units, rc == 0 ? err : NULL) == -1)
			rc = -1;
		if (rc == -1)
			store_report(s, file, err);
		cli_warn(&s->cli, "imported %lld change%s", (long long)units,
		    CLI_S(units));
	}
	ctx_follow_take_free(t);
	if (fd != STDIN_FILENO)
		close(fd);
	return rc;
}

int
store_follow_position(struct store *s, struct ctx_err *err)
{
	struct ctx_position pos;

	if (store_open(s, err) == -1 ||
	    ctx_position_get(s->st, &pos, err) == -1)
		return -1;
	ctx_position_row(&s->row, &pos);
	return store_write_buf(&s->row, err);
}
