/* SPDX-License-Identifier: MIT */
/* The table of targets, and what all of them write with; see target.h. */
#include "edit/target.h"

#include <string.h>

#include "edit/said.h"

static const struct ctx_target *const targets[] = {
	&ctx_to_openai, &ctx_to_responses, &ctx_to_anthropic, &ctx_to_gemini,
	&ctx_to_langchain, &ctx_to_pydantic, &ctx_to_sharegpt, &ctx_to_ai_sdk,
	&ctx_to_ai_sdk_5, &ctx_to_bedrock, &ctx_to_cohere, &ctx_to_ollama,
	&ctx_to_mistral, &ctx_to_text, &ctx_to_markdown, &ctx_to_calls,
	&ctx_to_results
};

const struct ctx_target *
ctx_target_at(size_t i)
{
	return i < sizeof(targets) / sizeof(targets[0]) ? targets[i] : NULL;
}

const struct ctx_target *
ctx_target_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (strcmp(targets[i]->name, name) == 0)
			return targets[i];
	return NULL;
}

void
ctx_put(struct ctx_writer *w, const char *text)
{
	ctx_buf_adds(w->out, text);
}

void
ctx_put_failed(struct ctx_writer *w, int failed)
{
	w->out->failed |= failed;
}

void
ctx_put_str(struct ctx_writer *w, struct ctx_str s)
{
	if (s.len > 0)
		ctx_buf_add(w->out, s.p, s.len);
	ctx_trace_copy(&w->s->trace, s.p, s.len);
}

void
ctx_put_3(struct ctx_writer *w, const char *before, struct ctx_str s,
    const char *after)
{
	ctx_buf_adds(w->out, before);
	ctx_put_str(w, s);
	ctx_buf_adds(w->out, after);
}

void
ctx_put_json(struct ctx_writer *w, struct ctx_str json)
{
	if (json.len > 0)
		ctx_line_flat(w->out, json.p, json.len);
	ctx_trace_copy(&w->s->trace, json.p, json.len);
}

void
ctx_put_role(struct ctx_writer *w, const struct ctx_step *st, const char *role)
{
	ctx_put(w, role);
	if (st->word.len > 0 && ctx_str_is(st->word, role))
		ctx_trace_copy(&w->s->trace, st->word.p, st->word.len);
}

void
ctx_put_begin(struct ctx_writer *w)
{
	if (w->nmsg++ > 0 && !w->lines)
		ctx_buf_addc(w->out, ',');
	ctx_buf_addc(w->out, '{');
	if (w->lines && w->by != NULL && w->by_len > 0) {
		ctx_buf_addc(w->out, '"');
		ctx_str_encode(w->out, w->by, strlen(w->by));
		ctx_buf_adds(w->out, "\":");
		ctx_line_flat(w->out, w->by_value, w->by_len);
		ctx_buf_addc(w->out, ',');
	}
}

void
ctx_put_kept(struct ctx_writer *w)
{
	if (w->left.len > 0 && !w->request) {
		ctx_put(w, ",\"" CTX_KEPT "\":[");
		ctx_buf_add(w->out, w->left.data, w->left.len);
		ctx_put(w, "]");
	}
	ctx_put_failed(w, w->left.failed);
	ctx_buf_reset(&w->left);
}

void
ctx_put_end(struct ctx_writer *w)
{
	ctx_put_kept(w);
	ctx_put(w, w->lines ? "}\n" : "}");
}

void
ctx_put_member(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t key)
{
	ctx_put_json(w, ctx_node_json(doc, key));
	ctx_put(w, ":");
	ctx_put_json(w, ctx_node_json(doc, key + 1));
}

/*
 * Write the elements of a list that are taken.  Numbers and literals, which have no
 * nodes, are no objects of any type that is.
 */
static void
put_elements(struct ctx_writer *w, const struct ctx_taker *t,
    const struct ctx_doc *doc, uint32_t list)
{
	size_t at = doc->node[list].off + (size_t)1;
	uint32_t e = list + 1, next = e;
	struct ctx_str value;
	int n = 0;

	for (; ctx_node_each_value(doc, list, &at, &next, &value); e = next) {
		if (next == e) {
			if (*value.p != 'n')	/* null says nothing */
				ctx_script_lose(w->s, value);
		} else if (ctx_takes_object(t, doc, e)) {
			ctx_put(w, n++ > 0 ? "," : "");
			ctx_put_taken(w, t, doc, e);
		}
	}
}

