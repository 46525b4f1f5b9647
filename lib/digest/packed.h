/* SPDX-License-Identifier: MIT */
/*
 * The files of an archive: their number and size, and of many files the folders
 * and kinds that most are of, and first those that tell what it is.
 */
#ifndef CTX_DIGEST_PACKED_H
#define CTX_DIGEST_PACKED_H

#include "base/strmap.h"
#include "digest/digest.h"

/* Ready when all zero. */
struct ctx_packed {
	uint64_t files, bytes;
	struct ctx_strmap names;
};

/* Add a file.  Returns 0, or -1 with *err set. */
int	ctx_packed_add(struct ctx_packed *l, const char *name, size_t len,
	    uint64_t bytes, struct ctx_err *err) CTX_CHECKED;

/* Add the figures and the names to d.  Returns 0, or -1 with *err set. */
int	ctx_packed_digest(const struct ctx_packed *l, struct ctx_digest *d,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_packed_done(struct ctx_packed *l);

#endif
