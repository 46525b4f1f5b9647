/* SPDX-License-Identifier: MIT */
/*
 * Claude Code session files, and its stream-json output: Anthropic messages in
 * the records of a log.  Each block of a response is in a record of its own;
 * records with the same message.id are one message, even if results of parallel
 * calls are written between them.  Subagents' records are side conversations.
 * Format: derived from real files, versions 1 and 2.1; it is not documented.
 */
#include "view/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/strmap.h"

enum record { R_NONE, R_MESSAGE, R_ASIDE };

static const struct ctx_word records[] = {
	{ "progress", R_ASIDE }, { "user", R_MESSAGE },
	{ "assistant", R_MESSAGE }, { "system", R_ASIDE },
	{ "summary", R_ASIDE }, { "file-history-snapshot", R_ASIDE },
	{ "queue-operation", R_ASIDE }, { "attachment", R_ASIDE },
	{ "result", R_ASIDE }, { "stream_event", R_ASIDE }, { NULL, 0 }
};

/* Every record has at least one of these members. */
static int
is_record(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return s->key[CTX_K_UUID] != CTX_NONE ||
	    CTX_GET(doc, s->node, "sessionId") != CTX_NONE ||
	    CTX_GET(doc, s->node, "session_id") != CTX_NONE ||
	    CTX_GET(doc, s->node, "leafUuid") != CTX_NONE ||
	    CTX_GET(doc, s->node, "messageId") != CTX_NONE;
}

/* New versions add types of records that are not messages. */
static int
is_new_aside(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_node_if(doc, s->key[CTX_K_TYPE], '"') != CTX_NONE &&
	    ctx_node_if(doc, CTX_GET(doc, s->node, "sessionId"), '"') !=
	    CTX_NONE && s->key[CTX_K_MESSAGE] == CTX_NONE &&
	    s->key[CTX_K_ROLE] == CTX_NONE;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t message = ctx_node_if(doc, s->key[CTX_K_MESSAGE], '{');
	struct ctx_shape inner;

	switch (ctx_node_word(doc, s->key[CTX_K_TYPE], records, R_NONE)) {
	case R_MESSAGE:
		if (message == CTX_NONE)
			return CTX_MATCH_NOT;
		ctx_shape_of(&inner, doc, message);
		return ctx_dialect_anthropic.match(&inner, doc) ==
		    CTX_MATCH_NOT ? CTX_MATCH_NOT : CTX_MATCH_SURE;
	case R_ASIDE:
		return s->key[CTX_K_CONTENT] == CTX_NONE ||
		    s->key[CTX_K_ROLE] == CTX_NONE ? is_record(s, doc) ?
		    CTX_MATCH_ASIDE : CTX_MATCH_NOT : CTX_MATCH_NOT;
	default:
		return is_new_aside(s, doc) ? CTX_MATCH_ASIDE : CTX_MATCH_NOT;
	}
}

static int
is_true(const struct ctx_doc *doc, uint32_t node)
{
	return ctx_node_if(doc, node, 't') != CTX_NONE;
}

/* The name of the record's side conversation; .p is NULL for the main one. */
static struct ctx_str
thread_of(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t side = CTX_GET(doc, s->node, "isSidechain");
	struct ctx_str name;

	name = ctx_node_str(doc, CTX_GET(doc, s->node, "parent_tool_use_id"));
	if (name.p == NULL && is_true(doc, side)) {
		name = ctx_node_str(doc, CTX_GET(doc, s->node, "agentId"));
		if (name.p == NULL)	/* version 1 has no name for it */
			name = ctx_node_json(doc, side);
	}
	return name;
}

static int
add_copy(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	return ctx_node_if(doc, node, '"') == CTX_NONE ? 0 :
	    ctx_convo_put_copy(c, node);
}

