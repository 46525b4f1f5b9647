/* SPDX-License-Identifier: MIT */
/*
 * What a source file defines, found with the patterns of its language's row.
 * The patterns are compiled when a language is first met and kept for later
 * files.  All zero is ready for use; one struct serves one thread.
 */
#ifndef CTX_DIGEST_SYMBOLS_H
#define CTX_DIGEST_SYMBOLS_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "digest/ecma.h"
#include "digest/lang.h"
#include "digest/names.h"

/* Number of bytes of a source file that are searched; the rest is ignored. */
#define CTX_SYMBOLS_MAX	((size_t)4 << 20)

struct ctx_symbols {
	struct ctx_patterns *patterns;	/* one for each row of ctx_langs */
	struct ctx_matcher *matcher;
	struct ctx_ecma ecma;
	struct ctx_buf text;
	struct ctx_buf *code;	/* unless NULL, it gets what ctx_reduce made of
				   the last source that was searched */
};

/*
 * Add the names that src[0 .. len) defines, sorted by list and line.  PCRE2's
 * limits bound the time for any text.  Returns 0, or -1 with *err set.
 */
int	ctx_symbols_find(struct ctx_symbols *s, struct ctx_names *names,
	    const struct ctx_lang *lang, const char *src, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_symbols_done(struct ctx_symbols *s);

#endif
