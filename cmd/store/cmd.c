/* SPDX-License-Identifier: MIT */
/* What the commands of ctx-store share; see cmd.h. */
#include "cmd/store/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli_inputs.h"
#include "cli_pager.h"
#include "show/width.h"
#include "store/row.h"

#define INPUT_MAX	((size_t)900 << 20)	/* SQLite accepts 10^9 bytes */

/* --- progress ------------------------------------------------------------ */

static struct store *watched;		/* NULL if nothing is shown */
static int until_written;		/* results go to the same terminal */
static uint64_t written;		/* bytes of them */

static void
at_work(void *arg)
{
	struct store *s = arg;

	if (s->progress.file != NULL || s->progress.counts)
		cli_progress_step(&s->progress);
	else if (s->asked != NULL && s->done == 0)
		cli_progress_wait(&s->progress, s->asked);
	else if (s->unit != NULL)
		cli_progress_work(&s->progress, (uint64_t)s->done, s->unit);
	else
		cli_progress_work(&s->progress, written, NULL);
}

static void
watch(struct store *s)
{
	cli_progress_begin_work(&s->progress, &s->cli);
	if (s->progress.began == 0)
		return;
	watched = s;
	until_written = isatty(STDOUT_FILENO);
	ctx_store_watch(s->st, at_work, s);
}

void
store_watch_file(struct store *s, const char *file, int fd)
{
	if (watched != NULL)
		cli_progress_begin(&s->progress, &s->cli, 1, file, fd);
	if (s->progress.file == NULL && !s->progress.counts)
		s->progress.began = 0;
}

void
store_watch_step(void *arg)
{
	if (watched != NULL)
		at_work(arg);
}

void
store_watch_end(struct store *s)
{
	watched = NULL;
	cli_progress_end(&s->progress);
}

/* --- options and operands ------------------------------------------------ */

static void
take_db(struct cli *c, void *place)
{
	(void)place;
	((struct store *)c)->db = c->arg;
}

static void
take_user(struct cli *c, void *place)
{
	(void)place;
	((struct store *)c)->user = c->arg;
}

static void
take_single_host(struct cli *c, void *place)
{
	(void)place;
	((struct store *)c)->single_host = 1;
}

static void
take_context(struct cli *c, void *place)
{
	(void)place;
	((struct store *)c)->where.context = c->arg;
}

const struct cli_opt store_common[] = {
	OPT_GROUP(CLI_EVERY),
	OPT_DO(0, "db", "FILE", take_db,
	    "database file (default: ~/.local/share/ctx/ctx.db)"),
	OPT_DO(0, "user", "NAME", take_user,
	    "use only the threads and the state of this user"),
	OPT_DO(0, "single-host", NULL, take_single_host,
	    "only this machine opens the store, so it may be on a network"),
	OPT_ROWS(cli_common),
	OPT_END
};
const struct cli_opt store_context[] = {
	OPT_DO('c', "context", "NAME", take_context,
	    "use this context instead of the thread's head"),
	OPT_END
};
const struct cli_opt store_plain_opts[] = { STORE_COMMON };
const struct cli_opt store_context_opts[] = { STORE_CONTEXT, STORE_COMMON };

const struct cli_opt store_rm_context[] = {
	OPT_DO('c', "context", "NAME", take_context,
	    "remove this context and those below it, not the thread"),
	OPT_END
};

/* Does "ID", "[ID" or "[@N" begin at p, as a separate operand? */
static int
begins_operand(const char *usage, const char *p)
{
	if ((*p < 'A' || *p > 'Z') && *p != '@')
		return 0;
	if (p > usage && p[-1] == '[')
		p--;
	return p == usage || p[-1] == ' ';
}

/*
 * Count the operands that a usage line requires; *max gets the most it allows.
 */
static int
count_operands(const char *usage, int *max)
{
	int min = 0, depth = 0;
	const char *p;

	*max = 0;
	for (p = usage; *p != '\0'; p++) {
		depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
		if (strncmp(p, "...", 3) == 0)
			*max = INT_MAX;
		if (!begins_operand(usage, p))
			continue;
		min += depth == 0;
		*max += *max < INT_MAX;
	}
	return min;
}

