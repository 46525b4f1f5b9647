/* SPDX-License-Identifier: MIT */
/*
 * What Google charges for a request of the Gemini API; see charge.h.  Contents
 * cost their texts and a token if they name a role.  Of thoughts that are
 * sealed in a signature only the length is known.
 */
#include <string.h>

#include "base/base64.h"
#include "job/charge_impl.h"
#include "job/declare_google.h"
#include "view/dialect.h"

/*
 * Vertex AI takes the same requests, but charges bare texts also of models that
 * have another form elsewhere.
 */
static const struct ctx_charge vertex = {
	.provider = "google", .models = "", .rule = CTX_CHARGE_GOOGLE,
	.form = CTX_FORM_TEXTS, .sealed = 50, .streamed = 1,
	.source = "fitted on 18 recorded requests, 2026-11"
};

/* A part or a request that is counted, with its working storage. */
struct google {
	struct ctx_cost *k;
	const struct ctx_charge *r;
	const struct ctx_convo *c;
	uint64_t *n;		/* to which tokens are added */
	struct ctx_err *err;
};

/* Is c in Gemini's own dialect? */
static int
is_gemini(const struct ctx_convo *c)
{
	return c->dialect == &ctx_dialect_gemini;
}

/* Member a of node i, or b, its other spelling, unless it is null. */
static uint32_t
either(const struct ctx_doc *doc, uint32_t i, const char *a, const char *b)
{
	uint32_t v = CTX_GIVEN(doc, i, a);

	return v != CTX_NONE ? v : CTX_GIVEN(doc, i, b);
}

/* --- texts ------------------------------------------------------------- */

/*
 * Is the model's own table not at hand?  Then the signs between control tokens,
 * of which other tables make other tokens, are counted by themselves.
 */
static int
is_estimate(const struct ctx_cost *k)
{
	return k->counter.factor.num != k->counter.factor.den ||
	    ctx_tok_is_estimate(k->choice.tok);
}

static int
add_text(struct google *g, const char *p, size_t len)
{
	uint64_t more = 0;

	if (len > 0 && ctx_cost_text(g->k, p, len, &more, g->err) == -1)
		return -1;
	*g->n += more;
	return 0;
}

/* 0: white space; 1: a letter; 2: a digit; 3: any other */
static int
class_of(char c)
{
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 0;
	if (c >= '0' && c <= '9')
		return 2;
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? 1 : 3;
}

/* Runs of letters and of other signs, and digits one by one. */
static uint64_t
signs(const char *p, size_t len)
{
	uint64_t n = 0;
	int was = 0, is;
	size_t i;

	for (i = 0; i < len; i++, was = is) {
		is = class_of(p[i]);
		n += is != 0 && (is != was || is == 2);
	}
	return n;
}

/* Count a Python text by its lines: an indent and an end are a token each. */
static int
add_lines(struct google *g, const char *p, size_t len)
{
	const char *end = p + len, *line, *stop;

	*g->n += 1;	/* for the blank line */
	for (line = p; line < end; line = stop + 1) {
		stop = memchr(line, '\n', (size_t)(end - line));
		if (stop == NULL)
			stop = end;
		for (p = line; p < stop && class_of(*p) == 0; p++)
			;
		if (p == stop)
			continue;
		for (len = (size_t)(stop - p); class_of(p[len - 1]) == 0; len--)
			;
		*g->n += 1 + (*line == ' ');
		if (add_text(g, p, len) == -1)
			return -1;
	}
	return 0;
}

/* Count what declare_google.h writes, and release it. */
static int
add_written(struct google *g, struct ctx_buf *out)
{
	int estimate = is_estimate(g->k) && g->r->form == CTX_FORM_CONTROL;
	const char *p = out->data, *end = p + out->len, *q;
	int rc = ctx_buf_fail(out, g->err), inside = 0;

	for (; rc == 0 && p < end; p = q + 1, inside = !inside) {
		for (q = p; q < end && *q != CTX_GOOGLE_TOKEN &&
		    *q != CTX_GOOGLE_BORDER; q++)
			;
		if (estimate && inside)
			*g->n += signs(p, (size_t)(q - p));
		else
			rc = add_text(g, p, (size_t)(q - p));
		*g->n += q < end && *q == CTX_GOOGLE_TOKEN;
	}
	ctx_buf_done(out);
	return rc;
}

