/* SPDX-License-Identifier: MIT */
/* Ask a model; see ask.h. */
#include "net/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/utf8.h"
#include "net/ask_format.h"
#include "net/remote.h"
#include "base/sse.h"

static const struct ctx_ask_format *const formats[] = {
	&ctx_ask_openai, &ctx_ask_anthropic, &ctx_ask_ollama
};
#define NFORMAT (sizeof(formats) / sizeof(formats[0]))

/* A question in progress, as the callbacks of net/http see it. */
struct talk {
	const struct ctx_ask *ask;
	struct ctx_ask_answer *answer;
	struct ctx_sse sse;
	struct ctx_err err;		/* of an event */
	enum ctx_http_verdict verdict;	/* of an event that failed */
	int ended;			/* the last event was received */
	int bad;
	int whole;			/* not a stream but one JSON value */
};

const struct ctx_ask_format *
ctx_ask_format(const char *name)
{
	size_t i;

	for (i = 0; i < NFORMAT; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

const char *
ctx_ask_format_name(const struct ctx_ask_format *format)
{
	return format->name;
}

json_t *
ctx_ask_messages(const char *system, const char *user)
{
	return json_pack("[{s:s, s:s}, {s:s, s:s}]", "role", "system",
	    "content", system, "role", "user", "content", user);
}

json_t *
ctx_ask_add(json_t *object, const char *name, json_t *value)
{
	if (object == NULL) {
		json_decref(value);
		return NULL;
	}
	if (json_object_set_new(object, name, value) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *
ctx_ask_add_temperature(json_t *object, const struct ctx_ask *ask)
{
	return ask->temperature < 0 ? object : ctx_ask_add(object,
	    "temperature", json_real(ask->temperature));
}

void
ctx_ask_add_text(struct ctx_ask_answer *a, const json_t *j)
{
	if (json_is_string(j))
		ctx_buf_add(&a->text, json_string_value(j),
		    json_string_length(j));
}

void
ctx_ask_take_finish(const json_t *obj, const char *key,
    struct ctx_ask_answer *a)
{
	static const struct {
		const char *word;
		enum ctx_ask_finish finish;
	} words[] = {
		{ "stop", CTX_ASK_STOP }, { "end_turn", CTX_ASK_STOP },
		{ "stop_sequence", CTX_ASK_STOP },
		/* of servers that imitate the APIs: Together's and TGI's,
		   Cohere's, Baidu's */
		{ "eos", CTX_ASK_STOP }, { "eos_token", CTX_ASK_STOP },
		{ "complete", CTX_ASK_STOP }, { "normal", CTX_ASK_STOP },
		{ "length", CTX_ASK_LENGTH }, { "max_tokens", CTX_ASK_LENGTH },
		{ "model_length", CTX_ASK_LENGTH },
		{ "model_context_window_exceeded", CTX_ASK_LENGTH },
		{ "content_filter", CTX_ASK_REFUSED },
		{ "refusal", CTX_ASK_REFUSED },
		/* OpenRouter's and Mistral's, Zhipu's, DeepSeek's */
		{ "error", CTX_ASK_FAILED },
		{ "network_error", CTX_ASK_FAILED },
		{ "insufficient_system_resource", CTX_ASK_FAILED }
	};
	const char *s = json_string_value(json_object_get(obj, key));
	size_t i;

	if (s == NULL || *s == '\0')
		return;
	ctx_err_quote(a->reason, sizeof(a->reason), s, strlen(s));
	a->finish = CTX_ASK_OTHER;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(s, words[i].word) == 0)
			a->finish = words[i].finish;
}

void
ctx_ask_take_count(const json_t *obj, const char *key, int64_t *out)
{
	const json_t *j = json_object_get(obj, key);

	if (json_is_integer(j))
		*out = json_integer_value(j);
}

static void
answer_reset(struct ctx_ask_answer *a)
{
	ctx_buf_reset(&a->text);
	a->finish = CTX_ASK_UNFINISHED;
	a->prompt_tokens = a->output_tokens = a->cached_tokens = -1;
	a->fits = a->asked = -1;
	a->too_long = 0;
}

void
ctx_ask_answer_done(struct ctx_ask_answer *a)
{
	ctx_buf_done(&a->text);
}

static int
is_blank(const struct ctx_buf *b)
{
	size_t i;

	for (i = 0; i < b->len; i++)
		if (strchr(" \t\r\n", b->data[i]) == NULL ||
		    b->data[i] == '\0')
			return 0;
	return 1;
}

/*
 * Reasoning models put their thoughts before the answer, and some servers
 * leave them in the text, or only the tag that ends them, at the end of a line.
 * If a thought has no end, no answer follows it.
 */
static void
drop_thoughts(struct ctx_buf *b)
{
	static const char begin[] = "<think>", end[] = "</think>";
	const size_t nb = sizeof(begin) - 1, ne = sizeof(end) - 1;
	const char *p = b->data, *stop;
	int opened;

	if (b->len == 0)
		return;
	stop = p + b->len;
	while (p < stop && *p != '\0' && strchr(" \t\r\n", *p) != NULL)
		p++;
	opened = (size_t)(stop - p) >= nb && memcmp(p, begin, nb) == 0;
	while ((p = memmem(p, (size_t)(stop - p), end, ne)) != NULL) {
		p += ne;
		if (opened || p == stop || *p == '\n' || *p == '\r')
			break;
	}
	if (p == NULL && !opened)
		return;
	b->len = p == NULL ? 0 : (size_t)(stop - p);
	if (p != NULL)
		memmove(b->data, p, b->len);
}

/*
 * Is it a complete answer?  One that was cut for length is accepted: the
 * caller decides.
 */
static enum ctx_http_verdict
accept(struct ctx_ask_answer *a, struct ctx_err *err)
{
	drop_thoughts(&a->text);
	if (a->text.failed) {
		ctx_fail_nomem(err);
		return CTX_HTTP_STOP;
	}
	if (a->finish == CTX_ASK_REFUSED)
		ctx_fail(err, CTX_EREMOTE, "the model refused");
	else if (a->finish == CTX_ASK_UNFINISHED)
		ctx_fail(err, CTX_EREMOTE, "the answer has no finish reason");
	else if (a->finish == CTX_ASK_FAILED || a->finish == CTX_ASK_OTHER)
		ctx_fail(err, CTX_EREMOTE, "the answer is not complete: its "
		    "finish reason is %s", a->reason);
	else if (a->finish == CTX_ASK_STOP && is_blank(&a->text))
		ctx_fail(err, CTX_EREMOTE, "the answer has no text");
	else if (a->text.len > 0 && (memchr(a->text.data, '\0', a->text.len)
	    != NULL || ctx_utf8_check(a->text.data, a->text.len) !=
	    a->text.len))
		ctx_fail(err, CTX_EREMOTE,
		    "the text of the answer is not UTF-8");
	else
		return CTX_HTTP_DONE;
	return a->finish == CTX_ASK_FAILED ? CTX_HTTP_AGAIN : CTX_HTTP_STOP;
}

static enum ctx_http_verdict
read_body(const struct ctx_ask *ask, const struct ctx_ask_format *format,
    const char *body, size_t len, struct ctx_ask_answer *a,
    struct ctx_err *err)
{
	enum ctx_http_verdict v;
	json_t *root;

	answer_reset(a);
	if ((v = ctx_remote_json(body, len, &root, err)) != CTX_HTTP_DONE)
		return v;
	if (ctx_remote_is_error(root, ask != NULL ? ask->key : NULL, &v, err))
		a->too_long = ctx_remote_too_long(root, &a->fits, &a->asked);
	else {
		format->read(root, a);
		v = accept(a, err);
	}
	json_decref(root);
	return v;
}

enum ctx_http_verdict
ctx_ask_read(const struct ctx_ask_format *format, const char *body,
    size_t len, struct ctx_ask_answer *answer, struct ctx_err *err)
{
	return read_body(NULL, format, body, len, answer, err);
}

/*
 * Handle one event of a stream; returns 1 if it ends the stream, either well
 * or with an error (t->bad).
 */
static int
on_event(void *arg, const char *data, size_t len)
{
	struct talk *t = arg;
	const struct ctx_ask_format *f = t->ask->format;
	const struct ctx_json_text text = { .p = data, .len = len };
	json_t *root;

	if (len == 6 && memcmp(data, "[DONE]", 6) == 0) {
		t->ended = 1;
		return 1;
	}
	if ((root = ctx_json_read(&text, NULL)) == NULL) {
		if (ctx_json_starved())
			ctx_fail_nomem(&t->err);
		ctx_fail(&t->err, CTX_EREMOTE,
		    "an event of the stream is not JSON");
		t->verdict = CTX_HTTP_STOP;
		t->bad = 1;
		return 1;
	}
	if (ctx_remote_is_error(root, t->ask->key, &t->verdict, &t->err)) {
		t->bad = 1;
		t->answer->too_long = ctx_remote_too_long(root,
		    &t->answer->fits, &t->answer->asked);
	} else
		t->ended = f->event(root, t->answer);
	json_decref(root);
	return t->bad || t->ended;
}

/* Lines of JSON: each is an event. */
static int
feed_lines(struct talk *t, const char *p, size_t len)
{
	struct ctx_buf *b = &t->sse.line;
	const char *nl;
	size_t n;
	int rc = 0;

	while (rc == 0 && (nl = memchr(p, '\n', len)) != NULL) {
		n = (size_t)(nl - p);
		if (ctx_buf_add(b, p, n) == -1)
			return -1;
		if (b->len > 0)
			rc = on_event(t, b->data, b->len);
		ctx_buf_reset(b);
		p += n + 1;
		len -= n + 1;
	}
	return rc != 0 ? rc : ctx_buf_add(b, p, len);
}

static void
talk_start(struct talk *t)
{
	answer_reset(t->answer);
	ctx_sse_reset(&t->sse);
	ctx_err_clear(&t->err);
	t->ended = t->bad = t->whole = 0;
}

/* Handle bytes of a stream; returns 1 at its end, -1 to stop. */
static int
on_bytes(void *arg, const char *p, size_t len)
{
	struct talk *t = arg;
	int rc;

	if (p == NULL) {
		talk_start(t);
		return 0;
	}
	/* some servers do not stream, even when asked to */
	if (t->sse.line.len == 0 && t->sse.data.len == 0 && len > 0 &&
	    *p == '{' && t->answer->text.len == 0 &&
	    !t->ask->format->lines)
		t->whole = 1;
	if (t->whole)
		rc = ctx_buf_add(&t->sse.line, p, len);
	else
		rc = t->ask->format->lines ? feed_lines(t, p, len) :
		    ctx_sse_feed(&t->sse, p, len, on_event, t);
	if (rc == -1) {
		ctx_fail_nomem(&t->err);
		t->verdict = CTX_HTTP_STOP;
		t->bad = 1;
	}
	return t->bad ? -1 : rc;
}

/* Judge a stream that has ended. */
static enum ctx_http_verdict
judge_stream(struct talk *t, struct ctx_err *err)
{
	if (t->bad) {
		*err = t->err;
		return t->verdict;
	}
	if (t->whole)
		return read_body(t->ask, t->ask->format, t->sse.line.data,
		    t->sse.line.len, t->answer, err);
	if (!t->ended) {
		ctx_fail(err, CTX_EREMOTE, "the stream was cut off");
		return CTX_HTTP_AGAIN;
	}
	return accept(t->answer, err);
}

enum ctx_http_verdict
ctx_ask_read_stream(const struct ctx_ask_format *format, const char *body,
    size_t len, struct ctx_ask_answer *answer, struct ctx_err *err)
{
	struct ctx_ask ask = { .format = format };
	struct talk t = { .ask = &ask, .answer = answer };
	enum ctx_http_verdict v;

	talk_start(&t);
	on_bytes(&t, body, len);
	v = judge_stream(&t, err);
	ctx_sse_done(&t.sse);
	return v;
}

static enum ctx_http_verdict
judge(void *arg, const struct ctx_http_answer *http, struct ctx_err *err)
{
	struct talk *t = arg;

	if (t->ask->stream)
		return judge_stream(t, err);
	return read_body(t->ask, t->ask->format, http->body.data,
	    http->body.len, t->answer, err);
}

/*
 * Find the object that has the last member of a name like "a.b", making those that are
 * missing, and the rest of the name.  NULL if out of memory.
 */
static json_t *
object_of(json_t *root, const char **name)
{
	const char *dot;
	json_t *in;
	char *part;

	for (; (dot = strchr(*name, '.')) != NULL; *name = dot + 1) {
		part = strndup(*name, (size_t)(dot - *name));
		in = part == NULL ? NULL : json_object_get(root, part);
		if (part != NULL && !json_is_object(in) && json_object_set_new(
		    root, part, in = json_object()) == -1)
			in = NULL;
		free(part);
		if ((root = in) == NULL)
			break;
	}
	return root;
}

/* Apply --set: a member's value is JSON, or otherwise a string. */
static int
apply_set(json_t *root, const struct ctx_set *set)
{
	const struct ctx_json_text text = { .p = set->value,
	    .len = strlen(set->value), .flags = JSON_DECODE_ANY };
	json_t *v = ctx_json_read(&text, NULL);
	const char *name = set->name;

	if (ctx_json_starved())
		return -1;
	/* the newer name replaces the older one */
	if (strcmp(name, "max_completion_tokens") == 0)
		json_object_del(root, "max_tokens");
	else if (strcmp(name, "max_tokens") == 0)
		json_object_del(root, "max_completion_tokens");
	if ((root = object_of(root, &name)) == NULL) {
		json_decref(v);
		return -1;
	}
	if (json_is_null(v)) {
		json_object_del(root, name);
		json_decref(v);
		return 0;
	}
	if (v == NULL)
		v = json_string(set->value);
	return json_object_set_new(root, name, v);
}

/* Take the caller's body. */
static int
build_other(const struct ctx_ask *ask, char **out, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };

	if (ask->body(ask->body_arg, ask->max_tokens, &b, err) == -1) {
		ctx_buf_done(&b);
		return -1;
	}
	if ((*out = ctx_buf_str(&b)) == NULL) {
		ctx_buf_done(&b);
		return ctx_fail_nomem(err);
	}
	return 0;
}

/* Build the request's body in *out, yours to free. */
static int
build(const struct ctx_ask *ask, const char *system, const char *user,
    size_t flags, char **out, struct ctx_err *err)
{
	json_t *root;
	size_t i;
	int rc;

	if (ask->body != NULL)
		return build_other(ask, out, err);
	ctx_json_watch();
	root = ask->format->request(ask, system, user);
	rc = root == NULL || ctx_json_starved() ? -1 : 0;
	for (i = 0; i < ask->nset && rc == 0; i++)
		rc = apply_set(root, &ask->set[i]);
	if (rc == -1) {
		json_decref(root);
		root = NULL;
	}
	*out = ctx_json_print(root, flags | JSON_REAL_PRECISION(6));
	return *out == NULL ? ctx_fail_nomem(err) : 0;
}

int
ctx_ask_request(const struct ctx_ask *ask, const char *system,
    const char *user, struct ctx_buf *out, struct ctx_err *err)
{
	char *body;

	if (build(ask, system, user, JSON_INDENT(2), &body, err) == -1)
		return -1;
	ctx_buf_adds(out, body);
	ctx_buf_addc(out, '\n');
	free(body);
	return ctx_buf_fail(out, err);
}

/* Does the caller supply a header of that name? */
static int
overridden(const struct ctx_ask *ask, const char *header)
{
	size_t i, n = strcspn(header, ":");

	for (i = 0; ask->header != NULL && ask->header[i] != NULL; i++)
		if (strncasecmp(ask->header[i], header, n + 1) == 0)
			return 1;
	return 0;
}

#define HEADERS 64	/* most from the caller, and ours */

/* Fill in list, ending with NULL, without the key's header. */
static int
headers(const struct ctx_ask *ask, const char **list, struct ctx_err *err)
{
	const struct ctx_ask_format *f = ask->format;
	size_t i, n = 0;

	list[n++] = "Content-Type: application/json";
	list[n++] = ask->stream && !f->lines ? "Accept: text/event-stream" :
	    "Accept: application/json";
	list[n++] = "User-Agent: ctx-summarize/" CTX_VERSION;
	for (i = 0; f->header != NULL && f->header[i] != NULL; i++)
		if (!overridden(ask, f->header[i]))
			list[n++] = f->header[i];
	for (i = 0; ask->header != NULL && ask->header[i] != NULL; i++) {
		if (n >= HEADERS - 1)
			return ctx_fail(err, CTX_EUSAGE, "too many headers");
		list[n++] = ask->header[i];
	}
	list[n] = NULL;
	return 0;
}

/* A refusal with another status than 200: was the request too long? */
static void
take_refusal(struct ctx_ask_answer *a, const struct ctx_http_answer *http,
    struct ctx_err *err)
{
	const struct ctx_json_text text = { .p = http->body.data,
	    .len = http->body.len };
	json_t *root = http->status == 200 || text.len == 0 ? NULL :
	    ctx_json_read(&text, NULL);

	if (root != NULL)
		a->too_long = ctx_remote_too_long(root, &a->fits, &a->asked);
	else if (text.len > 0 && ctx_json_starved()) {
		ctx_err_clear(err);
		ctx_fail_nomem(err);
	}
	json_decref(root);
}

/*
 * Ask one question with one max_tokens; the attempts are added to the
 * answer's.
 */
static int
send_once(const struct ctx_ask *ask, const char *system, const char *user,
    struct ctx_ask_answer *answer, struct ctx_err *err)
{
	struct talk t = { .ask = ask, .answer = answer };
	struct ctx_http_answer http = { 0 };
	const char *list[HEADERS];
	struct ctx_http_post post = {
		.url = ask->url, .header = list, .key = ask->key,
		.key_header = ask->bearer ? "Authorization: Bearer %s" :
		    ask->format->key_header,
		.cacert = ask->cacert, .limits = &ask->limits,
		.judge = judge, .sink = ask->stream ? on_bytes : NULL,
		.arg = &t, .explain = ctx_remote_explain,
		.waiting = ask->waiting, .working = ask->working,
		.waiting_arg = ask->arg
	};
	char *body = NULL;
	int rc = -1;

	if (build(ask, system, user, JSON_COMPACT, &body, err) == -1 ||
	    headers(ask, list, err) == -1)
		goto out;
	post.body = body;
	post.bodylen = strlen(body);
	rc = ctx_http_send(&post, &http, err);
	if (rc == -1)
		take_refusal(answer, &http, err);
	answer->tries += http.try;
out:
	free(body);
	ctx_sse_done(&t.sse);
	ctx_http_answer_done(&http);
	return rc;
}

/* Does the user set the limit of the answer?  It cannot be doubled then. */
static int
sets_limit(const struct ctx_ask *ask)
{
	static const char *const names[] = { "max_tokens",
	    "max_completion_tokens", "options", "options.num_predict" };
	size_t i, j;

	for (i = 0; i < ask->nset; i++)
		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++)
			if (strcmp(ask->set[i].name, names[j]) == 0)
				return 1;
	return 0;
}

int
ctx_ask(const struct ctx_ask *ask, const char *system, const char *user,
    struct ctx_ask_answer *answer, struct ctx_err *err)
{
	struct ctx_ask again = *ask;
	uint64_t start = ctx_http_clock(), spent;

	answer_reset(answer);
	answer->tries = 0;
	answer->cut_prompt = answer->cut_cached = answer->cut_output = -1;
	if (send_once(ask, system, user, answer, err) == -1)
		return -1;
	if (answer->finish != CTX_ASK_LENGTH)
		return 0;
	if (sets_limit(ask))
		return ctx_fail(err, CTX_EREMOTE,
		    "the answer was cut at the limit that --set gives");
	answer->cut_prompt = answer->prompt_tokens;
	answer->cut_cached = answer->cached_tokens;
	answer->cut_output = answer->output_tokens;
	spent = ctx_http_clock() - start;
	again.max_tokens *= 2;
	again.limits.total_ms = ask->limits.total_ms > spent ?
	    ask->limits.total_ms - spent : 1;
	/* if there is no second answer, it has no usage */
	answer_reset(answer);
	if (send_once(&again, system, user, answer, err) == -1)
		return -1;
	if (answer->finish == CTX_ASK_LENGTH)
		return ctx_fail(err, CTX_EREMOTE,
		    "the answer was cut at %u tokens", again.max_tokens);
	return 0;
}
