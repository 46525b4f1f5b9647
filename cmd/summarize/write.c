/* SPDX-License-Identifier: MIT */
/* What ctx-summarize writes of a conversation; see summarize.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decide/summary.h"
#include "cmd/summarize/summarize.h"

/* A line that waits for the end of the file. */
struct line_out {
	uint64_t seq;
	struct ctx_block *block;
	const char *raw;
	size_t len;
};

int
fold_head(struct ctx_buf *b, const char *head, uint64_t n,
    const struct ctx_buf *text, struct ctx_err *err)
{
	ctx_buf_addf(b, "%s%" PRIu64 CTX_SUMMARY_TAIL, head, n);
	ctx_buf_add(b, text->data, text->len);
	return ctx_buf_fail(b, err);
}

/* Does what stays begin with an assistant's message? */
static int
assistant_follows(const struct fold_job *j)
{
	uint32_t m = j->cut;

	while (m < j->c->nmsg && j->c->msg[m].role == CTX_SYSTEM)
		m++;
	return m < j->c->nmsg && j->c->msg[m].role == CTX_ASSISTANT;
}

int
fold_has_reply(const struct summarize *s, const struct fold_job *j)
{
	return s->as == AS_PAIR && !assistant_follows(j);
}

static int
hold_line(struct summarize *s, struct line_out line, struct ctx_err *err)
{
	struct line_out *v = ctx_grow(s->line, s->nline, &s->capline,
	    sizeof(*v));

	if (v == NULL) {
		ctx_block_drop(line.block);
		return ctx_fail_nomem(err);
	}
	s->line = v;
	v[s->nline++] = line;
	return 0;
}

static int
hold_record(struct summarize *s, const struct ctx_rec *r, struct ctx_err *err)
{
	ctx_block_hold(r->block);
	return hold_line(s, (struct line_out){
	    r->seq, r->block, r->raw, r->len }, err);
}

static int
hold_text(struct summarize *s, uint64_t seq, const struct ctx_buf *b,
    struct ctx_err *err)
{
	struct ctx_block *block = ctx_block_new(b->len);

	if (block == NULL)
		return ctx_fail_nomem(err);
	memcpy(block->data, b->data, b->len);
	return hold_line(s, (struct line_out){
	    seq, block, block->data, b->len }, err);
}

static int
is_dropped(const struct fold_job *j, uint32_t m)
{
	return m == j->old ||
	    (m < j->cut && j->c->msg[m].role != CTX_SYSTEM);
}

/* One new message as a line, in front of record r. */
static int
new_line(struct summarize *s, const struct fold_job *j,
    const struct ctx_rec *r, enum ctx_role role, const struct ctx_buf *text,
    struct ctx_err *err)
{
	int crlf = r->len > 1 && r->raw[r->len - 2] == '\r';
	struct ctx_doc doc = j->c->doc;

	const struct ctx_dialect *d = j->thread->dialect != NULL ?
	    j->thread->dialect : &ctx_dialect_openai;
	struct ctx_new what = {
		.kind = CTX_NEW_TEXT, .role = role, .text = text->data,
		.textlen = text->len
	};
	struct ctx_buf b = { 0 };
	int rc = -1;

	/* in a side conversation it must not look like one of the main one */
	if (j->thread->sublen > 0 && r->root != CTX_NONE) {
		doc.raw = r->raw;
		doc.len = r->len;
		what.doc = &doc;
		what.like = r->root;
	}
	d->emit(&b, &what);
	if (ctx_edit_add_by(&b, s->stream.by, j->thread->key,
	    j->thread->keylen) == -1 ||
	    ctx_buf_adds(&b, crlf ? "\r\n" : "\n") == -1)
		ctx_fail_nomem(err);
	else
		rc = hold_text(s, r->seq, &b, err);
	ctx_buf_done(&b);
	return rc;
}

