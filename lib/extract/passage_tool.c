/* SPDX-License-Identifier: MIT */
/* Passages of calls and results; see passage_impl.h. */
#include "extract/passage_impl.h"

#include <string.h>

#include "extract/glyph.h"
#include "read/span.h"

/* In ctx_glyph_size. */
#define CALL_MAX 32	/* of the values of a call */
#define LONG_MAX 14	/* of a deed's first value if CALL_MAX is too little */
#define RESULT_MAX 60	/* of a tool result */

/* In bytes. */
#define VALUES_MAX 8192	/* of a call's arguments, to look at */
#define VALUE_MIN 2	/* a value from this length ... */
#define VALUE_MAX 40	/* ... up to this one is a fact */
#define ID_MAX 256	/* of an identifier that is shown whole */
#define HEAD_MAX 2048	/* of a tool result, to show */
#define BODY_MAX 16384	/* of a tool result, to look for facts */

#define PROSE_MIN 2	/* spaces in a value that is prose */
#define DATA_DIGITS 3	/* from this many on, a member's name is data */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t
ctx_passage_made(const struct ctx_talk *said, size_t n)
{
	size_t i, sum = 16;

	for (i = 0; i < n; i++)
		if (said[i].kind == CTX_TALK_CALL)
			sum += said[i].toollen + 32 + 2 *
			    least(said[i].len, VALUES_MAX) +
			    least(said[i].didlen, VALUES_MAX);
		else if (said[i].kind != CTX_TALK_RESULT)
			sum += said[i].len;	/* lists on one line */
		else
			sum += 16 + 2 * least(said[i].len, HEAD_MAX);
	return sum;
}

int
ctx_passage_deed(struct ctx_passages *l, const char *text, size_t len,
    enum ctx_talk_kind kind, enum ctx_deed deed, struct ctx_err *err)
{
	struct ctx_passage *p;
	size_t at;

	if (ctx_passage_add(l, text, len, kind, err) == -1)
		return -1;
	p = &l->v[l->n - 1];
	p->deed = deed;
	p->objectlen = (uint32_t)ctx_deed_object(text, len, &at);
	p->object = (uint32_t)at;
	return 0;
}

/* Is it like credit_card_7781, which stands where names do? */
static int
is_data(const char *p, size_t len)
{
	size_t i, digits = 0;

	for (i = 0; i < len; i++)
		digits += p[i] >= '0' && p[i] <= '9';
	return digits >= DATA_DIGITS;
}

/* Are these several words, which say something but identify nothing? */
static int
is_prose(const char *p, size_t len)
{
	size_t i, spaces = 0;

	for (i = 0; i < len; i++)
		spaces += p[i] == ' ';
	return spaces >= PROSE_MIN;
}

/* Add a value as a fact with its label. */
static int
add_fact(struct ctx_passages *l, const struct ctx_datum *v, const char *p,
    size_t len, struct ctx_err *err)
{
	struct ctx_fact f = { .key = p, .show = p, .at = (uint32_t)l->n };

	f.keylen = f.showlen = (uint32_t)len;
	f.name = is_prose(p, len) ? CTX_FACT_NAME : 0;
	if (v->name != NULL && v->namelen <= VALUE_MAX && !v->is_name) {
		f.label = v->name;
		f.labellen = (uint32_t)v->namelen;
	}
	return ctx_facts_add(&l->given, &f, err);
}

/*
 * Append a value to made, on one line, and without the space of what would end
 * the call in a list of deeds.
 */
static size_t
decode(struct ctx_buf *b, const struct ctx_datum *v)
{
	size_t from = b->len, i, to;
	char c;

	if (v->quoted)
		ctx_str_decode(b, v->text, v->len);
	else
		ctx_buf_add(b, v->text, v->len);
	for (i = to = from; i < b->len; i++) {
		c = b->data[i];
		if (c != '\0' && strchr("\n\t\r", c) != NULL)
			c = ' ';
		if (c != ' ' || to < from + 2 || b->data[to - 1] != ';' ||
		    b->data[to - 2] != ')')
			b->data[to++] = c;
	}
	b->len = to;
	return b->len - from;
}

