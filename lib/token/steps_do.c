/* SPDX-License-Identifier: MIT */
#include "token/steps_do.h"

#include <string.h>

#include "base/uclass.h"
#include "base/utf8.h"
#include "token/bert.h"

/* A cluster of this many bytes is not looked up whole. */
#define LONG	6

/* The character at p; what is not UTF-8 is a byte. */
static size_t
next(const uint8_t *p, size_t len, uint32_t *cp)
{
	size_t n;

	if (*p < 0x80) {
		*cp = *p;
		return 1;
	}
	n = ctx_utf8_step((const char *)p, len, cp);
	if (n == 0)
		*cp = 0xfffd;
	return n + (n == 0);
}

static int
is_space(uint32_t cp)
{
	return (ctx_uclass(cp) & CTX_UC_SPACE) != 0;
}

/* Append what the map has for p[0 .. len); 0 if it has nothing. */
static int
put_mapped(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	const char *to;
	size_t n;

	if (ctx_charsmap_first(d->map, p, len, &to, &n) == 0 ||
	    ctx_utf8_check(to, n) < n)
		return 0;
	ctx_buf_add(d->out, to, n);
	return 1;
}

/* Append a cluster, or a part of a long one, character by character. */
static void
put_chars(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	uint32_t cp;
	size_t n;

	for (; len > 0; p += n, len -= n) {
		n = next(p, len, &cp);
		if (!put_mapped(d, p, n))
			ctx_buf_add(d->out, p, n);
	}
}

/* Append a cluster of less than LONG bytes. */
static void
put_cluster(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	uint32_t cp;

	if (len == 0 || put_mapped(d, p, len))
		return;
	if (next(p, len, &cp) == len)
		ctx_buf_add(d->out, p, len);
	else
		put_chars(d, p, len);
}

/* The number of characters at p that stay as they are, whatever follows. */
static size_t
plain_run(const struct ctx_charsmap *m, const uint8_t *p, size_t len)
{
	size_t i = 0;

	while (i < len && p[i] >= ' ' && p[i] < 0x7f && m->plain[p[i]])
		i++;
	/* The last one may be the beginning of a cluster. */
	return i > 0 ? i - 1 : 0;
}

/*
 * As spm_precompiled does it: the first rule that a cluster of less than LONG
 * bytes begins with replaces all of it; else each character is looked up.
 */
size_t
ctx_steps_map(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	struct ctx_steps_part *x = d->part;
	size_t at, from = 0, n, plain;
	uint32_t cp;

	/* A cluster that was not looked up is begun anew. */
	if (!x->longer)
		x->cluster = (struct ctx_cluster){ 0 };
	for (at = 0; at < len; at += n) {
		plain = plain_run(d->map, p + at, len - at);
		n = next(p + at, len - at, &cp);
		if (ctx_cluster_begins(&x->cluster, cp)) {
			if (!x->longer)
				put_cluster(d, p + from, at - from);
			x->longer = 0;
			n = plain > 0 ? plain : n;
			ctx_buf_add(d->out, p + at, plain);
			from = at + plain;
		}
		if (at + n - from >= LONG)
			x->longer = 1;
		if (x->longer) {
			put_chars(d, p + from, at + n - from);
			from = at + n;
		}
	}
	if (d->whole && !x->longer) {
		put_cluster(d, p + from, len - from);
		from = len;
	}
	return from;
}

size_t
ctx_steps_replace(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	const struct ctx_steps_one *s = d->step;
	const uint8_t *end = p + len, *at = p, *q;
	size_t n;

	while (at < end && (q = memchr(at, s->from[0], (size_t)(end - at))) !=
	    NULL) {
		n = (size_t)(end - q) < s->nfrom ? (size_t)(end - q) : s->nfrom;
		ctx_buf_add(d->out, at, (size_t)(q - at));
		at = q;
		if (memcmp(q, s->from, n) != 0) {
			ctx_buf_add(d->out, at++, 1);
		} else if (n == s->nfrom) {
			ctx_buf_add(d->out, s->to, s->nto);
			at += n;
		} else if (!d->whole)
			return (size_t)(at - p);
		else
			break;
	}
	ctx_buf_add(d->out, at, (size_t)(end - at));
	return len;
}

