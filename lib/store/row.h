/* SPDX-License-Identifier: MIT */
/*
 * One JSON object on one line, as lists and exports print it:
 *
 *	ctx_row_begin(&b);
 *	ctx_row_text(&b, "thread_id", name);
 *	ctx_row_int(&b, "messages", n);
 *	ctx_row_end(&b);	now b.data[0 .. b.len) ends in a newline
 *
 * Additions are checked once, by ctx_buf_fail(b).
 */
#ifndef CTX_STORE_ROW_H
#define CTX_STORE_ROW_H

#include <stdint.h>

#include "base/buf.h"

/* Empties b and opens the object. */
void	ctx_row_begin(struct ctx_buf *b);
void	ctx_row_end(struct ctx_buf *b);

/* NULL prints null. */
void	ctx_row_text(struct ctx_buf *b, const char *key, const char *text);
void	ctx_row_bytes(struct ctx_buf *b, const char *key, const char *text,
	    size_t len);
void	ctx_row_int(struct ctx_buf *b, const char *key, int64_t v);
void	ctx_row_bool(struct ctx_buf *b, const char *key, int v);
/* As RFC 3339. */
void	ctx_row_when(struct ctx_buf *b, const char *key, int64_t t);
/* JSON as it is, line ends in it as spaces; NULL prints null. */
void	ctx_row_json(struct ctx_buf *b, const char *key, const char *json,
	    size_t len);

#endif