static int
is_id(const char *p, size_t len)
{
	return len <= ID_MAX && memchr(p, ' ', len) == NULL &&
	    ctx_fact_is_id(p, len);
}

/*
 * How many of a call's values can be shown: as many as fit, but up to the first
 * identifier in any case.  Sets *all to their number.
 */
static size_t
count_shown(struct ctx_buf *b, const char *p, size_t len, size_t *all)
{
	struct ctx_datum v = { 0 };
	size_t i = 0, from = b->len, shown = 0, n;
	uint32_t size = 0;
	int id = 0;

	*all = 0;
	while (ctx_datum_next(&v, p, len, &i)) {
		if (v.is_name)
			continue;
		if (shown == *all) {
			n = decode(b, &v);
			size += ctx_glyph_size(b->data + from, n) + (*all > 0);
			b->len = from;
			shown += size <= CALL_MAX ||
			    (!id && is_id(b->data + from, n));
			id |= is_id(b->data + from, n);
		}
		++*all;
	}
	return shown;
}

/* Is it an expression such as 500 - (29 + 1), rather than a value? */
static int
is_sum(const char *p, size_t len)
{
	size_t i, signs = 0;

	for (i = 0; i < len; i++) {
		if (p[i] == '\0' || strchr("0123456789. ()+-*/", p[i]) == NULL)
			return 0;
		signs += strchr("(+*", p[i]) != NULL || (i + 2 < len &&
		    p[i] == ' ' && p[i + 2] == ' ');
	}
	return signs > 0;
}

/*
 * Cut what made has from there on, with a mark, and at a space if any.  An
 * identifier is whole or worth nothing.
 */
static void
cut_value(struct ctx_buf *b, size_t from, uint32_t size)
{
	size_t len = b->len - from;

	if (is_id(b->data + from, len))
		return;
	len = ctx_glyph_cut(b->data + from, len, size);
	b->len = from + len;
	while (len > 1 && b->data[from + len - 1] != ' ')
		len--;
	if (len > 1)
		b->len = from + len - 1;
	ctx_buf_adds(b, CTX_PASSAGE_CUT);
}

/*
 * Append a value to made.  It is a fact if its length is that of one.  max is
 * 0, or the size of a value that has to be cut.
 */
static int
put_value(struct ctx_passages *l, const struct ctx_datum *v, uint32_t max,
    struct ctx_err *err)
{
	struct ctx_buf *b = &l->made;
	size_t from = b->len, len = decode(b, v);

	if (b->failed)
		return ctx_fail_nomem(err);
	if (max > 0) {
		cut_value(b, from, max);
		return 0;
	}
	return len < VALUE_MIN || len > VALUE_MAX ||
	    is_sum(b->data + from, len) ? 0 :
	    add_fact(l, v, b->data + from, len, err);
}

static int
same_tool(const struct ctx_talk *a, const struct ctx_talk *b)
{
	return a->toollen == b->toollen &&
	    memcmp(a->tool, b->tool, a->toollen) == 0;
}

/*
 * The result of call s, the first of n, or NULL.  The results of several calls
 * follow them in their order.
 */
static const struct ctx_talk *
result_of(const struct ctx_talk *s, size_t n)
{
	const struct ctx_talk *end = s + n, *r;
	size_t calls = 0, results = 0;

	for (r = s; r < end && r->kind != CTX_TALK_RESULT; r++) {
		if (r->kind == CTX_TALK_USER)
			return NULL;
		calls += r->kind == CTX_TALK_CALL && same_tool(r, s);
	}
	end = r;
	while (end < s + n && end->kind == CTX_TALK_RESULT)
		results += same_tool(end++, s);
	for (; r < end; r++)
		if (same_tool(r, s) && results-- == calls)
			return r;
	return NULL;
}

static enum ctx_deed
deed_of(const struct ctx_talk *s, size_t n)
{
	enum ctx_deed deed = s->deed != CTX_DEED_UNKNOWN ? s->deed :
	    ctx_deed_of(s->tool, s->toollen);
	const struct ctx_talk *r;

	if (deed != CTX_DEED_DONE || (r = result_of(s, n)) == NULL)
		return deed;
	return r->failed || ctx_deed_failed(r->text, r->len) ?
	    CTX_DEED_FAILED : deed;
}

