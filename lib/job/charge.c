/* SPDX-License-Identifier: MIT */
/* What an API charges for a request; see charge.h. */
#include "job/charge.h"

#include <string.h>

#include "job/charge_impl.h"
#include "read/spell.h"
#include "view/dialect.h"

/*
 * Fitted on requests to OpenAI and the input tokens that its answers named, of
 * which ctx-count(1) has the figures; half of the requests of all projects were
 * set aside and not looked at.  The declarations are those of harmony's
 * description (declare.h), and 3 for a message and for the whole are those of
 * OpenAI's Cookbook, "How to count tokens with tiktoken", section 6.
 */
#define FITTED	"fitted on 1003 recorded requests, 2026-11"
#define NEWEST	"as the newest that was fitted"
#define CLAUDE	"fitted on 441 recorded requests, 2026-11"
#define OLD	"gpt-3.5 gpt-35 gpt-4 "
#define OMNI	"gpt-4o gpt-4. chatgpt-4o o1-mini o1-preview "
#define O_ONE	"o1 o3 o4 codex-mini "
#define SEARCH	"gpt-4o-search gpt-4o-mini-search "

/*
 * Sealed reasoning, by the length of its base64: 5 requests to gpt-5.4 and
 * later, met within 3 %, and 15 to older models, of which 90 % were counted 14 %
 * too low to 6 % too high.
 */
#define SEALED		.sealed = 50, .sealed_from = 915
#define SEALED_OLD	.sealed = 46, .sealed_from = 950

/* margins: at least 97 % were counted exactly; too little was recorded */
#define EXACT	{ 1, 0, 0 }
#define UNKNOWN	{ 0, 0, 0 }

/* gpt-5, and what came after 5.3: chat and Responses */
#define FIVE	.provider = "openai", .rule = CTX_CHARGE_OPENAI, .whole = 2, \
	    .message = 4, .answer = 2, .result = 4, .harmony = 1
#define CHAT_5	FIVE, .call = 14, .tools = 90
#define CHAT_54	FIVE, .call = 14, .tools = 89, .several = 16
#define ITEM_5	FIVE, .items = 1, .call = 12, .tools = 8, SEALED_OLD
#define ITEM_54	FIVE, .items = 1, .call = 15, .tools = 8, .several = 20

#define MEASURED "fitted on 287 recorded requests, 2026-11"

/*
 * Google's rows, for any kind of request: another API's conversation becomes
 * contents too.  Gemini 3.2 and later, and what is unknown, count as 3.5.
 */
#define GOOGLE(of, ...) \
	{ .provider = "google", .models = of, .rule = CTX_CHARGE_GOOGLE, \
	    .plain = { 0, -4, 4 }, .tooled = { 0, -4, 7 }, \
	    .source = MEASURED, __VA_ARGS__ }
#define GEMINI_35 .form = CTX_FORM_CONTROL, .message = 1, .server = 100, \
	    .sealed = 78, .keeps = 1

