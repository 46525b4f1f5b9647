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
#define BATCH_MORE	4	/* times as many for several threads, of which
				   each costs as much as a line or two */

/* Find the thread of the line in doc. */
static int
find_thread(struct ctx_intake *in, struct ctx_err *err)
{
	uint32_t v = CTX_GIVEN(&in->doc, 0, in->by);
	char type = v != CTX_NONE ? ctx_node_type(&in->doc, v) : '\0';
	struct ctx_buf *name = &in->word;
	char quoted[80];

	ctx_buf_reset(name);
	if (type == '"')
		ctx_node_decode(name, &in->doc, v);
	else if (type == '-' || (type >= '0' && type <= '9'))
		ctx_node_put(name, &in->doc, v);
	else if (v == CTX_NONE && in->rest != NULL)
		ctx_buf_adds(name, in->rest);
	if (name->len == 0 && !name->failed)
		return ctx_fail(err, CTX_EINPUT, "no member '%s' with the name"
		    " of a thread; --thread takes such lines", ctx_err_quote(quoted, sizeof(quoted),
		    in->by, strlen(in->by)));
	ctx_buf_addc(name, '\0');
	if (ctx_buf_fail(name, err) == -1 ||
	    ctx_thread_name_check(name->data, name->len - 1, err) == -1)
		return -1;
	if (in->n == 0)		/* a new batch */
		ctx_strmap_done(&in->threads);
	in->log = ctx_strmap_add(&in->threads, name->data, name->len);
	return in->log == CTX_STRMAP_FULL ? ctx_fail_nomem(err) : 0;
}

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
	    err) == -1 || (in->by != NULL && !in->split &&
	    find_thread(in, err) == -1) || (!ctx_entry_knows(e) &&
	    ctx_intake_line_role(in, e, err) == -1))
		return -1;
	if (in->by == NULL && ctx_apart_open(&in->apart) &&
	    CTX_GET(&in->doc, 0, "role") != CTX_NONE)
		ctx_apart_see(&in->apart, &in->doc);
	e->tokens = tokens;
	e->log = in->log;
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
	if (in->split && in->by != NULL && (rc = ctx_doc_scan(&in->doc,
	    line->raw, line->len, err)) == 0)
		rc = find_thread(in, err);
	if (rc == 0 && in->split)
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
	size_t more = in->by != NULL ? BATCH_MORE : 1;

	return !in->how.atomic && (in->text.len >= more * BATCH_BYTES ||
	    in->n >= more * (in->how.no_index ? BATCH_PLAIN : BATCH_LINES));
}

void
ctx_intake_forget(struct ctx_intake *in)
{
	in->n = 0;
	ctx_buf_reset(&in->text);
}

/* Store the lines before the one that no is about. */
static int
append_before(struct ctx_intake *in, const struct ctx_err *no, size_t *done,
    struct ctx_err *err)
{
	size_t n = no->code == CTX_ENO && no->line > 0 && !in->how.atomic ?
	    (size_t)no->line - 1 : 0;

	if (n > 0 && ctx_log_append(in->st, &in->how, in->line, n, done,
	    err) == -1)
		return -1;
	*err = *no;
	return -1;
}

static int
check(struct ctx_store *st, const struct ctx_entry *line, size_t n, void *arg,
    struct ctx_err *err)
{
	const struct ctx_intake *in = arg;

	return ctx_orphans(st, &in->how.where, line, n, err);
}

/* Store the lines before the first that is refused. */
static int
append(struct ctx_intake *in, size_t *done, struct ctx_err *err)
{
	struct ctx_err no = { 0 };

	*done = 0;
	in->how.threads = in->by != NULL ? &in->threads : NULL;
	if (in->checked) {
		in->how.check = check;
		in->how.arg = in;
	}
	if (ctx_log_append(in->st, &in->how, in->line, in->n, done, &no) == 0)
		return 0;
	if ((in->by != NULL || in->checked) && no.code == CTX_ENO)
		return append_before(in, &no, done, err);
	*err = no;
	return -1;
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
		in->how.expect_seq += in->how.expect_seq > 0;
		if (in->line[i].tokens > 0)
			in->tokens += (uint64_t)in->line[i].tokens;
	}
	in->how.seen = 0;
	ctx_intake_forget(in);
	return rc;
}

void
ctx_intake_done(struct ctx_intake *in)
{
	free(in->line);
	free(in->at);
	ctx_strmap_done(&in->threads);
	ctx_apart_done(&in->apart);
	ctx_doc_done(&in->doc);
	ctx_convo_done(&in->one);
	ctx_convo_done(&in->whole);
	ctx_patch_done(&in->patch);
	ctx_buf_done(&in->text);
	ctx_buf_done(&in->word);
	ctx_buf_done(&in->out);
	ctx_buf_done(&in->message);
}
