/* SPDX-License-Identifier: MIT */
/*
 * For languages whose functions have no keyword: keep the declarations and
 * remove the bodies of functions and what is in parentheses.
 *
 *	int main(int argc, char **argv) { return f(argc); }
 *	-> int main() {}
 *
 * Branches of #if are kept if they leave as many braces open as they found; of
 * the others only the first is kept.
 */
#ifndef CTX_DIGEST_SCOPE_H
#define CTX_DIGEST_SCOPE_H

#include <stddef.h>

#include "digest/lang.h"

/* Is the text head[0 .. len), which precedes a brace, the head of a scope? */
typedef int ctx_scope_fn(void *arg, const char *head, size_t len);

/*
 * Rewrite text[0 .. len), the result of ctx_reduce, in place; newlines stay.
 * Returns the new length.
 */
size_t	ctx_scope(char *text, size_t len, const struct ctx_lang *lang,
	    ctx_scope_fn *is_scope, void *arg);

#endif
