/* SPDX-License-Identifier: MIT */
/*
 * A map of a tree in a number of tokens: the signatures of what matters most
 * in it, by how its files use each other (digest/refrank.h), the names of what
 * matters less, and how many files and definitions are left out.
 *
 *	src/ … +12 files
 *	 store.py
 *	  class Store(Base)
 *	   def put(self, key, value)
 *	  check, main, … +3
 *
 * The order is that of paths and lines.  Memory grows with the number of files
 * and of what they define.
 */
#ifndef CTX_JOB_MAP_H
#define CTX_JOB_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/wording.h"
#include "digest/digest.h"
#include "job/cost.h"

struct ctx_map_opts {
	uint64_t tokens;		/* the map has at most so many */
	size_t width;			/* of a line, about; in characters */
	enum ctx_wording lang;
	struct ctx_cost *cost;		/* what counts them */
	const char *const *focus;	/* paths and words that matter most */
	size_t nfocus;
};

struct ctx_map_sums {
	uint64_t files, shown;		/* all, and those that are shown */
	uint64_t definitions, signatures, names;
	uint64_t tokens;		/* of the map */
};

struct ctx_map;

/* A new map; what opts points to must outlive it.  NULL with *err. */
struct ctx_map *ctx_map_new(const struct ctx_map_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * What the digests of the files must have as symbols.code (see
 * digest/symbols.h).
 */
struct ctx_buf *ctx_map_code(struct ctx_map *m);

/* Add a file that was digested under its path.  0, or -1 with *err. */
int	ctx_map_add(struct ctx_map *m, const struct ctx_digest *d,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Append the map of what was added, once.  Returns 1, 0 if not even the number
 * of files fits, or -1 with *err.
 */
int	ctx_map_make(struct ctx_map *m, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

/* Did any path or definition match focus i?  Known after ctx_map_make. */
int	ctx_map_focused(const struct ctx_map *m, size_t i);

const struct ctx_map_sums *ctx_map_figures(const struct ctx_map *m);
void	ctx_map_free(struct ctx_map *m);

#endif
