/* SPDX-License-Identifier: MIT */
/* Holds the output of a job; see gave.h. */
#include "job/gave.h"

#include <stdlib.h>
#include <string.h>

/* Of the first block, and of the later ones. */
#define LEAST	(16u * 1024)
#define BLOCK	(256u * 1024)

enum what { TURN, BYTES, ROW, LINE };

struct ctx_gave_entry {
	uint64_t at;
	enum what what;
	enum ctx_to to;
	const struct ctx_line *line;	/* its bytes are in this line at off, */
	size_t block, off, len;		/* or in this block if line is NULL */
	size_t num, nnum;		/* its numbers; TURN: those of records,
					   then the lengths of pieces; LINE: the
					   line; ROW: the row itself */
	uint32_t nrec;
};

#define ROW_NUMS	(sizeof(struct ctx_row) / sizeof(uint64_t))
_Static_assert(sizeof(struct ctx_row) % sizeof(uint64_t) == 0,
    "a row is kept as numbers");

void
ctx_gave_reset(struct ctx_gave *l)
{
	size_t i;

	for (i = l->dropped; i < l->nblock; i++)
		ctx_block_drop(l->block[i]);
	l->line = NULL;
	l->n = l->told = l->nnum = l->nblock = l->dropped = l->used = 0;
	l->bytes = 0;
	ctx_err_clear(&l->err);
}

void
ctx_gave_done(struct ctx_gave *l)
{
	ctx_gave_reset(l);
	free(l->entry);
	free(l->num);
	free(l->block);
	free(l->convo.rec);
	free(l->edit.piece);
	memset(l, 0, sizeof(*l));
}

/* --- recording --------------------------------------------------------- */

static struct ctx_gave_entry *
add(struct ctx_gave *l, enum what what, struct ctx_err *err)
{
	struct ctx_gave_entry *e;

	if (CTX_ROOM(l->entry, l->n, &l->cap) == -1) {
		ctx_fail_nomem(err);
		return NULL;
	}
	e = &l->entry[l->n];
	*e = (struct ctx_gave_entry){ .at = l->at, .what = what,
	    .num = l->nnum };
	return e;
}

/* Add a number to the entry that is being made. */
static int
add_num(struct ctx_gave *l, struct ctx_gave_entry *e, uint64_t n,
    struct ctx_err *err)
{
	if (CTX_ROOM(l->num, l->nnum, &l->capnum) == -1)
		return ctx_fail_nomem(err);
	l->num[l->nnum++] = n;
	e->nnum++;
	return 0;
}

/* Room in one block for all bytes of the entry; NULL if out of memory. */
static char *
room(struct ctx_gave *l, struct ctx_gave_entry *e, size_t len,
    struct ctx_err *err)
{
	size_t cap = l->nblock == 0 ? LEAST : BLOCK;
	struct ctx_block *last;

	last = l->nblock > l->dropped ? l->block[l->nblock - 1] : NULL;
	if (last == NULL || last->cap - l->used < len) {
		if (CTX_ROOM(l->block, l->nblock, &l->capblock) == -1 ||
		    (last = ctx_block_new(len > cap ? len : cap)) == NULL) {
			ctx_fail_nomem(err);
			return NULL;
		}
		l->block[l->nblock++] = last;
		l->used = 0;
	}
	e->block = l->nblock - 1;
	e->off = l->used;
	e->len = len;
	l->used += len;
	l->bytes += len;
	return last->data + e->off;
}

/* Are p[0 .. len) inside the current line?  If so, note that in the entry. */
static int
in_line(const struct ctx_gave *l, struct ctx_gave_entry *e, const char *p,
    size_t len)
{
	const struct ctx_line *line = l->line;

	if (line == NULL || len == 0 || p < line->raw ||
	    p >= line->raw + line->len)
		return 0;
	e->line = line;
	e->off = (size_t)(p - line->raw);
	e->len = len;
	return 1;
}

static void
piece_bytes(const struct ctx_convo *c, const struct ctx_edit *e, size_t i,
    const char **p, size_t *len)
{
	const struct ctx_piece *piece = &e->piece[i];

	*p = piece->is_text ? e->text.data + piece->off :
	    c->rec[piece->rec].raw;
	*len = piece->is_text ? piece->len : c->rec[piece->rec].len;
}

int
ctx_gave_turn(struct ctx_gave *l, const struct ctx_convo *c,
    const struct ctx_edit *ed, struct ctx_err *err)
{
	struct ctx_gave_entry *e;
	size_t i, len = 0, all = 0;
	const char *p = NULL;
	char *to;

	if (c->nrec == 0)
		return 0;
	if ((e = add(l, TURN, err)) == NULL)
		return -1;
	for (i = 0; i < c->nrec; i++)
		if (add_num(l, e, c->rec[i].seq, err) == -1)
			return -1;
	e->nrec = c->nrec;
	for (i = 0; i < ed->npiece; i++) {
		piece_bytes(c, ed, i, &p, &len);
		all += len;
		if (add_num(l, e, len, err) == -1)
			return -1;
	}
	if (ed->npiece == 1 && in_line(l, e, p, len)) {
		l->n++;
		return 0;
	}
	if ((to = room(l, e, all, err)) == NULL)
		return -1;
	for (i = 0; i < ed->npiece; i++) {
		piece_bytes(c, ed, i, &p, &len);
		if (len > 0)
			memcpy(to, p, len);
		to += len;
	}
	l->n++;
	return 0;
}