/* Add the strings of a toolUseResult, or of its "file", that hold output. */
static int
add_copies(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t e;

	if (node == CTX_NONE)
		return 0;
	CTX_FOR_LIST(doc, e, node)
		if (add_copy(c, doc, CTX_GET(doc, e, "text")) == -1)
			return -1;
	if (add_copy(c, doc, node) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "stdout")) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "stderr")) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "content")) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "result")) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "originalFile")) == -1)
		return -1;
	node = CTX_GET(doc, node, "file");
	return add_copy(c, doc, CTX_GET(doc, node, "content"));
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	struct ctx_shape inner;
	struct ctx_msg *m;
	uint32_t i;

	ctx_shape_of(&inner, doc, s->key[CTX_K_MESSAGE]);
	if (ctx_dialect_anthropic.view(c, doc, &inner, err) == -1)
		return -1;
	m = &c->msg[c->nmsg - 1];
	c->rec[m->rec].thread = thread_of(s, doc);
	if (m->role == CTX_ASSISTANT) {
		m->join = ctx_node_str(doc, inner.key[CTX_K_ID]);
		return 0;
	}
	if (is_true(doc, CTX_GET(doc, s->node, "isCompactSummary")))
		m->flags |= CTX_SUMMARY | CTX_BOUNDARY;
	for (i = m->part; i < m->part + m->npart; i++)
		if (c->part[i].kind == CTX_RESULT)
			return add_copies(c, doc, CTX_GET(doc, s->node,
			    "toolUseResult")) == -1 ? ctx_fail_nomem(err) : 0;
	return 0;
}

/* --- branches --------------------------------------------------------- */

/*
 * Find the record that record r follows.  Returns 1 with *n set to its number
 * in ids, 0 if there is none, -1 if out of memory.
 */
static int
parent_of(const struct ctx_convo *c, uint32_t r, struct ctx_strmap *ids,
    size_t *n)
{
	struct ctx_doc doc = ctx_convo_doc(c, r);
	struct ctx_str id = { NULL, 0 };

	if (c->rec[r].root != CTX_NONE && doc.n > 0)
		id = ctx_node_str(&doc, CTX_GET(&doc, c->rec[r].root,
		    "parentUuid"));
	if (id.p == NULL)
		return 0;
	*n = ctx_strmap_add(ids, id.p, id.len);
	return *n == CTX_STRMAP_FULL ? -1 : 1;
}

/* Does m have only results?  They are removed or kept with their calls. */
static int
only_results(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (c->part[i].kind != CTX_RESULT &&
		    !(c->part[i].flags & CTX_INNER))
			return 0;
	return c->msg[m].npart > 0;
}

/* Mark in on[] the records from message tip's up to the root. */
static int
climb(const struct ctx_convo *c, uint32_t tip, struct ctx_strmap *ids,
    uint32_t *rec_of, unsigned char *on)
{
	struct ctx_doc doc;
	struct ctx_str id;
	size_t n;
	uint32_t r, steps;
	int rc;

	for (r = 0; r < c->nrec; r++) {
		doc = ctx_convo_doc(c, r);
		if (c->rec[r].root == CTX_NONE)
			continue;
		id = ctx_node_str(&doc, CTX_GET(&doc, c->rec[r].root, "uuid"));
		if (id.p == NULL)
			continue;
		n = ctx_strmap_add(ids, id.p, id.len);
		if (n == CTX_STRMAP_FULL)
			return -1;
		if (n < c->nrec)
			rec_of[n] = r;
	}
	r = c->msg[tip].rec;
	for (steps = 0; steps < c->nrec && !on[r]; steps++) {
		on[r] = 1;
		if ((rc = parent_of(c, r, ids, &n)) == -1)
			return -1;
		if (rc == 0 || n >= c->nrec || rec_of[n] == CTX_NONE)
			break;
		r = rec_of[n];
	}
	return 0;
}

/* If one block of a message is on the branch, all its blocks are kept. */
static int
keep_joined(const struct ctx_convo *c, const unsigned char *on,
    unsigned char *gone)
{
	struct ctx_strmap ids = { 0 };
	unsigned char *kept = calloc(c->nmsg + (size_t)1, 1);
	const struct ctx_msg *m;
	size_t n;
	uint32_t i;
	int pass, rc = kept == NULL ? -1 : 0;

	for (pass = 0; pass < 2 && rc == 0; pass++)
		for (i = 0; i < c->nmsg && rc == 0; i++) {
			m = &c->msg[i];
			n = m->join.p == NULL ? 0 : ctx_strmap_add(&ids,
			    m->join.p, m->join.len) + 1;
			if (n > c->nmsg)
				rc = -1;
			else if (pass == 0)
				kept[n] |= on[m->rec];
			else
				gone[i] = !on[m->rec] && !only_results(c, i) &&
				    (n == 0 || !kept[n]) &&
				    c->rec[m->rec].dialect ==
				    &ctx_dialect_claude_code;
		}
	ctx_strmap_done(&ids);
	free(kept);
	return rc;
}

