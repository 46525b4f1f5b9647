/* SPDX-License-Identifier: MIT */
/* Weighs what was said; see extract_impl.h. */
#include "extract/extract_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "extract/words.h"

/* The weights of each kind of speech: of its terms and its facts, in 1/16. */
static const struct {
	uint32_t term, fact;
} role[] = {
	[CTX_TALK_USER] = { 16, 32 },
	[CTX_TALK_ASSISTANT] = { 6, 8 },
	[CTX_TALK_CALL] = { 8, 48 },
	[CTX_TALK_RESULT] = { 1, 6 },
	[CTX_TALK_SUMMARY] = { 16, 192 }
};

#define UNIT 16		/* the unit of this table */
#define VALUE_MAX 40	/* bytes of a value that is shown whole */
#define CUE 307		/* factor for a passage with a cue word, in 1/256 */

/* A term in more passages than this hardly distinguishes them. */
#define COMMON_MIN 6
#define COMMON_SHARE 5	/* and in more than one of this many passages */
#define COMMON_LESS 8	/* divisor of its weight */

/*
 * Divisor of a stop word's weight.  The weight is not zero, because otherwise
 * lists and tables, which have no stop words, would be preferred to a sentence
 * that says the same.
 */
#define STOP_LESS 4

/* Percentages of the weight of a call's terms. */
#define LOOKS 30	/* a call that only looks */
#define DEED 300	/* the same of the facts of one that does more */

/* Percentages of a fact's full weight; see also ctx_fact_share. */
#define HARD 60		/* from this share on, facts make room for a list of
			   them */
#define BARE 40		/* this share and less: nothing if it is naked */
#define NAKED 50	/* a number of which nothing says what it is of */
#define BESIDE 4	/* more values with one label that only results have
			   count less, with the root of their number */
#define NAME 20		/* what merely looks like a name, in Latin script */
#define PLACE 110	/* in Han, what ends as the names of places do */
#define NAME_TOLD 30	/* the same in Han, if an assistant said it first */
#define NAME_ASKED 20	/* the same in Han, if another said it first ... */
#define ASKED 40	/* ... whose mention also counts this much less */

/* log2(1 + x / UNIT) in 1/1024, with the same result on every machine. */
static uint32_t
log_of(uint64_t x)
{
	uint64_t v;
	uint32_t out = 0;
	int i;

	for (v = x + UNIT; v >= 2 * UNIT; v >>= 1)
		out += 1024;
	/* v / 2^k, keeping all bits, as 1.0 <= v < 2.0 in 1/2^30 */
	v = ((x + UNIT) << 30) >> (out / 1024) >> 4;
	for (i = 9; i >= 0; i--) {
		v = v * v >> 30;
		if (v >= (uint64_t)2 << 30) {
			v >>= 1;
			out += 1u << i;
		}
	}
	return out;
}

void *
ctx_extract_new(size_t n, size_t size, struct ctx_err *err)
{
	void *p = calloc(n + 1, size);

	if (p == NULL)
		ctx_fail_nomem(err);
	return p;
}

