/* SPDX-License-Identifier: MIT */
#include "token/cache.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "token/merge.h"

/* Pieces between asking for a word's set and looking at it. */
#define AHEAD	16

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
	k->table = t;
	k->word = map;
	k->mapped = (size_t)s->len;
	k->bits = t->head->cache_bits;
	return 0;
}

void
ctx_cache_done(struct ctx_cache *k)
{
	if (k->word != NULL)
		munmap(k->word, k->mapped);
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

/* A word that its set lacks, to be counted with others. */
struct miss {
	struct ctx_word key;
	struct ctx_word *set;
};

struct misses {
	struct ctx_merge_job job[CTX_MERGE_JOBS];
	struct miss miss[CTX_MERGE_JOBS];
	unsigned n;
};

/* Count them and add them to the cache. */
static uint64_t
count_misses(const struct ctx_table *t, struct misses *m)
{
	struct ctx_word *set, key;
	uint64_t sum = 0;
	unsigned i, k;

	ctx_merge_words(t, m->job, m->n);
	for (i = 0; i < m->n; i++) {
		sum += m->job[i].count;
		set = m->miss[i].set;
		if (set == NULL)
			continue;
		key = m->miss[i].key;
		for (k = 0; k < CTX_SET_WORDS && set[k].hi != 0; k++)
			;
		if (k == CTX_SET_WORDS)
			k = (unsigned)(key.lo ^ key.lo >> 7 ^ key.hi) %
			    CTX_SET_WORDS;
		set[k].lo = key.lo;
		set[k].hi = key.hi | (uint64_t)m->job[i].count << 60;
	}
	m->n = 0;
	return sum;
}

/* The count of a word, 0 if its set has none such. */
static inline unsigned
set_find(const struct ctx_word *set, struct ctx_word key)
{
	unsigned i, n = 0;

	for (i = 0; i < CTX_SET_WORDS; i++)
		n |= (unsigned)(set[i].hi >> 60) &
		    -(unsigned)((set[i].lo == key.lo) &
		    ((set[i].hi ^ key.hi) << 4 == 0));
	return n;
}

/* A piece on its way: asked for, not looked at yet. */
struct ahead {
	struct ctx_word key;
	struct ctx_word *set;
};

static inline void
ask(struct ahead *a, const struct ctx_cache *k, const uint8_t *p, size_t len,
    const uint8_t *end)
{
	if (len > CTX_WORD_MAX) {
		a->set = NULL;
		return;
	}
	a->key = end - p >= 16 ? word_key(p, len) : word_key_near_end(p, len);
	a->set = k->word + CTX_SET_WORDS *
	    (ctx_hash_word(a->key.lo, a->key.hi) >> (64 - k->bits));
	__builtin_prefetch(a->set);
}

/* Pieces that are not in the cache: is one a token by itself? */
static int
is_token(const struct ctx_table *t, const uint8_t *p, size_t len)
{
	return t->head->flags & CTX_TABLE_WHOLE &&
	    ctx_table_find(t, p, len) != CTX_ID_MAX;
}

/* Count piece p[0 .. len), which a says is not in the cache. */
static int
count_other(struct ctx_cache *k, struct misses *m, const struct ahead *a,
    const uint8_t *p, size_t len, uint64_t *n, struct ctx_err *err)
{
	size_t count;

	if (is_token(k->table, p, len)) {
		++*n;
		return 0;
	}
	if (len > CTX_MERGE_SHORT) {
		if (ctx_merge_piece(k->table, p, len, NULL, &count, err) == -1)
			return -1;
		*n += count;
		return 0;
	}
	m->job[m->n].p = p;
	m->job[m->n].len = (unsigned)len;
	m->miss[m->n].set = a->set;
	m->miss[m->n].key = a->key;
	if (++m->n == CTX_MERGE_JOBS)
		*n += count_misses(k->table, m);
	return 0;
}

int
ctx_cache_count(struct ctx_cache *k, const struct ctx_cuts *c,
    const uint8_t *end, uint64_t *n, struct ctx_err *err)
{
	struct ahead ring[AHEAD], *a;
	struct misses m;
	unsigned i, count;
	uint64_t sum = 0;

	m.n = 0;
	for (i = 0; i < AHEAD && i < c->n; i++)
		ask(&ring[i], k, c->at[i], (size_t)(c->at[i + 1] - c->at[i]),
		    end);
	for (i = 0; i < c->n; i++) {
		a = &ring[i % AHEAD];
		count = a->set == NULL ? 0 : set_find(a->set, a->key);
		sum += count;
		if (count == 0 && count_other(k, &m, a, c->at[i],
		    (size_t)(c->at[i + 1] - c->at[i]), &sum, err) == -1)
			return -1;
		if (i + AHEAD < c->n)
			ask(a, k, c->at[i + AHEAD], (size_t)(c->at[i + AHEAD +
			    1] - c->at[i + AHEAD]), end);
	}
	*n += sum + count_misses(k->table, &m);
	return 0;
}
