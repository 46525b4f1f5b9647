/* SPDX-License-Identifier: MIT */
/* Line framing over shared blocks; see line.h. */
#include "read/line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/span.h"

#define BLOCK_SIZE	(256u * 1024)
#define KEPT		(4 * BLOCK_SIZE)	/* a larger one is not used
						   for shorter lines */
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

int
ctx_reader_text(struct ctx_reader *r, const char *text, size_t len,
    struct ctx_err *err)
{
	ctx_reader_init(r, -1);
	if (len > CTX_LINE_MAX)
		return ctx_fail(err, CTX_EINPUT, "longer than %u bytes",
		    CTX_LINE_MAX);
	if ((r->cur = ctx_block_dup(text, len)) == NULL)
		return ctx_fail_nomem(err);
	r->end = r->size = len;
	r->eof = 1;
	return 0;
}

void
ctx_reader_done(struct ctx_reader *r)
{
	ctx_block_drop(r->cur);
	r->cur = NULL;
}

int
ctx_reader_is_full(const struct ctx_reader *r)
{
	/* too little room is left */
	return r->cur == NULL || r->size - r->end < ROOM;
}

/* The size of a block that begins with what is left of the current one. */
static size_t
size_for_rest(const struct ctx_reader *r)
{
	size_t cap = BLOCK_SIZE;

	while (cap < 2 * (r->end - r->pos))
		cap *= 2;
	return cap;
}

/* Can b be used as a block of that size? */
static int
fits(const struct ctx_block *b, size_t size)
{
	return b != NULL && b->refs == 1 && b->cap >= size &&
	    (b->cap == size || b->cap <= KEPT);
}

/* Move what is left, the beginning of a line, to the front of b. */
static void
move_rest(struct ctx_reader *r, struct ctx_block *b, size_t size)
{
	size_t left = r->end - r->pos;

	if (left > 0)
		memmove(b->data, r->cur->data + r->pos, left);
	r->cur = b;
	r->size = size;
	r->scanned -= r->pos;
	r->pos = 0;
	r->end = left;
}

int
ctx_reader_swap(struct ctx_reader *r, struct ctx_block **block)
{
	struct ctx_block *old = r->cur, *b = *block;
	size_t size = size_for_rest(r);

	if (!fits(b, size)) {
		if ((b = ctx_block_new(size)) == NULL)
			return -1;
		ctx_block_drop(*block);
	}
	move_rest(r, b, size);
	*block = old;
	return 0;
}

/*
 * Make room to read into: in the same block if nobody else holds it, else in a
 * new one.  A line longer than a block doubles the size, so the total cost of
 * moving stays linear.
 */
static int
make_room(struct ctx_reader *r, struct ctx_err *err)
{
	struct ctx_block *old = r->cur, *b = old;
	size_t size = size_for_rest(r);

	if (!ctx_reader_is_full(r))
		return 0;
	if (!fits(old, size) && (b = ctx_block_new(size)) == NULL)
		return ctx_fail_nomem(err);
	move_rest(r, b, size);
	if (b != old)
		ctx_block_drop(old);
	return 0;
}

