/* SPDX-License-Identifier: MIT */
/*
 * Code in the text of an answer: Markdown's fenced blocks, and references to
 * code that is stored elsewhere, <code_ref>ID</code_ref>.
 *
 * Fences follow CommonMark except in their indentation.  Models write them
 * inside of lists, so a fence may be indented by any white space, and the
 * indentation of the first fence is removed from each line of the code.
 */
#ifndef CTX_DECIDE_CODE_H
#define CTX_DECIDE_CODE_H

#include <stddef.h>

#include "base/buf.h"

/* All are offsets in the text, or lengths, in bytes. */
struct ctx_code_fence {
	size_t from, to;	/* from the first fence to the end of the last,
				   without the white space around */
	size_t indent;		/* white space before from, on its line */
	size_t info, infolen;	/* "python", without the white space around
				   it */
	size_t lang;		/* length of the language name at the start of
				   info */
	size_t code, codelen;	/* the lines between the fences, unchanged */
	int open;		/* there is no closing fence: to is the end */
};

/*
 * Find the next block of text[*pos .. len), where *pos is the start of a line.
 * Returns 1 with *pos after the block's last line, or 0 if there is none.
 */
int	ctx_code_fence_next(const char *text, size_t len, size_t *pos,
	    struct ctx_code_fence *f);

/* Append the code of f without its indentation. */
int	ctx_code_fence_take(const char *text, const struct ctx_code_fence *f,
	    struct ctx_buf *out);

/*
 * Append code as a block that ctx_code_fence_next reads back, from its first
 * fence to its last.  indent is put before each line, except the first one and
 * blank ones.
 */
int	ctx_code_fence_put(struct ctx_buf *out, const char *indent,
	    size_t indentlen, const char *lang, const char *code, size_t len);

struct ctx_code_ref {
	size_t from, to;	/* including the tags */
	size_t id, idlen;	/* the text between them: letters, digits and .
				   _ - @, at most CTX_CODE_REF_MAX */
};

#define CTX_CODE_REF_MAX	160

/* Find the next reference in text[*pos .. len).  1 with *pos after it, or 0. */
int	ctx_code_ref_next(const char *text, size_t len, size_t *pos,
	    struct ctx_code_ref *r);

/* Is the whole text one reference? */
int	ctx_code_ref_is(const char *text, size_t len);

#endif
