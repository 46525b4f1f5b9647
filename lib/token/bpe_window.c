/* SPDX-License-Identifier: MIT */
#include "token/bpe_window.h"

#include <string.h>

#include "base/cpu.h"
#include "base/vec.h"

#ifdef CTX_X86
#include <immintrin.h>
#endif

#define WINDOW_MIN	CTX_BPE_MIN
#define WINDOW_MAX	CTX_BPE_MAX
#define BLOCK		16

/* Windows that are merged by turns. */
#define TOGETHER	32

/*
 * A window of up to WINDOW_MIN bytes, which are numbered from 1.  Tokens begin
 * where alive has a bit.  Bits 0 and n + 1 are always set, for tokens that
 * merge with nothing, so that every token has neighbours and no branch is
 * needed.  KEY(w, i) is the rank of the merge of the token at i with the next
 * one, above i itself, so the smallest key is the leftmost of the best merges.
 *
 * A merge is done in two steps, pick and settle, so that the table's buckets
 * for the two new pairs can be fetched while other windows proceed.
 */
struct small {
	uint64_t alive;
	struct ctx_bpe_job *job;
	uint32_t n;
	uint32_t before;	/* the token just made and its neighbours, */
	uint32_t at;		/* which make pairs to look up */
	uint32_t after;
	int32_t key[WINDOW_MIN + 3];	/* from -1 on, in blocks */
	uint32_t id[WINDOW_MIN + 2];
};

/*
 * The tokens at bits 0 and n + 1.  No table, even a damaged one, has a pair
 * whose left token is the first of these; one may have the second on the
 * right.
 */
#define NONE_BEFORE	(1u << 22)
#define NONE_AFTER	CTX_ID_MAX

#define KEY(w, i)	((w)->key[i])
#define KEYS(w)		((w)->key + 1)

/*
 * A larger window.  The tokens form a list through their first bytes: the one
 * at i extends to next[i].  Keys are as above; low[] has the smallest of each
 * BLOCK.
 */
struct large {
	int32_t key[WINDOW_MAX];
	int32_t low[WINDOW_MAX / BLOCK + BLOCK];
	uint32_t id[WINDOW_MAX];
	uint16_t next[WINDOW_MAX + 1];
	uint16_t prev[WINDOW_MAX + 1];
};

/* Four keys at once, on any processor. */
typedef int32_t four __attribute__((vector_size(16)));

/* Make a the smaller of both; by address, for machines without such values. */
static inline void
four_min(four *a, const four *b)
{
	four less = *a < *b;

	*a = (*a & less) | (*b & ~less);
}

/* The smallest of BLOCK keys. */
CTX_INLINE int32_t
block_low(const int32_t *key)
{
	four v[4];
	int32_t a, b;

	memcpy(v, key, sizeof(v));
	four_min(&v[0], &v[1]);
	four_min(&v[2], &v[3]);
	four_min(&v[0], &v[2]);
	a = v[0][0] < v[0][1] ? v[0][0] : v[0][1];
	b = v[0][2] < v[0][3] ? v[0][2] : v[0][3];
	return a < b ? a : b;
}

CTX_INLINE int32_t
lowest_key(const int32_t *key, unsigned n)
{
	int32_t best = block_low(key), low;
	unsigned k;

	for (k = BLOCK; k < n; k += BLOCK) {
		low = block_low(key + k);
		best = low < best ? low : best;
	}
	return best;
}

static inline unsigned
round_up(unsigned n)
{
	return (n + BLOCK - 1) / BLOCK * BLOCK;
}

/*
 * Combine a rank with a position of that many bits below it.  CTX_RANK_MAX,
 * which means no merge, gives keys from NO_KEY on.
 */
static inline int32_t
key_of(uint32_t rank, unsigned i, unsigned bits)
{
	return (int32_t)((rank & CTX_RANK_MAX) << bits | i);
}

#define NO_KEY(bits)	((int32_t)(CTX_RANK_MAX << (bits)))
#define SMALL_BITS	6
#define LARGE_BITS	10

