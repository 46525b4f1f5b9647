/* SPDX-License-Identifier: MIT */
/* PCRE2's memory; see regex.h. */
#include "base/regex.h"

#include <setjmp.h>
#include <stdlib.h>

static _Thread_local int compiling;
static _Thread_local jmp_buf out;

static void *
watched(size_t n, void *arg)
{
	void *p = malloc(n);

	(void)arg;
	if (p == NULL && compiling)
		longjmp(out, 1);
	return p;
}

static void
give_back(void *p, void *arg)
{
	(void)arg;
	free(p);
}

pcre2_compile_context *
ctx_regex_context(void)
{
	pcre2_general_context *general = pcre2_general_context_create(watched,
	    give_back, NULL);
	pcre2_compile_context *context = NULL;

	if (general != NULL)
		context = pcre2_compile_context_create(general);
	pcre2_general_context_free(general);	/* its functions were copied */
	return context;
}

int
ctx_regex_jit(pcre2_code *code, uint32_t options)
{
	int rc = -1;

#ifdef CTX_NO_JIT
	/* for valgrind, which cannot judge code that is made at run time */
	return 0;
#endif
	compiling = 1;
	if (setjmp(out) == 0) {
		pcre2_jit_compile(code, options);
		rc = 0;
	}
	compiling = 0;
	return rc;
}
