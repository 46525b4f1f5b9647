/* SPDX-License-Identifier: MIT */
/* The table of dialects, detection, and the way from a record to messages. */
#include <string.h>

#include "view/view.h"

/* Order matters for lines that fit several: the first one that fits wins. */
const struct ctx_dialect *const ctx_dialects[] = {
	&ctx_openai, &ctx_anthropic, NULL
};

static const struct {
	const char *name;
	size_t len;
} keys[CTX_K_N] = {
#define KEY(k, s) [k] = { s, sizeof(s) - 1 }
	KEY(CTX_K_ROLE, "role"), KEY(CTX_K_CONTENT, "content"),
	KEY(CTX_K_TYPE, "type"), KEY(CTX_K_NAME, "name"), KEY(CTX_K_ID, "id"),
	KEY(CTX_K_TOOL_CALLS, "tool_calls"),
	KEY(CTX_K_TOOL_CALL_ID, "tool_call_id"),
	KEY(CTX_K_FUNCTION_CALL, "function_call"),
	KEY(CTX_K_REFUSAL, "refusal"),
	KEY(CTX_K_REASONING_CONTENT, "reasoning_content"),
	KEY(CTX_K_PARTS, "parts"), KEY(CTX_K_KIND, "kind"),
	KEY(CTX_K_MESSAGE, "message"), KEY(CTX_K_MESSAGES, "messages"),
	KEY(CTX_K_CONVERSATIONS, "conversations"),
	KEY(CTX_K_CONTENTS, "contents"), KEY(CTX_K_INPUT, "input"),
	KEY(CTX_K_SYSTEM, "system"),
	KEY(CTX_K_SYSTEM_INSTRUCTION, "systemInstruction"),
	KEY(CTX_K_UUID, "uuid"), KEY(CTX_K_PAYLOAD, "payload"),
	KEY(CTX_K_DATA, "data"), KEY(CTX_K_LC, "lc"),
	KEY(CTX_K_KWARGS, "kwargs"), KEY(CTX_K_FROM, "from"),
	KEY(CTX_K_VALUE, "value"), KEY(CTX_K_CALL_ID, "call_id"),
	KEY(CTX_K_OUTPUT, "output"), KEY(CTX_K_TIMESTAMP, "timestamp"),
	KEY(CTX_K_ARGUMENTS, "arguments"), KEY(CTX_K_SUMMARY, "summary"),
	KEY(CTX_K_INSTRUCTIONS, "instructions")
#undef KEY
};

/* Keys by length, so that one comparison or two find a member. */
#define LONGEST 17
static unsigned char by_len[LONGEST + 1][8];

/* At start, so that threads find it made. */
__attribute__((constructor)) static void
index_keys(void)
{
	size_t k, len, n;

	for (k = 0; k < CTX_K_N; k++) {
		len = keys[k].len;
		for (n = 0; by_len[len][n] != 0; n++)
			;
		by_len[len][n] = (unsigned char)(k + 1);
	}
}

static int
key_number(const struct ctx_doc *doc, uint32_t node)
{
	const char *s = doc->raw + doc->node[node].off + 1;
	size_t len = doc->node[node].len - 2, n;
	int k;

	if (len <= LONGEST)
		for (n = 0; (k = by_len[len][n]) != 0; n++)
			if (memcmp(keys[k - 1].name, s, len) == 0)
				return k - 1;
	if (memchr(s, '\\', len) != NULL)
		for (k = 0; k < CTX_K_N; k++)
			if (ctx_doc_key_is(doc, node, keys[k].name,
			    keys[k].len))
				return k;
	return -1;
}

void
ctx_shape_of(struct ctx_shape *s, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t k, end;
	int which;

	s->node = node;
	memset(s->key, 0xff, sizeof(s->key));	/* CTX_NONE */
	if (ctx_node_type(doc, node) != '{')
		return;
	end = doc->node[node].next;
	for (k = node + 1; k < end; k = doc->node[k + 1].next)
		if ((which = key_number(doc, k)) >= 0)
			s->key[which] = k + 1;
}

int
ctx_node_is(const struct ctx_doc *doc, uint32_t i, const char *text)
{
	struct ctx_str s = ctx_node_str(doc, i);
	size_t len;

	/* most comparisons end here: another word, plainly spelled */
	if (s.p == NULL || (s.p[0] != text[0] && s.p[0] != '\\'))
		return 0;
	len = strlen(text);
	if (s.len == len && memcmp(s.p, text, len) == 0)
		return 1;
	return memchr(s.p, '\\', s.len) != NULL &&
	    ctx_str_equal(s.p, s.len, text, len);
}

const struct ctx_dialect *
ctx_dialect_find(const char *name)
{
	size_t i;

	for (i = 0; ctx_dialects[i] != NULL; i++)
		if (strcmp(ctx_dialects[i]->name, name) == 0)
			return ctx_dialects[i];
	return NULL;
}

/*
 * The dialect of one object: what the conversation is so far, unless the
 * object can only be something else; NULL if it is no message.
 */
