/* SPDX-License-Identifier: MIT */
/*
 * PCRE2, with its memory watched: its JIT compiler (10.42) uses memory that it
 * was refused, so it is left at that place instead.
 */
#ifndef CTX_BASE_REGEX_H
#define CTX_BASE_REGEX_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"

/*
 * A context for what is compiled for ctx_regex_jit, yours to free with
 * pcre2_compile_context_free; NULL out of memory.
 */
pcre2_compile_context *ctx_regex_context(void) CTX_CHECKED;

/*
 * Compile code, which was compiled in such a context, for this machine; where
 * that cannot be done it only takes longer.  0, or -1: out of memory, and all
 * that can be done with code is to free it.
 */
int	ctx_regex_jit(pcre2_code *code, uint32_t options) CTX_CHECKED;

#endif
