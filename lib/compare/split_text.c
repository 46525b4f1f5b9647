/* SPDX-License-Identifier: MIT */
/* Two texts in pieces; see split_text.h. */
#include "compare/split_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "compare/align.h"

/* Divide a text; *number gets equal numbers for equal pieces. */
static int
divide(struct ctx_split_text *p, int new, struct ctx_str text,
    ctx_split_text_fn *fn, struct ctx_strmap *map, uint32_t **number)
{
	size_t cap = 0, capnumber = 0, at, next, len, k;

	for (at = 0; at < text.len; at += next) {
		next = fn(text.p + at, text.len - at, &len);
		k = ctx_strmap_add(map, text.p + at, len);
		if (k == CTX_STRMAP_FULL ||
		    CTX_ROOM(p->of[new], p->n[new], &cap) == -1 ||
		    CTX_ROOM(*number, p->n[new], &capnumber) == -1)
			return -1;
		p->of[new][p->n[new]] = (struct ctx_str){ text.p + at,
		    (uint32_t)len };
		(*number)[p->n[new]++] = (uint32_t)k;
	}
	return 0;
}

int
ctx_split_text_pair(struct ctx_split_text *p, struct ctx_str old,
    struct ctx_str new, ctx_split_text_fn *fn, struct ctx_err *err)
{
	struct ctx_strmap map = { 0 };
	uint32_t *a = NULL, *b = NULL;
	int rc = -1;

	memset(p, 0, sizeof(*p));
	if (divide(p, 0, old, fn, &map, &a) == 0 &&
	    divide(p, 1, new, fn, &map, &b) == 0 &&
	    (p->mate = malloc((p->n[0] + 1) * sizeof(*p->mate))) != NULL)
		rc = ctx_align((struct ctx_align_seq){ a, (uint32_t)p->n[0] },
		    (struct ctx_align_seq){ b, (uint32_t)p->n[1] },
		    (uint32_t)map.n, p->mate, err);
	free(a);
	free(b);
	ctx_strmap_done(&map);
	return rc == 0 ? 0 : ctx_fail_nomem(err);
}

void
ctx_split_text_done(struct ctx_split_text *p)
{
	free(p->of[0]);
	free(p->of[1]);
	free(p->mate);
}
