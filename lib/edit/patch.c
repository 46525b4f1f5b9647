/* SPDX-License-Identifier: MIT */
/* Replacements of byte ranges; see patch.h. */
#include "edit/patch.h"

#include <stdlib.h>
#include <string.h>

void
ctx_patch_reset(struct ctx_patch *p)
{
	p->n = 0;
	ctx_buf_reset(&p->text);
}

void
ctx_patch_done(struct ctx_patch *p)
{
	free(p->one);
	ctx_buf_done(&p->text);
	memset(p, 0, sizeof(*p));
}

/* The first patch that begins at off or later. */
static size_t
lower(const struct ctx_patch *p, size_t off)
{
	size_t lo = 0, hi = p->n, mid;

	/* they usually arrive in order */
	if (hi > 0 && p->one[hi - 1].off < off)
		return hi;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (p->one[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int
ctx_patch_add(struct ctx_patch *p, size_t off, size_t len, const char *text,
    size_t textlen, struct ctx_err *err)
{
	struct ctx_patch_one *one;
	size_t i = lower(p, off);

	if ((i > 0 && p->one[i - 1].off + p->one[i - 1].len > off) ||
	    (i < p->n && off + len > p->one[i].off))
		return ctx_fail(err, CTX_ERANGE, "two edits of the same place");
	if (CTX_ROOM(p->one, p->n, &p->cap) == -1)
		return ctx_fail_nomem(err);
	one = p->one;
	if (ctx_buf_add(&p->text, text, textlen) == -1)
		return ctx_fail_nomem(err);
	memmove(one + i + 1, one + i, (p->n - i) * sizeof(*one));
	one[i] = (struct ctx_patch_one){ off, len, p->text.len - textlen,
	    textlen };
	p->n++;
	return 0;
}

int
ctx_patch_covers(const struct ctx_patch *p, size_t off, size_t len)
{
	size_t i = lower(p, off + 1);	/* after the last that may cover it */

	return i > 0 && p->one[i - 1].off <= off &&
	    p->one[i - 1].off + p->one[i - 1].len >= off + len;
}

int
ctx_patch_apply(const struct ctx_patch *p, const char *raw, size_t from,
    size_t to, struct ctx_buf *out)
{
	size_t i, at = from;

	for (i = lower(p, from); i < p->n && p->one[i].off < to; i++) {
		ctx_buf_add(out, raw + at, p->one[i].off - at);
		if (p->one[i].textlen > 0)
			ctx_buf_add(out, p->text.data + p->one[i].text,
			    p->one[i].textlen);
		at = p->one[i].off + p->one[i].len;
	}
	return ctx_buf_add(out, raw + at, to - at);
}

void
ctx_patch_absorb(struct ctx_patch *p, size_t from, size_t to)
{
	size_t i = lower(p, from), k = i;

	while (k < p->n && p->one[k].off < to)
		k++;
	if (k == i)
		return;
	memmove(p->one + i, p->one + k, (p->n - k) * sizeof(*p->one));
	p->n -= k - i;
}
