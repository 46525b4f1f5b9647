/* SPDX-License-Identifier: MIT */
/*
 * Process the operands of ctx-digest-files: print a line for each file, or
 * what --as asks for.
 */
#ifndef CTX_CMD_DIGEST_FILES_FILES_H
#define CTX_CMD_DIGEST_FILES_FILES_H

#include "cli_cost.h"
#include "cmd/digest-files/load.h"
#include "digest/digest_line.h"
#include "view/dialect.h"

enum files_as { FILES_LINE, FILES_LIST, FILES_MESSAGE };

/* Ready when all zero except the options. */
struct files {
	/* Options: */
	enum ctx_wording lang;
	uint64_t min, width;		/* bytes, characters */
	int recursive, all, json;
	enum files_as as;
	const char *stash_dir;		/* or NULL */
	const struct ctx_dialect *dialect;	/* NULL for openai */
	struct ctx_cost cost;

	/* Results: */
	uint64_t count, bytes;

	/* Working storage: */
	struct cli *cli;
	struct load load;
	struct ctx_digest digest;
	struct ctx_buf out;
	struct ctx_buf all_lines;	/* of a message */
};

/* Process all operands; errors are reported. */
void	files_run(struct files *f, struct cli *c);
void	files_done(struct files *f);

#endif
