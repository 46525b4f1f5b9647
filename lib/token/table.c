/* SPDX-License-Identifier: MIT */
#include "token/table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/word.h"
#include "token/split.h"

uint64_t
ctx_table_sum(const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t h = 0x243f6a8885a308d3u ^ len, w;

	for (; len >= 8; p += 8, len -= 8) {
		w = word_load(p);
		h = (h ^ w) * 0x9fb21c651e98df25u;
		h ^= h >> 29;
	}
	for (; len > 0; p++, len--) {
		h = (h ^ *p) * 0x9fb21c651e98df25u;
		h ^= h >> 29;
	}
	return h;
}

uint64_t
ctx_table_hash(const uint8_t *text, size_t len)
{
	return ctx_table_sum(text, len) * 0x9e3779b97f4a7c15u;
}

/* Is section s within the file, and does it hold exactly want bytes? */
static int
section_is(const struct ctx_table_header *h, enum ctx_section s, uint64_t want)
{
	const struct ctx_table_section *x = &h->section[s];

	return x->len == want && x->off % CTX_TABLE_ALIGN == 0 &&
	    x->off <= h->length && x->len <= h->length - x->off;
}

static int
section_is_or_none(const struct ctx_table_header *h, enum ctx_section s,
    uint64_t want)
{
	return h->section[s].len == 0 || section_is(h, s, want);
}

static int
trie_is_sound(const struct ctx_table_header *h, enum ctx_section s)
{
	return h->section[s].len % 8 == 0 &&
	    h->section[s].len / 8 <= CTX_TRIE_MAX &&
	    section_is_or_none(h, s, h->section[s].len);
}

/* Has it what a search by scores, or in words, needs? */
static int
tokens_are_sound(const struct ctx_table_header *h)
{
	if (h->flags & CTX_TABLE_WORDS)
		return h->unknown < h->size && trie_is_sound(h, CTX_SEC_TRIE);
	return !(h->flags & CTX_TABLE_UNIGRAM) ||
	    (h->section[CTX_SEC_TRIE].len > 0 && h->unknown < h->size &&
	    trie_is_sound(h, CTX_SEC_TRIE) && section_is(h, CTX_SEC_SCORES,
	    8 * ((uint64_t)h->size + 1)));
}

/* Check everything that later code relies on. */
static int
header_is_sound(const struct ctx_table_header *h, uint64_t length)
{
	return h->length == length &&
	    h->head_sum == ctx_table_sum(h,
	    offsetof(struct ctx_table_header, head_sum)) &&
	    memchr(h->name, '\0', sizeof(h->name)) != NULL &&
	    h->split <= CTX_SPLIT_MAX && h->size < CTX_ID_MAX &&
	    h->index_bits >= 1 && h->index_bits <= 30 &&
	    h->pair_bits >= 1 && h->pair_bits <= 27 &&
	    h->index_probes < (uint32_t)1 << h->index_bits &&
	    h->pair_probes < (uint32_t)1 << h->pair_bits &&
	    h->cache_bits >= 1 && h->cache_bits <= 24 &&
	    h->nmerged <= CTX_RANK_MAX && h->nspecial <= h->size &&
	    section_is(h, CTX_SEC_TOKENS, 4 * ((uint64_t)h->size + 1)) &&
	    section_is(h, CTX_SEC_BYTES, h->section[CTX_SEC_BYTES].len) &&
	    section_is(h, CTX_SEC_INDEX, (uint64_t)4 << h->index_bits) &&
	    section_is(h, CTX_SEC_FIRST, 4 * 256) &&
	    section_is(h, CTX_SEC_GRID, 4 * 65536) &&
	    section_is(h, CTX_SEC_PAIRS, CTX_PAIR_BUCKET *
	    (uint64_t)8 << h->pair_bits) &&
	    section_is_or_none(h, CTX_SEC_MERGED, 4 * (uint64_t)h->nmerged) &&
	    section_is(h, CTX_SEC_CACHE, CTX_SET_WORDS *
	    (uint64_t)sizeof(struct ctx_cache_word) << h->cache_bits) &&
	    section_is(h, CTX_SEC_CROSS, sizeof(struct ctx_cross)) &&
	    (h->nspecial == 0 || section_is(h, CTX_SEC_SPECIAL, h->nspecial *
	    (uint64_t)sizeof(struct ctx_special))) &&
	    section_is_or_none(h, CTX_SEC_SPECIAL_TEXT,
	    h->section[CTX_SEC_SPECIAL_TEXT].len) &&
	    section_is_or_none(h, CTX_SEC_PATTERN,
	    h->section[CTX_SEC_PATTERN].len) &&
	    section_is_or_none(h, CTX_SEC_CHARSMAP,
	    h->section[CTX_SEC_CHARSMAP].len) &&
	    section_is_or_none(h, CTX_SEC_STEPS,
	    h->section[CTX_SEC_STEPS].len) &&
	    trie_is_sound(h, CTX_SEC_USER) && tokens_are_sound(h);
}

