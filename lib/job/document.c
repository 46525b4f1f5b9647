/* SPDX-License-Identifier: MIT */
/* Documents; see document.h. */
#include "job/document.h"

#include <string.h>

int
ctx_document_all(struct ctx_reader *r, const struct ctx_line *first,
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

/* The end of the value at p[at]: counts brackets outside of strings. */
static size_t
value_end(const char *p, size_t at, size_t len)
{
	size_t depth = 0;
	int string = 0;

	for (; at < len; at++) {
		if (string) {
			if (p[at] == '\\')
				at++;
			else if (p[at] == '"')
				string = 0;
		} else if (p[at] == '"')
			string = 1;
		else if (p[at] == '{' || p[at] == '[')
			depth++;
		else if ((p[at] == '}' || p[at] == ']') && --depth == 0)
			return at + 1;
	}
	return len;
}

/* Is this object a conversation rather than a message?  -1 with *err. */
static int
is_conversation(const char *p, size_t len, struct ctx_err *err)
{
	struct ctx_convo c = { 0 };
	struct ctx_err why = { 0 };
	int yes = ctx_dialect_line(&c, NULL, p, len, &why) == 0 &&
	    c.rec[0].shape == CTX_REC_CONVERSATION;

	ctx_convo_done(&c);
	return why.code == CTX_ENOMEM ? ctx_fail_nomem(err) : yes;
}

static int
give(struct ctx_job *j, struct ctx_block *block, size_t from, size_t to,
    uint64_t no, struct ctx_err *err)
{
	struct ctx_line line = { block->data + from, to - from, no, block };

	return ctx_job_line(j, &line, err);
}

int
ctx_document_give(struct ctx_job *j, const char *p, size_t len,
    struct ctx_err *err)
{
	struct ctx_block *block = ctx_block_dup(p, len);
	int rc;

	if (block == NULL)
		return ctx_fail_nomem(err);
	rc = give(j, block, 0, len, 1, err);
	ctx_block_drop(block);
	return rc;
}

/* Pass on the elements of list block[from .. to) if they are conversations. */
static int
give_list(struct ctx_job *j, struct ctx_block *block, size_t from,
    size_t to, uint64_t no, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	size_t at, n;
	uint32_t e;
	int rc = ctx_doc_try(&doc, block->data + from, to - from);

	if (rc == -1)
		ctx_fail_nomem(err);
	else if (rc == 1)
		rc = doc.n < 2 ? 0 : is_conversation(block->data + from +
		    doc.node[1].off, doc.node[1].len, err);
	if (rc != 1) {
		ctx_doc_done(&doc);
		return rc == -1 ? -1 : give(j, block, from, to, no, err);
	}
	rc = 0;
	for (e = 1; e < doc.n && rc == 0; e = doc.node[e].next) {
		at = from + doc.node[e].off;
		n = doc.node[e].len;
		rc = give(j, block, at, at + n, no, err);
	}
	ctx_doc_done(&doc);
	return rc;
}

/* Pass on the values in the block, which begins with line no. */
static int
give_all(struct ctx_job *j, struct ctx_block *block, size_t len, uint64_t no,
    struct ctx_err *err)
{
	size_t at = 0, end;
	int rc = 0;

	while (rc == 0) {
		for (; at < len && strchr(" \t\r\n", block->data[at]) !=
		    NULL && block->data[at] != '\0'; at++)
			no += block->data[at] == '\n';
		if (at == len)
			break;
		end = value_end(block->data, at, len);
		rc = block->data[at] == '[' ?
		    give_list(j, block, at, end, no, err) :
		    give(j, block, at, end, no, err);
		for (; at < end; at++)
			no += block->data[at] == '\n';
	}
	return rc;
}

int
ctx_documents(struct ctx_job *j, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_buf all = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_block *block = NULL;
	struct ctx_err bad = { 0 };
	size_t i = 0;
	int rc = -1;

	while (i < first->len && strchr(" \t", first->raw[i]) != NULL)
		i++;
	if (i == first->len || (first->raw[i] != '[' &&
	    first->raw[i] != '{'))
		return 0;
	if (first->raw[i] == '{') {
		rc = ctx_doc_scan(&doc, first->raw, first->len, &bad);
		ctx_doc_done(&doc);
		if (bad.code == CTX_ENOMEM)
			return ctx_fail_nomem(err);
		/* neither a whole line nor an invalid one begins a document */
		if (strstr(bad.text, "unexpected end") == NULL)
			return 0;
	}
	if (ctx_document_all(r, first, &all, err) == 0) {
		if ((block = ctx_block_dup(all.data, all.len)) == NULL)
			ctx_fail_nomem(err);
		else
			rc = give_all(j, block, all.len, first->no, err);
	}
	ctx_block_drop(block);
	ctx_buf_done(&all);
	return rc == -1 ? -1 : 1;
}
