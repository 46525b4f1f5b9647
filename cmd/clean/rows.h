/* SPDX-License-Identifier: MIT */
/*
 * What ctx-clean does with the rows of its job: faults are printed, changes go
 * to the report, texts and images to their folders.
 */
#ifndef CTX_CMD_CLEAN_ROWS_H
#define CTX_CMD_CLEAN_ROWS_H

#include "cmd/clean/findings.h"
#include "cmd/clean/map.h"
#include "cmd/clean/stash.h"

struct clean_rows {
	struct cli_stream stream;
	struct clean_findings found;	/* with --check */
	int checked;			/* likewise */
	const char *report_name;	/* --report, or NULL */
	const char *stash_dir, *restore_from;	/* likewise */
	const char *map_name;		/* --redact-map, or NULL */
	struct clean_map map;		/* this, or the one to restore from */
	enum clean_as { CLEAN_AS_HASH, CLEAN_AS_PATH } as;
	struct clean_stash stash;	/* of the one or the other */
	struct ctx_images_opts images;
	const char *image_dir;		/* --images out=, in= */
	int sync;			/* what is kept must be on disk at
					   once */
	struct ctx_out report;
	struct ctx_buf url, line;
};

/* --images, for a struct clean_rows. */
extern const struct cli_opt clean_images_opts[];

/*
 * Open the files and folders that were named and tell opts about them; the
 * stream's rows then go to r.  Ends the process if something cannot be opened.
 */
void	clean_rows_open(struct clean_rows *r, struct ctx_clean_opts *opts,
	    struct cli *c);
/* Close what was opened and report errors. */
void	clean_rows_close(struct clean_rows *r, struct cli *c);

/*
 * Print what was done, with -v, set the exit code if there were findings, and
 * end their output.
 */
void	clean_rows_sum(struct clean_rows *r,
	    const struct ctx_clean_sums *did, struct cli *c);

#endif
