/* SPDX-License-Identifier: MIT */
/* The members of a request beside its messages; see request.h. */
#include "edit/request.h"

#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "decide/param.h"
#include "edit/breakpoint.h"
#include "edit/member.h"
#include "edit/said.h"
#include "edit/tool_name.h"

#define NAME_MAX_LEN 64		/* of a member of a member */

struct put {
	struct ctx_writer *w;
	const struct ctx_request *r;
	const struct ctx_request_words *words;
	struct ctx_taker taker;		/* what the server takes */
	const char *api;
	struct ctx_str model;
	/* the request that it was read from, if that is for the same API */
	struct ctx_doc doc;
	uint32_t of;
	struct ctx_tools *used;		/* those that have names */
	int tools;			/* there are some, of any kind */
	const struct ctx_param_caching *caching;
};

static struct ctx_str
str(const char *text)
{
	return (struct ctx_str){ text, (uint32_t)strlen(text) };
}

/* Is the word in the list, where each stands between spaces? */
static int
is_in(const char *list, const char *name)
{
	char word[NAME_MAX_LEN + 3];

	return (size_t)snprintf(word, sizeof(word), " %s ", name) <
	    sizeof(word) && strstr(list, word) != NULL;
}

/* Append ".key" to name; 0 if it is longer than any that matters. */
static int
make_name(char *name, size_t size, const char *in, struct ctx_str key)
{
	return (size_t)snprintf(name, size, "%s%s%.*s", in,
	    in[0] != '\0' ? "." : "", CTX_STR_ARGS(key)) < size;
}

int
ctx_request_owns(const struct ctx_target *t, const char *name)
{
	size_t len = strcspn(name, ".");
	char top[NAME_MAX_LEN];

	if (len >= sizeof(top))
		return 0;
	memcpy(top, name, len);
	top[len] = '\0';
	return strcmp(top, t->list) == 0 || (t->request->model != NULL &&
	    strcmp(top, t->request->model) == 0) ||
	    is_in(" model system instructions systemInstruction "
	    "system_instruction ", top);
}

/* The JSON that tells the choice, or NULL; *one: it goes around a name. */
static const char *
choice_of(const struct ctx_choice_words *words, const char *choice, int *one)
{
	*one = 0;
	if (strcmp(choice, "auto") == 0)
		return words->automatic;
	if (strcmp(choice, "none") == 0)
		return words->none;
	if (strcmp(choice, "required") == 0)
		return words->required;
	*one = 1;
	return words->one;
}

int
ctx_request_can_choose(const struct ctx_target *t, const char *choice)
{
	int one;

	return choice_of(&t->request->choice, choice, &one) != NULL;
}

/* --- the request that there was ------------------------------------------ */

/* The list of tools. */
static const char *
list_of(const struct ctx_request_words *words)
{
	return words->tools != NULL ? words->tools : "tools";
}

/* Has the object one of the members in the list? */
static int
has_one(const struct ctx_doc *doc, uint32_t object, const char *list)
{
	char name[NAME_MAX_LEN];
	uint32_t k;

	CTX_FOR_KEYS(doc, k, object)
		if (make_name(name, sizeof(name), "", ctx_node_str(doc, k)) &&
		    is_in(list, name))
			return 1;
	return 0;
}

int
ctx_request_takes_tools(const struct ctx_target *t, const char *api,
    const struct ctx_doc *doc, uint32_t request)
{
	const struct ctx_request_words *words = t->request;
	uint32_t e;

	CTX_FOR_LIST(doc, e, ctx_member_find(doc, request, list_of(words)))
		if ((words->tool_has != NULL && !has_one(doc, e,
		    words->tool_has)) || (words->tool_lacks != NULL &&
		    has_one(doc, e, words->tool_lacks)) ||
		    (strcmp(api, "openai") == 0 && CTX_GET(doc, e, "type") ==
		    CTX_NONE))
			return 0;
	return 1;
}

/* Does only another API know the member? */
static int
is_foreign(const struct put *p, const char *name)
{
	struct ctx_taker t = { p->words->members, NULL };
	const struct ctx_target *other;
	size_t i;

	if (ctx_takes_name(&t, name) || (p->words->tools != NULL &&
	    strncmp(p->words->tools, name, strlen(name)) == 0))
		return 0;
	if (strcmp(name, "system") == 0)
		return p->w->t->head == NULL;
	for (i = 0; (other = ctx_target_at(i)) != NULL; i++) {
		t.takes = other->request != NULL ? other->request->members :
		    NULL;
		if (t.takes != NULL && ctx_takes_name(&t, name))
			return 1;
	}
	return 0;
}

