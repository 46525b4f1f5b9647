/* SPDX-License-Identifier: MIT */
#include "token/bpe.h"

#include <stdlib.h>
#include <string.h>

#include "token/bpe_window.h"

/*
 * Number of tokens that a window's start may be moved back before the whole
 * piece is merged at once.
 */
#define KEEP		64

int
ctx_bpe_add_id(struct ctx_ids *ids, uint32_t id, struct ctx_err *err)
{
	if (CTX_ROOM(ids->id, ids->n, &ids->cap) == -1)
		return ctx_fail_nomem(err);
	ids->id[ids->n++] = id;
	return 0;
}

/*
 * Merge the whole piece at once in n log n steps, with a heap of keys (rank
 * above position).  A key is stale if its position has another rank now.
 */
struct heap {
	uint64_t *key;
	size_t n;
	uint32_t *id;
	uint32_t *rank;		/* of the pair that starts here */
	uint32_t *next;
	uint32_t *prev;
};

static void
heap_push(struct heap *h, uint32_t rank, uint32_t pos)
{
	uint64_t key = (uint64_t)rank << 32 | pos;
	size_t i = h->n++, up;

	for (; i > 0 && h->key[up = (i - 1) / 2] > key; i = up)
		h->key[i] = h->key[up];
	h->key[i] = key;
}

static uint64_t
heap_pop(struct heap *h)
{
	uint64_t top = h->key[0], last = h->key[--h->n];
	size_t i = 0, c;

	while ((c = 2 * i + 1) < h->n) {
		if (c + 1 < h->n && h->key[c + 1] < h->key[c])
			c++;
		if (last <= h->key[c])
			break;
		h->key[i] = h->key[c];
		i = c;
	}
	h->key[i] = last;
	return top;
}

static void
heap_set(struct heap *h, const struct ctx_table *t, uint32_t i, size_t len)
{
	h->rank[i] = h->next[i] < len ?
	    ctx_pair_rank(t, h->id[i], h->id[h->next[i]]) : CTX_RANK_MAX;
	if (h->rank[i] != CTX_RANK_MAX)
		heap_push(h, h->rank[i], i);
}

static void
heap_merge(struct heap *h, const struct ctx_table *t, uint32_t i, size_t len)
{
	uint32_t gone = h->next[i], after = h->next[gone];

	h->id[i] = ctx_rank_id(t, h->rank[i]);
	h->rank[gone] = CTX_RANK_MAX;
	h->next[i] = after;
	if (after < len)
		h->prev[after] = i;
	heap_set(h, t, i, len);
	if (i > 0)
		heap_set(h, t, h->prev[i], len);
}

static int
merge_all(const struct ctx_table *t, const uint8_t *p, size_t len,
    struct ctx_ids *ids, size_t *n, struct ctx_err *err)
{
	struct heap h = { 0 };
	uint32_t i, step;
	uint64_t top;
	int rc = -1;

	/* A merge removes one pair and pushes at most two. */
	if (len > UINT32_MAX / 2 - 1 ||
	    (h.key = malloc(3 * len * sizeof(*h.key))) == NULL ||
	    (h.id = malloc(4 * len * sizeof(*h.id))) == NULL) {
		ctx_fail_nomem(err);
		goto out;
	}
	h.rank = h.id + len;
	h.next = h.rank + len;
	h.prev = h.next + len;
	for (i = *n = 0; i < len; i += step, ++*n) {
		step = ctx_bpe_first(t, p + i, len - i, &h.id[i]);
		h.next[i] = i + step;
		if (i + step < len)
			h.prev[i + step] = i;
	}
	for (i = 0; i < len; i = h.next[i])
		heap_set(&h, t, i, len);
	while (h.n > 0) {
		top = heap_pop(&h);
		i = (uint32_t)top;
		if (h.rank[i] != top >> 32)
			continue;
		heap_merge(&h, t, i, len);
		--*n;
	}
	rc = 0;
	for (i = 0; ids != NULL && rc == 0 && i < len; i = h.next[i])
		rc = ctx_bpe_add_id(ids, h.id[i], err);
out:
	free(h.key);
	free(h.id);
	return rc;
}

/*
 * A long piece: the tokens that are certain so far.  Only the last KEEP are
 * held here; count and ids include them all.
 */
struct row {
	struct ctx_bpe_token kept[KEEP];
	size_t n;		/* all tokens taken */
	size_t end;		/* bytes they cover */
	struct ctx_ids *ids;
	unsigned size;		/* size of the next window, at most */
	unsigned tries;		/* failed windows of that size */
	size_t most, high;	/* largest values of n and end so far */
	size_t dropped;
	/* The last window: where it began, its length (0: none), its tokens. */
	size_t start;
	unsigned len, count;
	struct ctx_bpe_token out[CTX_BPE_MAX];
};

