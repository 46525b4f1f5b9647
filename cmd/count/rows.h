/* SPDX-License-Identifier: MIT */
/* What ctx-count prints: rows of its job, of a file, and what ends it all. */
#ifndef CTX_CMD_COUNT_ROWS_H
#define CTX_CMD_COUNT_ROWS_H

#include "cli_stream.h"
#include "cmd/count/table.h"

struct count_rows {
	struct cli_stream stream;	/* first: callbacks get it */
	struct ctx_tally_opts opts;
	struct ctx_cost cost;
	enum count_format format;
	int status;			/* --status */
	uint64_t max_messages;		/* for it */
	uint64_t max;			/* of a conversation, with has_max */
	int has_max;

	struct ctx_tally_sum total;
	int nfile;
};

/* The stream's callbacks: a row of the job, the end of a file. */
int	count_rows_put(struct cli_stream *s, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;
int	count_rows_file(struct cli_stream *s, struct ctx_err *err) CTX_CHECKED;

/* The end of a file that is no stream: stream.file, which has that sum. */
void	count_rows_text(struct count_rows *r,
	    const struct ctx_tally_sum *sum);

/* What all files come to. */
void	count_rows_end(struct count_rows *r, struct cli *c);

#endif
