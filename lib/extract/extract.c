/* SPDX-License-Identifier: MIT */
/*
 * The offline summarizer; see extract.h.  Other modules find passages, terms
 * and facts; this one weighs them, and cover.c chooses.
 */
#include "extract/extract.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "extract/cover.h"
#include "extract/fact.h"
#include "extract/passage.h"
#include "extract/term.h"
#include "extract/words.h"

/* The weights of each kind of speech: of its terms and its facts, in 1/16. */
static const struct {
	uint32_t term, fact;
} role[] = {
	[CTX_TALK_USER] = { 16, 32 },
	[CTX_TALK_ASSISTANT] = { 6, 16 },
	[CTX_TALK_CALL] = { 8, 48 },
	[CTX_TALK_RESULT] = { 1, 2 },
	[CTX_TALK_SUMMARY] = { 16, 32 }
};

#define UNIT 16		/* the unit of this table */
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

/* Percentages of a fact's full weight. */
#define BARE 40		/* a number of one or two digits */
#define NAME 20		/* what merely looks like a name, in Latin script */
#define NAME_TOLD 65	/* the same in Han, if an assistant said it first */
#define NAME_ASKED 50	/* the same in Han, if another said it first ... */
#define ASKED 40	/* ... whose mention also counts this much less */

/*
 * The share of the budget that the line of references may take, in 1/1000.  It
 * grows with the share of the text that is facts.
 */
#define REFS_MIN 100
#define REFS_MAX 420
#define REFS_RISE 5	/* for each 1/1000 of the text that is facts */

#define REFS "Refs: "
#define ALONE_MIN 6	/* least bytes of a fact that makes sense by itself,
			   unlike 9号 without its street */
#define TERMS_MIN 5	/* a passage with fewer terms says nothing by itself:
			   "Done" */
#define TRIES 8		/* attempts to meet a budget, since costs of parts do
			   not add up */
#define MISSES_MAX 4096	/* references that do not fit, before giving up */

/* What is known of one fact in the whole conversation. */
struct known {
	const struct ctx_fact *first;
	uint32_t count;		/* sum of the weights of its speakers, in
				   1/UNIT */
	uint32_t weight;	/* in 1/1024 */
	uint32_t last;		/* 1 + the passage that last counted it */
	uint8_t name;		/* is always just a name */
	uint8_t asked;		/* was not first said by an assistant */
	uint8_t listed;		/* listed as a reference, in the form: */
	const char *text;
	uint32_t len;
};

struct work {
	const struct ctx_extract *opt;
	struct ctx_passages pass;
	struct ctx_terms terms;		/* of all passages, in order */
	struct ctx_facts facts;
	size_t *term_at;		/* by passage: its first term; n + 1 of
					   them */
	size_t *fact_at;
	uint32_t *factor;		/* by passage, in 1/256 */
	uint32_t *term_id;		/* by term */
	uint32_t *fact_id;
	size_t nterm;			/* number of different terms */
	size_t nfact;
	struct known *known;		/* by fact id */
	uint32_t *weight;		/* by id; facts follow terms */
	uint8_t *covered;
	uint32_t *feature;
	struct ctx_cover cover;
	uint64_t *cost;			/* by passage; 0: not yet counted */
	uint64_t facts_size;		/* of all hard facts, each once */
	uint64_t text_size;
	uint64_t left;			/* rest of the budget in this run */
	uint64_t left_size;		/* rest of opt->size */
	uint32_t *missing;		/* fact ids, sorted */
	size_t nmissing;
	struct ctx_buf line;		/* scratch: a piece with its newline */
};

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

static void *
array(size_t n, size_t size, struct ctx_err *err)
{
	void *p = calloc(n + 1, size);

	if (p == NULL)
		ctx_fail_nomem(err);
	return p;
}

/* Find the facts of a passage; the name of a tool is not one. */
static int
scan_facts(struct work *w, const struct ctx_han_set *border, size_t i,
    struct ctx_err *err)
{
	const struct ctx_passage *p = &w->pass.v[i];
	const char *text = p->text, *q;

	if (p->kind == CTX_TALK_CALL &&
	    (q = memchr(text, '(', p->len)) != NULL)
		text = q + 1;
	return ctx_facts_scan(&w->facts, border, text,
	    p->len - (size_t)(text - p->text), (uint32_t)i, err);
}

