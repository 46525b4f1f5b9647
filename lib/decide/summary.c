/* SPDX-License-Identifier: MIT */
/* The running summary in a stream; see summary.h. */
#include "decide/summary.h"

#include <string.h>

/* The text of a message that consists of one text only. */
static struct ctx_str
only_text(const struct ctx_convo *c, uint32_t m)
{
	struct ctx_str none = { NULL, 0 };
	const struct ctx_msg *msg = &c->msg[m];

	if (msg->npart != 1 || c->part[msg->part].kind != CTX_TEXT)
		return none;
	return ctx_part_text(c, msg->part);
}

int
ctx_summary_is(const struct ctx_convo *c, uint32_t m, uint64_t *turns,
    struct ctx_str *text)
{
	static const char head[] = CTX_SUMMARY_HEAD;
	static const char tail[] = " turns)]:\\n";	/* as spelled in JSON */
	struct ctx_str s = only_text(c, m);
	uint64_t n = 0;
	uint32_t i = sizeof(head) - 1;

	/* --as system puts it there; other roles never hold one */
	if ((c->msg[m].role != CTX_USER && c->msg[m].role != CTX_SYSTEM) ||
	    !ctx_str_starts(s, head))
		return 0;
	for (; i < s.len && s.p[i] >= '0' && s.p[i] <= '9' &&
	    n < 1000000000; i++)
		n = n * 10 + (uint64_t)(s.p[i] - '0');
	if (i == sizeof(head) - 1 || s.len - i < sizeof(tail) - 1 ||
	    memcmp(s.p + i, tail, sizeof(tail) - 1) != 0)
		return 0;
	i += sizeof(tail) - 1;
	if (turns != NULL)
		*turns = n;
	if (text != NULL) {
		text->p = s.p + i;
		text->len = s.len - i;
	}
	return 1;
}

struct ctx_str
ctx_summary_text(const struct ctx_convo *c, uint32_t m, uint64_t *turns)
{
	struct ctx_str text;

	return ctx_summary_is(c, m, turns, &text) ? text : only_text(c, m);
}

int
ctx_summary_is_reply(const struct ctx_convo *c, uint32_t m)
{
	struct ctx_str s = only_text(c, m);

	return c->msg[m].role == CTX_ASSISTANT &&
	    ctx_node_spells(s, CTX_SUMMARY_REPLY);
}