/*
 * Where to put tokens and the keys of their pairs; positions count from from.
 */
struct start {
	uint32_t *id;
	int32_t *key;
	unsigned bits, from;
};

/* Start with the bytes of p as tokens. */
CTX_INLINE void
start_keys(const struct ctx_table *t, const uint8_t *p, unsigned n,
    struct start s)
{
	unsigned i;

	for (i = 0; i + 1 < n; i++) {
		s.id[i] = t->first[p[i]];
		s.key[i] = key_of(t->grid[p[i] << 8 | p[i + 1]], i + s.from,
		    s.bits);
	}
	s.id[i] = t->first[p[i]];
	for (; i < round_up(n); i++)
		s.key[i] = INT32_MAX;
}

unsigned
ctx_bpe_first(const struct ctx_table *t, const uint8_t *p, size_t n,
    uint32_t *id)
{
	unsigned len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	uint32_t found;

	*id = t->first[p[0]];
	if (!ctx_table_by_chars(t) || p[0] < 0xc2 || n < len)
		return 1;
	found = ctx_table_find(t, p, len);
	if (found == CTX_ID_MAX)
		return 1;
	*id = found;
	return len;
}

/* Start with the characters of p; a token begins at each bit set in *starts. */
static void
start_chars(const struct ctx_table *t, const uint8_t *p, unsigned n,
    struct start s, uint64_t *starts)
{
	unsigned i, len, last = 0, last_len = 0;
	uint32_t rank;

	memset(starts, 0, (n + 64) / 64 * sizeof(*starts));
	for (i = 0; i < round_up(n); i++)
		s.key[i] = INT32_MAX;
	for (i = 0; i < n; i += len) {
		len = ctx_bpe_first(t, p + i, n - i, &s.id[i]);
		starts[i / 64] |= (uint64_t)1 << i % 64;
		if (i > 0) {
			rank = len == 1 && last_len == 1 ?
			    t->grid[p[last] << 8 | p[i]] :
			    ctx_pair_rank(t, s.id[last], s.id[i]);
			s.key[last] = key_of(rank, last + s.from, s.bits);
		}
		last = i;
		last_len = len;
	}
}

/* The token at i becomes id and absorbs the next one. */
CTX_INLINE void
small_merge(struct small *w, const struct ctx_table *t, unsigned i,
    uint32_t id)
{
	uint64_t after = w->alive & (UINT64_MAX << 1 << i);
	unsigned gone = (unsigned)__builtin_ctzll(after);

	KEY(w, i) = INT32_MAX;
	w->at = i;
	w->before = 63 - (unsigned)__builtin_clzll(w->alive &
	    ~(UINT64_MAX << i));
	w->after = gone;
	/*
	 * In a damaged table there may be no next token; merge no further
	 * then.
	 */
	if (gone > w->n) {
		w->id[i] = NONE_BEFORE;
		return;
	}
	KEY(w, gone) = INT32_MAX;
	w->alive ^= after & -after;
	w->after = (unsigned)__builtin_ctzll(after & (after - 1));
	w->id[i] = id;
	__builtin_prefetch(ctx_pair_bucket(t, id, w->id[w->after]));
	__builtin_prefetch(ctx_pair_bucket(t, w->id[w->before], id));
}

CTX_INLINE void
small_start(struct small *w, const struct ctx_table *t, const uint8_t *p,
    unsigned n)
{
	struct start s = { w->id + 1, KEYS(w), SMALL_BITS, 1 };

	if (ctx_table_by_chars(t)) {
		start_chars(t, p, n, s, &w->alive);
		w->alive = w->alive << 1 | 1 | (uint64_t)2 << n;
	} else {
		start_keys(t, p, n, s);
		w->alive = ((uint64_t)4 << n) - 1;
	}
	w->id[0] = NONE_BEFORE;
	w->id[n + 1] = NONE_AFTER;
	w->n = n;
}

/* Begin the next merge, that of key best. */
CTX_INLINE void
small_pick(struct small *w, const struct ctx_table *t, int32_t best)
{
	small_merge(w, t, (unsigned)best & 63,
	    ctx_rank_id(t, (uint32_t)best >> SMALL_BITS));
}

