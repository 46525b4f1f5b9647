/* SPDX-License-Identifier: MIT */
/* What every job can do; see job.h. */
#include "job/job.h"

#include <stdlib.h>
#include <string.h>

#include "job/gave.h"

/* Write a line that leaves the queue. */
static int
queued_line(void *arg, const char *raw, size_t len, struct ctx_block *block,
    struct ctx_err *err)
{
	struct ctx_job *j = arg;

	return j->sink.bytes(j->sink.arg, CTX_TO_OUT, raw, len, block, err);
}

void
ctx_job_init(struct ctx_job *j, const struct ctx_job_kind *kind)
{
	memset(j, 0, sizeof(*j));
	j->kind = kind;
	j->turns.turn = kind->turn;
	j->turns.complete = kind->complete;
	j->turns.end = kind->end;
	j->turns.free_state = kind->free_state;
	j->turns.arg = j;
	ctx_queue_init(&j->queue, queued_line, j);
}

void *
ctx_job_new(size_t size, const struct ctx_job_kind *kind, struct ctx_err *err)
{
	struct ctx_job *j = calloc(1, size);

	if (j == NULL)
		ctx_fail_nomem(err);
	else
		ctx_job_init(j, kind);
	return j;
}

struct ctx_job *
ctx_job_another(const struct ctx_job *from, struct ctx_err *err)
{
	struct ctx_job *j = from->kind->another(from, err);

	if (j != NULL) {
		j->turns.by = from->turns.by;
		j->turns.dialect = from->turns.dialect;
		j->turns.whole = from->turns.whole;
		j->turns.branch = from->turns.branch;
		j->turns.by_line = from->turns.by_line;
		j->turns.sent = from->turns.sent;
	}
	return j;
}

struct ctx_job *
ctx_job_totals(const struct ctx_job *from, struct ctx_err *err)
{
	return from->kind->totals != NULL ? from->kind->totals(from, err) :
	    from->kind->another(from, err);
}

void
ctx_job_add(struct ctx_job *to, struct ctx_job *from)
{
	const struct ctx_job_kind *kind = from->kind;
	uint64_t *f = (void *)((char *)from + kind->sums), *t;
	size_t i;

	if (to != NULL) {
		t = (void *)((char *)to + kind->sums);
		for (i = 0; i < kind->nsums; i++)
			t[i] += f[i];
	}
	memset(f, 0, kind->nsums * sizeof(*f));
	if (to != NULL)
		ctx_held_add(&to->turns.held, &from->turns.held);
	memset(&from->turns.held, 0, sizeof(from->turns.held));
	if (kind->add != NULL)
		kind->add(to, from);
}

void
ctx_job_done(struct ctx_job *j)
{
	ctx_turns_done(&j->turns);
	ctx_queue_done(&j->queue);
	if (j->kind != NULL && j->kind->done != NULL)
		j->kind->done(j);
}

void
ctx_job_free(struct ctx_job *j)
{
	if (j == NULL)
		return;
	ctx_job_done(j);
	free(j);
}

int
ctx_job_line(struct ctx_job *j, const struct ctx_line *line,
    struct ctx_err *err)
{
	return ctx_turns_line(&j->turns, line, err);
}

int
ctx_job_end(struct ctx_job *j, struct ctx_err *err)
{
	if (ctx_turns_end(&j->turns, err) == -1 ||
	    ctx_queue_end(&j->queue, j->turns.seq, err) == -1)
		return -1;
	return j->kind->file_end == NULL ? 0 :
	    j->kind->file_end(j, &j, 1, err);
}

void
ctx_job_give_up(struct ctx_job *j)
{
	ctx_turns_forget(&j->turns);
	ctx_queue_forget(&j->queue, j->turns.seq);
	if (j->kind->give_up != NULL)
		j->kind->give_up(j);
}

int
ctx_job_put_turn(struct ctx_job *j, const struct ctx_convo *c,
    const struct ctx_edit *e, struct ctx_err *err)
{
	if (j->log != NULL)
		return ctx_gave_turn(j->log, c, e, err);
	return ctx_queue_turn(&j->queue, c, e, err);
}

int
ctx_job_put(struct ctx_job *j, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	if (j->log != NULL)
		return ctx_gave_bytes(j->log, to, p, len, err);
	if (to == CTX_TO_TEXT && j->texts++ > 0 && j->sink.bytes(j->sink.arg,
	    to, "\n", 1, NULL, err) == -1)
		return -1;
	return j->sink.bytes(j->sink.arg, to, p, len, block, err);
}

int
ctx_job_put_row(struct ctx_job *j, const struct ctx_row *row,
    struct ctx_err *err)
{
	if (j->log != NULL)
		return ctx_gave_row(j->log, row, err);
	return j->sink.row(j->sink.arg, row, err);
}

int
ctx_job_new_line(const struct ctx_job *j, const struct ctx_strand *st,
    struct ctx_new *what, struct ctx_str before, struct ctx_buf *out,
    struct ctx_err *err)
{
	int crlf = before.len > 1 && before.p[before.len - 2] == '\r', rc = 0;
	struct ctx_doc doc = { 0 };

	/*
	 * a side conversation's line must not look like the main one's, and
	 * that of a log or session needs what its records share
	 */
	if (st->sublen > 0 || (st->dialect != NULL &&
	    st->dialect->rules & (CTX_RULE_LOG | CTX_RULE_SESSION))) {
		rc = ctx_doc_scan(&doc, before.p, before.len, err);
		what->doc = &doc;
		what->like = 0;
	}
	if (rc == 0) {
		ctx_dialect_of(st->dialect)->emit(out, what);
		ctx_edit_add_by(out, j->turns.by, st->key, st->keylen);
		ctx_buf_adds(out, crlf ? "\r\n" : "\n");
		rc = ctx_buf_fail(out, err);
	}
	what->doc = NULL;
	ctx_doc_done(&doc);
	return rc;
}
