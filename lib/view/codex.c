/* SPDX-License-Identifier: MIT */
/*
 * Codex CLI rollouts: a log of Responses items, each in an envelope
 * {"timestamp","type":"response_item","payload":{...}} (the first versions had
 * no envelope), between records for the interface.  An event_msg repeats what
 * an item says and is not a message.
 * Format: derived from the files and from the program's source (codex-rs, its
 * protocol crate); it is not documented.
 */
#include <string.h>

#include "view/dialect.h"

enum record { R_NONE, R_ITEM, R_COMPACTED, R_META, R_ASIDE };

static const struct ctx_word records[] = {
	{ "response_item", R_ITEM }, { "event_msg", R_ASIDE },
	{ "turn_context", R_ASIDE }, { "session_meta", R_META },
	{ "compacted", R_COMPACTED }, { NULL, 0 }
};

/* Is it the first line of a file without envelopes? */
static int
is_first_line(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return s->key[CTX_K_ID] != CTX_NONE &&
	    s->key[CTX_K_TIMESTAMP] != CTX_NONE &&
	    CTX_GET(doc, s->node, "instructions") != CTX_NONE &&
	    s->key[CTX_K_TYPE] == CTX_NONE &&
	    s->key[CTX_K_ROLE] == CTX_NONE;
}

/*
 * The instructions that are sent before the items, with every request; CTX_NONE
 * if the session's record has none.
 */
static uint32_t
instructions(const struct ctx_doc *doc, uint32_t payload)
{
	uint32_t text = ctx_node_if(doc, CTX_GET(doc, CTX_GET(doc, payload,
	    "base_instructions"), "text"), '"');

	return text != CTX_NONE && doc->node[text].len > 2 ? text : CTX_NONE;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t payload = ctx_node_if(doc, s->key[CTX_K_PAYLOAD], '{');
	struct ctx_shape item;
	enum ctx_match fit;

	if (payload == CTX_NONE) {
		if (is_first_line(s, doc) || CTX_GET(doc, s->node,
		    "record_type") != CTX_NONE)
			return CTX_MATCH_ASIDE;
		/* a bare item is ours only in a file known to be Codex's */
		fit = ctx_dialect_responses.match(s, doc);
		return fit == CTX_MATCH_SURE ? CTX_MATCH_MAYBE : fit;
	}
	switch (ctx_node_word(doc, s->key[CTX_K_TYPE], records, R_NONE)) {
	case R_ITEM:
		ctx_shape_of(&item, doc, payload);
		fit = ctx_dialect_responses.match(&item, doc);
		return fit == CTX_MATCH_NOT || fit == CTX_MATCH_ASIDE ?
		    CTX_MATCH_ASIDE : CTX_MATCH_SURE;
	case R_COMPACTED:
		return CTX_MATCH_SURE;
	case R_META:
		return instructions(doc, payload) != CTX_NONE ?
		    CTX_MATCH_SURE : CTX_MATCH_ASIDE;
	case R_ASIDE:
		return CTX_MATCH_ASIDE;
	default:
		return CTX_MATCH_NOT;
	}
}

/*
 * View a record that replaces all earlier ones: a list of items or a summary.
 */
static int
view_compacted(struct ctx_convo *c, const struct ctx_doc *doc,
    uint32_t payload, struct ctx_err *err)
{
	uint32_t list = CTX_GET(doc, payload, "replacement_history"), e;
	uint32_t first = c->nmsg;

	if (ctx_dialect_nested(c, &ctx_dialect_responses, doc, list, err) == -1)
		return -1;
	if (c->nmsg == first) {
		e = CTX_GET(doc, payload, "message");
		if (ctx_convo_add_msg(c, CTX_USER, payload, CTX_NONE) ==
		    NULL || ctx_convo_put_text(c, e) == -1)
			return ctx_fail_nomem(err);
	}
	c->msg[first].flags |= CTX_BOUNDARY;
	c->msg[c->nmsg - 1].flags |= CTX_SUMMARY;
	return 0;
}

/*
 * The record of a session is its system prompt.  A session that continues
 * another's log repeats that one's record.
 */
static int
view_meta(struct ctx_convo *c, uint32_t text, struct ctx_err *err)
{
	struct ctx_msg *m = ctx_convo_add_msg(c, CTX_SYSTEM, text, text);

	if (m == NULL || ctx_convo_put_text(c, text) == -1)
		return ctx_fail_nomem(err);
	m->flags = CTX_FIXED | CTX_ONCE;
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t payload = ctx_node_if(doc, s->key[CTX_K_PAYLOAD], '{');
	struct ctx_shape item;

	if (payload == CTX_NONE)
		return ctx_dialect_responses.view(c, doc, s, err);
	if (ctx_node_is(doc, s->key[CTX_K_TYPE], "compacted"))
		return view_compacted(c, doc, payload, err);
	if (ctx_node_is(doc, s->key[CTX_K_TYPE], "session_meta"))
		return view_meta(c, instructions(doc, payload), err);
	ctx_shape_of(&item, doc, payload);
	return ctx_dialect_responses.view(c, doc, &item, err);
}

