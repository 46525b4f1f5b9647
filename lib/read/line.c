/* SPDX-License-Identifier: MIT */
/* Line framing over shared blocks; see line.h. */
#include "read/line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/span.h"

#define BLOCK_SIZE	(256u * 1024)
#define ROOM		(64u * 1024)	/* with less room than this, take a new
					   block */

void
ctx_block_hold(struct ctx_block *b)
{
	if (b != NULL)
		b->refs++;
}

void
ctx_block_drop(struct ctx_block *b)
{
	if (b != NULL && --b->refs == 0)
		free(b);
}

struct ctx_block *
ctx_block_new(size_t cap)
{
	struct ctx_block *b = malloc(sizeof(*b) + cap);

	if (b != NULL) {
		b->refs = 1;
		b->cap = cap;
	}
	return b;
}

struct ctx_block *
ctx_block_dup(const char *p, size_t len)
{
	struct ctx_block *b = ctx_block_new(len);

	if (b != NULL && len > 0)
		memcpy(b->data, p, len);
	return b;
}

int
ctx_line_blank(const char *raw, size_t len)
{
	size_t i;

	if (len == 3 && memcmp(raw, "\xef\xbb\xbf", 3) == 0)
		return 1;
	for (i = 0; i < len; i++)
		if (strchr(" \t\r\n", raw[i]) == NULL || raw[i] == '\0')
			return 0;
	return 1;
}

void
ctx_reader_init(struct ctx_reader *r, int fd)
{
	memset(r, 0, sizeof(*r));
	r->fd = fd;
}

void
ctx_reader_done(struct ctx_reader *r)
{
	ctx_block_drop(r->cur);
	r->cur = NULL;
}

/*
 * Make room to read into.  The rest of the old block, which is the beginning of
 * a line, moves to the front: of the same block if nobody else holds it, else
 * of a new one.  A line longer than a block doubles the size, so the total cost
 * of moving stays linear.
 */
static int
make_room(struct ctx_reader *r, struct ctx_err *err)
{
	size_t left = r->end - r->pos, cap = BLOCK_SIZE;
	struct ctx_block *b;

	if (r->cur != NULL && r->cur->cap - r->end >= ROOM)
		return 0;
	while (cap < 2 * left)
		cap *= 2;
	if (r->cur != NULL && r->cur->refs == 1 && r->cur->cap == cap) {
		memmove(r->cur->data, r->cur->data + r->pos, left);
	} else {
		if ((b = ctx_block_new(cap)) == NULL)
			return ctx_fail_nomem(err);
		if (left > 0)
			memcpy(b->data, r->cur->data + r->pos, left);
		ctx_block_drop(r->cur);
		r->cur = b;
	}
	r->scanned -= r->pos;
	r->pos = 0;
	r->end = left;
	return 0;
}

static int
refill(struct ctx_reader *r, struct ctx_err *err)
{
	ssize_t n;

	if (r->end - r->pos > CTX_LINE_MAX) {
		err->line = r->no + 1;
		return ctx_fail(err, CTX_EINPUT, "line is longer than %u bytes",
		    CTX_LINE_MAX);
	}
	if (make_room(r, err) == -1)
		return -1;
	if (r->before_read != NULL && r->before_read(r->arg, err) == -1)
		return -1;
	do
		n = read(r->fd, r->cur->data + r->end, r->cur->cap - r->end);
	while (n == -1 && errno == EINTR);
	if (n == -1)
		return ctx_fail_errno(err, errno, "cannot read");
	r->eof = n == 0;
	r->end += (size_t)n;
	return 0;
}

static int
give(struct ctx_reader *r, struct ctx_line *line, size_t len)
{
	line->raw = r->cur->data + r->pos;
	line->len = len;
	line->no = ++r->no;
	line->block = r->cur;
	r->pos += len;
	r->scanned = r->pos;
	return 1;
}

static int
byte_order_mark(struct ctx_reader *r, struct ctx_line *line)
{
	if (r->no != 0 || r->end - r->pos < 3 ||
	    memcmp(r->cur->data + r->pos, "\xef\xbb\xbf", 3) != 0)
		return 0;
	give(r, line, 3);
	r->no = 0;		/* the mark is part of line 1 */
	return 1;
}

int
ctx_reader_next(struct ctx_reader *r, struct ctx_line *line,
    struct ctx_err *err)
{
	size_t n, i;

	for (;;) {
		n = r->end - r->scanned;
		if (n > 0) {
			if (r->no == 0 && r->pos == 0 &&
			    byte_order_mark(r, line))
				return 1;
			i = ctx_scan_newline(r->cur->data + r->scanned, n);
			if (i < n)
				return give(r, line,
				    r->scanned + i + 1 - r->pos);
			r->scanned = r->end;
		}
		if (r->eof)
			break;
		if (refill(r, err) == -1)
			return -1;
	}
	if (r->pos == r->end)
		return 0;
	return give(r, line, r->end - r->pos);
}
