/* SPDX-License-Identifier: MIT */
/*
 * Gemini CLI session files: a log of changes.  A record with the id of the one
 * before takes its place: an answer with calls is written when it has come, and
 * again with toolCalls, each with its result, when these are done.
 * {"$set":{"messages":[...]}} takes the place of all records before it, and
 * {"$rewindTo":ID} takes back a record and what follows it.  A
 * user's record repeats the results; it is what is sent.  Earlier versions keep
 * a document with a list of such records, and the results only in toolCalls.
 * Format: derived from real files, version 0.61, and from the program's source
 * (packages/core, chatRecordingService); it is not documented.
 */
#include "view/dialect.h"

#include "base/strmap.h"
#include "view/beside.h"
#include "view/envelope.h"

enum record { R_NONE, R_USER, R_GEMINI, R_ASIDE };

static const struct ctx_word records[] = {
	{ "user", R_USER }, { "gemini", R_GEMINI }, { "info", R_ASIDE },
	{ "error", R_ASIDE }, { "warning", R_ASIDE }, { NULL, 0 }
};

static enum record
record_of(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return (enum record)ctx_node_word(doc, s->key[CTX_K_TYPE], records,
	    R_NONE);
}

/* The list that takes the place of all messages; CTX_NONE if there is none. */
static uint32_t
all_messages(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_node_if(doc, CTX_GET(doc, CTX_GET(doc, s->node, "$set"),
	    "messages"), '[');
}

static int
has_text(const struct ctx_doc *doc, uint32_t node, const char *key)
{
	return ctx_node_str(doc, CTX_GET(doc, node, key)).len > 0;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	if (s->key[CTX_K_ROLE] != CTX_NONE)
		return CTX_MATCH_NOT;
	if (ctx_shape_filled(doc, ctx_node_if(doc, CTX_GET(doc, s->node,
	    "$set"), '{')))
		return ctx_shape_filled(doc, all_messages(s, doc)) ?
		    CTX_MATCH_SURE : CTX_MATCH_ASIDE;
	if (has_text(doc, s->node, "$rewindTo") ||
	    (s->key[CTX_K_MESSAGES] == CTX_NONE &&
	    has_text(doc, s->node, "sessionId") &&
	    has_text(doc, s->node, "projectHash")))
		return CTX_MATCH_ASIDE;
	if (s->key[CTX_K_ID] == CTX_NONE ||
	    s->key[CTX_K_TIMESTAMP] == CTX_NONE ||
	    s->key[CTX_K_MESSAGE] != CTX_NONE ||
	    CTX_GET(doc, s->node, "content") == CTX_NONE)
		return CTX_MATCH_NOT;
	switch (record_of(s, doc)) {
	case R_USER:
	case R_GEMINI:
		return CTX_MATCH_SURE;
	case R_ASIDE:
		return CTX_MATCH_ASIDE;
	default:
		return CTX_MATCH_NOT;
	}
}

static int
add_thoughts(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	struct ctx_part *p;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		if ((p = ctx_convo_put_part(c, CTX_THINKING, list, e)) == NULL)
			return -1;
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "description"),
		    '"');
	}
	return 0;
}

/* Add what the record says.  Returns 1 if it has calls, 0 if not, or -1. */
static int
add_content(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t content)
{
	uint32_t e, first = c->npart;
	int calls = 0;

	if (ctx_node_if(doc, content, '"') != CTX_NONE)
		/* "" stands beside calls and thoughts */
		return doc->node[content].len > 2 ?
		    ctx_convo_put_text(c, content) : 0;
	CTX_FOR_LIST(doc, e, content)
		if (ctx_dialect_gemini_part(c, doc, content, e) == -1)
			return -1;
	for (; first < c->npart; first++)
		calls |= c->part[first].kind == CTX_CALL;
	return calls;
}

/* Add the strings in node as copies of the result of call e of toolCalls. */
static int
add_copies(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node,
    uint32_t e)
{
	uint32_t i = c->npart;

	if (ctx_convo_put_copies(c, doc, node) == -1)
		return -1;
	for (; i < c->npart; i++)
		c->part[i].id = ctx_node_str(doc, CTX_GET(doc, e, "id"));
	return 0;
}

