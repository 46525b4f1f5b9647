/* SPDX-License-Identifier: MIT */
/* What an API sent back; see response.h. */
#include "job/response.h"

#include <string.h>

#include "job/document.h"

static uint32_t
get(const struct ctx_doc *doc, uint32_t obj, const char *key)
{
	return obj == CTX_NONE ? CTX_NONE :
	    ctx_doc_get(doc, obj, key, strlen(key));
}

static int
is(const struct ctx_doc *doc, uint32_t node, char type)
{
	return node != CTX_NONE && ctx_node_type(doc, node) == type;
}

/* The first object of the list that obj has under key. */
static uint32_t
first_of(const struct ctx_doc *doc, uint32_t obj, const char *key)
{
	uint32_t list = get(doc, obj, key);

	if (!is(doc, list, '[') || list + 1 == doc->node[list].next ||
	    !is(doc, list + 1, '{'))
		return CTX_NONE;
	return list + 1;
}

/* The value at node, as a line of the input. */
static int
give(struct ctx_job *j, const struct ctx_doc *doc, uint32_t node,
    struct ctx_err *err)
{
	size_t len = doc->node[node].len;
	struct ctx_line line = { 0 };
	int rc;

	if ((line.block = ctx_block_new(len + 1)) == NULL)
		return ctx_fail_nomem(err);
	memcpy(line.block->data, doc->raw + doc->node[node].off, len);
	line.block->data[len] = '\n';
	line.raw = line.block->data;
	line.len = len + 1;
	line.no = 1;
	rc = ctx_job_line(j, &line, err);
	ctx_block_drop(line.block);
	return rc;
}

/* Instead of an answer the API may say what was wrong with the request. */
static int
refused(const struct ctx_doc *doc, uint32_t error, struct ctx_err *err)
{
	uint32_t text = get(doc, error, "message");
	struct ctx_buf said = { 0 };
	char quoted[512];

	if (is(doc, text, '"'))
		ctx_str_decode(&said, doc->raw + doc->node[text].off + 1,
		    doc->node[text].len - 2);
	ctx_fail(err, CTX_EINPUT, "the API refused: %s",
	    ctx_err_quote(quoted, sizeof(quoted),
	    said.len > 0 ? said.data : "", said.len));
	ctx_buf_done(&said);
	return -1;
}

static int
give_messages(struct ctx_job *j, const struct ctx_doc *doc,
    struct ctx_err *err)
{
	uint32_t list = get(doc, 0, "output"), error = get(doc, 0, "error"), e;
	uint32_t message = get(doc, first_of(doc, 0, "choices"), "message");
	int rc = 0;

	if (is(doc, error, '{'))
		return refused(doc, error, err);
	if (is(doc, list, '[')) {
		for (e = list + 1; e < doc->node[list].next && rc == 0;
		    e = doc->node[e].next)
			rc = give(j, doc, e, err);
		return rc;
	}
	if (message == CTX_NONE)
		message = get(doc, first_of(doc, 0, "candidates"), "content");
	if (message == CTX_NONE && get(doc, 0, "role") != CTX_NONE)
		message = 0;
	if (!is(doc, message, '{'))
		return ctx_fail(err, CTX_EINPUT,
		    "no response of an API that is known");
	return give(j, doc, message, err);
}

int
ctx_response(struct ctx_job *j, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_buf all = { 0 };
	struct ctx_doc doc = { 0 };
	int rc = -1;

	if (ctx_buf_add(&all, first->raw, first->len) == -1)
		ctx_fail_nomem(err);
	else if (ctx_document_rest(r, &all, err) == 0 &&
	    ctx_doc_scan(&doc, all.data, all.len, err) == 0)
		rc = give_messages(j, &doc, err);
	ctx_doc_done(&doc);
	ctx_buf_done(&all);
	return rc == -1 ? -1 : 1;
}
