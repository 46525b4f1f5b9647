/* SPDX-License-Identifier: MIT */
/* What a request costs besides its messages; see charge.h. */
#include <string.h>

#include "job/charge_impl.h"
#include "job/declare.h"
#include "job/toolcost.h"
#include "read/spell.h"

#define HEAD	"# Tools\n\n## functions\n\n"
#define OPENS	"namespace functions {\n\n"
#define CLOSES	"} // namespace functions"

/* Of the Responses API: */
#define WEB_SEARCH	294	/* web_search_preview, for gpt-4o and gpt-4.1 */
#define ALONE		78	/* parallel_tool_calls is false, from gpt-5 on */
#define ADDED		89	/* tools that an item adds, as in chat, and its
				   message */

/* --- the schema of the answer ---------------------------------------- */

/*
 * Keys of a schema that a model is not shown; names: the keys of the object are
 * names of properties or of definitions.
 */
static int
is_hidden(const struct ctx_doc *doc, uint32_t key)
{
	static const struct ctx_word keys[] = {
		{ "additionalProperties", 1 }, { "required", 1 },
		{ "minLength", 1 }, { "maxLength", 1 }, { "pattern", 1 },
		{ "format", 1 }, { "minimum", 1 }, { "maximum", 1 },
		{ "exclusiveMinimum", 1 }, { "exclusiveMaximum", 1 },
		{ "multipleOf", 1 }, { "minItems", 1 }, { "maxItems", 1 },
		{ "uniqueItems", 1 }, { NULL, 0 }
	};

	return ctx_node_word(doc, key, keys, 0);
}

static int
holds_names(const struct ctx_doc *doc, uint32_t key)
{
	static const struct ctx_word keys[] = { { "properties", 1 },
	    { "$defs", 1 }, { "definitions", 1 }, { NULL, 0 } };

	return ctx_node_word(doc, key, keys, 0);
}

#define SHOWN_DEPTH	64

static void put_shown(struct ctx_buf *out, const struct ctx_doc *doc,
    uint32_t node, int names, int depth);

static void
put_members(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t node,
    int names, int depth)
{
	uint32_t k;
	int n = 0;

	ctx_buf_addc(out, '{');
	CTX_FOR_KEYS(doc, k, node) {
		if (!names && is_hidden(doc, k))
			continue;
		ctx_buf_adds(out, n++ > 0 ? "," : "");
		ctx_spell_string(out, ctx_node_str(doc, k));
		ctx_buf_addc(out, ':');
		put_shown(out, doc, k + 1, !names && holds_names(doc, k),
		    depth + 1);
	}
	ctx_buf_addc(out, '}');
}

/* Write a schema without the keys that are not shown, and without white space. */
static void
put_shown(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t node,
    int names, int depth)
{
	struct ctx_str json = ctx_node_json(doc, node);
	struct ctx_buf plain = { 0 };
	uint32_t e;
	int n = 0;

	if (*json.p == '{' && depth < SHOWN_DEPTH)
		put_members(out, doc, node, names, depth);
	else if (*json.p == '[' && doc->node[node].next > node + 1 &&
	    ctx_node_type(doc, node + 1) == '{') {
		ctx_buf_addc(out, '[');
		CTX_FOR_LIST(doc, e, node) {
			ctx_buf_adds(out, n++ > 0 ? "," : "");
			put_shown(out, doc, e, 0, depth + 1);
		}
		ctx_buf_addc(out, ']');
	} else if (*json.p == '"')
		ctx_spell_string(out, ctx_node_str(doc, node));
	else {
		ctx_spell_plain(&plain, json);
		ctx_spell_compact(out, ctx_str_of(&plain));
		out->failed |= plain.failed;
		ctx_buf_done(&plain);
	}
}

/* The object with the schema's name, description and schema, or CTX_NONE. */
static uint32_t
format_of(const struct ctx_charge_request *q)
{
	const struct ctx_doc *doc = &q->doc;
	uint32_t f = CTX_GIVEN(doc, q->node, "response_format"), in;

	if (f == CTX_NONE)
		f = CTX_GET(doc, CTX_GET(doc, q->node, "text"), "format");
	if (f == CTX_NONE ||
	    !ctx_node_is(doc, CTX_GET(doc, f, "type"), "json_schema"))
		return CTX_NONE;
	in = CTX_GET(doc, f, "json_schema");
	return ctx_node_if(doc, in != CTX_NONE ? in : f, '{');
}

