/* SPDX-License-Identifier: MIT */
/*
 * What a store has of code and uploaded files, by the ids that calls name them
 * with.  The rows are those of ctx-store code list and upload list.
 */
#ifndef CTX_DECIDE_CATALOG_H
#define CTX_DECIDE_CATALOG_H

#include "base/strmap.h"
#include "read/node.h"

/* One version of a file. */
struct ctx_catalog_file {
	char *language;	/* of code; NULL for an upload */
	char *digest;	/* what an upload is, in a line; or NULL */
	int text;		/* it has lines */
	uint64_t lines, chars, bytes;	/* those that are not said are 0 */
	struct ctx_catalog_file *next;	/* another version */
};

/* All zero is an empty catalog. */
struct ctx_catalog {
	struct ctx_strmap ids;
	struct ctx_catalog_file **first;	/* by the number of the id */
	size_t n, cap;
	struct ctx_doc doc;		/* working storage */
};

/*
 * Add a row, an object with code_id or file_id.  Returns 0, or -1 with
 * CTX_EINPUT or CTX_ENOMEM.
 */
int	ctx_catalog_add(struct ctx_catalog *c, const char *row, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

/* The versions that have an id, or a file at that path; NULL if none has. */
const struct ctx_catalog_file *ctx_catalog_find(const struct ctx_catalog *c,
	    const char *id, size_t len);

/*
 * Is a text as long as a version, in lines and characters or bytes, but perhaps
 * for its last newline?
 */
int	ctx_catalog_same(const struct ctx_catalog_file *v, const char *p,
	    size_t len);

void	ctx_catalog_done(struct ctx_catalog *c);

#endif
