/* SPDX-License-Identifier: MIT */
/*
 * What ctx-count does with the results of its job: rows.c and table.c print
 * them, findings.c what exceeds a limit, text.c counts plain texts, chunk.c divides them, ids.c shows tokens,
 * prepare.c makes tables, calibrate.c fits what a user's logs show, usage.c sums
 * what they cost, list.c lists models and encodings.
 */
#ifndef CTX_CMD_COUNT_COUNT_H
#define CTX_CMD_COUNT_COUNT_H

#include <stdio.h>

#include "cli_cost.h"
#include "cli_finding.h"
#include "cli_prices.h"
#include "cli_stream.h"
#include "job/spent.h"
#include "job/tally.h"

enum count_format { COUNT_PLAIN, COUNT_JSON };

enum count_rule {
	COUNT_OVER_BUDGET, COUNT_CACHE_BREAK, COUNT_NOT_COUNTED, COUNT_RULES
};

/* --- rows.c ------------------------------------------------------------ */

struct count_row;

struct count_rows {
	struct cli_stream stream;	/* first: callbacks receive it */
	struct ctx_tally_opts opts;
	struct ctx_cost cost;
	enum count_format format;
	int status;			/* --status */
	uint64_t max_messages, window;	/* for --status; 0: no limit */
	uint64_t max;			/* of a conversation, if has_max */
	int has_max;
	struct ctx_ratio min;		/* that is common, if opts.apart */
	int tell;			/* --format: only print what exceeds
					   these limits */
	struct cli_findings found;
	unsigned char off[COUNT_RULES];

	struct ctx_cost seen;		/* what ctx_charge_learn keeps of the
					   files before this one */
	struct ctx_tally_sum total;
	int nfile;
	int spent_by;			/* --usage: enum ctx_spent_by */
	int price;			/* --price, and its table or NULL */
	const char *price_file;
	struct ctx_prices prices;
	uint64_t nano;			/* what the files so far cost */
	struct ctx_spent *spent;	/* likewise: of all files */
};

/* The stream's callbacks: for a row of the job, and for the end of a file. */
int	count_rows_put(struct cli_stream *s, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;
int	count_rows_file(struct cli_stream *s, struct ctx_err *err) CTX_CHECKED;
/* Handle the end of a file that is not a stream: stream.file, with its sum. */
void	count_rows_text(struct count_rows *r, const struct ctx_tally_sum *sum);
/* Print the totals of all files. */
void	count_rows_end(struct count_rows *r, struct cli *c);

/* --- findings.c --------------------------------------------------------- */

/* Begin, when the options are set. */
void	count_findings_open(struct count_rows *r, struct cli *c);
/*
 * Report that the conversation of the row, which begins at line (0: unknown),
 * has too many tokens; that a file has no message; that of two histories too
 * little is common, if that is so.
 */
void	count_over_budget(struct count_rows *r, const struct count_row *row,
	    uint64_t line);
void	count_no_message(struct cli_stream *s, const char *file,
	    uint64_t records);
void	count_check_min(struct count_rows *r, struct cli *c);
/* A file, or all, were read. */
void	count_findings_file(struct count_rows *r, const char *file);
void	count_findings_end(struct count_rows *r, struct cli *c);

/* --- table.c ----------------------------------------------------------- */

struct count_row {
	const char *what;	/* the JSON key for the name */
	const char *name;
	size_t len;
	const struct ctx_tally_sum *sum;
	int is_json;		/* the name is a JSON value already */
	const char *key, *extra;	/* another member, or NULL */
	int show;		/* also print extra after the name in columns */
	const char *money;	/* dollars, "-" if not known; or NULL */
	/* with JSON: what the tokens are for, and how each was counted */
	const struct ctx_cost *cost;
	const uint64_t *of;
};

/*
 * Print one row, without a newline.  Plain: three columns, money if there is
 * any, and the name, with control characters escaped.  JSON: an object with the name and the members
 * tokens, messages and bytes.  Returns -1 if out of memory; nothing is written
 * then.
 */
int	count_row(FILE *out, enum count_format format,
	    const struct count_row *row);
/*
 * Print all rows, largest first; on a terminal with bars.  Returns -1 if out
 * of memory.
 */
int	count_table(const struct ctx_tally_table *t, FILE *out,
	    enum count_format format, const char *what, int bars);
/* Print a line that shows how full a window of max tokens is. */
void	count_gauge(FILE *out, uint64_t n, uint64_t max);
/* Print how many messages have which size; see ctx_tally_sizes. */
void	count_histogram(const uint64_t size[65], FILE *out,
	    enum count_format format);

/* --- text.c ------------------------------------------------------------ */

/*
 * Count every operand, or standard input: tokens, bytes, and lines as
 * messages.
 */
void	count_text(struct count_rows *r, struct cli *c);

/* --- ids.c ------------------------------------------------------------- */

enum count_ids { COUNT_ENCODE = 1, COUNT_DECODE, COUNT_SHOW };

/*
 * Convert every operand, or standard input: a text to a line of ids in JSON,
 * such lines to text, or a text to itself with token borders shown; with
 * offsets, ids have the places of their bytes.  Errors are reported.
 */
void	count_ids(struct ctx_cost *k, struct cli *c, enum count_ids what,
	    int offsets);

/* --- chunk.c ------------------------------------------------------------ */

/*
 * Divide every operand, or standard input, into parts of at most max tokens,
 * which share overlap, and print these as JSON.  Errors are reported.
 */
void	count_chunks(struct ctx_cost *k, uint64_t max, uint64_t overlap,
	    struct cli *c);

/* --- prepare.c --------------------------------------------------------- */

struct count_prepare {
	const char *in;		/* --prepare: a vocabulary file */
	const char *split;	/* --split, or NULL */
	const char *model;	/* --model, or NULL */
};

/*
 * Make a table of a vocabulary: the file that the operand names or, without
 * one, the table that the model needs, in the directory for those, which is
 * printed.  Errors are reported.
 */
void	count_prepare(struct cli *c, const struct count_prepare *p);

/* --- calibrate.c -------------------------------------------------------- */

/*
 * Print a line of CTX_MODELS for each model whose requests the operands, or
 * standard input, say the cost of.  Errors are reported.
 */
void	count_calibrate(struct count_rows *r, struct cli *c);

/* --- usage.c ------------------------------------------------------------ */

/*
 * Print what the answers in the operands, or in standard input, say that they
 * cost, by r->spent_by.  Errors are reported.
 */
void	count_usage(struct count_rows *r, struct cli *c);

/* --- list.c ------------------------------------------------------------ */

/* The options --list-models and --list-encodings; they end the process. */
void	count_list_models(struct cli *c, void *place);
void	count_list_encodings(struct cli *c, void *place);

#endif