static void
put_format(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t f)
{
	uint32_t about = CTX_GIVEN(doc, f, "description");
	uint32_t schema = CTX_GIVEN(doc, f, "schema");

	ctx_buf_adds(out, "# Response Formats\n\n## ");
	ctx_node_decode(out, doc, CTX_GET(doc, f, "name"));
	ctx_buf_adds(out, "\n\n");
	if (about != CTX_NONE && doc->node[about].len > 2) {
		ctx_buf_adds(out, "// ");
		ctx_node_decode(out, doc, about);
		ctx_buf_addc(out, '\n');
	}
	if (schema == CTX_NONE)
		ctx_buf_adds(out, "{}");
	else
		put_shown(out, doc, schema, 0, 0);
}

/* --- OpenAI ------------------------------------------------------------ */

uint32_t
ctx_charge_system(const struct ctx_convo *c)
{
	uint32_t m;

	for (m = 0; m < c->nmsg; m++)
		if (c->msg[m].role == CTX_SYSTEM)
			return m;
	return CTX_NONE;
}

#define TAIL	48

/*
 * Count a block that is added to the end of system message m of c: tokens can
 * lie across the border.
 */
static int
add_block(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
    const struct ctx_buf *block, uint64_t *n, struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	struct ctx_buf tail = { 0 }, all = { 0 };
	struct ctx_str s = { NULL, 0 };
	uint64_t before = 0, after = 0;
	size_t from = 0;

	if (msg->npart > 0)
		s = ctx_part_text(c, msg->part + msg->npart - 1);
	if (s.p != NULL)
		ctx_str_decode(&tail, s.p, s.len);
	if (tail.len > TAIL)
		for (from = tail.len - TAIL; from < tail.len && tail.data[from] !=
		    ' ' && tail.data[from] != '\n'; from++)
			;
	if (from < tail.len)
		ctx_buf_add(&all, tail.data + from, tail.len - from);
	all.failed |= tail.failed;
	ctx_buf_done(&tail);
	ctx_buf_add(&tail, all.data, all.len);
	ctx_buf_adds(&all, "\n\n");
	ctx_buf_add(&all, block->data, block->len);
	if (ctx_charge_text(k, &tail, &before, err) == -1) {
		ctx_buf_done(&all);
		return -1;
	}
	if (ctx_charge_text(k, &all, &after, err) == -1)
		return -1;
	*n += after - before;
	return 0;
}

/* Declare all tools. */
static int
declare(struct ctx_charge_request *q, struct ctx_buf *out, struct ctx_err *err)
{
	size_t i;

	ctx_buf_adds(out, OPENS);
	for (i = 0; i < q->tools->n; i++)
		if (ctx_declare(out, &q->tools->tool[i], err) == -1)
			return -1;
	ctx_buf_adds(out, CLOSES);
	return ctx_buf_fail(out, err);
}

/* In chat requests to models before the o series, all is one system message. */
static int
add_merged(struct ctx_charge_request *q, uint32_t format, struct ctx_err *err)
{
	const struct ctx_convo *c = q->system != NULL ? q->system : q->c;
	struct ctx_buf block = { 0 };
	uint32_t m = ctx_charge_system(c);
	uint64_t *n = &q->out->tools;
	int rc = 0;

	if (q->tools->n > 0) {
		ctx_buf_adds(&block, HEAD);
		rc = declare(q, &block, err);
	} else
		n = &q->out->format;
	if (format != CTX_NONE) {
		ctx_buf_adds(&block, block.len > 0 ? "\n\n" : "");
		put_format(&block, &q->doc, format);
	}
	if (rc == 0)
		rc = ctx_buf_fail(&block, err);
	if (rc == -1)
		ctx_buf_done(&block);
	else if (m != CTX_NONE) {
		rc = add_block(q->k, c, m, &block, n, err);
		ctx_buf_done(&block);
	} else {
		*n += q->r->message;
		rc = ctx_charge_text(q->k, &block, n, err);
	}
	return rc;
}

