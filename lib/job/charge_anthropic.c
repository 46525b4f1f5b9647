/* SPDX-License-Identifier: MIT */
/*
 * What Anthropic's Messages API charges.  The tool-use system prompts are those
 * of its page "Tool use", Pricing; everything else was fitted on 441 recorded
 * requests, 2026-11.  Its definitions of tools and its calls are texts of their
 * own form, of which the numbers below are the fixed parts.
 */
#include <string.h>

#include "job/charge_impl.h"
#include "read/spell.h"

#define PARAM		14	/* an argument, besides its name and value */
#define CALLS_ONE	39	/* a call and its result, if alone in the turn */
#define CALLS_MORE	30	/* several, */
#define CALLS_EACH	36	/* and for each of these */
#define NEWER		9	/* less for the first, and */
#define NEWER_EACH	6	/* for each, from Claude 4.7 on */
#define NEWER_MORE	8
#define FAILED		9	/* a result with is_error */
#define CHOSEN		3	/* a tool that must be called, besides its name */
#define FORMAT		81	/* the form of the answer, besides its schema */
#define THINKING	29	/* until 4.6: thinking is enabled, */
#define ADAPTIVE	17	/* or adaptive */
#define BUDGET		36	/* a task_budget */
#define REFERENCE	14	/* a tool_reference, besides the definition */
#define CITATIONS	550	/* documents with citations */

/* The tool-use system prompt; the first row that is part of the name applies. */
static const struct prompt {
	const char *part;
	unsigned any;		/* a tool may be called, or none */
	unsigned must;		/* one has to be */
	unsigned alone;		/* less, if not several at once may be */
	int keeps;		/* thinking of all turns stays in the context,
				   unless the request clears it; from
				   Anthropic's "Context editing", 2026-11 */
} prompts[] = {
	{ "opus-4-8", 290, 410, 0, 1 }, { "opus-4-7", 675, 804, 0, 1 },
	{ "opus-4-6", 497, 589, 208, 1 }, { "opus-4-5", 496, 588, 208, 1 },
	{ "opus-4", 313, 315, 44, 0 }, { "opus-5", 290, 410, 0, 1 },
	{ "sonnet-5", 354, 474, 0, 1 }, { "sonnet-4-6", 497, 589, 208, 1 },
	{ "sonnet-4-5", 496, 588, 208, 0 }, { "sonnet-4", 313, 315, 44, 0 },
	{ "haiku-4-5", 496, 588, 208, 0 }, { "3-7-sonnet", 313, 315, 0, 0 },
	{ "3-5-haiku", 264, 355, 0, 0 }, { "3-5-sonnet", 294, 261, 0, 0 },
	{ "3-haiku", 264, 340, 0, 0 }, { "3-opus", 530, 281, 0, 0 },
	{ "3-sonnet", 159, 235, 0, 0 }, { "fable", 384, 504, 0, 1 },
	{ "mythos", 384, 504, 0, 1 }, { "", 354, 474, 0, 1 }
};

/* Tools that Anthropic defines, by the beginning of their type. */
static const struct {
	const char *type;
	unsigned tokens, newer;
} hosted[] = {
	{ "computer_", 1323, 1323 }, { "bash_", 245, 325 },
	{ "text_editor_", 700, 900 }, { "tool_search_", 193, 357 }
};

static const struct prompt *
prompt_of(const struct ctx_cost *k)
{
	const char *of = k->model_name != NULL ? k->model_name :
	    k->choice.model->prefix;
	const struct prompt *p = prompts;
	char plain[CTX_MODEL_NAME_MAX], *c;
	const char *name = ctx_model_plain(of, plain);

	for (c = plain; *c != '\0'; c++)
		if (*c == '.')
			*c = '-';
	while (strstr(name, p->part) == NULL)
		p++;
	return p;
}

/* --- a message --------------------------------------------------------- */

/* The side of the conversation that a role is; results are the user's. */
static enum ctx_role
side(enum ctx_role role)
{
	return role == CTX_TOOL ? CTX_USER : role;
}

