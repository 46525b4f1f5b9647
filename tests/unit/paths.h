/* SPDX-License-Identifier: MIT */
/* For the tests of read/span, which run with every code path of the scanner. */
#ifndef CTX_TESTS_PATHS_H
#define CTX_TESTS_PATHS_H

#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "read/span.h"

#define S(s)	(s), sizeof(s) - 1	/* bytes that may include NULs */

static const char *const paths[] = {
	"avx512", "avx2", "neon", "portable"
};

#define NPATHS	(sizeof(paths) / sizeof(paths[0]))

/* The outcome of a scan; col is 0 on success. */
struct result {
	size_t col;
	const char *text;
	struct ctx_doc doc;
	struct ctx_err err;
};

/* Scan a copy of exactly this size, so that the sanitizer finds any overrun. */
static inline void
scan(struct result *r, const char *raw, size_t len)
{
	char *copy = malloc(len > 0 ? len : 1);
	int rc;

	if (len > 0)
		memcpy(copy, raw, len);
	ctx_err_clear(&r->err);
	rc = ctx_doc_scan(&r->doc, copy, len, &r->err);
	if (rc == -1 && r->err.code != CTX_EINPUT)
		abort();
	r->col = rc == -1 ? r->err.col : 0;
	r->text = r->err.text;
	r->doc.raw = NULL;
	free(copy);
}

#endif