/*
 * Append the values of a call and the end of its passage, after those that are
 * shown.  Returns where that is in made, or 0 if out of memory.
 */
static size_t
put_values(struct ctx_passages *l, const char *p, size_t len,
    enum ctx_deed deed, struct ctx_err *err)
{
	struct ctx_buf *b = &l->made;
	size_t all, shown = count_shown(b, p, len, &all), i = 0, k = 0, end = 0;
	uint32_t max = shown > 0 || all == 0 ? 0 :
	    deed == CTX_DEED_DONE || deed == CTX_DEED_FAILED ? LONG_MAX :
	    CALL_MAX;
	struct ctx_datum v = { 0 };

	if (max > 0)
		shown = 1;
	while (ctx_datum_next(&v, p, len, &i)) {
		if (v.is_name) {
			ctx_datum_name_add(l->names, v.text, v.len);
			continue;
		}
		ctx_buf_adds(b, k > 0 && k != shown ? ", " : "");
		if (put_value(l, &v, k == 0 ? max : 0, err) == -1)
			return 0;
		if (++k != shown || k == all)
			continue;
		ctx_buf_adds(b, CTX_PASSAGE_MORE);
		end = b->len;
	}
	ctx_buf_adds(b, end == 0 ? ")" : "");
	if (b->failed)
		ctx_fail_nomem(err);
	return b->failed ? 0 : end == 0 ? b->len : end;
}

/* Are these no values but a text of several lines, such as a patch? */
static int
is_free(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && (p[i] == ' ' || p[i] == '\n'))
		i++;
	return i < len && strchr("{[\"", p[i]) == NULL &&
	    memchr(p + i, '\n', len - i) != NULL;
}

/*
 * Take a call by what it did, or by its text, of which the first line may say
 * only that it is a patch.
 */
static int
take_did(struct ctx_passages *l, const struct ctx_talk *s, size_t start,
    enum ctx_deed deed, struct ctx_err *err)
{
	static const char patch[] = "*** Begin Patch\n";
	const size_t skip = s->did == NULL && s->len >= strlen(patch) &&
	    memcmp(s->text, patch, strlen(patch)) == 0 ? strlen(patch) : 0;
	struct ctx_buf *b = &l->made;
	struct ctx_datum v = {
		.text = s->did != NULL ? s->did : s->text + skip,
		.len = least(s->did != NULL ? s->didlen : s->len - skip,
		    VALUES_MAX)
	};
	size_t from = b->len;

	decode(b, &v);
	if (ctx_glyph_size(b->data + from, b->len - from) > CALL_MAX)
		cut_value(b, from, CALL_MAX);
	ctx_buf_addc(b, ')');
	if (ctx_buf_fail(b, err) == -1 || ctx_passage_deed(l, b->data + start,
	    b->len - start, s->kind, deed, err) == -1)
		return -1;
	/* it has no values, of which a brief form could take one */
	l->v[l->n - 1].object = (uint32_t)(from - start);
	l->v[l->n - 1].objectlen = (uint32_t)ctx_glyph_cut(b->data + from,
	    b->len - from - 1, LONG_MAX);
	return 0;
}

/*
 * Make tool(value, value) of a call.  The passage shows the first values; all
 * values are facts, and the last ones are in made after the passage.
 */
int
ctx_passage_call(struct ctx_passages *l, const struct ctx_talk *s, size_t n,
    struct ctx_err *err)
{
	struct ctx_buf *b = &l->made;
	enum ctx_deed deed = deed_of(s, n);
	size_t start = b->len, end;

	ctx_buf_add(b, s->tool, s->toollen);
	ctx_buf_addc(b, '(');
	if (s->did != NULL || is_free(s->text, s->len))
		return take_did(l, s, start, deed, err);
	end = put_values(l, s->text, least(s->len, VALUES_MAX), deed, err);
	return end == 0 ? -1 : ctx_passage_deed(l, b->data + start,
	    end - start, s->kind, deed, err);
}

