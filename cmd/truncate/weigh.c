/* SPDX-License-Identifier: MIT */
/* What a message is to the window; see weigh.h. */
#include "cmd/truncate/weigh.h"

#include <inttypes.h>

#include "cmd/truncate/revise.h"

/* For a reference that was found. */
struct referring {
	const struct cli_stream *stream;
	struct ctx_window *win;
	uint64_t line;
};

unsigned
cut_flags(const struct cut *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_stays *stays)
{
	unsigned flags = ctx_stays_flags(stays, c, m, k->more[m]);

	if (!(flags & CTX_WIN_SYSTEM) && revise_may_part(c, m))
		flags |= CTX_WIN_TEXT;
	return flags;
}

int
cut_weigh(struct cut *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_win_item *item, struct ctx_err *err)
{
	uint64_t cost = 0, less = 0;

	if (!k->counting)
		return 0;
	if (ctx_cost_msg(&k->cost, c, m, &cost, err) == -1 ||
	    (k->win.results_first &&
	    revise_gain(&k->cost, c, m, &less, err) == -1))
		return -1;
	item->cost += cost;
	item->lean += cost - less;
	return 0;
}

/* A reference of the window's last item, and who sent the text first. */
static int
refer(void *arg, uint64_t to, struct ctx_err *err)
{
	struct referring *f = arg;

	if (to != CTX_REFS_GONE)
		return ctx_window_link(f->win, to, err);
	if (f->stream->cli->verbose)
		cli_warn(f->stream->cli, "%s:%" PRIu64
		    ": the text that it refers to is gone", f->stream->file,
		    f->line);
	return 0;
}

int
cut_refer(struct cut *k, struct ctx_window *w, struct ctx_refs *refs,
    const struct ctx_convo *c, uint32_t m, uint32_t end, const char *raw,
    struct ctx_err *err)
{
	struct referring f = { &k->stream, w, c->rec[c->msg[m].rec].line };

	return ctx_refs_scan(refs, w->added - 1, c, m, end, raw, refer, &f,
	    err);
}
