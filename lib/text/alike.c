/* SPDX-License-Identifier: MIT */
/* Lines in a row that follow one pattern; see alike.h. */
#include "text/alike.h"

#include <string.h>

#include "text/textline.h"

#define LEAST	4		/* lines that are folded */
#define LONGEST	1000		/* bytes of a line */
#define WORDS	48		/* of a line */
#define GAIN	15		/* per cent that is saved at least, where
				   the line before the rows counts half as
				   much again: it is read most often */
#define PAD	4		/* bytes that are counted of white space that
				   aligns: it is about one token */
#define SAME	4		/* equal rows, which ctx_scrub_squeeze would
				   fold */

/* A word of a line: without white space in it. */
struct word {
	uint16_t gap;		/* bytes of white space before it */
	uint16_t at, len;	/* bytes of the line */
	uint16_t from, to;	/* columns, in characters */
};

struct line {
	struct ctx_textline in;
	size_t n;		/* words; 0: it is never folded */
	int found;		/* it is of a file, whose name is before it */
	struct word word[WORDS];
};

/* What the words of a run of lines have in common at one place. */
struct column {
	uint16_t head, tail;	/* equal bytes at both ends */
	uint16_t least;		/* bytes of the shortest word */
	unsigned char same;	/* all of them are equal */
	unsigned char pad;	/* the white space before it differs */
};

struct shape {
	size_t n;		/* columns */
	int open;		/* the last one goes on to the end of the line */
	struct column col[WORDS];
};

struct run {
	size_t n;		/* lines */
	size_t common;		/* bytes of a line that its row leaves out */
	struct line first;
	struct shape shape;
};

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static int
starts(const char *p, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(p, with, n) == 0;
}

/* --- lines --------------------------------------------------------------- */

static int
has(const char *p, size_t len, const char *what)
{
	const char *end = p + len;

	while ((p = memchr(p, *what, (size_t)(end - p))) != NULL) {
		if (starts(p, (size_t)(end - p), what))
			return 1;
		p++;
	}
	return 0;
}

/* May a line be of a program or a diff?  p is at its first word. */
static int
is_source(const char *p, size_t len)
{
	switch (*p) {
	case '+':
	case '@':
		return 1;
	case '-':
		/* unless it is a mode, as in -rw-r--r-- */
		return len < 10 || (p[1] != 'r' && p[1] != '-') ||
		    (p[2] != 'w' && p[2] != '-') || is_blank(p[3]);
	case '#':
		return len < 2 || !is_digit(p[1]);
	}
	return strchr(";{},\\", p[len - 1]) != NULL || has(p, len, " = ") ||
	    ctx_textline_number(p, len) > 0;
}

/* Is the name of a file before it, as grep writes it? */
static int
is_found(const char *p, size_t len)
{
	size_t i;
	int path = 0;

	for (i = 0; i < len && p[i] != ':'; i++) {
		if (is_blank(p[i]))
			return 0;
		path |= p[i] == '.' || p[i] == '/';
	}
	return path && i < len && !is_digit(p[0]);
}

/* Is there a bracket at byte i of s, and then a number, perhaps aligned? */
static int
opens_number(const char *s, size_t i, size_t len)
{
	if (s[i] != '[' && s[i] != '(')
		return 0;
	do
		i++;
	while (i < len && s[i] == ' ');
	return i < len && is_digit(s[i]);
}

/* Find the words.  0: there are too many, or bytes that no word has. */
static int
split(struct line *l)
{
	size_t i = 0, at, col = 0;
	struct word *w;

	for (;;) {
		at = i;
		while (i < l->in.len && is_blank(l->in.p[i]))
			i++;
		if (i == l->in.len)
			return l->n > 0 && (at == i ||
			    memchr(l->in.p + at, '\t', i - at) == NULL);
		if (l->n == WORDS)
			return 0;
		w = &l->word[l->n++];
		w->gap = (uint16_t)(i - at);
		w->at = (uint16_t)i;
		col += i - at;
		w->from = (uint16_t)col;
		at = opens_number(l->in.p, i, l->in.len) ? i + 1 : l->in.len;
		for (; i < at && !is_blank(l->in.p[i]); i++) {
			if ((unsigned char)l->in.p[i] < ' ')
				return 0;
			col += (l->in.p[i] & 0xc0) != 0x80;
		}
		w->len = (uint16_t)(i - w->at);
		w->to = (uint16_t)col;
	}
}