/* Add the results of call e of toolCalls, which are in its place. */
static int
add_results(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	uint32_t results = CTX_GET(doc, e, "result"), r, i;

	CTX_FOR_LIST(doc, r, results) {
		i = c->npart;
		if (CTX_GET(doc, r, "functionResponse") == CTX_NONE)
			continue;
		if (ctx_dialect_gemini_part(c, doc, results, r) == -1)
			return -1;
		c->part[i].place[0] = (struct ctx_place){ e, list };
	}
	return add_copies(c, doc, CTX_GET(doc, e, "resultDisplay"), e);
}

/* A resumed session has the calls among the parts: here are only copies. */
static int
add_again(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	uint32_t e, r, results;

	CTX_FOR_LIST(doc, e, list) {
		results = CTX_GET(doc, e, "result");
		CTX_FOR_LIST(doc, r, results)
			if (add_copies(c, doc, CTX_GET(doc, CTX_GET(doc, r,
			    "functionResponse"), "response"), e) == -1)
				return -1;
		if (add_copies(c, doc, CTX_GET(doc, e, "resultDisplay"),
		    e) == -1)
			return -1;
	}
	return 0;
}

static int
add_calls(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	struct ctx_part *p;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		if ((p = ctx_convo_put_part(c, CTX_CALL, list, e)) == NULL)
			return -1;
		p->flags = CTX_RAW;
		ctx_part_set_id(p, doc, CTX_GET(doc, e, "id"));
		p->name = ctx_node_str(doc, CTX_GET(doc, e, "name"));
		p->text = CTX_GIVEN(doc, e, "args");
		if (add_results(c, doc, list, e) == -1)
			return -1;
	}
	return 0;
}

static int
view_all(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    struct ctx_err *err)
{
	uint32_t first = c->nmsg, m;

	if (ctx_dialect_nested(c, &ctx_dialect_gemini_cli, doc, list,
	    err) == -1)
		return -1;
	if (c->nmsg > first)
		c->msg[first].flags |= CTX_BOUNDARY;
	for (m = first; m < c->nmsg; m++)
		c->msg[m].flags |= CTX_AS_LINE;
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t list = all_messages(s, doc), content, calls;
	int answer = record_of(s, doc) == R_GEMINI, rc;
	struct ctx_msg *m;

	if (list != CTX_NONE)
		return view_all(c, doc, list, err);
	content = CTX_GET(doc, s->node, "content");
	calls = CTX_GET(doc, s->node, "toolCalls");
	m = ctx_convo_add_msg(c, answer ? CTX_ASSISTANT : CTX_USER, s->node,
	    content);
	if (m == NULL)
		return ctx_fail_nomem(err);
	if (answer)
		m->join = ctx_node_str(doc, s->key[CTX_K_ID]);
	rc = add_thoughts(c, doc, CTX_GET(doc, s->node, "thoughts"));
	if (rc == 0)
		rc = add_content(c, doc, content);
	if (rc == 0)
		rc = add_calls(c, doc, calls);
	else if (rc == 1)
		rc = add_again(c, doc, calls);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* --- what is there twice ------------------------------------------------ */

/* Messages that have been written again say nothing. */
static int
settle_again(struct ctx_convo *c)
{
	struct ctx_strmap seen = { 0 };
	struct ctx_msg *m;
	size_t known;
	uint32_t i, k;

	for (i = c->nmsg; i-- > 0;) {
		m = &c->msg[i];
		/* what takes the place of all has their ids */
		if (i + 1 < c->nmsg && m[1].flags & CTX_BOUNDARY)
			ctx_strmap_done(&seen);
		if (m->join.p == NULL ||
		    c->rec[m->rec].dialect != &ctx_dialect_gemini_cli)
			continue;
		known = seen.n;
		if (ctx_strmap_add(&seen, m->join.p, m->join.len) ==
		    CTX_STRMAP_FULL)
			break;
		if (seen.n > known)
			continue;
		for (k = m->part; k < m->part + m->npart; k++) {
			ctx_beside_copy(c, k);
			/* no result, so not cut like one */
			c->part[k].text = CTX_NONE;
		}
	}
	ctx_strmap_done(&seen);
	return i == UINT32_MAX ? 0 : -1;
}

/* Has record r a list of all messages, and none in it? */
static int
empties(const struct ctx_convo *c, uint32_t r)
{
	struct ctx_doc doc;
	uint32_t set;

	if (c->rec[r].nmsg > 0 || c->rec[r].root == CTX_NONE)
		return 0;
	doc = ctx_convo_doc(c, r);
	set = CTX_GET(&doc, c->rec[r].root, "$set");
	return ctx_node_if(&doc, CTX_GET(&doc, set, "messages"), '[') !=
	    CTX_NONE;
}

/* A list without messages takes the place of all before it, too. */
static void
settle_empty(struct ctx_convo *c)
{
	struct ctx_msg *m;
	uint32_t r;

	for (r = 0; r < c->nrec; r++) {
		if (c->rec[r].msg == c->nmsg || !empties(c, r))
			continue;
		m = &c->msg[c->rec[r].msg];
		m->flags |= CTX_BOUNDARY;
	}
}

/* A message continues the one with its id, unless a list came between them. */
static void
settle_joined(struct ctx_convo *c)
{
	struct ctx_str last = { NULL, 0 };
	struct ctx_msg *m;
	int replaced = 0;
	uint32_t i;

	for (i = 0; i < c->nmsg; i++) {
		m = &c->msg[i];
		if (m->flags & CTX_BOUNDARY) {
			replaced = 1;
			last.p = NULL;
		}
		if (m->join.p == NULL)
			continue;
		if (last.p != NULL && ctx_str_same(last, m->join))
			m->flags |= CTX_JOINED;
		else if (replaced)
			m->flags &= ~(unsigned)CTX_JOINED;
		last = m->join;
	}
}

static int
settle(struct ctx_convo *c)
{
	settle_empty(c);
	settle_joined(c);
	return settle_again(c) == -1 ? -1 :
	    ctx_beside_settle(c, &ctx_dialect_gemini_cli);
}

/* --- what was taken back ------------------------------------------------ */

/* Is message m the record with that id?  A list in a record has records too. */
static int
has_id(const struct ctx_convo *c, uint32_t m, struct ctx_str id)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);

	return ctx_str_same(id, ctx_node_str(&doc, CTX_GET(&doc,
	    c->msg[m].node, "id")));
}

