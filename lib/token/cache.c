/* SPDX-License-Identifier: MIT */
#include "token/cache.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cpu.h"
#include "read/word.h"
#include "token/bpe.h"
#include "token/wordpiece.h"

#ifdef CTX_X86
#include <immintrin.h>
#endif

/*
 * Number of words added before all are moved, and the unit of the section's
 * size.
 */
#define MOVE_AT		256
#define HUGE		((size_t)2 << 20)

/* The longest word of the front, and its hash, of which the top bits count. */
#define FRONT_WORD	7
#define FRONT_HASH	0x9fb21c651e98df25u

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
	k->phrase = calloc((size_t)CTX_SET_PHRASES << CTX_PHRASE_BITS,
	    sizeof(*k->phrase));
	k->stretch = calloc((size_t)1 << CTX_STRETCH_BITS, sizeof(*k->stretch));
	k->front = calloc(((size_t)1 << CTX_FRONT_BITS) + 1,
	    sizeof(*k->front));
	if (k->front == NULL || k->phrase == NULL || k->stretch == NULL) {
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
	free(k->front);
	free(k->phrase);
	free(k->stretch);
	memset(k, 0, sizeof(*k));
}

/*
 * Memory for len bytes, a multiple of HUGE, aligned to HUGE; NULL if there is
 * none.
 */