/* Find the line at byte *at of a text and its words.  0: it is at its end. */
static int
next_line(const char *text, size_t len, size_t *at, struct line *l)
{
	const struct ctx_textline *in = &l->in;
	const char *p;

	if (!ctx_textline_next(text, len, at, &l->in))
		return 0;
	l->n = 0;
	l->found = 0;
	if (in->len == 0 || in->len > LONGEST || !split(l) ||
	    has(in->p, in->len, "{}")) {
		l->n = 0;
		return 1;
	}
	p = in->p + l->word[0].at;
	if (is_source(p, in->len - l->word[0].at)) {
		l->found = is_found(in->p, in->len);
		l->n = l->found ? l->n : 0;
	}
	return 1;
}

/* --- what two words have in common --------------------------------------- */

/* May a value begin at byte i of word w, after a name? */
static int
may_begin(const char *w, size_t i)
{
	int number = i > 1 && is_digit(w[i - 2]) && is_digit(w[i]);
	size_t k;

	switch (w[i - 1]) {
	case '(':
	case '[':
	case '{':
	case '"':
	case '\'':
	case '`':
	case '=':
	case '|':
		return 1;
	case '<':
		return i == 1;
	case ',':
	case ';':
		return !number;
	case ':':
		if (number || w[i] == '/' || w[i] == '\\')
			return 0;
		/* not in an address of hexadecimal numbers */
		for (k = 0; k < i && k < 40; k++)
			if (strchr("0123456789abcdefABCDEF:", w[k]) == NULL)
				return 1;
	}
	return 0;
}

/* May a value end before byte i of word w? */
static int
may_end(const char *w, size_t i, size_t len)
{
	size_t k;

	switch (w[i]) {
	case '>':
		return i + 1 == len && w[0] == '<';
	case ')':
	case ']':
	case '}':
	case '"':
	case '\'':
	case '`':
	case '|':
		return 1;
	case ',':
	case ';':
		return i + 1 == len || !is_digit(w[i - 1]) ||
		    !is_digit(w[i + 1]);
	case ':':
		for (k = i + 1; k < len && k < i + 40; k++)
			if (strchr("0123456789abcdefABCDEF:", w[k]) == NULL)
				return 1;
		return i + 1 == len;
	}
	return 0;
}

/* The equal bytes before the values of a and b, at most max. */
static size_t
equal_head(struct ctx_str a, struct ctx_str b, size_t max)
{
	size_t n = 0, slash = 0;

	while (n < max && a.p[n] == b.p[n])
		n++;
	while (slash < n && a.p[slash] != '/')
		slash++;
	/* an address stays whole */
	if (slash < n && slash > 0 && a.p[slash - 1] == ':')
		n = slash - 1;
	/* and so does a path with brackets or values in it */
	while (n > 0 && !((n <= slash || strchr("([{=", a.p[n - 1]) == NULL) &&
	    may_begin(a.p, n) && may_begin(b.p, n)))
		n--;
	return n;
}

/* The same after them. */
static size_t
equal_tail(struct ctx_str a, struct ctx_str b, size_t max)
{
	size_t n = 0;

	while (n < max && a.p[a.len - n - 1] == b.p[b.len - n - 1] &&
	    a.p[a.len - n - 1] != '/')
		n++;
	while (n > 0 && !(may_end(a.p, a.len - n, a.len) &&
	    may_end(b.p, b.len - n, b.len)))
		n--;
	return n;
}

