/* SPDX-License-Identifier: MIT */
/*
 * Write one JSON object on one line, as lists and exports print it:
 *
 *	ctx_row_begin(&b);
 *	ctx_row_text(&b, "thread_id", name);
 *	ctx_row_int(&b, "messages", n);
 *	ctx_row_end(&b);	now b.data[0 .. b.len) ends in a newline
 *
 * Errors are checked once at the end, with ctx_buf_fail(b).
 */
#ifndef CTX_STORE_ROW_H
#define CTX_STORE_ROW_H

#include <stdint.h>

#include "base/buf.h"

/* Empty b and open the object. */
void	ctx_row_begin(struct ctx_buf *b);
void	ctx_row_end(struct ctx_buf *b);

/* NULL prints null. */
void	ctx_row_text(struct ctx_buf *b, const char *key, const char *text);
void	ctx_row_bytes(struct ctx_buf *b, const char *key, const char *text,
	    size_t len);
void	ctx_row_int(struct ctx_buf *b, const char *key, int64_t v);
void	ctx_row_bool(struct ctx_buf *b, const char *key, int v);
/* Prints the time as RFC 3339. */
void	ctx_row_when(struct ctx_buf *b, const char *key, int64_t t);
/*
 * Copies JSON unchanged, except that line ends become spaces; NULL prints
 * null.
 */
void	ctx_row_json(struct ctx_buf *b, const char *key, const char *json,
	    size_t len);

#endif
