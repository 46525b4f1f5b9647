/* SPDX-License-Identifier: MIT */
/* The steps themselves are in steps_do.c. */
#include "token/steps.h"

#include <string.h>

#include "base/unorm.h"
#include "base/utf8.h"
#include "token/steps_do.h"

int
ctx_steps_add(struct ctx_buf *list, enum ctx_steps_kind kind, unsigned by,
    const char *from, const char *to)
{
	ctx_buf_addc(list, (char)kind);
	ctx_buf_addc(list, (char)by);
	ctx_buf_add(list, from, strlen(from) + 1);
	return ctx_buf_add(list, to, strlen(to) + 1);
}

/* Read a text and the NUL after it. */
static int
read_text(const char **p, const char *end, const char **text, size_t *n)
{
	*text = *p;
	*n = strnlen(*p, (size_t)(end - *p));
	*p += *n;
	if (*p == end || ctx_utf8_check(*text, *n) < *n)
		return 0;
	++*p;
	return 1;
}

static int
read_step(const char **p, const char *end, struct ctx_steps_one *x)
{
	if (end - *p < 2)
		return 0;
	x->kind = (enum ctx_steps_kind)(uint8_t)(*p)[0];
	x->by = (uint8_t)(*p)[1];
	*p += 2;
	return x->kind >= CTX_STEPS_FORM && x->kind <= CTX_STEPS_KINDS &&
	    (x->kind != CTX_STEPS_FORM || (x->by >= CTX_UNORM_NFC &&
	    x->by <= CTX_UNORM_NFKD)) && read_text(p, end, &x->from,
	    &x->nfrom) && read_text(p, end, &x->to, &x->nto) &&
	    (x->kind != CTX_STEPS_REPLACE || x->nfrom > 0);
}

int
ctx_steps_open(struct ctx_steps *s, const char *list, size_t len,
    const char *map, size_t maplen)
{
	const char *p = list, *end = list + len;

	memset(s, 0, sizeof(*s));
	if (!ctx_charsmap_open(&s->map, map, maplen))
		return 0;
	while (p < end) {
		if (s->n == CTX_STEPS_MAX || !read_step(&p, end,
		    &s->step[s->n]))
			return 0;
		s->n++;
	}
	return s->n > 0;
}

/* Do step i with p[0 .. *len); d has out and whole. */
static int
do_step(struct ctx_steps_text *x, size_t i, struct ctx_steps_do *d,
    const uint8_t *p, size_t *len, struct ctx_err *err)
{
	static ctx_steps_fn *const fn[CTX_STEPS_KINDS + 1] = {
		[CTX_STEPS_MAP] = ctx_steps_map,
		[CTX_STEPS_REPLACE] = ctx_steps_replace,
		[CTX_STEPS_RUNS] = ctx_steps_runs,
		[CTX_STEPS_STRIP] = ctx_steps_strip,
		[CTX_STEPS_LOWER] = ctx_steps_chars,
		[CTX_STEPS_MARKS] = ctx_steps_chars,
		[CTX_STEPS_NMT] = ctx_steps_chars,
		[CTX_STEPS_PREPEND] = ctx_steps_prepend,
		[CTX_STEPS_WORDS] = ctx_steps_words,
	};
	d->step = &x->steps->step[i];
	d->map = &x->steps->map;
	d->part = &x->part[i];
	if (d->step->kind == CTX_STEPS_FORM)
		return *len == 0 ? 0 : ctx_unorm_append(d->step->by, d->out, p,
		    len, d->whole, err);
	*len = fn[d->step->kind](d, p, *len);
	return ctx_buf_fail(d->out, err);
}

int
ctx_steps_append(struct ctx_steps_text *x, struct ctx_buf *out,
    const uint8_t *p, size_t *len, int whole, struct ctx_err *err)
{
	struct ctx_steps_do d = { .whole = whole };
	struct ctx_buf *in;
	size_t i, n;

	for (i = 0; i < x->steps->n; i++) {
		d.out = i + 1 < x->steps->n ? &x->part[i + 1].in : out;
		if (i == 0) {
			if (do_step(x, i, &d, p, len, err) == -1)
				return -1;
			continue;
		}
		in = &x->part[i].in;
		n = in->len;
		if (do_step(x, i, &d, (const uint8_t *)(n > 0 ? in->data : ""),
		    &n, err) == -1)
			return -1;
		if (n > 0)
			memmove(in->data, in->data + n, in->len - n);
		in->len -= n;
	}
	if (whole)
		ctx_steps_reset(x);
	return 0;
}

void
ctx_steps_reset(struct ctx_steps_text *x)
{
	struct ctx_steps_part *part;
	size_t i, n = x->steps == NULL ? 0 : x->steps->n;

	for (i = 0; i < n; i++) {
		part = &x->part[i];
		ctx_buf_reset(&part->in);
		ctx_buf_reset(&part->kept);
		*part = (struct ctx_steps_part){ .in = part->in,
		    .kept = part->kept };
	}
}

void
ctx_steps_done(struct ctx_steps_text *x)
{
	size_t i;

	for (i = 0; i < CTX_STEPS_MAX; i++) {
		ctx_buf_done(&x->part[i].in);
		ctx_buf_done(&x->part[i].kept);
	}
}