/* --- turns that were taken back -------------------------------------- */

/* Tags of what the program says in the user's name, which begins no turn. */
static const char *const of_user[] = { "# AGENTS.md instructions",
    "<user_instructions>", "<environment_context>", "<extension_context>",
    "<goal_context>", "<hook_prompt", "<skill>", "<subagent_notification>",
    "<turn_aborted>", "<user_shell_command>", NULL };

/* Those of what it says before a turn as the developer. */
static const char *const of_developer[] = { "<collaboration_mode>",
    "<context_window", "<model_switch>", "<multi_agent_mode>",
    "<permissions instructions>", "<personality_spec>",
    "<realtime_conversation>", "<rollout_budget>", "<skills_instructions>",
    "<token_budget", NULL };

/* Does a text of message m begin with one of the tags? */
static int
has_tag(const struct ctx_convo *c, uint32_t m, const char *const *tags)
{
	struct ctx_str text;
	uint32_t p;
	size_t i;

	CTX_FOR_PARTS(c, m, p) {
		text = ctx_part_text(c, p);
		for (i = 0; text.p != NULL && tags[i] != NULL; i++)
			if (ctx_node_begins(text, tags[i]))
				return 1;
	}
	return 0;
}

static int
opens_turn(const struct ctx_convo *c, uint32_t m)
{
	return c->msg[m].role == CTX_USER && !has_tag(c, m, of_user);
}

/* Does message m go with the turn after it? */
static int
leads_in(const struct ctx_convo *c, uint32_t m)
{
	return c->msg[m].role == CTX_USER ? has_tag(c, m, of_user) :
	    c->msg[m].role == CTX_SYSTEM && has_tag(c, m, of_developer);
}

/* The number of turns that record r takes back. */
static uint64_t
rolled_back(const struct ctx_convo *c, uint32_t r)
{
	struct ctx_doc doc = ctx_convo_doc(c, r);
	uint32_t payload;
	struct ctx_str num;
	uint64_t n = 0;

	if (c->rec[r].nmsg > 0 || c->rec[r].root == CTX_NONE)
		return 0;
	payload = ctx_node_if(&doc, CTX_GET(&doc, c->rec[r].root, "payload"),
	    '{');
	if (payload == CTX_NONE || !ctx_node_is(&doc, CTX_GET(&doc, payload,
	    "type"), "thread_rolled_back"))
		return 0;
	num = ctx_node_json(&doc, ctx_node_given(&doc, CTX_GET(&doc, payload,
	    "num_turns")));
	for (; num.len > 0 && *num.p >= '0' && *num.p <= '9' &&
	    n < UINT32_MAX; num.p++, num.len--)
		n = n * 10 + (unsigned)(*num.p - '0');
	return n;
}

/*
 * Take back the last n turns of those before message end that are still there:
 * to the first one, if there are fewer.  What led in to that one stays.  What a
 * compaction has replaced does not come back if that goes.
 */
static void
take_back(const struct ctx_convo *c, uint64_t n, uint32_t end,
    unsigned char *gone)
{
	uint32_t m, begin = end, cut = end, first = end;

	while (begin > 0 && (begin == end || gone[begin] ||
	    !(c->msg[begin].flags & CTX_BOUNDARY)))
		begin--;
	for (m = end; m-- > begin;)
		if (!gone[m] && opens_turn(c, m)) {
			first = m;
			if (n > 0) {
				cut = m;
				n--;
			}
		}
	while (cut > first && (gone[cut - 1] || leads_in(c, cut - 1)))
		cut--;
	if (cut == begin)
		cut = 0;
	for (; cut < end; cut++)
		gone[cut] |= !(c->msg[cut].flags & CTX_FIXED);
}

/* {"type":"thread_rolled_back","num_turns":N} takes back the last N turns. */
static int
branches(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	uint32_t r, end = tip + 1 == c->nmsg ? c->nrec : c->msg[tip].rec + 1;
	uint64_t n;

	for (r = 0; r < end; r++)
		if ((n = rolled_back(c, r)) > 0)
			take_back(c, n, c->rec[r].msg, gone);
	return 0;
}

