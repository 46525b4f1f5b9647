/* SPDX-License-Identifier: MIT */
/*
 * Code in the text of an answer: Markdown's fenced blocks, and references to
 * code that is kept elsewhere, <code_ref>ID</code_ref>.
 *
 * Fences are CommonMark's, but for their indentation: as models write them
 * inside of lists, any white space may stand before one, and what stands
 * before the first is taken from each line of its code.
 */
#ifndef CTX_DECIDE_CODE_H
#define CTX_DECIDE_CODE_H

#include <stddef.h>

#include "base/buf.h"

/* All are offsets in the text and lengths, in bytes. */
struct ctx_code_fence {
	size_t from, to;	/* from the first fence up to the last one's
				   end, white space around it left out */
	size_t indent;		/* before from, on its line */
	size_t info, infolen;	/* "python", white space around it left out */
	size_t lang;		/* of that, the language's name: its length */
	size_t code, codelen;	/* the lines between, as they stand */
	int open;		/* there is no last fence: to is the end */
};

/*
 * The next block of text[*pos .. len), where *pos begins a line.  1, and *pos
 * is behind its last line; 0 if there is none.
 */
int	ctx_code_fence_next(const char *text, size_t len, size_t *pos,
	    struct ctx_code_fence *f);

/* Append the code of f without its indentation. */
int	ctx_code_fence_take(const char *text, const struct ctx_code_fence *f,
	    struct ctx_buf *out);

/*
 * Append code as a block, as ctx_code_fence_next gives it back: from its first
 * fence up to its last.  indent goes before each line but the first and those
 * that are blank.
 */
int	ctx_code_fence_put(struct ctx_buf *out, const char *indent,
	    size_t indentlen, const char *lang, const char *code, size_t len);

struct ctx_code_ref {
	size_t from, to;	/* with its tags */
	size_t id, idlen;	/* what is between them: letters, digits and
				   . _ - @, at most CTX_CODE_REF_MAX */
};

#define CTX_CODE_REF_MAX	160

/* The next reference of text[*pos .. len).  1, and *pos is behind it; 0. */
int	ctx_code_ref_next(const char *text, size_t len, size_t *pos,
	    struct ctx_code_ref *r);

/* Is all of the text one reference? */
int	ctx_code_ref_is(const char *text, size_t len);

#endif
