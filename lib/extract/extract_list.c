/* SPDX-License-Identifier: MIT */
/*
 * The last lines of a summary: what was done, what failed, and the facts that
 * no passage shows; see extract_impl.h.
 */
#include "extract/extract_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

#define ALONE_MIN 6	/* least bytes of a fact that makes sense by itself,
			   unlike 9号 without its street */
#define LABEL_MAX 6	/* a label of a larger ctx_glyph_size is left out */
#define TELL_MISSES 64	/* deeds that do not fit, before giving up */
#define MISSES_MAX 4096	/* references that do not fit, before giving up */

int
ctx_extract_cost(struct ctx_extract_work *w, const char *text, size_t len,
    const char *end, uint64_t *n, struct ctx_err *err)
{
	ctx_buf_reset(&w->line);
	ctx_buf_add(&w->line, text, len);
	ctx_buf_adds(&w->line, end);
	if (ctx_buf_fail(&w->line, err) == -1)
		return -1;
	return w->opt->cost(w->opt->arg, w->line.data, w->line.len, n, err);
}

int
ctx_extract_charge(struct ctx_extract_work *w, uint64_t cost, uint64_t size)
{
	if (cost > w->left || size > w->left_size)
		return 0;
	w->left -= cost;
	w->left_size -= size;
	return 1;
}

/* Charge for the beginning of a line.  Returns 1 if there is room. */
static int
take_lead(struct ctx_extract_work *w, const char *lead, const char *mark,
    struct ctx_err *err)
{
	uint64_t n;

	if (ctx_extract_cost(w, lead, strlen(lead), mark, &n, err) == -1)
		return -1;
	return ctx_extract_charge(w, n, ctx_glyph_size(lead, strlen(lead)) +
	    ctx_glyph_size(mark, strlen(mark)));
}

/* --- deeds ------------------------------------------------------------- */

static const char *
lead_of(enum ctx_deed deed)
{
	return deed == CTX_DEED_DONE ? CTX_PASSAGE_DONE : CTX_PASSAGE_FAILED;
}

/* The bytes of the name of the tool and the (. */
static size_t
toollen(const struct ctx_passage *p)
{
	const char *q = memchr(p->text, '(', p->len);

	return q == NULL ? p->len : (size_t)(q - p->text) + 1;
}

static int
is_shorter(const struct ctx_passage *p)
{
	return toollen(p) + p->objectlen + strlen(CTX_PASSAGE_MORE) < p->len;
}

/* Does this form of a deed say less than the deed? */
static int
is_cut(const struct ctx_passage *p, int form)
{
	return form == CTX_EXTRACT_BRIEF && is_shorter(p);
}

static int
is_told(int told)
{
	return told == CTX_EXTRACT_BRIEF || told == CTX_EXTRACT_WHOLE;
}

static void
put_deed(struct ctx_buf *out, const struct ctx_passage *p, int told)
{
	if (is_cut(p, told)) {
		ctx_buf_add(out, p->text, toollen(p));
		ctx_buf_add(out, p->text + p->object, p->objectlen);
		ctx_buf_adds(out, CTX_PASSAGE_MORE);
	} else
		ctx_buf_add(out, p->text, p->len);
}

/* Mark what a deed shows. */
static void
cover_deed(struct ctx_extract_work *w, size_t i)
{
	const struct ctx_passage *p = &w->pass.v[i];
	int cut = is_cut(p, w->told[i]);
	const char *begin = cut ? p->text + p->object : p->text;
	const char *end = cut ? begin + p->objectlen : p->text + p->len;
	const struct ctx_fact *f;
	size_t k;

	for (k = w->fact_at[i]; k < w->fact_at[i + 1]; k++) {
		f = &w->facts.v[k];
		if (f->key < begin || f->key + f->keylen > end)
			continue;
		w->covered[w->nterm + w->fact_id[k]] = 1;
		w->known[w->fact_id[k]].listed = 0;
	}
	for (k = w->term_at[i]; k < w->term_at[i + 1] &&
	    w->told[i] == CTX_EXTRACT_WHOLE; k++)
		w->covered[w->term_id[k]] = 1;
}

