/* SPDX-License-Identifier: MIT */
/*
 * For languages whose functions have no keyword: keep the declarations and
 * remove the bodies of functions and what is in parentheses.
 *
 *	int main(int argc, char **argv) { return f(argc); }
 *	-> int main() {}
 *
 * With CTX_L_NESTED, scopes in bodies are kept too, such as local and anonymous
 * classes.
 *
 * Branches of #if are kept if they leave as many braces open as they found; of
 * the others only the first is kept.
 */
#ifndef CTX_DIGEST_SCOPE_H
#define CTX_DIGEST_SCOPE_H

#include <stddef.h>

#include "digest/lang.h"

enum ctx_scope_kind {
	CTX_SCOPE_NONE, CTX_SCOPE_NAMED,
	CTX_SCOPE_UNNAMED,	/* an anonymous class */
	CTX_SCOPE_ENUM		/* its constants may have bodies */
};

/* What scope has the text head[0 .. len) before its brace? */
typedef enum ctx_scope_kind ctx_scope_fn(void *arg, const char *head,
	    size_t len);

/*
 * Rewrite text[0 .. len), the result of ctx_reduce, in place; newlines stay.
 * Returns the new length.
 */
size_t	ctx_scope(char *text, size_t len, const struct ctx_lang *lang,
	    ctx_scope_fn *is_scope, void *arg);

#endif
