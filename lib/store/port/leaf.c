/* SPDX-License-Identifier: MIT */
/* Pages of a database file; see leaf.h. */
#include "store/port/leaf.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/vec.h"

#define SIZE_MIN	512u
#define SIZE_MAX_PAGE	65536u
#define SIZE_USUAL	4096u
#define ROW_MAX		1000000000u	/* SQLite's own limit, in bytes */
#define SAMPLE		512	/* pages looked at to find their size */

/* The log: a header, and a header before each page. */
#define WAL_HEAD	32
#define FRAME_HEAD	24
#define WAL_MAGIC	0x377f0682u	/* or one more */

/* The kinds of pages that have rows. */
enum { INDEX_INNER = 2, INDEX_LEAF = 10, TABLE_LEAF = 13 };

/* A page in the log. */
struct frame {
	uint32_t page;
	uint64_t i;			/* from 0 on, in the log */
};

struct file {
	int fd, wal;			/* wal: the log, or -1 */
	struct frame *frame;		/* by page, then as written */
	size_t nframe, capframe;
	uint64_t bytes;			/* of fd */
	uint32_t size;			/* of a page */
	uint32_t used;			/* what rows may take of it */
	unsigned char *page;
	struct ctx_buf payload;
};

/* Read a number of one to nine bytes.  Returns its length, 0 if it is cut. */
static size_t
varint(const unsigned char *p, size_t n, uint64_t *v)
{
	size_t i;

	*v = 0;
	for (i = 0; i < 8 && i < n; i++) {
		*v = *v << 7 | (p[i] & 0x7f);
		if (p[i] < 0x80)
			return i + 1;
	}
	if (n < 9)
		return 0;
	*v = *v << 8 | p[8];
	return 9;
}

static int
is_size(uint32_t n)
{
	return n >= SIZE_MIN && n <= SIZE_MAX_PAGE && (n & (n - 1)) == 0;
}

/* Do these bytes begin like a page of a tree of that size? */
static int
looks_like_page(const unsigned char *h, uint32_t size)
{
	uint32_t rows = ctx_bytes_be(h + 3, 2), start = ctx_bytes_be(h + 5, 2);

	return (h[0] == INDEX_INNER || h[0] == 5 || h[0] == INDEX_LEAF ||
	    h[0] == TABLE_LEAF) && rows > 0 && h[7] < 60 &&
	    start >= 8 + 2 * rows && start < size;
}

/* How many of the first pages look like pages, of a thousand. */
static uint32_t
share(const struct file *f, uint32_t size)
{
	uint32_t n = 0, hits = 0;
	unsigned char h[8];
	uint64_t at;

	for (at = size; n < SAMPLE && at + size <= f->bytes; at += size, n++)
		if (pread(f->fd, h, sizeof(h), (off_t)at) == sizeof(h))
			hits += (uint32_t)looks_like_page(h, size);
	return n > 0 ? hits * 1000 / n : 0;
}

/*
 * Find the size of pages.  If the header does not tell, it is the smallest at
 * whose multiples most pages are: at those of a smaller one they begin at half
 * of the places, at those of a larger one at as many.
 */
static void
find_size(struct file *f, const unsigned char *head)
{
	uint32_t size = ctx_bytes_be(head + 16, 2), most = 0;

	size = size == 1 ? SIZE_MAX_PAGE : size;
	if (memcmp(head, "SQLite format 3", 16) == 0 && is_size(size)) {
		f->size = size;
		f->used = size - head[20];
		return;
	}
	f->size = SIZE_USUAL;
	for (size = SIZE_MIN; size <= SIZE_MAX_PAGE; size *= 2)
		if (share(f, size) > most)
			most = share(f, size);
	for (size = SIZE_MIN; size <= SIZE_MAX_PAGE && most > 0; size *= 2)
		if (share(f, size) * 10 >= most * 7) {
			f->size = size;
			break;
		}
	f->used = f->size;
}

/* Where frame i of the log is. */
static off_t
frame_at(const struct file *f, uint64_t i)
{
	return (off_t)(WAL_HEAD + i * (FRAME_HEAD + (uint64_t)f->size));
}