/* Find the terms and facts of every passage. */
static int
scan(struct work *w, struct ctx_err *err)
{
	struct ctx_han_set grammar, border;
	const struct ctx_passage *p;
	size_t i, n = w->pass.n, g = 0;
	int cue;

	ctx_han_set_init(&grammar, ctx_word_han_grammar);
	ctx_han_set_init(&border, ctx_word_han_border);
	if ((w->term_at = array(n, sizeof(size_t), err)) == NULL ||
	    (w->fact_at = array(n, sizeof(size_t), err)) == NULL ||
	    (w->factor = array(n, sizeof(uint32_t), err)) == NULL ||
	    (w->cost = array(n, sizeof(uint64_t), err)) == NULL)
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
		w->factor[i] = role[p->kind].term * 256 / UNIT;
		if (cue)
			w->factor[i] = w->factor[i] * CUE / 256;
	}
	w->term_at[n] = w->terms.n;
	w->fact_at[n] = w->facts.n;
	return 0;
}

/* Give equal terms one id, and equal facts one id. */
static int
number(struct work *w, struct ctx_err *err)
{
	uint64_t *hash;
	size_t i;
	int rc;

	if ((w->term_id = array(w->terms.n, sizeof(uint32_t), err)) == NULL ||
	    (w->fact_id = array(w->facts.n, sizeof(uint32_t), err)) == NULL ||
	    ctx_terms_number(w->terms.hash, w->terms.n, w->term_id, &w->nterm,
	    err) == -1 ||
	    (hash = array(w->facts.n, sizeof(*hash), err)) == NULL)
		return -1;
	for (i = 0; i < w->facts.n; i++)
		hash[i] = ctx_term_hash(w->facts.v[i].key,
		    w->facts.v[i].keylen);
	rc = ctx_terms_number(hash, w->facts.n, w->fact_id, &w->nfact, err);
	free(hash);
	return rc;
}

/* Is it just a number of one or two digits? */
static int
is_bare(const struct ctx_fact *f)
{
	size_t i;

	for (i = 0; i < f->keylen; i++)
		if (f->key[i] < '0' || f->key[i] > '9')
			return 0;
	return f->keylen <= 2;
}

static void
weigh_fact(struct work *w, struct known *k)
{
	uint64_t count = k->count;
	uint32_t share = 100;

	if (k->name) {
		share = (unsigned char)k->first->key[0] < 0x80 ? NAME :
		    k->asked ? NAME_ASKED : NAME_TOLD;
		if (k->asked)
			count = count * ASKED / 100;
	} else if (is_bare(k->first))
		share = BARE;
	else
		w->facts_size += ctx_glyph_size(k->first->key,
		    k->first->keylen);
	k->weight = log_of(count) * share / 100;
}

