/* SPDX-License-Identifier: MIT */
/*
 * PCRE2, with its allocations watched.  Its JIT compiler (10.42) uses memory
 * that it was refused, so it is abandoned at that point instead.
 */
#ifndef CTX_BASE_REGEX_H
#define CTX_BASE_REGEX_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"

/*
 * A context in which to compile code for ctx_regex_jit.  The caller frees it
 * with pcre2_compile_context_free.  NULL if out of memory.
 */
pcre2_compile_context *ctx_regex_context(void) CTX_CHECKED;

/*
 * Compile code, which was compiled in such a context, to machine code.  Where
 * there is no JIT, matching is only slower.  Returns 0, or -1 if out of memory;
 * then code can only be freed.
 */
int	ctx_regex_jit(pcre2_code *code, uint32_t options) CTX_CHECKED;

#endif
