/* SPDX-License-Identifier: MIT */
/*
 * Excel workbooks: a zip file of XML.  The digest has the sheets with their
 * numbers of rows and columns and, if the cells of the first sheet's first row
 * are all text, those cells.  Parts are decompressed up to a limit, so a sheet
 * of a gigabyte, or a zip bomb, costs no more than one of a few megabytes.
 */
#include "digest/format.h"

#include <stdlib.h>
#include <string.h>

#include "digest/tag.h"
#include "digest/zip.h"

#define PART_MAX	((size_t)8 << 20)	/* of a large part */
#define HEAD_MAX	((size_t)64 << 10)	/* of the other sheets */
#define SHEETS_MAX	64			/* that are examined */
#define CELLS_MAX	16384			/* columns of a sheet */

struct xlsx {
	struct ctx_zip zip;
	struct ctx_buf book, rels, part, strings;
	uint32_t *string;	/* offsets of shared strings */
	size_t nstring, cap;
};

struct sheet {
	uint64_t rows, columns;
};

/* Append the text of all <t> in [p, end), up to how it is pronounced. */
static void
add_texts(struct ctx_buf *out, const char *p, const char *end)
{
	struct ctx_tag t;
	const char *to;

	if (ctx_tag_next(p, end, "rPh", &t))
		end = t.p;
	while (ctx_tag_next(p, end, "t", &t)) {
		p = t.end + 1;
		if (t.end[-1] == '/')
			continue;
		to = memchr(p, '<', (size_t)(end - p));
		to = to == NULL ? end : to;
		ctx_tag_text(out, p, (size_t)(to - p));
		p = to;
	}
}

/* Parse a reference: "AB12" is column 28, row 12. */
static void
cell_ref(const char *p, size_t len, uint64_t *row, uint64_t *column)
{
	*row = *column = 0;
	for (; len > 0 && *p >= 'A' && *p <= 'Z'; p++, len--)
		if (*column < CELLS_MAX)
			*column = *column * 26 + (uint64_t)(*p - 'A' + 1);
	for (; len > 0 && *p >= '0' && *p <= '9' && *row < 10000000; p++, len--)
		*row = *row * 10 + (uint64_t)(*p - '0');
}

/* Load a part of the workbook, terminated by a NUL; empty if it is missing. */
static int
load(struct xlsx *x, const char *name, struct ctx_buf *out, size_t max)
{
	struct ctx_zip_entry e;

	ctx_buf_reset(out);
	if (ctx_zip_find(&x->zip, name, &e) &&
	    ctx_zip_read_entry(&x->zip, &e, out, max) == -1)
		return -1;
	return ctx_buf_str(out) == NULL ? -1 : 0;
}

static int
load_strings(struct xlsx *x)
{
	struct ctx_tag t;
	const char *p, *end;

	if (load(x, "xl/sharedStrings.xml", &x->strings, PART_MAX) == -1)
		return -1;
	p = x->strings.data;
	end = p + x->strings.len;
	while (ctx_tag_next(p, end, "si", &t)) {
		if (CTX_ROOM(x->string, x->nstring, &x->cap) == -1)
			return -1;
		p = t.end;
		x->string[x->nstring++] = (uint32_t)(p - x->strings.data);
	}
	return 0;
}

static void
add_shared(struct xlsx *x, const char *number, struct ctx_buf *out)
{
	unsigned long i = strtoul(number, NULL, 10);
	const char *p, *end;

	if (i >= x->nstring)
		return;
	p = x->strings.data + x->string[i];
	end = i + 1 < x->nstring ? x->strings.data + x->string[i + 1] :
	    x->strings.data + x->strings.len;
	add_texts(out, p, end);
}

