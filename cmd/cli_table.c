/* SPDX-License-Identifier: MIT */
/* Rows as a table; see cli_table.h. */
#include "cli_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/when.h"
#include "read/node.h"
#include "show/width.h"

#define GAP	2	/* columns between columns */
#define ROOM	16	/* a text is cut to less after names of columns, */
#define NARROW	8	/* and not to less than this */
#define NAME	4	/* nor is a name cut to less */
#define YEAR	5	/* columns of "2026-" */
#define WIDE	200	/* nor is it measured beyond this */

/* --- cells --------------------------------------------------------------- */

/* Is it a time as ctx prints them? */
static int
scan_time(struct ctx_str s, int64_t *t)
{
	return s.len == CTX_WHEN_SIZE - 1 && s.p[10] == 'T' &&
	    ctx_when_scan(s.p, s.len, t) == 0;
}

/* Append a time in the user's zone, to the minute. */
static int
add_time(const struct cli_table *t, struct ctx_buf *out, struct ctx_str s)
{
	char text[32];
	time_t seconds;
	struct tm tm;
	int64_t when;

	if (!scan_time(s, &when))
		return 0;
	seconds = (time_t)(when / CTX_SECOND);
	if (localtime_r(&seconds, &tm) == NULL ||
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm) == 0)
		return 0;
	ctx_buf_adds(out, t->brief ? text + YEAR : text);
	return 1;
}

/* Put what the value at node says into t->cell. */
static void
set_cell(struct cli_table *t, uint32_t node)
{
	struct ctx_buf text = { 0 };
	size_t i;

	ctx_buf_reset(&t->cell);
	switch (ctx_node_type(&t->doc, node)) {
	case 'n':
	case 'f':
		return;
	case 't':
		ctx_buf_adds(&t->cell, "yes");
		return;
	case '"':
		if (add_time(t, &t->cell, ctx_node_str(&t->doc, node)))
			return;
		ctx_node_decode(&text, &t->doc, node);
		break;
	default:
		ctx_node_put(&text, &t->doc, node);
	}
	for (i = 0; i < text.len; i++)
		if (text.data[i] == '\n' || text.data[i] == '\t')
			text.data[i] = ' ';
	ctx_width_print(&t->cell, text.data, text.len);
	t->cell.failed |= text.failed;
	ctx_buf_done(&text);
}

static int
is_number(const struct cli_table *t, uint32_t node)
{
	char c = ctx_node_type(&t->doc, node);

	return c == '-' || isdigit((unsigned char)c) || c == 'n';
}

static int
is_time(const struct cli_table *t, uint32_t node)
{
	int64_t ignored;

	return ctx_node_type(&t->doc, node) == '"' &&
	    scan_time(ctx_node_str(&t->doc, node), &ignored);
}

/* --- columns ------------------------------------------------------------- */

/* Is key node k the name of column i? */
static int
is_column(const struct cli_table *t, uint32_t k, size_t i)
{
	return ctx_doc_key_is(&t->doc, k, t->column[i].name,
	    strlen(t->column[i].name));
}

/* What stands above a column: THREAD for thread_id. */
static void
set_heading(struct cli_table *t, const struct cli_column *c)
{
	size_t len = strlen(c->name), i;

	if (len > 3 && strcmp(c->name + len - 3, "_id") == 0)
		len -= 3;
	if (len > 3 && strcmp(c->name + len - 3, "_at") == 0)
		len -= 3;
	ctx_buf_reset(&t->cell);
	for (i = 0; i < len; i++)
		ctx_buf_addc(&t->cell, c->name[i] == '_' ? ' ' :
		    (char)toupper((unsigned char)c->name[i]));
}

static int
add_column(struct cli_table *t, uint32_t k, struct ctx_err *err)
{
	struct ctx_str name = ctx_node_str(&t->doc, k);
	struct cli_column *c;

	if (CTX_ROOM(t->column, t->ncolumn, &t->capcolumn) == -1)
		return ctx_fail_nomem(err);
	c = &t->column[t->ncolumn];
	memset(c, 0, sizeof(*c));
	if ((c->name = strndup(name.p, name.len)) == NULL)
		return ctx_fail_nomem(err);
	t->ncolumn++;
	set_heading(t, c);
	c->width = t->cell.len;
	return ctx_buf_fail(&t->cell, err);
}

