/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of APIs and data: OpenAPI 3 and Swagger 2 (spec.openapis.org),
 * and JSON Schema (json-schema.org).
 */
#include <string.h>

#include "digest/kind_impl.h"

/* The methods of a path item, as the specification lists them. */
static const char *const methods[] = { "get", "put", "post", "delete",
    "options", "head", "patch", "trace" };

/*
 * Add "/pets (get post)"; *n counts the operations, and *more is set if others
 * may be in another file.
 */
static int
add_path(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t k,
    uint64_t *n, int *more, struct ctx_err *err)
{
	const uint64_t before = *n;
	uint32_t m;
	size_t i;

	ctx_buf_reset(&d->scratch);
	ctx_node_decode(&d->scratch, doc, k);
	CTX_FOR_KEYS(doc, m, k + 1) {
		*more |= ctx_node_is(doc, m, "$ref");
		for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
			if (ctx_node_is(doc, m, methods[i]))
				ctx_buf_addf(&d->scratch, "%s%s", (*n)++ ==
				    before ? " (" : " ", methods[i]);
	}
	if (*n > before)
		ctx_buf_addc(&d->scratch, ')');
	if (ctx_buf_fail(&d->scratch, err) == -1)
		return -1;
	return ctx_digest_name(d, CTX_PATHS, d->scratch.data, d->scratch.len,
	    err);
}

static int
openapi(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t root,
    struct ctx_err *err)
{
	uint32_t info = CTX_GET(doc, root, "info"), k;
	uint32_t paths = CTX_GET(doc, root, "paths");
	uint64_t n = 0;
	int more = 0;

	if (ctx_kind_add_pair(d, CTX_TITLE, doc, CTX_GET(doc, info, "title"),
	    CTX_GET(doc, info, "version"), err) == -1)
		return -1;
	CTX_FOR_KEYS(doc, k, paths)
		if (*ctx_node_str(doc, k).p == '/' &&
		    add_path(d, doc, k, &n, &more, err) == -1)
			return -1;
	if (!more)
		ctx_digest_figure(d, CTX_FIG_OPERATIONS, n);
	return 1;
}

/* The properties of a schema, and the names of others that it defines. */
static int
schema(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t root,
    struct ctx_err *err)
{
	static const char *const defs[] = { "definitions", "$defs" };
	int i;

	d->type = "JSON Schema";
	if (ctx_kind_add(d, CTX_TITLE, doc, CTX_GET(doc, root, "title"),
	    err) == -1 ||
	    ctx_kind_add_keys(d, CTX_PROPERTIES, doc, CTX_GET(doc, root,
	    "properties"), err) == -1 ||
	    ctx_kind_add_list(d, CTX_REQUIRED, doc, CTX_GET(doc, root,
	    "required"), err) == -1)
		return -1;
	for (i = 0; i < 2; i++)
		if (ctx_kind_add_keys(d, CTX_DEFINITIONS, doc, CTX_GET(doc,
		    root, defs[i]), err) == -1)
			return -1;
	return 1;
}

int
ctx_kind_api(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t root,
    struct ctx_err *err)
{
	static const char place[] = "json-schema.org/";
	struct ctx_str s = ctx_node_str(doc, CTX_GET(doc, root, "openapi"));
	uint32_t swagger = CTX_GET(doc, root, "swagger");

	if (CTX_GET(doc, root, "info") != CTX_NONE) {
		d->type = s.p == NULL ? NULL :
		    ctx_str_starts(s, "3.0") ? "OpenAPI 3.0" :
		    ctx_str_starts(s, "3.1") ? "OpenAPI 3.1" :
		    ctx_str_starts(s, "3.2") ? "OpenAPI 3.2" : "OpenAPI";
		if (s.p == NULL && swagger != CTX_NONE)
			d->type = "Swagger 2.0";
		if (d->type != NULL)
			return openapi(d, doc, root, err);
	}
	/* other files name the schema that they keep to */
	s = ctx_node_str(doc, CTX_GET(doc, root, "$schema"));
	if (s.p != NULL && memmem(s.p, s.len, place, sizeof(place) - 1) !=
	    NULL)
		return schema(d, doc, root, err);
	return 0;
}