/* Look up the new pairs with a function like ctx_pair_rank. */
#define SMALL_SETTLE(w, t, pair_rank) do { \
	KEY(w, (w)->at) = key_of(pair_rank(t, (w)->id[(w)->at], \
	    (w)->id[(w)->after]), (w)->at, SMALL_BITS); \
	KEY(w, (w)->before) = key_of(pair_rank(t, (w)->id[(w)->before], \
	    (w)->id[(w)->at]), (w)->before, SMALL_BITS); \
} while (0)

static inline unsigned
small_count(const struct small *w)
{
	return (unsigned)__builtin_popcountll(w->alive) - 2;
}

#ifdef CTX_X86
VEC_TARGET static inline int32_t
lowest_key_avx2(const int32_t *key, unsigned n)
{
	const __m256i *v = (const __m256i *)key, *end = v + round_up(n) / 8;
	__m256i low = _mm256_loadu_si256(v);
	__m128i x;

	while (++v < end)
		low = _mm256_min_epi32(low, _mm256_loadu_si256(v));
	x = _mm_min_epi32(_mm256_castsi256_si128(low),
	    _mm256_extracti128_si256(low, 1));
	x = _mm_min_epi32(x, _mm_srli_si128(x, 8));
	x = _mm_min_epi32(x, _mm_srli_si128(x, 4));
	return _mm_cvtsi128_si32(x);
}

/* Four slots of a bucket: a bit is set for the one with the pair, if any. */
VEC_TARGET static inline unsigned
bucket_half(const uint64_t *b, uint64_t pair)
{
	const __m256i v = _mm256_loadu_si256((const __m256i *)b);

	return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(
	    _mm256_cmpeq_epi64(_mm256_srli_epi64(v, 21),
	    _mm256_set1_epi64x((long long)pair))));
}

/*
 * Whether the pair is there is unpredictable; that the bucket is not full is
 * predictable.
 */
VEC_TARGET static inline uint32_t
pair_rank_avx2(const struct ctx_table *t, uint32_t left, uint32_t right)
{
	const uint64_t *b = ctx_pair_bucket(t, left, right);
	const uint64_t pair = (uint64_t)left << 21 | right;
	unsigned m = bucket_half(b, pair) | bucket_half(b + 4, pair) << 4;
	uint64_t slot = b[_tzcnt_u32(m) & 7];

	if (b[CTX_PAIR_BUCKET - 1] != CTX_PAIR_NONE && m == 0)
		return ctx_pair_rank(t, left, right);
	return ((uint32_t)slot | -(uint32_t)(m == 0)) & CTX_RANK_MAX;
}

static inline CTX_AVX512 int32_t
lowest_key_avx512(const int32_t *key, unsigned n)
{
	__m512i low = _mm512_loadu_si512(key);
	unsigned k;

	for (k = BLOCK; k < n; k += BLOCK)
		low = _mm512_min_epi32(low, _mm512_loadu_si512(key + k));
	return _mm512_reduce_min_epi32(low);
}

static inline CTX_AVX512 uint32_t
pair_rank_avx512(const struct ctx_table *t, uint32_t left, uint32_t right)
{
	const uint64_t *b = ctx_pair_bucket(t, left, right);
	__m512i key = _mm512_set1_epi64((long long)
	    ((uint64_t)left << 21 | right));
	__mmask8 m = _mm512_cmpeq_epi64_mask(_mm512_srli_epi64(
	    _mm512_loadu_si512(b), 21), key);
	uint64_t slot = b[_tzcnt_u32(m) & 7];

	if (b[CTX_PAIR_BUCKET - 1] != CTX_PAIR_NONE && m == 0)
		return ctx_pair_rank(t, left, right);
	return ((uint32_t)slot | -(uint32_t)(m == 0)) & CTX_RANK_MAX;
}
#endif

/* Jobs that no window has begun with. */
struct queue {
	struct ctx_bpe_job *job, *end;
};