/* Count the declarations of all tools as a text of their own. */
static int
add_declared(struct ctx_charge_request *q, struct ctx_err *err)
{
	struct ctx_buf text = { 0 }, head = { 0 };

	if (declare(q, &text, err) == -1) {
		ctx_buf_done(&text);
		return -1;
	}
	if (q->r->harmony) {
		ctx_buf_adds(&head, OPENS);
		memmove(text.data, text.data + strlen(OPENS),
		    text.len -= strlen(OPENS));
		if (ctx_charge_text(q->k, &head, &q->out->tools, err) == -1) {
			ctx_buf_done(&text);
			return -1;
		}
	}
	return ctx_charge_text(q->k, &text, &q->out->tools, err);
}

/* Elsewhere each is a text of its own. */
static int
add_apart(struct ctx_charge_request *q, uint32_t format, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };

	if (q->tools->n > 0 && add_declared(q, err) == -1)
		return -1;
	if (format == CTX_NONE)
		return 0;
	put_format(&text, &q->doc, format);
	q->out->format += !q->r->harmony || !q->r->items;
	return ctx_charge_text(q->k, &text, &q->out->format, err);
}

/*
 * An item can bring tools later in the conversation, in a message of its own
 * that costs what tools cost in chat.  9 recorded requests are met within 2 %.
 */
static int
add_added(struct ctx_charge_request *q, uint32_t item, struct ctx_err *err)
{
	const struct ctx_tools *tools = q->tools;
	struct ctx_tools own = { 0 };
	int rc = ctx_tools_read(&own, &q->doc, item, err);

	q->tools = &own;
	if (rc == 0 && own.n > 0) {
		q->k->guessed = 1;
		q->out->tools += q->r->message + ADDED;
		rc = add_declared(q, err);
	}
	q->tools = tools;
	ctx_tools_done(&own);
	return rc;
}

/* Items of the Responses API that are no messages. */
static int
add_items(struct ctx_charge_request *q, struct ctx_err *err)
{
	/* 1: it brings tools; 2: what it stands for does not show */
	static const struct ctx_word kinds[] = {
		{ "additional_tools", 1 }, { "tool_search_output", 1 },
		{ "item_reference", 2 }, { "mcp_call", 2 },
		{ "mcp_list_tools", 2 }, { "web_search_call", 2 },
		{ "file_search_call", 2 }, { "image_generation_call", 2 },
		{ "code_interpreter_call", 2 }, { "tool_search_call", 2 },
		{ NULL, 0 }
	};
	const struct ctx_doc *doc = &q->doc;
	uint32_t input = ctx_node_if(doc, CTX_GET(doc, q->node, "input"), '['),
	    e, type;
	int kind;

	CTX_FOR_LIST(doc, e, input) {
		type = CTX_GET(doc, e, "type");
		kind = type == CTX_NONE ? 0 :
		    ctx_node_word(doc, type, kinds, 0);
		q->k->unknown |= kind == 2;
		if (kind == 1 && add_added(q, e, err) == -1)
			return -1;
	}
	return 0;
}

/* In chat without tools, each answer, and the one to come, names the format. */
static int
add_named(struct ctx_charge_request *q, uint32_t format, struct ctx_err *err)
{
	uint64_t answers = 1, named = 2;
	uint32_t m, i, calls;

	for (m = 0; m < q->c->nmsg; m++) {
		if (q->c->msg[m].role != CTX_ASSISTANT)
			continue;
		calls = 0;
		CTX_FOR_PARTS(q->c, m, i)
			calls += q->c->part[i].kind == CTX_CALL;
		answers += calls == 0;
	}
	if (ctx_cost_add(q->k, ctx_node_str(&q->doc, CTX_GET(&q->doc, format,
	    "name")), &named, err) == -1)
		return -1;
	q->out->format += answers * named;
	return 0;
}

