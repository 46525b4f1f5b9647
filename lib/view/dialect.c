/* SPDX-License-Identifier: MIT */
/* The table of dialects, detection, and viewing a record as messages. */
#include "view/dialect.h"

#include <string.h>

#include "view/traced.h"

/* The order matters for lines that match several dialects: the first wins. */
const struct ctx_dialect *const ctx_dialects[] = {
	&ctx_dialect_openai, &ctx_dialect_anthropic, &ctx_dialect_responses,
	&ctx_dialect_gemini, &ctx_dialect_langchain, &ctx_dialect_pydantic,
	&ctx_dialect_claude_code, &ctx_dialect_codex, &ctx_dialect_sharegpt,
	&ctx_dialect_ai_sdk, &ctx_dialect_otel, &ctx_dialect_bedrock,
	&ctx_dialect_cohere, &ctx_dialect_ollama, &ctx_dialect_mistral,
	&ctx_dialect_qwen_code, &ctx_dialect_pi, &ctx_dialect_opencode,
	&ctx_dialect_continue, &ctx_dialect_gemini_cli, &ctx_dialect_goose,
	&ctx_dialect_chatgpt, &ctx_dialect_claude_ai, NULL
};

void
ctx_dialect_put_text(struct ctx_buf *b, const struct ctx_dialect *d,
    struct ctx_str text)
{
	ctx_buf_adds(b, d->text_element);
	ctx_buf_add(b, text.p, text.len);
	ctx_buf_adds(b, "\"}");
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

/* The dialect that adds to d, and alone has message s; NULL if none does. */
static const struct ctx_dialect *
more_than(const struct ctx_dialect *d, const struct ctx_shape *s,
    const struct ctx_doc *doc)
{
	size_t i;

	for (i = 0; ctx_dialects[i] != NULL; i++)
		if (ctx_dialects[i]->base == d &&
		    ctx_dialects[i]->match(s, doc) == CTX_MATCH_SURE)
			return ctx_dialects[i];
	return NULL;
}

/*
 * The dialect of one object: the conversation's dialect so far, unless the
 * object can only be another's; NULL if it matches none.
 */
static const struct ctx_dialect *
detect(const struct ctx_shape *s, const struct ctx_doc *doc,
    const struct ctx_dialect *state, enum ctx_match *fit)
{
	const struct ctx_dialect *could = NULL, *d;
	enum ctx_match f;
	size_t i;

	*fit = CTX_MATCH_NOT;
	if (state != NULL && (*fit = state->match(s, doc)) != CTX_MATCH_NOT)
		could = state;
	if (*fit > CTX_MATCH_WEAK)
		return state;
	if (could != NULL && (d = more_than(state, s, doc)) != NULL) {
		*fit = CTX_MATCH_SURE;
		return d;
	}
	for (i = 0; (d = ctx_dialects[i]) != NULL; i++) {
		f = d->match(s, doc);
		if (f > CTX_MATCH_MAYBE) {
			*fit = f;
			return d;
		}
		/* if the conversation's own dialect matches at all, it stays */
		if (f > *fit && (could == NULL || could != state)) {
			*fit = f;
			could = d;
		}
		/* a plain message that can be OpenAI's is no other's alone */
		if (i == 0 && f == CTX_MATCH_MAYBE && could == d &&
		    ctx_shape_plain(s, doc))
			return d;
	}
	return could;
}

/*
 * Find the dialect of a conversation object.  It is the first one whose message
 * list s has, or the first with that same list whose system prompt s has too.
 * Sets *list to the list's node.  filled: empty lists do not count.  NULL: s is
 * not a conversation.
 */
static const struct ctx_dialect *
container(const struct ctx_shape *s, const struct ctx_doc *doc, int filled,
    uint32_t *list)
{
	const struct ctx_dialect *could = NULL, *d;
	uint32_t node;
	size_t i, k;

	for (i = 0; (d = ctx_dialects[i]) != NULL; i++) {
		node = ctx_node_if(doc, s->key[d->list], '[');
		if (node == CTX_NONE)
			continue;
		node = ctx_traced_list(doc, node);
		if ((could != NULL && node != *list) ||
		    (filled && !ctx_shape_filled(doc, node)))
			continue;
		*list = node;
		for (k = 0; k < 2 && d->system[k] != CTX_K_ROLE; k++)
			if (s->key[d->system[k]] != CTX_NONE)
				return d;
		if (could == NULL)
			could = d;
	}
	return could;
}

/*
 * The dialect of a list.  The first message that can belong to only one dialect
 * decides, and then *sure is set.  If there is none, use the container's dialect
 * if it matches the first message, else one that does match it.
 */
static const struct ctx_dialect *
detect_list(const struct ctx_doc *doc, uint32_t list,
    const struct ctx_dialect *from, int *sure)
{
	const struct ctx_dialect *d, *could = NULL;
	struct ctx_shape s;
	enum ctx_match fit;
	uint32_t e;

	*sure = 0;
	CTX_FOR_LIST(doc, e, list) {
		ctx_shape_of(&s, doc, e);
		d = detect(&s, doc, could != NULL ? could : from, &fit);
		*sure = d != NULL && fit > CTX_MATCH_MAYBE;
		if (*sure)
			return d;
		if (could == NULL)
			could = d;
	}
	return could != NULL ? could : from;
}

/* The dialect of a list and of the answer to it, which may be CTX_NONE. */
static const struct ctx_dialect *
detect_both(const struct ctx_doc *doc, uint32_t list, uint32_t answer,
    const struct ctx_dialect *from)
{
	int sure;
	const struct ctx_dialect *d = detect_list(doc, list, from, &sure);
	struct ctx_shape s;
	enum ctx_match fit;

	if (sure || answer == CTX_NONE)
		return d;
	if (ctx_node_type(doc, answer) == '[')
		return detect_list(doc, answer, d, &sure);
	ctx_shape_of(&s, doc, answer);
	from = detect(&s, doc, d, &fit);
	return fit > CTX_MATCH_MAYBE ? from : d;
}

/* Add a text part of a request's system prompt. */
static int
add_system_text(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t e)
{
	uint32_t text = ctx_node_if(doc, CTX_GET(doc, e, "text"), '"');

	if (text == CTX_NONE)	/* OpenTelemetry's */
		text = ctx_node_if(doc, CTX_GET(doc, e, "content"), '"');
	return text == CTX_NONE ? 0 : ctx_convo_put_text(c, text);
}

/*
 * Add a request's system prompt, a member next to the messages: a string, a
 * text part, a list of text parts, or an object with one or the other (parts).
 */
static int
add_system(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t parts = CTX_GET(doc, node, "parts"), e;
	struct ctx_msg *m = ctx_convo_add_msg(c, CTX_SYSTEM, node, node);

	if (m == NULL)
		return -1;
	m->flags = CTX_FIXED;
	if (ctx_node_type(doc, node) == '"')
		return ctx_convo_put_text(c, node);
	if (parts == CTX_NONE)
		parts = node;
	if (ctx_node_type(doc, parts) != '[')
		return add_system_text(c, doc, parts);
	CTX_FOR_LIST(doc, e, parts)
		if (add_system_text(c, doc, e) == -1)
			return -1;
	return 0;
}

/* To some APIs, consecutive assistant messages are one message. */
static void
join_run(struct ctx_convo *c, const struct ctx_dialect *d, uint32_t m)
{
	if (d->rules & CTX_RULE_RUNS && m > 0 &&
	    c->msg[m].role == CTX_ASSISTANT &&
	    c->msg[m - 1].role == CTX_ASSISTANT)
		c->msg[m].flags |= CTX_JOINED;
}

/* Set the place of the messages that element e of the list added. */
static void
own_messages(struct ctx_convo *c, const struct ctx_dialect *d, uint32_t list,
    uint32_t e, uint32_t first)
{
	uint32_t m;

	for (m = first; m < c->nmsg; m++) {
		if (c->msg[m].elem == CTX_NONE) {
			c->msg[m].elem = e;
			c->msg[m].list = list;
		} else
			c->msg[m].host = e;
		join_run(c, d, m);
	}
}

/*
 * Note a value that is not understood.  A log of dialect d holds much besides
 * messages.
 */
static int
add_odd(struct ctx_convo *c, const struct ctx_dialect *d, uint32_t node,
    struct ctx_err *err)
{
	if (d != NULL && d->rules & CTX_RULE_LOG)
		return 0;
	return ctx_convo_add_odd(c, node) == -1 ? ctx_fail_nomem(err) : 0;
}

/*
 * Note the numbers, true and false from byte range[0] to range[1], which have no
 * nodes; null is nothing.
 */
static int
add_bare(struct ctx_convo *c, const struct ctx_dialect *d,
    const size_t range[2], struct ctx_err *err)
{
	const char *p = c->rec[0].raw + range[0];
	const char *end = c->rec[0].raw + range[1];

	while (p < end) {
		if (strchr(", \t\r\n", *p) != NULL) {
			p++;
			continue;
		}
		if (*p != 'n' && add_odd(c, d, c->rec[0].list, err) == -1)
			return -1;
		p += strcspn(p, ", \t\r\n]");
	}
	return 0;
}

/* How certain it is that a list is of a dialect. */
enum is_of {
	IS_FOUND,	/* a message may be another's that adds to it */
	IS_FIXED,	/* also then it is not the other's */
	IS_GUESS	/* if the first message that can only belong to one
			   dialect, and all before it, say so */
};

static inline enum is_of
found(int force)
{
	return force ? IS_FIXED : IS_FOUND;
}

/* View a list as d's.  Returns 0, 1 for a wrong guess, or -1 with *err. */
static int
view_list(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_dialect *d, enum is_of is, struct ctx_err *err)
{
	const struct ctx_dialect *more;
	uint32_t list = c->rec[0].list, e, first;
	size_t gap[2] = { (size_t)doc->node[list].off + 1 };
	struct ctx_shape s;
	enum ctx_match fit;

	CTX_FOR_LIST(doc, e, list) {
		gap[1] = doc->node[e].off;
		if (gap[1] > gap[0] + 1 && add_bare(c, d, gap, err) == -1)
			return -1;
		gap[0] = gap[1] + doc->node[e].len;
		ctx_shape_of(&s, doc, e);
		fit = d->match(&s, doc);
		if (is == IS_GUESS && fit <= CTX_MATCH_WEAK)
			return 1;
		if (is == IS_GUESS && fit > CTX_MATCH_MAYBE)
			is = IS_FOUND;
		if (fit == CTX_MATCH_WEAK && is == IS_FOUND &&
		    (more = more_than(d, &s, doc)) != NULL)
			c->dialect = c->rec[0].dialect = d = more;
		if (fit == CTX_MATCH_NOT && add_odd(c, d, e, err) == -1)
			return -1;
		if (fit == CTX_MATCH_NOT || fit == CTX_MATCH_ASIDE)
			continue;
		first = c->nmsg;
		if (d->view(c, doc, &s, err) == -1)
			return -1;
		own_messages(c, d, list, e, first);
	}
	gap[1] = (size_t)doc->node[list].off + doc->node[list].len - 1;
	return add_bare(c, d, gap, err);
}

int
ctx_dialect_nested(struct ctx_convo *c, const struct ctx_dialect *d,
    const struct ctx_doc *doc, uint32_t list, struct ctx_err *err)
{
	struct ctx_shape s;
	enum ctx_match fit;
	uint32_t e, m;

	CTX_FOR_LIST(doc, e, list) {
		ctx_shape_of(&s, doc, e);
		fit = d->match(&s, doc);
		if (fit == CTX_MATCH_NOT || fit == CTX_MATCH_ASIDE)
			continue;
		m = c->nmsg;
		if (d->view(c, doc, &s, err) == -1)
			return -1;
		for (; m < c->nmsg; m++)
			if (c->msg[m].elem == CTX_NONE) {
				c->msg[m].elem = e;
				c->msg[m].list = list;
			}
	}
	return 0;
}

static int
wrong_dialect(const struct ctx_dialect *d, struct ctx_err *err)
{
	return ctx_fail(err, CTX_EINPUT, "not a message of the dialect %s",
	    d->name);
}

/* The record is not state's, which is the only one that may be detected. */
static int
foreign(struct ctx_convo *c, const struct ctx_dialect *state,
    enum ctx_match fit, struct ctx_err *err)
{
	return fit == CTX_MATCH_SURE ? wrong_dialect(state, err) :
	    add_odd(c, state, c->rec[0].root, err);
}

/* Add a request's only message, which is a string where others have a list. */
static int
view_prompt(struct ctx_convo *c, struct ctx_err *err)
{
	uint32_t text = c->rec[0].list;
	struct ctx_msg *m = ctx_convo_add_msg(c, CTX_USER, text, text);

	if (m == NULL)
		return ctx_fail_nomem(err);
	m->elem = m->list = text;
	return ctx_convo_put_text(c, text) == -1 ? ctx_fail_nomem(err) : 0;
}

/*
 * View a conversation: its list, or the string in place of one, perhaps inside
 * an object s.  Returns 0, 1 for a wrong guess, or -1 with *err.
 */
static int
view_conversation(struct ctx_convo *c, const struct ctx_dialect *d,
    enum is_of is, const struct ctx_shape *s, uint32_t list,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	uint32_t node;
	int k;

	c->rec[0].shape = CTX_REC_CONVERSATION;
	c->rec[0].list = list;
	c->rec[0].request = s != NULL ? s->node : list;
	if (c->rec[0].request == c->rec[0].root)
		c->rec[0].request = CTX_NONE;
	c->rec[0].dialect = d;
	c->dialect = d;
	for (k = 0; s != NULL && k < 2 && d->elsewhere[k] != CTX_K_ROLE; k++)
		if ((node = s->key[d->elsewhere[k]]) != CTX_NONE &&
		    ctx_node_type(&doc, node) != 'n')
			c->rec[0].elsewhere = 1;
	for (k = 0; s != NULL && k < 2 && d->system[k] != CTX_K_ROLE; k++)
		if ((node = s->key[d->system[k]]) != CTX_NONE &&
		    add_system(c, &doc, node) == -1)
			return ctx_fail_nomem(err);
	return ctx_node_type(&doc, list) == '"' ? view_prompt(c, err) :
	    view_list(c, &doc, d, is, err);
}

/* View e, of an answer in dialect d.  Returns 0, or -1 with *err. */
static int
view_answer_in(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_dialect *d, uint32_t e, int listed, struct ctx_err *err)
{
	struct ctx_shape s;
	enum ctx_match fit;

	if (ctx_node_type(doc, e) == '"' && !listed)
		return ctx_convo_add_msg(c, CTX_ASSISTANT, e, e) == NULL ||
		    ctx_convo_put_text(c, e) == -1 ? ctx_fail_nomem(err) : 0;
	ctx_shape_of(&s, doc, e);
	fit = d->match(&s, doc);
	/* what is no message may be anything that came of it */
	if (fit == CTX_MATCH_NOT && listed)
		return add_odd(c, d, e, err);
	return fit == CTX_MATCH_NOT || fit == CTX_MATCH_ASIDE ? 0 :
	    d->view(c, doc, &s, err);
}

/*
 * Add the answer to the messages of c, which is beside their list.  What does not
 * begin with the assistant's words or calls is no model's: a tool's result, as a
 * node of a graph returns it.
 */
static int
view_answer(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t answer,
    struct ctx_err *err)
{
	const struct ctx_dialect *d = c->dialect;
	uint32_t m = c->nmsg, parts = c->npart, e;