int
ctx_gave_bytes(struct ctx_gave *l, enum ctx_to to, const char *p, size_t len,
    struct ctx_err *err)
{
	struct ctx_gave_entry *e = add(l, BYTES, err);
	char *copy;

	if (e == NULL)
		return -1;
	e->to = to;
	if (!in_line(l, e, p, len)) {
		if ((copy = room(l, e, len, err)) == NULL)
			return -1;
		if (len > 0)
			memcpy(copy, p, len);
	}
	l->n++;
	return 0;
}

int
ctx_gave_row(struct ctx_gave *l, const struct ctx_row *row, struct ctx_err *err)
{
	struct ctx_gave_entry *e = add(l, ROW, err);
	char *copy;
	size_t i;

	if (e == NULL || (copy = room(l, e, row->namelen + row->textlen,
	    err)) == NULL)
		return -1;
	if (row->namelen > 0)
		memcpy(copy, row->name, row->namelen);
	if (row->textlen > 0)
		memcpy(copy + row->namelen, row->text, row->textlen);
	for (i = 0; i < ROW_NUMS; i++)
		if (add_num(l, e, 0, err) == -1)
			return -1;
	memcpy(l->num + e->num, row, sizeof(*row));
	l->n++;
	return 0;
}

int
ctx_gave_line(struct ctx_gave *l, size_t i, struct ctx_err *err)
{
	struct ctx_gave_entry *e = add(l, LINE, err);

	if (e == NULL || add_num(l, e, i, err) == -1)
		return -1;
	l->n++;
	return 0;
}

void
ctx_gave_failed(struct ctx_gave *l, const struct ctx_err *err)
{
	l->err = *err;
	l->failed_at = l->at;
}

/* --- reading ----------------------------------------------------------- */

uint64_t
ctx_gave_next(const struct ctx_gave *l)
{
	if (l->told < l->n)
		return l->entry[l->told].at;
	return l->err.code != CTX_OK ? l->failed_at : UINT64_MAX;
}

static struct ctx_block *
block_of(const struct ctx_gave *l, const struct ctx_gave_entry *e)
{
	return e->line != NULL ? e->line->block : l->block[e->block];
}

static const char *
bytes_of(const struct ctx_gave *l, const struct ctx_gave_entry *e)
{
	return (e->line != NULL ? e->line->raw : l->block[e->block]->data) +
	    e->off;
}

/*
 * Output a turn as ctx_queue_turn takes it.  Every piece is a record of the
 * block, so that the bytes are written from there.
 */
static int
tell_turn(struct ctx_gave *l, const struct ctx_gave_entry *e,
    struct ctx_job *job, int renumber, struct ctx_err *err)
{
	struct ctx_block *block = block_of(l, e);
	const uint64_t *num = l->num + e->num;
	size_t i, npiece = e->nnum - e->nrec;
	const char *p = bytes_of(l, e);
	struct ctx_piece *piece;
	struct ctx_rec *r;

	for (i = 0; i < e->nrec || i < npiece; i++) {
		if (CTX_ROOM(l->convo.rec, i, &l->convo.caprec) == -1 ||
		    CTX_ROOM(l->edit.piece, i, &l->edit.cappiece) == -1)
			return ctx_fail_nomem(err);
		r = &l->convo.rec[i];
		piece = &l->edit.piece[i];
		*r = (struct ctx_rec){ 0 };
		*piece = (struct ctx_piece){ .rec = (uint32_t)i };
		if (i < npiece) {
			r->raw = p;
			r->len = num[e->nrec + i];
			r->block = block;
			p += r->len;
		}
		if (i < e->nrec)
			r->seq = renumber ? job->turns.seq++ : num[i];
	}
	l->convo.nrec = e->nrec;
	l->edit.npiece = npiece;
	return ctx_job_put_turn(job, &l->convo, &l->edit, err);
}

static int
tell_row(const struct ctx_gave *l, const struct ctx_gave_entry *e,
    const char *p, struct ctx_job *job, struct ctx_err *err)
{
	struct ctx_row row;

	memcpy(&row, l->num + e->num, sizeof(row));
	if (row.name != NULL)
		row.name = p;
	if (row.text != NULL)
		row.text = p + row.namelen;
	return ctx_job_put_row(job, &row, err);
}

int
ctx_gave_tell(struct ctx_gave *l, struct ctx_job *job, int renumber,
    size_t *line, struct ctx_err *err)
{
	const struct ctx_gave_entry *e;

	if (l->told == l->n) {
		*err = l->err;
		return -1;
	}
	e = &l->entry[l->told++];
	if (e->what == LINE) {
		*line = l->num[e->num];
		return 1;
	}
	/* no later entry uses an earlier block */
	while (e->line == NULL && l->dropped < e->block)
		ctx_block_drop(l->block[l->dropped++]);
	if (e->line == NULL)
		l->bytes -= e->len;
	if (e->what == TURN)
		return tell_turn(l, e, job, renumber, err);
	if (e->what == ROW)
		return tell_row(l, e, bytes_of(l, e), job, err);
	return ctx_job_put(job, e->to, bytes_of(l, e), e->len, block_of(l, e),
	    err);
}
