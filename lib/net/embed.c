/* SPDX-License-Identifier: MIT */
/* Get vectors for texts; see embed.h. */
#include "net/embed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/float32.h"
#include "base/json.h"
#include "net/remote.h"

/* A request in progress, as the callbacks of net/http see it. */
struct talk {
	const struct ctx_embed *e;
	size_t n;
	struct ctx_embed_vectors *out;
};

void
ctx_embed_done(struct ctx_embed_vectors *v)
{
	free(v->v);
	memset(v, 0, sizeof(*v));
}

/* Allocate n vectors of dim numbers. */
static int
make_room(struct ctx_embed_vectors *out, size_t n, size_t dim,
    struct ctx_err *err)
{
	ctx_embed_done(out);
	if (dim == 0 || dim > CTX_EMBED_DIM_MAX)
		return ctx_fail(err, CTX_EREMOTE,
		    "the answer has a vector of %zu numbers", dim);
	if ((out->v = calloc(n, dim * sizeof(*out->v))) == NULL)
		return ctx_fail_nomem(err);
	out->n = n;
	out->dim = dim;
	return 0;
}

/* The length of a vector. */
static size_t
length_of(const json_t *vector)
{
	size_t n = json_string_length(vector);
	const char *s = json_string_value(vector);

	if (s == NULL)
		return json_array_size(vector);
	/* 3 bytes make 4 characters; the last may be "=" */
	while (n > 0 && s[n - 1] == '=')
		n--;
	return n * 3 / 4 / CTX_FLOAT32;
}

static int
bad_vector(size_t i, struct ctx_err *err)
{
	return ctx_fail(err, CTX_EREMOTE,
	    "vector %zu of the answer does not consist of numbers", i);
}

/* Decode base64 of 32-bit floats, lowest byte first. */
static int
decode_vector(const json_t *vector, float *to, size_t dim, size_t i,
    struct ctx_err *err)
{
	struct ctx_buf bytes = { 0 };
	int rc = ctx_base64_decode(&bytes, json_string_value(vector),
	    json_string_length(vector));

	if (bytes.failed)
		rc = ctx_fail_nomem(err);
	else if (rc == -1 || bytes.len != dim * CTX_FLOAT32)
		rc = bad_vector(i, err);
	if (rc == 0)
		ctx_float32_get(bytes.data, to, dim);
	ctx_buf_done(&bytes);
	return rc;
}

static int
take_vector(const json_t *vector, struct ctx_embed_vectors *out, size_t i,
    struct ctx_err *err)
{
	float *to = out->v + i * out->dim;
	const json_t *number;
	double sum = 0;
	size_t k;

	if (length_of(vector) != out->dim)
		return ctx_fail(err, CTX_EREMOTE, "vector %zu of the answer "
		    "has %zu numbers, but the first one has %zu", i,
		    length_of(vector), out->dim);
	if (json_is_string(vector) &&
	    decode_vector(vector, to, out->dim, i, err) == -1)
		return -1;
	json_array_foreach(vector, k, number) {
		if (!json_is_number(number))
			return bad_vector(i, err);
		to[k] = (float)json_number_value(number);
	}
	for (k = 0; k < out->dim; k++)
		sum += (double)to[k] * (double)to[k];
	if (!isfinite(sum) || sum <= 0)
		return bad_vector(i, err);
	return 0;
}

/* The number of an element's vector: its index, or else its position. */
static size_t
index_of(const json_t *element, size_t place)
{
	const json_t *index = json_object_get(element, "index");

	return json_is_integer(index) && json_integer_value(index) >= 0 ?
	    (size_t)json_integer_value(index) : place;
}

static int
take_all(const json_t *root, size_t n, struct ctx_embed_vectors *out,
    struct ctx_err *err)
{
	const json_t *data = json_object_get(root, "data"), *element;
	unsigned char *seen;
	size_t place, i;
	int rc = 0;

	if (json_array_size(data) != n)
		return ctx_fail(err, CTX_EREMOTE, "the number of vectors in "
		    "the answer (%zu) is not that of the texts (%zu)",
		    json_array_size(data), n);
	if (make_room(out, n, length_of(json_object_get(
	    json_array_get(data, 0), "embedding")), err) == -1)
		return -1;
	if ((seen = calloc(n, 1)) == NULL)
		return ctx_fail_nomem(err);
	json_array_foreach(data, place, element) {
		i = index_of(element, place);
		if (i >= n || seen[i])
			rc = ctx_fail(err, CTX_EREMOTE,
			    "the answer's vectors are numbered wrongly");
		else
			rc = take_vector(json_object_get(element,
			    "embedding"), out, i, err);
		if (rc == -1)
			break;
		seen[i] = 1;
	}
	free(seen);
	return rc;
}

static enum ctx_http_verdict
read_body(const char *key, const char *body, size_t len, size_t n,
    struct ctx_embed_vectors *out, struct ctx_err *err)
{
	enum ctx_http_verdict v;
	json_t *root;

	if ((v = ctx_remote_json(body, len, &root, err)) != CTX_HTTP_DONE)
		return v;
	if (!ctx_remote_is_error(root, key, &v, err))
		v = take_all(root, n, out, err) == 0 ? CTX_HTTP_DONE :
		    CTX_HTTP_STOP;
	json_decref(root);
	return v;
}

enum ctx_http_verdict
ctx_embed_read(const char *body, size_t len, size_t n,
    struct ctx_embed_vectors *out, struct ctx_err *err)
{
	return read_body(NULL, body, len, n, out, err);
}

static enum ctx_http_verdict
judge(void *arg, const struct ctx_http_answer *http, struct ctx_err *err)
{
	struct talk *t = arg;

	return read_body(t->e->key, http->body.data, http->body.len, t->n,
	    t->out, err);
}

/* Build the request's body, yours to free; NULL if out of memory. */
static char *
build(const struct ctx_embed *e, const struct ctx_embed_text *text, size_t n)
{
	json_t *list;
	size_t i;

	ctx_json_watch();
	list = json_array();
	for (i = 0; i < n; i++)
		if (json_array_append_new(list, json_stringn(text[i].p,
		    text[i].len)) == -1) {
			json_decref(list);
			return NULL;
		}
	return ctx_json_print(json_pack("{s:s, s:o, s:s}", "model", e->model,
	    "input", list, "encoding_format", "float"), JSON_COMPACT);
}

int
ctx_embed_ask(const struct ctx_embed *e, const struct ctx_embed_text *text,
    size_t n, struct ctx_embed_vectors *out, struct ctx_err *err)
{
	static const char *const header[] = {
		"Content-Type: application/json", "Accept: application/json",
		("User-Agent: ctx/" CTX_VERSION), NULL
	};
	struct talk t = { e, n, out };
	struct ctx_http_answer http = { 0 };
	struct ctx_http_post post = {
		.url = e->url, .header = header, .key = e->key,
		.key_header = "Authorization: Bearer %s", .cacert = e->cacert,
		.limits = &e->limits, .judge = judge, .arg = &t,
		.explain = ctx_remote_explain,
		.waiting = e->waiting, .waiting_arg = e->arg
	};
	char *body = build(e, text, n);
	int rc;

	if (body == NULL)
		return ctx_fail_nomem(err);
	post.body = body;
	post.bodylen = strlen(body);
	rc = ctx_http_send(&post, &http, err);
	free(body);
	ctx_http_answer_done(&http);
	return rc;
}
