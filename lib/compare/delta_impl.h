/* SPDX-License-Identifier: MIT */
/* What the files of delta.h share. */
#ifndef CTX_COMPARE_DELTA_IMPL_H
#define CTX_COMPARE_DELTA_IMPL_H

#include "compare/delta.h"

/* The first message of a unit on a side, or NULL if it has none there. */
static inline const struct ctx_match_msg *
ctx_delta_first(const struct ctx_matching *m, const struct ctx_unit *unit,
    int side)
{
	const struct ctx_match_side *s = &m->side[side];

	return unit->n[side] == 0 ? NULL :
	    &s->msg[s->list[unit->first[side]]];
}

/* Append how much of a prompt cache is kept: "cache: all 5 tokens ...". */
void	ctx_delta_cache(const struct ctx_matching *m, struct ctx_buf *out);

/*
 * The first part of a unit that differs, else its first; sets *side to the
 * history that it is of: the new one if it has such a part.
 */
const struct ctx_match_part *ctx_delta_part(const struct ctx_matching *m,
	    const struct ctx_unit *unit, int *side);

#endif