static const struct ctx_charge table[] = {
	/* both recorded requests cost their bare texts */
	{ .provider = "openai", .models = SEARCH, .rule = CTX_CHARGE_OPENAI,
	    .result = 4, .call = 8, .tools = -1, .several = 20,
	    .plain = UNKNOWN, .tooled = UNKNOWN, .source = FITTED },
	{ .provider = "openai", .models = OMNI, .rule = CTX_CHARGE_OPENAI,
	    .whole = 3, .message = 4, .result = 4, .call = 8, .tools = -1,
	    .several = 20, .plain = EXACT, .tooled = { 0, -1, 1 },
	    .source = FITTED },
	{ .provider = "openai", .models = OLD, .rule = CTX_CHARGE_OPENAI,
	    .whole = 3, .message = 4, .result = 4, .call = 8, .tools = -1,
	    .several = 32, .plain = EXACT, .tooled = { 0, -1, 6 },
	    .source = FITTED },
	{ .provider = "openai", .models = O_ONE, .rule = CTX_CHARGE_OPENAI,
	    .whole = 2, .message = 4, .result = 4, .call = 12, .tools = 9,
	    .harmony = 1, .plain = EXACT, .tooled = { 0, -1, 1 },
	    .source = FITTED },
	{ .models = "gpt-5.1 gpt-5.2 gpt-5.3 ", CHAT_54, .plain = EXACT,
	    .tooled = UNKNOWN, .source = FITTED },
	{ .models = "gpt-5. ", CHAT_54, .plain = EXACT, .tooled = { 0, -1, 1 },
	    .source = FITTED },
	{ .models = "gpt-5 ", CHAT_5, .plain = EXACT, .tooled = { 0, -1, 1 },
	    .source = FITTED },
	{ .models = "gpt-oss ", CHAT_5, .plain = UNKNOWN, .tooled = UNKNOWN,
	    .source = "as gpt-5" },
	{ .models = "", CHAT_54, .plain = UNKNOWN, .tooled = UNKNOWN,
	    .source = NEWEST },

	{ .provider = "openai", .models = OMNI, .items = 1, SEALED_OLD,
	    .rule = CTX_CHARGE_OPENAI, .whole = 3, .message = 4, .result = 4,
	    .call = 6, .call_id = 3, .tools = 3, .plain = { 0, -1, 1 },
	    .tooled = { 0, -25, 1 }, .source = FITTED },
	{ .provider = "openai", .models = OLD, .items = 1, SEALED_OLD,
	    .rule = CTX_CHARGE_OPENAI, .whole = 3, .message = 4, .result = 4,
	    .call = 6, .tools = 3, .plain = UNKNOWN, .tooled = UNKNOWN,
	    .source = "as gpt-4o" },
	{ .provider = "openai", .models = O_ONE, .items = 1, SEALED_OLD,
	    .rule = CTX_CHARGE_OPENAI, .whole = 2, .message = 4, .result = 4,
	    .call = 12, .tools = 5, .harmony = 1, .plain = EXACT, .tooled = EXACT,
	    .source = FITTED },
	{ .models = "gpt-5.1 gpt-5.2 gpt-5.3 ", ITEM_54, SEALED_OLD,
	    .plain = EXACT, .tooled = UNKNOWN, .source = FITTED },
	{ .models = "gpt-5. ", ITEM_54, SEALED, .plain = EXACT,
	    .tooled = EXACT, .source = FITTED },
	{ .models = "gpt-5 ", ITEM_5, .plain = EXACT, .tooled = EXACT,
	    .source = FITTED },
	{ .models = "gpt-oss ", ITEM_5, .plain = UNKNOWN, .tooled = UNKNOWN,
	    .source = "as gpt-5" },
	{ .models = "", ITEM_54, SEALED, .plain = UNKNOWN, .tooled = UNKNOWN,
	    .source = NEWEST },

	/* message is a turn, whole the rest of the first one, and answer is
	   for a system prompt */
	{ .provider = "anthropic", .models = "claude-opus-4-7 ",
	    .rule = CTX_CHARGE_ANTHROPIC, .whole = 9, .message = 2, .answer = 1,
	    .harmony = 1, .plain = { 0, -9, 9 }, .tooled = { 0, -5, 5 },
	    .source = CLAUDE },
	{ .provider = "anthropic", .models = "claude-opus-4-8 claude-opus-4-9 ",
	    .rule = CTX_CHARGE_ANTHROPIC, .whole = 4, .message = 2, .answer = 1,
	    .harmony = 1, .plain = { 0, -9, 9 }, .tooled = { 0, -5, 5 },
	    .source = CLAUDE },
	{ .provider = "anthropic", .models = "claude-1 claude-2 claude-3 "
	    "claude-instant claude-opus-4 claude-sonnet-4 claude-haiku-4 ",
	    .rule = CTX_CHARGE_ANTHROPIC, .whole = 4, .message = 3,
	    .plain = { 0, -9, 9 }, .tooled = { 0, -2, 2 },
	    .source = CLAUDE },
	{ .provider = "anthropic", .models = "", .rule = CTX_CHARGE_ANTHROPIC,
	    .whole = 4, .message = 2, .answer = 1, .harmony = 1,
	    .plain = { 0, -9, 9 }, .tooled = { 0, -5, 5 },
	    .source = CLAUDE },

	GOOGLE("gemini-1 gemini-2.0 ", .form = CTX_FORM_TEXTS, .sealed = 50,
	    .streamed = 1),
	GOOGLE("gemini-2.5 gemma- ", .form = CTX_FORM_PYTHON, .message = 1,
	    .call = 5, .result = 5, .sealed = 50, .streamed = 1),
	GOOGLE("gemini-3.5 gemini-3.% ", GEMINI_35),
	GOOGLE("gemini-3 ", .form = CTX_FORM_CONTROL, .message = 1,
	    .server = 100, .sealed = 84, .sealed_from = 100),
	GOOGLE("gemini ", GEMINI_35),
};

