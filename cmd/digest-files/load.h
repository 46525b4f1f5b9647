/* SPDX-License-Identifier: MIT */
/* The bytes of a file, in memory that is used again for the next one. */
#ifndef CTX_CMD_DIGEST_FILES_LOAD_H
#define CTX_CMD_DIGEST_FILES_LOAD_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Large files are mapped, so that they cost no memory; if one becomes shorter
 * while it is digested, the process ends by a signal.
 */
#define LOAD_MAP	((size_t)8 << 20)
/* Most that is read of what cannot be mapped: a pipe, a device. */
#define LOAD_PIPE	((size_t)64 << 20)

struct load {
	const char *data;
	size_t len;
	/* The rest is private.  All zero is ready. */
	struct ctx_buf buf;
	void *map;
};

/* 0, or -1 with CTX_ESYSTEM or CTX_ENOMEM; path is named by the caller. */
int	load_file(struct load *l, const char *path, struct ctx_err *err);
void	load_done(struct load *l);

#endif
