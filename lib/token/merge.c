/* SPDX-License-Identifier: MIT */
#include "token/merge.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the smallest and the largest window; 10 bits hold a position. */
#define WINDOW_MIN	64
#define WINDOW_MAX	1024
#define BLOCK		16
/* Tokens a window's start may be set back before the whole piece is merged. */
#define KEEP		64
#define NO_KEY		UINT32_MAX

/*
 * A window while it is merged.  The tokens are a list through its first bytes:
 * token at i reaches to next[i].  key[i] is the rank of the merge of the tokens
 * at i and next[i], above their position, so that the smallest key is the
 * leftmost of the best; low[] has the smallest key of each BLOCK.
 */
struct window {
	uint32_t key[WINDOW_MAX];
	uint32_t low[WINDOW_MAX / BLOCK];
	uint32_t id[WINDOW_MAX + 1];
	uint16_t next[WINDOW_MAX + 1];
	uint16_t prev[WINDOW_MAX + 1];
};

struct kept {
	uint32_t id;
	uint32_t len;
};

static inline uint32_t
key_of(uint32_t rank, unsigned i)
{
	return rank == CTX_RANK_MAX ? NO_KEY : rank << 10 | i;
}

/* The smallest of the keys of block b. */
static inline uint32_t
block_low(const struct window *w, unsigned b)
{
	const uint32_t *key = w->key + b * BLOCK;
	uint32_t low = NO_KEY;
	unsigned i;

	for (i = 0; i < BLOCK; i++)
		low = key[i] < low ? key[i] : low;
	return low;
}

/* The bytes of p as tokens, with the keys of their pairs. */
static unsigned
window_start(struct window *w, const struct ctx_table *t, const uint8_t *p,
    unsigned n)
{
	unsigned i, blocks = (n + BLOCK - 1) / BLOCK;

	for (i = 0; i < n; i++) {
		w->id[i] = t->first[p[i]];
		w->next[i] = (uint16_t)(i + 1);
		w->prev[i] = (uint16_t)(i - 1);
	}
	for (i = 0; i + 1 < n; i++)
		w->key[i] = key_of(t->grid[p[i] << 8 | p[i + 1]], i);
	for (; i < blocks * BLOCK; i++)
		w->key[i] = NO_KEY;
	for (i = 0; i < blocks; i++)
		w->low[i] = block_low(w, i);
	return blocks;
}

static inline void
set_key(struct window *w, unsigned i, uint32_t key)
{
	w->key[i] = key;
	w->low[i / BLOCK] = block_low(w, i / BLOCK);
}

/* Merge the tokens at i and next[i] into id. */
static void
window_merge(struct window *w, const struct ctx_table *t, unsigned i,
    unsigned n, uint32_t id)
{
	unsigned gone = w->next[i], after = w->next[gone];

	w->id[i] = id;
	w->next[i] = (uint16_t)after;
	set_key(w, gone, NO_KEY);
	if (after < n) {
		w->prev[after] = (uint16_t)i;
		set_key(w, i, key_of(ctx_pair_rank(t, id, w->id[after]), i));
	} else
		set_key(w, i, NO_KEY);
	if (i > 0)
		set_key(w, w->prev[i], key_of(ctx_pair_rank(t,
		    w->id[w->prev[i]], id), w->prev[i]));
}

/* Merge p[0 .. n), n <= WINDOW_MAX; the tokens are left in w. */
static unsigned
window_run(struct window *w, const struct ctx_table *t, const uint8_t *p,
    unsigned n)
{
	unsigned blocks = window_start(w, t, p, n), count = n, i;
	uint32_t best, id;

	for (;;) {
		best = NO_KEY;
		for (i = 0; i < blocks; i++)
			best = w->low[i] < best ? w->low[i] : best;
		if (best == NO_KEY)
			return count;
		i = best & (WINDOW_MAX - 1);
		id = ctx_rank_id(t, best >> 10);
		/* In a damaged table a pair may sit before a dead end. */
		if (w->next[i] >= n)
			set_key(w, i, NO_KEY);
		else {
			window_merge(w, t, i, n, id);
			count--;
		}
	}
}

int
ctx_ids_add(struct ctx_ids *ids, uint32_t id, struct ctx_err *err)
{
	uint32_t *p = ctx_grow(ids->id, ids->n, &ids->cap, sizeof(*p));

	if (p == NULL)
		return ctx_fail_nomem(err);
	ids->id = p;
	p[ids->n++] = id;
	return 0;
}

unsigned
ctx_merge_word(const struct ctx_table *t, const uint8_t *p, unsigned len)
{
	struct window w;

	return window_run(&w, t, p, len);
}

