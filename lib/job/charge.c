/* SPDX-License-Identifier: MIT */
/* What an API charges for a request; see charge.h. */
#include "job/charge.h"

#include <string.h>

#include "job/charge_impl.h"
#include "view/dialect.h"

/*
 * Fitted on requests to OpenAI and the input tokens that its answers named, of
 * which ctx-count(1) has the figures; half of the requests of all projects were
 * set aside and not looked at.  The declarations are those of harmony's
 * description (declare.h), and 3 for a message and for the whole are those of
 * OpenAI's Cookbook, "How to count tokens with tiktoken", section 6.
 */
#define FITTED	"fitted on 1003 recorded requests, 2026-11"
#define OLD	"gpt-3.5 gpt-35 gpt-4 "
#define OMNI	"gpt-4o gpt-4. gpt-4- chatgpt-4o o1-mini o1-preview "
#define O_ONE	"o1 o3 o4 codex-mini "
#define FIVE	"gpt-5 gpt-oss "

#define MEASURED "fitted on 287 recorded requests, 2026-11"

/*
 * Google's rows, for any kind of request: another API's conversation becomes
 * contents too.  Gemini 3.2 and later, and what is unknown, count as 3.5.
 */
#define GOOGLE(of, ...) \
	{ .provider = "google", .models = of, .rule = CTX_CHARGE_GOOGLE, \
	    .source = MEASURED, __VA_ARGS__ }, \
	{ .provider = "google", .models = of, .rule = CTX_CHARGE_GOOGLE, \
	    .source = MEASURED, .items = 1, __VA_ARGS__ }
#define GEMINI_35 .form = CTX_FORM_CONTROL, .message = 1, .server = 100, \
	    .sealed = 78, .keeps = 1

static const struct ctx_charge table[] = {
	{ .provider = "openai", .models = OMNI, .rule = CTX_CHARGE_OPENAI,
	    .whole = 3, .message = 4, .result = 4, .call = 8, .tools = -1,
	    .several = 20, .source = FITTED },
	{ .provider = "openai", .models = OLD, .rule = CTX_CHARGE_OPENAI,
	    .whole = 3, .message = 4, .result = 4, .call = 8, .tools = -1,
	    .several = 32, .source = FITTED },
	{ .provider = "openai", .models = O_ONE, .rule = CTX_CHARGE_OPENAI,
	    .whole = 2, .message = 4, .result = 4, .call = 10, .tools = 9,
	    .harmony = 1, .source = FITTED },
	{ .provider = "openai", .models = "gpt-5. ", .rule = CTX_CHARGE_OPENAI,
	    .whole = 2, .message = 4, .answer = 2, .result = 4, .call = 14,
	    .tools = 89, .several = 16, .harmony = 1, .source = FITTED },
	{ .provider = "openai", .models = FIVE, .rule = CTX_CHARGE_OPENAI,
	    .whole = 2, .message = 4, .answer = 2, .result = 4, .call = 14,
	    .tools = 90, .harmony = 1, .source = FITTED },
	{ .provider = "openai", .models = "", .rule = CTX_CHARGE_OPENAI,
	    .whole = 2, .message = 4, .answer = 2, .result = 4, .call = 14,
	    .tools = 89, .several = 16, .harmony = 1,
	    .source = "as the newest that was fitted" },

	{ .provider = "openai", .models = OMNI, .items = 1,
	    .rule = CTX_CHARGE_OPENAI, .whole = 3, .message = 4, .result = 4,
	    .call = 6, .call_id = 3, .tools = 3, .source = FITTED },
	{ .provider = "openai", .models = OLD, .items = 1,
	    .rule = CTX_CHARGE_OPENAI, .whole = 3, .message = 4, .result = 4,
	    .call = 6, .tools = 3, .source = FITTED },
	{ .provider = "openai", .models = O_ONE, .items = 1,
	    .rule = CTX_CHARGE_OPENAI, .whole = 2, .message = 4, .result = 4,
	    .call = 12, .tools = 5, .harmony = 1, .source = FITTED },
	{ .provider = "openai", .models = "gpt-5. ", .items = 1,
	    .rule = CTX_CHARGE_OPENAI, .whole = 2, .message = 4, .answer = 2,
	    .result = 4, .call = 15, .tools = 8, .several = 16, .each = 2,
	    .harmony = 1, .source = FITTED },
	{ .provider = "openai", .models = FIVE, .items = 1,
	    .rule = CTX_CHARGE_OPENAI, .whole = 2, .message = 4, .answer = 2,
	    .result = 4, .call = 12, .tools = 8, .harmony = 1,
	    .source = FITTED },
	{ .provider = "openai", .models = "", .items = 1,
	    .rule = CTX_CHARGE_OPENAI, .whole = 2, .message = 4, .answer = 2,
	    .result = 4, .call = 15, .tools = 8, .several = 16, .each = 2,
	    .harmony = 1, .source = "as the newest that was fitted" },

	GOOGLE("gemini-1 gemini-2.0 ", .form = CTX_FORM_TEXTS, .sealed = 50,
	    .streamed = 1),
	GOOGLE("gemini-2.5 gemma- ", .form = CTX_FORM_PYTHON, .message = 1,
	    .call = 5, .result = 5, .sealed = 50, .streamed = 1),
	GOOGLE("gemini-3.5 gemini-3.% ", GEMINI_35),
	GOOGLE("gemini-3 ", .form = CTX_FORM_CONTROL, .message = 1,
	    .server = 100, .sealed = 84, .sealed_from = 100),
	GOOGLE("gemini ", GEMINI_35),
};