/* The cost of deed i in a form, which is put at the end of told. */
static int
form_cost(struct ctx_extract_work *w, size_t i, int form, struct ctx_buf *told,
    uint64_t n[2], struct ctx_err *err)
{
	size_t from = told->len, len;

	put_deed(told, &w->pass.v[i], form);
	len = told->len - from;
	ctx_buf_addc(told, '\n');
	if (ctx_buf_fail(told, err) == -1)
		return -1;
	n[1] = ctx_glyph_size(told->data + from, len) + 1;
	return ctx_extract_cost(w, told->data + from, len, CTX_PASSAGE_NEXT,
	    &n[0], err);
}

/*
 * Tell deed i in this form if there is room.  told has what is told so far,
 * each in a line; nothing is told twice.
 */
static int
tell(struct ctx_extract_work *w, size_t i, int form, struct ctx_buf *told,
    struct ctx_err *err)
{
	uint64_t was[2] = { 0 }, n[2];
	size_t from = told->len;
	int fits;

	if (is_told(w->told[i]) &&
	    form_cost(w, i, w->told[i], told, was, err) == -1)
		return -1;
	told->len = from;
	if (form_cost(w, i, form, told, n, err) == -1)
		return -1;
	fits = memmem(told->data, from, told->data + from,
	    told->len - from) == NULL;
	if (!fits && !is_told(w->told[i]))
		w->told[i] = is_cut(&w->pass.v[i], form) ? CTX_EXTRACT_ALIKE :
		    CTX_EXTRACT_SAME;
	w->left += was[0];
	w->left_size += was[1];
	if (!fits || !ctx_extract_charge(w, n[0], n[1])) {
		w->left -= was[0];
		w->left_size -= was[1];
		told->len = from;
		return 0;
	}
	w->told[i] = (uint8_t)form;
	cover_deed(w, i);
	return 0;
}

/* What is told already, each in a line.  Returns the number of deeds. */
static size_t
told_so_far(const struct ctx_extract_work *w, enum ctx_deed deed,
    struct ctx_buf *told)
{
	size_t i, n = 0;

	ctx_buf_addc(told, '\n');
	for (i = 0; i < w->pass.n; i++)
		if (is_told(w->told[i]) && w->pass.v[i].deed == deed) {
			put_deed(told, &w->pass.v[i], w->told[i]);
			ctx_buf_addc(told, '\n');
			n++;
		}
	return n;
}

/* The newest first, and all briefly before any is told whole. */
static int
tell_all(struct ctx_extract_work *w, enum ctx_deed deed, struct ctx_buf *told,
    size_t *n, struct ctx_err *err)
{
	const struct ctx_passage *p = w->pass.v;
	size_t i, misses;
	int form;

	for (form = CTX_EXTRACT_BRIEF; form <= CTX_EXTRACT_WHOLE; form++) {
		misses = 0;
		for (i = w->pass.n; i-- > 0 && misses < TELL_MISSES; ) {
			if (p[i].deed != deed || w->told[i] >= form ||
			    (is_told(w->told[i]) && !is_shorter(&p[i])))
				continue;
			if (tell(w, i, form, told, err) == -1)
				return -1;
			misses = w->told[i] >= form ? 0 : misses + 1;
			*n += is_told(w->told[i]);
		}
	}
	return 0;
}

static int
is_lost(const struct ctx_extract_work *w, enum ctx_deed deed)
{
	size_t i;

	if (w->pass.lost >> deed & 1)
		return 1;
	for (i = 0; i < w->pass.n; i++)
		if (w->pass.v[i].deed == deed &&
		    w->told[i] == CTX_EXTRACT_NOTHING)
			return 1;
	return 0;
}

/* Tell all under a lead with a mark.  Returns 0 if there is no room for any. */
static int
begin_deeds(struct ctx_extract_work *w, enum ctx_deed deed, const char *mark,
    struct ctx_err *err)
{
	struct ctx_buf told = { 0 };
	size_t i, n = 0;
	int rc = take_lead(w, lead_of(deed), mark, err);

	for (i = 0; i < w->pass.n; i++)
		if (w->pass.v[i].deed == deed)
			w->told[i] = CTX_EXTRACT_NOTHING;
	if (rc == 1 && ctx_buf_add(&told, "\n", 1) == -1)
		rc = ctx_fail_nomem(err);
	if (rc == 1)
		rc = tell_all(w, deed, &told, &n, err);
	ctx_buf_done(&told);
	return rc == -1 ? -1 : n > 0;
}

int
ctx_extract_choose_deeds(struct ctx_extract_work *w, enum ctx_deed deed,
    struct ctx_err *err)
{
	uint64_t left = w->left, size = w->left_size;
	int rc = 0, marked = w->pass.lost >> deed & 1;