static int
is_hidden(const struct cli_table *t, uint32_t k)
{
	const char *name = t->hidden;
	size_t n;

	for (; name != NULL && *name != '\0'; name += n + (name[n] != '\0')) {
		n = strcspn(name, " ");
		if (ctx_doc_key_is(&t->doc, k, name, n))
			return 1;
	}
	return 0;
}

/* Measure the columns by the row in t->doc. */
static int
measure(struct cli_table *t, struct ctx_err *err)
{
	struct cli_column *c;
	size_t i, w;
	uint32_t k;

	for (k = 1; k < t->doc.node[0].next; k = t->doc.node[k + 1].next) {
		if (is_hidden(t, k))
			continue;
		for (i = 0; i < t->ncolumn && !is_column(t, k, i); i++)
			;
		if (i == t->ncolumn && add_column(t, k, err) == -1)
			return -1;
		c = &t->column[i];
		set_cell(t, k + 1);
		if (ctx_buf_fail(&t->cell, err) == -1)
			return -1;
		w = t->cell.len == 0 ? 0 : ctx_width_of(t->cell.data,
		    t->cell.len < WIDE * 4 ? t->cell.len : WIDE * 4);
		c->width = w > c->width ? w : c->width;
		c->data = w > c->data ? w : c->data;
		c->filled |= t->cell.len > 0;
		c->text |= !is_number(t, k + 1);
		c->prose |= !is_number(t, k + 1) && !is_time(t, k + 1);
	}
	return 0;
}

/* The columns of a line. */
static size_t
width_of(const struct cli_table *t)
{
	const struct cli_column *c;
	size_t sum = 0;

	for (c = t->column; c < t->column + t->ncolumn; c++)
		if (c->filled)
			sum += c->width + (sum > 0 ? GAP : 0);
	return sum;
}

/*
 * Make the widest columns narrower until a line fits: texts, but not to less than
 * least, or with least 0 those that are only as wide as their names.
 */
static void
narrow(struct cli_table *t, size_t least)
{
	struct cli_column *c, *widest;
	size_t min;

	while (width_of(t) > t->columns) {
		widest = NULL;
		for (c = t->column; c < t->column + t->ncolumn; c++) {
			min = least > 0 ? least : c->data > NAME ? c->data :
			    NAME;
			if (c->filled && (least > 0) == c->prose &&
			    c->width > min && (widest == NULL ||
			    c->width > widest->width))
				widest = c;
		}
		if (widest == NULL)
			return;
		widest->width--;
	}
}

/* Leave out the year of times. */
static void
shorten_times(struct cli_table *t)
{
	struct cli_column *c;

	t->brief = 1;
	for (c = t->column; c < t->column + t->ncolumn; c++)
		if (c->text && !c->prose && c->data == c->width)
			c->width -= YEAR;
}

static void
fit(struct cli_table *t)
{
	narrow(t, ROOM);
	if (width_of(t) > t->columns)
		shorten_times(t);
	narrow(t, 0);
	narrow(t, NARROW);
}

/* --- lines --------------------------------------------------------------- */

/* The length of the word at p[0 .. len) that is to be marked, or 0. */
static size_t
marked(const struct cli_table *t, const char *p, size_t len)
{
	const char *word = t->mark;
	size_t n;

	for (; word != NULL && *word != '\0'; word += n + (word[n] != '\0')) {
		n = strcspn(word, " \"");
		if (n > 0 && n <= len && strncasecmp(p, word, n) == 0)
			return n;
	}
	return 0;
}

/* Append t->cell[0 .. len), with words marked or not. */
static void
add_cell(struct cli_table *t, size_t len, int mark)
{
	const char *p = t->cell.data;
	size_t i, n;

	for (i = 0; i < len; i += n) {
		n = mark ? marked(t, p + i, len - i) : 0;
		if (n > 0)
			ctx_buf_adds(&t->line, "\033[1m");
		ctx_buf_add(&t->line, p + i, n > 0 ? n : 1);
		if (n > 0)
			ctx_buf_adds(&t->line, "\033[22m");
		n = n > 0 ? n : 1;
	}
}

