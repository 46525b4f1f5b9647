/* SPDX-License-Identifier: MIT */
/* How lines differ; see udiff.h. */
#include "compare/udiff.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strmap.h"
#include "compare/align.h"

#define AROUND	3	/* equal lines that are shown around others */

struct lines {
	struct ctx_str *line;
	uint32_t *number;	/* equal numbers: equal lines */
	size_t n, cap, capnumber;
};

struct udiff {
	struct lines a, b;
	struct ctx_strmap map;
	uint32_t *mate;		/* of the lines of a */
	ctx_udiff_fn *fn;
	void *arg;
};

static int
divide(struct udiff *d, struct lines *l, struct ctx_str text)
{
	const char *p = text.p, *end = p + text.len, *nl;
	size_t k;

	for (; p < end; p = nl + 1) {
		if ((nl = memchr(p, '\n', (size_t)(end - p))) == NULL)
			nl = end;
		k = ctx_strmap_add(&d->map, p, (size_t)(nl - p));
		if (k == CTX_STRMAP_FULL ||
		    CTX_ROOM(l->line, l->n, &l->cap) == -1 ||
		    CTX_ROOM(l->number, l->n, &l->capnumber) == -1)
			return -1;
		l->line[l->n] = (struct ctx_str){ p, (uint32_t)(nl - p) };
		l->number[l->n++] = (uint32_t)k;
	}
	return 0;
}

/* The lines from i and j on that are paired with each other, at most most. */
static size_t
equal(const struct udiff *d, size_t i, size_t j, size_t most)
{
	size_t n = 0;

	while (n < most && i + n < d->a.n && d->mate[i + n] == j + n)
		n++;
	return n;
}

/* Go over lines that are not. */
static void
skip_others(const struct udiff *d, size_t *i, size_t *j)
{
	while (*i < d->a.n && d->mate[*i] == UINT32_MAX)
		++*i;
	*j = *i < d->a.n ? d->mate[*i] : d->b.n;
}

/* Put the lines from i and j to iend and jend, which are a hunk. */
static void
put_hunk(const struct udiff *d, size_t i, size_t j, size_t iend, size_t jend)
{
	char head[100];
	int n = snprintf(head, sizeof(head), "@@ -%zu,%zu +%zu,%zu @@",
	    i + (iend > i), iend - i, j + (jend > j), jend - j);

	d->fn(d->arg, '@', (struct ctx_str){ head, (uint32_t)n });
	while (i < iend || j < jend) {
		if (i < iend && d->mate[i] == UINT32_MAX)
			d->fn(d->arg, '-', d->a.line[i++]);
		else if (j < jend && (i == iend || d->mate[i] != j))
			d->fn(d->arg, '+', d->b.line[j++]);
		else {
			d->fn(d->arg, ' ', d->a.line[i++]);
			j++;
		}
	}
}

static void
put_all(const struct udiff *d)
{
	size_t i = 0, j = 0, n, from, iend, jend;

	for (;;) {
		n = equal(d, i, j, d->a.n);
		i += n;
		j += n;
		if (i == d->a.n && j == d->b.n)
			return;
		from = n < AROUND ? n : AROUND;
		iend = i;
		jend = j;
		do {
			skip_others(d, &iend, &jend);
			n = equal(d, iend, jend, 2 * AROUND + 1);
			iend += n;
			jend += n;
		} while (n <= 2 * AROUND && (iend < d->a.n || jend < d->b.n));
		n = n > AROUND ? n - AROUND : 0;
		put_hunk(d, i - from, j - from, iend - n, jend - n);
		i = iend - n;
		j = jend - n;
	}
}

int
ctx_udiff(struct ctx_str old, struct ctx_str new, ctx_udiff_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct udiff d = { .fn = fn, .arg = arg };
	int rc = -1;

	if (divide(&d, &d.a, old) == 0 && divide(&d, &d.b, new) == 0 &&
	    (d.mate = malloc((d.a.n + 1) * sizeof(*d.mate))) != NULL &&
	    ctx_align((struct ctx_align_seq){ d.a.number, (uint32_t)d.a.n },
	    (struct ctx_align_seq){ d.b.number, (uint32_t)d.b.n },
	    (uint32_t)d.map.n, d.mate, err) == 0) {
		put_all(&d);
		rc = 0;
	}
	free(d.mate);
	free(d.a.line);
	free(d.a.number);
	free(d.b.line);
	free(d.b.number);
	ctx_strmap_done(&d.map);
	return rc == 0 ? 0 : ctx_fail_nomem(err);
}