static struct ctx_str
word_of(const struct line *l, size_t i)
{
	return (struct ctx_str){ l->in.p + l->word[i].at, l->word[i].len };
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Reduce a column to what word b has in common with the first line's, a. */
static void
narrow(struct column *c, struct ctx_str a, struct ctx_str b, int open)
{
	if (c->same && ctx_str_same(a, b))
		return;
	c->same = 0;
	c->least = (uint16_t)least(c->least, b.len);
	c->head = (uint16_t)equal_head(a, b, least(c->head, c->least - 1u));
	c->tail = open ? 0 : (uint16_t)equal_tail(a, b,
	    least(c->tail, c->least - 1u));
	if (c->head + c->tail >= c->least)
		c->tail = 0;
}

/* --- runs ---------------------------------------------------------------- */

/* Is the white space before word i equal, or does it align a column? */
static int
same_gap(const struct line *a, const struct line *b, size_t i,
    struct column *c)
{
	const struct word *v = &a->word[i], *w = &b->word[i];
	const char *gap = a->in.p + v->at - v->gap;
	int number = is_digit(a->in.p[v->at]);

	/* indentation is not kept before aligned numbers */
	if (i == 0 && v->gap + w->gap > 0 && is_digit(b->in.p[w->at]) != number)
		return 0;
	if (v->gap == w->gap)
		return memcmp(gap, b->in.p + w->at - w->gap, v->gap) == 0;
	if (memchr(gap, '\t', v->gap) != NULL ||
	    memchr(b->in.p + w->at - w->gap, '\t', w->gap) != NULL)
		return 0;
	if (v->to != w->to && (i == 0 || v->from != w->from))
		return 0;
	if (i == 0 && !number)
		return 0;
	c->pad = 1;
	return 1;
}

/* The bytes of a line that its row leaves out. */
static size_t
common(const struct line *l, const struct shape *s)
{
	size_t i, values = 0, n = 0;

	for (i = 0; i < s->n; i++) {
		if (s->col[i].same)
			continue;
		values++;
		n += s->open && i + 1 == s->n ?
		    l->in.len - l->word[i].at - s->col[i].head :
		    (size_t)l->word[i].len - s->col[i].head - s->col[i].tail;
	}
	n += values > 0 ? values - 1 : 0;
	return l->in.len - least(l->in.len, n);
}

/* Let column i, the last one, go on to the end of the line. */
static void
open_at(struct shape *s, size_t i, struct ctx_str a, struct ctx_str b)
{
	struct column *c = &s->col[i];

	s->n = i + 1;
	s->open = 1;
	c->tail = 0;
	if (c->same) {
		c->same = 0;
		c->least = (uint16_t)a.len;
		c->head = (uint16_t)equal_head(a, b, a.len - 1u);
	}
}

/* What l and the lines of r have in common.  0: nothing. */
static int
fit(const struct run *r, const struct line *l, struct shape *s)
{
	const struct line *a = &r->first;
	size_t i;

	*s = r->shape;
	if (l->n == 0 || (l->in.end != a->in.end && l->in.end != 0) || a->in.end == 0)
		return 0;
	if (l->found)
		open_at(s, 0, word_of(a, 0), word_of(l, 0));
	for (i = 0; i < s->n; i++) {
		if (i == l->n || !same_gap(a, l, i, &s->col[i]))
			break;
		/* only a bracket has no white space after it */
		if (i > 0 && !s->col[i - 1].same && (a->word[i].gap == 0 ||
		    l->word[i].gap == 0))
			return 0;
		narrow(&s->col[i], word_of(a, i), word_of(l, i),
		    s->open && i + 1 == s->n);
	}
	if (i == 0)
		return 0;
	if (i < s->n || (!s->open && i < l->n))
		open_at(s, i - 1, word_of(a, i - 1), word_of(l, i - 1));
	return 1;
}

static void
begin(struct run *r, const struct line *l)
{
	size_t i;

	r->n = l->n > 0;
	r->first = *l;
	r->shape.n = l->found ? 1 : l->n;
	r->shape.open = l->found;
	r->common = l->in.len;
	for (i = 0; i < l->n; i++)
		r->shape.col[i] = (struct column){ .head = l->word[i].len,
		    .tail = l->word[i].len, .least = l->word[i].len,
		    .same = !l->found };
}

/*
 * Add a line to a run, unless the rows would then have much more to say.
 * Returns 1 if it was added.
 */
static int
add(struct run *r, const struct line *l)
{
	struct shape s;
	size_t n;

	if (r->n == 0 || !fit(r, l, &s))
		return 0;
	n = common(&r->first, &s);
	if (n * r->n < r->common * (r->n - 1) || n * 5 < r->first.in.len)
		return 0;
	r->shape = s;
	r->common = n;
	r->n++;
	return 1;
}

/* --- writing ------------------------------------------------------------- */

static void
put_end(struct ctx_buf *out, size_t end)
{
	ctx_buf_add(out, end == 2 ? "\r\n" : "\n", end);
}

/* Is word i only a bracket, after which a number may be aligned? */
static int
is_bracket(const struct line *l, size_t i)
{
	const char *p = l->in.p + l->word[i].at;

	return l->word[i].len == 1 && (*p == '[' || *p == '(');
}

static void
put_template(struct ctx_buf *out, const struct line *l, const struct shape *s)
{
	const struct column *c;
	const struct word *w;
	size_t i;

	for (i = 0; i < s->n; i++) {
		c = &s->col[i];
		w = &l->word[i];
		if (!c->pad)
			ctx_buf_add(out, l->in.p + w->at - w->gap, w->gap);
		else if (i > 0 && !(s->col[i - 1].same &&
		    is_bracket(l, i - 1)))
			ctx_buf_addc(out, ' ');
		ctx_buf_add(out, l->in.p + w->at, c->same ? w->len : c->head);
		if (c->same)
			continue;
		ctx_buf_adds(out, "{}");
		ctx_buf_add(out, l->in.p + w->at + w->len - c->tail, c->tail);
	}
}

static void
put_row(struct ctx_buf *out, const struct line *l, const struct shape *s)
{
	const struct column *c;
	size_t i, from, n = 0;

	for (i = 0; i < s->n; i++) {
		c = &s->col[i];
		if (c->same)
			continue;
		if (n++ > 0)
			ctx_buf_addc(out, ' ');
		from = l->word[i].at + (size_t)c->head;
		ctx_buf_add(out, l->in.p + from, s->open && i + 1 == s->n ?
		    l->in.len - from : l->word[i].at + (size_t)l->word[i].len -
		    c->tail - from);
	}
}

/* The bytes of a line, without most of what aligns it. */
static size_t
weight(const struct line *l)
{
	size_t i, n = l->in.end;

	for (i = 0; i < l->n; i++)
		n += l->word[i].len + least(l->word[i].gap, PAD);
	return n;
}

/*
 * Append the rows of a run, and set *bytes to the weight of its lines.  Returns
 * 0 if ctx_scrub_squeeze would fold the rows.
 */
static int
put_rows(struct ctx_buf *out, struct ctx_str text, const struct shape *s,
    size_t *bytes)
{
	size_t at = 0, from, was = 0, waslen = 0, same = 1;
	struct line l;

	*bytes = 0;
	while (next_line(text.p, text.len, &at, &l)) {
		*bytes += weight(&l);
		from = out->len;
		put_row(out, &l, s);
		if (out->failed)
			return 0;
		same = out->len - from == waslen && memcmp(out->data + from,
		    out->data + was, waslen) == 0 ? same + 1 : 1;
		if (same == SAME)
			return 0;
		was = from;
		waslen = out->len - from;
		put_end(out, l.in.end);
	}
	return 1;
}

/* Append a run, whose lines are text, folded if that is worth it. */
static int
put_run(struct ctx_buf *out, const struct ctx_markers *notes,
    const struct run *r, struct ctx_str text)
{
	const struct ctx_marker_said said = { .n = r->n };
	size_t from = out->len, head, bytes;

	if (r->n >= LEAST) {
		ctx_marker_put(out, notes, CTX_MARKER_LINES, &said);
		put_template(out, &r->first, &r->shape);
		ctx_buf_addc(out, ']');
		put_end(out, r->first.in.end);
		head = out->len - from;
		if (put_rows(out, text, &r->shape, &bytes) &&
		    (2 * (out->len - from) + head) * 100 <=
		    2 * bytes * (100 - GAIN))
			return 1;
		out->len = from;
	}
	ctx_buf_add(out, text.p, text.len);
	return 0;
}

uint64_t
ctx_alike_rows(struct ctx_str text)
{
	struct ctx_marker_said said;
	uint64_t n;
	const char *end = text.p + text.len, *p = text.p;

	while ((p = memchr(p, '[', (size_t)(end - p))) != NULL) {
		if (ctx_marker_at(CTX_MARKER_LINES, text,
		    (size_t)(p - text.p), &said) > 0)
			return said.n;
		p++;
		if (p == end || !is_digit(*p))
			continue;
		for (n = 0; p < end && is_digit(*p) && n < UINT32_MAX; p++)
			n = n * 10 + (uint64_t)(*p - '0');
		if (starts(p, (size_t)(end - p), " rows: "))
			return n;
	}
	return 0;
}

int
ctx_alike_fold(const char *text, size_t len, const struct ctx_markers *notes,
    struct ctx_buf *out)
{
	size_t at = 0, from = 0, line;
	struct run run = { .n = 0 };
	struct line l;
	int changed = 0;

	if (len == 0 || has(text, len, "\n@@ ") ||
	    ctx_alike_rows((struct ctx_str){ text, (uint32_t)len }) > 0)
		return 0;
	for (line = 0; next_line(text, len, &at, &l); line = at) {
		if (add(&run, &l))
			continue;
		changed |= put_run(out, notes, &run, (struct ctx_str){
		    text + from, (uint32_t)(line - from) });
		from = line;
		begin(&run, &l);
	}
	changed |= put_run(out, notes, &run,
	    (struct ctx_str){ text + from, (uint32_t)(len - from) });
	return out->failed ? -1 : changed;
}
