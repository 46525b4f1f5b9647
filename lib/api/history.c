/* SPDX-License-Identifier: MIT */
/* Jobs over histories in memory, and their errors; see ctx_impl.h. */
#include "api/ctx_impl.h"

#include <stdlib.h>
#include <string.h>

#include "job/document.h"

const char *
ctx_lib_version(void)
{
	return CTX_VERSION;
}

void
ctx_lib_free(void *data)
{
	free(data);
}

int
ctx_lib_fail(struct ctx_lib_err *err, const struct ctx_err *why)
{
	static const enum ctx_lib_code codes[] = {
		[CTX_OK] = CTX_LIB_INTERNAL, [CTX_ENO] = CTX_LIB_NO,
		[CTX_EUSAGE] = CTX_LIB_USAGE, [CTX_EINPUT] = CTX_LIB_INPUT,
		[CTX_ESYSTEM] = CTX_LIB_SYSTEM, [CTX_ENOMEM] = CTX_LIB_NOMEM,
		[CTX_ERANGE] = CTX_LIB_INTERNAL, [CTX_EREMOTE] = CTX_LIB_SYSTEM
	};

	if (err == NULL)
		return -1;
	err->code = codes[why->code];
	err->line = why->line;
	err->col = why->col;
	_Static_assert(sizeof(err->text) == sizeof(why->text), "texts fit");
	memcpy(err->text, why->text, sizeof(err->text));
	return -1;
}

int
ctx_lib_give(struct ctx_buf *b, struct ctx_lib_text *out, struct ctx_err *why,
    struct ctx_lib_err *err)
{
	*out = (struct ctx_lib_text){ NULL, 0 };
	if (why->code == CTX_OK && ctx_buf_str(b) == NULL)
		ctx_fail_nomem(why);
	if (why->code != CTX_OK) {
		ctx_buf_done(b);
		return ctx_lib_fail(err, why);
	}
	out->data = b->data;
	out->len = b->len;
	return 0;
}

static int
bytes(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	struct ctx_lib_run *r = arg;

	(void)block;
	if (to == CTX_TO_SIDE || len == 0)
		return 0;
	if (r->open_line)
		ctx_buf_addc(&r->out, '\n');
	/* a byte order mark is a line of its own without a line end */
	r->open_line = p[len - 1] != '\n' &&
	    !(len == 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0);
	ctx_buf_add(&r->out, p, len);
	return ctx_buf_fail(&r->out, err);
}

static int
row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	struct ctx_lib_run *r = arg;

	(void)err;
	if (r->row != NULL)
		r->row(row, &r->err);
	return 0;
}

/* A line that is not JSON ends the history. */
static void
bad(void *arg, const struct ctx_line *line, const struct ctx_err *bad)
{
	struct ctx_lib_run *r = arg;

	(void)line;
	if (r->err.code == CTX_OK)
		r->err = *bad;
}

static int
first(void *arg, struct ctx_reader *reader, const struct ctx_line *line,
    struct ctx_err *err)
{
	return ctx_documents(((struct ctx_lib_run *)arg)->job, reader, line,
	    err);
}

int
ctx_lib_run(struct ctx_lib_run *r, const char *history, size_t len)
{
	struct ctx_run run = { .job = r->job, .bad = bad, .arg = r,
	    .first = r->lists ? first : NULL };
	struct ctx_err err = { 0 };
	int rc;

	if (r->job == NULL)
		return -1;
	r->job->sink = (struct ctx_sink){ bytes, row, r };
	rc = ctx_run_text(&run, history, len, &err);
	ctx_run_done(&run);
	/* what was refused first is why the rest failed, too */
	if (rc == -1 && r->err.code == CTX_OK)
		r->err = err;
	return r->err.code == CTX_OK ? 0 : -1;
}

int
ctx_lib_run_end(struct ctx_lib_run *r, struct ctx_lib_text *out,
    struct ctx_lib_err *err)
{
	struct ctx_lib_text none;
	int rc;

	ctx_job_free(r->job);
	rc = ctx_lib_give(&r->out, out != NULL ? out : &none, &r->err, err);
	if (rc == 0 && out == NULL)
		free(none.data);
	return rc;
}