/* That of message m. */
static enum ctx_role
side_of(const struct ctx_convo *c, uint32_t m)
{
	return side(c->msg[m].role);
}

static int
is_result(const struct ctx_part *p)
{
	return p->kind == CTX_RESULT && !(p->flags & (CTX_SERVER | CTX_INNER));
}

/* The results of the turn of the user that message m is in. */
static uint32_t
results_of_turn(const struct ctx_convo *c, uint32_t m)
{
	uint32_t from = m, end = m + 1, n = 0, i;

	while (from > 0 && m - from < CTX_CHARGE_NEAR &&
	    side_of(c, from - 1) == CTX_USER)
		from--;
	while (end < c->nmsg && end - m < CTX_CHARGE_NEAR &&
	    side_of(c, end) == CTX_USER)
		end++;
	for (i = c->msg[from].part; i < c->msg[end - 1].part +
	    c->msg[end - 1].npart; i++)
		n += is_result(&c->part[i]);
	return n;
}

/* Is result i the first of its turn? */
static int
is_first(const struct ctx_convo *c, uint32_t i)
{
	uint32_t m = c->part[i].msg;

	while (i-- > 0 && (c->part[i].msg == m ||
	    (m - c->part[i].msg < CTX_CHARGE_NEAR &&
	    side_of(c, c->part[i].msg) == CTX_USER)))
		if (is_result(&c->part[i]))
			return 0;
	return 1;
}

/* What a result costs with its call, besides their texts. */
static uint64_t
result_frame(const struct ctx_charge *r, const struct ctx_convo *c, uint32_t i,
    uint32_t nresult)
{
	const int newer = r->harmony;
	uint64_t n = c->part[i].flags & CTX_ERROR ? FAILED : 0;

	if (nresult == 1)
		return n + CALLS_ONE - (newer ? NEWER : 0);
	n += CALLS_EACH - (newer ? NEWER_EACH : 0);
	if (is_first(c, i))
		n += CALLS_MORE - (newer ? NEWER_MORE : 0);
	return n;
}

/* The arguments of an object: each one's name and value. */
static int
add_arguments(struct ctx_cost *k, const struct ctx_doc *doc, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf value = { 0 };
	uint32_t key;

	CTX_FOR_KEYS(doc, key, 0) {
		*n += PARAM;
		k->of[CTX_OF_FRAMING] += PARAM;
		if (ctx_node_type(doc, key + 1) == '"')
			ctx_node_decode(&value, doc, key + 1);
		else
			ctx_spell_spaced(&value, ctx_node_json(doc, key + 1));
		if (ctx_charge_text(k, &value, n, err) == -1 ||
		    ctx_cost_add(k, ctx_node_str(doc, key), n, err) == -1)
			return -1;
	}
	return 0;
}

/* A call: its name and arguments. */
static int
add_call(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_str s = ctx_part_text(c, i);
	int rc;

	if (ctx_cost_add(k, c->part[i].name, n, err) == -1)
		return -1;
	if (c->part[i].flags & CTX_RAW)
		ctx_spell_plain(&text, s);
	else if (s.p != NULL)
		ctx_str_decode(&text, s.p, s.len);
	if (ctx_buf_fail(&text, err) == -1) {
		ctx_buf_done(&text);
		return -1;
	}
	rc = text.len == 0 ? 0 : ctx_doc_try(&doc, text.data, text.len);
	if (rc == -1)
		rc = ctx_fail_nomem(err);
	else if (rc == 1 && ctx_node_type(&doc, 0) == '{')
		rc = add_arguments(k, &doc, n, err);
	else	/* as it is */
		rc = ctx_charge_text(k, &text, n, err);
	ctx_buf_done(&text);
	ctx_doc_done(&doc);
	return rc;
}

int
ctx_charge_anthropic_speaks(const struct ctx_convo *c, uint32_t m)
{
	return c->msg[m].role == CTX_USER && c->msg[m].npart > 0 &&
	    c->part[c->msg[m].part].kind == CTX_TEXT;
}

