/* SPDX-License-Identifier: MIT */
/* Tables in text form: RFC 4180 with the delimiter that the text suggests. */
#include <string.h>
#include <strings.h>

#include "digest/format.h"

#define SNIFF_ROWS	20
#define SNIFF_BYTES	((size_t)64 << 10)

/*
 * The position after the newline that ends the record at p, or end; NULL if a
 * quote is still open there.  A quote opens a field only at the field's
 * start.  If quotes is 0, quotes are ordinary characters.
 */
static const char *
record_end(const char *p, const char *end, char delim, int quotes)
{
	const char *nl;
	int quoted = 0, start = 1;

	nl = memchr(p, '\n', (size_t)(end - p));
	nl = nl == NULL ? end : nl + 1;
	if (!quotes || memchr(p, '"', (size_t)(nl - p)) == NULL)
		return nl;
	for (; p < end; p++) {
		if (quoted) {
			if (*p == '"') {
				if (p + 1 < end && p[1] == '"')
					p++;
				else
					quoted = 0;
			}
		} else if (*p == '"' && start)
			quoted = 1;
		else if (*p == '\n')
			return p + 1;
		start = !quoted && *p == delim;
	}
	return quoted ? NULL : end;
}

static int
is_empty_row(const char *p, const char *next)
{
	return next - p == 1 ? *p == '\n' || *p == '\r' :
	    next - p == 2 && p[0] == '\r' && p[1] == '\n';
}

/*
 * The field at p, without its quotes; returns the position after its
 * delimiter.
 */
static const char *
next_field(const char *p, const char *end, char delim, int quotes,
    const char **text, size_t *len)
{
	const char *q = p;

	if (quotes && p < end && *p == '"') {
		for (q = ++p; q < end; q++)
			if (*q == '"') {
				if (q + 1 < end && q[1] == '"')
					q++;
				else
					break;
			}
		*len = (size_t)(q - p);
		while (q < end && *q != delim)
			q++;
	} else {
		while (q < end && *q != delim)
			q++;
		*len = (size_t)(q - p);
	}
	*text = p;
	return q < end ? q + 1 : end;
}

/*
 * Two or more lines that begin with # are comments, not rows; *last is the last
 * of them.  Returns the position after them, or p.
 */
static const char *
skip_comments(const char *p, const char *end, const char **last)
{
	const char *q = p, *nl;
	size_t n = 0;

	for (; q < end && *q == '#'; q = nl == NULL ? end : nl + 1) {
		*last = q;
		nl = memchr(q, '\n', (size_t)(end - q));
		n++;
	}
	return n > 1 ? q : p;
}

static size_t
count_fields(const char *p, const char *end, char delim)
{
	const char *text;
	size_t len, n = 0;

	if (end > p && end[-1] == '\n')
		end--;
	do {
		n++;
		p = next_field(p, end, delim, 1, &text, &len);
	} while (p < end);
	return n;
}

/*
 * How well delim explains the first rows: the number of fields if nearly all
 * rows have that many, or 0 if not or if it is 1.
 */
static size_t
score(const char *p, const char *end, int cut, char delim, size_t *rows)
{
	const char *next;
	size_t first = 0, same = 0, n = 0, fields;

	for (; p < end && n < SNIFF_ROWS; p = next) {
		next = record_end(p, end, delim, 1);
		if (next == NULL)
			next = end;
		if ((cut && next == end) || is_empty_row(p, next))
			continue;
		fields = count_fields(p, next, delim);
		if (n++ == 0)
			first = fields;
		same += fields == first;
	}
	*rows = n;
	return first > 1 && same * 10 >= n * 8 ? first : 0;
}

/*
 * Excel's first line "sep=;" names the delimiter and is no row.  Returns its
 * length, 0 if there is none.
 */
static size_t
named_delimiter(const char *p, size_t len, char *delim)
{
	size_t n = 6;

	if (len > 1 && *p == '"')		/* quoted as a whole */
		n = 8;
	if (len < n || strncasecmp(p + (n == 8), "sep=", 4) != 0)
		return 0;
	if (p[n - 1] == '\r' && n < len)
		n++;
	if (p[n - 1] != '\n')
		return 0;
	*delim = p[*p == '"' ? 5 : 4];
	return *delim == '\n' || *delim == '\r' ? 0 : n;
}

static char
sniff(const char *p, size_t len, size_t *rows)
{
	static const char delims[] = ",;\t|";
	int cut = len > SNIFF_BYTES;	/* ignore the last row if truncated */
	const char *end = p + (cut ? SNIFF_BYTES : len), *last;
	size_t best = 0, n;
	char delim = '\0';
	int i;

	p = skip_comments(p, end, &last);
	for (i = 0; i < 4; i++)
		if ((n = score(p, end, cut, delims[i], rows)) > best) {
			best = n;
			delim = delims[i];
		}
	return delim;
}

int
ctx_format_looks_csv(const char *data, size_t len)
{
	size_t rows;
	char delim;
	const char *nl, *p, *last, *end = data + len;

	if (named_delimiter(data, len, &delim) > 0)
		return 1;
	delim = sniff(data, len, &rows);
	if (delim == '\0' || rows < 3)
		return 0;
	/* Prose contains commas too, but column headings are not long. */
	data = skip_comments(data, end, &last);
	nl = memchr(data, '\n', (size_t)(end - data));
	nl = nl == NULL ? end : nl;
	for (p = data; p + 1 < nl; p++)
		if (*p == ' ' && p[1] == ' ')
			return 0;
	return delim != ',' || memmem(data, (size_t)(nl - data), ". ", 2) ==
	    NULL;
}