static const void *
section(const struct ctx_table_header *h, enum ctx_section s)
{
	return h->section[s].len == 0 ? NULL :
	    (const char *)h + h->section[s].off;
}

static void
set_sections(struct ctx_table *t)
{
	const struct ctx_table_header *h = t->head;

	t->token = section(h, CTX_SEC_TOKENS);
	t->bytes = section(h, CTX_SEC_BYTES);
	t->index = section(h, CTX_SEC_INDEX);
	t->first = section(h, CTX_SEC_FIRST);
	t->grid = section(h, CTX_SEC_GRID);
	t->pair = section(h, CTX_SEC_PAIRS);
	t->pair_shift = 64 - h->pair_bits;
	t->merged = section(h, CTX_SEC_MERGED);
	t->cross = section(h, CTX_SEC_CROSS);
	t->special = section(h, CTX_SEC_SPECIAL);
	t->special_text = section(h, CTX_SEC_SPECIAL_TEXT);
	t->trie = (struct ctx_trie){ section(h, CTX_SEC_TRIE),
	    (size_t)h->section[CTX_SEC_TRIE].len / 8 };
	t->user = (struct ctx_trie){ section(h, CTX_SEC_USER),
	    (size_t)h->section[CTX_SEC_USER].len / 8 };
	t->score = section(h, CTX_SEC_SCORES);
	t->steps = section(h, CTX_SEC_STEPS);
}

/* Map t->fd; -1 with *err set. */
static int
table_map(struct ctx_table *t, const char *path, struct ctx_err *err)
{
	const struct ctx_table_header *h;
	struct stat st;
	void *map;

	if (fstat(t->fd, &st) == -1)
		return ctx_fail_errno(err, errno, "%s", path);
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(*h))
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: not a vocabulary table", path);
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, t->fd, 0);
	if (map == MAP_FAILED)
		return ctx_fail_errno(err, errno, "%s", path);
	h = t->head = map;
	t->mapped = (size_t)st.st_size;
	if (memcmp(h->magic, "ctxvocab", 8) != 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: not a vocabulary table", path);
	if (h->version != CTX_TABLE_VERSION || h->order != CTX_TABLE_ORDER)
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: a vocabulary table of another version or machine; "
		    "make it again with ctx-count --prepare", path);
	if (!header_is_sound(h, t->mapped))
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: the vocabulary table is damaged", path);
	set_sections(t);
	return 0;
}

int
ctx_table_open(struct ctx_table *t, const char *path, int *missing,
    struct ctx_err *err)
{
	memset(t, 0, sizeof(*t));
	t->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (missing != NULL)
		*missing = t->fd == -1 && (errno == ENOENT || errno == ENOTDIR);
	if (t->fd == -1)
		return ctx_fail_errno(err, errno, "%s", path);
	if (table_map(t, path, err) == -1) {
		ctx_table_close(t);
		return -1;
	}
	return 0;
}

void
ctx_table_close(struct ctx_table *t)
{
	if (t->head != NULL)
		munmap((void *)(uintptr_t)t->head, t->mapped);
	if (t->fd != -1)
		close(t->fd);
	memset(t, 0, sizeof(*t));
	t->fd = -1;
}

/* Is id the token text[0 .. len)? */
static int
token_is(const struct ctx_table *t, uint32_t id, const uint8_t *text,
    size_t len)
{
	uint32_t a, b;

	if (id >= t->head->size)
		return 0;
	a = t->token[id];
	b = t->token[id + 1];
	return a <= b && b - a == len &&
	    b <= t->head->section[CTX_SEC_BYTES].len &&
	    memcmp(t->bytes + a, text, len) == 0;
}

uint32_t
ctx_table_find(const struct ctx_table *t, const uint8_t *text, size_t len)
{
	const struct ctx_table_header *h = t->head;
	uint32_t mask = (uint32_t)(((uint64_t)1 << h->index_bits) - 1), id, k;
	uint32_t i;

	if (len > h->longest)
		return CTX_ID_MAX;
	i = (uint32_t)(ctx_table_hash(text, len) >> (64 - h->index_bits));
	for (k = 0; k <= h->index_probes; k++) {
		id = t->index[(i + k) & mask];
		if (id == 0)
			break;
		if (token_is(t, id - 1, text, len))
			return id - 1;
	}
	return CTX_ID_MAX;
}
