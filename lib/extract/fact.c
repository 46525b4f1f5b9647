/* SPDX-License-Identifier: MIT */
/* Facts of a text; see fact.h. */
#include "extract/fact.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "extract/words.h"

/* In characters. */
#define UNIT_MAX 2	/* unit after a number, part of the fact */
#define LEFT_MAX 18	/* shown before a number */
#define RIGHT_MAX 6	/* shown after it */
#define NAME_MIN 4
#define NAME_MAX 16
#define QUOTE_MIN 2
#define QUOTE_MAX 40
#define PAREN_MAX 16	/* in parentheses after a name */
#define CODE_MAX 6	/* capitals */

struct scan {
	struct ctx_facts *facts;
	const struct ctx_han_set *border;
	const char *text;
	size_t len;
	uint32_t at;
	struct ctx_err *err;
};

int
ctx_facts_add(struct ctx_facts *f, const struct ctx_fact *fact,
    struct ctx_err *err)
{
	if (CTX_ROOM(f->v, f->n, &f->cap) == -1)
		return ctx_fail_nomem(err);
	f->v[f->n++] = *fact;
	return 0;
}

static int
add(struct scan *s, size_t key, size_t keyend, size_t show, size_t showend,
    int name)
{
	struct ctx_fact fact = {
		s->text + key, s->text + show, (uint32_t)(keyend - key),
		(uint32_t)(showend - show), s->at, (uint8_t)name
	};

	return ctx_facts_add(s->facts, &fact, s->err);
}

static int
is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || c == '_' ||
	    ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int
is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

/* The length of a Han character at i that a name can contain, else 0. */
static size_t
han_at(const struct scan *s, size_t i)
{
	enum ctx_glyph class;
	uint32_t cp;
	size_t n;

	if (i >= s->len || (unsigned char)s->text[i] < 0x80)
		return 0;
	n = ctx_glyph_step(s->text + i, s->len - i, &cp, &class);
	return class == CTX_GLYPH_HAN && !ctx_han_set_has(s->border, cp) ?
	    n : 0;
}

static size_t
han_right(const struct scan *s, size_t i, int max)
{
	size_t n;

	while (max-- > 0 && (n = han_at(s, i)) > 0)
		i += n;
	return i;
}

/* The start of the Han characters before i, but never before from. */
static size_t
han_left(const struct scan *s, size_t i, size_t from, int max)
{
	size_t j;

	while (max-- > 0 && i > from) {
		for (j = i - 1; j > from && ((unsigned char)s->text[j] & 0xc0)
		    == 0x80; j--)
			;
		if (han_at(s, j) != i - j)
			break;
		i = j;
	}
	return i;
}

/* The end of a URL that begins at i. */
static size_t
url_end(const struct scan *s, size_t i)
{
	enum ctx_glyph class;
	uint32_t cp;
	size_t n;

	for (; i < s->len; i += n) {
		n = ctx_glyph_step(s->text + i, s->len - i, &cp, &class);
		if (class == CTX_GLYPH_SPACE || class == CTX_GLYPH_HAN ||
		    cp > 0x3000 || strchr("\"'<>)]`", (int)(cp & 127)) != NULL)
			break;
	}
	return i;
}

/* The end of words joined by - . / : , @ +, and of a % after them. */
static size_t
token_end(const struct scan *s, size_t i)
{
	const char *t = s->text;

	for (;;) {
		while (i < s->len && is_word((unsigned char)t[i]))
			i++;
		if (i + 1 >= s->len || t[i] == '\0' ||
		    strchr("-./:,@+", t[i]) == NULL ||
		    !is_word((unsigned char)t[i + 1]))
			break;
		i++;
	}
	if (i < s->len && t[i] == '%')
		i++;
	return i;
}