/* Write the members of an object that are taken. */
static void
put_taken_members(struct ctx_writer *w, const struct ctx_taker *t,
    const struct ctx_doc *doc, uint32_t object)
{
	struct ctx_taker in;
	uint32_t k;
	int n = 0;

	CTX_FOR_KEYS(doc, k, object) {
		if (!ctx_takes_key(t, doc, object, k, &in))
			continue;
		ctx_put(w, n++ > 0 ? "," : "");
		ctx_put_json(w, ctx_node_json(doc, k));
		ctx_put(w, ":");
		ctx_put_taken(w, &in, doc, k + 1);
	}
}

void
ctx_put_taken(struct ctx_writer *w, const struct ctx_taker *t,
    const struct ctx_doc *doc, uint32_t node)
{
	int list = ctx_node_type(doc, node) == '[';

	if (ctx_takes_all(t, doc, node)) {
		ctx_put_json(w, ctx_node_json(doc, node));
		return;
	}
	ctx_put(w, list ? "[" : "{");
	(list ? put_elements : put_taken_members)(w, t, doc, node);
	ctx_put(w, list ? "]" : "}");
}

/* The item's text is written as a part of something else. */
static void
mark_reformed(struct ctx_writer *w, const struct ctx_said *it, const char *why)
{
	if (it->text.p != NULL)
		ctx_trace_mark(&w->s->trace, CTX_REFORMED, it->text.p,
		    (struct ctx_str){ NULL, 0 }, why);
}

void
ctx_put_text(struct ctx_writer *w, const struct ctx_said *it)
{
	if (!(it->flags & CTX_RAW)) {
		ctx_put_str(w, it->text);
		return;
	}
	ctx_buf_reset(&w->text);
	ctx_line_flat(&w->text, it->text.p, it->text.len);
	ctx_put_failed(w, w->text.failed);
	ctx_str_encode(w->out, w->text.data, w->text.len);
	/* an object in a string is still an object; a number is not */
	if (it->text.len > 0 && strchr("{[", it->text.p[0]) != NULL)
		ctx_trace_copy(&w->s->trace, it->text.p, it->text.len);
	else
		mark_reformed(w, it, "string");
}

void
ctx_put_joined(struct ctx_writer *w, const struct ctx_said *it)
{
	ctx_put_text(w, it);
	mark_reformed(w, it, "joined");
}

void
ctx_put_quoted(struct ctx_writer *w, const struct ctx_said *it)
{
	ctx_put(w, "\"");
	ctx_put_text(w, it);
	ctx_put(w, "\"");
}

/*
 * Decode an escaped string that holds a JSON object into w->text.  Returns 0 if
 * it does not hold one.
 */
static int
decode_object(struct ctx_writer *w, struct ctx_str s)
{
	int rc;

	ctx_buf_reset(&w->text);
	rc = ctx_str_decode(&w->text, s.p, s.len);
	if (rc == 0)
		rc = ctx_doc_try(&w->doc, w->text.data, w->text.len);
	ctx_put_failed(w, rc == -1);
	return rc == 1 && ctx_node_type(&w->doc, 0) == '{';
}

void
ctx_put_object(struct ctx_writer *w, const struct ctx_said *it)
{
	if (it->text.p == NULL || it->text.len == 0) {
		ctx_put(w, "{}");
	} else if (it->flags & CTX_RAW && it->text.p[0] == '{') {
		ctx_put_json(w, it->text);
	} else if (!(it->flags & CTX_RAW) && decode_object(w, it->text)) {
		ctx_line_flat(w->out, w->text.data, w->text.len);
		ctx_trace_copy(&w->s->trace, it->text.p, it->text.len);
	} else {
		w->s->loss[CTX_L_ARGUMENTS]++;
		ctx_put(w, "{\"arguments\":\"");
		ctx_put_text(w, it);
		ctx_put(w, "\"}");
	}
}

/* Write one of so many texts. */
static void
put_one_of(struct ctx_writer *w, const struct ctx_said *it, uint32_t texts)
{
	if (texts > 1)
		ctx_put_joined(w, it);
	else
		ctx_put_text(w, it);
}

/* Count a part in a result that is not written. */
static void
lose_inner(struct ctx_writer *w, const struct ctx_said *in)
{
	if (in->kind == CTX_IMAGE || in->kind == CTX_FILE)
		w->s->loss[CTX_L_MEDIA]++;
	else
		ctx_script_lose(w->s, in->raw);
}

void
ctx_put_result_json(struct ctx_writer *w, const struct ctx_said *it)
{
	uint32_t i;

	ctx_put_json(w, it->text);
	for (i = it->first; i < it->first + it->n; i++)
		lose_inner(w, &w->s->item[i]);
}

