/* SPDX-License-Identifier: MIT */
/*
 * OpenDocument (OASIS, 1.3): headings of a text, the sheets of a spreadsheet
 * with their rows and columns, and the titles of slides.  And EPUB (W3C, 3.3):
 * its title, and the entries of its table of contents.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "digest/office.h"

/* --- spreadsheets ------------------------------------------------------------ */

/* Rows and columns up to the last cell that is not empty. */
struct sheet {
	const char *name;
	size_t len;
	uint64_t rows, columns;
	uint64_t row, column;		/* the current ones, from 0 */
	uint64_t row_repeat, cell_repeat;
	int filled;			/* the row has a cell */
	int header;			/* cells of the first row: 1 if all are text */
};

static uint64_t
repeat(const struct ctx_tag *t, const char *name)
{
	const char *v;
	size_t n;
	uint64_t k = 1;

	if (ctx_tag_attr(t, name, &v, &n))
		k = strtoull(v, NULL, 10);
	return k == 0 || k > 1u << 24 ? 1 : k;
}

/* A cell; what it is filled with makes the sheet larger. */
static int
on_cell(struct ctx_office *o, struct sheet *s, const struct ctx_tag *t,
    const char **p, const char *end, int first)
{
	const char *v;
	size_t n;
	uint64_t k = repeat(t, ":number-columns-repeated");

	ctx_buf_reset(&o->text);
	if (!ctx_tag_void(t))
		ctx_office_text(o, t, p, end);
	if (ctx_tag_attr(t, ":value-type", &v, &n)) {
		s->filled = 1;
		if (s->column + k > s->columns)
			s->columns = s->column + k;
		if (first && s->rows == 0) {
			if (n != 6 || memcmp(v, "string", 6) != 0)
				s->header = 0;
			else if (ctx_office_add(o, CTX_COLUMNS) == -1)
				return -1;
		}
	}
	s->column += k;
	return 0;
}

static void
end_row(struct sheet *s)
{
	s->row += s->row_repeat;
	if (s->filled)
		s->rows = s->row;
}

static int
end_sheet(struct ctx_office *o, const struct sheet *s)
{
	ctx_buf_reset(&o->text);
	ctx_tag_text(&o->text, s->name, s->len);
	if (s->rows > 0)
		ctx_buf_addf(&o->text, " %" PRIu64 "×%" PRIu64, s->rows,
		    s->columns);
	return ctx_office_add(o, CTX_SHEETS);
}

/* Read a sheet; t opens it. */
static int
read_sheet(struct ctx_office *o, struct sheet *s, const struct ctx_tag *t,
    const char **p, const char *end, int first)
{
	struct ctx_tag in;

	memset(s, 0, sizeof(*s));
	s->header = first;
	if (!ctx_tag_attr(t, ":name", &s->name, &s->len)) {
		s->name = "";
		s->len = 0;
	}
	while (!ctx_tag_void(t) && ctx_tag_step(p, end, &in)) {
		if (ctx_tag_is(&in, "table") && in.closes)
			break;
		if (ctx_tag_is(&in, "table-row")) {
			if (in.closes || ctx_tag_void(&in)) {
				if (!in.closes) {
					s->row_repeat = repeat(&in,
					    ":number-rows-repeated");
					s->filled = 0;
				}
				end_row(s);
				continue;
			}
			s->row_repeat = repeat(&in, ":number-rows-repeated");
			s->column = 0;
			s->filled = 0;
		} else if (!in.closes && (ctx_tag_is(&in, "table-cell") ||
		    ctx_tag_is(&in, "covered-table-cell")) &&
		    on_cell(o, s, &in, p, end, first) == -1)
			return -1;
	}
	return end_sheet(o, s);
}

static int
read_sheets(struct ctx_office *o)
{
	const char *p = o->part.data, *end = p + o->part.len;
	struct sheet s, first = { 0 };
	struct ctx_tag t;
	uint64_t count = 0;

	while (ctx_tag_step(&p, end, &t)) {
		if (t.closes || !ctx_tag_is(&t, "table"))
			continue;
		if (read_sheet(o, &s, &t, &p, end, count == 0) == -1)
			return -1;
		if (count++ == 0)
			first = s;
	}
	first.header &= o->d->names.distinct[CTX_COLUMNS] > 0;
	if (!first.header)
		ctx_names_drop(&o->d->names, CTX_COLUMNS);
	if (count > 1)
		ctx_digest_figure(o->d, CTX_FIG_SHEETS, count);
	else {
		ctx_digest_figure(o->d, CTX_FIG_ROWS, first.rows -
		    (uint64_t)(first.header && first.rows > 0));
		if (!first.header)
			ctx_digest_figure(o->d, CTX_FIG_COLUMNS,
			    first.columns);
	}
	return 0;
}

/* --- texts and slides ---------------------------------------------------------- */

static int
read_headings(struct ctx_office *o)
{
	const char *p = o->part.data, *end = p + o->part.len;
	struct ctx_tag t;
	int deleted = 0;

	ctx_digest_figure(o->d, CTX_FIG_SIZE, o->d->bytes);
	while (ctx_tag_step(&p, end, &t)) {
		if (ctx_tag_is(&t, "tracked-changes"))
			deleted = !t.closes && !ctx_tag_void(&t);
		if (deleted || t.closes || !ctx_tag_is(&t, "h"))
			continue;
		ctx_office_text(o, &t, &p, end);
		if (ctx_office_add(o, CTX_HEADINGS) == -1)
			return -1;
	}
	return 0;
}

