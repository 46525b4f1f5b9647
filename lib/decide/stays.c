/* SPDX-License-Identifier: MIT */
/* What a message is to a cut; see stays.h. */
#include "decide/stays.h"

#include <string.h>

#include "decide/group.h"
#include "decide/summary.h"
#include "decide/window.h"

static int
pinned(const struct ctx_stays *s, const struct ctx_convo *c, uint32_t m)
{
	struct ctx_doc doc;
	uint32_t v;

	if (s->pin == NULL)
		return 0;
	doc = ctx_convo_doc(c, c->msg[m].rec);
	v = CTX_GIVEN(&doc, c->msg[m].node, s->pin);
	return v != CTX_NONE && ctx_node_type(&doc, v) != 'f';
}

unsigned
ctx_stays_flags(struct ctx_stays *s, const struct ctx_convo *c, uint32_t m,
    int more)
{
	const struct ctx_msg *msg = &c->msg[m];
	unsigned flags = 0;

	if (msg->role == CTX_SYSTEM)
		return CTX_WIN_SYSTEM;
	if (more)
		flags |= CTX_WIN_MORE;
	/* joined to the message before it, even one in an earlier turn */
	if (msg->flags & CTX_JOINED)
		flags |= CTX_WIN_FREE | CTX_WIN_MORE;
	if (ctx_group_begins(c, m))
		flags |= CTX_WIN_USER;
	if (msg->role == CTX_ASSISTANT)
		flags |= CTX_WIN_SPEAKS;
	if (ctx_group_waits(c, m))
		flags |= CTX_WIN_WAITS;
	if (pinned(s, c, m))
		flags |= CTX_WIN_MUST;
	if (msg->flags & CTX_SUMMARY)
		flags |= CTX_WIN_MUST;
	if (!s->begun && ctx_summary_is(c, m, NULL, NULL)) {
		flags |= CTX_WIN_MUST;
		s->in_summary = 1;
	} else {
		if (s->in_summary && ctx_summary_is_reply(c, m))
			flags |= CTX_WIN_MUST;
		s->in_summary = 0;
	}
	s->begun = 1;
	return flags;
}

unsigned
ctx_stays_join(unsigned flags, unsigned next)
{
	if ((flags ^ next) & CTX_WIN_SYSTEM)
		return (next & CTX_WIN_SYSTEM ? flags : next) | CTX_WIN_MUST;
	return (flags & (next | ~(unsigned)(CTX_WIN_FREE | CTX_WIN_SPEAKS))) |
	    (next & (CTX_WIN_MUST | CTX_WIN_SPEAKS | CTX_WIN_WAITS));
}