static int
is_number(const char *p, size_t len)
{
	size_t i, digits = 0;
	int hex;

	for (; len > 0 && *p == ' '; len--)
		p++;
	hex = len > 2 && p[0] == '0' && (p[1] | 32) == 'x';
	for (i = hex ? 2 : 0; i < len; i++) {
		if (hex && (p[i] | 32) >= 'a' && (p[i] | 32) <= 'f')
			digits++;
		else if (p[i] >= '0' && p[i] <= '9')
			digits++;
		else if (strchr("+-.,:/eE% $", p[i]) == NULL || p[i] == '\0')
			return 0;
	}
	return digits > 0;
}

/* A number of four digits, or 0. */
static unsigned
year_of(const char *p, size_t len)
{
	unsigned n = 0;
	size_t i;

	if (len != 4)
		return 0;
	for (i = 0; i < 4; i++) {
		if (p[i] < '0' || p[i] > '9')
			return 0;
		n = n * 10 + (unsigned)(p[i] - '0');
	}
	return n;
}

/*
 * A first row of names is a header.  One that goes on with years, each the next
 * of the one before, is one as well; other numbers are values.
 */
static int
is_header(const char *p, const char *end, char delim, int quotes)
{
	const char *text;
	size_t len, named = 0, years = 0;
	unsigned year, last = 0;

	do {
		p = next_field(p, end, delim, quotes, &text, &len);
		if (!is_number(text, len)) {
			named += len > 0;
			continue;
		}
		year = year_of(text, len);
		if (named == 0 || year == 0 || (years++ > 0 &&
		    year != last + 1))
			return 0;
		last = year;
	} while (p < end);
	return named > 0 && years != 1;
}

/*
 * Number of rows that are not empty, nor a comment if there are such, or -1 if a
 * quote is never closed.
 */
static int64_t
count_rows(const char *p, const char *end, char delim, int quotes,
    int comments)
{
	const char *next;
	int64_t rows = 0;

	for (; p < end; p = next) {
		next = record_end(p, end, delim, quotes);
		if (next == NULL)
			return -1;
		rows += !is_empty_row(p, next) && !(comments && *p == '#');
	}
	return rows;
}

/* The end of the row at p, without its newline. */
static const char *
row_end(const char *p, const char *end, char delim, int quotes)
{
	if (p < end && (end = record_end(p, end, delim, quotes)) == NULL)
		end = p;
	while (end > p && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	return end;
}

/* Add the columns that the row [p, end) names. */
static int
add_columns(struct ctx_digest *d, const char *p, const char *end, char delim,
    int quotes, struct ctx_err *err)
{
	const char *text, *from;
	size_t n, i;

	while (p < end) {
		from = p;
		p = next_field(p, end, delim, quotes, &text, &n);
		ctx_buf_reset(&d->scratch);
		for (i = 0; i < n; i++) {
			ctx_buf_addc(&d->scratch, text[i]);
			if (text > from && text[i] == '"')
				i++;		/* of two in quotes */
		}
		if (ctx_buf_fail(&d->scratch, err) == -1 ||
		    ctx_digest_name(d, CTX_COLUMNS, d->scratch.data,
		    d->scratch.len, err) == -1)
			return -1;
	}
	return 0;
}

static int
read_table(struct ctx_digest *d, const char *data, size_t len, char delim,
    struct ctx_err *err)
{
	const char *all = data + len, *last = NULL;
	const char *p = skip_comments(data, all, &last), *end, *head;
	int quotes = 1, comments = p > data, named;
	int64_t rows;

	if ((rows = count_rows(p, all, delim, 1, comments)) == -1) {
		quotes = 0;
		rows = count_rows(p, all, delim, 0, comments);
	}
	while (p < all && (*p == '\n' || *p == '\r'))
		p++;
	end = row_end(p, all, delim, quotes);
	/* the last comment may have the names */
	if (comments && p < end) {
		head = row_end(last + 1, all, delim, 0);
		if (count_fields(last + 1, head, delim) >=
		    count_fields(p, end, delim) &&
		    count_fields(p, end, delim) > 1 &&
		    is_header(last + 1, head, delim, 0)) {
			ctx_digest_figure(d, CTX_FIG_ROWS, (uint64_t)rows);
			return add_columns(d, last + 1, head, delim, 0, err);
		}
	}
	named = p < end && d->from <= 1 && is_header(p, end, delim, quotes);
	ctx_digest_figure(d, CTX_FIG_ROWS, (uint64_t)(rows - named));
	if (named)
		return add_columns(d, p, end, delim, quotes, err);
	if (p < end)
		ctx_digest_figure(d, CTX_FIG_COLUMNS, count_fields(p, end,
		    delim));
	return 0;
}

int
ctx_format_csv(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	size_t rows, n;
	char delim = '\0';

	if ((n = named_delimiter(data, len, &delim)) == 0)
		delim = sniff(data, len, &rows);
	return read_table(d, data + n, len - n, delim == '\0' ? ',' : delim,
	    err);
}

int
ctx_format_tsv(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	char delim = '\t';
	size_t n = named_delimiter(data, len, &delim);

	return read_table(d, data + n, len - n, delim, err);
}
