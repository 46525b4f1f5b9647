/* SPDX-License-Identifier: MIT */
#include "token/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "token/merge.h"
#include "token/path.h"

#ifdef CTX_X86
#include <immintrin.h>
#endif

int
ctx_cache_init(struct ctx_cache *k, const struct ctx_table *t,
    struct ctx_err *err)
{
	const struct ctx_table_section *s = &t->head->section[CTX_SEC_CACHE];
	void *map = mmap(NULL, (size_t)s->len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE, t->fd, (off_t)s->off);

	if (map == MAP_FAILED)
		return ctx_fail_errno(err, errno, "vocabulary %s",
		    t->head->name);
	memset(k, 0, sizeof(*k));
	k->table = t;
	k->word = map;
	k->mapped = (size_t)s->len;
	k->bits = t->head->cache_bits;
	k->phrase = calloc((size_t)1 << CTX_PHRASE_BITS, sizeof(*k->phrase));
	if (k->phrase == NULL) {
		ctx_cache_done(k);
		return ctx_fail_nomem(err);
	}
	return 0;
}

void
ctx_cache_done(struct ctx_cache *k)
{
	if (k->word != NULL)
		munmap(k->word, k->mapped);
	free(k->phrase);
	memset(k, 0, sizeof(*k));
}

/* The bytes p[0 .. len), len <= CTX_WORD_MAX, as a key; 16 can be read. */
static inline struct ctx_word
word_key(const uint8_t *p, size_t len)
{
#define LOW(n)	(((uint64_t)1 << 8 * (n)) - 1)
	static const struct ctx_word mask[CTX_WORD_MAX + 1] = {
		{ 0, 0 }, { LOW(1), 0 }, { LOW(2), 0 }, { LOW(3), 0 },
		{ LOW(4), 0 }, { LOW(5), 0 }, { LOW(6), 0 }, { LOW(7), 0 },
		{ UINT64_MAX, 0 }, { UINT64_MAX, LOW(1) },
		{ UINT64_MAX, LOW(2) }, { UINT64_MAX, LOW(3) },
		{ UINT64_MAX, LOW(4) }, { UINT64_MAX, LOW(5) },
		{ UINT64_MAX, LOW(6) }, { UINT64_MAX, LOW(7) }
	};
#undef LOW
	struct ctx_word w;

	w.lo = ctx_load8(p) & mask[len].lo;
	w.hi = (ctx_load8(p + 8) & mask[len].hi) | (uint64_t)len << 56;
	return w;
}

/* The same where less can be read. */
static struct ctx_word
word_key_near_end(const uint8_t *p, size_t len)
{
	uint8_t copy[16] = { 0 };

	memcpy(copy, p, len);
	return word_key(copy, len);
}

/* A piece that is not in the cache, to be counted with others and added. */
struct miss {
	struct ctx_word key;
	struct ctx_word *set;		/* of a word */
	struct ctx_phrase *phrase;	/* of a longer piece */
};

struct misses {
	struct ctx_merge_job job[CTX_MERGE_JOBS];
	struct miss miss[CTX_MERGE_JOBS];
	unsigned n;
};

static void
add_word(struct ctx_word *set, struct ctx_word key, unsigned count)
{
	unsigned i;

	for (i = 0; i < CTX_SET_WORDS && set[i].hi != 0; i++)
		;
	if (i == CTX_SET_WORDS)
		i = (unsigned)(key.lo ^ key.lo >> 7 ^ key.hi) % CTX_SET_WORDS;
	set[i].lo = key.lo;
	set[i].hi = key.hi | (uint64_t)count << 60;
}

static void
add_phrase(struct ctx_phrase *phrase, const uint8_t *p, size_t len,
    size_t count)
{
	phrase->len = (uint8_t)len;
	phrase->count = (uint8_t)count;
	memcpy(phrase->text, p, len);
}

/* Note the count of a piece where its place is, if it has one. */
static void
add_piece(const struct miss *x, const uint8_t *p, size_t len, size_t count)
{
	if (x->set != NULL)
		add_word(x->set, x->key, (unsigned)count);
	else if (x->phrase != NULL)
		add_phrase(x->phrase, p, len, count);
}

/* Count them and add them to the cache. */
static uint64_t
count_misses(const struct ctx_table *t, struct misses *m)
{
	const struct ctx_merge_job *job = m->job;
	uint64_t sum = 0;
	unsigned i;

	ctx_merge_words(t, m->job, m->n);
	for (i = 0; i < m->n; i++, job++) {
		sum += job->count;
		add_piece(&m->miss[i], job->p, job->len, job->count);
	}
	m->n = 0;
	return sum;
}

/* Where the piece p[0 .. len), 16 to CTX_PHRASE_MAX bytes, has its place. */
static struct ctx_phrase *
phrase_place(const struct ctx_cache *k, const uint8_t *p, size_t len)
{
	uint64_t a = ctx_hash_word(ctx_load8(p), ctx_load8(p + 8));
	uint64_t b = ctx_hash_word(ctx_load8(p + len - 16),
	    ctx_load8(p + len - 8));

	return k->phrase + ((a ^ (b >> 32 | b << 32) ^ len << 50) *
	    0x9e3779b97f4a7c15u >> (64 - CTX_PHRASE_BITS));
}

/* Pieces that are not in the cache: is one a token by itself? */
static int
is_token(const struct ctx_table *t, const uint8_t *p, size_t len)
{
	return t->head->flags & CTX_TABLE_WHOLE &&
	    ctx_table_find(t, p, len) != CTX_ID_MAX;
}