static int
is_json(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && (p[i] == ' ' || p[i] == '\n'))
		i++;
	return i < len && (p[i] == '{' || p[i] == '[');
}

/* Add the values of a result that are hard to guess, and note its names. */
static int
result_values(struct ctx_passages *l, const char *p, size_t len,
    struct ctx_err *err)
{
	struct ctx_datum v = { 0 };
	size_t i = 0;

	while (ctx_datum_next(&v, p, len, &i)) {
		if (v.is_name && !is_data(v.text, v.len)) {
			ctx_datum_name_add(l->names, v.text, v.len);
			continue;
		}
		if (v.len <= VALUE_MAX && ctx_fact_is_id(v.text, v.len) &&
		    memchr(v.text, '\\', v.len) == NULL &&
		    memchr(v.text, ' ', v.len) == NULL &&
		    add_fact(l, &v, v.text, v.len, err) == -1)
			return -1;
	}
	return 0;
}

/* Is there the end of a line, or a tab, as JSON writes them in strings? */
static int
is_escape(const char *p, size_t len)
{
	return len > 1 && p[0] == '\\' && (p[1] == 'n' || p[1] == 't' ||
	    p[1] == 'r');
}

/* Append a result without quotes, braces and runs of spaces. */
static void
put_plain(struct ctx_buf *b, const char *p, size_t len, int json)
{
	size_t i, start = b->len;
	int quoted = 0, escape;

	for (i = 0; i < len; i++) {
		quoted ^= p[i] == '"' && (i == 0 || p[i - 1] != '\\');
		escape = json && quoted && is_escape(p + i, len - i);
		/* C:\\new has none */
		if (json && quoted && len - i > 1 && p[i] == '\\' &&
		    p[i + 1] == '\\')
			i++;
		i += (size_t)escape;
		if (!escape && p[i] != '\0' && strchr("\"{}\\", p[i]) != NULL)
			continue;
		if (!escape && strchr(" \t\r\n", p[i]) == NULL) {
			ctx_buf_addc(b, p[i]);
			if (!json || quoted || (p[i] != ',' && p[i] != ':'))
				continue;
		}
		if (b->len > start && b->data[b->len - 1] != ' ')
			ctx_buf_addc(b, ' ');
	}
}

static int
has_word(const char *p, size_t len)
{
	enum ctx_glyph class;
	uint32_t cp;
	size_t i;

	for (i = 0; i < len; i += ctx_glyph_step(p + i, len - i, &cp, &class)) {
		ctx_glyph_step(p + i, len - i, &cp, &class);
		if (class == CTX_GLYPH_ALPHA || class == CTX_GLYPH_LETTER ||
		    class == CTX_GLYPH_HAN)
			return 1;
	}
	return 0;
}

/*
 * Cut what made has from there on to RESULT_MAX, with a mark, and not in the
 * middle of a value.
 */
static void
cut_result(struct ctx_buf *b, size_t from)
{
	const char *p = b->data + from;
	size_t len = b->len - from, n = ctx_glyph_cut(p, len, RESULT_MAX), k;

	if (n == len)
		return;
	for (k = n; k > 0 && p[k - 1] > ' '; k--)
		;
	b->len = from + (k > 0 ? k : n);
	ctx_buf_adds(b, CTX_PASSAGE_CUT);
}

/* Take the beginning of a result, and the facts in all of it. */
int
ctx_passage_result(struct ctx_passages *l, const struct ctx_talk *s,
    struct ctx_err *err)
{
	struct ctx_buf *b = &l->made;
	size_t start = b->len;
	int json = is_json(s->text, s->len);

	put_plain(b, s->text, least(s->len, HEAD_MAX), json);
	if (b->failed)
		return ctx_fail_nomem(err);
	cut_result(b, start);
	if (b->len - start <= 1)
		return 0;
	if (!has_word(b->data + start, b->len - start)) {
		/* a number means nothing without what it is of */
		b->len = start;
		return 0;
	}
	if (json && result_values(l, s->text, least(s->len, BODY_MAX),
	    err) == -1)
		return -1;
	return ctx_passage_add(l, b->data + start, b->len - start, s->kind,
	    err);
}