/* Write the spaces that were counted. */
static void
put_run(const struct ctx_steps_do *d)
{
	if (d->part->spaces == 1)
		ctx_buf_addc(d->out, ' ');
	else if (d->part->spaces > 1)
		ctx_buf_add(d->out, d->step->to, d->step->nto);
	d->part->spaces = 0;
}

size_t
ctx_steps_runs(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len, *at, *q;

	for (at = p; at < end; at = q) {
		q = memchr(at, ' ', (size_t)(end - at));
		q = q == NULL ? end : q;
		if (q > at)
			put_run(d);
		ctx_buf_add(d->out, at, (size_t)(q - at));
		for (; q < end && *q == ' '; q++)
			d->part->spaces++;
	}
	if (d->whole)
		put_run(d);
	return len;
}

size_t
ctx_steps_strip(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	struct ctx_steps_part *x = d->part;
	size_t at, n;
	uint32_t cp;

	for (at = 0; at < len; at += n) {
		n = next(p + at, len - at, &cp);
		if (is_space(cp)) {
			if (x->begun || !(d->step->by & CTX_STRIP_LEFT))
				ctx_buf_add(&x->kept, p + at, n);
			continue;
		}
		x->begun = 1;
		ctx_buf_add(d->out, x->kept.data, x->kept.len);
		ctx_buf_reset(&x->kept);
		ctx_buf_add(d->out, p + at, n);
	}
	if (x->kept.failed)
		d->out->failed = 1;
	if (d->whole && !(d->step->by & CTX_STRIP_RIGHT))
		ctx_buf_add(d->out, x->kept.data, x->kept.len);
	return len;
}

/* What do_nmt of the library removes. */
static int
is_control(uint32_t cp)
{
	return (cp >= 1 && cp <= 8) || cp == 0xb || (cp >= 0xe && cp <= 0x1f) ||
	    cp == 0x7f || cp == 0x8f || cp == 0x9f;
}

/* What it makes a space. */
static int
is_blank(uint32_t cp)
{
	return cp == '\t' || cp == '\n' || cp == '\f' || cp == '\r' ||
	    cp == 0x1680 || (cp >= 0x200b && cp <= 0x200f) || cp == 0x2028 ||
	    cp == 0x2029 || cp == 0x2581 || cp == 0xfeff || cp == 0xfffd;
}

/* Append the character cp, p[0 .. n), as the step has it. */
static void
put_char(const struct ctx_steps_do *d, const uint8_t *p, size_t n, uint32_t cp)
{
	enum ctx_steps_kind kind = d->step->kind;

	if (kind == CTX_STEPS_LOWER)
		ctx_bert_lower(d->out, cp);
	else if (kind == CTX_STEPS_NMT && is_blank(cp))
		ctx_buf_addc(d->out, ' ');
	else if (kind == CTX_STEPS_NMT ? !is_control(cp) :
	    cp < 0x300 || !ctx_cluster_mark(cp))
		ctx_buf_add(d->out, p, n);
}

size_t
ctx_steps_chars(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	size_t at, n;
	uint32_t cp;

	for (at = 0; at < len; at += n) {
		n = next(p + at, len - at, &cp);
		put_char(d, p + at, n, cp);
	}
	return len;
}

size_t
ctx_steps_prepend(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	if (len > 0 && !d->part->begun) {
		ctx_buf_add(d->out, d->step->to, d->step->nto);
		d->part->begun = 1;
	}
	ctx_buf_add(d->out, p, len);
	return len;
}

size_t
ctx_steps_words(const struct ctx_steps_do *d, const uint8_t *p, size_t len)
{
	size_t at, from = 0, n;
	uint32_t cp;

	for (at = 0; at < len; at += n) {
		n = next(p + at, len - at, &cp);
		if (!is_space(cp))
			continue;
		ctx_buf_add(d->out, p + from, at - from);
		ctx_buf_addc(d->out, CTX_STEPS_BETWEEN);
		from = at + n;
	}
	ctx_buf_add(d->out, p + from, len - from);
	return len;
}
