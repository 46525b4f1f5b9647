/* SPDX-License-Identifier: MIT */
/* How words differ; see wdiff.h. */
#include "compare/wdiff.h"

#include <ctype.h>

#include "base/utf8.h"
#include "compare/split_text.h"

#define SPACELESS	0x2e80	/* from here on are scripts without spaces */
#define TELLING		4	/* bytes, but blanks, that are not by chance */

struct words {
	struct ctx_split_text p;
	ctx_wdiff_fn *fn;
	void *arg;
	size_t from[2], to[2];	/* what is changed and not yet told */
};

/* The bytes of a letter or digit of a script with spaces, or 0. */
static size_t
letter(const char *p, size_t len)
{
	uint32_t cp;
	size_t n;

	if ((unsigned char)*p < 0x80)
		return isalnum((unsigned char)*p) || *p == '_';
	n = ctx_utf8_step(p, len, &cp);
	return cp < SPACELESS ? n : 0;
}

static size_t
word(const char *p, size_t len, size_t *n)
{
	size_t k = 0, step;

	while (k < len && (step = letter(p + k, len - k)) > 0)
		k += step;
	if (k == 0)
		while (k < len && (p[k] == ' ' || p[k] == '\t'))
			k++;
	if (k == 0)
		k = ctx_utf8_step(p, len, NULL);
	return *n = k > 0 ? k : 1;
}

/* The text of pieces from .. to. */
static struct ctx_str
text_of(const struct words *w, int new, size_t from, size_t to)
{
	const struct ctx_str *of = w->p.of[new] + from;
	struct ctx_str text = { of->p, 0 };

	for (; from < to; from++)
		text.len += (of++)->len;
	return text;
}

static void
put(struct words *w, char sign, int new, size_t from, size_t to)
{
	if (from < to)
		w->fn(w->arg, sign, text_of(w, new, from, to));
}

/* Tell what was changed, and n pieces that were not. */
static void
flush(struct words *w, size_t n)
{
	put(w, '-', 0, w->from[0], w->to[0]);
	put(w, '+', 1, w->from[1], w->to[1]);
	put(w, ' ', 1, w->to[1], w->to[1] + n);
	w->from[0] = w->to[0] += n;
	w->from[1] = w->to[1] += n;
}

static int
is_telling(struct ctx_str text)
{
	uint32_t i, marks = 0;

	for (i = 0; i < text.len; i++) {
		if (text.p[i] == '\n')
			return 1;
		marks += text.p[i] != ' ' && text.p[i] != '\t';
	}
	return marks >= TELLING;
}

static void
put_all(struct words *w)
{
	const size_t *n = w->p.n;
	size_t same, i, j;

	while (w->to[0] < n[0] || w->to[1] < n[1]) {
		same = ctx_split_text_equal(&w->p, w->to[0], w->to[1], n[0]);
		i = w->to[0] + same;
		j = w->to[1] + same;
		if (same > 0 && w->from[0] + w->from[1] < w->to[0] + w->to[1] &&
		    (i < n[0] || j < n[1]) &&
		    !is_telling(text_of(w, 1, w->to[1], j))) {
			w->to[0] = i;
			w->to[1] = j;
		} else if (same > 0)
			flush(w, same);
		ctx_split_text_skip(&w->p, &w->to[0], &w->to[1]);
	}
	flush(w, 0);
}

int
ctx_wdiff(struct ctx_str old, struct ctx_str new, ctx_wdiff_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct words w = { .fn = fn, .arg = arg };
	int rc = ctx_split_text_pair(&w.p, old, new, word, err);

	if (rc == 0)
		put_all(&w);
	ctx_split_text_done(&w.p);
	return rc;
}
