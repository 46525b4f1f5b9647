/* SPDX-License-Identifier: MIT */
/*
 * Whole threads as JSON lines, out and in again, without loss.
 *
 *	{"row":"ctx-store","version":1}
 *	{"row":"thread",...}	then all that belongs to it
 *	...
 *	{"row":"user",...}	the state of one who has no thread
 *	...
 *	{"row":"end","lines":N}
 *
 * Contents that are shared come once, as {"row":"body"} before their first
 * use, and are named by their SHA-256.  The export of an import is the same,
 * byte for byte.
 *
 * Names: ctx_export_, ctx_import_.
 */
#ifndef CTX_STORE_PORT_PORT_H
#define CTX_STORE_PORT_PORT_H

#include "read/span.h"
#include "store/store.h"

#define CTX_PORT_VERSION	1

/* Takes each line, its newline included. */
typedef int ctx_port_fn(const char *line, size_t len, void *arg,
	    struct ctx_err *err);

/*
 * Of a thread, all; or its memory alone, with the contexts that it belongs to,
 * whose logs are empty then.  The first line says so: "only":"memory".
 */
enum ctx_port_what { CTX_PORT_ALL, CTX_PORT_MEMORY };

struct ctx_port_want {
	enum ctx_port_what what;
	const char *const *names;	/* of threads; NULL: all, and users
					   without one */
	size_t n;
};

/* Each thread is read in a transaction of its own.  0, or -1 with *err. */
int	ctx_port_export(struct ctx_store *st, const struct ctx_port_want *want,
	    ctx_port_fn *fn, void *arg, struct ctx_err *err);

/*
 * For this folder: the thread of names[i], or with names NULL the first one
 * behind *id (0 at first), which gets it.  1, 0: no more, -1.
 */
int	ctx_port_next(struct ctx_store *st, const char *const *names, size_t i,
	    size_t n, int64_t *id, struct ctx_err *err);

/*
 * Taking lines in.  A thread is stored, whole, when the next one or the end
 * comes.  What is there already with the same contents is left; messages that
 * differ are an error.  A memory joins a thread that is there and changes
 * nothing of it.
 */
struct ctx_import;

int	ctx_import_new(struct ctx_import **out, struct ctx_store *st,
	    struct ctx_err *err);
/* -1: CTX_EINPUT, the thread that line belongs to is not stored. */
int	ctx_import_line(struct ctx_import *im, const char *line, size_t len,
	    struct ctx_err *err);
/* Was the end seen, and did it count as many lines?  Else CTX_EINPUT. */
int	ctx_import_end(struct ctx_import *im, int64_t *threads,
	    struct ctx_err *err);
void	ctx_import_free(struct ctx_import *im);

#endif
