/* SPDX-License-Identifier: MIT */
/* Vectors in answers, and answers that are refused. */
#include "net/embed.h"

#include "base/float32.h"
#include "check.h"

#define HEAD "{\"object\":\"list\",\"data\":["
#define TAIL "],\"model\":\"m\",\"usage\":{\"prompt_tokens\":2}}"

/* want: the numbers, with "/" between vectors; or the message. */
static const struct row {
	const char *body;
	size_t n;
	enum ctx_http_verdict verdict;
	const char *want;
} rows[] = {
	{ HEAD "{\"index\":0,\"embedding\":[1,-0.5]}" TAIL, 1, CTX_HTTP_DONE,
	    "1 -0.5" },
	{ HEAD "{\"index\":1,\"embedding\":[3,4]},"
	    "{\"index\":0,\"embedding\":[1,2]}" TAIL, 2, CTX_HTTP_DONE,
	    "1 2/3 4" },
	/* some servers omit the index */
	{ "{\"data\":[{\"embedding\":[1,2]},{\"embedding\":[3,4e0]}]}", 2,
	    CTX_HTTP_DONE, "1 2/3 4" },
	/* 1.0 and -2.5 are 00 00 80 3f, 00 00 20 c0 */
	{ HEAD "{\"index\":0,\"embedding\":\"AACAPwAAIMA=\"}" TAIL, 1,
	    CTX_HTTP_DONE, "1 -2.5" },
	{ HEAD "{\"index\":0,\"embedding\":\"AACAPwAAIMA\"}" TAIL, 1,
	    CTX_HTTP_STOP, "vector 0 of the answer does not consist of numbers" },
	{ HEAD "{\"index\":0,\"embedding\":\"AACAP!AAIMA=\"}" TAIL, 1,
	    CTX_HTTP_STOP, "vector 0 of the answer does not consist of numbers" },
	/* NaN: 00 00 c0 7f */
	{ HEAD "{\"index\":0,\"embedding\":\"AADAfwAAIMA=\"}" TAIL, 1,
	    CTX_HTTP_STOP, "vector 0 of the answer does not consist of numbers" },
	{ HEAD "{\"index\":0,\"embedding\":[1]}" TAIL, 2, CTX_HTTP_STOP,
	    "the number of vectors in the answer (1) is not that of the "
	    "texts (2)" },
	{ HEAD TAIL, 1, CTX_HTTP_STOP,
	    "the number of vectors in the answer (0) is not that of the "
	    "texts (1)" },
	{ "[]", 1, CTX_HTTP_STOP,
	    "the number of vectors in the answer (0) is not that of the "
	    "texts (1)" },
	{ "{\"data\":{}}", 1, CTX_HTTP_STOP,
	    "the number of vectors in the answer (0) is not that of the "
	    "texts (1)" },
	{ HEAD "{\"index\":0,\"embedding\":[1]},"
	    "{\"index\":0,\"embedding\":[1]}" TAIL, 2, CTX_HTTP_STOP,
	    "the answer's vectors are numbered wrongly" },
	{ HEAD "{\"index\":2,\"embedding\":[1]},"
	    "{\"index\":0,\"embedding\":[1]}" TAIL, 2, CTX_HTTP_STOP,
	    "the answer's vectors are numbered wrongly" },
	{ HEAD "{\"index\":0,\"embedding\":[1]},"
	    "{\"index\":1,\"embedding\":[1,2]}" TAIL, 2, CTX_HTTP_STOP,
	    "vector 1 of the answer has 2 numbers, but the first one has 1" },
	{ HEAD "{\"index\":0,\"embedding\":[0,0]}" TAIL, 1, CTX_HTTP_STOP,
	    "vector 0 of the answer does not consist of numbers" },
	{ HEAD "{\"index\":0,\"embedding\":[1,\"2\"]}" TAIL, 1, CTX_HTTP_STOP,
	    "vector 0 of the answer does not consist of numbers" },
	{ HEAD "{\"index\":0,\"embedding\":[1,null]}" TAIL, 1, CTX_HTTP_STOP,
	    "vector 0 of the answer does not consist of numbers" },
	{ HEAD "{\"index\":0,\"embedding\":{}}" TAIL, 1, CTX_HTTP_STOP,
	    "the answer has a vector of 0 numbers" },
	{ HEAD "{\"index\":0}" TAIL, 1, CTX_HTTP_STOP,
	    "the answer has a vector of 0 numbers" },
	{ "", 1, CTX_HTTP_AGAIN, "the answer is empty" },
	{ "{\"data\":[", 1, CTX_HTTP_AGAIN, "the answer was cut off" },
	{ "<html>", 1, CTX_HTTP_STOP, "the answer is not JSON" },
	{ "{\"error\":\"no such model\"}", 1, CTX_HTTP_STOP,
	    "the endpoint reports an error: no such model" },
	{ "{\"error\":{\"message\":\"busy\",\"type\":\"overloaded_error\"}}",
	    1, CTX_HTTP_AGAIN, "the endpoint reports an error: busy" },
};

static void
spell(const struct ctx_embed_vectors *v, char *out, size_t size)
{
	size_t i, n = 0;

	out[0] = '\0';
	for (i = 0; i < v->n * v->dim; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%g", i == 0 ? "" :
		    i % v->dim == 0 ? "/" : " ", (double)v->v[i]);
}

static void
floats(void)
{
	static const float v[] = { 1, -2.5f, 0, 1e-3f };
	float back[4];
	struct ctx_buf b = { 0 };

	CHECK_INT(ctx_float32_put(&b, v, 4), 0);
	CHECK(b.len == 16 && memcmp(b.data, "\0\0\x80\x3f\0\0\x20\xc0", 8) ==
	    0);
	ctx_float32_get(b.data, back, 4);
	CHECK(memcmp(v, back, sizeof(v)) == 0);
	ctx_buf_done(&b);
}

int
main(void)
{
	struct ctx_embed_vectors v = { 0 };
	struct ctx_err err;
	char got[200];
	size_t i;

	TEST("answers");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		err = (struct ctx_err){ 0 };
		CHECK_INT(ctx_embed_read(rows[i].body, strlen(rows[i].body),
		    rows[i].n, &v, &err), rows[i].verdict);
		if (err.code == CTX_OK)
			spell(&v, got, sizeof(got));
		CHECK_STR(err.code == CTX_OK ? got : err.text, rows[i].want);
		ctx_embed_done(&v);
	}
	RUN(floats());
	return CHECK_DONE("embed");
}