static int
refill(struct ctx_reader *r, struct ctx_err *err)
{
	ssize_t n;

	if (r->end - r->pos > CTX_LINE_MAX) {
		err->line = r->no + 1;
		return ctx_fail(err, CTX_EINPUT, "%s is longer than %u bytes",
		    r->extending ? "document" : "line", CTX_LINE_MAX);
	}
	/* first: it may give back the block */
	if (r->before_read != NULL && r->before_read(r->arg, err) == -1)
		return -1;
	if (make_room(r, err) == -1)
		return -1;
	do
		n = read(r->fd, r->cur->data + r->end, r->size - r->end);
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
	line->more = line->item = 0;
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

/* Has so little come that it can be the beginning of such a mark? */
static int
may_be_mark(const struct ctx_reader *r)
{
	size_t n = r->end - r->pos;

	return r->no == 0 && n < 3 &&
	    memcmp(r->cur->data + r->pos, "\xef\xbb", n) == 0;
}

static int
next_line(struct ctx_reader *r, struct ctx_line *line, struct ctx_err *err)
{
	size_t n, i;

	for (;;) {
		n = r->end - r->scanned;
		if (n > 0) {
			if (r->no == 0 && r->pos == 0 &&
			    byte_order_mark(r, line))
				return 1;
			if (r->pieces && (r->eof || !may_be_mark(r)))
				return give(r, line, r->end - r->pos);
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

/* --- documents -------------------------------------------------------- */

/* How far the brackets of a value are open. */
struct nesting {
	size_t depth;
	int string;		/* it ends inside a string */
};

static void
follow(struct nesting *n, const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (n->string) {
			if (p[i] == '\\')
				i++;
			else if (p[i] == '"')
				n->string = 0;
			else if (p[i] == '\n')
				return;		/* not JSON */
		} else if (p[i] == '"')
			n->string = 1;
		else if (p[i] == '{' || p[i] == '[')
			n->depth++;
		else if ((p[i] == '}' || p[i] == ']') && --n->depth == 0)
			return;
	}
}

/* Add the next line to line.  Returns 0 at the end of the input. */
static int
extend(struct ctx_reader *r, struct ctx_line *line, struct ctx_err *err)
{
	size_t was = line->len;
	uint64_t more = line->more + 1;
	int rc;

	r->pos -= was;
	r->no--;
	r->extending = 1;
	rc = next_line(r, line, err);
	r->extending = 0;
	line->more = more;
	return rc == -1 ? -1 : line->len > was;
}

/* Is it the beginning of a value that goes on? */
static int
is_begun(const struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct ctx_err why = { 0 };
	int rc = ctx_doc_scan(&doc, line->raw, line->len, &why);

	ctx_doc_done(&doc);
	if (why.code == CTX_ENOMEM)
		return ctx_fail_nomem(err);
	return rc == -1 && strstr(why.text, "unexpected end") != NULL;
}

/*
 * Add lines to the first one of a value until it is complete.  Returns 1; 0 if
 * it never is, and then line has too many; or -1.
 */
static int
whole_value(struct ctx_reader *r, struct ctx_line *line, struct nesting *n,
    struct ctx_err *err)
{
	size_t tried = line->len, was;
	int rc = 1;

	while (n->depth > 0 && !n->string) {
		was = line->len;
		if ((rc = extend(r, line, err)) != 1)
			return rc;
		follow(n, line->raw + was, line->len - was);
		/* a broken line must not take the whole file with it */
		if (line->more > 1 && line->len < 2 * tried)
			continue;
		tried = line->len;
		if (n->depth > 0 && (rc = is_begun(line, err)) != 1)
			return rc;
	}
	return !n->string;
}

/*
 * If line is the first one of a document, make it the whole.  Returns 1 if so,
 * 0 if it is a line of its own, or -1.
 */
static int
document(struct ctx_reader *r, struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct nesting n = { 0 };
	size_t first = line->len, i = strspn(line->raw, " \t");
	int rc;

	if (line->raw[i] == '{' || line->raw[i] == '[')
		follow(&n, line->raw + i, line->len - i);
	if (n.depth == 0 || n.string)
		return 0;
	if ((rc = whole_value(r, line, &n, err)) == 1) {
		rc = ctx_doc_try(&doc, line->raw, line->len);
		ctx_doc_done(&doc);
		if (rc == -1)
			ctx_fail_nomem(err);
	} else if (rc == 0 && n.depth > 0 && !n.string &&
	    ctx_line_blank(line->raw + i + 1, first - i - 1))
		rc = is_begun(line, err);	/* it is cut off */
	if (rc == 0) {
		r->pos -= line->len;
		r->no--;
		r->scanned = r->pos + first;
		give(r, line, first);
	}
	return rc;
}

int
ctx_reader_next(struct ctx_reader *r, struct ctx_line *line,
    struct ctx_err *err)
{
	int rc = next_line(r, line, err);

	if (rc != 1 || !r->documents || ctx_line_blank(line->raw, line->len))
		return rc;
	if ((rc = document(r, line, err)) == -1) {
		r->scanned = r->pos;	/* to look for its lines again */
		return -1;
	}
	if (rc == 1)
		r->documents = 2;
	else if (r->documents == 1)
		r->documents = 0;	/* it is a file of lines */
	r->no += line->more;
	return 1;
}

void
ctx_line_place(const char *raw, size_t off, uint64_t *line, uint64_t *col)
{
	size_t n, from = 0;

	while ((n = ctx_scan_newline(raw + from, off - from)) < off - from) {
		from += n + 1;
		++*line;
	}
	*col = off - from + 1;
}

int
ctx_line_flat(struct ctx_buf *out, const char *json, size_t len)
{
	const char *p = json, *end = json + len, *nl;

	while ((nl = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		ctx_buf_add(out, p, (size_t)(nl - p) -
		    (size_t)(nl > p && nl[-1] == '\r'));
		for (p = nl + 1; p < end && strchr(" \t\r\n", *p) != NULL; p++)
			;
	}
	return ctx_buf_add(out, p, (size_t)(end - p));
}
