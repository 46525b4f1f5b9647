/* SPDX-License-Identifier: MIT */
/* Rank messages that are read; see score.h. */
#include "store/search/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/search/index.h"

/* The constants of FTS5's bm25(). */
#define K1	1.2
#define B	0.75
#define IDF_MIN	1e-6	/* for what at least half of the messages have */

static int
add_hit(struct ctx_score *s, const struct ctx_rank_hit *at,
    const uint32_t *count, struct ctx_err *err)
{
	uint64_t words = s->query->text.n;
	size_t i;

	s->words += words;
	if (CTX_ROOM(s->hit, s->nhit, &s->caphit) == -1)
		return ctx_fail_nomem(err);
	s->hit[s->nhit++] = (struct ctx_score_hit){ *at, words, s->ncount };
	for (i = 0; i < s->query->n; i++) {
		if (count[i] == 0)
			continue;
		if (CTX_ROOM(s->count, s->ncount, &s->capcount) == -1)
			return ctx_fail_nomem(err);
		s->count[s->ncount++] = (struct ctx_score_count){
		    (uint32_t)i, count[i] };
	}
	return 0;
}

int
ctx_score_line(struct ctx_score *s, const struct ctx_rank_hit *at,
    const char *raw, size_t len, struct ctx_err *err)
{
	uint32_t count[CTX_QUERY_PARTS];
	size_t i, parts;

	ctx_buf_reset(&s->text);
	ctx_buf_reset(&s->cut);
	if (ctx_index_words(raw, len, CTX_INDEX_CUT, &s->text, err) == -1)
		return -1;
	ctx_index_text(&s->cut, s->text.data, s->text.len);
	if (ctx_buf_fail(&s->cut, err) == -1 ||
	    ctx_query_cut(s->query, s->cut.data, s->cut.len, err) == -1)
		return -1;
	s->texts++;
	if ((parts = ctx_query_tally(s->query, count)) == 0)
		return 0;
	for (i = 0; i < s->query->n; i++)
		s->with[i] += count[i] > 0;
	return s->all && parts < s->query->n ? 0 : add_hit(s, at, count, err);
}

static double
idf(const struct ctx_score *s, size_t part)
{
	double with = (double)s->with[part], n = (double)s->texts;
	double v = log((n - with + 0.5) / (with + 0.5));

	return v > 0 ? v : IDF_MIN;
}

int
ctx_score_end(const struct ctx_score *s, struct ctx_rank *r,
    struct ctx_err *err)
{
	double weight[CTX_QUERY_PARTS], average, norm, n;
	struct ctx_rank_hit h;
	size_t i, k = 0, end;

	for (i = 0; i < s->query->n; i++)
		weight[i] = idf(s, i);
	average = s->nhit > 0 ? (double)s->words / (double)s->nhit : 1;
	for (i = 0; i < s->nhit; i++) {
		h = s->hit[i].at;
		h.score = 0;
		norm = K1 * (1 - B + B * (double)s->hit[i].words / average);
		end = i + 1 < s->nhit ? s->hit[i + 1].count : s->ncount;
		for (; k < end; k++) {
			n = s->count[k].n;
			h.score += weight[s->count[k].part] * n * (K1 + 1) /
			    (n + norm);
		}
		if (ctx_rank_add(r, &h, err) == -1)
			return -1;
	}
	return 0;
}

void
ctx_score_done(struct ctx_score *s)
{
	free(s->hit);
	free(s->count);
	ctx_buf_done(&s->text);
	ctx_buf_done(&s->cut);
}
