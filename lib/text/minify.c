/* SPDX-License-Identifier: MIT */
/* JSON without white space; see minify.h. */
#include "text/minify.h"

#include "read/node.h"

#define ROWS	3	/* objects from which a table is worth it */

enum form { NO_JSON, ONE_VALUE, LINES };

static int
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The first byte of the character at byte i; *used is set to its spelling. */
static char
char_at(struct ctx_str s, size_t i, size_t *used)
{
	char c[4];
	size_t n;

	*used = 1;
	if (s.p[i] != '\\')
		return s.p[i];
	*used = ctx_str_escape(s.p + i, s.len - i, c, &n);
	return c[0];
}

/* Does the text begin as an object or a list does?  Most others do not. */
static int
may_be_json(struct ctx_str s)
{
	size_t i, used;
	char c = ' ';

	for (i = 0; i < s.len && is_space(c); i += used)
		c = char_at(s, i, &used);
	return c == '{' || c == '[';
}

/* Is it JSON Lines?  -1 if out of memory. */
static int
is_lines(struct ctx_doc *doc, const char *p, size_t len)
{
	size_t i, n, lines = 0;
	int rc;

	for (i = 0;; i += n, lines++) {
		while (i < len && is_space(p[i]))
			i++;
		if (i == len)
			return lines >= 2;
		if (p[i] != '{' && p[i] != '[')
			return 0;
		n = ctx_scan_newline(p + i, len - i);
		if ((rc = ctx_doc_try(doc, p + i, n)) != 1)
			return rc;
	}
}

/* Decode the text into plain and find out its form.  0, or -1. */
static int
form_of(struct ctx_doc *doc, struct ctx_str text, struct ctx_buf *plain,
    enum form *form)
{
	int rc;

	*form = NO_JSON;
	if (!may_be_json(text))
		return 0;
	ctx_buf_reset(plain);
	if (ctx_str_decode(plain, text.p, text.len) == -1 ||
	    (rc = ctx_doc_try(doc, plain->data, plain->len)) == -1)
		return -1;
	*form = ONE_VALUE;
	if (rc == 1)
		return 0;
	rc = is_lines(doc, plain->data, plain->len);
	*form = rc == 1 ? LINES : NO_JSON;
	return rc == -1 ? -1 : 0;
}

/* Append s, which is JSON, without white space between its tokens. */
static void
strip(struct ctx_str s, enum form form, struct ctx_buf *out)
{
	int string = 0, escape = 0, line = 0;
	size_t i, used, from = 0;
	char c;

	for (i = 0; i < s.len; i += used) {
		c = char_at(s, i, &used);
		if (string) {
			string = escape || c != '"';
			escape = !escape && c == '\\';
			continue;
		}
		if (is_space(c)) {
			ctx_buf_add(out, s.p + from, i - from);
			from = i + used;
			line |= c == '\n' && out->len > 0;
			continue;
		}
		/* in JSON Lines no value has a line end outside a string */
		if (line && form == LINES)
			ctx_buf_adds(out, "\\n");
		line = 0;
		string = c == '"';
	}
	ctx_buf_add(out, s.p + from, s.len - from);
	if (line && form == LINES)
		ctx_buf_adds(out, "\\n");
}

int
ctx_minify(struct ctx_doc *doc, struct ctx_str text, struct ctx_buf *plain,
    struct ctx_buf *out)
{
	enum form form;

	if (form_of(doc, text, plain, &form) == -1)
		return -1;
	if (form == NO_JSON)
		return 0;
	strip(text, form, out);
	return out->failed ? -1 : !ctx_str_same(ctx_str_of(out), text);
}

/* --- tables -------------------------------------------------------------- */

/* The text by the bytes of what it spells; only forward. */
struct reader {
	struct ctx_str text;
	size_t at, plain;	/* a byte of text, and of what it spells */
};

static void
skip_to(struct reader *r, size_t plain)
{
	r->at += ctx_str_spelling(r->text.p + r->at, r->text.len - r->at,
	    plain - r->plain);
	r->plain = plain;
}

/* The spelling of bytes from up to to. */
static struct ctx_str
spelled(struct reader *r, size_t from, size_t to)
{
	struct ctx_str s;

	skip_to(r, from);
	s.p = r->text.p + r->at;
	skip_to(r, to);
	s.len = (uint32_t)(r->text.p + r->at - s.p);
	return s;
}

static size_t
end_of(const struct ctx_doc *doc, uint32_t node)
{
	return doc->node[node].off + (size_t)doc->node[node].len;
}

/* Has object b the members of a, and do both have only plain values? */
static int
is_like(const struct ctx_doc *doc, uint32_t a, uint32_t b)
{
	uint32_t end = doc->node[a].next, n;
	char type;

	if (ctx_node_type(doc, b) != '{' || doc->node[b].next - b != end - a)
		return 0;
	for (n = 1; n < end - a; n += 2) {
		type = ctx_node_type(doc, b + n + 1);
		if (type == '{' || type == '[' || !ctx_str_same(
		    ctx_node_json(doc, a + n), ctx_node_json(doc, b + n)))
			return 0;
	}
	return 1;
}

