/* SPDX-License-Identifier: MIT */
/* A digest as a line for a model, and as JSON. */
#ifndef CTX_DIGEST_DIGEST_LINE_H
#define CTX_DIGEST_DIGEST_LINE_H

#include <stddef.h>

#include "base/buf.h"
#include "base/wording.h"
#include "digest/digest.h"

#define CTX_LINE_WIDTH	240	/* default, in characters */

/*
 * Append the line, without a newline:
 *
 *	[file read] a.py (python, 150 lines, functions: load, clean, … +12)
 *	[文件已读取] a.py (python, 150行, 函数: load, clean, … +12)
 *
 * or [file written] and [文件已写入].
 *
 * Lists share the part of width (in characters, 0 for no limit) that the rest
 * of the line leaves.  Long lists are cut before short ones, and each keeps at
 * least one name.
 * Returns 0, or -1 if out of memory.
 */
int	ctx_digest_line(const struct ctx_digest *d, enum ctx_wording lang,
	    size_t width, struct ctx_buf *out);

/* The same without [file read], for lists of files. */
int	ctx_digest_item(const struct ctx_digest *d, enum ctx_wording lang,
	    size_t width, struct ctx_buf *out);

/* Append how such a line of a file that was read begins. */
void	ctx_digest_mark(struct ctx_buf *out, enum ctx_wording lang);

/* Does the text begin like such a line, in either language? */
int	ctx_digest_is_line(const char *p, size_t len);
/* Does it begin with one of two marks in either language? */
int	ctx_digest_begins(const char *const marks[][2], const char *p,
	    size_t len);

/*
 * Append the members of a JSON object, "name":…,"kind":…,"bytes":…, without
 * its braces, so that the caller can add more.  Returns 0, or -1 if out of
 * memory.
 */
int	ctx_digest_json(const struct ctx_digest *d, struct ctx_buf *out);

/*
 * Append a size in human-readable form: 812B, 2.5KB, 150KB, 3.1MB (powers of
 * 1024).
 */
void	ctx_digest_size(struct ctx_buf *out, uint64_t bytes);

#endif