/*
 * Find the object whose members are those of a request of the same API.  Other
 * histories may have members of the same names, but name no model and limit no answer;
 * and simple messages are the same in several APIs.
 */
static void
find_request(struct put *p, const struct ctx_convo *c)
{
	const struct ctx_rec *r = &c->rec[0];
	uint32_t of = r->request != CTX_NONE ? r->request : r->root, k;
	char name[NAME_MAX_LEN];

	p->doc = ctx_convo_doc(c, 0);
	p->of = CTX_NONE;
	if (r->shape != CTX_REC_CONVERSATION || p->w->s->home == NULL ||
	    r->dialect != p->w->s->home || ctx_node_type(&p->doc, of) != '{')
		return;
	if (p->words->model != NULL && strcmp(p->words->model, "model") == 0 &&
	    CTX_GET(&p->doc, of, "model") == CTX_NONE &&
	    CTX_GET(&p->doc, of, p->words->max_output) == CTX_NONE)
		return;
	CTX_FOR_KEYS(&p->doc, k, of)
		if (ctx_node_given(&p->doc, k + 1) != CTX_NONE &&
		    make_name(name, sizeof(name), "", ctx_node_str(&p->doc,
		    k)) && is_foreign(p, name))
			return;
	if (ctx_request_takes_tools(p->w->t, p->api, &p->doc, of))
		p->of = of;
}

/* Is another member in the request? */
static int
has(const void *arg, const char *name)
{
	const struct put *p = arg;
	size_t i;

	for (i = 0; i < p->r->nset; i++)
		if (strcmp(p->r->set[i].name, name) == 0)
			return strcmp(p->r->set[i].value, "null") != 0;
	return ctx_node_given(&p->doc, ctx_member_find(&p->doc, p->of,
	    name)) != CTX_NONE;
}

/* The row by which the model does not take the member; NULL: it may. */
static const struct ctx_param_row *
refused(const struct put *p, const char *name)
{
	const struct ctx_param_row *row = ctx_param_refused(p->api, p->model,
	    name, has, p);

	return row == NULL || row->perhaps ? NULL : row;
}

/* Is the member written by an option? */
static int
is_replaced(const struct put *p, const char *name)
{
	const struct ctx_request *r = p->r;
	size_t i;

	for (i = 0; i < r->nset; i++)
		if (strcmp(r->set[i].name, name) == 0)
			return 1;
	if (r->choice != NULL && p->words->choice.name != NULL &&
	    strcmp(p->words->choice.name, name) == 0)
		return 1;
	if (r->stream && is_in(" stream stream_options ", name))
		return 1;
	return r->max_output > 0 && is_in(p->words->limits, name);
}

