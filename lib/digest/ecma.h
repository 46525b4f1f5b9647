/* SPDX-License-Identifier: MIT */
/*
 * What a text in JavaScript or TypeScript defines.  Patterns cannot tell a
 * property whose value is a function from one whose type is, so the text is
 * read as tokens, and as statements, members and types as far as it takes to
 * tell them.  A text that is not well-formed is read on as well as it goes.
 */
#ifndef CTX_DIGEST_ECMA_H
#define CTX_DIGEST_ECMA_H

#include <stddef.h>

#include "digest/names.h"

/* All zero is ready for use; memory is reused. */
struct ctx_ecma {
	struct ctx_ecma_token *token;
	size_t n, cap;
};

/*
 * Add the names of functions, classes and types in src[0 .. len), at most
 * 16 MiB.  jsx says whether <x> where a value may be is an element.  The time
 * is linear in len for any text.  Returns 0, or -1 if out of memory.
 */
int	ctx_ecma_find(struct ctx_ecma *e, struct ctx_names *names,
	    const char *src, size_t len, int jsx);

void	ctx_ecma_done(struct ctx_ecma *e);

#endif