/* Does the name begin with one of the words? */
static int
begins(const char *words, const char *name)
{
	const char *end;

	if (*words == '\0')
		return 1;
	for (; (end = strchr(words, ' ')) != NULL; words = end + 1)
		if (strncmp(words, name, (size_t)(end - words)) == 0)
			return 1;
	return 0;
}

/* The row for the model of k; items: of the Responses API. */
static const struct ctx_charge *
find(const struct ctx_cost *k, int items)
{
	const struct ctx_model *m = k->choice.model;
	const struct ctx_charge *r;

	if (m == NULL || k->flat)
		return NULL;
	for (r = table; r < table + sizeof(table) / sizeof(table[0]); r++)
		if ((r->items == items || r->rule != CTX_CHARGE_OPENAI) &&
		    strcmp(r->provider, m->provider) == 0 &&
		    begins(r->models, m->like != NULL ? m->like : m->prefix))
			return r;
	return NULL;
}

const struct ctx_charge *
ctx_charge_of(struct ctx_cost *k, const struct ctx_convo *c)
{
	const struct ctx_dialect *d = c->dialect;
	int items = d != NULL && d->rules & CTX_RULE_LEADS;

	if (k->choice.model == NULL || k->flat)
		return NULL;
	if (!k->found[items]) {
		k->found[items] = 1;
		k->rows[items] = find(k, items);
	}
	return k->rows[items];
}

int
ctx_charge_text(struct ctx_cost *k, struct ctx_buf *text, uint64_t *n,
    struct ctx_err *err)
{
	uint64_t more = 0;
	int rc = ctx_buf_fail(text, err);

	if (rc == 0 && text->len > 0)
		rc = ctx_cost_text(k, text->data, text->len, &more, err);
	ctx_buf_done(text);
	*n += more;
	return rc;
}

/* --- a message -------------------------------------------------------- */

/* Append the arguments of the call that is part i. */
static void
add_arguments(struct ctx_buf *out, const struct ctx_convo *c, uint32_t i)
{
	struct ctx_str s = ctx_part_text(c, i);
	struct ctx_buf text = { 0 };

	if (s.p == NULL)
		return;
	if (c->part[i].flags & CTX_RAW)
		ctx_spell_plain(&text, s);
	else
		ctx_str_decode(&text, s.p, s.len);
	ctx_spell_compact(out, ctx_str_of(&text));
	out->failed |= text.failed;
	ctx_buf_done(&text);
}

static int
is_call(const struct ctx_part *p)
{
	return p->kind == CTX_CALL && !(p->flags & (CTX_SERVER | CTX_INNER |
	    CTX_NO_TOOL));
}

/* The namespace of the tool of the call that is part i; .p is NULL if none. */
static struct ctx_str
space_of(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_msg *m = &c->msg[c->part[i].msg];
	struct ctx_doc doc = ctx_convo_doc(c, m->rec);

	return ctx_node_str(&doc, CTX_GET(&doc, m->node, "namespace"));
}