/* A file without links has only one branch. */
static int
is_linked(const struct ctx_convo *c, uint32_t tip)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[tip].rec);
	uint32_t root = c->rec[c->msg[tip].rec].root;

	return ctx_node_if(&doc, CTX_GET(&doc, root, "parentUuid"), '"') !=
	    CTX_NONE;
}

static int
branches(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	struct ctx_strmap ids = { 0 };
	unsigned char *on;
	uint32_t *rec_of;
	int rc = -1;

	if (!is_linked(c, tip))
		return 0;
	on = calloc(c->nrec, 1);
	rec_of = malloc(c->nrec * sizeof(*rec_of));
	if (on != NULL && rec_of != NULL) {
		memset(rec_of, 0xff, c->nrec * sizeof(*rec_of));
		rc = climb(c, tip, &ids, rec_of, on);
		if (rc == 0)
			rc = keep_joined(c, on, gone);
	}
	ctx_strmap_done(&ids);
	free(on);
	free(rec_of);
	return rc;
}

/* --- new records ------------------------------------------------------ */

static uint64_t
hash(uint64_t h, const char *p, size_t len)
{
	h = ctx_fnv(h, p, len);
	return h ^ h >> 29;
}

/*
 * Make a UUID from what is unique about the record, without randomness or a
 * clock, so that the same input gives the same output.
 */
static void
emit_uuid(struct ctx_buf *out, struct ctx_str parent,
    const struct ctx_new *what)
{
	uint64_t a = hash(CTX_FNV_BEGIN, parent.p, parent.len), b;

	a = hash(a, what->id.p, what->id.len);
	a = hash(a, what->text, what->textlen);
	b = hash(a ^ 0x9e3779b97f4a7c15u, parent.p, parent.len);
	ctx_buf_addf(out, "%08x-%04x-8%03x-%04x-%012llx",
	    (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff),
	    (unsigned)(a & 0xfff), (unsigned)(b >> 48 & 0x3fff) | 0x8000,
	    (unsigned long long)(b & 0xffffffffffffu));
}

/* Write the members that neighbouring records share, and the parent. */
static void
emit_frame(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const shared[] = { "isSidechain", "agentId",
	    "userType", "cwd", "sessionId", "version", "gitBranch",
	    "timestamp" };
	struct ctx_str parent = { NULL, 0 };
	uint32_t v;
	size_t i;

	if (what->doc != NULL)
		parent = ctx_node_str(what->doc, CTX_GET(what->doc,
		    what->like, "uuid"));
	ctx_buf_adds(out, "{\"parentUuid\":");
	if (parent.p == NULL)
		ctx_buf_adds(out, "null");
	else {
		ctx_buf_addc(out, '"');
		ctx_buf_add(out, parent.p, parent.len);
		ctx_buf_addc(out, '"');
	}
	ctx_buf_adds(out, ",\"uuid\":\"");
	emit_uuid(out, parent, what);
	ctx_buf_addc(out, '"');
	for (i = 0; what->doc != NULL &&
	    i < sizeof(shared) / sizeof(shared[0]); i++) {
		v = CTX_GET(what->doc, what->like, shared[i]);
		if (v == CTX_NONE)
			continue;
		ctx_buf_addf(out, ",\"%s\":", shared[i]);
		ctx_node_put(out, what->doc, v);
	}
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	const char *role = what->role == CTX_ASSISTANT ? "assistant" : "user";

	emit_frame(out, what);
	ctx_buf_addf(out, ",\"type\":\"%s\",\"message\":", role);
	if (what->kind == CTX_NEW_TEXT) {
		ctx_buf_addf(out, "{\"role\":\"%s\",\"content\":[{\"type\":"
		    "\"text\",\"text\":\"", role);
		ctx_str_encode(out, what->text, what->textlen);
		ctx_buf_adds(out, "\"}]}");
	} else
		ctx_dialect_anthropic.emit(out, what);
	return ctx_buf_adds(out, "}");
}

const struct ctx_dialect ctx_dialect_claude_code = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "claude-code",
	.title = "Claude Code session files",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LEADS |
	    CTX_RULE_LOG | CTX_RULE_WHOLE_PAIRS,
	.family = "anthropic",
	.branches = branches,
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.emit = emit
};