/* A choice of one function by name. */
static int
add_choice(struct ctx_charge_request *q, struct ctx_err *err)
{
	const struct ctx_doc *doc = &q->doc;
	uint32_t c = ctx_node_if(doc, CTX_GET(doc, q->node, "tool_choice"),
	    '{'), in;
	struct ctx_buf text = { 0 };

	if (q->r->harmony) {
		c = CTX_GET(doc, q->node, "parallel_tool_calls");
		if (q->r->items && q->r->answer > 0 && q->tools->n > 0 &&
		    c != CTX_NONE && ctx_node_type(doc, c) == 'f')
			q->out->tools += ALONE;
		return 0;
	}
	/* older requests have the object alone */
	if (c == CTX_NONE)
		c = ctx_node_if(doc, CTX_GET(doc, q->node, "function_call"),
		    '{');
	else if (!ctx_node_is(doc, CTX_GET(doc, c, "type"), "function"))
		return 0;
	if (c == CTX_NONE)
		return 0;
	in = ctx_node_if(doc, CTX_GET(doc, c, "function"), '{');
	q->out->tools += 6;
	ctx_buf_adds(&text, "functions.");
	ctx_node_decode(&text, doc, CTX_GET(doc, in != CTX_NONE ? in : c,
	    "name"));
	return ctx_charge_text(q->k, &text, &q->out->tools, err);
}

/*
 * The grammar of a custom tool, of which the text is counted; what comes with
 * it is not known.
 */
static int
add_grammar(struct ctx_charge_request *q, uint32_t tool, struct ctx_err *err)
{
	const struct ctx_doc *doc = &q->doc;
	uint32_t f = CTX_GET(doc, tool, "custom"), in;

	f = ctx_node_if(doc, CTX_GET(doc, f != CTX_NONE ? f : tool, "format"),
	    '{');
	in = ctx_node_if(doc, CTX_GET(doc, f, "grammar"), '{');
	if (f == CTX_NONE)
		return 0;
	q->k->unknown = 1;
	return ctx_cost_add(q->k, ctx_node_str(doc, CTX_GET(doc,
	    in != CTX_NONE ? in : f, "definition")), &q->out->tools, err);
}

/* Tools that are no functions: those that the server runs, and custom ones. */
static int
add_others(struct ctx_charge_request *q, struct ctx_err *err)
{
	const struct ctx_doc *doc = q->defs;
	uint32_t e, type;
	uint64_t hosted = 0, others = 0;

	CTX_FOR_LIST(doc, e, q->list) {
		type = CTX_GET(doc, e, "type");
		/* other APIs' definitions have no type, or are custom */
		if (type == CTX_NONE || ctx_node_is(doc, type, "function"))
			continue;
		if (ctx_node_is(doc, type, "custom")) {
			if (add_grammar(q, e, err) == -1)
				return -1;
			continue;
		}
		others++;
		hosted += ctx_node_is(doc, type, "web_search_preview");
	}
	q->k->unknown |= others > 0;
	if (q->r->items && !q->r->harmony && hosted == 1 && others == 1)
		q->out->tools += WEB_SEARCH;
	return 0;
}

/* Does the request bring what the server keeps? */
static int
is_partial(const struct ctx_doc *doc, uint32_t node)
{
	static const char *const members[] = { "previous_response_id",
	    "conversation", "prompt" };
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (ctx_node_given(doc, ctx_doc_get(doc, node, members[i],
		    strlen(members[i]))) != CTX_NONE)
			return 1;
	return 0;
}

static int
openai(struct ctx_charge_request *q, struct ctx_err *err)
{
	uint32_t format = format_of(q);
	int rc;

	if (add_others(q, err) == -1)
		return -1;
	if (q->node != CTX_NONE) {
		q->k->unknown |= is_partial(&q->doc, q->node);
		if (q->r->items && add_items(q, err) == -1)
			return -1;
	}
	if (format != CTX_NONE && !q->r->items && q->tools->n == 0 &&
	    add_named(q, format, err) == -1)
		return -1;
	if (q->tools->n == 0 && format == CTX_NONE)
		return 0;
	rc = q->r->items || q->r->harmony ? add_apart(q, format, err) :
	    add_merged(q, format, err);
	if (rc == 0 && q->tools->n > 0) {
		q->out->tools += (uint64_t)(int64_t)q->r->tools;
		rc = add_choice(q, err);
	}
	return rc;
}

