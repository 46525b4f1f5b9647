/* SPDX-License-Identifier: MIT */
/* How rows of ctx-count look, as columns and in JSON. */
#ifndef CTX_CMD_COUNT_TABLE_H
#define CTX_CMD_COUNT_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "job/tally.h"

enum count_format { COUNT_PLAIN, COUNT_JSON };

struct count_row {
	const char *what;	/* the name's key in JSON */
	const char *name;
	size_t len;
	const struct ctx_tally_sum *sum;
	int is_json;		/* the name is a JSON value already */
	const char *key, *extra;	/* one more member; NULL: none */
	int show;		/* extra stands after the name in columns, too */
};

/*
 * One row.  Plain: three columns and the name, control characters escaped.
 * JSON: an object with the name and the members tokens, messages and bytes.
 * No newline.  -1 out of memory; nothing is written then.
 */
int	count_row(FILE *out, enum count_format format,
	    const struct count_row *row);

/* All rows, largest first; on a terminal with bars.  -1 out of memory. */
int	count_rows_print(const struct ctx_tally_table *t, FILE *out,
	    enum count_format format, const char *what, int bars);

/* A line that shows how full a window of max tokens is. */
void	count_gauge(FILE *out, uint64_t n, uint64_t max);

/*
 * How many messages are of which size: size[i] of those that have from 2^i
 * tokens up, size[64] of none at all.
 */
void	count_histogram(const uint64_t size[65], FILE *out,
	    enum count_format format);

#endif
