/* SPDX-License-Identifier: MIT */
/*
 * What a command finds in the files that it checks: printed in the form of the
 * program that shows it, but for what a baseline excuses.
 *
 * Names: cli_rule, cli_form, cli_baseline.
 */
#ifndef CTX_CMD_CLI_FINDING_H
#define CTX_CMD_CLI_FINDING_H

#include "base/strmap.h"
#include "cli.h"

struct cli_rule {
	const char *id;
	const char *about;	/* a phrase */
	const char *text, *help;	/* sentences */
};

/* The rules of a command. */
struct cli_rules {
	struct cli_rule (*at)(size_t i);
	size_t n;
	const unsigned char *off;	/* of each: it is not judged; or NULL */
};

/* The number of a rule; rules->n if none is called that. */
size_t	cli_rule_number(const struct cli_rules *rules, const char *id);

enum cli_form {
	CLI_FORM_TEXT, CLI_FORM_GITHUB, CLI_FORM_GITLAB, CLI_FORM_JUNIT,
	CLI_FORM_SARIF,
	CLI_FORM_JSON		/* no word of --format */
};
/* The words of --format, in that order. */
extern const char *const cli_forms[];

struct cli_finding {
	const char *file;	/* as in messages */
	uint64_t line;		/* from 1 */
	uint64_t col;		/* likewise, in bytes; 0: unknown */
	uint64_t chars;		/* col in characters; 0: unknown */
	int warning;
	size_t rule;
	const char *text;	/* what is wrong */
	size_t textlen;
	const char *line_text;	/* the line around the place; or NULL */
	size_t line_len, at;	/* and where in it the place is */
	/*
	 * What tells it from others of the rule and file, so that it is known
	 * again on another line: by default the text; and a number that says
	 * little of what it was made from.
	 */
	const char *key;
	size_t keylen;
	uint16_t mark;
};

#define CLI_PRINT_LEN	33	/* of a fingerprint, terminated */

/* A line of the baseline. */
struct cli_baseline_line {
	size_t at, len;		/* in old */
	size_t key, file;	/* their numbers */
	int judged;		/* this run decides whether it is still true */
};

struct cli_baseline {
	const char *name;	/* --baseline, or NULL */
	int write;		/* --baseline-write */
	struct ctx_buf old;	/* what is in it */
	struct cli_baseline_line *line;
	size_t nline, capline;
	/* fingerprints, or "FILE\tRULE\tTEXT" of lines without one, and how
	   often each is still excused */
	struct ctx_strmap keys;
	uint64_t *left;
	size_t capleft;
	struct ctx_strmap files;
	unsigned char *read;	/* of each file: to its end */
	size_t capread;
	struct ctx_buf now;	/* with write: a line for each finding */
	uint64_t nnow, nnew;
};

struct cli_findings {
	int form;		/* --format */
	struct cli_baseline base;
	struct cli_rules rules;
	int strict;		/* a warning is a failure, too */
	size_t columns;		/* of a terminal that is shown lines; or 0 */
	int color;
	struct cli *cli;
	/* what was printed, and files that were read to their end */
	uint64_t errors, warnings, files;

	/* private */
	struct ctx_buf out, suite, path, text, key;
	struct ctx_strmap seen;		/* findings, without their numbers */
	uint64_t *times;		/* how often each was seen */
	size_t captimes;
	const char *file;		/* whose suite it is */
	uint64_t tests, failures;	/* in the suite */
	char here[4096];		/* the working directory, or "" */
	int begun;
};

/*
 * Begin, after the options, the rules and strict are set.  Ends the process if
 * the baseline cannot be read.
 */
void	cli_findings_open(struct cli_findings *f, struct cli *c);

/* Are fingerprints, and columns in characters, wanted? */
int	cli_findings_marked(const struct cli_findings *f);

/* Print a finding.  Returns 0 if the baseline has it, or takes it; else 1. */
int	cli_findings_put(struct cli_findings *f, const struct cli_finding *what);

/* The file, a string that stays, was read to its end. */
void	cli_findings_file(struct cli_findings *f, const char *file);

/*
 * Print what ends the output, say what of the baseline is out of date, or write
 * it.  nfiles is how many files there were to read.
 */
void	cli_findings_end(struct cli_findings *f, uint64_t nfiles);
void	cli_findings_done(struct cli_findings *f);

/* --- for the forms, and the baseline ------------------------------------ */

/* The name of a file from the working directory, which is part of file. */
const char *cli_findings_path(const struct cli_findings *f, const char *file);

/*
 * Forms of their own: begin the output, append a finding with its fingerprint,
 * and end it; complete: all files were read.
 */
void	cli_form_sarif_begin(const struct cli_findings *f, struct ctx_buf *out);
void	cli_form_sarif(const struct cli_findings *f,
	    const struct cli_finding *what, const char *print,
	    struct ctx_buf *out);
void	cli_form_sarif_end(int complete, struct ctx_buf *out);
/* A test case; the suite of the file that has them; one for what failed. */
void	cli_form_junit(const struct cli_findings *f,
	    const struct cli_finding *what, const char *print,
	    struct ctx_buf *out);
void	cli_form_junit_suite(const struct cli_findings *f, struct ctx_buf *out);
void	cli_form_junit_failed(const struct cli_findings *f,
	    struct ctx_buf *out);

void	cli_baseline_open(struct cli_findings *f);
/* Does it excuse one more of these?  file is from the working directory. */
int	cli_baseline_has(struct cli_findings *f,
	    const struct cli_finding *what, const char *file, const char *print);
void	cli_baseline_file(struct cli_baseline *b, const char *file);
/* Say what is out of date, or, if all files were read, write it. */
void	cli_baseline_end(struct cli_findings *f, int complete);
void	cli_baseline_done(struct cli_baseline *b);

#endif