/* --- calls and results ------------------------------------------------- */

/* A call or result, whose value is written: "call" or "response". */
static int
add_named(struct google *g, const char *what, struct ctx_str name,
    struct ctx_str json)
{
	struct ctx_buf out = { 0 };
	int call = *what == 'c';
	unsigned frame;

	if (json.p == NULL || json.len == 0)
		json = (struct ctx_str){ "{}", 2 };
	if (g->r->form != CTX_FORM_CONTROL) {
		frame = call ? g->r->call : g->r->result;
		g->k->of[CTX_OF_FRAMING] += frame;
		*g->n += frame;
		if (ctx_cost_add(g->k, name, g->n, g->err) == -1)
			return -1;
		ctx_declare_google_value(&out, g->r->form, json, call);
		return add_written(g, &out);
	}
	ctx_buf_addc(&out, CTX_GOOGLE_TOKEN);
	ctx_buf_adds(&out, what);
	ctx_buf_addc(&out, ':');
	ctx_str_decode(&out, name.p, name.p != NULL ? name.len : 0);
	ctx_buf_adds(&out, *json.p == '{' ? "" : "{");
	ctx_declare_google_value(&out, g->r->form, json, call);
	ctx_buf_adds(&out, *json.p == '{' ? "" : "}");
	ctx_buf_addc(&out, CTX_GOOGLE_TOKEN);
	return add_written(g, &out);
}

/* The call that is part i; other APIs have its arguments as a string. */
static int
add_call(struct google *g, uint32_t i)
{
	const struct ctx_part *p = &g->c->part[i];
	struct ctx_str json = ctx_part_text(g->c, i);
	struct ctx_buf text = { 0 };
	int rc;

	if (!(p->flags & CTX_RAW) && json.p != NULL) {
		ctx_str_decode(&text, json.p, json.len);
		json = ctx_str_of(&text);
	}
	rc = ctx_buf_fail(&text, g->err);
	if (rc == 0)
		rc = add_named(g, "call", p->name, json);
	ctx_buf_done(&text);
	return rc;
}

/* Append the texts of the result that is part i, and of its inner parts. */
static void
put_texts(struct ctx_buf *out, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_msg *m = &c->msg[c->part[i].msg];
	struct ctx_str s = ctx_part_text(c, i);

	ctx_buf_add(out, s.p, s.p != NULL ? s.len : 0);
	while (++i < m->part + m->npart && c->part[i].flags & CTX_INNER)
		if (c->part[i].kind == CTX_TEXT) {
			s = ctx_part_text(c, i);
			ctx_buf_add(out, s.p, s.p != NULL ? s.len : 0);
		}
}

/* The name of the tool of the result that is part i, or of its call. */
static struct ctx_str
tool_of(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	uint32_t m = p->msg, q, least = m > CTX_CHARGE_PARTS ?
	    m - CTX_CHARGE_PARTS : 0, left = CTX_CHARGE_PARTS;

	while (p->name.p == NULL && p->id.p != NULL && m-- > least)
		CTX_FOR_PARTS(c, m, q) {
			if (c->part[q].kind == CTX_CALL &&
			    ctx_str_same(c->part[q].id, p->id))
				return c->part[q].name;
			if (--left == 0)
				return p->name;
		}
	return p->name;
}

/*
 * The result that is part i.  Another API's becomes an object with a member as
 * Google's documents have it, which ctx-convert(1) writes too.
 */
static int
add_result(struct google *g, uint32_t i)
{
	const struct ctx_part *p = &g->c->part[i];
	struct ctx_doc doc = ctx_convo_doc(g->c, g->c->msg[p->msg].rec);
	struct ctx_str json = ctx_part_text(g->c, i);
	struct ctx_buf text = { 0 };
	int raw = p->flags & CTX_RAW && json.p != NULL, rc;

	if (is_gemini(g->c))
		json = ctx_node_json(&doc, CTX_GIVEN(&doc, either(&doc,
		    p->place[0].node, "functionResponse", "function_response"),
		    "response"));
	else if (!raw || *json.p != '{') {
		ctx_buf_adds(&text, p->flags & CTX_ERROR ? "{\"error\":" :
		    "{\"output\":");
		ctx_buf_adds(&text, raw ? "" : "\"");
		put_texts(&text, g->c, i);
		ctx_buf_adds(&text, raw ? "}" : "\"}");
		json = ctx_str_of(&text);
	}
	rc = ctx_buf_fail(&text, g->err);
	if (rc == 0)
		rc = add_named(g, "response", tool_of(g->c, i), json);
	ctx_buf_done(&text);
	return rc;
}