static int
read_pages(struct ctx_office *o)
{
	const char *p = o->part.data, *end = p + o->part.len, *v;
	struct ctx_tag t;
	uint64_t slides = 0;
	size_t n;

	while (ctx_tag_step(&p, end, &t)) {
		if (t.closes)
			continue;
		slides += (uint64_t)(ctx_tag_is(&t, "page"));
		if (!ctx_tag_is(&t, "frame") || !ctx_tag_attr(&t, ":class",
		    &v, &n) || n != 5 || memcmp(v, "title", 5) != 0)
			continue;
		ctx_office_text(o, &t, &p, end);
		if (ctx_office_add(o, CTX_SLIDES) == -1)
			return -1;
	}
	ctx_digest_figure(o->d, CTX_FIG_SLIDES, slides);
	ctx_digest_figure(o->d, CTX_FIG_SIZE, o->d->bytes);
	return 0;
}

int
ctx_office_odf(struct ctx_office *o)
{
	const char *p, *end;
	struct ctx_tag t;

	if (ctx_office_load(o, "content.xml", &o->part) == -1)
		return -1;
	p = o->part.data;
	end = p + o->part.len;
	while (ctx_tag_step(&p, end, &t) && !ctx_tag_is(&t, "body"))
		continue;
	if (ctx_tag_step(&p, end, &t)) {
		if (ctx_tag_is(&t, "spreadsheet")) {
			o->d->kind = CTX_FILE_TABLE;
			return read_sheets(o);
		}
		if (ctx_tag_is(&t, "presentation"))
			return read_pages(o);
	}
	return read_headings(o);
}

/* --- EPUB ---------------------------------------------------------------------- */

/* The table of contents: <text> in a .ncx, or <a> in an .xhtml. */
static int
read_contents(struct ctx_office *o, const struct ctx_buf *path)
{
	const char *p, *end;
	struct ctx_tag t;
	int ncx = path->len > 4 && memcmp(path->data + path->len - 4, ".ncx",
	    4) == 0, title = 0;

	if (ctx_office_load(o, path->data, &o->part) == -1)
		return -1;
	p = o->part.data;
	end = p + o->part.len;
	while (ctx_tag_step(&p, end, &t)) {
		if (ncx && ctx_tag_is(&t, "docTitle"))
			title = !t.closes;
		/* the list of pages is no content, and neither are landmarks */
		if (t.closes && ctx_tag_is(&t, ncx ? "navMap" : "nav"))
			break;
		if (t.closes || title || !ctx_tag_is(&t, ncx ? "text" : "a"))
			continue;
		ctx_office_text(o, &t, &p, end);
		if (ctx_office_add(o, CTX_HEADINGS) == -1)
			return -1;
	}
	return 0;
}

/* Is the manifest's item the table of contents? */
static int
is_contents(const struct ctx_tag *t)
{
	static const char ncx[] = "application/x-dtbncx+xml";
	const char *v;
	size_t n;

	return (ctx_tag_attr(t, "properties", &v, &n) && memmem(v, n, "nav",
	    3) != NULL) || (ctx_tag_attr(t, "media-type", &v, &n) &&
	    n == sizeof(ncx) - 1 && memcmp(v, ncx, n) == 0);
}

/* The package: its title, and where its contents are, relative to it. */
static int
read_package(struct ctx_office *o, const char *dir, size_t dirlen,
    struct ctx_buf *contents)
{
	const char *p = o->part.data, *end = p + o->part.len, *v;
	struct ctx_tag t;
	size_t n;
	int title = 0;

	while (ctx_tag_step(&p, end, &t)) {
		if (t.closes)
			continue;
		if (ctx_tag_is(&t, "title") && !title) {
			title = 1;
			ctx_office_text(o, &t, &p, end);
			if (ctx_office_add(o, CTX_TITLE) == -1)
				return -1;
		} else if (ctx_tag_is(&t, "item") && is_contents(&t) &&
		    ctx_tag_attr(&t, "href", &v, &n)) {
			ctx_buf_reset(contents);
			ctx_buf_add(contents, dir, dirlen);
			ctx_buf_add(contents, v, n);
		}
	}
	return 0;
}

int
ctx_office_epub(struct ctx_office *o)
{
	struct ctx_buf path = { 0 }, contents = { 0 };
	const char *p, *end, *v, *slash;
	struct ctx_tag t;
	size_t n;
	int rc = ctx_office_load(o, "META-INF/container.xml", &o->part);

	ctx_digest_figure(o->d, CTX_FIG_SIZE, o->d->bytes);
	p = o->part.data;
	end = p + o->part.len;
	while (rc == 0 && path.len == 0 && ctx_tag_step(&p, end, &t))
		if (ctx_tag_is(&t, "rootfile") && ctx_tag_attr(&t,
		    "full-path", &v, &n))
			ctx_buf_add(&path, v, n);
	if (rc == 0 && ctx_buf_str(&path) == NULL)
		rc = ctx_fail_nomem(o->err);
	if (rc == 0)
		rc = ctx_office_load(o, path.data, &o->part);
	if (rc == 0) {
		slash = strrchr(path.data, '/');
		rc = read_package(o, path.data, slash == NULL ? 0 :
		    (size_t)(slash - path.data) + 1, &contents);
	}
	if (rc == 0 && ctx_buf_str(&contents) == NULL)
		rc = ctx_fail_nomem(o->err);
	if (rc == 0)
		rc = read_contents(o, &contents);
	ctx_buf_done(&path);
	ctx_buf_done(&contents);
	return rc;
}