	for (; marked < 2; marked++) {
		w->left = left;
		w->left_size = size;
		rc = begin_deeds(w, deed, marked ? CTX_PASSAGE_LOST : "",
		    err);
		if (rc != 1 || !is_lost(w, deed))
			break;
	}
	if (rc == 0) {
		w->left = left;
		w->left_size = size;
	}
	return rc == -1 ? -1 : 0;
}

int
ctx_extract_more_deeds(struct ctx_extract_work *w, enum ctx_deed deed,
    struct ctx_err *err)
{
	struct ctx_buf told = { 0 };
	size_t n = told_so_far(w, deed, &told);
	int rc = ctx_buf_fail(&told, err);

	if (rc == 0)
		rc = n == 0 ? ctx_extract_choose_deeds(w, deed, err) :
		    tell_all(w, deed, &told, &n, err);
	ctx_buf_done(&told);
	return rc;
}

void
ctx_extract_put_deeds(const struct ctx_extract_work *w, enum ctx_deed deed,
    struct ctx_buf *out)
{
	int lost = is_lost(w, deed), first = 1;
	size_t i;

	for (i = 0; i < w->pass.n; i++) {
		if (!is_told(w->told[i]) || w->pass.v[i].deed != deed)
			continue;
		if (first) {
			ctx_buf_adds(out, out->len > 0 ? "\n" : "");
			ctx_buf_adds(out, lead_of(deed));
			ctx_buf_adds(out, lost ? CTX_PASSAGE_LOST : "");
		} else
			ctx_buf_adds(out, CTX_PASSAGE_NEXT);
		put_deed(out, &w->pass.v[i], w->told[i]);
		first = 0;
	}
}

/* --- references -------------------------------------------------------- */

/* A fact and its worth for its length, for sorting. */
struct ranked {
	uint64_t worth;
	const struct ctx_extract_fact *known;
	uint32_t id;
};

static int
by_worth(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->worth != y->worth)
		return x->worth < y->worth ? 1 : -1;
	/* pointers into one array, so this is the order of mention */
	return x->known->first < y->known->first ? -1 : 1;
}

/* Rank the facts that no chosen passage shows, best first. */
static int
rank_missing(struct ctx_extract_work *w, struct ctx_err *err)
{
	struct ranked *r;
	uint64_t size;
	size_t i, n = 0;

	if ((r = ctx_extract_new(w->nfact, sizeof(*r), err)) == NULL)
		return -1;
	for (i = 0; i < w->nfact; i++) {
		if (w->covered[w->nterm + i] || w->known[i].alone == 0)
			continue;
		/* divide by the root of the size, in 1/256 */
		size = ctx_glyph_size(w->known[i].first->show,
		    w->known[i].first->showlen) + 2;
		r[n++] = (struct ranked){
			((uint64_t)w->known[i].alone << 16) /
			ctx_root(size << 16),
			&w->known[i], (uint32_t)i
		};
	}
	qsort(r, n, sizeof(*r), by_worth);
	for (i = 0; i < n; i++)
		w->missing[i] = r[i].id;
	w->nmissing = n;
	free(r);
	return 0;
}

static int
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Is p in the text, as a whole word: not 12 in 2012? */
static int
holds(const struct ctx_buf *b, const char *p, size_t len)
{
	const char *at = b->data, *end;

	if (b->len == 0)
		return 0;
	for (end = at + b->len; (at = memmem(at, (size_t)(end - at), p, len)) !=
	    NULL; at++)
		if ((at == b->data || !is_alnum(at[-1]) || !is_alnum(p[0])) &&
		    (at + len == end || !is_alnum(at[len]) ||
		    !is_alnum(p[len - 1])))
			return 1;
	return 0;
}

/* Is k listed with the same label as first? */
static int
is_beside(const struct ctx_extract_fact *k,
    const struct ctx_extract_fact *first)
{
	return k->listed && k->labelled && first->labelled &&
	    k->labellen == first->labellen &&
	    memcmp(k->label, first->label, k->labellen) == 0;
}