/* What a tool of Google's own did, of which the JSON is an approximation. */
static int
add_odd(struct google *g, uint32_t i)
{
	static const struct ctx_word words[] = {
		{ "toolCall", 1 }, { "tool_call", 1 }, { "toolResponse", 1 },
		{ "tool_response", 1 }, { "executableCode", 1 },
		{ "executable_code", 1 }, { "codeExecutionResult", 1 },
		{ "code_execution_result", 1 }, { NULL, 0 }
	};
	const struct ctx_part *p = &g->c->part[i];
	struct ctx_doc doc = ctx_convo_doc(g->c, g->c->msg[p->msg].rec);
	struct ctx_buf text = { 0 };
	uint32_t k, e = p->place[0].node;

	CTX_FOR_KEYS(&doc, k, e)
		if (ctx_node_word(&doc, k, words, 0))
			ctx_declare_google_value(&text, CTX_FORM_PYTHON,
			    ctx_node_json(&doc, k + 1), 0);
	return ctx_charge_text(g->k, &text, g->n, g->err);
}

/* --- thoughts ---------------------------------------------------------- */

#define HEAD	16	/* bytes that tell a signature's kind */

struct signature {
	uint64_t len;		/* bytes */
	unsigned char head[HEAD];
};

/* The signature of part i in base64; .p is NULL if it has none. */
static struct ctx_str
sealed_text(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);

	if (!is_gemini(c) || !(p->flags & CTX_SIGNED))
		return (struct ctx_str){ NULL, 0 };
	return ctx_node_str(&doc, either(&doc, p->place[0].node,
	    "thoughtSignature", "thought_signature"));
}

/* Read a signature in base64, as it is in JSON: it may have escapes. */
static void
read_signature(struct ctx_str text, struct signature *s)
{
	char digits[HEAD / 3 * 4 + 4], c[4];
	size_t n = 0, k, used;

	*s = (struct signature){ 0 };
	for (k = 0; k < text.len;) {
		c[0] = text.p[k];
		k += c[0] != '\\' ? 1 : ctx_str_escape(text.p + k,
		    text.len - k, c, &used);
		if (ctx_base64_digit(c[0]) == -1)
			continue;
		if (n < sizeof(digits))
			digits[n] = c[0];
		n++;
	}
	s->len = n * 3 / 4;
	ctx_base64_begin((char *)s->head, HEAD, digits,
	    n < sizeof(digits) ? n : sizeof(digits), &used);
}

/* Came it in several chunks, of which the first is less than half? */
static int
is_streamed(const struct signature *s)
{
	uint64_t first = s->head[1] < 128 ? s->head[1] + 2u :
	    (s->head[1] & 127u) + ((uint64_t)s->head[2] << 7) + 3;

	return s->head[0] == 0x0a && s->len > 2 && 2 * first <= s->len;
}

int
ctx_charge_google_speaks(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	if (c->msg[m].role != CTX_ASSISTANT)
		CTX_FOR_PARTS(c, m, i)
			if (c->part[i].kind == CTX_TEXT &&
			    ctx_part_text(c, i).len > 0)
				return 1;
	return 0;
}

/*
 * Did Vertex AI seal it, for a model of this row?  14 requests of one repository
 * and 10 of another, all of Vertex AI, and no other have such signatures.
 */
static int
is_vertex_signature(const struct ctx_charge *r, const unsigned char head[HEAD])
{
	static const unsigned char mark[] = { 0x01, 0x8f, 0x3d, 0x6b, 0x5f };
	size_t i;

	if (r->form == CTX_FORM_CONTROL && head[0] == 0x0a)
		return 1;
	for (i = 0; i + sizeof(mark) <= HEAD; i++)
		if (memcmp(head + i, mark, sizeof(mark)) == 0)
			return 1;
	return 0;
}