static int
by_page(const void *va, const void *vb)
{
	const struct frame *a = va, *b = vb;

	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	return a->i < b->i ? -1 : a->i > b->i;
}

/* Find the pages in the log, up to the last commit. */
static int
find_frames(struct file *f, struct ctx_err *err)
{
	unsigned char head[WAL_HEAD], h[FRAME_HEAD];
	size_t n = 0;

	if (pread(f->wal, head, sizeof(head), 0) != sizeof(head) ||
	    ctx_bytes_be(head, 4) >> 1 != WAL_MAGIC >> 1 ||
	    ctx_bytes_be(head + 8, 4) != f->size)
		return 0;
	while (pread(f->wal, h, sizeof(h), frame_at(f, f->nframe)) ==
	    sizeof(h) && memcmp(h + 8, head + 16, 8) == 0) {
		if (CTX_ROOM(f->frame, f->nframe, &f->capframe) == -1)
			return ctx_fail_nomem(err);
		f->frame[f->nframe].page = ctx_bytes_be(h, 4);
		f->frame[f->nframe].i = f->nframe;
		f->nframe++;
		if (ctx_bytes_be(h + 4, 4) != 0)
			n = f->nframe;
	}
	f->nframe = n;
	if (n > 0)
		qsort(f->frame, n, sizeof(*f->frame), by_page);
	return 0;
}