/*
 * The whole piece at once, n log n: a heap of keys (rank above position), whose
 * stale entries are told by what rank their position has now.
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
	uint32_t i;
	uint64_t top;
	int rc = -1;

	/* A merge takes one pair away and pushes two at most. */
	if (len > UINT32_MAX / 2 - 1 ||
	    (h.key = malloc(3 * len * sizeof(*h.key))) == NULL ||
	    (h.id = malloc(4 * len * sizeof(*h.id))) == NULL) {
		ctx_fail_nomem(err);
		goto out;
	}
	h.rank = h.id + len;
	h.next = h.rank + len;
	h.prev = h.next + len;
	for (i = 0; i < len; i++) {
		h.id[i] = t->first[p[i]];
		h.next[i] = i + 1;
		h.prev[i] = i - 1;
	}
	for (i = 0; i < len; i++)
		heap_set(&h, t, i, len);
	*n = len;
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
		rc = ctx_ids_add(ids, h.id[i], err);
out:
	free(h.key);
	free(h.id);
	return rc;
}

/*
 * A long piece: the tokens that are certain so far.  Only the last KEEP are
 * held; count and ids have them all.
 */
struct row {
	struct kept kept[KEEP];
	size_t n;		/* all tokens taken */
	size_t end;		/* bytes they cover */
	struct ctx_ids *ids;
};

static int
row_add(struct row *r, uint32_t id, unsigned len, struct ctx_err *err)
{
	r->kept[r->n++ % KEEP] = (struct kept){ id, len };
	r->end += len;
	return r->ids == NULL ? 0 : ctx_ids_add(r->ids, id, err);
}

static void
row_drop(struct row *r)
{
	r->end -= r->kept[--r->n % KEEP].len;
	if (r->ids != NULL)
		r->ids->n--;
}

/*
 * Take tokens from the window's list, which starts at the row's last token,
 * up to byte stop of the window.
 */
static int
row_take(struct row *r, const struct window *w, unsigned from, unsigned stop,
    struct ctx_err *err)
{
	unsigned i;

	for (i = from; i < stop && w->next[i] <= stop; i = w->next[i])
		if (row_add(r, w->id[i], w->next[i] - i, err) == -1)
			return -1;
	return 0;
}

/*
 * One window of at most size bytes: 1 the row grew, 0 it did not and must be
 * tried with a larger window or from further back, -1 error.
 */
static int
row_step(struct row *r, struct window *w, const struct ctx_table *t,
    const uint8_t *p, size_t len, unsigned size, struct ctx_err *err)
{
	const struct kept *last = &r->kept[(r->n - 1) % KEEP];
	unsigned lap = r->n > 0 ? last->len : 0, n, stop;
	size_t start = r->end - lap, before = r->n;

	n = len - start < size ? (unsigned)(len - start) : size;
	window_run(w, t, p + start, n);
	if (lap != 0 && (w->id[0] != last->id || w->next[0] != lap))
		return 0;
	/* What lies near a cut end may come out otherwise with more text. */
	stop = start + n == len ? n : n - n / 4;
	if (row_take(r, w, lap, stop, err) == -1)
		return -1;
	return r->n > before;
}

static int
merge_long(const struct ctx_table *t, const uint8_t *p, size_t len,
    struct ctx_ids *ids, size_t *n, struct ctx_err *err)
{
	struct row r = { .ids = ids };
	struct window w;
	unsigned size = WINDOW_MIN;
	size_t base = ids != NULL ? ids->n : 0, high = 0, dropped = 0;
	int rc;

	while (r.end < len) {
		rc = row_step(&r, &w, t, p, len, size, err);
		if (rc == -1)
			return -1;
		if (rc == 1) {
			high = r.n > high ? r.n : high;
			continue;
		}
		if (size < WINDOW_MAX) {
			size *= 2;
			continue;
		}
		/* Go back, but neither beyond what is held nor for ever. */
		if (r.n < 2 || high - r.n == KEEP - 2 ||
		    dropped++ == KEEP + r.end / WINDOW_MIN)
			break;
		row_drop(&r);
	}
	*n = r.n;
	if (r.end == len)
		return 0;
	if (ids != NULL)
		ids->n = base;
	return merge_all(t, p, len, ids, n, err);
}

int
ctx_merge_piece(const struct ctx_table *t, const uint8_t *p, size_t len,
    struct ctx_ids *ids, size_t *n, struct ctx_err *err)
{
	struct window w;
	unsigned i;

	if (len > WINDOW_MIN)
		return merge_long(t, p, len, ids, n, err);
	*n = window_run(&w, t, p, (unsigned)len);
	for (i = 0; ids != NULL && i < len; i = w.next[i])
		if (ctx_ids_add(ids, w.id[i], err) == -1)
			return -1;
	return 0;
}
