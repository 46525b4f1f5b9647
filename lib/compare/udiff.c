/* SPDX-License-Identifier: MIT */
/* How lines differ; see udiff.h. */
#include "compare/udiff.h"

#include <stdio.h>

#include "compare/split_text.h"

#define AROUND	3	/* equal lines that are shown around others */

struct udiff {
	struct ctx_split_text p;	/* lines, without their ends */
	ctx_udiff_fn *fn;
	void *arg;
};

static size_t
line(const char *p, size_t len, size_t *n)
{
	const char *nl = memchr(p, '\n', len);

	*n = nl == NULL ? len : (size_t)(nl - p);
	return nl == NULL ? len : *n + 1;
}

static void
put(const struct udiff *d, char sign, int new, size_t i)
{
	d->fn(d->arg, sign, d->p.of[new][i]);
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
		if (i < iend && d->p.mate[i] == UINT32_MAX)
			put(d, '-', 0, i++);
		else if (j < jend && (i == iend || d->p.mate[i] != j))
			put(d, '+', 1, j++);
		else {
			put(d, ' ', 0, i++);
			j++;
		}
	}
}

static void
put_all(const struct udiff *d)
{
	size_t i = 0, j = 0, n, from, iend, jend;

	for (;;) {
		n = ctx_split_text_equal(&d->p, i, j, d->p.n[0]);
		i += n;
		j += n;
		if (i == d->p.n[0] && j == d->p.n[1])
			return;
		from = n < AROUND ? n : AROUND;
		iend = i;
		jend = j;
		do {
			ctx_split_text_skip(&d->p, &iend, &jend);
			n = ctx_split_text_equal(&d->p, iend, jend,
			    2 * AROUND + 1);
			iend += n;
			jend += n;
		} while (n <= 2 * AROUND &&
		    (iend < d->p.n[0] || jend < d->p.n[1]));
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
	int rc = ctx_split_text_pair(&d.p, old, new, line, err);

	if (rc == 0)
		put_all(&d);
	ctx_split_text_done(&d.p);
	return rc;
}
