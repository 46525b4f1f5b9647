/* SPDX-License-Identifier: MIT */
/* Documents; see document.h. */
#include "job/document.h"

#include <string.h>

/* Read all of the input, which begins with first, into out.  0 or -1. */
static int
read_all(struct ctx_reader *r, const struct ctx_line *first,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_line line;
	int rc;

	if (ctx_buf_add(out, first->raw, first->len) == -1)
		return ctx_fail_nomem(err);
	while ((rc = ctx_reader_next(r, &line, err)) == 1) {
		if (out->len + line.len > CTX_LINE_MAX)
			return ctx_fail(err, CTX_EINPUT,
			    "a document is larger than 1 GiB");
		if (ctx_buf_add(out, line.raw, line.len) == -1)
			return ctx_fail_nomem(err);
	}
	return rc;
}

int
ctx_document_text(struct ctx_reader *r, const struct ctx_line *first,
    struct ctx_buf *out, struct ctx_err *err)
{
	if (read_all(r, first, out, err) == -1)
		return -1;
	if (ctx_scan_utf8(out->data, out->len) < out->len)
		return ctx_fail(err, CTX_EINPUT, "is not UTF-8 text");
	return 0;
}

/* Read what an object is: a message, a conversation or neither.  -1 with *err. */
static int
shape_of(const char *p, size_t len, enum ctx_rec_kind *shape,
    struct ctx_err *err)
{
	struct ctx_convo c = { 0 };
	struct ctx_err why = { 0 };

	*shape = ctx_dialect_line(&c, NULL, p, len, &why) == -1 ?
	    CTX_REC_OTHER : c.rec[0].shape;
	ctx_convo_done(&c);
	return why.code == CTX_ENOMEM ? ctx_fail_nomem(err) : 0;
}

int
ctx_document_give(struct ctx_job *j, const char *p, size_t len,
    struct ctx_err *err)
{
	struct ctx_block *block = ctx_block_dup(p, len);
	struct ctx_line line = { p, len, 1, block, 0, 0 };
	int rc;

	if (block == NULL)
		return ctx_fail_nomem(err);
	line.raw = block->data;
	rc = ctx_job_line(j, &line, err);
	ctx_block_drop(block);
	return rc;
}

/*
 * Is it a list of conversations?  The first that is known tells.  Leaves the nodes
 * of a list in doc.  -1 with *err.
 */
static int
is_list(const struct ctx_line *line, struct ctx_doc *doc, struct ctx_err *err)
{
	enum ctx_rec_kind shape = CTX_REC_OTHER;
	uint32_t e;
	int rc = 0;

	if (memchr(line->raw, '[', line->len) == NULL ||
	    line->raw[strspn(line->raw, " \t")] != '[')
		return 0;
	if ((rc = ctx_doc_try(doc, line->raw, line->len)) == -1)
		return ctx_fail_nomem(err);
	for (e = 1; rc == 1 && e < doc->n && shape == CTX_REC_OTHER;
	    e = doc->node[e].next)
		if (shape_of(line->raw + doc->node[e].off, doc->node[e].len,
		    &shape, err) == -1)
			return -1;
	return shape == CTX_REC_CONVERSATION;
}

int
ctx_document_lists(const struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	int rc = is_list(line, &doc, err);

	ctx_doc_done(&doc);
	return rc;
}

/* Pass on a line, or the elements of a list of conversations. */
static int
give(struct ctx_job *j, const struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_line one = { NULL, 0, line->no, line->block, 0, 1 };
	struct ctx_doc doc = { 0 };
	size_t end = 1;
	uint32_t e;
	int rc = is_list(line, &doc, err);

	if (rc == 0)
		rc = ctx_job_line(j, line, err);
	else if (rc == 1)
		for (rc = 0, e = 1; e < doc.n && rc == 0;
		    e = doc.node[e].next) {
			one.raw = line->raw + doc.node[e].off;
			one.len = doc.node[e].len;
			/* what has no node is between the commas, too */
			one.item += ctx_node_commas(&doc, end,
			    doc.node[e].off);
			end = doc.node[e].off + (size_t)doc.node[e].len;
			rc = ctx_job_line(j, &one, err);
		}
	ctx_doc_done(&doc);
	return rc;
}

int
ctx_documents(struct ctx_job *j, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_line line = *first;
	int rc = ctx_document_lists(first, err);

	if (rc != 1)
		return rc;
	do
		rc = give(j, &line, err);
	while (rc == 0 && (rc = ctx_reader_next(r, &line, err)) == 1);
	return rc == -1 ? -1 : 1;
}