/* Is a choice of tools, carried by the name of its member, spelled as here? */
static int
is_choice(const struct put *p, const char *name)
{
	const struct ctx_choice_words *words = &p->words->choice;
	uint32_t v = ctx_member_find(&p->doc, p->of, name);
	struct ctx_str json = ctx_node_json(&p->doc, v);
	const char *const said[] = { words->automatic, words->none,
	    words->required };
	size_t i;

	if (ctx_node_if(&p->doc, v, '"') == CTX_NONE)
		return 1;
	for (i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		if (said[i] != NULL && ctx_str_is(json, said[i]))
			return 1;
	return strcmp(p->api, "mistral") == 0 && ctx_str_is(json, "\"any\"");
}

/* Does the model refuse the member for its value? */
static int
is_refused_value(const struct put *p, const char *name)
{
	uint32_t v = ctx_member_find(&p->doc, p->of, name);
	uint32_t type = CTX_GET(&p->doc, v, "type");

	if (strcmp(name, "thinking") == 0)
		return CTX_GET(&p->doc, v, "budget_tokens") != CTX_NONE &&
		    refused(p, "thinking.budget_tokens") != NULL;
	return strcmp(name, "tool_choice") == 0 &&
	    (ctx_node_is(&p->doc, type, "any") ||
	    ctx_node_is(&p->doc, type, "tool")) &&
	    refused(p, "tool_choice.forced") != NULL;
}

/* Is the member left out, or written under the name of another? */
static int
is_out(const struct put *p, const char *name)
{
	if (strcmp(name, "tool_choice") == 0 && !is_choice(p, name))
		return 1;
	if (!p->tools && is_in(" tool_choice parallel_tool_calls ", name))
		return 1;
	return is_replaced(p, name) || refused(p, name) != NULL ||
	    is_refused_value(p, name);
}

/* Write the value of the member name, without the members in it that are out. */
static void
carry_value(struct put *p, const char *name, uint32_t value)
{
	char inner[NAME_MAX_LEN];
	uint32_t k, out = 0, n = 0;

	CTX_FOR_KEYS(&p->doc, k, value)
		out += make_name(inner, sizeof(inner), name,
		    ctx_node_str(&p->doc, k)) && is_out(p, inner);
	if (out == 0) {
		ctx_put_json(p->w, ctx_node_json(&p->doc, value));
		return;
	}
	ctx_put(p->w, "{");
	CTX_FOR_KEYS(&p->doc, k, value) {
		if (make_name(inner, sizeof(inner), name,
		    ctx_node_str(&p->doc, k)) && is_out(p, inner))
			continue;
		ctx_put(p->w, n++ > 0 ? "," : "");
		ctx_put_member(p->w, &p->doc, k);
	}
	ctx_put(p->w, "}");
}

static void
put_comma(struct put *p)
{
	if (p->w->out->len > 1)
		ctx_put(p->w, ",");
}

/* Write the member of that key, if it is still one of the request. */
static void
carry(struct put *p, uint32_t key)
{
	const struct ctx_param_row *row;
	struct ctx_taker in;
	char name[NAME_MAX_LEN];

	if (!ctx_takes_key(&p->taker, &p->doc, p->of, key, &in) ||
	    ctx_node_given(&p->doc, key + 1) == CTX_NONE ||
	    !make_name(name, sizeof(name), "", ctx_node_str(&p->doc, key)))
		return;
	row = refused(p, name);
	if (row != NULL && row->instead != NULL && !is_replaced(p, name) &&
	    !has(p, row->instead)) {
		put_comma(p);
		ctx_buf_addf(p->w->out, "\"%s\":", row->instead);
		ctx_put_json(p->w, ctx_node_json(&p->doc, key + 1));
	} else if (!is_out(p, name)) {
		put_comma(p);
		ctx_put_json(p->w, ctx_node_json(&p->doc, key));
		ctx_put(p->w, ":");
		carry_value(p, name, key + 1);
	}
}

/* --- tools ----------------------------------------------------------------- */

/* Is the tool defined as one that takes free text, as OpenAI itself has them? */
static int
is_custom(const struct put *p, const struct ctx_tool *tool)
{
	return tool->custom && p->words->custom != NULL &&
	    strcmp(p->api, p->w->t->name) == 0;
}

/* Write what the free text must be like; the two APIs spell a grammar differently. */
static void
put_format(struct ctx_writer *w, struct ctx_str format)
{
	const struct ctx_request_words *words = w->t->request;
	int rc = ctx_doc_try(&w->doc, format.p, format.len), n = 0;
	uint32_t in, k;

	ctx_put_failed(w, rc == -1);
	ctx_put(w, ",\"format\":");
	if (rc != 1 || !ctx_node_is(&w->doc, CTX_GET(&w->doc, 0, "type"),
	    "grammar")) {
		ctx_put_json(w, format);
		return;
	}
	in = ctx_node_if(&w->doc, CTX_GET(&w->doc, 0, "grammar"), '{');
	ctx_put(w, words->grammar);
	CTX_FOR_KEYS(&w->doc, k, in == CTX_NONE ? 0 : in) {
		if (ctx_doc_key_is(&w->doc, k, "type", 4))
			continue;
		ctx_put(w, n++ > 0 ? "," : "");
		ctx_put_member(w, &w->doc, k);
	}
	ctx_put(w, words->tool_end);
}

static void
put_tool(struct put *p, const struct ctx_tool *tool)
{
	const struct ctx_request_words *words = p->words;
	struct ctx_writer *w = p->w;
	int custom = is_custom(p, tool);

	ctx_put(w, custom ? words->custom : words->tool);
	ctx_put_3(w, "\"name\":\"", tool->name, "\"");
	if (tool->about.p != NULL)
		ctx_put_3(w, ",\"description\":\"", tool->about, "\"");
	else if (words->no_about != NULL)
		ctx_put(w, words->no_about);
	if (custom) {
		if (tool->format.p != NULL)
			put_format(w, tool->format);
		ctx_put(w, words->tool_end);
		return;
	}
	ctx_put(w, tool->google && words->google != NULL ? words->google :
	    words->schema);
	if (tool->schema.p == NULL)
		ctx_put(w, "{\"type\":\"object\"}");
	else if (tool->google && words->google == NULL) {
		ctx_trace_mark(&w->s->trace, CTX_REFORMED, tool->schema.p,
		    (struct ctx_str){ NULL, 0 }, "schema");
		ctx_put_schema(w, tool->schema);
	} else
		ctx_put_json(w, tool->schema);
	ctx_put(w, words->tool_end);
}

/* Write the list of tools: those of own as they are, and ours from first on. */
static void
put_list(struct put *p, uint32_t own, size_t first)
{
	const char *name = list_of(p->words);
	const struct ctx_tools *t = p->used;
	const char *dot = strchr(name, '.');
	uint32_t e;
	size_t i;
	int n = 0;

	if (dot != NULL)
		ctx_buf_addf(p->w->out, "\"%.*s\":{", (int)(dot - name), name);
	ctx_buf_addf(p->w->out, "\"%s\":[", dot != NULL ? dot + 1 : name);
	CTX_FOR_LIST(&p->doc, e, own) {
		ctx_put_comma(p->w, &n);
		ctx_put_json(p->w, ctx_node_json(&p->doc, e));
	}
	for (i = first; i < t->n; i++) {
		ctx_put_comma(p->w, &n);
		if (i == first && p->words->group != NULL)
			ctx_put(p->w, p->words->group);
		put_tool(p, &t->tool[i]);
	}
	if (first < t->n && p->words->group_end != NULL)
		ctx_put(p->w, p->words->group_end);
	ctx_put(p->w, dot != NULL ? "]}" : "]");
}

/* Give the definition of a tool a name that the API takes.  0, or -1. */
static int
fit_name(struct put *p, struct ctx_str *name, int *renamed)
{
	struct ctx_script *s = p->w->s;
	struct ctx_str was = *name;

	if (ctx_tool_name_is_good(s->api, was))
		return 0;
	*renamed = 1;
	*name = ctx_said_tool_name(s, was);
	if (p->r->tools != NULL)	/* not in the source */
		ctx_trace_made(&s->trace, was, *name, "tool-name");
	return name->p == NULL ? -1 : 0;
}

/* Collect the tools that are given or are in the line of c. */
static int
read_tools(struct put *p, const struct ctx_convo *c, struct ctx_err *err)
{
	const struct ctx_tools *given = p->r->tools;
	uint32_t of = c->rec[0].request;
	size_t i;

	if (of == CTX_NONE)
		of = c->rec[0].root;
	p->used->n = 0;
	for (i = 0; given != NULL && i < given->n; i++) {
		if (CTX_ROOM(p->used->tool, i, &p->used->cap) == -1)
			return ctx_fail_nomem(err);
		p->used->tool[p->used->n++] = given->tool[i];
	}
	if (given == NULL && c->rec[0].shape == CTX_REC_CONVERSATION &&
	    ctx_node_type(&p->doc, of) == '{')
		return ctx_tools_read(p->used, &p->doc, of, err);
	return 0;
}

/*
 * Write the definitions of tools.  Those of a request of the same API stay as they are,
 * also if they are none of a function, unless the API refuses a name.
 */
static int
put_tools(struct put *p, const struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_script *s = p->w->s;
	uint32_t own = CTX_NONE;
	size_t i, made, given;
	int renamed = 0;

	if (read_tools(p, c, err) == -1)
		return -1;
	given = p->used->n;
	for (i = 0; i < given; i++)
		if (fit_name(p, &p->used->tool[i].name, &renamed) == -1)
			return ctx_fail_nomem(err);
	if (ctx_tools_complete(p->used, s, &made, err) == -1)
		return -1;
	s->loss[CTX_L_TOOLS] += made;
	for (i = given; i < p->used->n; i++)
		ctx_trace_mark(&s->trace, CTX_MADE, NULL,
		    p->used->tool[i].name, "tool");
	if (p->r->tools == NULL && !renamed)
		own = ctx_node_if(&p->doc, ctx_member_find(&p->doc, p->of,
		    list_of(p->words)), '[');
	if (own != CTX_NONE && ctx_node_is_void(&p->doc, own))
		own = CTX_NONE;
	p->tools = p->used->n > 0 || own != CTX_NONE;
	if (p->tools)
		put_list(p, own, own != CTX_NONE ? given : 0);
	return 0;
}

/* Tell which tools may be called. */
static int
put_choice(struct put *p, struct ctx_err *err)
{
	const struct ctx_choice_words *words = &p->words->choice;
	struct ctx_buf json = { 0 };
	struct ctx_str name;
	const char *text;
	size_t i = 0;
	int one, rc;

	text = choice_of(words, p->r->choice, &one);
	if (text == NULL || *text == '\0' || (!p->tools && !one &&
	    strcmp(p->r->choice, "required") != 0))
		return 0;
	name = str(p->r->choice);
	if (one && !ctx_tool_name_is_good(p->w->s->api, name))
		name = ctx_said_tool_name(p->w->s, name);
	while (one && i < p->used->n &&
	    !ctx_str_same(p->used->tool[i].name, name))
		i++;
	if (one ? i == p->used->n : !p->tools)
		return ctx_fail(err, CTX_EUSAGE, "tool choice %s: there is "
		    "no such tool; give its definition", p->r->choice);
	if (one && is_custom(p, &p->used->tool[i]))
		text = words->one_custom;
	ctx_buf_adds(&json, text);
	if (one) {
		ctx_buf_add(&json, name.p, name.len);
		ctx_buf_adds(&json, words->one_end);
	}
	rc = ctx_buf_fail(&json, err);
	if (rc == 0)
		rc = ctx_member_set(p->w->out, words->name, ctx_str_of(&json),
		    err);
	ctx_buf_done(&json);
	return rc;
}

/* Bedrock has the choice of tools beside their list. */
static int
carry_choice(struct put *p, struct ctx_err *err)
{
	const char *name = p->words->choice.name;
	struct ctx_buf json = { 0 };
	struct ctx_str was;
	uint32_t node;
	int rc;

	if (p->words->tools == NULL || !p->tools || is_replaced(p, name))
		return 0;
	node = ctx_node_given(&p->doc, ctx_member_find(&p->doc, p->of, name));
	if (node == CTX_NONE)
		return 0;
	was = ctx_node_json(&p->doc, node);
	ctx_line_flat(&json, was.p, was.len);
	rc = ctx_buf_fail(&json, err);
	if (rc == 0)
		rc = ctx_member_set(p->w->out, name, ctx_str_of(&json), err);
	ctx_trace_copy(&p->w->s->trace, was.p, was.len);
	ctx_buf_done(&json);
	return rc;
}

/* --- options --------------------------------------------------------------- */

/* Write the most tokens that an answer may have. */
static int
put_limit(struct put *p, struct ctx_err *err)
{
	const char *name = p->words->max_output;
	const struct ctx_param_row *row = refused(p, name);
	uint64_t n = p->r->max_output;
	char text[24];

	if (row != NULL && row->instead != NULL)
		name = row->instead;
	if (n == 0 && !has(p, name))
		n = p->words->usual;
	if (n == 0)
		return 0;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	return ctx_member_set(p->w->out, name, str(text), err);
}

static int
put_stream(struct put *p, struct ctx_err *err)
{
	const char *options = p->words->stream_options;

	if (!p->words->stream)
		return 0;
	if (ctx_member_set(p->w->out, "stream", str("true"), err) == -1)
		return -1;
	if (options == NULL || !ctx_takes_name(&p->taker, "stream_options"))
		return 0;
	return ctx_member_set(p->w->out, "stream_options", str(options), err);
}

/* Set what the user sets: JSON, or else a string. */
static int
put_set(struct put *p, const struct ctx_set *set, struct ctx_err *err)
{
	struct ctx_str json = str(set->value);
	struct ctx_buf text = { 0 };
	struct ctx_doc doc = { 0 };
	int rc = ctx_doc_try(&doc, json.p, json.len);

	if (rc == 0) {
		ctx_buf_addc(&text, '"');
		ctx_str_encode(&text, json.p, json.len);
		ctx_buf_addc(&text, '"');
		json = ctx_str_of(&text);
	} else if (rc == 1) {
		json = ctx_node_json(&doc, 0);
		if (ctx_str_is(json, "null"))
			json.p = NULL;
	}
	if (rc == -1 || text.failed)
		rc = ctx_fail_nomem(err);
	else
		rc = ctx_member_set(p->w->out, set->name, json, err);
	ctx_doc_done(&doc);
	ctx_buf_done(&text);
	return rc;
}

/*
 * A key for the cache that stays the same for as long as there is something to find
 * under it: it is made of what the request begins with, up to the user's first
 * message.
 */
static int
put_cache_key(struct put *p, const struct ctx_buf *messages,
    struct ctx_err *err)
{
	const struct ctx_buf *tools = p->w->out;
	unsigned char sum[CTX_SHA256_LEN];
	char hex[CTX_SHA256_HEX], text[64];
	struct ctx_sha256 sha;

	if (has(p, "prompt_cache_key") || messages->failed || tools->failed)
		return 0;
	ctx_sha256_init(&sha);
	ctx_sha256_update(&sha, messages->data, p->w->opening);
	ctx_sha256_update(&sha, tools->data, tools->len);
	ctx_sha256_final(&sha, sum);
	snprintf(text, sizeof(text), "\"ctx-%.32s\"",
	    ctx_sha256_text(sum, hex));
	return ctx_member_set(p->w->out, "prompt_cache_key", str(text), err);
}

/* Write what tells the server to cache, as far as that is a member. */
static int
put_cache(struct put *p, const struct ctx_buf *messages, struct ctx_err *err)
{
	if (p->caching->how == CTX_CACHE_KEY)
		return put_cache_key(p, messages, err);
	if (p->caching->how == CTX_CACHE_WHOLE && !has(p, "cache_control"))
		return ctx_member_set(p->w->out, "cache_control",
		    str("{\"type\":\"ephemeral\"}"), err);
	return 0;
}

/* Write all members into w->out, an object of its own; messages is the rest. */
static int
put_all(struct put *p, const struct ctx_convo *c,
    const struct ctx_buf *messages, struct ctx_err *err)
{
	const struct ctx_request *r = p->r;
	uint32_t k;
	size_t i;

	ctx_put(p->w, "{");
	if (put_tools(p, c, err) == -1)
		return -1;
	ctx_put(p->w, "}");
	if (r->cache && put_cache(p, messages, err) == -1)
		return -1;
	if (p->w->out->len > 0)
		p->w->out->len--;
	CTX_FOR_KEYS(&p->doc, k, p->of)
		carry(p, k);
	ctx_put(p->w, "}");
	if (carry_choice(p, err) == -1 || put_limit(p, err) == -1 ||
	    (r->stream && put_stream(p, err) == -1) ||
	    (r->choice != NULL && put_choice(p, err) == -1))
		return -1;
	for (i = 0; i < r->nset; i++)
		if (put_set(p, &r->set[i], err) == -1)
			return -1;
	return ctx_buf_fail(p->w->out, err);
}

int
ctx_request_put(struct ctx_writer *w, const struct ctx_request *r,
    const struct ctx_convo *c, struct ctx_tools *used, struct ctx_err *err)
{
	const struct ctx_api *api = w->s->api;
	struct put p = { .w = w, .r = r, .words = w->t->request,
	    .taker = { w->t->request->members, NULL },
	    .api = api != NULL ? api->name : w->t->name,
	    .model = str(r->model), .used = used };
	struct ctx_buf rest = { 0 }, *out = w->out;
	int rc;

	p.taker.api = p.api;
	p.caching = ctx_param_cached(p.api, p.model);
	find_request(&p, c);
	w->out = &rest;
	rc = put_all(&p, c, out, err);
	w->out = out;
	if (rc == 0 && rest.len > 2)
		ctx_buf_addc(out, ',');
	if (rc == 0)
		ctx_buf_add(out, rest.data + 1, rest.len - 1);
	ctx_buf_done(&rest);
	if (rc == 0 && r->cache)
		rc = ctx_breakpoint_put(out, p.caching, err);
	return rc;
}
