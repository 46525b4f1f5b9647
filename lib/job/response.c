/* SPDX-License-Identifier: MIT */
/* What an API sent back; see response.h. */
#include "job/response.h"

#include "job/document.h"
#include "read/node.h"

/* The first element of the list, if it is an object. */
static uint32_t
first_of(const struct ctx_doc *doc, uint32_t list)
{
	if (ctx_node_if(doc, list, '[') == CTX_NONE ||
	    list + 1 == doc->node[list].next)
		return CTX_NONE;
	return ctx_node_if(doc, list + 1, '{');
}

/* Pass on the value at node as a line of the input. */
static int
give(struct ctx_job *j, const struct ctx_doc *doc, uint32_t node,
    struct ctx_err *err)
{
	return ctx_document_give(j, doc->raw + doc->node[node].off,
	    doc->node[node].len, err);
}

/* Report the error that the API returned instead of an answer. */
static int
refused(const struct ctx_doc *doc, uint32_t error, struct ctx_err *err)
{
	struct ctx_str text = ctx_node_str(doc, CTX_GET(doc, error, "message"));
	struct ctx_buf said = { 0 };
	char quoted[512];

	if (text.p != NULL)
		ctx_str_decode(&said, text.p, text.len);
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
	uint32_t list = CTX_GET(doc, 0, "output"), e, message;
	uint32_t error = CTX_GET(doc, 0, "error");
	uint32_t choice = first_of(doc, CTX_GET(doc, 0, "choices"));
	uint32_t candidate = first_of(doc, CTX_GET(doc, 0, "candidates"));

	if (ctx_node_if(doc, error, '{') != CTX_NONE)
		return refused(doc, error, err);
	if (ctx_node_if(doc, list, '[') != CTX_NONE) {
		CTX_FOR_LIST(doc, e, list)
			if (give(j, doc, e, err) == -1)
				return -1;
		return 0;
	}
	message = CTX_GET(doc, choice, "message");
	if (message == CTX_NONE)	/* Bedrock's */
		message = CTX_GET(doc, list, "message");
	if (message == CTX_NONE)	/* Cohere's and Ollama's */
		message = CTX_GET(doc, 0, "message");
	if (message == CTX_NONE)
		message = CTX_GET(doc, candidate, "content");
	if (message == CTX_NONE && CTX_GET(doc, 0, "role") != CTX_NONE)
		message = 0;
	if (ctx_node_if(doc, message, '{') == CTX_NONE)
		return ctx_fail(err, CTX_EINPUT,
		    "not a response of a known API");
	return give(j, doc, message, err);
}

int
ctx_response(struct ctx_job *j, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_buf all = { 0 };
	struct ctx_doc doc = { 0 };
	int rc = -1;

	if (ctx_document_all(r, first, &all, err) == 0 &&
	    ctx_doc_scan(&doc, all.data, all.len, err) == 0)
		rc = give_messages(j, &doc, err);
	ctx_doc_done(&doc);
	ctx_buf_done(&all);
	return rc == -1 ? -1 : 1;
}
