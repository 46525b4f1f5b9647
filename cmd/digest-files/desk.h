/* SPDX-License-Identifier: MIT */
/* Where one file after another is digested, by one thread. */
#ifndef CTX_CMD_DIGEST_FILES_DESK_H
#define CTX_CMD_DIGEST_FILES_DESK_H

#include <pthread.h>

#include "base/wording.h"
#include "cmd/digest-files/load.h"
#include "digest/digest.h"
#include "job/cost.h"
#include "job/map.h"

enum files_as { FILES_LINE, FILES_LIST, FILES_MESSAGE };

/* What is done with each file. */
struct desk_opts {
	enum ctx_wording lang;
	uint64_t min, width;		/* bytes, characters */
	int json;
	enum files_as as;
	const char *stash_dir;		/* or NULL */
};

/* What became of a file.  All zero is ready for use; memory is reused. */
struct digested {
	struct ctx_buf path;
	struct ctx_buf out;		/* its line or lines */
	int listed;			/* it is in the output */
	uint64_t bytes;			/* that were read */
	struct ctx_err why;		/* it cannot be read */
	struct ctx_err err;		/* what ends the command */
};

struct desk {
	const struct desk_opts *opts;
	struct ctx_cost *cost;		/* this thread's, for --json */
	pthread_mutex_t *stash;		/* is locked while a file is kept */
	struct ctx_map *map;		/* what files are added to instead, or
					   NULL */
	/* The rest is private. */
	struct load load;
	struct ctx_digest digest;
};

/* Digest the file at d->path. */
void	desk_digest(struct desk *k, struct digested *d);
void	desk_done(struct desk *k);
void	digested_done(struct digested *d);

#endif