/*
 * Add the thoughts that are sealed in the signature of part i.  Those of Vertex AI
 * are charged as there, also where nothing else shows that the request is.
 */
static void
add_thoughts(struct google *g, uint32_t i)
{
	const struct ctx_charge *r = g->r;
	const uint32_t m = g->c->part[i].msg;
	uint64_t *n = g->n;
	struct signature s;

	read_signature(sealed_text(g->c, i), &s);
	if (is_vertex_signature(r, s.head))
		r = &vertex;
	if (s.len <= r->sealed_from || (r->streamed && !is_streamed(&s)))
		return;
	if (!r->keeps && (n = ctx_charge_thoughts(g->k, g->c, m,
	    ctx_charge_google_speaks, n)) == NULL)
		return;
	*n += ((s.len - r->sealed_from) * r->sealed + 150) / 300;
}

/* --- Vertex AI --------------------------------------------------------- */

/* The object with the members of the request that c begins with. */
static uint32_t
request_of(const struct ctx_convo *c, struct ctx_doc *doc)
{
	const struct ctx_rec *rec = c->rec;

	if (c->nrec == 0 || rec->shape != CTX_REC_CONVERSATION)
		return CTX_NONE;
	*doc = ctx_convo_doc(c, 0);
	return ctx_node_if(doc, rec->request != CTX_NONE ? rec->request :
	    rec->root, '{');
}

/*
 * Has the request members that only Vertex AI takes?  The Gemini API's SDK
 * refuses to send them (googleapis/js-genai, 2026-07), but for responseLogprobs,
 * which that API answers with an error for models from 2.5 on.
 */
static int
has_vertex_members(const struct ctx_doc *doc, uint32_t node)
{
	uint32_t config = either(doc, node, "generationConfig",
	    "generation_config"), image;

	if (CTX_GET(doc, node, "labels") != CTX_NONE)
		return 1;
	image = either(doc, config, "imageConfig", "image_config");
	return either(doc, image, "imageOutputOptions",
	    "image_output_options") != CTX_NONE ||
	    ctx_node_if(doc, either(doc, config, "audioTimestamp",
	    "audio_timestamp"), 't') != CTX_NONE ||
	    ctx_node_if(doc, either(doc, config, "responseLogprobs",
	    "response_logprobs"), 't') != CTX_NONE;
}

#define SEALS_BACK	64	/* messages that are searched for a signature */

/* Did Vertex AI seal the last signature of the request, or of a turn of lines? */
static int
has_vertex_seal(const struct ctx_charge *r, const struct ctx_convo *c)
{
	struct signature s;
	struct ctx_str text;
	uint32_t m = c->nmsg, i;

	while (m-- > 0 && c->nmsg - m <= SEALS_BACK)
		CTX_FOR_PARTS(c, m, i)
			if ((text = sealed_text(c, i)).p != NULL) {
				read_signature(text, &s);
				return is_vertex_signature(r, s.head);
			}
	return 0;
}

/*
 * Is the request one to Vertex AI, as far as that shows?  Routers name it
 * before the model: vertex_ai/..., google-vertex/...; its own names are paths.
 * A cut can take a signature away, so that what is left would cost more: of what
 * is to be cut, signatures are not asked.
 */
static int
is_vertex(const struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c)
{
	static const char *const names[] = { "vertex", "projects/",
	    "publishers/" };
	struct ctx_doc doc;
	uint32_t node;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (k->model_name != NULL &&
		    strstr(k->model_name, names[i]) != NULL)
			return 1;
	if (!is_gemini(c))
		return 0;
	node = request_of(c, &doc);
	return (node != CTX_NONE && has_vertex_members(&doc, node)) ||
	    (!k->to_cut && has_vertex_seal(r, c));
}

/* Row r, or that of Vertex AI, which charges old models as all do. */
static const struct ctx_charge *
row_of(const struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c)
{
	return r->form != CTX_FORM_TEXTS && is_vertex(k, r, c) ? &vertex : r;
}

/* --- a message --------------------------------------------------------- */

