/* SPDX-License-Identifier: MIT */
/* Load a file into memory that is reused for the next one. */
#ifndef CTX_CMD_DIGEST_FILES_LOAD_H
#define CTX_CMD_DIGEST_FILES_LOAD_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Files of at least this size are mapped, so that they use no memory; if one
 * is truncated while it is digested, a signal ends the process.
 */
#define LOAD_MAP	((size_t)8 << 20)
/* Most bytes read from what cannot be mapped: a pipe, a device. */
#define LOAD_PIPE	((size_t)64 << 20)

struct load {
	const char *data;
	size_t len;
	/* The rest is private.  Ready when all zero. */
	struct ctx_buf buf;
	void *map;
};

/*
 * Returns 0, or -1 with CTX_ESYSTEM or CTX_ENOMEM; the caller adds the path to
 * the message.
 */
int	load_file(struct load *l, const char *path, struct ctx_err *err);
void	load_done(struct load *l);

#endif