static const struct ctx_dialect *
detect(const struct ctx_shape *s, const struct ctx_doc *doc,
    const struct ctx_dialect *state, int *sure)
{
	const struct ctx_dialect *could = NULL;
	size_t i;
	int fit;

	*sure = 0;
	if (state != NULL && (fit = state->match(s, doc)) != 0) {
		*sure = fit == 2;
		return state;
	}
	for (i = 0; ctx_dialects[i] != NULL; i++) {
		fit = ctx_dialects[i]->match(s, doc);
		if (fit == 2) {
			*sure = 1;
			return ctx_dialects[i];
		}
		if (fit == 1 && could == NULL)
			could = ctx_dialects[i];
	}
	return could;
}

/* The member that holds a conversation's messages, or CTX_NONE. */
static uint32_t
message_list(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	static const enum ctx_key list[] = { CTX_K_MESSAGES,
	    CTX_K_CONVERSATIONS, CTX_K_CONTENTS, CTX_K_INPUT };
	size_t i;
	uint32_t node;

	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		node = s->key[list[i]];
		if (node != CTX_NONE && ctx_node_type(doc, node) == '[')
			return node;
	}
	return CTX_NONE;
}

/*
 * The dialect of a list: the first message that can only be one decides; with
 * none, what fits the first message.
 */
static const struct ctx_dialect *
detect_list(const struct ctx_doc *doc, uint32_t list, const struct ctx_shape *root)
{
	const struct ctx_dialect *d, *could = NULL;
	struct ctx_shape s;
	uint32_t e;
	int sure;

	if (root->key[CTX_K_SYSTEM] != CTX_NONE)
		could = &ctx_anthropic;
	for (e = list + 1; e < doc->node[list].next; e = doc->node[e].next) {
		ctx_shape_of(&s, doc, e);
		if ((d = detect(&s, doc, could, &sure)) != NULL && sure)
			return d;
		if (could == NULL)
			could = d;
	}
	return could;
}

/* A request's system prompt, a member beside the messages. */
static int
add_system(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_msg *m;
	struct ctx_part *p;
	uint32_t e, text;

	if ((m = ctx_convo_add_msg(c, CTX_SYSTEM)) == NULL)
		return -1;
	m->flags = CTX_FIXED;
	m->node = m->content = node;
	if (ctx_node_type(doc, node) == '"') {
		if ((p = ctx_convo_add_part(c, CTX_TEXT)) == NULL)
			return -1;
		p->text = node;
		return 0;
	}
	if (ctx_node_type(doc, node) != '[')
		return 0;
	for (e = node + 1; e < doc->node[node].next; e = doc->node[e].next) {
		if ((text = ctx_doc_get(doc, e, "text", 4)) == CTX_NONE)
			continue;
		if ((p = ctx_convo_add_part(c, CTX_TEXT)) == NULL)
			return -1;
		p->text = text;
	}
	return 0;
}

static int
view_list(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t r,
    const struct ctx_dialect *d, struct ctx_err *err)
{
	uint32_t list = c->rec[r].list, e, first;
	struct ctx_shape s;

	for (e = list + 1; e < doc->node[list].next; e = doc->node[e].next) {
		ctx_shape_of(&s, doc, e);
		if (!d->match(&s, doc))
			continue;
		first = c->nmsg;
		if (d->view(c, doc, &s, err) == -1)
			return -1;
		for (; first < c->nmsg; first++)
			c->msg[first].elem = e;
	}
	return 0;
}

static int
wrong_dialect(const struct ctx_dialect *d, struct ctx_err *err)
{
	return ctx_fail(err, CTX_EINPUT, "not a message of dialect %s",
	    d->name);
}

int
ctx_view_rec(struct ctx_convo *c, uint32_t r, const struct ctx_dialect *state,
    int force, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, r);
	const struct ctx_dialect *d;
	struct ctx_shape s;
	uint32_t root = c->rec[r].root, list;
	int sure;

	c->dialect = state;
	if (ctx_node_type(&doc, root) != '{')
		return 0;
	ctx_shape_of(&s, &doc, root);
	d = detect(&s, &doc, state, &sure);
	if (d != NULL) {
		if (force && d != state)
			return wrong_dialect(state, err);
		c->rec[r].shape = CTX_REC_MESSAGE;
		c->dialect = sure || state != NULL ? d : NULL;
		return d->view(c, &doc, &s, err);
	}
	if ((list = message_list(&s, &doc)) == CTX_NONE)
		return 0;
	if ((d = force ? state : detect_list(&doc, list, &s)) == NULL)
		return 0;
	c->rec[r].shape = CTX_REC_CONVERSATION;
	c->rec[r].list = list;
	c->dialect = d;
	if (s.key[CTX_K_SYSTEM] != CTX_NONE &&
	    add_system(c, &doc, s.key[CTX_K_SYSTEM]) == -1)
		return ctx_fail_nomem(err);
	return view_list(c, &doc, r, d, err);
}
