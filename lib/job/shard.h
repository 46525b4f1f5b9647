/* SPDX-License-Identifier: MIT */
/*
 * Which lines of a file belong to one of n processes that are given the same
 * files, so that each conversation belongs to exactly one of them.
 *
 * Some bytes are hashed with SHA-256: with by, the value of that member (see
 * ctx_turns_key), and none if the line is not JSON; in a file that begins with
 * a conversation line, the line without its line end; else the base name of the
 * file, whose lines belong together then.  The first four bytes of the digest,
 * the highest first, modulo n, plus 1, are the number of the process.
 *
 * Blank lines count as no bytes, because they are records of the conversation
 * of those without the member; but in a file that is not divided, those after
 * the first line are the file's.  A byte order mark belongs to process 1, so
 * that it is in front of all when the outputs are joined.
 *
 * ctx-stream(5) states the same for users.
 */
#ifndef CTX_JOB_SHARD_H
#define CTX_JOB_SHARD_H

#include "view/dialect.h"

#define CTX_SHARDS_MAX	65536u

enum ctx_shard_how {
	CTX_SHARD_BEGINS,	/* only blank lines so far */
	CTX_SHARD_KEYS,
	CTX_SHARD_LINES,
	CTX_SHARD_ALL,		/* the file is ours as a whole */
	CTX_SHARD_NONE		/* or another's */
};

struct ctx_shard {
	/* set by the caller */
	uint32_t i, n;		/* from 1; n may be 0 */
	const char *by;		/* NULL: none */
	const struct ctx_dialect *dialect;	/* NULL: detected */

	enum ctx_shard_how how;	/* the file is divided */
	int by_line;		/* if so by lines, 1 */
	uint64_t keyed;		/* lines of the file that have the member */

	/* internal */
	const char *file;
	struct ctx_doc doc;
	struct ctx_buf key;
};

void	ctx_shard_done(struct ctx_shard *s);

/* A file begins; its name, NULL for standard input, is borrowed. */
void	ctx_shard_begin(struct ctx_shard *s, const char *file);

/* Look at the first line that is not blank, and set how.  0, or -1 with *err. */
int	ctx_shard_first(struct ctx_shard *s, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/* Does the line belong to process i?  1 or 0, or -1 with *err. */
int	ctx_shard_has(struct ctx_shard *s, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

#endif