void
ctx_put_result(struct ctx_writer *w, const struct ctx_said *it)
{
	const struct ctx_said *in = w->s->item + it->first;
	uint32_t i, n = 0, texts = it->text.p != NULL;

	for (i = 0; i < it->n; i++)
		texts += in[i].kind == CTX_TEXT;
	if (it->text.p != NULL) {
		put_one_of(w, it, texts);
		n++;
	}
	for (i = 0; i < it->n; i++) {
		if (in[i].kind != CTX_TEXT) {
			lose_inner(w, &in[i]);
			continue;
		}
		if (n++ > 0)
			ctx_put(w, "\\n");
		put_one_of(w, &in[i], texts);
	}
}

int
ctx_target_is_ours(const struct ctx_writer *w, const struct ctx_said *it)
{
	/* a program's own list in place of blocks is not the API's */
	if (w->request && it->kind == CTX_RESULT && it->flags & CTX_RAW &&
	    !(it->flags & CTX_SERVER) && w->t == &ctx_to_anthropic)
		return 0;
	/* any other value is the whole content, unless it is no part */
	return it->raw.len > 0 && (it->raw.p[0] == '{' ||
	    it->kind == CTX_OTHER) && it->same_id && !it->refused &&
	    strcmp(it->family, ctx_target_dialect(w->t)) == 0;
}

int
ctx_target_is_signed(const struct ctx_said *it)
{
	static const char *const families[] = { "anthropic", "bedrock",
	    "langchain", "pydantic-ai", "ai-sdk" };
	size_t i;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (strcmp(it->family, families[i]) == 0)
			return it->sign.len > 0 && it->text.p != NULL;
	return 0;
}

uint32_t
ctx_target_count(const struct ctx_writer *w, const struct ctx_step *st,
    enum ctx_kind kind)
{
	uint32_t i, n = 0;

	for (i = st->item; i < st->item + st->nitem; i++)
		n += w->s->item[i].kind == kind;
	return n;
}

const struct ctx_said *
ctx_target_first(const struct ctx_writer *w, const struct ctx_step *st,
    enum ctx_kind kind)
{
	uint32_t i;

	for (i = st->item; i < st->item + st->nitem; i++)
		if (w->s->item[i].kind == kind)
			return &w->s->item[i];
	return NULL;
}

int
ctx_target_attachment(struct ctx_writer *w, const struct ctx_said *it,
    struct ctx_attachment *m)
{
	struct ctx_str jpeg = { "image/jpeg", 10 };
	int rc;

	if (it->raw.p == NULL)
		return 0;
	rc = ctx_doc_try(&w->doc, it->raw.p, it->raw.len);
	ctx_put_failed(w, rc == -1);
	if (rc == 1) {
		rc = ctx_attachment_read(m, &w->doc, 0, &w->plain);
		ctx_put_failed(w, rc == -1);
	}
	if (rc != 1)
		return 0;
	if (it->kind == CTX_IMAGE && m->type.p == NULL)
		m->image = 1;
	if (ctx_str_is(m->type, "image/jpg")) {
		ctx_trace_mark(&w->s->trace, CTX_RENAMED, m->type.p, jpeg,
		    "type");
		m->type = jpeg;
	}
	if (m->image && w->s->api != NULL &&
	    !ctx_api_image(w->s->api, m->type))
		return 0;
	if (m->format.p != NULL)
		ctx_trace_mark(&w->s->trace, CTX_RENAMED, m->format.p, m->type,
		    "type");
	return 1;
}

void
ctx_put_filename(struct ctx_writer *w, const struct ctx_attachment *m)
{
	char made[16];

	if (m->name.p != NULL) {
		ctx_put_3(w, "\"filename\":\"", m->name, "\"");
		return;
	}
	ctx_attachment_name(m, made, sizeof(made));
	ctx_put(w, "\"filename\":\"");
	ctx_put(w, made);
	ctx_put(w, "\"");
}

void
ctx_put_address(struct ctx_writer *w, const struct ctx_attachment *m)
{
	if (m->data.p != NULL)
		ctx_put_3(w, "data:", m->type, ";base64,");
	ctx_put_str(w, m->data.p != NULL ? m->data : m->url);
}

/* Begin an entry of what is left for other dialects. */
static void
begin_left(struct ctx_writer *w, struct ctx_str from, uint32_t at)
{
	if (w->left.len > 0)
		ctx_buf_addc(&w->left, ',');
	ctx_buf_addf(&w->left, "{\"from\":\"%.*s\",\"at\":%u,\"part\":",
	    CTX_STR_ARGS(from), at);
}

