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

#ifndef CTX_VERSION
#define CTX_VERSION "unknown"
#endif

/*
 * A descriptor of 0 to 2 that is closed would be given to the next file that is
 * opened, and be read or written as standard input or output.  So it is opened
 * here, in such a way that its use fails.
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

static void
usage_line(const struct cli *c, FILE *out)
{
	fprintf(out, "usage: %s %s\n", c->cmd->name, c->cmd->synopsis);
}

void
cli_usage(const struct cli *c, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", c->cmd->name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	usage_line(c, stderr);
	fprintf(stderr, "Try '%s --help'.\n", c->cmd->name);
	exit(CLI_USAGE);
}

/* "-n, --last N" */
static int
option_label(const struct cli_opt *o, char *out, size_t size)
{
	char letter[8] = "    ";
	const char *arg = o->arg != NULL ? o->arg : "";

	if (o->ch < CLI_LONG)
		snprintf(letter, sizeof(letter), "-%c, ", o->ch);
	if (*arg == '=')
		return snprintf(out, size, "  %s--%s[%s]", letter, o->name,
		    arg);
	return snprintf(out, size, "  %s--%s%s%s", letter, o->name,
	    *arg ? " " : "", arg);
}

static void
help(struct cli *c)
{
	const struct cli_opt *o;
	char label[80];
	int width = 0, n;

	usage_line(c, stdout);
	printf("\n%s\n\n", c->cmd->about);
	for (o = c->cmd->opts; o->name != NULL; o++) {
		n = option_label(o, label, sizeof(label));
		if (n > width && n <= 30)
			width = n;
	}
	for (o = c->cmd->opts; o->name != NULL; o++) {
		n = option_label(o, label, sizeof(label));
		if (n > width)
			printf("%s\n%*s  %s\n", label, width, "", o->help);
		else
			printf("%-*s  %s\n", width, label, o->help);
	}
	n = (int)strcspn(c->cmd->name, " ");
	printf("\nManual: man %.*s, man 7 ctx\n", n, c->cmd->name);
	exit(cli_end(c));
}

static void
version(struct cli *c)
{
	printf("%.*s %s\n", (int)strcspn(c->cmd->name, " "), c->cmd->name,
	    CTX_VERSION);
	exit(cli_end(c));
}

static const struct cli_opt *
find_long(const struct cli *c, const char *name, size_t len)
{
	const struct cli_opt *o;

	for (o = c->cmd->opts; o->name != NULL; o++)
		if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
			return o;
	return NULL;
}

static const struct cli_opt *
find_letter(const struct cli *c, int ch)
{
	const struct cli_opt *o;

	for (o = c->cmd->opts; o->name != NULL; o++)
		if (o->ch == ch)
			return o;
	return NULL;
}

static void
take_long(struct cli *c, const char *word)
{
	size_t len = strcspn(word, "=");
	char quoted[64];

	if ((c->opt = find_long(c, word, len)) == NULL)
		cli_usage(c, "unknown option --%s",
		    ctx_err_quote(quoted, sizeof(quoted), word, len));
	c->arg = word[len] == '=' ? word + len + 1 : NULL;
	if (c->opt->arg == NULL) {
		if (c->arg != NULL)
			cli_usage(c, "--%s takes no argument", c->opt->name);
	} else if (*c->opt->arg != '=' && c->arg == NULL) {
		if (c->next >= c->argc)
			cli_usage(c, "--%s needs an argument", c->opt->name);
		c->arg = c->argv[c->next++];
	}
}

static void
take_letter(struct cli *c)
{
	char bad[2] = { *c->cluster, '\0' }, quoted[8];

	if ((c->opt = find_letter(c, (unsigned char)*c->cluster++)) == NULL)
		cli_usage(c, "unknown option -%s",
		    ctx_err_quote(quoted, sizeof(quoted), bad, 1));
	c->arg = NULL;
	if (c->opt->arg != NULL) {
		if (*c->cluster != '\0')
			c->arg = c->cluster;
		else if (*c->opt->arg != '=') {
			if (c->next >= c->argc)
				cli_usage(c, "-%c needs an argument",
				    c->opt->ch);
			c->arg = c->argv[c->next++];
		}
		c->cluster = NULL;
	}
	if (c->cluster != NULL && *c->cluster == '\0')
		c->cluster = NULL;
}

/* One option into c->opt and c->arg; 0 when there are no more. */
static int
take(struct cli *c)
{
	char *word;

	while (c->cluster == NULL) {
		if (c->next >= c->argc)
			return 0;
		word = c->argv[c->next++];
		if (c->ended || word[0] != '-' || word[1] == '\0') {
			c->argv[c->noperand++] = word;
		} else if (strcmp(word, "--") == 0) {
			c->ended = 1;
		} else if (word[1] == '-') {
			take_long(c, word + 2);
			return 1;
		} else
			c->cluster = word + 1;
	}
	take_letter(c);
	return 1;
}

int
cli_getopt(struct cli *c)
{
	while (take(c)) {
		switch (c->opt->ch) {
		case 'q':
			c->quiet = 1;
			break;
		case 'v':
			c->verbose++;
			break;
		case 'h':
			help(c);
			break;
		case 'V':
			version(c);
			break;
		default:
			return c->opt->ch;
		}
	}
	c->file = c->argv + 1;
	c->nfile = c->noperand - 1;
	return -1;
}

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
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void
cli_raise(struct cli *c, enum cli_exit exit)
{
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
	char where[512], quoted[400];
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
	/* an error that says nothing is one all the same */
	cli_error(c, err->code == CTX_OK ? CLI_SYSTEM : cli_code(err), "%s%s",
	    where, err->code == CTX_OK ? "failed" : err->text);
}

