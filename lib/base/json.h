/* SPDX-License-Identifier: MIT */
/*
 * jansson, with its allocations watched.  When its reader runs out of memory,
 * it drops a byte and goes on, or frees what it never allocated (2.14), and
 * json_pack leaves out an "s*" member.  So reading is abandoned where memory is
 * refused, and after building a value the caller asks:
 *
 *	ctx_json_watch();
 *	root = json_pack("{s:s*}", ...);
 *	if (ctx_json_starved())
 *		out of memory, whatever root is
 */
#ifndef CTX_BASE_JSON_H
#define CTX_BASE_JSON_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

/* Where the JSON is: a file name, an open file, or p[0 .. len). */
struct ctx_json_text {
	const char *path;
	FILE *file;
	const char *p;
	size_t len;
	size_t flags;		/* jansson's, JSON_ALLOW_NUL ... */
};

/*
 * Read a value, which the caller releases with json_decref.  NULL on failure:
 * then ctx_json_starved() says whether memory ran out; if not, *why says what
 * is wrong.  When memory runs out, what was read so far is leaked.
 */
json_t	*ctx_json_read(const struct ctx_json_text *text, json_error_t *why)
	    CTX_CHECKED;

/* Begin to watch jansson's allocations in this thread. */
void	ctx_json_watch(void);

/*
 * Was an allocation of jansson's refused in this thread since ctx_json_watch or
 * ctx_json_read was called?
 */
int	ctx_json_starved(void);

/*
 * Print root, which is released, as one string, which the caller frees.
 * Returns NULL if root is NULL, or if jansson was refused memory since
 * ctx_json_watch: what it prints then may lack a byte.
 */
char	*ctx_json_print(json_t *root, size_t flags) CTX_CHECKED;

#endif