/* What the sheet says of itself; not every program writes it, or the truth. */
static void
read_dimension(const char *p, const char *end, struct sheet *s)
{
	struct ctx_tag t;
	const char *v, *colon;
	size_t n;

	if (!ctx_tag_next(p, end, "dimension", &t) ||
	    !ctx_tag_attr(&t, "ref", &v, &n))
		return;
	if ((colon = memchr(v, ':', n)) != NULL) {
		n -= (size_t)(colon + 1 - v);
		v = colon + 1;
	}
	cell_ref(v, n, &s->rows, &s->columns);
}

/*
 * Count the rows and columns of the sheet in x->part, of which max bytes were
 * read.  Both are 0 if there are more than were read, and no one knows how
 * many.
 */
static void
measure(const struct xlsx *x, struct sheet *s, size_t max)
{
	const char *p = x->part.data, *end = p + x->part.len, *v;
	struct sheet said;
	struct ctx_tag t;
	uint64_t row, column;
	size_t n;

	read_dimension(p, end, s);
	said = *s;
	for (; ctx_tag_next(p, end, "row", &t); p = t.end) {
		if (ctx_tag_attr(&t, "r", &v, &n)) {
			cell_ref(v, n, &row, &column);
			if (row > s->rows)
				s->rows = row;
		}
	}
	for (p = x->part.data; said.columns < 2 &&
	    ctx_tag_next(p, end, "c", &t); p = t.end) {
		if (ctx_tag_attr(&t, "r", &v, &n)) {
			cell_ref(v, n, &row, &column);
			if (column > s->columns)
				s->columns = column;
		}
	}
	if (x->part.len == max && (s->rows > said.rows ||
	    s->columns > said.columns))
		*s = (struct sheet){ 0 };
}

/* Append one cell's text to out; returns 0 if it is not text. */
static int
cell_text(struct xlsx *x, const struct ctx_tag *c, const char *end,
    struct ctx_buf *out)
{
	const char *type = "", *to;
	struct ctx_tag v;
	size_t n = 0;

	ctx_tag_attr(c, "t", &type, &n);
	to = ctx_tag_next(c->end, end, "c", &v) ? v.p : end;
	if (n == 9 && memcmp(type, "inlineStr", 9) == 0)
		add_texts(out, c->end, to);
	else if (n == 1 && *type == 's' && ctx_tag_next(c->end, to, "v", &v))
		add_shared(x, v.end + 1, out);
	else if (n == 3 && memcmp(type, "str", 3) == 0 &&
	    ctx_tag_next(c->end, to, "v", &v)) {
		to = memchr(v.end, '<', (size_t)(to - v.end));
		if (to != NULL)
			ctx_tag_text(out, v.end + 1, (size_t)(to - v.end) - 1);
	} else
		return 0;
	return 1;
}

/*
 * Add the first row's cells as columns; returns 0 if one of them is not text.
 */
static int
read_header(struct ctx_digest *d, struct xlsx *x, struct sheet *s,
    struct ctx_err *err)
{
	const char *p = x->part.data, *end;
	struct ctx_tag row, c;
	size_t cells = 0;

	end = p + x->part.len;
	if (!ctx_tag_next(p, end, "row", &row))
		return 0;
	p = row.end;
	if (ctx_tag_next(p, end, "row", &row))
		end = row.p;
	while (cells < CELLS_MAX && ctx_tag_next(p, end, "c", &c)) {
		p = c.end;
		if (p[-1] == '/')		/* an empty cell */
			continue;
		ctx_buf_reset(&d->scratch);
		if (!cell_text(x, &c, end, &d->scratch)) {
			ctx_names_reset(&d->names);
			return 0;
		}
		if (ctx_buf_fail(&d->scratch, err) == -1 ||
		    ctx_digest_name(d, CTX_COLUMNS, d->scratch.data,
		    d->scratch.len, err) == -1)
			return -1;
		cells++;
	}
	if (s->rows > 0 && cells > s->columns)
		s->columns = cells;
	return cells > 0;
}

