/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a response of an API, whole or a stream, whose messages
 * are converted to another dialect.  What comes of it is JSON, and so is the
 * report.
 */
#include "history.h"

#include "job/convert_job.h"
#include "job/response.h"

static int
take_bytes(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	size_t at, n;

	(void)arg;
	(void)to;
	(void)block;
	(void)err;
	for (at = 0; at < len; at += n + 1) {
		n = ctx_scan_newline(p + at, len - at);
		MUST(ctx_doc_try(&doc, p + at, n) == 1);
	}
	ctx_doc_done(&doc);
	return 0;
}

static int
take_row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	(void)arg;
	(void)row;
	(void)err;
	return 0;
}

static void
take_text(void *arg, struct ctx_str text)
{
	(void)arg;
	MUST(ctx_scan_utf8(text.p, text.len) == text.len);
}

static void
check(const struct ctx_response *x)
{
	struct ctx_buf all = { 0 };
	struct ctx_doc doc = { 0 };

	MUST(x->end >= CTX_RESPONSE_DONE && x->end <= CTX_RESPONSE_CUT);
	ctx_buf_adds(&all, "{\"x\":1");
	ctx_buf_add(&all, x->report.data, x->report.len);
	ctx_buf_addc(&all, '}');
	MUST(ctx_doc_try(&doc, all.data, all.len) == 1);
	ctx_doc_done(&doc);
	ctx_buf_done(&all);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct ctx_convert_job_opts opts = { .to = &ctx_to_openai };
	struct ctx_response x = { .text = take_text };
	struct ctx_err err = { 0 };
	struct ctx_reader r;
	struct ctx_line line;
	struct ctx_job *j = ctx_convert_job_new(&opts, &err);
	int rc;

	MUST(j != NULL);
	MUST(ctx_reader_text(&r, (const char *)data, len, &err) == 0);
	j->sink = (struct ctx_sink){ take_bytes, take_row, NULL };
	rc = ctx_reader_next(&r, &line, &err);
	MUST(rc != -1);
	rc = ctx_response_read(&x, j, &r, rc == 1 ? &line : NULL, &err);
	if (rc == 1)
		rc = ctx_job_end(j, &err);
	if (rc == -1)
		MUST(err.code == CTX_EINPUT && err.text[0] != '\0');
	else
		check(&x);
	ctx_response_done(&x);
	ctx_reader_done(&r);
	ctx_job_free(j);
	return 0;
}
