/* SPDX-License-Identifier: MIT */
/*
 * The offline summarizer; see extract.h.  Other modules find passages, terms
 * and facts, and weigh them; this one composes, and cover.c chooses.
 */
#include "extract/extract_impl.h"

#include <stdlib.h>
#include <string.h>

/*
 * The share of the budget that the line of references may take, in 1/1000.  It
 * grows with the share of the text that is facts.
 */
#define REFS_MIN 100
#define REFS_MAX 510
#define REFS_RISE 5	/* for each 1/1000 of the text that is facts */

/* The share that deeds may take, in 1/1000, and the same for failed ones. */
#define DONE_MAX 400
#define FAILED_MAX 200

#define TERMS_MIN 5	/* a passage with fewer terms says nothing by itself:
			   "Done" */
#define TRIES 8		/* attempts to meet a budget, since costs of parts do
			   not add up */

static int
fits(void *arg, size_t i, struct ctx_err *err)
{
	struct ctx_extract_work *w = arg;
	const struct ctx_passage *p = &w->pass.v[i];

	if (w->cost[i] == 0 && ctx_extract_cost(w, p->text, p->len,
	    ctx_passage_poses(p->text, p->len) ? "\n" CTX_PASSAGE_QUOTE : "\n",
	    &w->cost[i], err) == -1)
		return -1;
	return ctx_extract_charge(w, w->cost[i], p->size);
}

static int
is_deed(const struct ctx_passage *p)
{
	return p->deed == CTX_DEED_DONE || p->deed == CTX_DEED_FAILED;
}

/* Print the chosen passages in the order of the text, then the lists. */
static int
print(const struct ctx_extract_work *w, struct ctx_buf *out,
    struct ctx_err *err)
{
	const struct ctx_passage *p = w->pass.v;
	size_t i;

	ctx_buf_reset(out);
	for (i = 0; i < w->pass.n; i++)
		if (w->cover.item[i].out && !is_deed(&p[i])) {
			if (out->len > 0)
				ctx_buf_addc(out, '\n');
			if (ctx_passage_poses(p[i].text, p[i].len))
				ctx_buf_adds(out, CTX_PASSAGE_QUOTE);
			ctx_buf_add(out, p[i].text, p[i].len);
		}
	ctx_extract_put_deeds(w, CTX_DEED_DONE, out);
	ctx_extract_put_deeds(w, CTX_DEED_FAILED, out);
	ctx_extract_put_refs(w, out);
	return ctx_buf_fail(out, err);
}

/* share/1000 of x. */
static uint64_t
part_of(uint64_t x, uint64_t share)
{
	return x / 1000 * share + x % 1000 * share / 1000;
}

/* Choose what was done, in at most a share of what is left. */
static int
choose_deeds(struct ctx_extract_work *w, enum ctx_deed deed, uint64_t share,
    struct ctx_err *err)
{
	uint64_t rest = w->left - part_of(w->left, share);
	uint64_t rest_size = w->left_size - part_of(w->left_size, share);
	int rc;

	w->left -= rest;
	w->left_size -= rest_size;
	rc = ctx_extract_choose_deeds(w, deed, err);
	w->left += rest;
	w->left_size += rest_size;
	return rc;
}

/* Choose nothing so far. */
static void
clear(struct ctx_extract_work *w, uint64_t budget)
{
	size_t i;

	for (i = 0; i < w->pass.n; i++)
		w->cover.item[i].out = (uint8_t)is_deed(&w->pass.v[i]);
	for (i = 0; i < w->nfact; i++)
		w->known[i].listed = 0;
	memset(w->covered, 0, w->nterm + w->nfact);
	memset(w->told, 0, w->pass.n);
	w->nmissing = 0;
	w->left = budget;
	w->left_size = w->opt->size != 0 ? w->opt->size : UINT64_MAX / 2;
}

/* Compose one summary within budget, counting each part by itself. */
static int
compose(struct ctx_extract_work *w, uint64_t budget, struct ctx_buf *out,
    struct ctx_err *err)
{
	uint64_t share, room, room_size;

	clear(w, budget);
	if (choose_deeds(w, CTX_DEED_DONE, DONE_MAX, err) == -1 ||
	    choose_deeds(w, CTX_DEED_FAILED, FAILED_MAX, err) == -1)
		return -1;
	share = w->text_size == 0 ? 0 :
	    REFS_MIN + REFS_RISE * 1000 * w->facts_size / w->text_size;
	if (share > REFS_MAX)
		share = REFS_MAX;
	room = part_of(w->left, share);
	room_size = part_of(w->left_size, share);
	w->left -= room;
	w->left_size -= room_size;
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
	w->left_size += room_size;
	if (ctx_extract_choose_refs(w, out, err) == -1 ||
	    ctx_extract_more_deeds(w, CTX_DEED_DONE, err) == -1 ||
	    ctx_extract_more_deeds(w, CTX_DEED_FAILED, err) == -1 ||
	    ctx_cover_run(&w->cover, fits, w, err) == -1)
		return -1;
	return print(w, out, err);
}

static void
work_done(struct ctx_extract_work *w)
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
	free(w->told);
	free(w->missing);
	ctx_buf_done(&w->line);
}

int
ctx_extract(const struct ctx_talk *said, size_t n,
    const struct ctx_extract *opt, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_extract_work w = { .opt = opt };
	struct ctx_buf text = { 0 };
	uint64_t budget = opt->budget, cost;
	int rc, try;

	rc = ctx_extract_weigh(&w, said, n, err);
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
