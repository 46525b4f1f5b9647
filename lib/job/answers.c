/* SPDX-License-Identifier: MIT */
/* Results of calls; see answers.h. */
#include "job/answers.h"

#include "job/document.h"

/* Add the result in a line. */
static int
add(struct ctx_results *out, struct ctx_doc *doc, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_said it = { .kind = CTX_RESULT };
	uint32_t text;

	if (ctx_line_blank(line->raw, line->len))
		return 0;
	if (ctx_doc_scan(doc, line->raw, line->len, err) == -1)
		return -1;
	text = CTX_GET(doc, 0, "output");
	if (text == CTX_NONE)
		return ctx_fail(err, CTX_EINPUT, "not a result: "
		    "{\"id\":...,\"output\":...} is expected");
	it.id = ctx_node_str(doc, CTX_GET(doc, 0, "id"));
	it.name = ctx_node_str(doc, CTX_GET(doc, 0, "name"));
	it.text = ctx_node_str(doc, text);
	if (it.text.p == NULL) {
		it.text = ctx_node_json(doc, text);
		it.flags |= CTX_RAW;
	}
	if (ctx_node_if(doc, CTX_GET(doc, 0, "error"), 't') != CTX_NONE)
		it.flags |= CTX_ERROR;
	return ctx_results_add(out, &it, err);
}

/* Write the results.  Returns 1, or -1 with *err. */
static int
put(struct ctx_job *j, struct ctx_results *out, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc = ctx_results_put(out, &b, err);

	if (rc == 0)
		rc = ctx_job_put(j, CTX_TO_OUT, b.data, b.len, NULL, err);
	ctx_buf_done(&b);
	return rc == -1 ? -1 : 1;
}

int
ctx_answers(struct ctx_job *j, const struct ctx_target *to,
    struct ctx_reader *r, const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_results out = { .to = to };
	struct ctx_line line = *first;
	struct ctx_doc doc = { 0 };
	int rc;

	do
		rc = add(&out, &doc, &line, err);
	while (rc == 0 && (rc = ctx_reader_next(r, &line, err)) == 1);
	if (rc == -1 && err->code == CTX_EINPUT && err->line == 0)
		err->line = line.no;
	if (rc == 0)
		rc = put(j, &out, err);
	ctx_doc_done(&doc);
	ctx_results_done(&out);
	return rc;
}

int
ctx_answer_text(struct ctx_job *j, const struct ctx_target *to,
    const struct ctx_said *result, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_results out = { .to = to };
	struct ctx_buf all = { 0 }, text = { 0 };
	struct ctx_said it = *result;
	int rc = first == NULL ? 0 : ctx_document_text(r, first, &all, err);

	while (all.len > 0 && (all.data[all.len - 1] == '\n' ||
	    all.data[all.len - 1] == '\r'))
		all.len--;
	if (rc == 0) {
		ctx_str_encode(&text, all.len > 0 ? all.data : "", all.len);
		rc = ctx_buf_fail(&text, err);
	}
	it.text.p = text.len > 0 ? text.data : "";
	it.text.len = (uint32_t)text.len;
	if (rc == 0)
		rc = ctx_results_add(&out, &it, err);
	if (rc == 0)
		rc = put(j, &out, err);
	ctx_buf_done(&all);
	ctx_buf_done(&text);
	ctx_results_done(&out);
	return rc;
}
