/* SPDX-License-Identifier: MIT */
/* ctx-show --kept; see kept.h. */
#include "cmd/show/kept.h"

#include <stdlib.h>
#include <string.h>

void
show_kept_open(struct show_kept *k, struct cli *c)
{
	static char std[] = "-";
	int i, stdins = 0;

	if ((k->files = calloc((size_t)c->nfile + 2, sizeof(*k->files))) ==
	    NULL)
		cli_nomem(c);
	if (c->nfile == 0)
		k->files[k->left++] = std;
	for (i = 0; i < c->nfile; i++)
		k->files[k->left++] = c->file[i];
	k->files[k->left] = (char *)k->file;
	c->file = k->files;
	c->nfile = k->left + 1;
	for (i = 0; i < c->nfile; i++)
		stdins += strcmp(c->file[i], "-") == 0;
	if (stdins > 1)
		cli_usage(c, "--kept: standard input (-) can be one of both");
}

int
show_kept_take(struct show_kept *k, const struct ctx_shown *m,
    struct ctx_err *err)
{
	if (k->left > 0 && ctx_reel_add(&k->reel, m, err) == -1)
		return -1;
	return ctx_match_add(&k->match, k->left == 0, m, err);
}

void
show_kept_file_end(struct show_kept *k)
{
	k->left -= k->left > 0;
}

int
show_kept_play(struct show_kept *k, ctx_shown_fn *fn, void *arg,
    struct ctx_err *err)
{
	const struct ctx_match_side *old = &k->match.side[0];
	uint32_t i;
	size_t n;

	if (ctx_match_end(&k->match, err) == -1)
		return -1;
	for (i = 0; i < old->nmsg; i++)
		k->reel.m[old->msg[i].added].became =
		    ctx_match_became(&k->match, 0, i);
	for (n = 0; n < k->reel.n; n++)
		if (fn(arg, &k->reel.m[n], err) == -1)
			return -1;
	return 0;
}

void
show_kept_done(struct show_kept *k)
{
	free(k->files);
	ctx_match_done(&k->match);
	ctx_reel_done(&k->reel);
}