static int
is_upper(unsigned char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Is t[b .. e) a code such as JFK rather than a SHOUTED word? */
static int
is_code(const struct scan *s, size_t b, size_t e)
{
	const unsigned char *t = (const unsigned char *)s->text;
	char low[CODE_MAX];
	size_t i;

	if (e - b < 2 || e - b > CODE_MAX)
		return 0;
	for (i = b; i < e; i++) {
		if (!is_upper(t[i]))
			return 0;
		low[i - b] = (char)(t[i] | 32);
	}
	/* in shouted text its neighbours would be capitals too */
	if ((b > 2 && t[b - 1] == ' ' && is_upper(t[b - 2]) &&
	    is_upper(t[b - 3])) || (e + 2 < s->len && t[e] == ' ' &&
	    is_upper(t[e + 1]) && is_upper(t[e + 2])))
		return 0;
	return !ctx_word_is(CTX_WORD_STOP, low, e - b);
}

/*
 * Does the token look like data rather than prose: does it have a digit, or a
 * joiner of identifiers and paths?
 */
static int
is_hard(const char *p, size_t len)
{
	size_t i;

	if (p[0] == '#')
		return len > 1;
	for (i = 0; i < len; i++)
		if (is_digit((unsigned char)p[i]) || p[i] == '_' ||
		    p[i] == '@' || p[i] == '/')
			return 1;
	return 0;
}

/* The start of a currency sign before i, else i. */
static size_t
currency(const struct scan *s, size_t i)
{
	static const char *const signs[] = { "¥", "￥", "€", "£" };
	size_t k, n;

	for (k = 0; k < sizeof(signs) / sizeof(signs[0]); k++) {
		n = strlen(signs[k]);
		if (i >= n && memcmp(s->text + i - n, signs[k], n) == 0)
			return i - n;
	}
	return i;
}

/* Find the token at i, if there is one; sets *end to its end. */
static int
token(struct scan *s, size_t i, size_t from, size_t *end)
{
	const char *t = s->text;
	size_t b = i, e, key, show;

	while (i < s->len && t[i] != '\0' && strchr("$#~./", t[i]) != NULL)
		i++;
	if (i == s->len || !is_word((unsigned char)t[i])) {
		*end = i > b ? i : b + 1;
		return 0;
	}
	if (s->len - i > 8 && (memcmp(t + i, "http://", 7) == 0 ||
	    memcmp(t + i, "https://", 8) == 0))
		e = url_end(s, i);
	else
		e = token_end(s, i);
	*end = e;
	while (t[b] == '.' && b + 1 < e && t[b + 1] != '/' && t[b + 1] != '.')
		b++;
	while (e > b && strchr(".,:", t[e - 1]) != NULL)
		e--;
	/* </p> is not a path */
	if (!is_code(s, b, e) && (!is_hard(t + b, e - b) ||
	    (t[b] == '/' && b > 0 && t[b - 1] == '<')))
		return 0;
	if (!is_digit((unsigned char)t[e - 1]) && t[e - 1] != '%')
		return add(s, b, e, b, e, 0);
	b = currency(s, b);
	key = han_right(s, e, UNIT_MAX);
	show = han_left(s, b, from, LEFT_MAX);
	return add(s, b, key, show, han_right(s, key, RIGHT_MAX - UNIT_MAX),
	    0);
}

/* Find a quoted string that opens at i; sets *end only if there is one. */
static int
quoted(struct scan *s, size_t i, size_t *end)
{
	static const char *const pair[][2] = {
		{ "\"", "\"" }, { "`", "`" }, { "“", "”" }, { "《", "》" },
		{ "「", "」" }
	};
	size_t k, j, n, on, cn, chars = 0;
	uint32_t cp;

	for (k = 0; k < sizeof(pair) / sizeof(pair[0]); k++) {
		on = strlen(pair[k][0]);
		if (s->len - i > on && memcmp(s->text + i, pair[k][0], on) == 0)
			break;
	}
	if (k == sizeof(pair) / sizeof(pair[0]))
		return 0;
	cn = strlen(pair[k][1]);
	for (j = i + on; j + cn <= s->len && chars <= QUOTE_MAX; j += n) {
		if (memcmp(s->text + j, pair[k][1], cn) == 0) {
			if (chars < QUOTE_MIN)
				return 0;
			*end = j + cn;
			return add(s, i + on, j, i + on, j, 0);
		}
		if (s->text[j] == '\n')
			return 0;
		if ((n = ctx_utf8_step(s->text + j, s->len - j, &cp)) == 0)
			n = 1;
		chars++;
	}
	return 0;
}

/* The end of a parenthesis that belongs to the name before it, else i. */
static size_t
paren_end(const struct scan *s, size_t i)
{
	uint32_t cp;
	size_t n, chars = 0, b = i;

	if (i >= s->len ||
	    (n = ctx_utf8_step(s->text + i, s->len - i, &cp)) == 0 ||
	    (cp != '(' && cp != 0xff08))
		return b;
	for (i += n; i < s->len && chars <= PAREN_MAX; i += n, chars++) {
		n = ctx_utf8_step(s->text + i, s->len - i, &cp);
		if (n == 0 || cp == '\n' || cp == '(' || cp == 0xff08)
			return b;
		if (cp == ')' || cp == 0xff09)
			return chars > 0 ? i + n : b;
	}
	return b;
}

/* Take the Han characters from i to the next border, which may be a name. */
static int
han_name(struct scan *s, size_t i, size_t *end)
{
	size_t e = i, n, chars = 0, p;

	while ((n = han_at(s, e)) > 0) {
		e += n;
		chars++;
	}
	*end = e;
	p = paren_end(s, e);
	if ((chars >= NAME_MIN || (chars >= 2 && p > e)) && chars <= NAME_MAX) {
		*end = p;
		return add(s, i, p, i, p, 1);
	}
	return 0;
}

/* Find capitalized words from i on, in mid-sentence; sets *end to their end. */
static int
capital_name(struct scan *s, size_t i, size_t *end)
{
	const char *t = s->text;
	size_t e = i, b;

	if (i < 2 || t[i - 1] != ' ' || !((t[i - 2] >= 'a' && t[i - 2] <= 'z')
	    || t[i - 2] == ',' || t[i - 2] == ';'))
		return 0;
	for (;;) {
		for (b = e++; e < s->len && t[e] >= 'a' && t[e] <= 'z'; e++)
			;
		if (e == b + 1) {	/* "I" is not a name */
			if (b == i)
				return 0;
			e = b - 1;
			break;
		}
		if (e + 1 >= s->len || t[e] != ' ' || t[e + 1] < 'A' ||
		    t[e + 1] > 'Z')
			break;
		e++;
	}
	*end = e;
	return add(s, i, e, i, e, 1);
}

int
ctx_facts_scan(struct ctx_facts *facts, const struct ctx_han_set *border,
    const char *text, size_t len, uint32_t at, struct ctx_err *err)
{
	struct scan s = { facts, border, text, len, at, err };
	enum ctx_glyph class;
	uint32_t cp;
	size_t i = 0, n, end, from = 0, quote = 0, named = 0, had;

	while (i < len) {
		n = ctx_glyph_step(text + i, len - i, &cp, &class);
		end = i + n;
		if (class == CTX_GLYPH_HAN) {
			if (han_at(&s, i) > 0 && han_name(&s, i, &end) == -1)
				return -1;
		} else if (class == CTX_GLYPH_MARK && cp != '/' && cp != '.' &&
		    cp != '~' && cp != '$' && cp != '#' && cp != '_') {
			if (i >= quote && quoted(&s, i, &quote) == -1)
				return -1;
		} else if (cp < 0x80 && class != CTX_GLYPH_SPACE) {
			had = facts->n;
			if (token(&s, i, from, &end) == -1)
				return -1;
			if (facts->n == had && i >= named &&
			    cp >= 'A' && cp <= 'Z' &&
			    capital_name(&s, i, &named) == -1)
				return -1;
			from = end;
		}
		i = end;
	}
	return 0;
}
