/* SPDX-License-Identifier: MIT */
/* ctx-clean --check: the command that mends what was found. */
#ifndef CTX_CMD_CLEAN_REMEDY_H
#define CTX_CMD_CLEAN_REMEDY_H

#include "cli_stream.h"

struct clean_remedy {		/* all zero is valid */
	uint64_t mended;	/* findings that ctx-clean mends */
	uint64_t skipped;	/* lines that --on-error skip leaves out */
	struct cli_args file;	/* those with such findings; the names are the
				   caller's */
};

void	clean_remedy_done(struct clean_remedy *r);

/*
 * Note how many findings of a file are mended, and how many are lines that are
 * left out.  file is NULL for standard input.
 */
void	clean_remedy_add(struct clean_remedy *r, const char *file,
	    uint64_t mended, uint64_t skipped, struct cli *c);

/*
 * Print how many of all findings can be mended, and the command for it.  Nothing
 * if there are none.  patterns are those of --pattern.
 */
void	clean_remedy_print(const struct clean_remedy *r, uint64_t all,
	    const struct cli_args *patterns, struct cli *c);

#endif