static void
put_left(struct ctx_writer *w, struct ctx_str json)
{
	ctx_line_flat(&w->left, json.p, json.len);
	ctx_trace_copy(&w->s->trace, json.p, json.len);
}

void
ctx_target_lose(struct ctx_writer *w, const struct ctx_said *it,
    enum ctx_loss why)
{
	struct ctx_str from = { it->family, (uint32_t)strlen(it->family) };
	struct ctx_buf *b = &w->left;
	int member;

	if (w->request || w->bare || it->raw.p == NULL ||
	    it->flags & CTX_INNER) {
		if (why == CTX_L_PART)
			ctx_script_lose(w->s, it->raw);
		else
			w->s->loss[why]++;
		return;
	}
	begin_left(w, from, (uint32_t)(it - w->first) + w->back);
	w->at++;
	member = it->raw.p[0] == '"' && it->kind == CTX_THINKING;
	if (member)		/* of the message itself */
		ctx_buf_adds(b, "{\"reasoning_content\":");
	put_left(w, it->raw);
	ctx_buf_adds(b, member ? "}}" : "}");
}

void
ctx_put_comma(struct ctx_writer *w, int *n)
{
	if ((*n)++ > 0)
		ctx_buf_addc(w->out, ',');
	w->at++;
}

/* Leave what this dialect does not have for the one that it is of. */
static void
leave(struct ctx_writer *w, const struct ctx_kept *k)
{
	if (w->request || w->bare) {
		ctx_script_lose(w->s, k->part);
		return;
	}
	if (k->all.p == NULL || k->merged) {
		begin_left(w, k->from, k->at);
		w->at += k->all.p == NULL;
		w->back += k->all.p == NULL;
		put_left(w, k->part);
		ctx_buf_addc(&w->left, '}');
		return;
	}
	if (w->left.len > 0)
		ctx_buf_addc(&w->left, ',');
	put_left(w, k->all);
}

int
ctx_target_take_kept(struct ctx_writer *w, const struct ctx_step *st, int last,
    struct ctx_str *json)
{
	const struct ctx_kept *k;
	int own;

	for (; w->kept < st->nkept; w->kept++) {
		k = &w->s->kept[st->kept + w->kept];
		own = ctx_str_is(k->from, ctx_target_dialect(w->t));
		if (!last && k->at > w->at && (own || k->all.p == NULL))
			return 0;
		if (!own) {
			leave(w, k);
			continue;
		}
		*json = k->part;
		w->kept++;
		w->back++;
		return 1;
	}
	return 0;
}

void
ctx_target_lose_others(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	struct ctx_str json;

	for (end = it + st->nitem; it < end; it++)
		if (it->kind != CTX_TEXT)
			ctx_target_lose(w, it, it->kind == CTX_OTHER ?
			    CTX_L_PART : CTX_L_MEDIA);
	while (ctx_target_take_kept(w, st, 1, &json))
		ctx_script_lose(w->s, json);
}

const struct ctx_step *
ctx_target_begin_step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = &w->s->step[i];

	w->kept = w->at = w->back = 0;
	w->first = w->s->item + st->item;
	return st;
}

void
ctx_put_text_part(struct ctx_writer *w, const char *before,
    const struct ctx_said *it, int *n)
{
	ctx_put_comma(w, n);
	ctx_put(w, before);
	ctx_put_quoted(w, it);
	ctx_put(w, "}");
}

void
ctx_put_note(struct ctx_writer *w, const char *before, int *n)
{
	const struct ctx_str text = ctx_marker_text(w->s->notes,
	    CTX_MARKER_OMITTED);

	if (!w->request || *n > 0)
		return;
	ctx_put_comma(w, n);
	ctx_put(w, before);
	ctx_put_3(w, "\"", text, "\"}");
	ctx_trace_mark(&w->s->trace, CTX_MADE, NULL, text, "note");
}

void
ctx_put_thinking(struct ctx_writer *w, const char *before, const char *sign,
    const char *sign_end, const struct ctx_said *it, int *n)
{
	/* Google's signature would be taken for Anthropic's */
	if (it->text.p == NULL || (it->sign.len > 0 &&
	    strcmp(it->family, "gemini") == 0)) {
		ctx_target_lose(w, it, CTX_L_THINKING);
		return;
	}
	ctx_put_comma(w, n);
	ctx_put_3(w, before, it->text, "\"");
	if (it->sign.p != NULL)
		ctx_put_3(w, sign, it->sign, sign_end);
	ctx_put(w, "}");
}

