/* SPDX-License-Identifier: MIT */
/*
 * Which messages a provider's cache may hold: those that the latest answer says
 * were read from it or written to it, or else those up to the last mark.
 *
 * An answer says tokens, not messages.  The tokens of its request that were in
 * no cache are those at the end of it; what is before the history, such as
 * definitions of tools, was rather cached.  If we count more than the request
 * had, the tokens are taken in proportion.
 */
#include "show/picture_impl.h"

/* The first message from which on all are sent, up to message end. */
static size_t
sent_from(const struct ctx_picture *p, size_t end)
{
	uint64_t conversation = p->mark[end].conversation;
	size_t i, from = end;

	for (i = end + 1; i-- > 0;)
		if (p->mark[i].conversation == conversation) {
			from = i;
			if (p->mark[i].fresh)
				break;
		}
	return from;
}

static int
is_of(const struct ctx_picture *p, const struct ctx_cached *c, size_t i)
{
	return p->mark[i].conversation == c->conversation;
}

/* End it where the tokens do, at the nearest end of a message. */
static void
end_by_tokens(const struct ctx_picture *p, struct ctx_cached *c, size_t end,
    uint64_t tokens)
{
	uint64_t sum = 0;
	size_t i;

	for (i = c->from; i < end; i++) {
		if (!is_of(p, c, i))
			continue;
		if (sum + p->mark[i].tokens / 2 >= tokens)
			break;
		sum += p->mark[i].tokens;
		c->to = i + 1;
	}
}

static void
by_usage(const struct ctx_picture *p, struct ctx_cached *c)
{
	uint64_t sum = 0, held = p->usage.cached + p->usage.written;
	uint64_t rest = p->usage.input > held ? p->usage.input - held : 0;
	size_t i;

	c->from = c->to = sent_from(p, p->answer);
	c->conversation = p->mark[p->answer].conversation;
	for (i = c->from; i < p->answer; i++)
		sum += is_of(p, c, i) ? p->mark[i].tokens : 0;
	if (sum > p->usage.input)
		rest = (uint64_t)((double)rest * (double)sum /
		    (double)p->usage.input);
	if (rest < sum)
		end_by_tokens(p, c, p->answer, sum - rest);
}

static void
by_mark(const struct ctx_picture *p, struct ctx_cached *c)
{
	c->from = sent_from(p, p->marked - 1);
	c->to = p->marked;
	c->conversation = p->mark[c->from].conversation;
}

int
ctx_cached_is(const struct ctx_picture *p, const struct ctx_cached *c,
    size_t i)
{
	return p->mark[i].cached || (i >= c->from && i < c->to && is_of(p, c,
	    i));
}

struct ctx_cached
ctx_cached_find(const struct ctx_picture *p)
{
	struct ctx_cached c = { 0, 0, 0, 0, 0 };
	size_t i;

	/* of two histories, what was compared says it */
	if (p->nmark == 0 || p->end > 0)
		;
	else if (p->usage.cached + p->usage.written > 0) {
		by_usage(p, &c);
		c.answer = p->mark[p->answer].no;
	} else if (p->marked > 0)
		by_mark(p, &c);
	for (i = 0; i < p->nmark; i++)
		if (ctx_cached_is(p, &c, i))
			c.tokens += p->mark[i].tokens;
	return c;
}