/* Count a name in a namespace. */
static int
add_within(struct ctx_cost *k, struct ctx_str space, struct ctx_str name,
    uint64_t *n, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };

	ctx_str_decode(&text, space.p, space.len);
	ctx_buf_addc(&text, '.');
	ctx_str_decode(&text, name.p, name.len);
	return ctx_charge_text(k, &text, n, err);
}

/* Count "functions.NAME", to which a call is addressed. */
static int
add_recipient(struct ctx_cost *k, struct ctx_str name, uint64_t *n,
    struct ctx_err *err)
{
	return add_within(k, (struct ctx_str){ "functions", 9 }, name, n, err);
}

/* A call of its own, perhaps one of several. */
static int
add_call(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i, int alone,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_charge *r = k->charge;
	const struct ctx_msg *m = &c->msg[c->part[i].msg];
	struct ctx_doc doc = ctx_convo_doc(c, m->rec);
	struct ctx_str space = r->items ? space_of(c, i) :
	    (struct ctx_str){ NULL, 0 };
	struct ctx_buf text = { 0 };
	int rc;

	*n += r->call;
	k->of[CTX_OF_FRAMING] += r->call;
	if (alone && r->call_id > 0 && CTX_GIVEN(&doc, m->node, "id") != CTX_NONE)
		*n += r->call_id;
	add_arguments(&text, c, i);
	rc = space.p != NULL ?
	    add_within(k, space, c->part[i].name, n, err) :
	    add_recipient(k, c->part[i].name, n, err);
	return rc == -1 ? (ctx_buf_done(&text), -1) :
	    ctx_charge_text(k, &text, n, err);
}

/* The calls of a turn: those of a message, or of items in a row. */
struct calls {
	const struct ctx_convo *c;
	uint32_t from, end;	/* messages */
	uint32_t n;
};

static int
has_call(const struct ctx_convo *c, uint32_t m)
{
	return c->msg[m].npart > 0 && is_call(&c->part[c->msg[m].part]);
}

/*
 * Find the calls that were made at once with those of message m.  So many that
 * they are not all near are taken for several times as many as are.
 */
static void
find_calls(struct calls *s, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m)
{
	const uint32_t part = m - m % CTX_CHARGE_NEAR;
	uint32_t i;

	*s = (struct calls){ c, m, m + 1, 0 };
	while (r->items && s->from > 0 && m - s->from < CTX_CHARGE_NEAR &&
	    has_call(c, s->from - 1))
		s->from--;
	while (r->items && s->end < c->nmsg && s->end - m <= CTX_CHARGE_NEAR &&
	    has_call(c, s->end))
		s->end++;
	if (s->end - s->from > CTX_CHARGE_NEAR) {
		if (s->from < part)
			s->from = part;
		if (s->end > part + CTX_CHARGE_NEAR)
			s->end = part + CTX_CHARGE_NEAR;
	}
	for (m = s->from; m < s->end; m++)
		CTX_FOR_PARTS(c, m, i)
			s->n += is_call(&c->part[i]);
}

/* Several calls at once, which are one call of a tool that uses tools. */
static int
add_several(struct ctx_cost *k, const struct ctx_charge *r,
    const struct calls *s, uint64_t *n, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	uint64_t long_name = 0, name = 0;
	uint32_t m, i, at = 0;

	*n += r->several;
	k->of[CTX_OF_FRAMING] += r->several;
	ctx_buf_adds(&text, "{\"tool_uses\":[");
	for (m = s->from; m < s->end; m++)
		CTX_FOR_PARTS(s->c, m, i) {
			if (!is_call(&s->c->part[i]))
				continue;
			ctx_buf_adds(&text, at++ > 0 ? "," : "");
			ctx_buf_adds(&text, "{\"recipient_name\":\"functions.");
			ctx_str_decode(&text, s->c->part[i].name.p,
			    s->c->part[i].name.len);
			ctx_buf_adds(&text, "\",\"parameters\":");
			add_arguments(&text, s->c, i);
			ctx_buf_addc(&text, '}');
			if (r->harmony && (add_recipient(k,
			    s->c->part[i].name, &long_name, err) == -1 ||
			    ctx_cost_add(k, s->c->part[i].name, &name,
			    err) == -1)) {
				ctx_buf_done(&text);
				return -1;
			}
		}
	*n += long_name - name;
	ctx_buf_adds(&text, "]}");
	return ctx_charge_text(k, &text, n, err);
}

