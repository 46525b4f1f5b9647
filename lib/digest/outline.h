/* SPDX-License-Identifier: MIT */
/*
 * The outline of a source file: what it defines, each with its signature and
 * what it is in, and the words that its code uses.  All zero is empty; it is
 * meant to be used for file after file.
 */
#ifndef CTX_DIGEST_OUTLINE_H
#define CTX_DIGEST_OUTLINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "digest/lang.h"
#include "digest/names.h"

#define CTX_OUTLINE_WORDS	8192	/* distinct words kept per file */

struct ctx_outline_item {
	uint32_t sig, siglen;	/* its signature, in text */
	uint32_t name;		/* its name, in the names of the file */
	uint32_t line;		/* from 1 */
	uint32_t up;		/* the item that it is in, plus 1; 0: none */
	uint32_t words;		/* of its code, without what is in it */
	uint64_t hash;		/* of the last word of its name */
	uint8_t declared;	/* a semicolon stands in place of its body */
};

struct ctx_outline_word {
	uint64_t hash;
	uint32_t n;		/* how often code has it */
};

struct ctx_outline {
	struct ctx_buf text;
	struct ctx_outline_item *item;	/* in the order of their lines */
	size_t n, cap;
	struct ctx_outline_word *word;	/* in the order of their appearance */
	size_t nword, capword;
	int packed;			/* it has lines that nobody reads */
	/* Working storage. */
	uint32_t *slot;			/* index of a word plus 1; 0: free */
	struct ctx_outline_open {	/* the items that a line may be in */
		uint32_t item;
		size_t indent;		/* columns */
	} *open;
	size_t nopen, capopen;
};

/*
 * Outline the file whose names (sorted) are given and of which code is what
 * ctx_reduce made.  Signatures have at most about width bytes.  Returns 0, or
 * -1 with *err set (memory).
 */
int	ctx_outline_make(struct ctx_outline *o, const struct ctx_lang *lang,
	    const struct ctx_names *names, const struct ctx_buf *code,
	    size_t width, struct ctx_err *err) CTX_CHECKED;
void	ctx_outline_done(struct ctx_outline *o);

/* Where a definition is. */
struct ctx_outline_at {
	const struct ctx_lang *lang;
	const char *line, *end;		/* its line, and the end of the code */
	const char *name;
	size_t namelen;
	size_t width;			/* of the signature, in bytes */
};

/*
 * Append the signature: the line up to the body, with the parameters if they
 * take several lines, but without words such as public and static at its
 * beginning.  Of a long one, the last parameters are left out, and an ellipsis
 * stands for them; in place of what a string holds, too.  Sets *declared if it
 * ends with a semicolon.  Returns 0, or -1 if out of memory.
 */
int	ctx_outline_sign(const struct ctx_outline_at *at, struct ctx_buf *out,
	    int *declared) CTX_CHECKED;

#endif