/* Pass the texts of a result's content, a list of blocks, to put. */
static int
content_copies(const struct ctx_doc *doc, uint32_t result, struct ctx_str id,
    ctx_copy_fn *put, void *arg)
{
	uint32_t ok = CTX_GET(doc, result, "Ok"), e, text;

	CTX_FOR_LIST(doc, e, CTX_GET(doc, ok != CTX_NONE ? ok : result,
	    "content")) {
		text = ctx_node_if(doc, CTX_GET(doc, e, "text"), '"');
		if (text != CTX_NONE && put(arg, id, text) == -1)
			return -1;
	}
	return 0;
}

/*
 * An event that ends a call repeats what the call's output says, in its payload or
 * in the payload's item.
 */
static int
copies(const struct ctx_doc *doc, uint32_t root, ctx_copy_fn *put, void *arg)
{
	static const char *const names[] = { "aggregated_output",
	    "formatted_output", "stdout", "stderr" };
	uint32_t of = ctx_node_if(doc, CTX_GET(doc, root, "payload"), '{');
	uint32_t item = ctx_node_if(doc, CTX_GET(doc, of, "item"), '{');
	struct ctx_str id;
	uint32_t node;
	size_t i;

	if (of == CTX_NONE ||
	    !ctx_node_is(doc, CTX_GET(doc, root, "type"), "event_msg"))
		return 0;
	id = ctx_node_str(doc, item != CTX_NONE ? CTX_GET(doc, item, "id") :
	    CTX_GET(doc, of, "call_id"));
	if (item != CTX_NONE)
		of = item;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		node = ctx_node_if(doc, CTX_GET(doc, of, names[i]), '"');
		if (node != CTX_NONE && put(arg, id, node) == -1)
			return -1;
	}
	return content_copies(doc, CTX_GET(doc, of, "result"), id, put, arg);
}

/* Unlike the API, the program reads only lists of contents. */
static int
emit_message(struct ctx_buf *out, const struct ctx_new *item)
{
	static const char *const names[] = { "system", "user", "assistant" };

	ctx_buf_addf(out, "{\"type\":\"message\",\"role\":\"%s\",\"content\":"
	    "[{\"type\":\"%s_text\",\"text\":\"", names[item->role],
	    item->role == CTX_ASSISTANT ? "output" : "input");
	ctx_str_encode(out, item->text, item->textlen);
	return ctx_buf_adds(out, "\"}]}");
}

/* The program's own summary: the items that are sent in place of all earlier ones. */
static int
emit_compacted(struct ctx_buf *out, const struct ctx_new *item)
{
	ctx_buf_adds(out, "\"type\":\"compacted\",\"payload\":{\"message\":\"");
	ctx_str_encode(out, item->text, item->textlen);
	ctx_buf_adds(out, "\",\"replacement_history\":[");
	ctx_buf_add(out, item->raw, item->rawlen);
	ctx_buf_adds(out, item->rawlen > 0 ? "," : "");
	emit_message(out, item);
	return ctx_buf_adds(out, "]}}");
}

/*
 * Write an envelope with the neighbour's time rather than the clock's, so that
 * the output is reproducible.
 */
static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	struct ctx_new item = *what;
	uint32_t payload = CTX_NONE, time;

	if (what->doc != NULL)
		payload = ctx_node_if(what->doc, CTX_GET(what->doc, what->like,
		    "payload"), '{');
	if (payload == CTX_NONE && what->kind != CTX_NEW_SUMMARY)
		return ctx_dialect_responses.emit(out, what);
	item.like = payload;
	ctx_buf_addc(out, '{');
	time = what->doc == NULL ? CTX_NONE : CTX_GET(what->doc, what->like,
	    "timestamp");
	if (time != CTX_NONE) {
		ctx_buf_adds(out, "\"timestamp\":");
		ctx_node_put(out, what->doc, time);
		ctx_buf_addc(out, ',');
	}
	if (what->kind == CTX_NEW_SUMMARY)
		return emit_compacted(out, &item);
	ctx_buf_adds(out, "\"type\":\"response_item\",\"payload\":");
	if (what->kind == CTX_NEW_TEXT)
		emit_message(out, what);
	else
		ctx_dialect_responses.emit(out, &item);
	return ctx_buf_adds(out, "}");
}

const struct ctx_dialect ctx_dialect_codex = {
	.text_element = "{\"type\":\"input_text\",\"text\":\"",
	.name = "codex",
	.title = "Codex CLI rollouts",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LEADS |
	    CTX_RULE_RUNS | CTX_RULE_LOG,
	.family = "openai-responses",
	.wraps = &ctx_dialect_responses,
	.branches = branches,
	.list = CTX_K_INPUT,
	.match = match,
	.view = view,
	.copies = copies,
	.summary = CTX_SUMMARY_LIST,
	.own = &(const struct ctx_dialect_own){ of_user, NULL, NULL },
	.emit = emit
};
