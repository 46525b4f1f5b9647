/* SPDX-License-Identifier: MIT */
/* Options, help, messages and exit codes of the commands; see cli.h. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/when.h"
#include "cli_help.h"
#include "cli_memory.h"

#ifndef CTX_VERSION
#define CTX_VERSION "unknown"
#endif

/*
 * If one of descriptors 0 to 2 is closed, the next file that is opened would
 * get it and be used as standard input or output.  So it is opened here, in
 * such a way that using it fails.
 */
static void
hold_standard(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1 && open("/dev/null",
		    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(CLI_SYSTEM);
}

void
cli_init(struct cli *c, const struct cli_cmd *cmd, int argc, char *argv[])
{
	hold_standard();
	memset(c, 0, sizeof(*c));
	c->cmd = cmd;
	c->argc = argc;
	c->argv = argv;
	c->next = 1;
	c->noperand = 1;
	c->started = ctx_when_now();
}

/*
 * Whatever it was made of, a message is one line without orders to a terminal.
 * No memory is allocated, since there may be none.
 */
static void
tell(const char *fmt, va_list ap)
{
	char text[8192], safe[4 * sizeof(text)];
	int n = vsnprintf(text, sizeof(text), fmt, ap);

	if (n >= (int)sizeof(text))
		memcpy(text + sizeof(text) - 4, "...", 4);
	fputs(ctx_err_quote(safe, sizeof(safe), text, n < 0 ? 0 : strlen(text)),
	    stderr);
}

void
cli_tell(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(fmt, ap);
	va_end(ap);
}

void
cli_usage(const struct cli *c, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", c->cmd->name);
	va_start(ap, fmt);
	tell(fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nsee '%s --help'\n", c->cmd->name);
	exit(CLI_USAGE);
}

static void
be_quiet(struct cli *c, void *place)
{
	(void)place;
	c->quiet = 1;
}

static void
be_verbose(struct cli *c, void *place)
{
	(void)place;
	c->verbose++;
}

static void
help(struct cli *c, void *place)
{
	(void)place;
	cli_help(c);
}

const char cli_stdin_name[] = "(standard input)";

const char *
cli_version(void)
{
	return CTX_VERSION;
}

static void
version(struct cli *c, void *place)
{
	(void)place;
	printf("%.*s %s\n", (int)strcspn(c->cmd->name, " "), c->cmd->name,
	    cli_version());
	exit(cli_end(c));
}

const struct cli_opt cli_common[] = {
	OPT_GROUP(CLI_EVERY),
	OPT_DO('q', "quiet", NULL, be_quiet, "print only errors"),
	OPT_DO('v', "verbose", NULL, be_verbose,
	    "report on standard error what was done"),
	OPT_DO(0, "max-memory", "SIZE", cli_memory_limit,
	    "fail rather than take more than SIZE bytes of memory"),
	OPT_DO('h', "help", NULL, help, "show this help"),
	OPT_DO('V', "version", NULL, version, "show the version"),
	OPT_END
};

void
cli_clear(struct cli *c)
{
	if (c->progress)
		fputs("\r\033[K", stderr);
	c->progress = 0;
}

static void
message(struct cli *c, const char *fmt, va_list ap)
{
	fflush(stdout);
	cli_clear(c);
	fprintf(stderr, "%s: ", c->cmd->name);
	tell(fmt, ap);
	fputc('\n', stderr);
}

void
cli_raise(struct cli *c, enum cli_exit exit)
{
	c->failures += exit == CLI_SYSTEM;
	if (exit > c->worst)
		c->worst = exit;
}

void
cli_error(struct cli *c, enum cli_exit exit, const char *fmt, ...)
{
	va_list ap;

	cli_raise(c, exit);
	va_start(ap, fmt);
	message(c, fmt, ap);
	va_end(ap);
}

void
cli_warn(struct cli *c, const char *fmt, ...)
{
	va_list ap;

	if (c->quiet)
		return;
	va_start(ap, fmt);
	message(c, fmt, ap);
	va_end(ap);
}

static enum cli_exit
cli_code(const struct ctx_err *err)
{
	switch (err->code) {
	case CTX_OK:
		return CLI_OK;
	case CTX_ENO:
		return CLI_NO;
	case CTX_EUSAGE:
		return CLI_USAGE;
	case CTX_EINPUT:
		return CLI_INPUT;
	case CTX_EREMOTE:
		return CLI_REMOTE;
	case CTX_ESYSTEM:
	case CTX_ENOMEM:
	case CTX_ERANGE:
		break;
	}
	return CLI_SYSTEM;
}

void
cli_report(struct cli *c, const char *file, const struct ctx_err *err)
{
	char where[512], quoted[400], text[400];
	size_t n = 0;

	where[0] = '\0';
	if (file != NULL)
		n = (size_t)snprintf(where, sizeof(where), "%s: ",
		    ctx_err_quote(quoted, sizeof(quoted), file, strlen(file)));
	if (file != NULL && err->line != 0)
		n = (size_t)snprintf(where + n - 2, sizeof(where) - n + 2,
		    ":%llu: ", (unsigned long long)err->line) + n - 2;
	if (file != NULL && err->line != 0 && err->col != 0)
		snprintf(where + n - 2, sizeof(where) - n + 2, ":%llu: ",
		    (unsigned long long)err->col);
	/* an error without a code is still an error */
	cli_error(c, err->code == CTX_OK ? CLI_SYSTEM : cli_code(err), "%s%s",
	    where, err->code == CTX_OK ? "failed" :
	    cli_memory_text(c, err, text, sizeof(text)));
}

uint64_t
cli_num(const struct cli *c, uint64_t min, uint64_t max)
{
	struct ctx_err err = { 0 };
	uint64_t n;

	if (ctx_num_parse(c->arg, &n, &err) == -1)
		cli_usage(c, "%s: %s", c->spelled, err.text);
	if (n < min || n > max)
		cli_usage(c, "%s: %s is out of range (%llu to %llu)",
		    c->spelled, c->arg, (unsigned long long)min,
		    (unsigned long long)max);
	return n;
}

uint64_t
cli_age(const struct cli *c)
{
	struct ctx_err err = { 0 };
	uint64_t s;

	if (ctx_age_parse(c->arg, &s, &err) == -1)
		cli_usage(c, "%s: %s", c->spelled, err.text);
	return s;
}

void
cli_figure(struct cli *c, const char *name, uint64_t n)
{
	ctx_buf_addf(&c->figures, ",\"%s\":%" PRIu64, name, n);
}

void
cli_open_log(struct cli *c)
{
	const char *name = getenv("CTX_LOG");

	if (c->log != 0 || name == NULL || *name == '\0')
		return;
	c->log = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
	c->log_error = errno;
}

/*
 * Append one line for each run, in a single write, so that the commands of a
 * pipeline may share the file.  Failure to write it is reported but does not
 * change the exit code.
 */
static void
write_log(struct cli *c)
{
	struct ctx_buf line = { 0 };
	char when[CTX_WHEN_SIZE];

	cli_open_log(c);
	if (c->log == 0)
		return;
	ctx_buf_addf(&line, "{\"time\":\"%s\",\"command\":\"%s\","
	    "\"exit\":%d,\"ms\":%" PRId64, ctx_when_text(c->started, when),
	    c->cmd->name, (int)c->worst,
	    (ctx_when_now() - c->started) / 1000);
	ctx_buf_add(&line, c->figures.data, c->figures.len);
	ctx_buf_adds(&line, "}\n");
	errno = c->log_error;
	if (c->log == -1 || line.failed || c->figures.failed ||
	    write(c->log, line.data, line.len) != (ssize_t)line.len)
		cli_warn(c, "CTX_LOG: %s: %s", getenv("CTX_LOG"),
		    strerror(errno));
	if (c->log != -1)
		close(c->log);
	ctx_buf_done(&line);
}

static _Noreturn void
stop(const struct cli *c, const char *why)
{
	struct cli ended = *c;

	cli_tell("%s: %s", c->cmd->name, why);
	fputc('\n', stderr);
	ended.worst = CLI_SYSTEM;
	write_log(&ended);
	exit(CLI_SYSTEM);
}

void
cli_nomem(const struct cli *c)
{
	struct ctx_err err = { 0 };
	char text[400];

	ctx_fail_nomem(&err);
	stop(c, cli_memory_text(c, &err, text, sizeof(text)));
}

void
cli_must(const struct cli *c, int rc, const struct ctx_err *err)
{
	char text[400];

	if (rc == 0)
		return;
	if (cli_code(err) == CLI_SYSTEM)
		stop(c, cli_memory_text(c, err, text, sizeof(text)));
	cli_usage(c, "%s", err->text);
}

int
cli_end(struct cli *c)
{
	/* not as descriptor 1 */
	cli_open_log(c);
	/*
	 * A full disk may be reported only on close, so the descriptor is
	 * closed here, where the result is checked, and not by exit.
	 */
	if (fflush(stdout) == EOF || ferror(stdout))
		cli_error(c, CLI_SYSTEM, "standard output: %s",
		    strerror(errno));
	else if (close(STDOUT_FILENO) == -1 && errno != EBADF)
		cli_error(c, CLI_SYSTEM, "standard output: %s",
		    strerror(errno));
	write_log(c);
	ctx_buf_done(&c->figures);
	return (int)c->worst;
}