/* The summary's messages in front of record r. */
static int
new_lines(struct summarize *s, const struct fold_job *j,
    const struct ctx_rec *r, struct ctx_err *err)
{
	static char reply[] = CTX_SUMMARY_REPLY;
	struct ctx_buf text = { 0 };
	struct ctx_buf answer = { .data = reply, .len = sizeof(reply) - 1 };
	int rc;

	rc = fold_head(&text, CTX_SUMMARY_HEAD, j->old_turns + j->turns,
	    &j->summary, err);
	if (rc == 0)
		rc = new_line(s, j, r, s->as == AS_SYSTEM ? CTX_SYSTEM :
		    CTX_USER, &text, err);
	if (rc == 0 && fold_has_reply(s, j))
		rc = new_line(s, j, r, CTX_ASSISTANT, &answer, err);
	ctx_buf_done(&text);
	return rc;
}

/* Message lines: records stay or go whole, others ride on those before. */
static int
write_lines(struct summarize *s, const struct fold_job *j,
    struct ctx_err *err)
{
	const struct ctx_convo *c = j->c;
	const struct ctx_rec *rec;
	int goes = 0, written = 0;
	uint32_t r, m;

	for (r = 0; r < c->nrec; r++) {
		rec = &c->rec[r];
		for (m = rec->msg; m < rec->msg + rec->nmsg; m++)
			goes = is_dropped(j, m);
		if (goes && !written) {
			if (new_lines(s, j, rec, err) == -1)
				return -1;
			written = 1;
		}
		if (!goes ? hold_record(s, rec, err) == -1 :
		    s->dropped != NULL && ctx_out_line(s->dropped, rec->raw,
		    rec->len, rec->block, err) == -1)
			return -1;
	}
	return 0;
}

static int
insert(struct summarize *s, enum ctx_role role, const char *text, size_t len,
    struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_TEXT, .role = role };
	uint32_t n;

	if (ctx_plan_insert(&s->plan, &in, text, len, &n, err) == -1)
		return -1;
	return ctx_plan_order(&s->plan, n | CTX_INSERTED, err);
}

static int
insert_both(struct summarize *s, const struct fold_job *j,
    struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	int rc;

	rc = fold_head(&text, CTX_SUMMARY_HEAD, j->old_turns + j->turns,
	    &j->summary, err);
	if (rc == 0)
		rc = insert(s, s->as == AS_SYSTEM ? CTX_SYSTEM : CTX_USER,
		    text.data, text.len, err);
	if (rc == 0 && fold_has_reply(s, j))
		rc = insert(s, CTX_ASSISTANT, CTX_SUMMARY_REPLY,
		    strlen(CTX_SUMMARY_REPLY), err);
	ctx_buf_done(&text);
	return rc;
}

/* The plan that folds; or, inverse, that leaves what was folded. */
static int
plan_whole(struct summarize *s, const struct fold_job *j, int inverse,
    struct ctx_err *err)
{
	const struct ctx_convo *c = j->c;
	int written = inverse;
	uint32_t m;

	if (ctx_plan_reset(&s->plan, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++) {
		if (is_dropped(j, m) && !written) {
			if (insert_both(s, j, err) == -1)
				return -1;
			written = 1;
		}
		if (is_dropped(j, m) != inverse &&
		    !(c->msg[m].flags & CTX_FIXED))
			ctx_plan_drop_msg(&s->plan, m);
		if (ctx_plan_order(&s->plan, m, err) == -1)
			return -1;
	}
	ctx_plan_settle(&s->plan);
	return 0;
}

/* A conversation line: edited where its messages stand. */
static int
write_whole(struct summarize *s, const struct fold_job *j, int inverse,
    struct ctx_out *out, struct ctx_err *err)
{
	const struct ctx_rec *r = &j->c->rec[0];
	const struct ctx_piece *p;

