/* SPDX-License-Identifier: MIT */
/* What the files of match.h share. */
#ifndef CTX_COMPARE_MATCH_IMPL_H
#define CTX_COMPARE_MATCH_IMPL_H

#include "compare/match.h"

/* A sum of texts that is that of the texts one after another. */
struct ctx_match_sum {
	uint32_t sum[2];
	uint64_t marks;
};

void	ctx_match_sum_part(struct ctx_match_sum *s,
	    const struct ctx_match_part *p);

static inline int
ctx_match_sum_same(const struct ctx_match_sum *a,
    const struct ctx_match_sum *b)
{
	return a->marks == b->marks && a->sum[0] == b->sum[0] &&
	    a->sum[1] == b->sum[1];
}

/* Make a pair of part i of the old history and part j of the new one. */
static inline void
ctx_match_pair(struct ctx_matching *m, uint32_t i, uint32_t j,
    enum ctx_match_how how)
{
	m->side[0].part[i].mate = j;
	m->side[0].part[i].how = how;
	m->side[1].part[j].mate = i;
	m->side[1].part[j].how = how;
}

/* Pair parts; make units of what is paired.  0, or -1 with CTX_ENOMEM. */
int	ctx_match_parts(struct ctx_matching *m, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_match_units(struct ctx_matching *m, struct ctx_err *err)
	    CTX_CHECKED;

#endif
