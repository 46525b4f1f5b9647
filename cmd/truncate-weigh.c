/* SPDX-License-Identifier: MIT */
/* What a message is to the window; see truncate-weigh.h. */
#include "truncate-weigh.h"

#include <inttypes.h>
#include <string.h>

#include "decide/group.h"
#include "decide/summary.h"
#include "truncate-revise.h"

static int
pinned(const struct cut *k, const struct ctx_convo *c, uint32_t m)
{
	struct ctx_doc doc;
	uint32_t v;

	if (k->pin == NULL)
		return 0;
	doc = ctx_convo_doc(c, c->msg[m].rec);
	v = ctx_doc_get(&doc, c->msg[m].node, k->pin, strlen(k->pin));
	return v != CTX_NONE && ctx_node_type(&doc, v) != 'f' &&
	    ctx_node_type(&doc, v) != 'n';
}

unsigned
cut_flags(const struct cut *k, const struct ctx_convo *c, uint32_t m,
    int *begun, int *in_summary)
{
	const struct ctx_msg *msg = &c->msg[m];
	unsigned flags = 0;

	if (msg->role == CTX_SYSTEM)
		return CTX_WIN_SYSTEM;
	if (k->more[m])
		flags |= CTX_WIN_MORE;
	/* of the message before it, which may have come a turn ago */
	if (msg->flags & CTX_JOINED)
		flags |= CTX_WIN_FREE | CTX_WIN_MORE;
	if (ctx_group_begins(c, m))
		flags |= CTX_WIN_USER;
	if (revise_may_part(c, m))
		flags |= CTX_WIN_TEXT;
	if (pinned(k, c, m))
		flags |= CTX_WIN_MUST;
	if (msg->flags & CTX_SUMMARY)
		flags |= CTX_WIN_MUST;
	if (!*begun && ctx_summary_is(c, m, NULL, NULL)) {
		flags |= CTX_WIN_MUST;
		*in_summary = 1;
	} else {
		if (*in_summary && ctx_summary_is_reply(c, m))
			flags |= CTX_WIN_MUST;
		*in_summary = 0;
	}
	*begun = 1;
	return flags;
}

int
cut_weigh(struct cut *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_win_item *item, struct ctx_err *err)
{
	uint64_t cost = 0, less = 0;

	if (!k->counting)
		return 0;
	if (cli_cost_msg(&k->cost, c, m, &cost, err) == -1 ||
	    (k->win.results_first &&
	    revise_gain(&k->cost, c, m, &less, err) == -1))
		return -1;
	item->cost += cost;
	item->lean += cost - less;
	return 0;
}

int
cut_refer(struct cut *k, struct ctx_window *w, struct ctx_refs *refs,
    const struct ctx_convo *c, uint32_t m, uint32_t end, const char *raw,
    struct ctx_err *err)
{
	const struct ctx_rec *rec = &c->rec[c->msg[m].rec];
	const struct ctx_part *p;
	struct ctx_ref ref;
	struct ctx_str s;
	uint64_t to;
	int found;

	for (p = c->part + c->msg[m].part; m < end && p < c->part + c->npart &&
	    p->msg < end; p++) {
		if ((p->kind != CTX_TEXT && p->kind != CTX_RESULT) ||
		    p->flags & CTX_RAW)
			continue;
		s = ctx_part_text(c, (uint32_t)(p - c->part));
		if (ctx_refs_parse(s, &ref)) {
			found = ctx_refs_find(refs, &ref, &to, err);
			if (found == -1 || (found == 1 &&
			    ctx_window_link(w, to, err) == -1))
				return -1;
			if (found == 0 && k->stream.cli->verbose)
				cli_warn(k->stream.cli, "%s:%" PRIu64
				    ": the text that it refers to is gone",
				    k->stream.file, rec->line);
		} else if (s.p != NULL) {
			s.p = raw + (s.p - rec->raw);
			if (ctx_refs_add(refs, w->added - 1, s, err) == -1)
				return -1;
		}
	}
	return 0;
}
