/* SPDX-License-Identifier: MIT */
/*
 * Lines of a log, packed: a bundle holds consecutive lines of one context,
 * compressed together.  A message whose row has neither its line nor a body
 * has it in the bundle that covers its seq.  For this folder only; pack.h
 * makes them.
 */
#ifndef CTX_STORE_BUNDLE_H
#define CTX_STORE_BUNDLE_H

#include "base/buf.h"
#include "store/db.h"

/* A bundle in memory. */
struct ctx_bundle {
	int64_t id;			/* its row; 0 for a new one */
	int64_t thread, context;
	int64_t first, last;		/* seqs; none if last < first */
	struct ctx_buf text;		/* all lines, one after the other */
	size_t *end;			/* where each ends in text */
	size_t n, cap;			/* n is last - first + 1 */
};

/*
 * Append the line of that message to out.  It is CTX_ESYSTEM if no bundle has
 * it.
 */
int	ctx_bundle_line(struct ctx_store *st, int64_t thread, int64_t context,
	    int64_t seq, struct ctx_buf *out, struct ctx_err *err);

/*
 * Read the newest bundle of the context that begins at seq or before it.
 * Returns 1, 0 if there is none, or -1.
 */
int	ctx_bundle_read(struct ctx_store *st, int64_t thread, int64_t context,
	    int64_t seq, struct ctx_bundle *b, struct ctx_err *err);

/* Add a line, or none (len 0), as the last one. */
int	ctx_bundle_add(struct ctx_bundle *b, const char *line, size_t len,
	    struct ctx_err *err);

/* Make it a new, empty bundle that begins with that message. */
void	ctx_bundle_begin(struct ctx_bundle *b, int64_t thread, int64_t context,
	    int64_t first);

/* Forget what was read and what is being filled: the bundles have changed. */
void	ctx_bundle_forget(struct ctx_store *st);

/* A transaction begins: others may have changed them. */
void	ctx_bundle_recheck(struct ctx_store *st);

/* The bundle that is being filled, which has lines that no row has yet. */
struct ctx_bundle *ctx_bundle_open(struct ctx_store *st, struct ctx_err *err);

void	ctx_bundle_free(struct ctx_bundles *b);

#endif