/* --- any --------------------------------------------------------------- */

/* The definitions that stand in a record. */
struct own {
	struct ctx_tools tools;
	struct ctx_doc doc;	/* if they are in a string: of its text */
	struct ctx_buf text;
};

static void
own_done(struct own *own)
{
	ctx_tools_done(&own->tools);
	ctx_doc_done(&own->doc);
	ctx_buf_done(&own->text);
}

/* Training records may have the list as a text; what is no JSON is no list. */
static int
read_string(struct ctx_charge_request *q, uint32_t node, struct own *own,
    struct ctx_err *err)
{
	int rc;

	ctx_node_decode(&own->text, &q->doc, node);
	if (ctx_buf_fail(&own->text, err) == -1)
		return -1;
	rc = own->text.len == 0 ? 0 :
	    ctx_doc_try(&own->doc, own->text.data, own->text.len);
	if (rc != 1)
		return rc == -1 ? ctx_fail_nomem(err) : 0;
	q->defs = &own->doc;
	q->list = 0;
	return ctx_tools_read(&own->tools, &own->doc, 0, err);
}

/* Read the record's definitions; "functions" is OpenAI's older list. */
static int
read_own(struct ctx_charge_request *q, struct own *own, struct ctx_err *err)
{
	uint32_t old = ctx_node_if(&q->doc, CTX_GET(&q->doc, q->node,
	    "functions"), '[');

	q->defs = &q->doc;
	q->list = CTX_GET(&q->doc, q->node, "tools");
	if (q->list != CTX_NONE && ctx_node_type(&q->doc, q->list) == '"')
		return read_string(q, q->list, own, err);
	if (ctx_tools_read(&own->tools, &q->doc, q->node, err) == -1)
		return -1;
	return old == CTX_NONE ? 0 :
	    ctx_tools_read(&own->tools, &q->doc, old, err);
}

/* What each definition costs, as far as it can be told apart. */
static int
add_each(struct ctx_charge_request *q, uint64_t *each, struct ctx_err *err)
{
	struct ctx_buf text;
	size_t i;
	int rc = 0;

	for (i = 0; i < q->tools->n && rc == 0; i++) {
		each[i] = 0;
		text = (struct ctx_buf){ 0 };
		if (q->r == NULL)
			rc = ctx_toolcost_add(q->k, &q->tools->tool[i],
			    &each[i], err);
		else if ((rc = ctx_declare(&text, &q->tools->tool[i],
		    err)) == -1)
			ctx_buf_done(&text);
		else
			rc = ctx_charge_text(q->k, &text, &each[i], err);
	}
	return rc;
}

/* The documents beside the messages of a request to Cohere's API, with their keys. */
static int
add_documents(struct ctx_charge_request *q, struct ctx_err *err)
{
	const struct ctx_doc *doc = &q->doc;
	uint32_t list = ctx_node_if(doc, CTX_GET(doc, q->node, "documents"),
	    '['), i;

	for (i = list; list != CTX_NONE && i < doc->node[list].next; i++)
		if (ctx_cost_add(q->k, ctx_node_str(doc, i), &q->out->tools,
		    err) == -1)
			return -1;
	return 0;
}

/* Where no rule is known, texts are counted. */
static int
plain(struct ctx_charge_request *q, struct ctx_err *err)
{
	uint32_t format = format_of(q);
	struct ctx_buf text = { 0 };
	size_t i;

	if (q->tools->n > 0)
		ctx_toolcost_frame(q->k, &q->out->tools);
	for (i = 0; i < q->tools->n; i++)
		if (ctx_toolcost_add(q->k, &q->tools->tool[i], &q->out->tools,
		    err) == -1)
			return -1;
	if (add_documents(q, err) == -1)
		return -1;
	if (format == CTX_NONE)
		return 0;
	put_format(&text, &q->doc, format);
	return ctx_charge_text(q->k, &text, &q->out->format, err);
}