/* Append the cell of a column, which is not the last one if more follow. */
static void
put_cell(struct cli_table *t, const struct cli_column *c, int more)
{
	size_t len = t->cell.len, w = len == 0 ? 0 :
	    ctx_width_of(t->cell.data, len), pad;
	int cut = w > c->width;

	if (cut) {
		len = ctx_width_cut(t->cell.data, len, c->width - 1);
		w = ctx_width_of(t->cell.data, len) + 1;
	}
	for (pad = c->width - w; !c->text && pad > 0; pad--)
		ctx_buf_addc(&t->line, ' ');
	add_cell(t, len, t->color && !more && !t->heading);
	if (cut)
		ctx_buf_adds(&t->line, "\u2026");
	for (pad = more ? GAP + (c->text ? c->width - w : 0) : 0; pad > 0;
	    pad--)
		ctx_buf_addc(&t->line, ' ');
}

/* Write a line: of headings, or of the row in t->doc. */
static int
put_line(struct cli_table *t, int headings, struct ctx_err *err)
{
	uint32_t node;
	size_t i, more = 0;

	ctx_buf_reset(&t->line);
	if (headings && t->color)
		ctx_buf_adds(&t->line, "\033[1m");
	for (i = 0; i < t->ncolumn; i++)
		more += (size_t)t->column[i].filled;
	for (i = 0; i < t->ncolumn; i++) {
		if (!t->column[i].filled)
			continue;
		node = headings ? CTX_NONE : ctx_doc_get(&t->doc, 0,
		    t->column[i].name, strlen(t->column[i].name));
		t->heading = headings;
		ctx_buf_reset(&t->cell);
		if (headings)
			set_heading(t, &t->column[i]);
		else if (node != CTX_NONE)
			set_cell(t, node);
		put_cell(t, &t->column[i], --more > 0);
		t->line.failed |= t->cell.failed;
	}
	while (t->line.len > 0 && t->line.data[t->line.len - 1] == ' ')
		t->line.len--;
	ctx_buf_adds(&t->line, headings && t->color ? "\033[0m\n" : "\n");
	return ctx_buf_fail(&t->line, err) == -1 ? -1 :
	    t->write(t->line.data, t->line.len, err);
}

/* Write the headings and the rows so far. */
static int
begin(struct cli_table *t, struct ctx_err *err)
{
	const char *p = t->rows.data, *end = p + t->rows.len, *nl;

	t->begun = 1;
	if (t->nrow == 0)
		return 0;
	fit(t);
	if (put_line(t, 1, err) == -1)
		return -1;
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (ctx_doc_scan(&t->doc, p, (size_t)(nl - p), err) == -1 ||
		    put_line(t, 0, err) == -1)
			return -1;
	}
	return 0;
}

int
cli_table_row(struct cli_table *t, const char *row, size_t len,
    struct ctx_err *err)
{
	if (ctx_doc_scan(&t->doc, row, len, err) == -1)
		return -1;
	if (t->begun)
		return put_line(t, 0, err);
	if (measure(t, err) == -1)
		return -1;
	ctx_buf_add(&t->rows, row, len);
	if (ctx_buf_fail(&t->rows, err) == -1)
		return -1;
	return ++t->nrow < CLI_TABLE_ROWS ? 0 : begin(t, err);
}

int
cli_table_end(struct cli_table *t, struct ctx_err *err)
{
	return t->begun ? 0 : begin(t, err);
}

void
cli_table_done(struct cli_table *t)
{
	size_t i;

	for (i = 0; i < t->ncolumn; i++)
		free(t->column[i].name);
	free(t->column);
	ctx_buf_done(&t->rows);
	ctx_buf_done(&t->cell);
	ctx_buf_done(&t->line);
	ctx_doc_done(&t->doc);
}
