/* SPDX-License-Identifier: MIT */
/* Fills slots; see run_fill.h. */
#include "job/run_fill.h"

#include <poll.h>

#include "job/run_threads.h"

#define LINES	4096			/* of a slot at most, */
#define MUCH	(512u * 1024)		/* and bytes with which it is full */
#define ENOUGH	(128u * 1024)		/* bytes that are worth a slot */

static int
ready(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/*
 * Before a read: the slot has been filled if the read may block, or needs
 * another block.  Returns -1 without an error then.
 */
static int
before_read(void *arg, struct ctx_err *err)
{
	struct ctx_run_fill *f = arg;
	const struct ctx_run_slot *s = f->slot;

	if (s->n == 0)
		return f->run->begins && f->run->waiting != NULL ?
		    f->run->waiting(f->run->arg, err) : 0;
	return s->bytes >= ENOUGH || ctx_reader_is_full(f->reader) ||
	    !ready(f->reader->fd) ? -1 : 0;
}

static int
first(struct ctx_run_fill *f, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_reader *reader = f->reader;
	struct ctx_run *r = f->run;
	int rc;

	if (!r->begins)
		return 0;
	/* it may read the input itself: call waiting before that */
	reader->before_read = r->waiting;
	reader->arg = r->arg;
	rc = ctx_run_first(r, reader, line, err);
	reader->before_read = before_read;
	reader->arg = f;
	return rc;
}

/* Read lines into the slot.  Returns 1, 0 at the end, or -1 with *err. */
static int
read_lines(struct ctx_run_fill *f, struct ctx_run_slot *s,
    struct ctx_err *err)
{
	struct ctx_run *r = f->run;
	struct ctx_line line;
	int rc = 1, mine = 1;

	f->slot = s;
	while (s->n < LINES && s->bytes < MUCH) {
		if ((rc = ctx_reader_next(f->reader, &line, err)) != 1)
			break;
		if ((rc = first(f, &line, err)) != 0)
			return rc == 1 ? 0 : -1;
		if (r->mine != NULL)
			mine = r->mine(r->arg, &line, err);
		if (mine == -1 || (mine == 1 &&
		    ctx_run_slot_add(s, &line, err) == -1))
			return -1;
		rc = 1;
	}
	return rc == -1 && err->code == CTX_OK ? 1 : rc;
}

/*
 * Let the reader read into the slot's block.  What it had is only the beginning
 * of a line, and is kept to be used in the same way again.
 */
static int
give_block(struct ctx_run_fill *f, struct ctx_run_slot *s, struct ctx_err *err)
{
	if (!f->others)
		return 0;
	if (ctx_reader_swap(f->reader, &s->block) == -1)
		return ctx_fail_nomem(err);
	ctx_block_drop(f->rest);
	f->rest = s->block;
	s->block = NULL;
	return 0;
}

/* Let the slot have the block of its lines. */
static int
take_block(struct ctx_run_fill *f, struct ctx_run_slot *s, struct ctx_err *err)
{
	if (f->others) {
		if (ctx_reader_swap(f->reader, &f->rest) == -1) {
			s->n = 0;	/* its lines are the reader's */
			return ctx_fail_nomem(err);
		}
		s->block = f->rest;
		f->rest = NULL;
	} else if (s->n > 0) {
		s->block = f->reader->cur;
		ctx_block_hold(s->block);
	}
	return 0;
}

int
ctx_run_fill_slot(struct ctx_run_fill *f, struct ctx_run_slot *s)
{
	int rc;

	s->first = f->lines;
	if (give_block(f, s, &s->late) == -1)
		return 0;
	rc = read_lines(f, s, &s->late);
	f->lines += s->n;
	return take_block(f, s, &s->late) == 0 && rc == 1;
}

void
ctx_run_fill_begin(struct ctx_run_fill *f, struct ctx_reader *reader)
{
	f->reader = reader;
	f->lines = 0;
	reader->before_read = before_read;
	reader->arg = f;
}

void
ctx_run_fill_end(struct ctx_run_fill *f)
{
	f->reader->before_read = f->run->waiting;
	f->reader->arg = f->run->arg;
}