/* List a fact as text if there is room.  Returns 1 if there was. */
static int
list_as(struct ctx_extract_work *w, struct ctx_extract_fact *k,
    const char *text, uint32_t len, struct ctx_err *err)
{
	uint64_t n, label = 0, size = ctx_glyph_size(text, len) + 1;
	int first = 1;
	size_t i;

	for (i = 0; i < w->nmissing && k->labelled; i++)
		if (is_beside(&w->known[w->missing[i]], k))
			first = 0;
	if (k->labelled && first && ctx_extract_cost(w, k->label, k->labellen,
	    "=", &label, err) == -1)
		return -1;
	if (k->labelled && first)
		size += ctx_glyph_size(k->label, k->labellen) + 1;
	k->text = text;
	k->len = len;
	if (ctx_extract_cost(w, text, len, ", ", &n, err) == -1)
		return -1;
	return ctx_extract_charge(w, n + label, size);
}

/* Is the label short, and does it say more than the value does? */
static int
is_label(const struct ctx_extract_fact *k)
{
	const struct ctx_fact *f = k->first;

	return k->label != NULL && f->show == f->key &&
	    ctx_glyph_size(k->label, k->labellen) <= LABEL_MAX &&
	    (k->labellen > f->keylen ||
	    memcmp(k->label, f->key, k->labellen) != 0);
}

/*
 * Try one reference: with its label or surroundings if there is room, else
 * bare.  Returns 1 if it was taken and charged for.  seen is all the text so
 * far; the reference is appended to it.
 */
static int
take_ref(struct ctx_extract_work *w, struct ctx_extract_fact *k,
    struct ctx_buf *seen, struct ctx_err *err)
{
	const struct ctx_fact *f = k->first;
	int rc;

	if (holds(seen, f->key, f->keylen))
		return 0;
	k->labelled = (uint8_t)is_label(k);
	rc = list_as(w, k, f->show, f->showlen, err);
	if (rc == 0 && (k->labelled || (f->showlen > f->keylen &&
	    f->keylen >= ALONE_MIN))) {
		k->labelled = 0;
		rc = list_as(w, k, f->key, f->keylen, err);
	}
	if (rc != 1)
		return rc;
	ctx_buf_add(seen, k->text, k->len);
	ctx_buf_addc(seen, '\n');
	return ctx_buf_fail(seen, err) == -1 ? -1 : 1;
}

int
ctx_extract_choose_refs(struct ctx_extract_work *w,
    const struct ctx_buf *text, struct ctx_err *err)
{
	struct ctx_buf seen = { 0 };
	struct ctx_extract_fact *k;
	size_t i, misses = 0;
	int rc;

	if (rank_missing(w, err) == -1)
		return -1;
	if ((rc = take_lead(w, CTX_PASSAGE_REFS, "", err)) != 1)
		return rc;
	if (ctx_buf_add(&seen, text->data, text->len) == -1)
		rc = ctx_fail_nomem(err);
	for (i = 0; i < w->nmissing && w->left > 1 && rc != -1 &&
	    misses < MISSES_MAX; i++) {
		k = &w->known[w->missing[i]];
		rc = take_ref(w, k, &seen, err);
		misses = rc == 1 ? 0 : misses + 1;
		k->listed = rc == 1;
		if (rc == 1)
			w->covered[w->nterm + w->missing[i]] = 1;
	}
	ctx_buf_done(&seen);
	return rc == -1 ? -1 : 0;
}

void
ctx_extract_put_refs(const struct ctx_extract_work *w, struct ctx_buf *out)
{
	struct ctx_extract_fact *k, *q;
	const char *sep = CTX_PASSAGE_REFS;
	size_t i, j;

	/* passages were chosen after the list, and may show what is in it */
	for (i = 0; i < w->nmissing; i++) {
		k = &w->known[w->missing[i]];
		k->listed = k->listed &&
		    !holds(out, k->first->key, k->first->keylen);
	}
	for (i = 0; i < w->nmissing; i++) {
		k = &w->known[w->missing[i]];
		if (!k->listed || k->shown)
			continue;
		ctx_buf_adds(out, sep[0] == 'R' && out->len > 0 ? "\n" : "");
		ctx_buf_adds(out, sep);
		if (k->labelled) {
			ctx_buf_add(out, k->label, k->labellen);
			ctx_buf_addc(out, '=');
		}
		ctx_buf_add(out, k->text, k->len);
		sep = ", ";
		for (j = i + 1; k->labelled && j < w->nmissing; j++) {
			q = &w->known[w->missing[j]];
			if (!is_beside(q, k))
				continue;
			q->shown = 1;
			ctx_buf_addc(out, '|');
			ctx_buf_add(out, q->text, q->len);
		}
	}
	for (i = 0; i < w->nmissing; i++)
		w->known[w->missing[i]].shown = 0;
}