/* The calls of message m. */
static int
add_calls(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m, uint64_t *n, struct ctx_err *err)
{
	struct calls s;
	uint32_t i;

	find_calls(&s, r, c, m);
	if (s.n > 1 && r->several > 0)
		return m > s.from ? 0 : add_several(k, r, &s, n, err);
	CTX_FOR_PARTS(c, m, i)
		if (is_call(&c->part[i]) &&
		    add_call(k, c, i, s.n == 1, n, err) == -1)
			return -1;
	return 0;
}

/* The call of the result that is part i; CTX_NONE if it is not found. */
static uint32_t
call_of(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	uint32_t m = p->msg, q, least = m > CTX_CHARGE_PARTS ?
	    m - CTX_CHARGE_PARTS : 0, left = CTX_CHARGE_PARTS;

	for (; p->id.p != NULL && m-- > least;)
		CTX_FOR_PARTS(c, m, q) {
			if (is_call(&c->part[q]) &&
			    ctx_str_same(c->part[q].id, p->id))
				return q;
			if (--left == 0)
				return CTX_NONE;
		}
	return CTX_NONE;
}

struct ctx_str
ctx_charge_tool(const struct ctx_convo *c, uint32_t i)
{
	uint32_t call = call_of(c, i);

	return call != CTX_NONE ? c->part[call].name : c->part[i].name;
}

/* Append the texts of the result that is part i, decoded. */
static void
add_said(struct ctx_buf *out, const struct ctx_convo *c, uint32_t i)
{
	const uint32_t end = c->msg[c->part[i].msg].part +
	    c->msg[c->part[i].msg].npart;
	struct ctx_str s;
	uint32_t q;

	for (q = i; q < end && (q == i || c->part[q].flags & CTX_INNER); q++) {
		s = ctx_part_text(c, q);
		if (c->part[q].kind == CTX_COPY || s.p == NULL)
			continue;
		if (c->part[q].flags & CTX_RAW)
			ctx_spell_plain(out, s);
		else
			ctx_str_decode(out, s.p, s.len);
	}
}

static int
is_result(const struct ctx_part *p)
{
	return p->kind == CTX_RESULT && !(p->flags & (CTX_SERVER | CTX_INNER |
	    CTX_NO_TOOL));
}

/*
 * The results of calls that were made at once are one list of strings, which the
 * first of them pays for.  Returns 1 if part i is one of them, 0 or -1.
 */
static int
add_listed(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, struct ctx_err *err)
{
	struct ctx_buf all = { 0 }, one = { 0 };
	uint32_t q;

	if (i > 0 && is_result(&c->part[i - 1]))
		return 1;
	for (q = i; q < c->npart && (q == i || is_result(&c->part[q])); q++) {
		ctx_buf_reset(&one);
		add_said(&one, c, q);
		ctx_buf_adds(&all, q > i ? ", \"" : "[\"");
		ctx_str_encode(&all, one.data, one.len);
		ctx_buf_addc(&all, '"');
		all.failed |= one.failed;
	}
	ctx_buf_done(&one);
	ctx_buf_addc(&all, ']');
	return ctx_charge_text(k, &all, n, err) == -1 ? -1 : 1;
}

/*
 * Count the result that is part i.  Returns 0 if its text is still to be counted,
 * 1 if not, or -1 with *err.
 */
