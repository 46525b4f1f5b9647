/* SPDX-License-Identifier: MIT */
/*
 * Process the operands of ctx-digest-files: print a line for each file, or
 * what --as asks for.
 */
#ifndef CTX_CMD_DIGEST_FILES_FILES_H
#define CTX_CMD_DIGEST_FILES_FILES_H

#include "cli_cost.h"
#include "cli_progress.h"
#include "cmd/digest-files/desk.h"
#include "view/dialect.h"

#define MAP_TOKENS	4000	/* of --map */
#define MAP_WIDTH	120	/* of its lines */

/* Ready when all zero except the options. */
struct files {
	/* Options: */
	struct desk_opts each;
	int recursive, all;
	unsigned threads;		/* 0 or 1: only the caller's */
	const struct ctx_dialect *dialect;	/* NULL for openai */
	struct ctx_cost cost;
	int as_map;
	struct ctx_map_opts map;
	struct cli_args focus;

	/* Results: */
	uint64_t count, bytes;

	/* Working storage: */
	struct cli *cli;
	struct cli_progress progress;
	struct crew *crew;		/* or NULL */
	struct ctx_err err;		/* why it did not take a folder */
	int failed;
	struct desk desk;
	struct digested one;
	struct ctx_buf all_lines;	/* of a message */
};

/* Process all operands; errors are reported. */
void	files_run(struct files *f, struct cli *c);
void	files_done(struct files *f);

#endif