/* Put the next job into a window. */
CTX_INLINE void
small_take(struct small *w, const struct ctx_table *t, struct queue *q)
{
	w->job = q->job++;
	small_start(w, t, w->job->p, w->job->len);
}

/*
 * Merge the jobs in several windows together: the table is larger than the
 * processor's caches, and this way the waits for its slots overlap.  A window
 * that has nothing to merge takes the next job.  What a window stores is read
 * only after the others had their turn, since a vector cannot be read from
 * stores of its parts that are still under way.
 */
#define DEFINE_RUN(name, attribute, lowest, pair_rank) \
static attribute void \
name(const struct ctx_table *t, struct queue q) \
{ \
	struct small w[TOGETHER], *busy[TOGETHER], *fresh[TOGETHER], *x; \
	unsigned i, n, k, m; \
	int32_t best; \
 \
	for (n = 0; n < TOGETHER && q.job < q.end; n++) { \
		small_take(&w[n], t, &q); \
		busy[n] = &w[n]; \
	} \
	while (n > 0) { \
		for (i = k = m = 0; i < n; i++) { \
			x = busy[i]; \
			best = lowest(KEYS(x), x->n); \
			if (best < NO_KEY(SMALL_BITS)) { \
				small_pick(x, t, best); \
				busy[k++] = x; \
				continue; \
			} \
			x->job->count = small_count(x); \
			if (q.job < q.end) { \
				small_take(x, t, &q); \
				fresh[m++] = x; \
			} \
		} \
		for (i = 0; i < k; i++) { \
			x = busy[i]; \
			SMALL_SETTLE(x, t, pair_rank); \
		} \
		for (i = 0; i < m; i++) \
			busy[k + i] = fresh[i]; \
		n = k + m; \
	} \
} \
 \
static attribute void \
name##_one(struct small *w, const struct ctx_table *t) \
{ \
	int32_t best; \
 \
	while ((best = lowest(KEYS(w), w->n)) < NO_KEY(SMALL_BITS)) { \
		small_pick(w, t, best); \
		SMALL_SETTLE(w, t, pair_rank); \
	} \
}

DEFINE_RUN(run_portable, , lowest_key, ctx_pair_rank)
#ifdef CTX_X86
DEFINE_RUN(run_avx2, VEC_TARGET, lowest_key_avx2, pair_rank_avx2)
DEFINE_RUN(run_avx512, CTX_AVX512, lowest_key_avx512, pair_rank_avx512)
#endif

static void
run_one(struct small *w, const struct ctx_table *t)
{
	switch (ctx_cpu_now()) {
#ifdef CTX_X86
	case CTX_CPU_AVX512:
		run_avx512_one(w, t);
		break;
	case CTX_CPU_VECTOR:
		run_avx2_one(w, t);
		break;
#endif
	default:
		run_portable_one(w, t);
	}
}

static inline int32_t
large_pair(const struct large *w, const struct ctx_table *t, unsigned left,
    unsigned right)
{
	return key_of(ctx_pair_rank(t, w->id[left], w->id[right]), left,
	    LARGE_BITS);
}

/*
 * The token at i becomes id and absorbs the next one.  Returns the smaller of
 * the two new keys.
 */
static inline int32_t
large_merge(struct large *w, const struct ctx_table *t, unsigned i, unsigned n,
    uint32_t id)
{
	unsigned gone = w->next[i], after = w->next[gone];
	int32_t low = INT32_MAX;

	w->key[gone] = INT32_MAX;
	w->id[i] = id;
	w->next[i] = (uint16_t)after;
	if (after < n) {
		w->prev[after] = (uint16_t)i;
		low = large_pair(w, t, i, after);
	}
	w->key[i] = low;
	if (i > 0) {
		w->key[w->prev[i]] = large_pair(w, t, w->prev[i], i);
		low = w->key[w->prev[i]] < low ? w->key[w->prev[i]] : low;
	}
	return low;
}

/*
 * Merge at i and continue from there while the next token merges with the same
 * rank and no new pair precedes it.  A run of one character is merged in a few
 * such walks, after each of which the lows are set once.
 */