static int
is_name_char(char c)
{
	return (c >= '0' && c <= '9') || c == '_' ||
	    ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int
has_letter(const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((p[i] | 32) >= 'a' && (p[i] | 32) <= 'z')
			return 1;
	return 0;
}

/* Show all of the value that a labelled fact begins: 12 Elm Street, not 12. */
static void
show_value(struct ctx_fact *f, const char *end)
{
	const size_t cut = strlen(CTX_PASSAGE_CUT);
	const char *q = memmem(f->key, (size_t)(end - f->key), ", ", 2);

	if (q == NULL && (size_t)(end - f->key) >= cut &&
	    memcmp(end - cut, CTX_PASSAGE_CUT, cut) == 0)
		return;
	end = q == NULL ? end : q;
	if (f->label != NULL && f->showlen == f->keylen &&
	    end - f->key <= VALUE_MAX)
		f->showlen = (uint32_t)(end - f->key);
}

/*
 * In a passage that is or was a result, the facts from one on: what stands before
 * a colon is the label of what follows, and no fact by itself.
 */
static void
label_facts(struct ctx_facts *facts, size_t from, const struct ctx_passage *p)
{
	const char *end = p->text + p->len, *q, *after;
	struct ctx_fact *f;
	size_t i, n = from;

	for (i = from; i < facts->n; i++) {
		f = &facts->v[i];
		after = f->key + f->keylen;
		if (end - after >= 2 && memcmp(after, ": ", 2) == 0 &&
		    !ctx_fact_is_id(f->key, f->keylen))
			continue;
		if (f->key - p->text > 2 && memcmp(f->key - 2, ": ", 2) == 0) {
			q = f->key - 2;
			while (q > p->text && is_name_char(q[-1]))
				q--;
			f->labellen = (uint32_t)(f->key - 2 - q);
			/* the number of a line is none */
			f->label = has_letter(q, f->labellen) ? q : NULL;
			show_value(f, end);
		}
		facts->v[n++] = *f;
	}
	facts->n = n;
}

/* Find the facts of a passage; the name of a tool is not one. */
static int
scan_facts(struct ctx_extract_work *w, const struct ctx_han_set *border,
    size_t i, struct ctx_err *err)
{
	const struct ctx_passage *p = &w->pass.v[i];
	const char *text = p->text, *q;
	size_t from = w->facts.n;

	if (p->kind == CTX_TALK_CALL &&
	    (q = memchr(text, '(', p->len)) != NULL)
		text = q + 1;
	if (ctx_facts_scan(&w->facts, border, text,
	    p->len - (size_t)(text - p->text), (uint32_t)i, err) == -1)
		return -1;
	if (p->kind == CTX_TALK_RESULT || p->kind == CTX_TALK_SUMMARY)
		label_facts(&w->facts, from, p);
	return 0;
}

/* Does an assistant ask something?  If it was answered, the answer counts. */
static int
is_question(const struct ctx_passage *p)
{
	return p->kind == CTX_TALK_ASSISTANT && ((p->len > 0 &&
	    p->text[p->len - 1] == '?') || (p->len > 2 &&
	    memcmp(p->text + p->len - 3, "？", 3) == 0));
}

/* The number of passages before the last that a user said. */
static size_t
before_last(const struct ctx_passages *l)
{
	size_t i = l->n;

	while (i > 0 && l->v[i - 1].kind != CTX_TALK_USER)
		i--;
	return i;
}

/* Who said it: what a user agreed to counts as the user's own words. */
static enum ctx_talk_kind
speaker(const struct ctx_passage *p)
{
	return p->agreed ? CTX_TALK_USER : p->kind;
}

/* Find the terms and facts of every passage. */
static int
scan(struct ctx_extract_work *w, struct ctx_err *err)
{
	struct ctx_han_set grammar, border;
	const struct ctx_passage *p;
	size_t i, n = w->pass.n, g = 0, answered = before_last(&w->pass);
	int cue;

	ctx_han_set_init(&grammar, ctx_word_han_grammar);
	ctx_han_set_init(&border, ctx_word_han_border);
	if ((w->term_at = ctx_extract_new(n, sizeof(size_t), err)) == NULL ||
	    (w->fact_at = ctx_extract_new(n, sizeof(size_t), err)) == NULL ||
	    (w->factor = ctx_extract_new(n, sizeof(uint32_t), err)) == NULL ||
	    (w->cost = ctx_extract_new(n, sizeof(uint64_t), err)) == NULL ||
	    (w->told = ctx_extract_new(n, 1, err)) == NULL)
		return -1;
	for (i = 0; i < n; i++) {
		p = &w->pass.v[i];
		w->term_at[i] = w->terms.n;
		w->fact_at[i] = w->facts.n;
		w->text_size += p->size;
		if (ctx_terms_scan(&w->terms, &grammar, p->text, p->len, &cue,
		    err) == -1 || scan_facts(w, &border, i, err) == -1)
			return -1;
		for (; g < w->pass.given.n && w->pass.given.v[g].at == i; g++)
			if (ctx_facts_add(&w->facts, &w->pass.given.v[g],
			    err) == -1)
				return -1;
		w->factor[i] = role[speaker(p)].term * 256 / UNIT;
		if (p->deed == CTX_DEED_LOOKS)
			w->factor[i] = w->factor[i] * LOOKS / 100;
		if (cue)
			w->factor[i] = w->factor[i] * CUE / 256;
		if (i < answered && is_question(p) && !p->agreed)
			w->factor[i] = 0;	/* only its facts count */
	}
	w->term_at[n] = w->terms.n;
	w->fact_at[n] = w->facts.n;
	return 0;
}

/* Give equal terms one id, and equal facts one id. */
static int
number(struct ctx_extract_work *w, struct ctx_err *err)
{
	uint64_t *hash;
	size_t i;
	int rc;

	w->term_id = ctx_extract_new(w->terms.n, sizeof(uint32_t), err);
	w->fact_id = ctx_extract_new(w->facts.n, sizeof(uint32_t), err);
	if (w->term_id == NULL || w->fact_id == NULL ||
	    ctx_terms_number(w->terms.hash, w->terms.n, w->term_id, &w->nterm,
	    err) == -1 ||
	    (hash = ctx_extract_new(w->facts.n, sizeof(*hash), err)) == NULL)
		return -1;
	for (i = 0; i < w->facts.n; i++)
		hash[i] = ctx_term_hash(w->facts.v[i].key,
		    w->facts.v[i].keylen);
	rc = ctx_terms_number(hash, w->facts.n, w->fact_id, &w->nfact, err);
	free(hash);
	return rc;
}

/* Is it a number and nothing says of what? */
static int
is_naked(const struct ctx_extract_fact *k)
{
	const struct ctx_fact *f = k->first;
	size_t i;

	for (i = 0; i < f->keylen; i++)
		if (f->key[i] != '.' && (f->key[i] < '0' || f->key[i] > '9'))
			return 0;
	return k->label == NULL && f->showlen == f->keylen;
}

/* Count the values that only results have, by their labels. */
static int
count_beside(struct ctx_extract_work *w, struct ctx_err *err)
{
	struct ctx_extract_fact *k;
	uint64_t *hash = ctx_extract_new(w->nfact, sizeof(*hash), err);
	uint32_t *id = ctx_extract_new(w->nfact, sizeof(*id), err);
	uint32_t *count = ctx_extract_new(w->nfact, sizeof(*count), err);
	size_t i, n;
	int rc = -1;

	if (hash != NULL && id != NULL && count != NULL) {
		for (i = 0; i < w->nfact; i++) {
			k = &w->known[i];
			hash[i] = k->label == NULL ? 0 :
			    ctx_term_hash(k->label, k->labellen);
		}
		rc = ctx_terms_number(hash, w->nfact, id, &n, err);
	}
	for (i = 0; rc == 0 && i < w->nfact; i++)
		count[id[i]] += w->known[i].looked;
	for (i = 0; rc == 0 && i < w->nfact; i++)
		if (w->known[i].looked && w->known[i].label != NULL)
			w->known[i].beside = count[id[i]];
	free(hash);
	free(id);
	free(count);
	return rc;
}

static void
weigh_fact(struct ctx_extract_work *w, struct ctx_extract_fact *k)
{
	uint64_t count = k->count;
	uint32_t share = 100;

	if (k->name) {
		share = k->first->name == CTX_FACT_PLACE ? PLACE :
		    (unsigned char)k->first->key[0] < 0x80 ? NAME :
		    k->asked ? NAME_ASKED : NAME_TOLD;
		if (k->asked && k->first->name != CTX_FACT_PLACE)
			count = count * ASKED / 100;
	} else
		share = ctx_fact_share(k->first->key, k->first->keylen);
	if (k->beside > BESIDE)
		share = share * ctx_root(BESIDE * 65536 / k->beside) / 256;
	k->weight = log_of(count) * share / 100;
	if (is_naked(k))
		share = share <= BARE ? 0 : share * NAKED / 100;
	if (ctx_datum_name_has(w->pass.names, k->first->key,
	    k->first->keylen))
		k->weight = share = 0;
	if (!k->name && share >= HARD)
		w->facts_size += ctx_glyph_size(k->first->key,
		    k->first->keylen);
	k->alone = log_of(count) * share / 100;
}

/* Weigh terms by who said them and in how many passages. */
static int
weigh_terms(struct ctx_extract_work *w, struct ctx_err *err)
{
	uint32_t *in, *last, *stop;
	size_t i, k, n = w->pass.n;
	uint32_t id;

	/* the number of passages; 1 + the passage that last counted it */
	if ((in = ctx_extract_new(3 * w->nterm, sizeof(*in), err)) == NULL)
		return -1;
	last = in + w->nterm;
	stop = last + w->nterm;
	for (i = 0; i < n; i++)
		for (k = w->term_at[i]; k < w->term_at[i + 1]; k++) {
			id = w->term_id[k];
			if (last[id] == i + 1)
				continue;
			last[id] = (uint32_t)i + 1;
			in[id]++;
			stop[id] = ctx_term_is_stop(w->terms.hash[k]);
			w->weight[id] += role[w->pass.v[i].kind].term;
		}
	for (id = 0; id < w->nterm; id++) {
		w->weight[id] = log_of(w->weight[id]);
		if (stop[id])
			w->weight[id] /= STOP_LESS;
		if (in[id] > COMMON_MIN && in[id] > n / COMMON_SHARE)
			w->weight[id] /= COMMON_LESS;
	}
	free(in);
	return 0;
}

/* The weight of a fact in a passage, in 1/UNIT. */
static uint32_t
fact_weight(const struct ctx_passage *p)
{
	uint32_t n = role[speaker(p)].fact;

	return p->deed == CTX_DEED_DONE || p->deed == CTX_DEED_FAILED ?
	    n * DEED / 100 : n;
}

static int
weigh_facts(struct ctx_extract_work *w, struct ctx_err *err)
{
	const struct ctx_fact *f;
	struct ctx_extract_fact *k;
	size_t i;

	w->known = ctx_extract_new(w->nfact, sizeof(*w->known), err);
	if (w->known == NULL)
		return -1;
	for (i = 0; i < w->facts.n; i++) {
		f = &w->facts.v[i];
		k = &w->known[w->fact_id[i]];
		if (k->first == NULL) {
			k->first = f;
			k->name = 1;
			k->asked = w->pass.v[f->at].kind !=
			    CTX_TALK_ASSISTANT;
			k->looked = 1;
		}
		k->name &= f->name != 0;
		k->looked &= w->pass.v[f->at].kind == CTX_TALK_RESULT;
		if (k->label == NULL && f->label != NULL) {
			k->label = f->label;
			k->labellen = f->labellen;
		}
		if (k->last == f->at + 1)
			continue;
		k->last = f->at + 1;
		k->count += f->rank > 0 ? f->rank :
		    fact_weight(&w->pass.v[f->at]);
	}
	if (count_beside(w, err) == -1)
		return -1;
	for (i = 0; i < w->nfact; i++) {
		weigh_fact(w, &w->known[i]);
		w->weight[w->nterm + i] = w->known[i].weight;
	}
	return 0;
}

/* Does the passage show the fact?  A call's last values are after its text. */
static int
is_shown(const struct ctx_passage *p, const struct ctx_fact *f)
{
	return f->key >= p->text && f->key + f->keylen <= p->text + p->len;
}

/* List a passage's features: its terms and the facts that it shows. */
static void
features(struct ctx_extract_work *w, uint32_t *last)
{
	struct ctx_cover_item *it = w->cover.item;
	size_t i, k, n = 0;
	uint32_t id;

	for (i = 0; i < w->pass.n; i++) {
		it[i] = (struct ctx_cover_item){
			.first = n, .size = w->pass.v[i].size,
			.factor = w->factor[i]
		};
		for (k = w->term_at[i]; k < w->term_at[i + 1]; k++) {
			id = w->term_id[k];
			if (last[id] != i + 1)
				w->feature[n++] = id;
			last[id] = (uint32_t)i + 1;
		}
		for (k = w->fact_at[i]; k < w->fact_at[i + 1]; k++) {
			id = (uint32_t)w->nterm + w->fact_id[k];
			if (last[id] == i + 1 ||
			    !is_shown(&w->pass.v[i], &w->facts.v[k]))
				continue;
			w->feature[n++] = id;
			last[id] = (uint32_t)i + 1;
		}
	}
	it[i].first = n;
}

int
ctx_extract_weigh(struct ctx_extract_work *w, const struct ctx_talk *said,
    size_t n, struct ctx_err *err)
{
	uint32_t *last;

	if (ctx_passages_split(&w->pass, said, n, err) == -1 ||
	    scan(w, err) == -1 || number(w, err) == -1 ||
	    (w->weight = ctx_extract_new(w->nterm + w->nfact,
	    sizeof(uint32_t), err)) == NULL || weigh_terms(w, err) == -1 || weigh_facts(w, err) == -1)
		return -1;
	w->covered = ctx_extract_new(w->nterm + w->nfact, 1, err);
	w->feature = ctx_extract_new(w->terms.n + w->facts.n,
	    sizeof(uint32_t), err);
	w->cover.item = ctx_extract_new(w->pass.n,
	    sizeof(struct ctx_cover_item), err);
	w->missing = ctx_extract_new(w->nfact, sizeof(uint32_t), err);
	last = ctx_extract_new(w->nterm + w->nfact, sizeof(uint32_t), err);
	if (w->covered == NULL || w->feature == NULL ||
	    w->cover.item == NULL || w->missing == NULL || last == NULL) {
		free(last);
		return -1;
	}
	features(w, last);
	free(last);
	w->cover.n = w->pass.n;
	w->cover.feature = w->feature;
	w->cover.weight = w->weight;
	w->cover.covered = w->covered;
	w->cover.nterm = (uint32_t)w->nterm;
	return 0;
}

