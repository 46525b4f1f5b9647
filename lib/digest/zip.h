/* SPDX-License-Identifier: MIT */
/* The directory of a zip file in memory, and its entries' contents. */
#ifndef CTX_DIGEST_ZIP_H
#define CTX_DIGEST_ZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct ctx_zip {
	const unsigned char *data;
	size_t len;
	size_t at;		/* the next entry of the directory */
	uint64_t entries;	/* as many as the directory says it has */
};

struct ctx_zip_entry {
	const char *name;	/* not terminated */
	size_t namelen;
	unsigned method;
	size_t size;		/* compressed */
	size_t off;		/* of its local header */
};

/* 0, or -1 if data[0 .. len) has no directory. */
int	ctx_zip_open(struct ctx_zip *z, const char *data, size_t len);

/* The next entry; 0 at the end. */
int	ctx_zip_next(struct ctx_zip *z, struct ctx_zip_entry *e);

/* The entry of that name; 0 if there is none.  Starts from the first one. */
int	ctx_zip_find(const struct ctx_zip *z, const char *name,
	    struct ctx_zip_entry *e);

/*
 * Append at most max bytes of its contents.  0, or -1 out of memory; what
 * cannot be read appends nothing.
 */
int	ctx_zip_read_entry(const struct ctx_zip *z,
	    const struct ctx_zip_entry *e, struct ctx_buf *out, size_t max);

#endif