static void
large_walk(struct large *w, const struct ctx_table *t, unsigned i, unsigned n)
{
	uint32_t rank = (uint32_t)w->key[i] >> LARGE_BITS;
	uint32_t id = ctx_rank_id(t, rank);
	unsigned from = (i > 0 ? w->prev[i] : i) / BLOCK, to;
	int32_t low;

	do {
		to = w->next[i];
		if (to >= n) {
			/* This happens only with a damaged table. */
			w->key[i] = INT32_MAX;
			to = i;
			break;
		}
		low = large_merge(w, t, i, n, id);
		i = w->next[i];
	} while (i < n && (uint32_t)low >> LARGE_BITS > rank &&
	    (uint32_t)w->key[i] >> LARGE_BITS == rank);
	for (; from <= to / BLOCK; from++)
		w->low[from] = block_low(w->key + from * BLOCK);
}

/* Set up the initial tokens of a large window. */
static void
large_start(struct large *w, const struct ctx_table *t, const uint8_t *p,
    unsigned n)
{
	struct start s = { w->id, w->key, LARGE_BITS, 0 };
	uint64_t starts[WINDOW_MAX / 64 + 1];
	unsigned i, last = 0;

	if (!ctx_table_by_chars(t)) {
		start_keys(t, p, n, s);
		for (i = 0; i < n; i++) {
			w->next[i] = (uint16_t)(i + 1);
			w->prev[i] = (uint16_t)(i - 1);
		}
		return;
	}
	start_chars(t, p, n, s, starts);
	for (i = 1; i <= n; i++) {
		if (i < n && (starts[i / 64] >> i % 64 & 1) == 0)
			continue;
		w->next[last] = (uint16_t)i;
		w->prev[i] = (uint16_t)last;
		last = i;
	}
}

/* Like the above, for n up to WINDOW_MAX. */
static void
large_run(struct large *w, const struct ctx_table *t, const uint8_t *p,
    unsigned n)
{
	unsigned blocks = round_up(n) / BLOCK, i;
	int32_t best;

	large_start(w, t, p, n);
	for (i = 0; i < round_up(blocks); i++)
		w->low[i] = i < blocks ? block_low(w->key + i * BLOCK) :
		    INT32_MAX;
	while ((best = lowest_key(w->low, blocks)) < NO_KEY(LARGE_BITS))
		large_walk(w, t, (unsigned)best & 1023, n);
}

unsigned
ctx_bpe_count(const struct ctx_table *t, const uint8_t *p, unsigned n)
{
	struct small w;

	small_start(&w, t, p, n);
	run_one(&w, t);
	return small_count(&w);
}

void
ctx_bpe_words(const struct ctx_table *t, struct ctx_bpe_job *job, unsigned n)
{
	const struct queue q = { job, job + n };

	switch (ctx_cpu_now()) {
#ifdef CTX_X86
	case CTX_CPU_AVX512:
		run_avx512(t, q);
		break;
	case CTX_CPU_VECTOR:
		run_avx2(t, q);
		break;
#endif
	default:
		run_portable(t, q);
	}
}

unsigned
ctx_bpe_window(struct ctx_bpe_token *out, const struct ctx_table *t,
    const uint8_t *p, unsigned n)
{
	struct small s;
	struct large l;
	uint64_t rest;
	unsigned i, k = 0;

	if (n <= WINDOW_MIN) {
		small_start(&s, t, p, n);
		run_one(&s, t);
		for (rest = s.alive & ~(uint64_t)1; rest & (rest - 1); k++) {
			i = (unsigned)__builtin_ctzll(rest);
			rest &= rest - 1;
			out[k].id = s.id[i];
			out[k].len = (unsigned)__builtin_ctzll(rest) - i;
		}
		return k;
	}
	large_run(&l, t, p, n);
	for (i = 0; i < n; i = l.next[i])
		out[k++] = (struct ctx_bpe_token){ l.id[i], l.next[i] - i };
	return k;
}
