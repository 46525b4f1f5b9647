/* SPDX-License-Identifier: MIT */
/* The directory of a zip file in memory, and the contents of its entries. */
#ifndef CTX_DIGEST_ZIP_H
#define CTX_DIGEST_ZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct ctx_zip {
	const unsigned char *data;
	size_t len;
	size_t at;		/* next entry of the directory */
	uint64_t entries;	/* their number, as the directory has it */
};

struct ctx_zip_entry {
	const char *name;	/* not terminated */
	size_t namelen;
	unsigned method;
	size_t size;		/* compressed */
	uint64_t unpacked;	/* as the directory says */
	size_t off;		/* of its local header */
};

/* Returns 0, or -1 if data[0 .. len) has no directory. */
int	ctx_zip_open(struct ctx_zip *z, const char *data, size_t len);

/* Get the next entry; returns 0 at the end. */
int	ctx_zip_next(struct ctx_zip *z, struct ctx_zip_entry *e);

/*
 * Get the entry called name, searching from the first one; returns 0 if there
 * is none.
 */
int	ctx_zip_find(const struct ctx_zip *z, const char *name,
	    struct ctx_zip_entry *e);

/*
 * Append at most max bytes of the entry's contents.  An entry that cannot be
 * read appends nothing.  Returns 1 if that is all, 0 if not, or -1 if out of
 * memory.
 */
int	ctx_zip_read_entry(const struct ctx_zip *z,
	    const struct ctx_zip_entry *e, struct ctx_buf *out, size_t max);

#endif