static int
row_add(struct row *r, struct ctx_bpe_token x, struct ctx_err *err)
{
	r->kept[r->n++ % KEEP] = x;
	r->end += x.len;
	return r->ids == NULL ? 0 : ctx_bpe_add_id(r->ids, x.id, err);
}

static void
row_drop(struct row *r)
{
	r->end -= r->kept[--r->n % KEEP].len;
	if (r->ids != NULL)
		r->ids->n--;
}

/*
 * Merge the window p[start .. start + n).  Runs of a character, and of a few,
 * are windows that are all the same.
 */
static void
row_window(struct row *r, const struct ctx_table *t, const uint8_t *p,
    size_t start, unsigned n)
{
	if (r->len != n || memcmp(p + start, p + r->start, n) != 0)
		r->count = ctx_bpe_window(r->out, t, p + start, n);
	r->start = start;
	r->len = n;
}

/*
 * Merge one window.  Returns 1 if the row grew, 0 if it must be tried again
 * with a larger window or from further back, or -1 on error.
 */
static int
row_step(struct row *r, const struct ctx_table *t, const uint8_t *p,
    size_t len, struct ctx_err *err)
{
	struct ctx_bpe_token last = r->kept[(r->n - 1) % KEEP], *out = r->out;
	unsigned lap = r->n > 0 ? last.len : 0, n, i, at;
	size_t start = r->end - lap, before = r->n;

	n = len - start < r->size ? (unsigned)(len - start) : r->size;
	/* A window must end at the end of a character. */
	while (ctx_table_by_chars(t) && start + n < len && n > r->size - 4 &&
	    (p[start + n] & 0xc0) == 0x80)
		n--;
	row_window(r, t, p, start, n);
	if (lap != 0 && (out[0].id != last.id || out[0].len != lap))
		return 0;
	/* Tokens near a cut end may come out differently with more text. */
	at = start + n == len ? n : n - n / 8;
	for (i = lap != 0; i < r->count && r->end + out[i].len <= start + at; i++)
		if (row_add(r, out[i], err) == -1)
			return -1;
	return r->n > before;
}

/* After a step by which the row grew by that many tokens and bytes. */
static void
row_grew(struct row *r, size_t tokens, size_t bytes)
{
	if (r->end <= r->high)
		return;
	r->high = r->end;
	r->tries = 0;
	/* Short tokens do not need large windows. */
	if (bytes < 8 * tokens)
		r->size = CTX_BPE_MIN;
}

/*
 * After a step by which the row did not grow: decide how to try again; 0 if
 * that is pointless.
 */
static int
row_retry(struct row *r)
{
	/* Usually only a token or two near a cut end were wrong. */
	if (r->size < CTX_BPE_MAX && (r->tries++ > 2 || r->n == 0)) {
		r->size *= 2;
		r->tries = 0;
		return 1;
	}
	/* Go back, but not beyond what is held, and not forever. */
	if (r->n == 0 || r->most - r->n == KEEP - 2 ||
	    r->dropped++ == KEEP + r->end / 8)
		return 0;
	row_drop(r);
	return 1;
}

static int
merge_long(const struct ctx_table *t, const uint8_t *p, size_t len,
    struct ctx_ids *ids, size_t *n, struct ctx_err *err)
{
	struct row r;
	size_t base = ids != NULL ? ids->n : 0, before, end;
	int rc;

	memset(&r, 0, offsetof(struct row, out));
	r.ids = ids;
	r.size = CTX_BPE_MIN;
	while (r.end < len) {
		before = r.n;
		end = r.end;
		if ((rc = row_step(&r, t, p, len, err)) == -1)
			return -1;
		r.most = r.n > r.most ? r.n : r.most;
		if (rc == 1)
			row_grew(&r, r.n - before, r.end - end);
		else if (!row_retry(&r))
			break;
	}
	*n = r.n;
	if (r.end == len)
		return 0;
	if (ids != NULL)
		ids->n = base;
	return merge_all(t, p, len, ids, n, err);
}

int
ctx_bpe_piece(const struct ctx_table *t, const uint8_t *p, size_t len,
    struct ctx_ids *ids, size_t *n, struct ctx_err *err)
{
	struct ctx_bpe_token out[CTX_BPE_MIN];
	unsigned i;

	if (len > CTX_BPE_MIN)
		return merge_long(t, p, len, ids, n, err);
	if (ids == NULL) {
		*n = ctx_bpe_count(t, p, (unsigned)len);
		return 0;
	}
	*n = ctx_bpe_window(out, t, p, (unsigned)len);
	for (i = 0; i < *n; i++)
		if (ctx_bpe_add_id(ids, out[i].id, err) == -1)
			return -1;
	return 0;
}
