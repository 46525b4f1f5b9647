/* SPDX-License-Identifier: MIT */
/* Groups of messages; see group.h. */
#include "decide/group.h"

#include <string.h>

/* The last message that holds a result of one of message m's calls. */
static uint32_t
reach(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_part *p;
	uint32_t i, last = m, mate;

	for (i = c->msg[m].part; i < c->msg[m].part + c->msg[m].npart; i++) {
		p = &c->part[i];
		if (p->kind != CTX_CALL || p->mate == CTX_NONE)
			continue;
		mate = c->part[p->mate].msg;
		if (mate > last)
			last = mate;
	}
	return last;
}

void
ctx_group_marks(const struct ctx_convo *c, unsigned char *more)
{
	uint32_t m, end = 0, r;

	for (m = 0; m < c->nmsg; m++) {
		more[m] = m > 0 && (m <= end || c->msg[m].flags & CTX_JOINED);
		if ((r = reach(c, m)) > end)
			end = r;
	}
}

int
ctx_group_begins(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	if (c->msg[m].role != CTX_USER)
		return 0;
	for (i = c->msg[m].part; i < c->msg[m].part + c->msg[m].npart; i++)
		if (c->part[i].kind == CTX_RESULT)
			return 0;
	return 1;
}
