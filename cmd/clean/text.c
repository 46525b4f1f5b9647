/* SPDX-License-Identifier: MIT */
/* Plain text in ctx-clean; see text.h. */
#include "cmd/clean/text.h"

#include <string.h>

#include "job/printed.h"

#define OPT_OF struct clean_text
const struct cli_opt clean_text_opts[] = {
	OPT_FLAG(0, "text", on,
	    "read plain text, such as a command prints, and treat it as a "
	    "tool result",
	    .excludes = "by dialect on-error rejected in-place jobs check api "
	    "unanswered keep-pending empty branches merge-runs max-message "
	    "dedupe thinking images images-all clear-results prune-calls "
	    "keep-turns keep-tokens min-gain tool exclude step thin-files "
	    "report"),
	OPT_TEXT(0, "command", "COMMAND", command,
	    "with --text: the command line that printed it",
	    .needs = "text"),
	OPT_END
};
#undef OPT_OF

/* Write a part of a text, which need not end with a line. */
static int
put(struct clean_text *t, const char *p, size_t len, struct ctx_block *block,
    struct ctx_err *err)
{
	struct ctx_out *out = &t->stream->out;
	int rc = ctx_out_line(out, p, len, block, err);

	out->open_line = 0;
	return rc;
}

/* What the job has made of the text, and the byte order mark before it. */
static int
bytes(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	struct clean_text *t = arg;
	struct ctx_buf out = { 0 };
	int rc;

	(void)to;
	if (len == 3)
		return put(t, p, len, block, err);
	rc = ctx_printed_take(p, len, &out, err);
	if (rc == 1) {
		ctx_buf_adds(&out, t->end);
		rc = ctx_buf_fail(&out, err);
		if (rc == 0)
			rc = put(t, out.data, out.len, NULL, err);
	}
	ctx_buf_done(&out);
	return rc;
}

static int
row(void *arg, const struct ctx_row *r, struct ctx_err *err)
{
	struct clean_text *t = arg;

	return t->stream->row(t->stream, r, err);
}

void
clean_text_open(struct clean_text *t, struct cli_stream *s)
{
	t->stream = s;
	s->texts = 1;
	s->job->sink = (struct ctx_sink){ bytes, row, t };
}

/* Write a text that is too large for the job: nothing of it may be lost. */
static int
write_all(struct clean_text *t, const struct ctx_buf *held,
    struct ctx_reader *r, const struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_line next = *line;
	int rc;

	if (t->secret)
		return ctx_fail(err, CTX_EINPUT, "is larger than 64 MiB, so "
		    "it was not searched for secrets, and is not written");
	if (put(t, held->data, held->len, NULL, err) == -1)
		return -1;
	do {
		if (put(t, next.raw, next.len, next.block, err) == -1)
			return -1;
	} while ((rc = ctx_reader_next(r, &next, err)) == 1);
	return rc == -1 ? -1 : ctx_fail(err, CTX_EINPUT,
	    "is larger than 64 MiB, and was written as it is");
}

/* Read the rest of the input.  Returns 0, or -1 with *err. */
static int
read_text(struct clean_text *t, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_buf *text, struct ctx_err *err)
{
	struct ctx_line line = *first;
	int rc;

	do {
		if (text->len + line.len > CLEAN_TEXT_MAX)
			return write_all(t, text, r, &line, err);
		if (ctx_buf_add(text, line.raw, line.len) == -1)
			return ctx_fail_nomem(err);
	} while ((rc = ctx_reader_next(r, &line, err)) == 1);
	return rc;
}

/* Take off the last line end, which is not the job's. */
static struct ctx_str
without_end(struct clean_text *t, const struct ctx_buf *b)
{
	size_t len = b->len;

	t->end = "";
	if (len > 0 && b->data[len - 1] == '\n') {
		t->end = len > 1 && b->data[len - 2] == '\r' ? "\r\n" : "\n";
		len -= strlen(t->end);
	}
	return (struct ctx_str){ b->data, (uint32_t)len };
}

int
clean_text_first(struct clean_text *t, struct ctx_reader *r,
    const struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	struct ctx_str s;
	int rc = read_text(t, r, line, &text, err);

	if (rc == 0) {
		s = without_end(t, &text);
		rc = s.len == 0 ?
		    put(t, t->end, strlen(t->end), NULL, err) :
		    ctx_printed_give(t->stream->job, t->command, s, err);
	}
	ctx_buf_done(&text);
	return rc == -1 ? -1 : 1;
}
