/* SPDX-License-Identifier: MIT */
#include "token/bert.h"

#include "base/uclass.h"
#include "base/unorm.h"
#include "base/utf8.h"
#include "token/split.h"

/* Classes. */
#define REMOVED	1u	/* other than white space */
#define PUNCT	2u
#define MARK	4u	/* nonspacing */
#define CAPITAL	8u	/* has a lower case */
#define CHINESE	16u

/* Capital letters from .. to, step apart, and how far the small ones are. */
struct lower {
	uint32_t from, to;
	int32_t delta;
	uint32_t step;
};

#include "token/bert_data.inc"

static unsigned
class_of(uint32_t cp)
{
	return bits_of[block_of[cp >> 7]][cp & 127];
}

static int
is_space(uint32_t cp)
{
	return (ctx_uclass(cp) & CTX_UC_SPACE) != 0;
}

static void
add(struct ctx_buf *out, uint32_t cp)
{
	char text[4];

	ctx_buf_add(out, text, ctx_utf8_put(text, cp));
}

void
ctx_bert_lower(struct ctx_buf *out, uint32_t cp)
{
	size_t lo = 0, hi = sizeof(lower) / sizeof(*lower), mid;

	if (cp == 0x130) {
		ctx_buf_adds(out, "i\xcc\x87");
		return;
	}
	if (cp < 128)
		cp |= cp >= 'A' && cp <= 'Z' ? 32 : 0;
	else if (class_of(cp) & CAPITAL) {
		while (hi - lo > 1) {
			mid = lo + (hi - lo) / 2;
			if (lower[mid].from <= cp)
				lo = mid;
			else
				hi = mid;
		}
		cp = (uint32_t)((int32_t)cp + lower[lo].delta);
	}
	add(out, cp);
}

/* Append a character without what is removed, and spaces around Chinese. */
static void
add_clean(unsigned norm, struct ctx_buf *out, uint32_t cp)
{
	unsigned bits = class_of(cp);

	if (norm & CTX_NORM_CLEAN && bits & REMOVED)
		return;
	if (norm & CTX_NORM_CLEAN && is_space(cp))
		cp = ' ';
	if (norm & CTX_NORM_CHINESE && bits & CHINESE) {
		ctx_buf_addc(out, ' ');
		add(out, cp);
		ctx_buf_addc(out, ' ');
	} else
		add(out, cp);
}

/* Append p[0 .. len) in lower case and without marks, as norm asks for it. */
static void
add_small(unsigned norm, struct ctx_buf *out, const char *p, size_t len)
{
	uint32_t cp;
	size_t n;

	for (; len > 0; p += n, len -= n) {
		n = ctx_utf8_step(p, len, &cp);
		if (n == 0)
			break;
		if (norm & CTX_NORM_ACCENTS && class_of(cp) & MARK)
			continue;
		if (norm & CTX_NORM_LOWER)
			ctx_bert_lower(out, cp);
		else
			ctx_buf_add(out, p, n);
	}
}

/* Append text that has other characters than ASCII. */
static int
add_wide(unsigned norm, struct ctx_buf *out, const uint8_t *p, size_t len,
    struct ctx_err *err)
{
	struct ctx_buf clean = { 0 }, apart = { 0 };
	uint32_t cp;
	size_t i, n;
	int rc = 0;

	for (i = 0; i < len; i += n) {
		n = ctx_utf8_step((const char *)p + i, len - i, &cp);
		if (n == 0)
			break;
		add_clean(norm, &clean, cp);
	}
	rc = ctx_buf_fail(&clean, err);
	n = clean.len;
	if (rc == 0 && norm & CTX_NORM_ACCENTS && n > 0) {
		rc = ctx_unorm_append(CTX_UNORM_NFD, &apart,
		    (const uint8_t *)clean.data, &n, 1, err);
		if (rc == 0)
			add_small(norm, out, apart.data, apart.len);
	} else if (rc == 0)
		add_small(norm, out, clean.data, clean.len);
	ctx_buf_done(&clean);
	ctx_buf_done(&apart);
	return rc;
}

/* Does the byte belong to a run of what is not simply ASCII? */
static int
is_wide(unsigned norm, uint8_t c)
{
	return c >= 0x80 || (norm & CTX_NORM_CLEAN &&
	    bits_of[0][c] & REMOVED);
}

/*
 * The end of the run at p, whose characters may change each other's form; if
 * more text may belong to it, before the last character that begins anew.
 */
static const uint8_t *
run_end(unsigned norm, const uint8_t *p, const uint8_t *end, int whole)
{
	const uint8_t *q = p, *last = p;

	for (; q < end && is_wide(norm, *q); q++)
		if (*q >= 0xe5 && *q <= 0xe8)	/* U+5000 to U+8FFF */
			last = q;
	return q < end || whole ? q : last;
}

/* Append ASCII that is not removed. */
static void
add_ascii(unsigned norm, struct ctx_buf *out, const uint8_t *p, size_t len)
{
	char *to;
	size_t i;
	uint8_t c;

	if (ctx_buf_reserve(out, len) == -1)
		return;
	to = out->data + out->len;
	for (i = 0; i < len; i++) {
		c = p[i];
		if (norm & CTX_NORM_LOWER && (uint8_t)(c - 'A') < 26)
			c |= 32;
		/* The others are removed. */
		if (norm & CTX_NORM_CLEAN && c < ' ')
			c = ' ';
		to[i] = (char)c;
	}
	out->len += len;
}

int
ctx_bert_append(unsigned norm, struct ctx_buf *out, const uint8_t *p,
    size_t *len, int whole, struct ctx_err *err)
{
	const uint8_t *at = p, *end = p + *len, *q;

	while (at < end) {
		for (q = at; q < end && !is_wide(norm, *q); q++)
			;
		add_ascii(norm, out, at, (size_t)(q - at));
		at = q;
		q = run_end(norm, at, end, whole);
		if (q == at && at < end)
			break;
		if (add_wide(norm, out, at, (size_t)(q - at), err) == -1)
			return -1;
		at = q;
	}
	*len = (size_t)(at - p);
	return ctx_buf_fail(out, err);
}

/* The character at p < end, and its length; 0 if it is not one. */
static size_t
next(const uint8_t *p, const uint8_t *end, uint32_t *cp)
{
	if (*p < 0x80) {
		*cp = *p;
		return 1;
	}
	return ctx_utf8_step((const char *)p, (size_t)(end - p), cp);
}

const uint8_t *
ctx_bert_split(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	uint32_t cp;
	size_t n;
	int word = 0;

	for (; p < end; p += n) {
		n = next(p, end, &cp);
		if (n == 0) {
			*met |= CTX_SPLIT_BAD;
			return p;
		}
		if (is_space(cp)) {
			if (word)
				return p;
		} else if (class_of(cp) & PUNCT)
			return word ? p : p + n;
		else
			word = 1;
	}
	*met |= CTX_SPLIT_END;
	return p;
}
