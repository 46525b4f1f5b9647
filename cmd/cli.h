/* SPDX-License-Identifier: MIT */
/*
 * What only commands need: the option table, help, messages, the exit codes,
 * and the checked end of standard output.
 *
 * A command describes itself in one struct cli_cmd.  Parsing, --help, usage
 * and the tests that hold man pages and completions to the code all come from
 * that table, so an option that is not in it does not exist.
 */
#ifndef CTX_CMD_CLI_H
#define CTX_CMD_CLI_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/num.h"

enum cli_exit {
	CLI_OK = 0,
	CLI_NO = 1,	/* the answer is "no", where the page says so */
	CLI_USAGE = 2,	/* called wrongly; nothing read or written */
	CLI_INPUT = 3,	/* an input line is not what it should be */
	CLI_SYSTEM = 4,	/* file, memory, disk, database */
	CLI_REMOTE = 5	/* the endpoint failed after retries */
};

/* Values for options that have no letter start here. */
#define CLI_LONG 256

struct cli_opt {
	int ch;			/* letter, or CLI_LONG + n */
	const char *name;	/* long name without dashes */
	const char *arg;	/* NULL: none; "N": required; "=N": optional,
				   given as --name=N only */
	const char *help;	/* one line, lower case, no full stop */
};

struct cli_cmd {
	const char *name;	/* ctx-clean, or "ctx-store append" */
	const char *synopsis;	/* behind the name, as in SYNOPSIS */
	const char *about;	/* one sentence */
	const struct cli_opt *opts;	/* ends with name NULL */
};

/* The four options of every command; the last row of each table. */
#define CLI_COMMON \
	{ 'q', "quiet", NULL, "say nothing but errors" }, \
	{ 'v', "verbose", NULL, "say on standard error what was done" }, \
	{ 'h', "help", NULL, "show this help" }, \
	{ 'V', "version", NULL, "show the version" }, \
	{ 0, NULL, NULL, NULL }

struct cli {
	const struct cli_cmd *cmd;
	int argc;
	char **argv;
	int quiet;
	int verbose;		/* how often -v was given */
	enum cli_exit worst;	/* the highest exit code so far */
	int progress;		/* a line of progress stands on stderr */

	int64_t started;	/* for CTX_LOG */
	struct ctx_buf figures;

	/* of the option that cli_getopt returned last */
	const char *arg;	/* NULL when an optional one was not given */
	const struct cli_opt *opt;

	/* after cli_getopt returned -1: the operands */
	int nfile;
	char **file;

	/* parser state */
	int next, noperand, ended;
	const char *cluster;
};

/*
 * The first call of every main: no descriptor of 0 to 2 is closed after it.
 * Take argv (argv[0] is skipped).  Operands are moved to the front of argv in
 * place, so options may stand behind them, up to "--".
 */
void	cli_init(struct cli *c, const struct cli_cmd *cmd, int argc,
	    char *argv[]);

/*
 * The next option's ch, -1 at the end.  -q, -v, --help and --version are dealt
 * with here; a wrong option ends the process with usage and exit 2.  Long
 * names must be exact.
 */
int	cli_getopt(struct cli *c);

/* Usage on stderr with a message before it; ends the process with exit 2. */
_Noreturn void	cli_usage(const struct cli *c, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/* Out of memory before anything was done; ends the process with exit 4. */
_Noreturn void	cli_nomem(const struct cli *c);

/* The exit code is at least that one: of several the highest counts. */
void	cli_raise(struct cli *c, enum cli_exit exit);

/* "ctx-clean: text" on stderr; raises the exit code to exit. */
void	cli_error(struct cli *c, enum cli_exit exit, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));
/*
 * The same for a library's error: "ctx-clean: file:line:col: text", parts that
 * are missing left out.  The exit code follows from err->code; CTX_EUSAGE
 * prints the usage hint.  file may be NULL.
 */
void	cli_report(struct cli *c, const char *file, const struct ctx_err *err);

/* A note or warning on stderr: not with -q. */
void	cli_warn(struct cli *c, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/* Wipe the line of progress away, if there is one. */
void	cli_clear(struct cli *c);

/* The argument of the current option; a bad one ends with exit 2. */
uint64_t cli_num(const struct cli *c, uint64_t min, uint64_t max);
struct ctx_ratio cli_ratio(const struct cli *c);
uint64_t cli_age(const struct cli *c);		/* in seconds */
int64_t	cli_when(const struct cli *c);		/* as in base/when.h */
/* Index of the argument in a NULL-ended list of words. */
int	cli_word(const struct cli *c, const char *const *words);
/* The argument as one more string of a list that grows as options come. */
void	cli_strings(struct cli *c, const char ***list, size_t *n,
	    size_t *cap);
/*
 * A library's answer to an option's or a variable's value.  -1 ends the process:
 * with exit 2, or with exit 4 if the value is not what is wrong.
 */
void	cli_must(const struct cli *c, int rc, const struct ctx_err *err);

/*
 * A number for the line that the variable CTX_LOG asks for: name is that of a
 * member, "tokens".
 */
void	cli_figure(struct cli *c, const char *name, uint64_t n);

/*
 * The end of every command: its line appended to the file CTX_LOG, if set, then
 * flush and close stdout, checked (a full disk is
 * exit 4).  Returns what main must return.
 */
int	cli_end(struct cli *c);

#endif
