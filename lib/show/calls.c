/* SPDX-License-Identifier: MIT */
/* A number for each call; see calls.h. */
#include "show/calls.h"

#include <inttypes.h>
#include <stdlib.h>

int
ctx_calls_find(struct ctx_calls *c, uint64_t conversation, struct ctx_str id,
    uint64_t **of, struct ctx_err *err)
{
	size_t at;

	*of = NULL;
	if (id.p == NULL || id.len == 0)
		return 0;
	ctx_buf_reset(&c->word);
	ctx_buf_addf(&c->word, "%" PRIu64 " ", conversation);
	ctx_buf_add(&c->word, id.p, id.len);
	if (ctx_buf_fail(&c->word, err) == -1)
		return -1;
	at = ctx_strmap_add(&c->ids, c->word.data, c->word.len);
	if (at == CTX_STRMAP_FULL || CTX_ROOM(c->of, at, &c->cap) == -1)
		return ctx_fail_nomem(err);
	while (c->n <= at)
		c->of[c->n++] = 0;
	*of = &c->of[at];
	return 0;
}

void
ctx_calls_done(struct ctx_calls *c)
{
	ctx_strmap_done(&c->ids);
	free(c->of);
	ctx_buf_done(&c->word);
}