/* Weigh terms by who said them and in how many passages. */
static int
weigh_terms(struct work *w, struct ctx_err *err)
{
	uint32_t *in, *last, *stop;
	size_t i, k, n = w->pass.n;
	uint32_t id;

	/* the number of passages; 1 + the passage that last counted it */
	if ((in = array(3 * w->nterm, sizeof(*in), err)) == NULL)
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

static int
weigh_facts(struct work *w, struct ctx_err *err)
{
	const struct ctx_fact *f;
	struct known *k;
	size_t i;

	if ((w->known = array(w->nfact, sizeof(*w->known), err)) == NULL)
		return -1;
	for (i = 0; i < w->facts.n; i++) {
		f = &w->facts.v[i];
		k = &w->known[w->fact_id[i]];
		if (k->first == NULL) {
			k->first = f;
			k->name = 1;
			k->asked = w->pass.v[f->at].kind !=
			    CTX_TALK_ASSISTANT;
		}
		k->name &= f->name;
		if (k->last == f->at + 1)
			continue;
		k->last = f->at + 1;
		k->count += role[w->pass.v[f->at].kind].fact;
	}
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
features(struct work *w, uint32_t *last)
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

static int
prepare(struct work *w, const struct ctx_talk *said, size_t n,
    struct ctx_err *err)
{
	uint32_t *last;

	if (ctx_passages_split(&w->pass, said, n, err) == -1 ||
	    scan(w, err) == -1 || number(w, err) == -1 ||
	    (w->weight = array(w->nterm + w->nfact, sizeof(uint32_t), err))
	    == NULL || weigh_terms(w, err) == -1 || weigh_facts(w, err) == -1)
		return -1;
	w->covered = array(w->nterm + w->nfact, 1, err);
	w->feature = array(w->terms.n + w->facts.n, sizeof(uint32_t), err);
	w->cover.item = array(w->pass.n, sizeof(struct ctx_cover_item), err);
	w->missing = array(w->nfact, sizeof(uint32_t), err);
	last = array(w->nterm + w->nfact, sizeof(uint32_t), err);
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

/* The cost of text followed by end. */
static int
cost_of(struct work *w, const char *text, size_t len, const char *end,
    uint64_t *n, struct ctx_err *err)
{
	ctx_buf_reset(&w->line);
	ctx_buf_add(&w->line, text, len);
	ctx_buf_adds(&w->line, end);
	if (ctx_buf_fail(&w->line, err) == -1)
		return -1;
	return w->opt->cost(w->opt->arg, w->line.data, w->line.len, n, err);
}

/* Charge for something, if both limits allow it. */
static int
charge(struct work *w, uint64_t cost, uint64_t size)
{
	if (cost > w->left || size > w->left_size)
		return 0;
	w->left -= cost;
	w->left_size -= size;
	return 1;
}

static int
fits(void *arg, size_t i, struct ctx_err *err)
{
	struct work *w = arg;
	const struct ctx_passage *p = &w->pass.v[i];

	if (w->cost[i] == 0 &&
	    cost_of(w, p->text, p->len, "\n", &w->cost[i], err) == -1)
		return -1;
	return charge(w, w->cost[i], p->size);
}

/* A fact and its worth for its length, for sorting. */
struct ranked {
	uint64_t worth;
	const struct known *known;
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
rank_missing(struct work *w, struct ctx_err *err)
{
	struct ranked *r;
	uint64_t size;
	size_t i, n = 0;

	if ((r = array(w->nfact, sizeof(*r), err)) == NULL)
		return -1;
	for (i = 0; i < w->nfact; i++) {
		if (w->covered[w->nterm + i] || w->known[i].weight == 0)
			continue;
		/* divide by the root of the size, in 1/256 */
		size = ctx_glyph_size(w->known[i].first->show,
		    w->known[i].first->showlen) + 2;
		r[n++] = (struct ranked){
			((uint64_t)w->known[i].weight << 16) /
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
holds(const struct ctx_buf *b, const char *p, size_t len)
{
	return b->len > 0 && memmem(b->data, b->len, p, len) != NULL;
}

/*
 * Try one reference: with its surroundings if there is room, else bare.
 * Returns 1 if it was taken and charged for.  seen is all the text so far; the
 * reference is appended to it.
 */
static int
take_ref(struct work *w, struct known *k, struct ctx_buf *seen,
    struct ctx_err *err)
{
	const struct ctx_fact *f = k->first;
	uint64_t n;

	if (holds(seen, f->key, f->keylen))
		return 0;
	k->text = f->show;
	k->len = f->showlen;
	if (cost_of(w, k->text, k->len, ", ", &n, err) == -1)
		return -1;
	k->listed = charge(w, n, ctx_glyph_size(k->text, k->len) + 1);
	if (!k->listed && f->showlen > f->keylen && f->keylen >= ALONE_MIN) {
		k->text = f->key;
		k->len = f->keylen;
		if (cost_of(w, k->text, k->len, ", ", &n, err) == -1)
			return -1;
		k->listed = charge(w, n, ctx_glyph_size(k->text, k->len) + 1);
	}
	if (!k->listed)
		return 0;
	ctx_buf_add(seen, k->text, k->len);
	ctx_buf_addc(seen, '\n');
	return ctx_buf_fail(seen, err) == -1 ? -1 : 1;
}

/* List the facts that text does not contain, in the rest of the budget. */
static int
choose_refs(struct work *w, const struct ctx_buf *text, struct ctx_err *err)
{
	struct ctx_buf seen = { 0 };
	uint64_t head;
	size_t i, misses = 0;
	uint32_t id;
	int rc = 0;

	if (rank_missing(w, err) == -1 ||
	    cost_of(w, REFS, strlen(REFS), "", &head, err) == -1)
		return -1;
	if (!charge(w, head, ctx_glyph_size(REFS, strlen(REFS))))
		return 0;
	if (ctx_buf_add(&seen, text->data, text->len) == -1)
		rc = ctx_fail_nomem(err);
	for (i = 0; i < w->nmissing && w->left > 1 && rc != -1 &&
	    misses < MISSES_MAX; i++) {
		id = w->missing[i];
		rc = take_ref(w, &w->known[id], &seen, err);
		misses = rc == 1 ? 0 : misses + 1;
		if (rc == 1)
			w->covered[w->nterm + id] = 1;
	}
	ctx_buf_done(&seen);
	return rc == -1 ? -1 : 0;
}

/* Print the chosen passages and the listed facts, both in text order. */
static int
print(const struct work *w, struct ctx_buf *out, struct ctx_err *err)
{
	const struct ctx_passage *p = w->pass.v;
	const struct known *k;
	const char *lead = REFS;
	size_t i;

	ctx_buf_reset(out);
	for (i = 0; i < w->pass.n; i++)
		if (w->cover.item[i].out) {
			if (out->len > 0)
				ctx_buf_addc(out, '\n');
			ctx_buf_add(out, p[i].text, p[i].len);
		}
	for (i = 0; i < w->facts.n; i++) {
		k = &w->known[w->fact_id[i]];
		if (!k->listed || k->first != &w->facts.v[i])
			continue;
		if (lead[0] == 'R' && out->len > 0)
			ctx_buf_addc(out, '\n');
		ctx_buf_adds(out, lead);
		ctx_buf_add(out, k->text, k->len);
		lead = ", ";
	}
	return ctx_buf_fail(out, err);
}

/* share/1000 of x. */
static uint64_t
part_of(uint64_t x, uint64_t share)
{
	return x / 1000 * share + x % 1000 * share / 1000;
}

/* Compose one summary within budget, counting each part by itself. */
static int
compose(struct work *w, uint64_t budget, struct ctx_buf *out,
    struct ctx_err *err)
{
	uint64_t size = w->opt->size != 0 ? w->opt->size : UINT64_MAX / 2;
	uint64_t share, room;
	size_t i;

	for (i = 0; i < w->pass.n; i++)
		w->cover.item[i].out = 0;
	for (i = 0; i < w->nfact; i++)
		w->known[i].listed = 0;
	memset(w->covered, 0, w->nterm + w->nfact);
	share = w->text_size == 0 ? 0 :
	    REFS_MIN + REFS_RISE * 1000 * w->facts_size / w->text_size;
	if (share > REFS_MAX)
		share = REFS_MAX;
	room = part_of(budget, share);
	w->left = budget - room;
	w->left_size = size - part_of(size, share);
	w->cover.min_terms = TERMS_MIN;
	if (ctx_cover_run(&w->cover, fits, w, err) == -1 ||
	    print(w, out, err) == -1)
		return -1;
	if (out->len == 0) {
		/* no passage says enough: take what there is */
		w->cover.min_terms = 0;
		if (ctx_cover_run(&w->cover, fits, w, err) == -1 ||
		    print(w, out, err) == -1)
			return -1;
	}
	w->left += room;
	w->left_size += part_of(size, share);
	if (choose_refs(w, out, err) == -1 ||
	    ctx_cover_run(&w->cover, fits, w, err) == -1)
		return -1;
	return print(w, out, err);
}

static void
work_done(struct work *w)
{
	ctx_passages_done(&w->pass);
	free(w->terms.hash);
	free(w->facts.v);
	free(w->term_at);
	free(w->fact_at);
	free(w->factor);
	free(w->term_id);
	free(w->fact_id);
	free(w->known);
	free(w->weight);
	free(w->covered);
	free(w->feature);
	free(w->cover.item);
	free(w->cost);
	free(w->missing);
	ctx_buf_done(&w->line);
}

int
ctx_extract(const struct ctx_talk *said, size_t n,
    const struct ctx_extract *opt, struct ctx_buf *out, struct ctx_err *err)
{
	struct work w = { .opt = opt };
	struct ctx_buf text = { 0 };
	uint64_t budget = opt->budget, cost;
	int rc, try;

	rc = prepare(&w, said, n, err);
	for (try = 0; rc == 0 && try < TRIES; try++) {
		if ((rc = compose(&w, budget, &text, err)) == -1 ||
		    (rc = opt->cost(opt->arg, text.data, text.len, &cost,
		    err)) == -1 || cost <= opt->budget)
			break;
		/* the joined parts cost more than their sum: aim lower */
		cost -= opt->budget;
		budget = budget > cost ? budget - cost : 0;
		ctx_buf_reset(&text);
	}
	if (rc == 0 && text.len > 0 &&
	    ctx_buf_add(out, text.data, text.len) == -1)
		rc = ctx_fail_nomem(err);
	ctx_buf_done(&text);
	work_done(&w);
	return rc;
}