/*
 * The thinking of part i counts only in the turn that goes on, or with some models
 * always.  What these show may be a summary of what they charge.
 */
static int
add_thinking(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, struct ctx_err *err)
{
	const uint32_t m = c->part[i].msg;
	uint64_t more;

	if (prompt_of(k)->keeps)
		k->unknown = 1;
	else if ((k->lines == CTX_COST_LINES_SOME &&
	    ctx_charge_is_line(c, m)) || (n = ctx_charge_thoughts(k, c, m,
	    ctx_charge_anthropic_speaks, n)) == NULL)
		return 0;
	if (ctx_cost_part(k, c, i, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

static int
add_part(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint32_t nresult, uint64_t *n, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	uint64_t more;

	if (p->kind == CTX_THINKING)
		return add_thinking(k, c, i, n, err);
	if (p->kind == CTX_CALL && !(p->flags & CTX_SERVER))
		return add_call(k, c, i, n, err);
	if (is_result(p)) {
		more = result_frame(k->charge, c, i, nresult);
		*n += more;
		k->of[CTX_OF_FRAMING] += more;
		if (nresult > 1 && ctx_cost_add(k, ctx_charge_tool(c, i), n,
		    err) == -1)
			return -1;
	}
	if (p->flags & CTX_SERVER)
		k->unknown = 1;
	if (ctx_cost_part(k, c, i, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

int
ctx_charge_anthropic_msg(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m, uint64_t *n, struct ctx_err *err)
{
	uint32_t nresult = side_of(c, m) == CTX_USER ? results_of_turn(c, m) :
	    0;
	enum ctx_role before;
	uint32_t i;

	*n = 0;
	k->charge = r;
	/* messages of one side in a row are one turn */
	if (c->msg[m].role != CTX_SYSTEM && !(c->msg[m].flags & CTX_JOINED) &&
	    (!ctx_charge_before(k, c, m, &before) ||
	    side(before) != side_of(c, m)))
		*n = r->message;
	else if (c->msg[m].role == CTX_SYSTEM)
		*n = r->answer;
	k->of[CTX_OF_FRAMING] += *n;
	CTX_FOR_PARTS(c, m, i)
		if (add_part(k, c, i, nresult, n, err) == -1)
			return -1;
	return 0;
}

/* --- a request --------------------------------------------------------- */

/* Append the definition of a tool as the model reads it. */
static void
put_function(struct ctx_buf *text, const struct ctx_tool *t)
{
	ctx_buf_adds(text, text->len > 0 ? "\n" : "");
	ctx_buf_adds(text, "<function>{");
	if (t->about.p != NULL && t->about.len > 0) {
		ctx_buf_adds(text, "\"description\": ");
		ctx_spell_string(text, t->about);
		ctx_buf_adds(text, ", ");
	}
	ctx_buf_adds(text, "\"name\": ");
	ctx_spell_string(text, t->name);
	ctx_buf_adds(text, ", \"parameters\": ");
	ctx_spell_spaced(text, t->schema);
	ctx_buf_adds(text, "}</function>");
}

/* Tools without a schema are Anthropic's own; deferred ones are not shown yet. */
static int
add_tools(struct ctx_cost *k, const struct ctx_tools *tools, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	size_t i;

	for (i = 0; i < tools->n; i++)
		if (tools->tool[i].schema.p != NULL && !tools->tool[i].deferred)
			put_function(&text, &tools->tool[i]);
	return ctx_charge_text(k, &text, n, err);
}

/*
 * A reference to a deferred tool, in a result or a tool_addition, brings its
 * definition.
 */
static int
add_referred(struct ctx_charge_request *q, struct ctx_err *err)
{
	const struct ctx_doc *doc = &q->doc;
	struct ctx_buf text = { 0 };
	struct ctx_str name;
	uint32_t i;
	size_t t;

	for (i = q->node; i < doc->node[q->node].next; i++) {
		if (ctx_node_type(doc, i) != '{' || !ctx_node_is(doc,
		    CTX_GET(doc, i, "type"), "tool_reference"))
			continue;
		name = ctx_node_str(doc, CTX_GET(doc, i, "tool_name"));
		if (name.p == NULL)
			name = ctx_node_str(doc, CTX_GET(doc, i, "name"));
		q->out->tools += REFERENCE;
		for (t = 0; name.p != NULL && t < q->tools->n; t++)
			if (q->tools->tool[t].deferred &&
			    ctx_str_same(q->tools->tool[t].name, name)) {
				put_function(&text, &q->tools->tool[t]);
				break;
			}
	}
	return ctx_charge_text(q->k, &text, &q->out->tools, err);
}

/* The tools that Anthropic defines cost what it says, or what they find. */
static uint64_t
add_hosted(const struct ctx_charge_request *q)
{
	const struct ctx_doc *doc = q->defs;
	uint64_t n = 0;
	struct ctx_str type;
	uint32_t e;
	size_t i;

	CTX_FOR_LIST(doc, e, q->list) {
		type = ctx_node_str(doc, CTX_GET(doc, e, "type"));
		if (type.p == NULL || ctx_str_is(type, "custom") ||
		    ctx_str_is(type, "function"))
			continue;
		for (i = 0; i < sizeof(hosted) / sizeof(hosted[0]) &&
		    !ctx_str_starts(type, hosted[i].type); i++)
			;
		if (i == sizeof(hosted) / sizeof(hosted[0])) {
			q->k->unknown = 1;
			continue;
		}
		n += q->r->harmony ? hosted[i].newer : hosted[i].tokens;
		q->k->unknown |= i == 3;
	}
	return n;
}

/* Which tool has to be called. */
struct choice {
	int must;		/* one has to be: */
	struct ctx_str name;	/* this one; .p is NULL: any */
};

/* The choice in a request of Anthropic's, Bedrock's or OpenAI's form. */
static struct choice
choice_of(const struct ctx_doc *doc, uint32_t node)
{
	uint32_t form = CTX_GET(doc, node, "tool_choice"), type, in;
	struct choice c = { 0 };

	if (form == CTX_NONE) {
		form = CTX_GET(doc, CTX_GET(doc, node, "toolConfig"),
		    "toolChoice");
		in = CTX_GIVEN(doc, form, "tool");
		c.must = CTX_GIVEN(doc, form, "any") != CTX_NONE;
	} else if (ctx_node_type(doc, form) == '"') {
		c.must = ctx_node_is(doc, form, "required");
		return c;
	} else {
		type = CTX_GIVEN(doc, form, "type");
		in = CTX_GIVEN(doc, form, "function");
		if (in == CTX_NONE && (ctx_node_is(doc, type, "tool") ||
		    ctx_node_is(doc, type, "function")))
			in = form;
		c.must = ctx_node_is(doc, type, "any");
	}
	c.must |= in != CTX_NONE;
	c.name = ctx_node_str(doc, CTX_GET(doc, in, "name"));
	return c;
}

/* What comes with tools, by how one is chosen. */
static int
add_prompt(struct ctx_cost *k, const struct ctx_doc *doc, uint32_t node,
    uint64_t *n, struct ctx_err *err)
{
	const struct prompt *p = prompt_of(k);
	const struct choice choice = choice_of(doc, node);
	uint32_t alone = CTX_GET(doc, CTX_GET(doc, node, "tool_choice"),
	    "disable_parallel_tool_use");

	*n += choice.must ? p->must : p->any;
	if (alone != CTX_NONE && ctx_node_type(doc, alone) == 't' &&
	    (p->alone < 100 || !choice.must))
		*n -= p->alone;
	if (choice.name.p == NULL)
		return 0;
	*n += CHOSEN;
	return ctx_cost_add(k, choice.name, n, err);
}

/* Does any document of the request ask for citations? */
static int
cites(const struct ctx_doc *doc, uint32_t node)
{
	uint32_t i, on;

	for (i = node; i != CTX_NONE && i < doc->node[node].next; i++) {
		if (ctx_node_type(doc, i) != '{')
			continue;
		on = CTX_GET(doc, CTX_GET(doc, i, "citations"), "enabled");
		if (on != CTX_NONE && ctx_node_type(doc, on) == 't')
			return 1;
	}
	return 0;
}

int
ctx_charge_anthropic_cites(const struct ctx_convo *c)
{
	struct ctx_doc doc;
	uint32_t i;

	for (i = 0; i < c->npart; i++) {
		doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);
		if (c->part[i].kind == CTX_FILE &&
		    cites(&doc, c->part[i].place[0].node))
			return 1;
	}
	return 0;
}

static int
add_format(struct ctx_cost *k, const struct ctx_doc *doc, uint32_t node,
    uint64_t *n, struct ctx_err *err)
{
	uint32_t f = CTX_GET(doc, node, "output_format"), schema;
	struct ctx_buf text = { 0 };

	if (f == CTX_NONE)
		f = CTX_GET(doc, CTX_GET(doc, node, "output_config"), "format");
	schema = ctx_node_if(doc, CTX_GET(doc, f, "schema"), '{');
	if (schema == CTX_NONE)
		return 0;
	*n += FORMAT;
	ctx_spell_indented(&text, ctx_node_json(doc, schema));
	return ctx_charge_text(k, &text, n, err);
}

/* What the members of a request cost besides tools and the answer's form. */
static void
add_members(struct ctx_charge_request *q)
{
	const struct ctx_convo *c = q->c;
	uint32_t thinking = CTX_GET(&q->doc, CTX_GET(&q->doc, q->node,
	    "thinking"), "type"), m;
	uint32_t config = CTX_GET(&q->doc, q->node, "output_config");

	if (thinking != CTX_NONE && !q->r->harmony &&
	    !choice_of(&q->doc, q->node).must)
		q->out->framing += ctx_node_is(&q->doc, thinking, "enabled") ?
		    THINKING : ctx_node_is(&q->doc, thinking, "adaptive") ?
		    ADAPTIVE : 0;
	if (cites(&q->doc, q->node))
		q->out->framing += CITATIONS;
	if (CTX_GIVEN(&q->doc, config, "task_budget") != CTX_NONE)
		q->out->framing += BUDGET;
	q->k->unknown |= CTX_GIVEN(&q->doc, q->node, "mcp_servers") != CTX_NONE;
	for (m = 0; m < c->nmsg && c->msg[m].role == CTX_SYSTEM; m++)
		;
	if (m < c->nmsg && c->msg[m].role == CTX_ASSISTANT)
		q->out->framing += CTX_CHARGE_OPENED;
	/* an answer that is begun is not closed */
	if (m < c->nmsg && c->msg[c->nmsg - 1].role == CTX_ASSISTANT)
		q->out->begun = q->r->message;
	q->out->framing -= q->out->begun;
}

int
ctx_charge_anthropic_request(struct ctx_charge_request *q, struct ctx_err *err)
{
	const struct ctx_doc *doc = &q->doc;
	uint64_t own = add_hosted(q);

	if (q->node != CTX_NONE) {
		add_members(q);
		if (add_format(q->k, doc, q->node, &q->out->format, err) == -1)
			return -1;
	} else if (ctx_charge_anthropic_cites(q->c))
		q->out->framing += CITATIONS;
	if (q->tools->n == 0 && own == 0)
		return 0;
	q->out->tools += own;
	q->out->tools += !q->r->harmony &&
	    (q->system != NULL || ctx_charge_system(q->c) != CTX_NONE);
	if (q->node != CTX_NONE && add_referred(q, err) == -1)
		return -1;
	return add_prompt(q->k, doc, q->node, &q->out->tools, err) == -1 ? -1 :
	    add_tools(q->k, q->tools, &q->out->tools, err);
}