/* Load the part that a relationship's id refers to. */
static int
load_sheet(struct xlsx *x, const char *id, size_t idlen, size_t max)
{
	const char *p = x->rels.data, *end = p + x->rels.len, *v;
	char path[256];
	struct ctx_tag t;
	size_t n;

	while (ctx_tag_next(p, end, "Relationship", &t)) {
		p = t.end;
		if (!ctx_tag_attr(&t, "Id", &v, &n) || n != idlen ||
		    memcmp(v, id, n) != 0 ||
		    !ctx_tag_attr(&t, "Target", &v, &n) ||
		    n > sizeof(path) - 4)
			continue;
		if (*v == '/') {
			memcpy(path, v + 1, n - 1);
			path[n - 1] = '\0';
		} else {
			memcpy(path, "xl/", 3);
			memcpy(path + 3, v, n);
			path[n + 3] = '\0';
		}
		return load(x, path, &x->part, max);
	}
	return load(x, "", &x->part, 0);
}

/* Add a sheet's name and size to the names of the digest. */
static int
name_sheet(struct ctx_digest *d, const struct ctx_tag *t,
    const struct sheet *s, struct ctx_err *err)
{
	struct ctx_buf title = { 0 };
	const char *v;
	size_t n;
	int rc;

	if (ctx_tag_attr(t, "name", &v, &n))
		ctx_tag_text(&title, v, n);
	if (s->rows > 0)
		ctx_buf_addf(&title, " %llu×%llu",
		    (unsigned long long)s->rows,
		    (unsigned long long)s->columns);
	if ((rc = ctx_buf_fail(&title, err)) == 0)
		rc = ctx_digest_name(d, CTX_SHEETS, title.data, title.len,
		    err);
	ctx_buf_done(&title);
	return rc;
}

/*
 * Add the figures of a workbook of count sheets, whose first may have a
 * header.
 */
static void
book_figures(struct ctx_digest *d, size_t count, const struct sheet *first,
    int header)
{
	if (count > 1)
		ctx_digest_figure(d, CTX_FIG_SHEETS, count);
	else if (count == 1 && first->rows > 0) {
		ctx_digest_figure(d, CTX_FIG_ROWS, first->rows -
		    (uint64_t)header);
		if (!header)
			ctx_digest_figure(d, CTX_FIG_COLUMNS, first->columns);
	} else
		ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
}

static int
read_book(struct ctx_digest *d, struct xlsx *x, struct ctx_err *err)
{
	const char *p, *end, *id;
	struct sheet s, first = { 0 };
	struct ctx_tag t;
	size_t idlen, max, count = 0;
	int header = 0;

	if (load(x, "xl/workbook.xml", &x->book, PART_MAX) == -1 ||
	    load(x, "xl/_rels/workbook.xml.rels", &x->rels, PART_MAX) == -1 ||
	    load_strings(x) == -1 || load(x, "", &x->part, 0) == -1)
		return ctx_fail_nomem(err);
	p = x->book.data;
	end = p + x->book.len;
	while (ctx_tag_next(p, end, "sheet", &t)) {
		p = t.end;
		memset(&s, 0, sizeof(s));
		if (count < SHEETS_MAX && ctx_tag_attr(&t, ":id", &id, &idlen)) {
			max = count == 0 ? PART_MAX : HEAD_MAX;
			if (load_sheet(x, id, idlen, max) == -1)
				return ctx_fail_nomem(err);
			measure(x, &s, max);
		}
		if (count++ == 0) {
			if ((header = read_header(d, x, &s, err)) == -1)
				return -1;
			first = s;
		}
		if (name_sheet(d, &t, &s, err) == -1)
			return -1;
	}
	book_figures(d, count, &first, header);
	return 0;
}

int
ctx_format_xlsx(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	struct xlsx x = { 0 };
	int rc;

	if (ctx_zip_open(&x.zip, data, len) == -1) {
		ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
		return 0;
	}
	rc = read_book(d, &x, err);
	ctx_buf_done(&x.book);
	ctx_buf_done(&x.rels);
	ctx_buf_done(&x.part);
	ctx_buf_done(&x.strings);
	free(x.string);
	return rc;
}