/* {"$rewindTo":ID} takes back that record and all after it; unknown: all. */
static void
rewind_to(const struct ctx_convo *c, uint32_t r, struct ctx_str id,
    unsigned char *gone)
{
	uint32_t m = c->rec[r].msg, first = m;

	while (first > 0 && !has_id(c, first - 1, id))
		first--;
	for (first -= first > 0; first < m; first++)
		gone[first] |= c->rec[c->msg[first].rec].dialect ==
		    &ctx_dialect_gemini_cli;
}

static int
branches(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	uint32_t r, end = tip + 1 == c->nmsg ? c->nrec : c->msg[tip].rec + 1;
	struct ctx_doc doc;
	struct ctx_str id;

	for (r = 0; r < end; r++) {
		doc = ctx_convo_doc(c, r);
		if (c->rec[r].root == CTX_NONE)
			continue;
		/* nothing is left that takes their place */
		if (c->rec[r].msg == c->nmsg && empties(c, r))
			rewind_to(c, r, (struct ctx_str){ NULL, 0 }, gone);
		id = ctx_node_str(&doc, CTX_GET(&doc, c->rec[r].root,
		    "$rewindTo"));
		if (id.len > 0)
			rewind_to(c, r, id, gone);
	}
	return 0;
}

/* --- new records -------------------------------------------------------- */

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	struct ctx_str before = { NULL, 0 };
	uint32_t time = CTX_NONE;

	if (what->doc != NULL) {
		before = ctx_node_str(what->doc, CTX_GET(what->doc, what->like,
		    "id"));
		time = CTX_GET(what->doc, what->like, "timestamp");
	}
	ctx_buf_addf(out, "{\"id\":\"%016llx\"",
	    (unsigned long long)ctx_envelope_hash(before, what));
	ctx_buf_adds(out, ",\"timestamp\":");
	if (time != CTX_NONE)
		ctx_node_put(out, what->doc, time);
	else
		ctx_buf_adds(out, "\"1970-01-01T00:00:00.000Z\"");
	ctx_buf_addf(out, ",\"type\":\"%s\",\"content\":",
	    what->role == CTX_ASSISTANT ? "gemini" : "user");
	ctx_dialect_gemini_emit(out, what);
	return ctx_buf_adds(out, "}");
}

/* The first record of a session, and again when one is resumed. */
static const char *const own_texts[] = { "<session_context>", NULL };

const struct ctx_dialect ctx_dialect_gemini_cli = {
	.text_element = "{\"text\":\"",
	.name = "gemini-cli",
	.title = "Gemini CLI session files",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LOG |
	    CTX_RULE_REWRITES,
	.branches = branches,
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.settle = settle,
	.own = &(const struct ctx_dialect_own){ own_texts, NULL, NULL },
	.emit = emit
};
