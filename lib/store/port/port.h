/* SPDX-License-Identifier: MIT */
/*
 * Export and import whole threads as JSON lines, without loss.
 *
 *	{"row":"ctx-store","version":1}
 *	{"row":"thread",...}	then all that belongs to it
 *	...
 *	{"row":"user",...}	the state of one who has no thread
 *	...
 *	{"row":"end","lines":N,"sha256":H}	of the lines before it
 *
 * Shared contents are written once, as {"row":"body"} before their first use,
 * and are referred to by their SHA-256.  Exporting an import gives the same
 * bytes.
 *
 * Names: ctx_export_, ctx_import_.
 */
#ifndef CTX_STORE_PORT_PORT_H
#define CTX_STORE_PORT_PORT_H

#include "read/span.h"
#include "store/store.h"

#define CTX_PORT_VERSION	1

/* Called with each line, including its newline. */
typedef int ctx_port_fn(const char *line, size_t len, void *arg,
	    struct ctx_err *err);

/*
 * What to export of each thread: everything, or only its memory, with the
 * contexts that it belongs to and empty logs.  The first line then has
 * "only":"memory".
 */
enum ctx_port_what { CTX_PORT_ALL, CTX_PORT_MEMORY };

struct ctx_port_want {
	enum ctx_port_what what;
	const char *const *names;	/* of threads; NULL: all, and users
					   without one */
	size_t n;
};

/*
 * Each thread is read in a transaction of its own.  Returns 0, or -1 with *err
 * set.
 */
int	ctx_port_export(struct ctx_store *st, const struct ctx_port_want *want,
	    ctx_port_fn *fn, void *arg, struct ctx_err *err);

/*
 * For this folder: find the thread names[i] or, if names is NULL, the first
 * one after *id (0 at first), which is set to it.  Returns 1, 0 if there are
 * no more, or -1.
 */
int	ctx_port_next(struct ctx_store *st, const char *const *names, size_t i,
	    size_t n, int64_t *id, struct ctx_err *err);

/*
 * Import lines.  A thread is stored, as a whole, when the next thread or the
 * end follows.  What is already there with the same contents is left as it is;
 * messages that differ are an error.  A memory is added to an existing thread
 * without changing the rest of it.
 */
struct ctx_import;

int	ctx_import_new(struct ctx_import **out, struct ctx_store *st,
	    struct ctx_err *err);
/* On CTX_EINPUT, the thread that the line belongs to is not stored. */
int	ctx_import_line(struct ctx_import *im, const char *line, size_t len,
	    struct ctx_err *err);
/* The same for all lines of fd; err->line is the one that failed. */
int	ctx_import_lines(struct ctx_import *im, int fd, struct ctx_err *err);
/* Was the end line read, and does its count match?  If not, CTX_EINPUT. */
int	ctx_import_end(struct ctx_import *im, int64_t *threads,
	    struct ctx_err *err);
void	ctx_import_free(struct ctx_import *im);

#endif