static _Noreturn void
stop(const struct cli *c, const char *why)
{
	fprintf(stderr, "%s: %s\n", c->cmd->name, why);
	exit(CLI_SYSTEM);
}

void
cli_nomem(const struct cli *c)
{
	stop(c, "out of memory");
}

void
cli_must(const struct cli *c, int rc, const struct ctx_err *err)
{
	if (rc == 0)
		return;
	if (cli_code(err) == CLI_SYSTEM)
		stop(c, err->text);
	cli_usage(c, "%s", err->text);
}

/* "-n" or "--keep-first", for messages about its argument. */
static const char *
option_name(const struct cli *c, char *out, size_t size)
{
	if (c->opt->ch < CLI_LONG)
		snprintf(out, size, "-%c", c->opt->ch);
	else
		snprintf(out, size, "--%s", c->opt->name);
	return out;
}

uint64_t
cli_num(const struct cli *c, uint64_t min, uint64_t max)
{
	struct ctx_err err = { 0 };
	char name[64];
	uint64_t n;

	option_name(c, name, sizeof(name));
	if (ctx_num_parse(c->arg, &n, &err) == -1)
		cli_usage(c, "%s: %s", name, err.text);
	if (n < min || n > max)
		cli_usage(c, "%s: %s is outside %llu to %llu", name, c->arg,
		    (unsigned long long)min, (unsigned long long)max);
	return n;
}

uint64_t
cli_age(const struct cli *c)
{
	struct ctx_err err = { 0 };
	char name[64];
	uint64_t s;

	option_name(c, name, sizeof(name));
	if (ctx_age_parse(c->arg, &s, &err) == -1)
		cli_usage(c, "%s: %s", name, err.text);
	return s;
}

int64_t
cli_when(const struct cli *c)
{
	struct ctx_err err = { 0 };
	char name[64];
	int64_t t;

	option_name(c, name, sizeof(name));
	if (ctx_when_parse(c->arg, ctx_when_now(), &t, &err) == -1)
		cli_usage(c, "%s: %s", name, err.text);
	return t;
}

struct ctx_ratio
cli_ratio(const struct cli *c)
{
	struct ctx_err err = { 0 };
	char name[64];
	struct ctx_ratio v;

	option_name(c, name, sizeof(name));
	if (ctx_ratio_parse(c->arg, &v, &err) == -1)
		cli_usage(c, "%s: %s", name, err.text);
	return v;
}

void
cli_strings(struct cli *c, const char ***list, size_t *n, size_t *cap)
{
	const char **p = ctx_grow(*list, *n, cap, sizeof(*p));

	if (p == NULL)
		cli_nomem(c);
	*list = p;
	p[(*n)++] = c->arg;
}

int
cli_word(const struct cli *c, const char *const *words)
{
	char name[64], list[256] = "", quoted[64];
	int i;

	for (i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], c->arg) == 0)
			return i;
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
		    "%s%s", i > 0 ? ", " : "", words[i]);
	}
	cli_usage(c, "%s: '%s' is none of %s",
	    option_name(c, name, sizeof(name)),
	    ctx_err_quote(quoted, sizeof(quoted), c->arg, strlen(c->arg)),
	    list);
}

void
cli_figure(struct cli *c, const char *name, uint64_t n)
{
	ctx_buf_addf(&c->figures, ",\"%s\":%" PRIu64, name, n);
}

/*
 * One line a run, in one write, so that commands of a pipeline may share the
 * file.  A log that cannot be written is said, and fails nothing.
 */
static void
write_log(struct cli *c)
{
	const char *name = getenv("CTX_LOG");
	struct ctx_buf line = { 0 };
	char when[CTX_WHEN_SIZE];
	int fd;

	if (name == NULL || *name == '\0')
		return;
	ctx_buf_addf(&line, "{\"time\":\"%s\",\"command\":\"%s\","
	    "\"exit\":%d,\"ms\":%" PRId64, ctx_when_text(c->started, when),
	    c->cmd->name, (int)c->worst,
	    (ctx_when_now() - c->started) / 1000);
	ctx_buf_add(&line, c->figures.data, c->figures.len);
	ctx_buf_adds(&line, "}\n");
	fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd == -1 || line.failed || c->figures.failed ||
	    write(fd, line.data, line.len) != (ssize_t)line.len)
		cli_warn(c, "CTX_LOG: %s: %s", name, strerror(errno));
	if (fd != -1)
		close(fd);
	ctx_buf_done(&line);
}

int
cli_end(struct cli *c)
{
	write_log(c);
	ctx_buf_done(&c->figures);
	/*
	 * A disk that is full may say so only at close; the descriptor is
	 * closed here, and not by exit, so that somebody looks.
	 */
	if (fflush(stdout) == EOF || ferror(stdout))
		cli_error(c, CLI_SYSTEM, "standard output: %s",
		    strerror(errno));
	else if (close(STDOUT_FILENO) == -1 && errno != EBADF)
		cli_error(c, CLI_SYSTEM, "standard output: %s",
		    strerror(errno));
	return (int)c->worst;
}
