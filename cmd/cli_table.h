/* SPDX-License-Identifier: MIT */
/*
 * Rows that are JSON objects, one a line, as a table for people: a column for each
 * member that is not empty everywhere, its name above it, as wide as the terminal
 * allows.  A pipe gets the rows themselves.
 *
 * Memory: the first CLI_TABLE_ROWS rows, by which columns are measured.
 */
#ifndef CTX_CMD_CLI_TABLE_H
#define CTX_CMD_CLI_TABLE_H

#include "base/buf.h"
#include "read/span.h"

#define CLI_TABLE_ROWS	1000

struct cli_table {
	/* set by the caller */
	int (*write)(const void *p, size_t n, struct ctx_err *err);
	size_t columns;			/* of the terminal */
	int color;
	const char *hidden;		/* members that are not shown, with
					   spaces between them; or NULL */
	const char *mark;		/* words likewise, which are marked in
					   the last column, in any case */

	/* internal */
	struct cli_column {
		char *name;		/* of the member */
		size_t width;
		size_t data;		/* the same without the name */
		int text;		/* not only numbers: to the left */
		int prose;		/* nor only times: may be cut */
		int filled;
	} *column;
	size_t ncolumn, capcolumn;
	struct ctx_buf rows, cell, line;
	size_t nrow;
	int begun, heading;
	int brief;			/* times are without the year */
	struct ctx_doc doc;
};

/* Add a row, a line with its end.  Returns 0, or -1 with *err. */
int	cli_table_row(struct cli_table *t, const char *row, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
/* Write what has not been written.  Returns 0, or -1 with *err. */
int	cli_table_end(struct cli_table *t, struct ctx_err *err) CTX_CHECKED;
void	cli_table_done(struct cli_table *t);

#endif