void
store_options(struct store *s, void *place)
{
	const char *usage = s->cmd->cli.operands, *env = getenv("CTX_USER");
	int max, min = count_operands(usage, &max);
	struct ctx_err err = { 0 };

	cli_options(&s->cli, place);
	s->user_given = s->user != NULL;
	if (s->user_given && s->cmd->whole)
		cli_usage(&s->cli, "--user cannot be used: the command works "
		    "on the whole store");
	if (s->user == NULL && env != NULL && *env != '\0' && !s->cmd->whole)
		s->user = env;
	if (s->user != NULL)
		cli_must(&s->cli, ctx_store_name_check(s->user_given ?
		    "--user" : "CTX_USER", s->user, strlen(s->user), &err),
		    &err);
	if (s->cli.nfile < min)
		cli_usage(&s->cli, "too few arguments: it takes %s", usage);
	if (s->cli.nfile > max)
		cli_usage(&s->cli, max == 0 ?
		    "too many arguments: it takes none" :
		    "too many arguments: it takes %s", usage);
	if (s->cli.nfile > 0)
		s->where.thread = s->cli.file[0];
}

int
store_begin(struct store *s, void *place, struct ctx_err *err)
{
	store_options(s, place);
	return store_open(s, err);
}

int64_t
store_version(char *name)
{
	char *at = strrchr(name, '@'), *end;
	long long n;

	if (at == NULL || at == name || at[1] < '1' || at[1] > '9')
		return 0;
	n = strtoll(at + 1, &end, 10);
	if (*end != '\0')
		return 0;
	*at = '\0';
	return n;
}

void
store_not_version(const struct store *s, const char *name, const char *remedy)
{
	const char *at = strrchr(name, '@');
	char quoted[2][80];

	if (at == NULL || at == name || at[1] == '\0' ||
	    at[1 + strspn(at + 1, "0123456789")] != '\0')
		return;
	cli_usage(&s->cli, "'%s' would mean version %.20s of '%s'%s",
	    ctx_err_quote(quoted[0], sizeof(quoted[0]), name, strlen(name)),
	    at + 1, ctx_err_quote(quoted[1], sizeof(quoted[1]), name,
	    (size_t)(at - name)), remedy);
}

const char *
store_range(const char *p, int64_t *from, int64_t *to)
{
	char *end;

	errno = 0;
	*from = *to = strtoll(p, &end, 10);
	if (end != p && *end == '-') {
		p = end + 1;
		*to = strtoll(p, &end, 10);
	}
	return end == p || errno != 0 || *from < 0 || *to < *from ? NULL : end;
}

const char *
store_operand(const struct store *s, int i)
{
	return i < s->cli.nfile ? s->cli.file[i] : NULL;
}

int
store_report(struct store *s, const char *file, struct ctx_err *err)
{
	static const struct ctx_err none = { .code = CTX_ERANGE,
	    .text = "failed for an unknown reason (this is a bug)" };

	/* even an unknown failure is not success */
	if (!store_no_reader)
		cli_report(&s->cli, file, err->code != CTX_OK ? err : &none);
	ctx_err_clear(err);
	return -1;
}

int
store_report_input(struct store *s, int rc, struct ctx_err *err)
{
	return rc == -1 && err->code == CTX_EINPUT ?
	    store_report(s, "-", err) : rc;
}

int
store_open(struct store *s, struct ctx_err *err)
{
	if (ctx_store_open(&s->st, s->db, s->cmd->mode | (s->single_host ?
	    CTX_STORE_SINGLE_HOST : 0u), err) == -1)
		return -1;
	ctx_store_user(s->st, s->user);
	watch(s);
	return 0;
}

int
store_open_with(struct store *s, struct ctx_buf *in, struct ctx_err *err)
{
	return store_slurp(NULL, in, err) == -1 ? -1 : store_open(s, err);
}

int
store_each_name(struct store *s, store_name_fn *fn, struct ctx_err *err)
{
	int i;

	if (store_begin(s, NULL, err) == -1)
		return -1;
	for (i = 1; i < s->cli.nfile; i++)
		if (fn(s->st, &s->where, s->cli.file[i], err) == -1)
			store_report(s, NULL, err);
	return 0;
}