const struct ctx_charge *
ctx_charge_at(size_t i)
{
	return i < sizeof(table) / sizeof(table[0]) ? &table[i] : NULL;
}

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

const struct ctx_charge *
ctx_charge_find(const struct ctx_cost *k, int items)
{
	const struct ctx_model *m = k->choice.model;
	const struct ctx_charge *r;

	if (m == NULL || k->flat)
		return NULL;
	for (r = table; r < table + sizeof(table) / sizeof(table[0]); r++)
		if (r->items == items && strcmp(r->provider, m->provider) == 0 &&
		    begins(r->models, m->prefix))
			return r;
	return NULL;
}

const struct ctx_charge *
ctx_charge_of(const struct ctx_cost *k, const struct ctx_convo *c)
{
	const struct ctx_dialect *d = c->dialect;

	if (k->choice.model == NULL || k->flat)
		return NULL;
	return ctx_charge_find(k, d != NULL && d->rules & CTX_RULE_LEADS);
}

/* --- a message -------------------------------------------------------- */

void
ctx_charge_compact(struct ctx_buf *out, const char *p, size_t len)
{
	const char *end = p + len;
	int quoted = 0;

	for (; p < end; p++) {
		if (!quoted && strchr(" \t\r\n", *p) != NULL)
			continue;
		ctx_buf_addc(out, *p);
		if (*p == '"')
			quoted = !quoted;
		else if (*p == '\\' && quoted && p + 1 < end)
			ctx_buf_addc(out, *++p);
	}
}

/* Append the arguments of the call that is part i. */
static void
add_arguments(struct ctx_buf *out, const struct ctx_convo *c, uint32_t i)
{
	struct ctx_str s = ctx_part_text(c, i);
	struct ctx_buf text = { 0 };

	if (c->part[i].flags & CTX_RAW)
		ctx_charge_compact(out, s.p, s.len);
	else if (s.p != NULL) {
		ctx_str_decode(&text, s.p, s.len);
		ctx_charge_compact(out, text.data, text.len);
		out->failed |= text.failed;
		ctx_buf_done(&text);
	}
}

int
ctx_charge_text(struct ctx_cost *k, struct ctx_buf *text, uint64_t *n,
    struct ctx_err *err)
{
	uint64_t more = 0;
	int rc = ctx_buf_fail(text, err);

	if (rc == 0 && text->len > 0)
		rc = ctx_counter_text(&k->counter, text->data, text->len, &more,
		    err);
	ctx_buf_done(text);
	*n += more;
	return rc;
}

static int
is_call(const struct ctx_part *p)
{
	return p->kind == CTX_CALL && !(p->flags & (CTX_SERVER | CTX_INNER));
}