static void *
huge_pages(size_t len)
{
	char *map = mmap(NULL, len + HUGE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t head;

	if (map == MAP_FAILED)
		return NULL;
	head = -(uintptr_t)map & (HUGE - 1);
	if (head > 0)
		munmap(map, head);
	munmap(map + head + len, HUGE - head);
#ifdef MADV_HUGEPAGE
	(void)madvise(map + head, len, MADV_HUGEPAGE);
#endif
	return map + head;
}

/* Start again with the table's words in other memory; without memory, stay. */
static void
move_words(struct ctx_cache *k)
{
	const struct ctx_table *t = k->table;
	off_t from = (off_t)t->head->section[CTX_SEC_CACHE].off;
	char *to;
	size_t done = 0;
	ssize_t n;

	if (k->mapped % HUGE != 0 || (to = huge_pages(k->mapped)) == NULL)
		return;
	while (done < k->mapped && (n = pread(t->fd, to + done,
	    k->mapped - done, from + (off_t)done)) > 0)
		done += (size_t)n;
	if (done < k->mapped) {
		munmap(to, k->mapped);
		return;
	}
	munmap(k->word, k->mapped);
	k->word = (struct ctx_cache_word *)(void *)to;
}

/*
 * The bytes p[0 .. len), len <= CTX_WORD_MAX, as a key; 16 bytes must be
 * readable.
 */
static inline struct ctx_cache_word
word_key(const uint8_t *p, size_t len)
{
#define LOW(n)	(((uint64_t)1 << 8 * (n)) - 1)
	static const struct ctx_cache_word mask[CTX_WORD_MAX + 1] = {
		{ 0, 0 }, { LOW(1), 0 }, { LOW(2), 0 }, { LOW(3), 0 },
		{ LOW(4), 0 }, { LOW(5), 0 }, { LOW(6), 0 }, { LOW(7), 0 },
		{ UINT64_MAX, 0 }, { UINT64_MAX, LOW(1) },
		{ UINT64_MAX, LOW(2) }, { UINT64_MAX, LOW(3) },
		{ UINT64_MAX, LOW(4) }, { UINT64_MAX, LOW(5) },
		{ UINT64_MAX, LOW(6) }, { UINT64_MAX, LOW(7) }
	};
#undef LOW
	struct ctx_cache_word w;

	w.lo = word_load(p) & mask[len].lo;
	w.hi = (word_load(p + 8) & mask[len].hi) | (uint64_t)len << 56;
	return w;
}

/* The same if fewer than 16 bytes are readable. */
static struct ctx_cache_word
word_key_near_end(const uint8_t *p, size_t len)
{
	uint8_t copy[16] = { 0 };

	memcpy(copy, p, len);
	return word_key(copy, len);
}

static void
add_word(struct ctx_cache_word *set, struct ctx_cache_word key, unsigned count)
{
	unsigned i;

	key.hi |= (uint64_t)count << 60;
	for (i = 0; i < CTX_SET_WORDS && set[i].hi != 0; i++)
		if (set[i].lo == key.lo && set[i].hi == key.hi)
			return;
	if (i == CTX_SET_WORDS)
		i = (unsigned)(key.lo ^ key.lo >> 7 ^ key.hi) % CTX_SET_WORDS;
	set[i] = key;
}

static void
add_phrase(struct ctx_phrase *phrase, const uint8_t *p, size_t len,
    size_t count)
{
	phrase[1] = phrase[0];
	phrase->len = (uint8_t)len;
	phrase->count = (uint8_t)count;
	memcpy(phrase->text, p, len);
}

/* Store the count of a piece in its place, if it has one. */
static void
add_piece(const struct ctx_miss *x, const uint8_t *p, size_t len,
    size_t count)
{
	if (x->set != NULL)
		add_word(x->set, x->key, (unsigned)count);
	else if (x->phrase != NULL)
		add_phrase(x->phrase, p, len, count);
}

void
ctx_cache_flush(struct ctx_cache *k)
{
	const struct ctx_bpe_job *job = k->job;
	unsigned i;

	ctx_bpe_words(k->table, k->job, k->nmiss);
	for (i = 0; i < k->nmiss; i++, job++) {
		*k->miss[i].n += k->miss[i].times * job->count;
		add_piece(&k->miss[i], job->p, job->len, job->count);
	}
	if (k->added < MOVE_AT)
		k->added += k->nmiss;
	k->nmiss = 0;
}

/* A hash of all of a piece, which has at least 16 bytes; use its high bits. */
static uint64_t
hash_piece(const uint8_t *p, size_t len)
{
	uint64_t h = len;
	size_t i;

	for (i = 0; i + 16 < len; i += 16) {
		h ^= ctx_hash_word(word_load(p + i), word_load(p + i + 8));
		h = (h << 23 | h >> 41) * 0x9e3779b97f4a7c15u;
	}
	h ^= ctx_hash_word(word_load(p + len - 16), word_load(p + len - 8));
	return (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
}

/* For pieces that are not in the cache: is the piece itself a token? */
static int
is_token(const struct ctx_table *t, const uint8_t *p, size_t len)
{
	return t->head->flags & CTX_TABLE_WHOLE &&
	    ctx_table_find(t, p, len) != CTX_ID_MAX;
}

/* Where a piece of 16 bytes and more is, if it is in the cache. */
static struct ctx_phrase *
phrase_set(const struct ctx_cache *k, const uint8_t *p, size_t len)
{
	return k->phrase + CTX_SET_PHRASES *
	    (hash_piece(p, len) >> (64 - CTX_PHRASE_BITS));
}

/* Count the tokens of a piece. */
static int
count_tokens(const struct ctx_table *t, const uint8_t *p, size_t len,
    size_t *count, struct ctx_err *err)
{
	return t->head->flags & CTX_TABLE_WORDS ?
	    ctx_wordpiece_word(t, p, len, NULL, count, err) :
	    ctx_bpe_piece(t, p, len, NULL, count, err);
}

/* Count a piece of more than CTX_PHRASE_MAX bytes, up to CTX_STRETCH_MAX. */
static int
count_stretch(struct ctx_cache *k, const uint8_t *p, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_stretch *r = k->stretch +
	    (hash_piece(p, len) >> (64 - CTX_STRETCH_BITS));
	size_t count = 1;

	if (r->len != len || memcmp(r->text, p, len) != 0) {
		if (!is_token(k->table, p, len) &&
		    count_tokens(k->table, p, len, &count, err) == -1)
			return -1;
		r->len = (uint16_t)len;
		r->count = (uint16_t)count;
		memcpy(r->text, p, len);
	}
	*n += r->count;
	return 0;
}

/*
 * Let a piece be merged with others.  New words often come several times: a
 * piece that waits already is not merged again.
 */
static void
wait_for(struct ctx_cache *k, struct ctx_miss x, const uint8_t *p, size_t len)
{
	uint8_t *at = &k->waiting[(x.set != NULL ?
	    (size_t)(x.set - k->word) / CTX_SET_WORDS :
	    (size_t)(x.phrase - k->phrase) / CTX_SET_PHRASES) %
	    CTX_BPE_JOBS];
	struct ctx_bpe_job *job = &k->job[*at];

	if (*at < k->nmiss && k->miss[*at].n == x.n && job->len == len &&
	    memcmp(job->p, p, len) == 0) {
		k->miss[*at].times++;
		return;
	}
	*at = (uint8_t)k->nmiss;
	k->job[k->nmiss].p = p;
	k->job[k->nmiss].len = (unsigned)len;
	k->miss[k->nmiss] = x;
	k->miss[k->nmiss].times = 1;
	if (++k->nmiss == CTX_BPE_JOBS)
		ctx_cache_flush(k);
}

/* Count piece p[0 .. len), which is not in the set of x, if x has one. */
static int
count_other(struct ctx_cache *k, struct ctx_miss x, const uint8_t *p,
    size_t len, struct ctx_err *err)
{
	uint64_t *n = x.n;
	size_t count = 1;
	unsigned i;
	int whole;

	if (x.set == NULL && len <= CTX_PHRASE_MAX) {
		if (x.phrase == NULL)
			x.phrase = phrase_set(k, p, len);
		for (i = 0; i < CTX_SET_PHRASES; i++)
			if (x.phrase[i].len == len &&
			    memcmp(x.phrase[i].text, p, len) == 0) {
				*n += x.phrase[i].count;
				return 0;
			}
	}
	if (len > CTX_PHRASE_MAX && len <= CTX_STRETCH_MAX)
		return count_stretch(k, p, len, n, err);
	whole = is_token(k->table, p, len);
	if (len > CTX_BPE_MIN || whole || k->table->head->flags &
	    CTX_TABLE_WORDS) {
		if (!whole && count_tokens(k->table, p, len, &count, err) == -1)
			return -1;
		add_piece(&x, p, len, count);
		if (k->added < MOVE_AT)
			k->added++;
		*n += count;
		return 0;
	}
	wait_for(k, x, p, len);
	return 0;
}

static inline struct ctx_cache_word *
word_set(const struct ctx_cache *k, struct ctx_cache_word key)
{
	return k->word + CTX_SET_WORDS *
	    (ctx_hash_word(key.lo, key.hi) >> (64 - k->bits));
}

/* The count of a word, or 0 if the set does not have it. */
static inline unsigned
set_find(const struct ctx_cache_word *set, struct ctx_cache_word key)
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
 * Put a word into the front or, if it is too long, into the slot after it,
 * which nobody reads: whether it is long is unpredictable.
 */
static inline void
front_put(struct ctx_cache *k, struct ctx_cache_word key, unsigned n)
{
	uint64_t word = key.lo | key.hi, is_long = key.hi >> 59 & 1;
	uint64_t at = word * FRONT_HASH >> (64 - CTX_FRONT_BITS);

	at = (at & (is_long - 1)) | is_long << CTX_FRONT_BITS;
	k->front[at] = word | (uint64_t)n << 60;
}

/*
 * Pieces are counted in two passes.  The first looks for them in the front,
 * which has three quarters and more of them; the second looks for the rest in
 * their sets.
 */
struct rest {
	uint16_t piece[CTX_CHOP_MAX + 128];	/* by their numbers */
	unsigned n;
};

/*
 * Look for the pieces of a text, from number from on, in the front; r gets
 * those that are not there.
 */
static inline void
look_in_front(struct rest *r, const struct ctx_cache *k,
    const struct ctx_chops *c, unsigned from, const struct ctx_cache_text *text)
{
	unsigned to = text->to, i = from;
	uint64_t word, x, other, count = 0;
	size_t len;

	r->n = 0;
	while (to > from && text->end - c->at[to - 1] < 8)
		to--;
	for (; i < to; i++) {
		len = (size_t)(c->to[i] - c->at[i]);
		/* the bits of bytes after the piece go, if it is short */
		word = (word_load(c->at[i]) & UINT64_MAX >> (-len * 8 & 63)) |
		    (uint64_t)len << 56;
		/* a word that is there then differs only in the count */
		x = word ^ k->front[word * FRONT_HASH >> (64 - CTX_FRONT_BITS)];
		other = (uint64_t)(x << 4 != 0) | (len > FRONT_WORD);
		count += x >> 60 & (other - 1);
		r->piece[r->n] = (uint16_t)i;
		r->n += (unsigned)other;
	}
	for (; i < text->to; i++)
		r->piece[r->n++] = (uint16_t)i;
	*text->n += count;
}

/*
 * The second pass is in steps of STEP: first prefetch the sets of all words,
 * then search them.
 */
#define STEP	64

static int
count_portable(struct ctx_cache *k, const struct ctx_chops *c, unsigned from,
    const struct ctx_cache_text *text, struct ctx_err *err)
{
	struct ctx_cache_word key[STEP], *set[STEP];
	unsigned i, j, n, found;
	struct rest r;
	const uint8_t *p;
	size_t len;

	look_in_front(&r, k, c, from, text);
	for (j = 0; j < r.n; j += STEP) {
		n = r.n - j < STEP ? r.n - j : STEP;
		for (i = 0; i < n; i++) {
			p = c->at[r.piece[j + i]];
			len = (size_t)(c->to[r.piece[j + i]] - p);
			set[i] = NULL;
			if (len > CTX_WORD_MAX)
				continue;
			key[i] = text->end - p >= 16 ? word_key(p, len) :
			    word_key_near_end(p, len);
			set[i] = word_set(k, key[i]);
			__builtin_prefetch(set[i]);
		}
		for (i = 0; i < n; i++) {
			found = set[i] == NULL ? 0 : set_find(set[i], key[i]);
			*text->n += found;
			p = c->at[r.piece[j + i]];
			len = (size_t)(c->to[r.piece[j + i]] - p);
			if (found != 0)
				front_put(k, key[i], found);
			else if (count_other(k, (struct ctx_miss){ key[i],
			    set[i], NULL, text->n, 1 }, p, len, err) == -1)
				return -1;
		}
	}
	return 0;
}

#ifdef CTX_X86
/*
 * The same with eight pieces at a time in the front, and then with sets that
 * are prefetched a fixed number of pieces ahead.
 */
#define AHEAD	32

struct passes {
	uint8_t count[CTX_CHOP_MAX + 128];	/* of each piece */
	uint16_t rest[CTX_CHOP_MAX + 128];	/* pieces for the second pass */
	unsigned nrest;
	struct ctx_cache_word key[AHEAD];
	struct ctx_cache_word *set[AHEAD];	/* of a word, */
	struct ctx_phrase *phrase[AHEAD];	/* of a longer piece */
};

/* The first eight bytes of eight pieces, where that many can be read. */
static inline CTX_AVX512 __m512i
load_eight(const uint8_t *const *at)
{
#define TWO(i)	_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)at[i]), \
	_mm_loadl_epi64((const __m128i *)at[i + 1]))
	const __m256i low = _mm256_set_m128i(TWO(2), TWO(0));
	const __m256i high = _mm256_set_m128i(TWO(6), TWO(4));

	return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
#undef TWO
}

/* The same for n pieces, of which nothing else can be read. */
static inline CTX_AVX512 __m512i
load_exactly(const uint8_t *const *at, const uint8_t *const *to, unsigned n)
{
	uint64_t word[8] = { 0 };
	unsigned i;

	for (i = 0; i < n; i++)
		_mm_storel_epi64((__m128i *)&word[i], _mm_maskz_loadu_epi8(
		    (__mmask16)_bzhi_u32(0xff, (unsigned)(to[i] - at[i])),
		    at[i]));
	return _mm512_loadu_si512(word);
}

/*
 * Look for n pieces, at most eight, from number i on; word has their first
 * bytes.  Stores the counts of those that are there and returns the others.
 */
static inline CTX_AVX512 unsigned
front_take(struct passes *r, const struct ctx_cache *k,
    const struct ctx_chops *c, unsigned i, __m512i word)
{
	const unsigned all = c->n - i < 8 ? (1u << (c->n - i)) - 1 : 0xff;
	const __m512i len = _mm512_sub_epi64(_mm512_loadu_si512(c->to + i),
	    _mm512_loadu_si512(c->at + i));
	const __mmask8 some = _mm512_cmple_epu64_mask(len,
	    _mm512_set1_epi64(FRONT_WORD));
	__m512i x;

	x = _mm512_sllv_epi64(_mm512_set1_epi64(-1),
	    _mm512_slli_epi64(len, 3));
	word = _mm512_or_si512(_mm512_slli_epi64(len, 56),
	    _mm512_andnot_si512(x, word));
	x = _mm512_srli_epi64(_mm512_mullo_epi64(word,
	    _mm512_set1_epi64((long long)FRONT_HASH)), 64 - CTX_FRONT_BITS);
	/* A word that is there then differs only in the count. */
	x = _mm512_xor_si512(word, _mm512_i64gather_epi64(x, k->front, 8));
	_mm_storel_epi64((__m128i *)(r->count + i),
	    _mm512_cvtepi64_epi8(_mm512_srli_epi64(x, 60)));
	return all & ~(unsigned)_mm512_mask_testn_epi64_mask(some, x,
	    _mm512_set1_epi64((long long)(UINT64_MAX >> 4)));
}

static CTX_AVX512 void
pass_front(struct passes *r, const struct ctx_cache *k,
    const struct ctx_chops *c, const struct ctx_cache_text *text)
{
	const __m128i lane = _mm_set_epi16(7, 6, 5, 4, 3, 2, 1, 0);
	unsigned i, rest;
	__m512i word;

	r->nrest = 0;
	for (i = 0; i < c->n; i += 8) {
		while (i >= text->to)
			text++;
		word = i + 8 <= text->to && text->end - c->at[i + 7] >= 8 ?
		    load_eight(c->at + i) : load_exactly(c->at + i, c->to + i,
		    c->n - i < 8 ? c->n - i : 8);
		rest = front_take(r, k, c, i, word);
		_mm_storeu_si128((__m128i *)(r->rest + r->nrest),
		    _mm_maskz_compress_epi16((__mmask8)rest,
		    _mm_add_epi16(lane, _mm_set1_epi16((short)i))));
		r->nrest += (unsigned)_mm_popcnt_u32(rest);
	}
}

/* Prefetch the phrases that may be p[0 .. len), which is no word. */
static void
ring_ask_phrase(struct passes *r, const struct ctx_cache *k, const uint8_t *p,
    size_t len, unsigned j)
{
	r->set[j] = NULL;
	r->phrase[j] = NULL;
	if (len > CTX_PHRASE_MAX)
		return;
	r->phrase[j] = phrase_set(k, p, len);
	__builtin_prefetch(r->phrase[j]);
	__builtin_prefetch(r->phrase[j] + 1);
}

/* Prefetch the set of a piece. */
static inline CTX_AVX512 void
ring_ask(struct passes *r, const struct ctx_cache *k,
    const struct ctx_chops *c, unsigned j)
{
#define TAG(n)	{ 0, (uint64_t)(n) << 56 }
	static const struct ctx_cache_word tag[CTX_WORD_MAX + 1] = {
		TAG(0), TAG(1), TAG(2), TAG(3), TAG(4), TAG(5), TAG(6),
		TAG(7), TAG(8), TAG(9), TAG(10), TAG(11), TAG(12), TAG(13),
		TAG(14), TAG(15)
	};
#undef TAG
	const uint8_t *p = c->at[r->rest[j]];
	size_t len = (size_t)(c->to[r->rest[j]] - p);
	struct ctx_cache_word key;
	__m128i v;

	j %= AHEAD;
	if (len > CTX_WORD_MAX) {
		ring_ask_phrase(r, k, p, len, j);
		return;
	}
	r->phrase[j] = NULL;
	v = _mm_maskz_loadu_epi8((__mmask16)_bzhi_u32(0xffff, (unsigned)len),
	    p);
	v = _mm_or_si128(v, _mm_loadu_si128((const __m128i *)&tag[len]));
	_mm_storeu_si128((__m128i *)&r->key[j], v);
	key.lo = (uint64_t)_mm_cvtsi128_si64(v);
	key.hi = (uint64_t)_mm_extract_epi64(v, 1);
	r->set[j] = word_set(k, key);
	_mm_prefetch((const char *)r->set[j], _MM_HINT_T0);
}

/* The count of a word, or 0 if the set does not have it. */
static inline CTX_AVX512 unsigned
ring_take(const struct passes *r, unsigned j)
{
	const __m512i mask = _mm512_broadcast_i32x4(_mm_set_epi64x(
	    (long long)(UINT64_MAX >> 4), -1));
	const struct ctx_cache_word *set = r->set[j % AHEAD];
	unsigned hit;

	if (set == NULL)
		return 0;
	hit = _mm512_testn_epi64_mask(_mm512_xor_si512(
	    _mm512_loadu_si512(set), _mm512_broadcast_i32x4(_mm_loadu_si128(
	    (const __m128i *)&r->key[j % AHEAD]))), mask);
	hit &= hit >> 1 & 0x55;
	return hit == 0 ? 0 : (unsigned)(set[_tzcnt_u32(hit) / 2].hi >> 60);
}

static CTX_AVX512 int
pass_sets(struct passes *r, struct ctx_cache *k, const struct ctx_chops *c,
    const struct ctx_cache_text *text, struct ctx_err *err)
{
	unsigned i, j, n, ask;

	for (ask = 0; ask < AHEAD && ask < r->nrest; ask++)
		ring_ask(r, k, c, ask);
	for (j = 0; j < r->nrest; j++) {
		i = r->rest[j];
		n = ring_take(r, j);
		r->count[i] = (uint8_t)n;
		while (i >= text->to)
			text++;
		if (n != 0)
			front_put(k, r->key[j % AHEAD], n);
		else if (count_other(k, (struct ctx_miss){ r->key[j % AHEAD],
		    r->set[j % AHEAD], r->phrase[j % AHEAD],
		    text->n, 1 }, c->at[i],
		    (size_t)(c->to[i] - c->at[i]), err) == -1)
			return -1;
		if (ask < r->nrest)
			ring_ask(r, k, c, ask++);
	}
	return 0;
}

static CTX_AVX512 int
count_avx512(struct ctx_cache *k, const struct ctx_chops *c,
    const struct ctx_cache_text *text, unsigned ntext, struct ctx_err *err)
{
	const struct ctx_cache_text *end = text + ntext;
	const __m512i none = _mm512_setzero_si512();
	struct passes r;
	unsigned i = 0, n;
	__m512i sum;

	pass_front(&r, k, c, text);
	if (pass_sets(&r, k, c, text, err) == -1)
		return -1;
	for (; text < end; text++) {
		for (sum = none; i < text->to; i += n) {
			n = text->to - i < 64 ? text->to - i : 64;
			sum = _mm512_add_epi64(sum, _mm512_sad_epu8(
			    _mm512_maskz_loadu_epi8(_bzhi_u64(UINT64_MAX, n),
			    r.count + i), none));
		}
		*text->n += (uint64_t)_mm512_reduce_add_epi64(sum);
	}
	return 0;
}
#endif

int
ctx_cache_count(struct ctx_cache *k, const struct ctx_chops *c,
    const struct ctx_cache_text *text, unsigned ntext, struct ctx_err *err)
{
	unsigned i;

	if (k->added >= MOVE_AT && k->added != UINT_MAX) {
		ctx_cache_flush(k);
		move_words(k);
		k->added = UINT_MAX;
	}
#ifdef CTX_X86
	if (ctx_cpu_now() == CTX_CPU_AVX512)
		return count_avx512(k, c, text, ntext, err);
#endif
	for (i = 0; i < ntext; i++)
		if (count_portable(k, c, i == 0 ? 0 : text[i - 1].to, &text[i],
		    err) == -1)
			return -1;
	return 0;
}