	if (ctx_node_type(doc, answer) != '[') {
		if (view_answer_in(c, doc, d, answer, 0, err) == -1)
			return -1;
	} else
		CTX_FOR_LIST(doc, e, answer)
			if (view_answer_in(c, doc, d, e, 1, err) == -1)
				return -1;
	if (m < c->nmsg && c->msg[m].role != CTX_ASSISTANT) {
		c->rec[0].nmsg -= c->nmsg - m;
		c->nmsg = m;
		c->npart = parts;
	}
	for (; m < c->nmsg; m++) {
		c->msg[m].flags |= CTX_FIXED | CTX_ANSWER;
		join_run(c, d, m);
	}
	return 0;
}

/* Forget what was added to the only record. */
static void
take_back(struct ctx_convo *c)
{
	c->nmsg = c->npart = c->nodd = c->rec[0].nmsg = 0;
	c->rec[0].elsewhere = 0;
}

/*
 * View an answer that is the whole conversation, with what was asked.  Returns
 * 1, 0 if it is not, or -1 with *err.
 */
static int
view_whole(struct ctx_convo *c, const struct ctx_dialect *d, int force,
    uint32_t answer, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	int sure;

	if (ctx_node_if(&doc, answer, '[') == CTX_NONE)
		return 0;
	if (!force)
		d = detect_list(&doc, answer, NULL, &sure);
	if (d == NULL)
		return 0;
	if (view_conversation(c, d, found(force), NULL, answer, err) == -1)
		return -1;
	if (ctx_traced_is_whole(c))
		return 1;
	take_back(c);
	return 0;
}

/*
 * The dialect of a request whose messages may be one string, with its node in
 * *text; NULL if s is none.  A model is named, since any program's records may
 * have an "input".
 */
static const struct ctx_dialect *
prompted(const struct ctx_shape *s, const struct ctx_doc *doc, uint32_t *text)
{
	*text = ctx_node_if(doc, s->key[CTX_K_INPUT], '"');
	return *text == CTX_NONE || s->key[CTX_K_OUTPUT] != CTX_NONE ||
	    ctx_node_if(doc, CTX_GET(doc, s->node, "model"), '"') == CTX_NONE ?
	    NULL : &ctx_dialect_responses;
}

/* View object s, which has its messages in a list, and perhaps an answer. */
static int
view_request(struct ctx_convo *c, const struct ctx_dialect *state, int force,
    const struct ctx_shape *s, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	const struct ctx_dialect *d;
	struct ctx_shape in = *s;
	uint32_t list, answer;
	int whole, guess;

	if ((d = container(s, &doc, 1, &list)) == NULL &&
	    (d = container(s, &doc, 0, &list)) == NULL) {
		in.node = ctx_traced_request(s, &doc);
		if (in.node != CTX_NONE)
			ctx_shape_of(&in, &doc, in.node);
		if (in.node != CTX_NONE)
			d = container(&in, &doc, 0, &list);
		else if ((d = prompted(s, &doc, &list)) != NULL &&
		    (!force || d == state))
			return view_conversation(c, d, found(force), s, list,
			    err);
		if (in.node == CTX_NONE || d == NULL)
			return add_odd(c, state, s->node, err);
	}
	answer = ctx_traced_answer(s, &doc, list);
	whole = view_whole(c, state, force, answer, err);
	if (whole != 0)
		return whole == 1 ? 0 : -1;
	/* nearly always the list has the member's dialect: look only once */
	if (!force && answer == CTX_NONE) {
		guess = view_conversation(c, d, IS_GUESS, &in, list, err);
		if (guess != 1)
			return guess;
		take_back(c);
	}
	d = force ? state : detect_both(&doc, list, answer, d);
	if (view_conversation(c, d, found(force), &in, list, err) == -1)
		return -1;
	return answer == CTX_NONE ? 0 : view_answer(c, &doc, answer, err);
}

/*
 * Is s, which is another dialect's, still of the dialect that is forced?  What has
 * unknown parts, or is aside elsewhere, may be any dialect's.  Sets *fit if so.
 */
static int
keeps(const struct ctx_dialect *forced, const struct ctx_shape *s,
    const struct ctx_doc *doc, enum ctx_match *fit)
{
	enum ctx_match own = forced->match(s, doc);

	if (own != CTX_MATCH_WEAK && (*fit != CTX_MATCH_ASIDE ||
	    own == CTX_MATCH_NOT))
		return 0;
	*fit = own;
	return 1;
}

static int
read_record(struct ctx_convo *c, const struct ctx_dialect *state, int force,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	const struct ctx_dialect *d;
	struct ctx_shape s;
	uint32_t root = c->rec[0].root;
	enum ctx_match fit;
	int sure;

	c->dialect = state;
	if (ctx_node_type(&doc, root) == '[') {
		d = force ? state : detect_list(&doc, root, state, &sure);
		if (d == NULL && doc.node[root].len == 2)
			return 0;	/* an empty list */
		return d == NULL ? add_odd(c, state, root, err) :
		    view_conversation(c, d, found(force), NULL, root, err);
	}
	if (ctx_node_type(&doc, root) != '{')
		return add_odd(c, state, root, err);
	ctx_shape_of(&s, &doc, root);
	d = detect(&s, &doc, state, &fit);
	if (fit == CTX_MATCH_ASIDE && state == NULL)
		c->dialect = d;
	if (force && d != NULL && d != state && keeps(state, &s, &doc, &fit))
		d = state;
	if (d != NULL && fit != CTX_MATCH_ASIDE) {
		if (force && d != state)
			return foreign(c, state, fit, err);
		c->rec[0].shape = CTX_REC_MESSAGE;
		c->dialect = fit == CTX_MATCH_SURE || state != NULL ? d : NULL;
		c->rec[0].dialect = c->dialect;
		return d->view(c, &doc, &s, err);
	}
	if (fit == CTX_MATCH_ASIDE)
		return 0;
	return view_request(c, state, force, &s, err);
}

static int
view_record(struct ctx_convo *c, const struct ctx_dialect *state, int force,
    struct ctx_err *err)
{
	if (read_record(c, state, force, err) == -1)
		return -1;
	return ctx_convo_spell(c) == -1 ? ctx_fail_nomem(err) : 0;
}

/* Is any element of the conversation certainly another dialect's? */
static int
has_others(const struct ctx_convo *c)
{
	const struct ctx_dialect *d = c->rec[0].dialect;
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	const struct ctx_dialect *of;
	struct ctx_shape s;
	enum ctx_match fit;
	uint32_t i;

	for (i = 0; i < c->nodd; i++) {
		if (c->odd[i].node == c->rec[0].list)
			continue;
		ctx_shape_of(&s, &doc, c->odd[i].node);
		of = detect(&s, &doc, d, &fit);
		if (of != NULL && of != d && fit == CTX_MATCH_SURE)
			return 1;
	}
	return 0;
}

int
ctx_dialect_view(struct ctx_convo *c, const struct ctx_dialect *state,
    int force, struct ctx_err *err)
{
	if (view_record(c, state, force, err) == -1)
		return -1;
	if (force && c->rec[0].shape == CTX_REC_CONVERSATION && has_others(c))
		return wrong_dialect(state, err);
	return 0;
}

/* Scan a line as the only record of c. */
static int
scan_line(struct ctx_convo *c, const char *raw, size_t len, struct ctx_err *err)
{
	struct ctx_rec *r;

	ctx_convo_reset(c);
	if ((r = ctx_convo_add_rec(c)) == NULL)
		return ctx_fail_nomem(err);
	r->raw = raw;
	r->len = len;
	r->root = 0;
	return ctx_doc_scan(&c->doc, raw, len, err);
}

int
ctx_dialect_line(struct ctx_convo *c, const struct ctx_dialect *state,
    const char *raw, size_t len, struct ctx_err *err)
{
	if (scan_line(c, raw, len, err) == -1)
		return -1;
	return view_record(c, state, 0, err);
}

int
ctx_dialect_line_of(struct ctx_convo *c, const struct ctx_dialect *d,
    const char *raw, size_t len, struct ctx_err *err)
{
	if (scan_line(c, raw, len, err) == -1)
		return -1;
	return view_record(c, d, 1, err);
}
