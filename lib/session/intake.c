/* SPDX-License-Identifier: MIT */
/* Batches of lines; see intake.h. */
#include "session/intake_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/orphans.h"

/*
 * Commit after this many lines or bytes.  Lines that are not indexed cost a
 * tenth, so more of them do not make others wait longer.
 */
#define BATCH_LINES	1000
#define BATCH_PLAIN	4000
#define BATCH_BYTES	(4u << 20)

static int
add_line(struct ctx_intake *in, const char *raw, size_t len,
    struct ctx_err *err)
{
	struct ctx_str line = { raw, (uint32_t)len };
	struct ctx_entry *e;
	int64_t tokens;

	if (CTX_ROOM(in->line, in->n, &in->cap) == -1 ||
	    CTX_ROOM(in->at, in->n, &in->capat) == -1)
		return ctx_fail_nomem(err);
	e = &in->line[in->n];
	if (ctx_intake_line_read(in, &line, &tokens, err) == -1 ||
	    ctx_entry_scan(e, line.p, line.len, in->id_key, &in->doc,
	    err) == -1 || (!ctx_entry_knows(e) &&
	    ctx_intake_line_role(in, e, err) == -1))
		return -1;
	e->tokens = tokens;
	in->at[in->n] = (struct ctx_intake_at){ in->text.len, in->no };
	/* A line joins the batch only when all of its bytes are copied. */
	if (ctx_buf_add(&in->text, line.p, line.len) == -1)
		return ctx_fail_nomem(err);
	in->n++;
	return 0;
}

/* A log has an entry on a line, so a document is stored on one. */
static int
add_flat(struct ctx_intake *in, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_buf *flat = &in->message;

	ctx_buf_reset(flat);
	ctx_line_flat(flat, line->raw, line->len);
	ctx_buf_addc(flat, '\n');
	return ctx_buf_fail(flat, err) == -1 ? -1 :
	    add_line(in, flat->data, flat->len, err);
}

int
ctx_intake_line(struct ctx_intake *in, const struct ctx_line *line,
    struct ctx_err *err)
{
	int rc = 0;

	if (ctx_line_blank(line->raw, line->len))
		return 0;
	in->no = line->no;
	if (in->split)
		rc = ctx_intake_line_split(in, line->raw, line->len, add_line,
		    err);
	if (rc == 0 && line->more > 0)
		rc = add_flat(in, line, err);
	else if (rc == 0)
		rc = add_line(in, line->raw, line->len, err);
	if (rc != -1)
		return 0;
	err->line = line->no;
	if (err->code == CTX_EINPUT && line->raw[line->len - 1] != '\n')
		snprintf(err->text + strlen(err->text),
		    sizeof(err->text) - strlen(err->text), " (cut off)");
	return -1;
}

int
ctx_intake_full(const struct ctx_intake *in)
{
	return !in->how.atomic && (in->text.len >= BATCH_BYTES ||
	    in->n >= (in->how.no_index ? BATCH_PLAIN : BATCH_LINES));
}

void
ctx_intake_forget(struct ctx_intake *in)
{
	in->n = 0;
	ctx_buf_reset(&in->text);
}

/* Store the lines before the first that is refused. */
static int
append(struct ctx_intake *in, size_t *done, struct ctx_err *err)
{
	struct ctx_err no = { 0 };
	size_t n = in->n;

	*done = 0;
	if (in->checked && ctx_orphans(in->st, &in->how.where, in->line, n,
	    &no) == -1) {
		n = no.code == CTX_ENO && !in->how.atomic ?
		    (size_t)no.line - 1 : 0;
		if (n > 0 && ctx_log_append(in->st, &in->how, in->line, n,
		    done, err) == -1)
			return -1;
		*err = no;
		return -1;
	}
	return ctx_log_append(in->st, &in->how, in->line, n, done, err);
}

int
ctx_intake_commit(struct ctx_intake *in, size_t *done, struct ctx_err *err)
{
	size_t i;
	int rc;

	for (i = 0; i < in->n; i++)
		in->line[i].raw = in->text.data + in->at[i].off;
	rc = append(in, done, err);
	if (rc == -1 && err->line > 0)
		err->line = in->at[err->line - 1].no;
	for (i = 0; i < *done; i++) {
		if (!in->line[i].stored)
			continue;
		in->stored++;
		if (in->line[i].tokens > 0)
			in->tokens += (uint64_t)in->line[i].tokens;
	}
	if (in->how.expect_seq > 0 && *done > 0)
		in->how.expect_seq = in->line[*done - 1].seq + 1;
	in->how.seen = 0;
	ctx_intake_forget(in);
	return rc;
}

void
ctx_intake_done(struct ctx_intake *in)
{
	free(in->line);
	free(in->at);
	ctx_doc_done(&in->doc);
	ctx_convo_done(&in->one);
	ctx_convo_done(&in->whole);
	ctx_patch_done(&in->patch);
	ctx_buf_done(&in->text);
	ctx_buf_done(&in->word);
	ctx_buf_done(&in->out);
	ctx_buf_done(&in->message);
}