void
ctx_put_raw(struct ctx_writer *w, const struct ctx_said *it, int *n)
{
	struct ctx_taker t = ctx_said_taker(w->s, it->kind);
	int rc;

	ctx_put_comma(w, n);
	if (t.takes == NULL) {
		ctx_put_json(w, it->raw);
		return;
	}
	rc = ctx_doc_try(&w->doc, it->raw.p, it->raw.len);
	ctx_put_failed(w, rc == -1);
	if (rc == 1)
		ctx_put_taken(w, &t, &w->doc, 0);
}

void
ctx_put_kept_parts(struct ctx_writer *w, const struct ctx_step *st, int *n,
    int last)
{
	struct ctx_str json;

	while (ctx_target_take_kept(w, st, last, &json)) {
		ctx_put_comma(w, n);
		ctx_put_json(w, json);
	}
}

void
ctx_put_parts(struct ctx_writer *w, const struct ctx_step *st, int *n,
    ctx_part_fn *put)
{
	const struct ctx_said *it = w->s->item + st->item, *end;

	for (end = it + st->nitem; it < end; it++) {
		ctx_put_kept_parts(w, st, n, 0);
		put(w, st, it, n);
	}
	ctx_put_kept_parts(w, st, n, 1);
}

/* In a request, put a note in the place of a message after results. */
static void
put_note_for(struct ctx_writer *w, const struct ctx_step *st, int *n,
    ctx_part_fn *put)
{
	const struct ctx_said note = { .kind = CTX_TEXT, .family = "",
	    .text = ctx_marker_text(w->s->notes, CTX_MARKER_OMITTED) };

	if (!w->request)
		return;
	put(w, st, &note, n);
	ctx_trace_mark(&w->s->trace, CTX_MADE, NULL, note.text, "note");
}

void
ctx_put_answer(struct ctx_writer *w, uint32_t i, const char *list,
    ctx_part_fn *result, ctx_part_fn *put)
{
	const struct ctx_step *st = &w->s->step[i];
	const struct ctx_said *it = w->s->item + st->result, *end;
	int n = 0, results;

	ctx_put_begin(w);
	ctx_put(w, "\"role\":\"user\",");
	ctx_put(w, list);
	for (end = it + st->nresult; it < end; it += 1 + it->n)
		result(w, st, it, &n);
	results = n;
	if (i + 1 < w->s->nstep && w->s->step[i + 1].role == CTX_USER &&
	    !w->s->step[i + 1].as_is) {
		st = ctx_target_begin_step(w, i + 1);
		ctx_put_parts(w, st, &n, put);
		if (n == results)
			put_note_for(w, st, &n, put);
	}
	ctx_put(w, "]");
	ctx_put_end(w);
}

/* Was step i already written after the results of the step before it? */
static int
is_put(const struct ctx_writer *w, uint32_t i)
{
	return w->s->step[i].role == CTX_USER && i > 0 &&
	    w->s->step[i - 1].nresult > 0;
}

const struct ctx_step *
ctx_target_begin_turn(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = &w->s->step[i];

	if ((st->role == CTX_SYSTEM && w->inside) || is_put(w, i))
		return NULL;
	ctx_target_begin_step(w, i);
	ctx_put_begin(w);
	ctx_put(w, "\"role\":\"");
	ctx_put_role(w, st, w->t->role[st->role]);
	return st;
}

void
ctx_put_turn(struct ctx_writer *w, uint32_t i, const char *list,
    ctx_part_fn *result, ctx_part_fn *put)
{
	const struct ctx_step *st = ctx_target_begin_turn(w, i);
	int n = 0;

	if (st == NULL)
		return;
	ctx_put(w, "\",");
	ctx_put(w, list);
	ctx_put_parts(w, st, &n, put);
	ctx_put_note(w, "{\"text\":", &n);
	ctx_put(w, "]");
	ctx_put_end(w);
	if (st->nresult > 0)
		ctx_put_answer(w, i, list, result, put);
}

void
ctx_put_head(struct ctx_writer *w, const char *before, const char *after,
    ctx_part_fn *put)
{
	uint32_t i;
	int n = 0;

	for (i = 0; i < w->s->nstep; i++) {
		if (w->s->step[i].role != CTX_SYSTEM || w->s->step[i].as_is)
			break;		/* results come first */
		if (i == 0)
			ctx_put(w, before);
		ctx_put_parts(w, ctx_target_begin_step(w, i), &n, put);
	}
	if (i > 0)
		ctx_put(w, after);
}
