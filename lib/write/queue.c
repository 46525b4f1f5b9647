/* SPDX-License-Identifier: MIT */
/* Input order for interleaved conversations; see queue.h. */
#include "write/queue.h"

#include <stdlib.h>
#include <string.h>

struct ctx_waiting_rec {
	int ready;
	char *text;		/* owned; NULL if there is nothing to write */
	size_t len;
};

void
ctx_queue_init(struct ctx_queue *q, ctx_queue_fn *line, void *arg)
{
	memset(q, 0, sizeof(*q));
	q->line = line;
	q->arg = arg;
}

void
ctx_queue_done(struct ctx_queue *q)
{
	size_t i;

	for (i = 0; i < q->nwait; i++)
		free(q->wait[(q->first + i) & (q->ncap - 1)].text);
	free(q->wait);
	memset(q, 0, sizeof(*q));
}

static struct ctx_waiting_rec *
slot(struct ctx_queue *q, size_t i)
{
	return &q->wait[(q->first + i) & (q->ncap - 1)];
}

/* Make room for a slot i places after the head. */
static int
reach(struct ctx_queue *q, size_t i, struct ctx_err *err)
{
	struct ctx_waiting_rec *w;
	size_t cap = q->ncap == 0 ? 64 : q->ncap, k;

	if (i >= q->ncap) {
		while (cap <= i)
			cap *= 2;
		if ((w = calloc(cap, sizeof(*w))) == NULL)
			return ctx_fail_nomem(err);
		for (k = 0; k < q->nwait; k++)
			w[k] = *slot(q, k);
		free(q->wait);
		q->wait = w;
		q->ncap = cap;
		q->first = 0;
	}
	while (q->nwait <= i) {
		memset(slot(q, q->nwait), 0, sizeof(*w));
		q->nwait++;
	}
	return 0;
}

static int
write_slot(struct ctx_queue *q, struct ctx_waiting_rec *w,
    struct ctx_err *err)
{
	int rc = 0;

	if (w->text != NULL)
		rc = q->line(q->arg, w->text, w->len, NULL, err);
	q->bytes -= w->len;
	free(w->text);
	w->text = NULL;
	w->len = 0;
	return rc;
}

/* Write the slots at the head that are ready. */
static int
drain(struct ctx_queue *q, struct ctx_err *err)
{
	while (q->nwait > 0 && slot(q, 0)->ready) {
		if (write_slot(q, slot(q, 0), err) == -1)
			return -1;
		q->first = (q->first + 1) & (q->ncap - 1);
		q->nwait--;
		q->head++;
	}
	return 0;
}

/*
 * Too much is waiting: write everything that is ready and move the head past
 * all of it.  What was not ready is late, and is written when it arrives.
 */
static int
overtake(struct ctx_queue *q, struct ctx_err *err)
{
	size_t i;

	for (i = 0; i < q->nwait; i++)
		if (slot(q, i)->ready && write_slot(q, slot(q, i), err) == -1)
			return -1;
	q->head += q->nwait;
	q->first = q->nwait = 0;
	return 0;
}

static void
piece_bytes(const struct ctx_convo *c, const struct ctx_edit *e, size_t i,
    const char **p, size_t *len, struct ctx_block **block)
{
	const struct ctx_piece *piece = &e->piece[i];

	*block = NULL;
	if (piece->is_text) {
		*p = e->text.data + piece->off;
		*len = piece->len;
		return;
	}
	*p = c->rec[piece->rec].raw;
	*len = c->rec[piece->rec].len;
	*block = c->rec[piece->rec].block;
}

static int
write_now(struct ctx_queue *q, const struct ctx_convo *c,
    const struct ctx_edit *e, struct ctx_err *err)
{
	struct ctx_block *block;
	const char *p;
	size_t i, len;

	for (i = 0; i < e->npiece; i++) {
		piece_bytes(c, e, i, &p, &len, &block);
		if (q->line(q->arg, p, len, block, err) == -1)
			return -1;
	}
	return 0;
}

/* Do c's records follow the head without a gap? */
static int
at_head(const struct ctx_queue *q, const struct ctx_convo *c)
{
	return q->nwait == 0 && c->rec[0].seq == q->head &&
	    c->rec[c->nrec - 1].seq == q->head + c->nrec - 1;
}

/* Store piece i in record i's place; the last record gets the rest. */
static int
store(struct ctx_queue *q, const struct ctx_convo *c,
    const struct ctx_edit *e, uint32_t r, size_t *next, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	struct ctx_waiting_rec *w;
	struct ctx_block *block;
	const char *p;
	size_t len, i = (size_t)(c->rec[r].seq - q->head);

	if (reach(q, i, err) == -1)
		return -1;
	while (*next < e->npiece) {
		piece_bytes(c, e, (*next)++, &p, &len, &block);
		ctx_buf_add(&b, p, len);
		if (r + 1 < c->nrec)
			break;
		if (*next < e->npiece && b.len > 0 && b.data[b.len - 1] != '\n')
			ctx_buf_addc(&b, '\n');
	}
	if (ctx_buf_fail(&b, err) == -1) {
		ctx_buf_done(&b);
		return -1;
	}
	w = slot(q, i);
	w->ready = 1;
	w->text = b.data;
	w->len = b.len;
	q->bytes += b.len;
	return 0;
}

int
ctx_queue_turn(struct ctx_queue *q, const struct ctx_convo *c,
    const struct ctx_edit *e, struct ctx_err *err)
{
	size_t next = 0;
	uint32_t r;

	if (c->nrec == 0)
		return 0;
	if (at_head(q, c)) {
		q->head += c->nrec;
		return write_now(q, c, e, err);
	}
	if (c->rec[0].seq < q->head) {
		if (write_now(q, c, e, err) == -1)
			return -1;
		next = e->npiece;
	}
	for (r = 0; r < c->nrec; r++)
		if (c->rec[r].seq >= q->head &&
		    store(q, c, e, r, &next, err) == -1)
			return -1;
	if (drain(q, err) == -1)
		return -1;
	return q->bytes > CTX_QUEUE_MAX ? overtake(q, err) : 0;
}

int
ctx_queue_end(struct ctx_queue *q, uint64_t seq, struct ctx_err *err)
{
	int rc = overtake(q, err);

	q->head = seq;
	return rc;
}

void
ctx_queue_forget(struct ctx_queue *q, uint64_t seq)
{
	struct ctx_queue was = *q;

	ctx_queue_done(q);
	ctx_queue_init(q, was.line, was.arg);
	q->head = seq;
}