/* Count piece p[0 .. len), which its set, if it can have one, lacks. */
static int
count_other(struct ctx_cache *k, struct misses *m, struct ctx_word key,
    struct ctx_word *set, const uint8_t *p, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	struct miss x = { key, set, NULL };
	size_t count = 1;

	if (set == NULL && len <= CTX_PHRASE_MAX) {
		x.phrase = phrase_place(k, p, len);
		if (x.phrase->len == len &&
		    memcmp(x.phrase->text, p, len) == 0) {
			*n += x.phrase->count;
			return 0;
		}
	}
	if (len > CTX_MERGE_SHORT || is_token(k->table, p, len)) {
		if (!is_token(k->table, p, len) && ctx_merge_piece(k->table, p,
		    len, NULL, &count, err) == -1)
			return -1;
		add_piece(&x, p, len, count);
		*n += count;
		return 0;
	}
	m->job[m->n].p = p;
	m->job[m->n].len = (unsigned)len;
	m->miss[m->n] = x;
	if (++m->n == CTX_MERGE_JOBS)
		*n += count_misses(k->table, m);
	return 0;
}

static inline struct ctx_word *
word_set(const struct ctx_cache *k, struct ctx_word key)
{
	return k->word + CTX_SET_WORDS *
	    (ctx_hash_word(key.lo, key.hi) >> (64 - k->bits));
}

/* The count of a word, 0 if its set has none such. */
static inline unsigned
set_find(const struct ctx_word *set, struct ctx_word key)
{
	unsigned n = 0;

#define TRY(i)	n |= (unsigned)(set[i].hi >> 60) & -(unsigned)( \
	((set[i].lo ^ key.lo) | (set[i].hi ^ key.hi) << 4) == 0)
	TRY(0);
	TRY(1);
	TRY(2);
	TRY(3);
#undef TRY
	return n;
}

/*
 * Count pieces in steps of STEP: first ask for the sets of all their words,
 * then look at them.
 */
#define STEP	64

static int
count_portable(struct ctx_cache *k, const struct ctx_cuts *c,
    const uint8_t *end, struct misses *m, uint64_t *sum, struct ctx_err *err)
{
	struct ctx_word key[STEP], *set[STEP];
	unsigned from, i, n, found;
	const uint8_t *p;
	size_t len;

	for (from = 0; from < c->n; from += STEP) {
		n = c->n - from < STEP ? c->n - from : STEP;
		for (i = 0; i < n; i++) {
			p = c->at[from + i];
			len = (size_t)(c->at[from + i + 1] - p);
			set[i] = NULL;
			if (len > CTX_WORD_MAX)
				continue;
			key[i] = end - p >= 16 ? word_key(p, len) :
			    word_key_near_end(p, len);
			set[i] = word_set(k, key[i]);
			__builtin_prefetch(set[i]);
		}
		for (i = 0; i < n; i++) {
			found = set[i] == NULL ? 0 : set_find(set[i], key[i]);
			*sum += found;
			p = c->at[from + i];
			if (found == 0 && count_other(k, m, key[i], set[i], p,
			    (size_t)(c->at[from + i + 1] - p), sum, err) == -1)
				return -1;
		}
	}
	return 0;
}

#ifdef CTX_X86
/* The same; a set is compared at once, and a short word read at any place. */
static CTX_AVX512 int
count_avx512(struct ctx_cache *k, const struct ctx_cuts *c,
    struct misses *m, uint64_t *sum, struct ctx_err *err)
{
	const __m512i mask = _mm512_broadcast_i32x4(_mm_set_epi64x(
	    (long long)(UINT64_MAX >> 4), -1));
	struct ctx_word key[STEP], *set[STEP];
	unsigned from, i, n, hit;
	const uint8_t *p;
	uint64_t total = 0;
	size_t len;
	__m128i v;

	for (from = 0; from < c->n; from += STEP) {
		n = c->n - from < STEP ? c->n - from : STEP;
		for (i = 0; i < n; i++) {
			p = c->at[from + i];
			len = (size_t)(c->at[from + i + 1] - p);
			if (len > CTX_WORD_MAX) {
				set[i] = NULL;
				continue;
			}
			v = _mm_maskz_loadu_epi8((__mmask16)_bzhi_u32(0xffff,
			    (unsigned)len), p);
			key[i].lo = (uint64_t)_mm_cvtsi128_si64(v);
			key[i].hi = (uint64_t)_mm_extract_epi64(v, 1) |
			    (uint64_t)len << 56;
			set[i] = word_set(k, key[i]);
			_mm_prefetch((const char *)set[i], _MM_HINT_T0);
		}
		for (i = 0; i < n; i++) {
			hit = 0;
			if (set[i] != NULL) {
				__m512i x = _mm512_xor_si512(
				    _mm512_loadu_si512(set[i]),
				    _mm512_broadcast_i32x4(_mm_loadu_si128(
				    (const __m128i *)&key[i])));

				hit = _mm512_testn_epi64_mask(x, mask);
				hit &= hit >> 1 & 0x55;
			}
			if (hit != 0) {
				total += set[i][_tzcnt_u32(hit) / 2].hi >> 60;
				continue;
			}
			p = c->at[from + i];
			if (count_other(k, m, key[i], set[i], p,
			    (size_t)(c->at[from + i + 1] - p), &total, err) ==
			    -1)
				return -1;
		}
	}
	*sum += total;
	return 0;
}
#endif

int
ctx_cache_count(struct ctx_cache *k, const struct ctx_cuts *c,
    const uint8_t *end, uint64_t *n, struct ctx_err *err)
{
	struct misses m;
	int rc;

	m.n = 0;
#ifdef CTX_X86
	if (ctx_path_now() == CTX_PATH_AVX512)
		rc = count_avx512(k, c, &m, n, err);
	else
#endif
		rc = count_portable(k, c, end, &m, n, err);
	*n += count_misses(k->table, &m);
	return rc;
}
