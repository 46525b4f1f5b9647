/* SPDX-License-Identifier: MIT */
/* A digest as the line that a model reads, and as JSON. */
#ifndef CTX_DIGEST_DIGEST_LINE_H
#define CTX_DIGEST_DIGEST_LINE_H

#include <stddef.h>

#include "base/buf.h"
#include "digest/digest.h"

#define CTX_LINE_WIDTH	240	/* characters, where nothing else is asked */

enum ctx_digest_lang { CTX_EN, CTX_ZH };

/*
 * Append the line, without a newline:
 *
 *	[file read] a.py (python, 150 lines, functions: load, clean, … +12)
 *	[文件已读取] a.py (python, 150行, 函数: load, clean, … +12)
 *
 * or [file written] and [文件已写入].
 *
 * Lists share what width (in characters, 0: no bound) leaves behind the rest;
 * short ones are whole before long ones are cut, and each keeps one name at
 * least.  0, or -1 out of memory.
 */
int	ctx_digest_line(const struct ctx_digest *d, enum ctx_digest_lang lang,
	    size_t width, struct ctx_buf *out);

/* Does the text begin as such a line does, in either language? */
int	ctx_digest_is_line(const char *p, size_t len);

/*
 * Append the members of a JSON object, without its braces, for the caller to
 * add more: "name":…,"kind":…,"bytes":….  0, or -1 out of memory.
 */
int	ctx_digest_json(const struct ctx_digest *d, struct ctx_buf *out);

/* Append a size as people read it: 812B, 2.5KB, 150KB, 3.1MB (1024s). */
void	ctx_digest_size(struct ctx_buf *out, uint64_t bytes);

#endif
