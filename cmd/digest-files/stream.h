/* SPDX-License-Identifier: MIT */
/* Digests in a stream: contents that tools read or wrote become one line. */
#ifndef CTX_CMD_DIGEST_FILES_STREAM_H
#define CTX_CMD_DIGEST_FILES_STREAM_H

#include "cli_stream.h"
#include "decide/pair.h"
#include "decide/reads.h"
#include "digest/digest_line.h"

struct digests {
	struct cli_stream stream;
	struct ctx_reads_opts opts;
	struct cli_args tool;
	const char *stash_dir;
	enum ctx_digest_lang lang;
	uint64_t min, width;

	/* working storage */
	struct ctx_pairer pairer;
	struct ctx_reads reads;
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_digest digest;
	struct ctx_buf text, plain, line, json;
	uint64_t count, before, after;
};

/* The streams, when all options are known; errors are reported. */
void	digests_run(struct digests *d, struct cli *c);
void	digests_done(struct digests *d);

#endif
