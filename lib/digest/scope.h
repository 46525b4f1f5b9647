/* SPDX-License-Identifier: MIT */
/*
 * For languages whose functions have no keyword: what stands where things are
 * declared, without the bodies of functions and without what is in
 * parentheses.
 *
 *	int main(int argc, char **argv) { return f(argc); }
 *	-> int main() {}
 *
 * Of the branches of #if only those are kept that leave as many braces open
 * as they found; of others the first.
 */
#ifndef CTX_DIGEST_SCOPE_H
#define CTX_DIGEST_SCOPE_H

#include <stddef.h>

#include "digest/lang.h"

/* Is the text at head[0 .. len), before a brace, the head of a scope? */
typedef int ctx_scope_fn(void *arg, const char *head, size_t len);

/*
 * Rewrite text[0 .. len), which ctx_reduce made, in place; newlines stay.
 * Returns the new length.
 */
size_t	ctx_scope(char *text, size_t len, const struct ctx_lang *lang,
	    ctx_scope_fn *is_scope, void *arg);

#endif