	if (plan_whole(s, j, inverse, err) == -1 ||
	    ctx_edit_turn(&s->edit, &s->plan, j->c, err) == -1)
		return -1;
	p = &s->edit.piece[0];
	return p->is_text ? ctx_out_line(out, s->edit.text.data + p->off,
	    p->len, NULL, err) :
	    ctx_out_line(out, r->raw, r->len, r->block, err);
}

int
fold_write_untouched(struct summarize *s, const struct fold_job *j,
    struct ctx_err *err)
{
	const struct ctx_convo *c = j->c;
	uint32_t r;

	if (j->thread == NULL)
		return ctx_out_line(&s->stream.out, c->rec[0].raw,
		    c->rec[0].len, c->rec[0].block, err);
	for (r = 0; r < c->nrec; r++)
		if (hold_record(s, &c->rec[r], err) == -1)
			return -1;
	return 0;
}

/* --to text: the summary under its head, and nothing else. */
static int
write_text(struct summarize *s, const struct fold_job *j, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc = 0;

	if (j->summary.len > 0) {
		rc = fold_head(&b, FOLD_TEXT_HEAD,
		    j->old_turns + j->turns, &j->summary, err);
		ctx_buf_addc(&b, '\n');
		if (rc == 0 && (rc = ctx_buf_fail(&b, err)) == 0)
			rc = ctx_out_line(&s->stream.out, b.data, b.len, NULL,
			    err);
	}
	ctx_buf_done(&b);
	return rc;
}

/* --insights: the model's JSON as a line. */
static int
write_insights(struct summarize *s, struct fold_job *j, struct ctx_err *err)
{
	if (ctx_buf_addc(&j->summary, '\n') == -1)
		return ctx_fail_nomem(err);
	return ctx_out_line(&s->stream.out, j->summary.data, j->summary.len,
	    NULL, err);
}

int
fold_write(struct summarize *s, struct fold_job *j, struct ctx_err *err)
{
	if (s->insights)
		return write_insights(s, j, err);
	if (s->to == TO_TEXT)
		return write_text(s, j, err);
	if (j->summary.len == 0 || (j->turns == 0 && !j->from_state))
		return fold_write_untouched(s, j, err);
	s->stream.own.changed = 1;
	if (j->thread != NULL)
		return write_lines(s, j, err);
	if (s->dropped != NULL &&
	    write_whole(s, j, 1, s->dropped, err) == -1)
		return -1;
	return write_whole(s, j, 0, &s->stream.out, err);
}

static int
by_seq(const void *a, const void *b)
{
	const struct line_out *x = a, *y = b;

	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Interleaved conversations end one by one: back into input order. */
static void
sort_lines(struct summarize *s)
{
	size_t i;

	for (i = 1; i < s->nline && s->line[i].seq >= s->line[i - 1].seq; i++)
		;
	if (i == s->nline)
		return;
	/* new lines share a record's seq and stand before it: keep that */
	for (i = 0; i < s->nline; i++)
		s->line[i].seq = s->line[i].seq * 4;
	for (i = 1; i < s->nline; i++)
		if (s->line[i].seq / 4 == s->line[i - 1].seq / 4)
			s->line[i].seq = s->line[i - 1].seq + 1;
	qsort(s->line, s->nline, sizeof(*s->line), by_seq);
}

int
fold_file_end(struct cli_stream *stream, struct ctx_err *err)
{
	struct summarize *s = (struct summarize *)stream;
	size_t i;
	int rc = 0;

	if (s->nline > 1)
		sort_lines(s);
	for (i = 0; i < s->nline; i++) {
		if (rc == 0)
			rc = ctx_out_line(&stream->out, s->line[i].raw,
			    s->line[i].len, s->line[i].block, err);
		ctx_block_drop(s->line[i].block);
	}
	s->nline = 0;
	if (rc == 0 && s->dropped != NULL)
		rc = ctx_out_flush(s->dropped, err);
	return rc;
}

void
fold_drop_lines(struct cli_stream *stream)
{
	struct summarize *s = (struct summarize *)stream;
	size_t i;

	for (i = 0; i < s->nline; i++)
		ctx_block_drop(s->line[i].block);
	s->nline = 0;
}
