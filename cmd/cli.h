/* SPDX-License-Identifier: MIT */
/*
 * What only commands need: the option table, help, messages, the exit codes,
 * and the checked end of standard output.
 *
 * A command describes itself in one struct cli_cmd and a table of options; see
 * cli_opt.h.
 */
#ifndef CTX_CMD_CLI_H
#define CTX_CMD_CLI_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/num.h"
#include "cli_opt.h"

enum cli_exit {
	CLI_OK = 0,
	CLI_NO = 1,	/* the answer is "no", where the page says so */
	CLI_USAGE = 2,	/* called wrongly; nothing read or written */
	CLI_INPUT = 3,	/* an input line is not what it should be */
	CLI_SYSTEM = 4,	/* file, memory, disk, database */
	CLI_REMOTE = 5	/* the endpoint failed after retries */
};

#define CLI_OPTIONS 96		/* of one command, at most */

struct cli_cmd {
	const char *name;	/* ctx-clean, or "ctx-store append" */
	const char *operands;	/* what stands behind the options in usage */
	const char *about;	/* one sentence */
	const struct cli_opt *opts;
	/*
	 * Unless NULL: the command has commands of its own.  Print them for
	 * --help or, for programs, as lines "command NAME GROUP ABOUT" with
	 * tabs between.
	 */
	void (*list)(int for_programs);
};

/* The plural of a word after a number: "%lld thread%s", n, CLI_S(n). */
#define CLI_S(n) ((n) == 1 ? "" : "s")

/* The heading over what every command takes. */
#define CLI_EVERY "Every command"
extern const struct cli_opt cli_common[];
/* The four options of every command; the last rows of each table. */
#define CLI_COMMON OPT_ROWS(cli_common), OPT_END

enum cli_by { CLI_BY_NAME = 1, CLI_BY_LETTER };

struct cli {
	const struct cli_cmd *cmd;
	const char *page;	/* its manual; NULL: as the command is called */
	int argc;
	char **argv;
	int quiet;
	int verbose;		/* how often -v was given */
	enum cli_exit worst;	/* the highest exit code so far */
	int progress;		/* a line of progress stands on stderr */

	int64_t started;	/* for CTX_LOG */
	struct ctx_buf figures;

	/* of the option in hand */
	const char *arg;	/* NULL when an optional one was not given */
	const struct cli_opt *opt;
	const char *word;	/* as it stands in argv: "--url=http://x" */
	char spelled[64];	/* "-n" or "--last" */

	/* after cli_options: the operands */
	int nfile;
	char **file;

	/* parser state */
	int next, noperand, ended;
	const char *cluster;
	unsigned char given[CLI_OPTIONS];	/* enum cli_by, 0: not given */
};

/*
 * The first call of every main: no descriptor of 0 to 2 is closed after it.
 * Take argv (argv[0] is skipped).  Operands are moved to the front of argv in
 * place, so options may stand behind them, up to "--".
 */
void	cli_init(struct cli *c, const struct cli_cmd *cmd, int argc,
	    char *argv[]);

/* A message and where help is, on stderr; ends the process with exit 2. */
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

/* The argument of the option in hand; a bad one ends with exit 2. */
uint64_t cli_num(const struct cli *c, uint64_t min, uint64_t max);
uint64_t cli_age(const struct cli *c);		/* in seconds */
/*
 * A library's answer to an option's or a variable's value.  -1 ends the process
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