/* --- input and output ---------------------------------------------------- */

/* Nobody reads our output: do what SIGPIPE would have done, after closing. */
int store_no_reader;

int
store_write(const void *p, size_t n, struct ctx_err *err)
{
	written += n;
	if (watched != NULL && until_written)
		store_watch_end(watched);
	if (fwrite(p, 1, n, stdout) == n)
		return 0;
	store_no_reader = errno == EPIPE;
	return ctx_fail_errno(err, errno, "standard output");
}

int
store_flush(struct ctx_err *err)
{
	if (fflush(stdout) == 0)
		return 0;
	store_no_reader = errno == EPIPE;
	return ctx_fail_errno(err, errno, "standard output");
}

int
store_write_buf(const struct ctx_buf *b, struct ctx_err *err)
{
	return ctx_buf_fail(b, err) == -1 ? -1 :
	    store_write(b->data, b->len, err);
}

int
store_row(struct store *s, struct ctx_err *err)
{
	ctx_row_end(&s->row);
	return store_write_buf(&s->row, err);
}

int
store_list_row(struct store *s, struct ctx_err *err)
{
	if (!s->listed && isatty(STDOUT_FILENO)) {
		(void)ctx_width_locale();
		s->table.write = store_write;
		s->table.columns = cli_screen_columns();
		s->table.color = cli_screen_colored(CLI_COLOR_AUTO);
	}
	s->listed = 1;
	if (s->table.columns == 0)
		return store_row(s, err);
	ctx_row_end(&s->row);
	return ctx_buf_fail(&s->row, err) == -1 ? -1 :
	    cli_table_row(&s->table, s->row.data, s->row.len, err);
}

int
store_list_end(struct store *s, struct ctx_err *err)
{
	return s->table.columns == 0 ? 0 : cli_table_end(&s->table, err);
}

int
store_message(const struct ctx_message *m, void *store, struct ctx_err *err)
{
	struct store *s = store;

	if (s->open_line && store_write("\n", 1, err) == -1)
		return -1;
	s->open_line = m->len > 0 && m->raw[m->len - 1] != '\n';
	return store_write(m->raw, m->len, err);
}

int
store_put_text(struct store *s, const char *name, const char *text,
    struct ctx_err *err)
{
	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, name, text);
	return store_row(s, err);
}

int
store_text(struct store *s, const char *role, const struct ctx_buf *text,
    struct ctx_err *err)
{
	size_t len = text->len;

	while (len > 0 && (text->data[len - 1] == '\n' ||
	    text->data[len - 1] == '\r'))
		len--;
	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, "role", role);
	ctx_row_bytes(&s->row, "content", text->data, len);
	ctx_row_end(&s->row);
	return ctx_buf_fail(&s->row, err);
}

int
store_text_message(struct store *s, const char *role,
    const struct ctx_buf *text, struct ctx_err *err)
{
	if (s->open_line && store_write("\n", 1, err) == -1)
		return -1;
	s->open_line = 0;
	return store_text(s, role, text, err) == -1 ? -1 :
	    store_write_buf(&s->row, err);
}

int
store_open_input(const char *file, struct ctx_err *err)
{
	int fd;

	if (strcmp(file, "-") == 0)
		fd = STDIN_FILENO;
	else if ((fd = open(file, O_RDONLY | O_CLOEXEC)) == -1)
		return cli_input_fail(file, errno, err);
	if (cli_input_check(NULL, fd, err) == 0)
		return fd;
	if (fd != STDIN_FILENO)
		close(fd);
	return -1;
}

int
store_slurp(const char *file, struct ctx_buf *out, struct ctx_err *err)
{
	int fd = store_open_input(file == NULL ? "-" : file, err), rc;

	if (fd == -1)
		return -1;
	if ((rc = ctx_fd_read(fd, INPUT_MAX, out)) == -1)
		ctx_fail_errno(err, errno, "reading");
	else if (rc == 0)
		ctx_fail(err, CTX_EINPUT, "longer than %zu bytes", INPUT_MAX);
	if (fd != STDIN_FILENO)
		close(fd);
	return rc == 1 ? 0 : -1;
}
