/* SPDX-License-Identifier: MIT */
/* Whose messages are that fit several dialects; see adopt.h. */
#include "edit/adopt.h"

#include <stdlib.h>
#include <string.h>

#include "edit/request.h"

/* Has the object a member, not an empty one, that only the first of two take? */
static int
has_own(const struct ctx_taker *own, const struct ctx_taker *other,
    const struct ctx_doc *doc, uint32_t object)
{
	struct ctx_taker in;
	uint32_t k;

	CTX_FOR_KEYS(doc, k, object)
		if (ctx_shape_filled(doc, k + 1) &&
		    ctx_takes_key(own, doc, object, k, &in) &&
		    !ctx_takes_key(other, doc, object, k, &in))
			return 1;
	return 0;
}

/*
 * Could message m be the target's as well as OpenAI's?  Sets *marked if it has, or a
 * part of it, what OpenAI itself does not take.
 */
static int
is_either(const struct ctx_convo *c, uint32_t m, const struct ctx_target *t,
    const struct ctx_dialect *home, int *marked)
{
	const struct ctx_dialect *openai = ctx_dialect_of(NULL);
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	struct ctx_taker own = { t->takes, NULL };
	struct ctx_taker other = { ctx_to_openai.takes, "openai" };
	uint32_t node = c->msg[m].node, e;
	struct ctx_shape shape;

	ctx_shape_of(&shape, &doc, node);
	if (ctx_dialect_of(c->rec[c->msg[m].rec].dialect) != openai ||
	    c->msg[m].flags & (CTX_FIXED | CTX_ANSWER) ||
	    openai->match(&shape, &doc) > CTX_MATCH_MAYBE ||
	    home->match(&shape, &doc) < CTX_MATCH_MAYBE ||
	    !ctx_takes_all(&own, &doc, node))
		return 0;
	*marked |= has_own(&own, &other, &doc, node);
	own = ctx_takes_in(&own, "content");
	other = ctx_takes_in(&other, "content");
	/* where nothing is said of parts, they are OpenAI's */
	if (own.takes == NULL)
		return ctx_takes_all(&other, &doc, c->msg[m].content);
	CTX_FOR_LIST(&doc, e, c->msg[m].content)
		*marked |= has_own(&own, &other, &doc, e);
	return 1;
}

/* How many APIs take the member of a request?  Sets *own if the target's does. */
static int
takers(const struct ctx_target *t, const struct ctx_doc *doc, uint32_t key,
    int *own)
{
	const struct ctx_target *other;
	struct ctx_taker taker, in;
	int takes, n = 0;
	size_t i;

	for (i = 0; (other = ctx_target_at(i)) != NULL; i++) {
		if (other->request == NULL)
			continue;
		taker = (struct ctx_taker){ other->request->members, NULL };
		takes = ctx_takes_key(&taker, doc, 0, key, &in);
		n += takes;
		if (other == t)
			*own = takes;
	}
	return n;
}

/*
 * Does the member of a request mean the same for OpenAI and the target?  Temperatures
 * above 1 are OpenAI's.
 */
static int
is_common(const struct ctx_doc *doc, uint32_t key)
{
	static const char *const names[] = { "temperature", "top_p",
	    "max_tokens", "stream", "stop", "seed", "frequency_penalty",
	    "presence_penalty" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (ctx_doc_key_is(doc, key, names[i], strlen(names[i])))
			return i > 0 ||
			    strtod(ctx_node_json(doc, key + 1).p, NULL) <= 1;
	return 0;
}

/*
 * Has the request around the messages what only the target takes, or settings that
 * mean the same for it, and no others?
 */
static int
is_asked(const struct ctx_convo *c, const struct ctx_target *t)
{
	const struct ctx_rec *r = &c->rec[0];
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	uint32_t of = r->request != CTX_NONE ? r->request : r->root, k;
	int n, own = 0, common = 0, others = 0;

	if (r->shape != CTX_REC_CONVERSATION || t->request == NULL ||
	    ctx_node_type(&doc, of) != '{')
		return 0;
	CTX_FOR_KEYS(&doc, k, of) {
		n = ctx_shape_filled(&doc, k + 1) ? takers(t, &doc, k, &own) : 0;
		if (n == 1 && own)
			return 1;
		if (n > 0 && own && is_common(&doc, k))
			common++;
		else
			others += n;
	}
	if (common > 0 && others == 0 &&
	    CTX_GIVEN(&doc, of, "tools") == CTX_NONE)
		return 1;
	return ctx_request_takes_tools(t, t->name, &doc, of) &&
	    !ctx_request_takes_tools(&ctx_to_openai, "", &doc, of);
}

void
ctx_adopt(struct ctx_convo *c, const struct ctx_target *t)
{
	const struct ctx_dialect *home = t->only_text ? NULL :
	    ctx_dialect_find(ctx_target_dialect(t));
	int marked = 0;
	uint32_t i;

	if (home == NULL || home == ctx_dialect_of(NULL) || t->takes == NULL)
		return;
	for (i = 0; i < c->nmsg; i++)
		if (!is_either(c, i, t, home, &marked))
			return;
	if (c->nmsg == 0 || (!marked && !is_asked(c, t)))
		return;
	for (i = 0; i < c->nrec; i++)
		if (c->rec[i].nmsg > 0)
			c->rec[i].dialect = home;
	c->dialect = home;
}
