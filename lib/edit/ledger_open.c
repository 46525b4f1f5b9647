/* SPDX-License-Identifier: MIT */
/* Where something could be left out without being counted; see ledger.h. */
#include "edit/ledger_impl.h"

/*
 * Members that every target writes in some form, whose loss is counted
 * elsewhere, or which are no part of what is said: strings,
 */
static const struct ctx_ledger_words strings = {{
	[2] = "id",
	[4] = "from" "kind" "name" "role" "text" "type",
	[5] = "value",
	[6] = "output" "status",
	[7] = "call_id" "content" "summary",
	[8] = "thinking" "toolName",
	[9] = "part_kind" "signature" "tool_name",
	[10] = "toolCallId",
	[11] = "stop_reason" "tool_use_id",
	[12] = "tool_call_id",
	[13] = "finish_reason",
	[17] = "reasoning_content"
}};

/* lists, and objects or lists, of such members, */
static const struct ctx_ledger_words lists = {{
	[5] = "parts",
	[7] = "content" "summary",
	[10] = "tool_calls"
}};
static const struct ctx_ledger_words insides = {{
	[5] = "value",
	[6] = "output",
	[8] = "function" "response",
	[12] = "functionCall",
	[16] = "functionResponse"
}};

/* and those that are carried with whatever is in them. */
static const struct ctx_ledger_words wholes = {{
	[4] = "args",
	[5] = "input",
	[9] = "arguments"
}};

static int has_more(const struct ctx_doc *doc, uint32_t node);

/* Does the member of key consist of such members? */
static int
is_ordinary(const struct ctx_doc *doc, uint32_t key)
{
	if (ctx_ledger_is_word(doc, key, &ctx_ledger_metadata))
		return 1;
	switch (ctx_node_type(doc, key + 1)) {
	case '"':
		return ctx_ledger_is_word(doc, key, &strings) ||
		    ctx_ledger_is_word(doc, key, &wholes);
	case '[':
		if (ctx_ledger_is_word(doc, key, &lists))
			return !has_more(doc, key + 1);
		/* FALLTHROUGH */
	case '{':
		return ctx_ledger_is_word(doc, key, &insides) ? !has_more(doc, key + 1) :
		    ctx_ledger_is_word(doc, key, &wholes);
	case 'n':
		return 1;
	default:
		return ctx_doc_key_is(doc, key, "is_error", 8);
	}
}

/* Has the value at node any other member? */
static int
has_more(const struct ctx_doc *doc, uint32_t node)
{
	uint32_t k;

	CTX_FOR_LIST(doc, k, node)
		if (has_more(doc, k))
			return 1;
	CTX_FOR_KEYS(doc, k, node)
		if (!is_ordinary(doc, k))
			return 1;
	return 0;
}

/*
 * Has object node any other member, besides that in which inside is (CTX_NONE:
 * none) and the one that tells conversations apart?
 */
static int
has_others(const struct ctx_writer *w, const struct ctx_doc *doc,
    uint32_t node, uint32_t inside)
{
	uint32_t k;

	if (ctx_node_type(doc, node) != '{')
		return has_more(doc, node);
	CTX_FOR_KEYS(doc, k, node)
		if ((inside <= k || inside >= doc->node[k + 1].next) &&
		    !(w->by_len > 0 && ctx_doc_key_is(doc, k, w->by,
		    strlen(w->by))) && !is_ordinary(doc, k))
			return 1;
	return 0;
}

/* Has the object at node a member that links calls and results? */
static int
has_links(const struct ctx_doc *doc, uint32_t node)
{
	static const struct ctx_ledger_words links = {{
		[7] = "call_id",
		[8] = "toolName",
		[9] = "tool_name",
		[10] = "toolCallId",
		[11] = "tool_use_id",
		[12] = "tool_call_id"
	}};
	uint32_t k;

	CTX_FOR_KEYS(doc, k, node)
		if (ctx_ledger_is_word(doc, k, &links))
			return 1;
	return 0;
}

/*
 * Has message m a call or result that does not have what it should, or another
 * part that has what only these should?
 */
static int
is_strange(const struct ctx_convo *c, const struct ctx_doc *doc, uint32_t m)
{
	const struct ctx_part *p;
	int alone = c->msg[m].npart == 1;
	uint32_t i;

	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (p->kind == CTX_CALL || p->kind == CTX_RESULT ?
		    p->text == CTX_NONE && (i + 1 == c->npart ||
		    !(p[1].flags & CTX_INNER)) : !(p->flags & CTX_INNER) &&
		    (has_links(doc, p->place[0].node) ||
		    (alone && has_links(doc, c->msg[m].node))))
			return 1;
	}
	return 0;
}

/* Has message m a call or result without an id, for which one may be made? */
static int
lacks_id(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if ((c->part[i].kind == CTX_CALL ||
		    c->part[i].kind == CTX_RESULT) && c->part[i].id.p == NULL)
			return 1;
	return 0;
}

/*
 * Can members of message m be left out of what w writes?  If all messages are
 * the target's own, they are written as they are, unless something must change.
 */
int
ctx_ledger_open(const struct ctx_writer *w, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_rec *r = &c->rec[c->msg[m].rec];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t node = c->msg[m].node, around;

	if (w->s->taker.takes == NULL && w->s->all_own && !plan->changed &&
	    c->msg[m].role != CTX_SYSTEM && !lacks_id(c, m))
		return 0;
	if (node == CTX_NONE)
		return 0;
	around = ctx_convo_unit(c, m);
	return has_others(w, &doc, node, CTX_NONE) || is_strange(c, &doc, m) ||
	    (around != CTX_NONE && around != node && !ctx_ledger_is_log(r) &&
	    has_others(w, &doc, around, node));
}

/* Can members of a whole conversation be left out? */
int
ctx_ledger_open_around(const struct ctx_writer *w, const struct ctx_convo *c)
{
	static const struct ctx_ledger_words prompts = {{
		[6] = "system",
		[12] = "instructions",
		[17] = "systemInstruction",
		[18] = "system_instruction"
	}};
	struct ctx_doc doc;
	uint32_t root, k;

	if (c->nrec == 0 || c->rec[0].shape != CTX_REC_CONVERSATION)
		return 0;
	if (w->request || w->lines || ctx_convo_traced(c))
		return 1;
	doc = ctx_convo_doc(c, 0);
	root = c->rec[0].root;
	/* another dialect's prompt is not carried */
	if (!(c->nmsg > 0 && c->msg[0].flags & CTX_FIXED))
		CTX_FOR_KEYS(&doc, k, root)
			if (ctx_ledger_is_word(&doc, k, &prompts))
				return 1;
	return 0;
}

int
ctx_ledger_needed(const struct ctx_ledger *l, const struct ctx_writer *w,
    const struct ctx_plan *plan, const struct ctx_convo *c)
{
	uint32_t m;

	if (l->rows || ctx_ledger_open_around(w, c))
		return 1;
	for (m = 0; m < c->nmsg; m++)
		if (ctx_ledger_open(w, plan, c, m))
			return 1;
	return 0;
}