/* The number of rows of the table that list becomes; 0 if it stays. */
static uint32_t
rows_of(const struct ctx_doc *doc, uint32_t list)
{
	size_t at = doc->node[list].off + (size_t)1;
	uint32_t e, n = 0;

	if (list + 1 >= doc->n || doc->node[list + 1].next - list - 1 < 3)
		return 0;
	CTX_FOR_LIST(doc, e, list) {
		/* numbers in lists have no nodes */
		if (!is_like(doc, list + 1, e) || ctx_node_commas(doc, at,
		    doc->node[e].off) != (n > 0))
			return 0;
		at = end_of(doc, e);
		n++;
	}
	return n >= ROWS && ctx_node_commas(doc, at, end_of(doc, list)) == 0 ?
	    n : 0;
}

static int
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '_' ||
	    c == '-' || c == '.';
}

/* Append the name of key node k, with quotes if it needs them. */
static void
put_name(struct reader *r, const struct ctx_doc *doc, uint32_t k,
    struct ctx_buf *out)
{
	struct ctx_str name = ctx_node_str(doc, k), s;
	size_t quote = name.len > 0, i;

	for (i = 0; i < name.len; i++)
		quote &= is_plain(name.p[i]);

	s = spelled(r, doc->node[k].off + quote, end_of(doc, k) - quote);
	ctx_buf_add(out, s.p, s.len);
}

/* May p[0 .. len) be taken for a number? */
static int
is_number(const char *p, size_t len)
{
	size_t i = len > 0 && *p == '-', from = i;

	while (i < len && p[i] >= '0' && p[i] <= '9')
		i++;
	if (i == from)
		return 0;
	if (i < len && p[i] == '.')
		for (i++; i < len && p[i] >= '0' && p[i] <= '9';)
			i++;
	if (i < len && (p[i] == 'e' || p[i] == 'E')) {
		i += 1 + (i + 1 < len && (p[i + 1] == '+' || p[i + 1] == '-'));
		while (i < len && p[i] >= '0' && p[i] <= '9')
			i++;
	}
	return i == len;
}

/*
 * Is it of a letter beyond ASCII?  Of no space and no line end: these are in the
 * blocks that begin with the bytes that are left out.
 */
static int
is_letter(char c)
{
	unsigned char u = (unsigned char)c;

	return u >= 0x80 && u != 0xc2 && u != 0xe1 && u != 0xe2 &&
	    u != 0xe3 && u != 0xef;
}

/* Is a string, in a row, known for what it is without quotes? */
static int
is_bare(struct ctx_str s)
{
	uint32_t i;

	if (s.len == 0 || is_number(s.p, s.len) || ctx_str_is(s, "true") ||
	    ctx_str_is(s, "false") || ctx_str_is(s, "null") ||
	    s.p[0] == ' ' || s.p[s.len - 1] == ' ')
		return 0;
	for (i = 0; i < s.len; i++)
		if (!is_plain(s.p[i]) && !is_letter(s.p[i]) &&
		    (s.p[i] == '\0' || strchr(i == 0 ? "/" : " /:@+",
		    s.p[i]) == NULL))
			return 0;
	return 1;
}

static void
put_value(struct reader *r, const struct ctx_doc *doc, uint32_t v,
    struct ctx_buf *out)
{
	int bare = ctx_node_type(doc, v) == '"' && is_bare(ctx_node_str(doc,
	    v));
	struct ctx_str s;

	s = spelled(r, doc->node[v].off + (size_t)bare,
	    end_of(doc, v) - (size_t)bare);
	ctx_buf_add(out, s.p, s.len);
}

static void
put_table(struct reader *r, const struct ctx_doc *doc, uint32_t list,
    uint32_t rows, struct ctx_buf *out)
{
	struct reader names = *r;
	uint32_t e, k;

	ctx_buf_addf(out, "[%u rows: ", rows);
	CTX_FOR_KEYS(doc, k, list + 1) {
		if (k > list + 2)
			ctx_buf_addc(out, ',');
		put_name(&names, doc, k, out);
	}
	ctx_buf_addc(out, ']');
	CTX_FOR_LIST(doc, e, list)
		CTX_FOR_KEYS(doc, k, e) {
			ctx_buf_adds(out, k > e + 1 ? "," : "\\n");
			put_value(r, doc, k + 1, out);
		}
	if (list > 0)
		ctx_buf_adds(out, "\\n");
}

int
ctx_minify_tables(struct ctx_doc *doc, struct ctx_str text,
    struct ctx_buf *plain, struct ctx_buf *out)
{
	struct reader r = { .text = text };
	uint32_t i, rows, tables = 0;
	enum form form;
	size_t at = 0;

	if (form_of(doc, text, plain, &form) == -1)
		return -1;
	if (form != ONE_VALUE)
		return 0;
	for (i = 0; i < doc->n;) {
		rows = ctx_node_type(doc, i) == '[' ? rows_of(doc, i) : 0;
		if (rows == 0) {
			i++;
			continue;
		}
		strip(spelled(&r, at, doc->node[i].off), form, out);
		put_table(&r, doc, i, rows, out);
		at = end_of(doc, i);
		i = doc->node[i].next;
		tables++;
	}
	strip(spelled(&r, at, plain->len), form, out);
	return out->failed ? -1 : tables > 0;
}
