/* SPDX-License-Identifier: MIT */
/* Calls and results in other branches; see ties.h. */
#include "decide/ties.h"

#include <stdlib.h>

/* The record that stands for all that are tied to record i. */
static uint32_t
top(uint32_t *up, uint32_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

/* Tie the records beside the branch to each other. */
static void
bind(const struct ctx_tie *tie, size_t ntie, const unsigned char *fate,
    uint32_t *up, uint32_t n)
{
	uint32_t i;
	size_t k;

	for (i = 0; i <= n; i++)
		up[i] = i;
	for (k = 0; k < ntie; k++)
		if (fate[tie[k].rec[0]] & fate[tie[k].rec[1]] &
		    CTX_TIES_BESIDE)
			up[top(up, tie[k].rec[0])] = top(up, tie[k].rec[1]);
}

int
ctx_ties_settle(const struct ctx_tie *tie, size_t ntie, unsigned char *fate,
    uint32_t n, struct ctx_err *err)
{
	uint32_t *up = malloc((n + (size_t)1) * sizeof(*up)), a, b, i;
	unsigned char *lost = calloc(n + (size_t)1, 1);
	const int ok = up != NULL && lost != NULL;
	size_t k;

	if (ok)
		bind(tie, ntie, fate, up, n);
	for (k = 0; k < ntie && ok; k++) {
		a = tie[k].rec[0];
		b = tie[k].rec[1];
		if ((fate[a] ^ fate[b]) & CTX_TIES_KEPT)
			lost[top(up, a)] = lost[top(up, b)] = 1;
	}
	for (i = 0; i < n && ok; i++)
		if (fate[i] & CTX_TIES_BESIDE && lost[top(up, i)])
			fate[i] &= (unsigned char)~CTX_TIES_KEPT;
	free(up);
	free(lost);
	return ok ? 0 : ctx_fail_nomem(err);
}