static int
add_result(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t i, uint64_t *n, struct ctx_err *err)
{
	uint32_t call = call_of(c, i);
	struct calls s = { 0 };
	struct ctx_str name = c->part[i].name, space;

	if (call != CTX_NONE) {
		name = c->part[call].name;
		find_calls(&s, r, c, c->part[call].msg);
	}
	if (s.n > 1 && r->several > 0 && !r->harmony)
		return add_listed(k, c, i, n, err);
	*n += r->result;
	k->of[CTX_OF_FRAMING] += r->result;
	if (r->items && call != CTX_NONE && (space = space_of(c, call)).p !=
	    NULL)
		return add_within(k, space, name, n, err);
	return ctx_cost_add(k, name, n, err);
}

/* Is part i a text that is one text with the one before it? */
static int
goes_on(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];

	return p->kind == CTX_TEXT && p->text != CTX_NONE &&
	    !(p->flags & CTX_RAW) && i > c->msg[p->msg].part &&
	    p[-1].kind == CTX_TEXT && p[-1].flags == p->flags;
}

/* Count a part that is no call, and what goes on from it. */
static int
add_part(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	const uint32_t end = c->msg[p->msg].part + c->msg[p->msg].npart;
	struct ctx_buf text = { 0 };
	struct ctx_str s;
	uint64_t more;
	uint32_t q;

	if (goes_on(c, i))
		return 0;
	/* only the API can read it, and nobody knows its length; of a request,
	   what the server did is looked at as a whole */
	if ((p->flags & CTX_COMPACTED && p->flags & CTX_SIGNED) ||
	    (p->kind == CTX_OTHER && k->charge->items &&
	    ctx_charge_is_line(c, p->msg))) {
		k->unknown = 1;
		return 0;
	}
	if (i + 1 == end || !goes_on(c, i + 1)) {
		if (ctx_cost_part(k, c, i, &more, err) == -1)
			return -1;
		*n += more;
		return 0;
	}
	for (q = i; q == i || (q < end && goes_on(c, q)); q++) {
		s = ctx_part_text(c, q);
		ctx_str_decode(&text, s.p, s.len);
	}
	return ctx_charge_text(k, &text, n, err);
}

/*
 * Does a user say something after message m, which means that speaks(c, m) is true
 * of a later one?  Takes linear time for all messages in their order.
 */
static int
is_past(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
    int (*speaks)(const struct ctx_convo *c, uint32_t m))
{
	uint32_t next = m;

	if (k->quiet.c != c || m < k->quiet.from || m >= k->quiet.next) {
		while (++next < c->nmsg && !speaks(c, next))
			;
		k->quiet.c = c;
		k->quiet.from = m;
		k->quiet.next = next < c->nmsg ? next : CTX_NONE;
	}
	return k->quiet.next != CTX_NONE;
}

uint64_t *
ctx_charge_thoughts(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
    int (*speaks)(const struct ctx_convo *c, uint32_t m), uint64_t *n)
{
	if (ctx_charge_is_line(c, m) ? k->lines == CTX_COST_LINES_TURN :
	    k->to_cut == CTX_COST_CUT_ANY)
		return &k->thoughts;
	return is_past(k, c, m, speaks) ? NULL : n;
}

static int
is_users(const struct ctx_convo *c, uint32_t m)
{
	return c->msg[m].role == CTX_USER;
}

int
ctx_charge_speaks(const struct ctx_charge *r, const struct ctx_convo *c,
    uint32_t m)
{
	return r == NULL || r->rule == CTX_CHARGE_OPENAI ? is_users(c, m) :
	    r->rule == CTX_CHARGE_GOOGLE ? ctx_charge_google_speaks(c, m) :
	    ctx_charge_anthropic_speaks(c, m);
}

int
ctx_charge_before(const struct ctx_cost *k, const struct ctx_convo *c,
    uint32_t m, enum ctx_role *role)
{
	if (m > 0)
		*role = c->msg[m - 1].role;
	else if (ctx_charge_is_line(c, m) && k->before > 0)
		*role = (enum ctx_role)(k->before - 1);
	else
		return 0;
	return 1;
}