/* The first frame of a page after page n. */
static size_t
frame_after(const struct file *f, uint64_t n)
{
	size_t lo = 0, hi = f->nframe, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (f->frame[mid].page > n)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/*
 * Read page number n, from 1 on: its last version in the log, or that in the
 * file.  Returns 0 or -1.
 */
static int
read_page(const struct file *f, uint64_t n, unsigned char *out)
{
	size_t i = frame_after(f, n);
	ssize_t got;

	if (n == 0)
		return -1;
	if (i > 0 && f->frame[i - 1].page == n)
		got = pread(f->wal, out, f->size,
		    frame_at(f, f->frame[i - 1].i) + FRAME_HEAD);
	else if (n <= f->bytes / f->size)
		got = pread(f->fd, out, f->size, (off_t)((n - 1) * f->size));
	else
		return -1;
	return got == (ssize_t)f->size ? 0 : -1;
}

/*
 * Get the rest of a payload from the chain of pages that begins with next.
 * Returns 1, 0 if a page is missing, or -1.
 */
static int
read_chain(struct file *f, uint32_t next, size_t rest, struct ctx_err *err)
{
	unsigned char *page = malloc(f->size);
	size_t n;
	int rc = 1;

	if (page == NULL)
		return ctx_fail_nomem(err);
	while (rest > 0 && rc == 1) {
		if (read_page(f, next, page) == -1) {
			rc = 0;
			break;
		}
		n = rest < f->used - 4 ? rest : f->used - 4;
		ctx_buf_add(&f->payload, page + 4, n);
		rc = ctx_buf_fail(&f->payload, err) == -1 ? -1 : 1;
		next = ctx_bytes_be(page, 4);
		rest -= n;
	}
	free(page);
	return rc;
}

/* How many bytes of a payload of n are on the page itself. */
static size_t
local(const struct file *f, int kind, uint64_t n)
{
	size_t least = (f->used - 12) * 32 / 255 - 23, some;
	size_t most = kind == TABLE_LEAF ? f->used - 35 :
	    (f->used - 12) * 64 / 255 - 23;

	if (n <= most)
		return (size_t)n;
	some = least + (size_t)((n - least) % (f->used - 4));
	return some <= most ? some : least;
}

/*
 * Get the payload of the cell at an offset of the page.  Returns 1, 0 if it is
 * not whole, or -1.
 */
static int
read_cell(struct file *f, int kind, size_t at, int64_t *id,
    struct ctx_err *err)
{
	uint64_t n, row = 0;
	size_t len, here;

	at += kind == INDEX_INNER ? 4 : 0;
	if (at >= f->used || (len = varint(f->page + at, f->used - at,
	    &n)) == 0 || n > f->bytes || n > ROW_MAX)
		return 0;
	at += len;
	if (kind == TABLE_LEAF) {
		if ((len = varint(f->page + at, f->used - at, &row)) == 0)
			return 0;
		at += len;
	}
	*id = (int64_t)row;
	here = local(f, kind, n);
	if (here + (here < n ? 4 : 0) > f->used - at)
		return 0;
	ctx_buf_reset(&f->payload);
	ctx_buf_add(&f->payload, f->page + at, here);
	if (here < n)
		return read_chain(f, ctx_bytes_be(f->page + at + here, 4),
		    (size_t)(n - here), err);
	return ctx_buf_fail(&f->payload, err) == -1 ? -1 : 1;
}

static size_t
length(uint64_t type)
{
	static const unsigned char fixed[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };

	return type < 10 ? fixed[type] : (size_t)(type - 12) / 2;
}

/* Take the record in the payload apart.  Returns whether it is one. */
static int
take_apart(const struct file *f, struct ctx_leaf_row *r)
{
	const unsigned char *p = (const unsigned char *)f->payload.data;
	size_t n = f->payload.len, at, len, value;
	uint64_t head, type;

	if (p == NULL || (at = varint(p, n, &head)) == 0 || head > n)
		return 0;
	value = (size_t)head;
	for (r->n = 0; at < head; r->n++) {
		len = varint(p + at, (size_t)head - at, &type);
		if (len == 0 || r->n == CTX_LEAF_COLS || type == 10 ||
		    type == 11 || length(type) > n - value)
			return 0;
		at += len;
		r->col[r->n].type = type;
		r->col[r->n].p = p + value;
		r->col[r->n].len = length(type);
		value += length(type);
	}
	return value == n;
}

static int
read_rows(struct file *f, size_t head, ctx_leaf_fn *fn, void *arg,
    struct ctx_err *err)
{
	int kind = f->page[head], rc;
	size_t i, n = ctx_bytes_be(f->page + head + 3, 2);
	size_t at = head + (kind == INDEX_INNER ? 12 : 8);
	struct ctx_leaf_row r;

	if (kind != INDEX_INNER && kind != INDEX_LEAF && kind != TABLE_LEAF)
		return 0;
	for (i = 0; i < n && at + 2 <= f->used; i++, at += 2) {
		rc = read_cell(f, kind, ctx_bytes_be(f->page + at, 2), &r.id,
		    err);
		if (rc == 1 && take_apart(f, &r))
			rc = fn(&r, arg, err);
		if (rc == -1)
			return -1;
	}
	return 0;
}

int64_t
ctx_leaf_int(const struct ctx_leaf_value *v)
{
	uint64_t n = v->len > 0 && v->p[0] >= 0x80 ? UINT64_MAX : 0;
	size_t i;

	if (v->type == 8 || v->type == 9)
		return (int64_t)v->type - 8;
	for (i = 0; i < v->len; i++)
		n = n << 8 | v->p[i];
	return (int64_t)n;
}

/* The number of the page after page n, or 0: those of the log may be last. */
static uint64_t
next_page(const struct file *f, uint64_t n)
{
	size_t i;

	if (n < f->bytes / f->size)
		return n + 1;
	i = frame_after(f, n);
	return i < f->nframe ? f->frame[i].page : 0;
}

int
ctx_leaf_each(int fd, int wal, ctx_leaf_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct file f = { .fd = fd, .wal = wal };
	unsigned char head[100] = { 0 };
	struct stat sb;
	uint64_t n;
	int rc;

	if (fstat(fd, &sb) == -1 || pread(fd, head, sizeof(head), 0) == -1)
		memset(&sb, 0, sizeof(sb));
	f.bytes = (uint64_t)sb.st_size;
	find_size(&f, head);
	rc = find_frames(&f, err);
	if (rc == 0 && (f.page = malloc(f.size)) == NULL)
		rc = ctx_fail_nomem(err);
	for (n = 1; rc == 0 && n != 0; n = next_page(&f, n))
		if (read_page(&f, n, f.page) == 0)
			rc = read_rows(&f, n == 1 ? 100 : 0, fn, arg, err);
	ctx_buf_done(&f.payload);
	free(f.frame);
	free(f.page);
	return rc;
}
