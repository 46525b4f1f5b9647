/* SPDX-License-Identifier: MIT */
/*
 * jansson, with its memory watched.  When its reader lacks memory it drops a
 * byte and goes on, or frees what it never had (2.14); json_pack leaves an "s*"
 * member out.  So a reader is left where memory is refused, and after writing
 * one asks:
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

/* Where JSON stands: a file's name, an open file, or p[0 .. len). */
struct ctx_json_text {
	const char *path;
	FILE *file;
	const char *p;
	size_t len;
	size_t flags;		/* jansson's, JSON_ALLOW_NUL ... */
};

/*
 * The value, yours to json_decref.  NULL: *why says what is wrong with it, or
 * ctx_json_starved() that memory ran out; what was read until then is lost.
 */
json_t	*ctx_json_read(const struct ctx_json_text *text, json_error_t *why)
	    CTX_CHECKED;

/* Begin to watch what this thread does with jansson. */
void	ctx_json_watch(void);

/* Was jansson refused memory in this thread since then, or since it read? */
int	ctx_json_starved(void);

#endif