/* Count "functions.NAME", to which a call is addressed. */
static int
add_recipient(struct ctx_cost *k, struct ctx_str name, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf text = { 0 };

	ctx_buf_adds(&text, "functions.");
	ctx_str_decode(&text, name.p, name.len);
	return ctx_charge_text(k, &text, n, err);
}

/* A call of its own. */
static int
add_call(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t i, uint64_t *n, struct ctx_err *err)
{
	const struct ctx_msg *m = &c->msg[c->part[i].msg];
	struct ctx_doc doc = ctx_convo_doc(c, m->rec);
	struct ctx_buf text = { 0 };

	*n += r->call;
	if (r->call_id > 0 && CTX_GIVEN(&doc, m->node, "id") != CTX_NONE)
		*n += r->call_id;
	add_arguments(&text, c, i);
	return add_recipient(k, c->part[i].name, n, err) == -1 ?
	    (ctx_buf_done(&text), -1) : ctx_charge_text(k, &text, n, err);
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

static void
find_calls(struct calls *s, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	*s = (struct calls){ c, m, m + 1, 0 };
	while (r->items && s->from > 0 && has_call(c, s->from - 1))
		s->from--;
	while (r->items && s->end < c->nmsg && has_call(c, s->end))
		s->end++;
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

	*n += r->several + (uint64_t)r->each * s->n;
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
		    add_call(k, r, c, i, n, err) == -1)
			return -1;
	return 0;
}

#define CALLS_BACK	256	/* messages that are searched for a call */

/* The call of the result that is part i; CTX_NONE if it is not found. */
static uint32_t
call_of(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	uint32_t m = p->msg, q, least = m > CALLS_BACK ? m - CALLS_BACK : 0;

	for (; p->id.p != NULL && m-- > least;)
		CTX_FOR_PARTS(c, m, q)
			if (is_call(&c->part[q]) &&
			    ctx_str_same(c->part[q].id, p->id))
				return q;
	return CTX_NONE;
}

/* What a result costs besides its text. */
static int
add_result(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t i, uint64_t *n, struct ctx_err *err)
{
	uint32_t call = call_of(c, i);
	struct calls s = { 0 };
	struct ctx_str name = c->part[i].name;

	if (call != CTX_NONE) {
		name = c->part[call].name;
		find_calls(&s, r, c, c->part[call].msg);
	}
	/* of several calls, the results are strings in a list */
	if (s.n > 1 && r->several > 0 && !r->harmony) {
		*n += 2;
		return 0;
	}
	*n += r->result;
	return ctx_cost_add(k, name, n, err);
}

int
ctx_charge_msg(struct ctx_cost *k, const struct ctx_charge *r,
    const struct ctx_convo *c, uint32_t m, uint64_t *n, struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_part *p;
	uint32_t i, calls = 0, results = 0, others = 0;
	uint64_t more;
	int inside = 0;

	if (r->rule == CTX_CHARGE_GOOGLE)
		return ctx_charge_google_msg(k, r, c, m, n, err);
	*n = 0;
	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (!(p->flags & CTX_INNER))
			inside = p->kind == CTX_RESULT;
		if (is_call(p)) {
			calls++;
			continue;
		}
		/* a model's thinking does not go to another turn */
		if (p->kind == CTX_COPY || p->kind == CTX_THINKING)
			continue;
		if (p->kind == CTX_RESULT && !(p->flags & CTX_SERVER)) {
			results++;
			if (add_result(k, r, c, i, n, err) == -1)
				return -1;
		}
		if (ctx_cost_part(k, c, i, &more, err) == -1)
			return -1;
		*n += more;
		others += !inside && more > 0;
	}
	if (calls > 0 && add_calls(k, r, c, m, n, err) == -1)
		return -1;
	if (others == 0 && (calls > 0 || results > 0 || (r->items &&
	    msg->content == CTX_NONE)))
		return 0;
	*n += r->message;
	if (msg->role == CTX_ASSISTANT && calls == 0)
		*n += r->answer;
	if (msg->name.p == NULL || results > 0)
		return 0;
	*n += CTX_NAME_OVERHEAD;
	return ctx_cost_add(k, msg->name, n, err);
}
