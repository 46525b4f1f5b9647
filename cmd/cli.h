/* SPDX-License-Identifier: MIT */
/*
 * What only commands need: the option table, help, messages, the exit codes,
 * and closing standard output with a check.
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
	CLI_USAGE = 2,	/* usage error; nothing read or written */
	CLI_INPUT = 3,	/* an invalid input line */
	CLI_SYSTEM = 4,	/* file, memory, disk, database */
	CLI_REMOTE = 5	/* the endpoint failed after retries */
};

#define CLI_OPTIONS 96		/* most options of one command */

struct cli_cmd {
	const char *name;	/* ctx-clean, or "ctx-store append" */
	const char *operands;	/* what follows the options in usage */
	const char *about;	/* one sentence */
	const struct cli_opt *opts;
	/*
	 * Unless NULL, the command has subcommands.  Prints them for --help
	 * or, for programs, as tab-separated lines "command NAME GROUP ABOUT".
	 */
	void (*list)(int for_programs);
};

/* The plural of a word after a number: "%lld thread%s", n, CLI_S(n). */
#define CLI_S(n) ((n) == 1 ? "" : "s")

/* The heading above the options of every command. */
#define CLI_EVERY "Every command"
extern const struct cli_opt cli_common[];
/* The options of every command: the last rows of each table. */
#define CLI_COMMON OPT_ROWS(cli_common), OPT_END

/* A file that is written while the input is read (cli_files.h). */
#define CLI_OUTPUTS 3		/* most of one command */
struct cli_output {
	struct ctx_out *out;
	const char *option;	/* that names it */
	int later;		/* what it has stays, for the caller to truncate */
};

enum cli_by { CLI_BY_NAME = 1, CLI_BY_LETTER };

struct cli {
	const struct cli_cmd *cmd;
	const char *page;	/* its page; NULL: the command's name */
	int argc;
	char **argv;
	const char *max_memory;	/* --max-memory, or NULL */
	int quiet;
	int verbose;		/* number of -v options */
	enum cli_exit worst;	/* the highest exit code so far, */
	unsigned failures;	/* and how often it was CLI_SYSTEM, which
				   CLI_REMOTE hides */
	int progress;		/* a line of progress is on stderr */

	int64_t started;	/* for CTX_LOG */
	struct ctx_buf figures;
	int log, log_error;	/* descriptor (0: not open) or -1, errno */

	/* About the sandbox (cli_inputs.h): */
	int lifted;		/* more is opened or run later: there is none */
	int spills;		/* what waits may go to a temporary file */

	struct cli_output output[CLI_OUTPUTS];	/* those not open yet */
	int noutput;

	/* About the current option: */
	const char *arg;	/* NULL if optional and not given */
	const struct cli_opt *opt;
	const char *word;	/* as written in argv: "--url=http://x" */
	char spelled[64];	/* "-n" or "--last" */

	/* After cli_options, the operands: */
	int nfile;
	char **file;

	/* The parser's state: */
	int next, noperand, ended;
	const char *cluster;
	unsigned char given[CLI_OPTIONS];	/* enum cli_by; 0: not given */
	const char *argument[CLI_OPTIONS];	/* of each; may be NULL */
};

/*
 * To be called first in every main: it makes sure that descriptors 0 to 2 are
 * open and takes argv (argv[0] is skipped).  Operands are moved to the front
 * of argv in place, so options may follow them, up to "--".
 */
void	cli_init(struct cli *c, const struct cli_cmd *cmd, int argc,
	    char *argv[]);

/* Print a message and where to find help; ends the process with exit 2. */
_Noreturn void	cli_usage(const struct cli *c, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/*
 * Report that memory ran out before anything was done; ends the process with
 * exit 4.
 */
_Noreturn void	cli_nomem(const struct cli *c);

/* Raise the exit code to at least exit; the highest one counts. */
void	cli_raise(struct cli *c, enum cli_exit exit);

/* Print "ctx-clean: text" on stderr and raise the exit code to exit. */
void	cli_error(struct cli *c, enum cli_exit exit, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));
/*
 * The same for a library's error: "ctx-clean: file:line:col: text", without
 * the parts that are missing.  The exit code follows from err->code;
 * CTX_EUSAGE prints the usage hint.  file may be NULL.
 */
void	cli_report(struct cli *c, const char *file, const struct ctx_err *err);

/*
 * Print on stderr; what could act on a terminal is escaped.  Messages are
 * printed so, too.
 */
void	cli_tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print a note or warning on stderr, unless -q was given. */
void	cli_warn(struct cli *c, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/* What standard input is called; a file may have the same name, not this pointer. */
extern const char cli_stdin_name[];

/* The version of ctx. */
const char *cli_version(void);

/* Erase the line of progress, if there is one. */
void	cli_clear(struct cli *c);

/* The argument of the current option; an invalid one ends with exit 2. */
uint64_t cli_num(const struct cli *c, uint64_t min, uint64_t max);
uint64_t cli_age(const struct cli *c);		/* in seconds */
/*
 * Check the library's verdict on the value of an option or variable.  -1 ends
 * the process with exit 2, or with exit 4 if the value is not at fault.
 */
void	cli_must(const struct cli *c, int rc, const struct ctx_err *err);

/*
 * Add a number to the line that the variable CTX_LOG asks for; name is the
 * name of the member, such as "tokens".
 */
void	cli_figure(struct cli *c, const char *name, uint64_t n);

/* Open the file CTX_LOG, if set, which cli_end does unless it is open. */
void	cli_open_log(struct cli *c);

/*
 * The end of every command: flush and close stdout, checking for errors (a full
 * disk is exit 4), then append its line to the file CTX_LOG, if set.
 * Returns what main must return.
 */
int	cli_end(struct cli *c);

#endif
