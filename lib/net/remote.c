/* SPDX-License-Identifier: MIT */
/* What servers say about errors; see remote.h. */
#include "net/remote.h"

#include <string.h>

#include "base/json.h"

const json_t *
ctx_remote_error(const json_t *root, int refused, const json_t **message)
{
	const json_t *e;
	const char *is;

	/* Gemini puts its error into a list */
	if (json_is_array(root))
		root = json_array_get(root, 0);
	e = json_object_get(root, "error");
	is = json_string_value(json_object_get(root, "object"));
	/* vLLM before 0.11 and Mistral have only what is in it, as Cohere */
	if (e == NULL && ((is != NULL && strcmp(is, "error") == 0) ||
	    (refused && json_object_get(root, "message") != NULL)))
		e = root;
	/* FastAPI */
	if (e == NULL && refused)
		e = json_object_get(root, "detail");
	if (e == NULL || json_is_null(e))
		return NULL;
	*message = json_is_object(e) ? json_object_get(e, "message") :
	    json_is_array(e) ? json_object_get(json_array_get(e, 0), "msg") : e;
	return e;
}

/* Is it an error that is temporary? */
static int
passes(const json_t *e)
{
	static const char *const passing[] = {
		"overloaded_error", "rate_limit_error", "server_error",
		"api_error", "timeout_error"
	};
	const char *type = json_string_value(json_object_get(e, "type"));
	size_t i;

	for (i = 0; type != NULL && i < sizeof(passing) / sizeof(passing[0]);
	    i++)
		if (strcmp(type, passing[i]) == 0)
			return 1;
	return 0;
}

#define QUOTED 512	/* more than any caller shows of a message */

/*
 * Quote a server's message in a diagnostic, without control bytes or the key,
 * which goes before the message is cut: a part of it would not be found.
 */
static void
quote(const char *key, const json_t *message, char *out, size_t size)
{
	const char *s = json_string_value(message);
	const size_t n = key == NULL ? 0 : strlen(key);
	char text[QUOTED];
	size_t i = 0;

	if (s == NULL)
		s = "no message";
	while (*s != '\0' && i < sizeof(text) - 3)
		if (n > 0 && strncmp(s, key, n) == 0) {
			memcpy(text + i, "***", 3);
			i += 3;
			s += n;
		} else
			text[i++] = *s++;
	ctx_err_quote(out, size, text, i);
}

int
ctx_remote_is_error(const json_t *root, const char *key,
    enum ctx_http_verdict *v, struct ctx_err *err)
{
	const json_t *message, *e = ctx_remote_error(root, 0, &message);
	char text[160];

	if (e == NULL)
		return 0;
	quote(key, message, text, sizeof(text));
	ctx_fail(err, CTX_EREMOTE, "the endpoint reports an error: %s", text);
	*v = passes(e) ? CTX_HTTP_AGAIN : CTX_HTTP_STOP;
	return 1;
}

void
ctx_remote_explain(const struct ctx_http_answer *http, const char *key,
    char *out, size_t size)
{
	struct ctx_json_text text = { 0 };
	const json_t *message;
	json_t *root;

	text.p = http->body.data;
	text.len = http->body.len;
	root = text.len == 0 ? NULL : ctx_json_read(&text, NULL);
	if (ctx_remote_error(root, 1, &message) != NULL)
		quote(key, message, out, size);
	json_decref(root);
}

enum ctx_http_verdict
ctx_remote_json(const char *body, size_t len, json_t **root,
    struct ctx_err *err)
{
	const struct ctx_json_text text = { .p = body, .len = len };
	json_error_t why;

	if (len == 0) {
		ctx_fail(err, CTX_EREMOTE, "the answer is empty");
		return CTX_HTTP_AGAIN;
	}
	if ((*root = ctx_json_read(&text, &why)) != NULL)
		return CTX_HTTP_DONE;
	if (ctx_json_starved()) {
		ctx_fail_nomem(err);
		return CTX_HTTP_STOP;
	}
	if (json_error_code(&why) == json_error_premature_end_of_input) {
		ctx_fail(err, CTX_EREMOTE, "the answer was cut off");
		return CTX_HTTP_AGAIN;
	}
	ctx_fail(err, CTX_EREMOTE, "the answer is not JSON");
	return CTX_HTTP_STOP;
}