/*
 * Reasoning that is sent back sealed is charged until the user says more.  Its
 * length is known only by that of the seal.
 */
static void
add_sealed(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m, uint64_t *n)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	struct ctx_str s;
	size_t len;

	if ((ctx_charge_is_line(c, m) && k->lines == CTX_COST_LINES_SOME) ||
	    (n = ctx_charge_thoughts(k, c, m, is_users, n)) == NULL)
		return;
	if (ctx_charge_is_line(c, m) && k->lines == CTX_COST_LINES_TURN)
		k->sealed = 1;
	else
		k->guessed = 1;
	s = ctx_node_str(&doc, CTX_GET(&doc, c->msg[m].node,
	    "encrypted_content"));
	len = ctx_str_chars(s.p, s.len);
	*n += len > r->sealed_from ?
	    (len - r->sealed_from) * r->sealed / 300 : 0;
}

/* The parts of a message, by what they cost. */
struct counted {
	uint32_t calls, results, others;
	uint64_t n;
};

static int
count_parts(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m, struct counted *of,
    struct ctx_err *err)
{
	const struct ctx_part *p;
	uint64_t before;
	uint32_t i;
	int inside = 0, rc;

	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (is_call(p) || p->kind == CTX_COPY ||
		    p->kind == CTX_THINKING) {
			of->calls += is_call(p);
			continue;
		}
		if (!(p->flags & CTX_INNER))
			inside = is_result(p);
		before = of->n;
		rc = 0;
		if (is_result(p)) {
			of->results++;
			rc = inside = add_result(k, r, c, i, &of->n, err);
			inside++;
		} else if (inside == 2)
			continue;
		if (rc == -1 || (rc == 0 &&
		    add_part(k, c, i, &of->n, err) == -1))
			return -1;
		of->others += !inside && of->n > before;
	}
	return 0;
}

void
ctx_charge_learn(struct ctx_cost *to, struct ctx_cost *from)
{
	int i;

	if (to != NULL) {
		for (i = 0; i < CTX_OF_N; i++)
			to->of[i] += from->of[i];
		for (i = 0; i < 2; i++)
			if (from->used[i] != NULL)
				to->used[i] = from->used[i];
		to->unknown |= from->unknown;
		to->guessed |= from->guessed;
		if (from->media > to->media)
			to->media = from->media;
	}
	memset(from->of, 0, sizeof(from->of));
	memset(from->used, 0, sizeof(from->used));
	from->unknown = from->guessed = 0;
	from->media = (enum ctx_level)0;
}

int
ctx_charge_msg(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m, uint64_t *n, struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	struct counted of = { 0 };
	uint64_t frame;

	if (m == 0)	/* perhaps of another conversation at the same place */
		k->quiet.c = NULL;
	k->used[r->items] = r;
	if (r->rule == CTX_CHARGE_ANTHROPIC)
		return ctx_charge_anthropic_msg(k, r, c, m, n, err);
	if (r->rule == CTX_CHARGE_GOOGLE)
		return ctx_charge_google_msg(k, r, c, m, n, err);
	*n = 0;
	k->charge = r;
	if (r->items && ctx_msg_thinks(c, m)) {
		add_sealed(k, r, c, m, n);
		return 0;
	}
	if (count_parts(k, r, c, m, &of, err) == -1 || (of.calls > 0 &&
	    add_calls(k, r, c, m, &of.n, err) == -1))
		return -1;
	*n = of.n;
	if (of.others == 0 && (of.calls > 0 || of.results > 0 || (r->items &&
	    msg->content == CTX_NONE)))
		return 0;
	frame = r->message;
	if (msg->role == CTX_ASSISTANT && of.calls == 0)
		frame += r->answer;
	if (msg->name.p != NULL && of.results == 0) {
		frame += CTX_NAME_OVERHEAD;
		if (ctx_cost_add(k, msg->name, n, err) == -1)
			return -1;
	}
	*n += frame;
	k->of[CTX_OF_FRAMING] += frame;
	return 0;
}