/* Do the roles become one, whose messages in a row become one content? */
static int
is_one(enum ctx_role a, enum ctx_role b)
{
	return a != CTX_SYSTEM && b != CTX_SYSTEM &&
	    (a == CTX_ASSISTANT) == (b == CTX_ASSISTANT);
}

/* Does message m begin a content that names its role? */
static int
has_role(const struct ctx_cost *k, const struct ctx_convo *c, uint32_t m)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	enum ctx_role before;

	if (is_gemini(c))
		return ctx_node_str(&doc, CTX_GET(&doc, c->msg[m].node,
		    "role")).len > 0;
	return !ctx_charge_before(k, c, m, &before) ||
	    !is_one(before, c->msg[m].role);
}

/* Count part i; what is inside of a result was counted with that. */
static int
add_part(struct google *g, uint32_t i)
{
	const struct ctx_part *p = &g->c->part[i];
	int gemini = is_gemini(g->c);
	uint64_t more = 0;

	if (p->kind == CTX_CALL)
		return add_call(g, i);
	if (p->kind == CTX_RESULT)
		return add_result(g, i);
	if (p->kind == CTX_OTHER && gemini)
		return add_odd(g, i);
	if (p->flags & CTX_INNER && p->kind != CTX_IMAGE &&
	    p->kind != CTX_FILE)
		return 0;
	/* other models' thinking does not go to Google */
	if (p->kind == CTX_THINKING &&
	    (!gemini || g->r->form == CTX_FORM_TEXTS))
		return 0;
	if (ctx_cost_part(g->k, g->c, i, &more, g->err) == -1)
		return -1;
	*g->n += more;
	return 0;
}

int
ctx_charge_google_msg(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m, uint64_t *n, struct ctx_err *err)
{
	struct google g = { k, row_of(k, r, c), c, n, err };
	uint32_t i;

	k->charge = r;
	*n = has_role(k, c, m) ? g.r->message : 0;
	k->of[CTX_OF_FRAMING] += *n;
	CTX_FOR_PARTS(c, m, i) {
		if (add_part(&g, i) == -1)
			return -1;
		add_thoughts(&g, i);
	}
	return 0;
}

/* --- a request --------------------------------------------------------- */

/* The tools that run in the prompt, each of which adds about as much. */
static uint64_t
server_tools(const struct ctx_charge_request *q)
{
	static const char *const names[][2] = {
		{ "codeExecution", "code_execution" },
		{ "fileSearch", "file_search" }, { "urlContext", "url_context" }
	};
	uint64_t n = 0;
	uint32_t e;
	size_t i;

	CTX_FOR_LIST(q->defs, e, q->list)
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			n += either(q->defs, e, names[i][0], names[i][1]) !=
			    CTX_NONE;
	return n;
}

/* Does the request bring a text that the API keeps, and charges too? */
static int
is_cached(const struct ctx_convo *c)
{
	struct ctx_doc doc;
	uint32_t node = request_of(c, &doc);

	return node != CTX_NONE && either(&doc, node, "cachedContent",
	    "cached_content") != CTX_NONE;
}

/* Count the declaration of a tool. */
static int
add_tool(struct google *g, const struct ctx_tool *tool)
{
	struct ctx_buf out = { 0 };
	int rc;

	if (ctx_declare_google(&out, g->r->form, tool, g->err) == -1) {
		ctx_buf_done(&out);
		return -1;
	}
	if (g->r->form != CTX_FORM_PYTHON || !is_estimate(g->k))
		return add_written(g, &out);
	rc = add_lines(g, out.data, out.len);
	ctx_buf_done(&out);
	return rc;
}

int
ctx_charge_google_request(struct ctx_charge_request *q, uint64_t *each,
    struct ctx_err *err)
{
	uint64_t n;
	struct google g = { q->k, row_of(q->k, q->r, q->c), q->c, &n, err };
	size_t i;

	for (i = 0; i < q->tools->n; i++) {
		n = 0;
		if (add_tool(&g, &q->tools->tool[i]) == -1)
			return -1;
		q->out->tools += n;
		if (each != NULL)
			each[i] = n;
	}
	n = server_tools(q) * g.r->server;
	q->out->tools += n;
	q->k->unknown |= n > 0 || is_cached(q->c);
	return 0;
}