/* Count the message of ctx_along by the rule of the conversation. */
static int
add_system(const struct ctx_charge_request *q, struct ctx_err *err)
{
	const uint64_t framing = q->k->of[CTX_OF_FRAMING];
	int rc;

	if (q->system == NULL)
		return 0;
	rc = q->r == NULL ?
	    ctx_cost_msg(q->k, q->system, 0, &q->out->system, err) :
	    ctx_charge_msg(q->k, q->r, q->system, 0, &q->out->system, err);
	q->k->of[CTX_OF_FRAMING] = framing;
	return rc;
}

/* Find the record that c begins with, and the definitions that count. */
static int
begin(struct ctx_charge_request *q, const struct ctx_along *along,
    struct own *own, struct ctx_err *err)
{
	const struct ctx_convo *c = q->c;

	*q->out = (struct ctx_charges){ 0 };
	q->tools = &own->tools;
	if (c->nrec > 0) {
		q->doc = ctx_convo_doc(c, 0);
		if (c->rec[0].shape == CTX_REC_CONVERSATION)
			q->node = ctx_node_if(&q->doc, c->rec[0].request !=
			    CTX_NONE ? c->rec[0].request : c->rec[0].root, '{');
	}
	if (along != NULL)
		q->system = along->system;
	if (along == NULL || along->tools == NULL || along->tools->n == 0)
		return q->node == CTX_NONE ? 0 : read_own(q, own, err);
	q->tools = along->tools;
	q->defs = along->defs;
	q->list = q->defs == NULL ? CTX_NONE :
	    ctx_node_type(q->defs, 0) == '[' ? 0 :
	    CTX_GET(q->defs, 0, "tools");
	return 0;
}

int
ctx_charge_turn(struct ctx_cost *k, struct ctx_charged *so_far,
    const struct ctx_convo *c)
{
	const struct ctx_charge *by = ctx_charge_of(k, c);
	int due = 0;

	k->lines = CTX_COST_LINES_TURN;
	k->before = so_far->before;
	if (c->nmsg == 0)
		return 0;
	so_far->before = 1 + (int)c->msg[c->nmsg - 1].role;
	if (!so_far->cites && by != NULL &&
	    by->rule == CTX_CHARGE_ANTHROPIC)
		due = so_far->cites = ctx_charge_anthropic_cites(c);
	if (!so_far->settled) {
		due |= !so_far->yes || by != so_far->by;
		so_far->by = by;
		so_far->yes = 1;
		so_far->settled = c->dialect != NULL;
	}
	return due;
}

int
ctx_charge_request(struct ctx_cost *k, const struct ctx_convo *c,
    const struct ctx_along *along, struct ctx_charges *out, uint64_t *each,
    struct ctx_err *err)
{
	struct ctx_charge_request q = { .k = k, .r = ctx_charge_of(k, c), .c = c,
	    .node = CTX_NONE, .list = CTX_NONE, .out = out };
	struct own own = { 0 };
	int rc = begin(&q, along, &own, err);

	k->quiet.c = NULL;

	if (q.tools == &own.tools)
		each = NULL;
	if (q.r != NULL)
		out->framing = q.r->whole;
	if (rc == 0)
		rc = add_system(&q, err);
	if (rc == 0 && q.r != NULL && q.r->rule == CTX_CHARGE_GOOGLE) {
		rc = ctx_charge_google_request(&q, each, err);
		each = NULL;	/* it has told them apart */
	} else if (rc == 0)
		rc = q.r == NULL ? plain(&q, err) :
		    q.r->rule == CTX_CHARGE_ANTHROPIC ?
		    ctx_charge_anthropic_request(&q, err) : openai(&q, err);
	if (q.r != NULL && q.r->rule != CTX_CHARGE_OPENAI)
		out->cut = q.r->message + (q.r->rule == CTX_CHARGE_ANTHROPIC ?
		    CTX_CHARGE_OPENED : 0);
	k->of[CTX_OF_SYSTEM] += out->system;
	if (k->choice.model != NULL && !k->flat)
		out->framing += k->choice.model->fitted.request;
	k->of[CTX_OF_FRAMING] += out->framing;
	k->of[CTX_OF_TOOLS] += out->tools;
	k->of[CTX_OF_FORMAT] += out->format;
	if (rc == 0 && each != NULL)
		rc = add_each(&q, each, err);
	own_done(&own);
	return rc;
}
