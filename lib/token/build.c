/* SPDX-License-Identifier: MIT */
/* Build a table file from a vocabulary in source form. */
#include "token/vocab.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/utf8.h"
#include "read/word.h"
#include "token/bpe.h"
#include "token/bpe_window.h"
#include "token/table.h"

/* Length in bytes of the longest token whose pairs are examined. */
#define LAST_MAX	128

/* A merge with its rank, given by the vocabulary or derived if it has none. */
struct pair {
	struct ctx_vocab_merge m;
	uint32_t rank;
};

struct build {
	const struct ctx_vocab *v;
	struct ctx_table_header head;
	void *section[CTX_SEC_COUNT];
	struct ctx_table table;		/* refers to the sections in memory */
	struct pair *pair;
	size_t npair;
	size_t pair_cap;
};

static const uint8_t *
token_text(const struct ctx_vocab *v, uint32_t id)
{
	return (const uint8_t *)v->bytes.data + v->token[id].off;
}

/* Can the token be found whole, or result from merging? */
static int
in_model(const struct ctx_vocab *v, uint32_t id)
{
	return v->token[id].len != 0 && v->token[id].flags == 0;
}

/* Add a zeroed section of len bytes. */
static void *
add_section(struct build *b, enum ctx_section s, size_t len,
    struct ctx_err *err)
{
	b->section[s] = calloc(1, len);
	if (b->section[s] == NULL)
		ctx_fail_nomem(err);
	b->head.section[s].len = len;
	return b->section[s];
}

/* Add a section with this text, if there is any. */
static int
add_text(struct build *b, enum ctx_section s, const struct ctx_buf *text,
    struct ctx_err *err)
{
	void *to;

	if (text->len == 0)
		return 0;
	if ((to = add_section(b, s, text->len, err)) == NULL)
		return -1;
	memcpy(to, text->data, text->len);
	return 0;
}

/* log2 of the number of slots for n entries, at most half full. */
static uint32_t
slot_bits(size_t n)
{
	uint32_t bits = 4;

	while (((size_t)1 << bits) < 2 * n)
		bits++;
	return bits;
}

static int
build_tokens(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	uint32_t *off, id, at = 0;
	uint8_t *bytes;

	off = add_section(b, CTX_SEC_TOKENS, 4 * ((size_t)v->size + 1), err);
	bytes = add_section(b, CTX_SEC_BYTES, v->bytes.len, err);
	if (off == NULL || bytes == NULL)
		return -1;
	for (id = 0; id < v->size; id++) {
		off[id] = at;
		memcpy(bytes + at, token_text(v, id), v->token[id].len);
		at += v->token[id].len;
		if (v->token[id].len > b->head.longest)
			b->head.longest = v->token[id].len;
	}
	off[v->size] = at;
	b->table.token = off;
	b->table.bytes = bytes;
	return 0;
}

static int
build_index(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	uint32_t bits = slot_bits(v->size), mask = (1u << bits) - 1, i, k, id;
	uint32_t *slot;

	slot = add_section(b, CTX_SEC_INDEX, (size_t)4 << bits, err);
	if (slot == NULL)
		return -1;
	b->head.index_bits = bits;
	for (id = 0; id < v->size; id++) {
		if (!in_model(v, id))
			continue;
		i = (uint32_t)(ctx_table_hash(token_text(v, id),
		    v->token[id].len) >> (64 - bits));
		for (k = 0; slot[(i + k) & mask] != 0; k++)
			;
		slot[(i + k) & mask] = id + 1;
		if (k > b->head.index_probes)
			b->head.index_probes = k;
	}
	b->table.index = slot;
	return 0;
}

static int
build_first(struct build *b, struct ctx_err *err)
{
	uint32_t *first = add_section(b, CTX_SEC_FIRST, 4 * 256, err);
	const struct ctx_vocab *v = b->v;
	uint32_t id;
	unsigned c;
	uint8_t byte;

	if (first == NULL)
		return -1;
	for (c = 0; c < 256; c++) {
		byte = (uint8_t)c;
		first[c] = ctx_table_find(&b->table, &byte, 1);
	}
	for (id = 0; id < v->size; id++)
		if (v->token[id].flags & CTX_TOKEN_BYTE) {
			byte = *token_text(v, id);
			if (first[byte] == CTX_ID_MAX ||
			    v->flags & CTX_TABLE_UNIGRAM)
				first[byte] = id;
		}
	b->table.first = first;
	return 0;
}

static int
add_pair(struct build *b, struct ctx_vocab_merge m, uint32_t rank,
    struct ctx_err *err)
{
	if (CTX_ROOM(b->pair, b->npair, &b->pair_cap) == -1)
		return ctx_fail_nomem(err);
	b->pair[b->npair++] = (struct pair){ m, rank };
	return 0;
}

/* Find the merges that can produce token id. */
static int
merges_of(struct build *b, uint32_t id, uint32_t rank, struct ctx_err *err)
{
	const uint8_t *text = token_text(b->v, id);
	uint32_t len = b->v->token[id].len, i, left, right;

	for (i = 1; i < len; i++) {
		left = ctx_table_find(&b->table, text, i);
		right = ctx_table_find(&b->table, text + i, len - i);
		if (left == CTX_ID_MAX || right == CTX_ID_MAX)
			continue;
		if (add_pair(b, (struct ctx_vocab_merge){ left, right, id },
		    rank, err) == -1)
			return -1;
	}
	return 0;
}

/* Put the pair into the table; if it occurs twice, the last one wins. */
static void
put_pair(struct build *b, const struct pair *p)
{
	uint64_t want = ctx_pair_make(p->m.left, p->m.right, p->rank), *slot;
	const uint64_t *bucket = ctx_pair_bucket(&b->table, p->m.left,
	    p->m.right);
	uint32_t i, k;

	for (k = 0;; k++) {
		slot = (uint64_t *)b->section[CTX_SEC_PAIRS] +
		    (bucket - b->table.pair);
		for (i = 0; i < CTX_PAIR_BUCKET; i++) {
			if (slot[i] >> 21 != want >> 21 &&
			    slot[i] != CTX_PAIR_NONE)
				continue;
			slot[i] = want;
			if (k > b->head.pair_probes)
				b->head.pair_probes = k;
			return;
		}
		bucket = ctx_pair_next(&b->table, bucket);
	}
}

/* Put all pairs into a table. */
static int
fill_pairs(struct build *b, struct ctx_err *err)
{
	size_t len, i;

	b->head.pair_bits = slot_bits(b->npair) - 3;
	b->head.pair_probes = 0;
	b->table.pair_shift = 64 - b->head.pair_bits;
	len = sizeof(uint64_t) * CTX_PAIR_BUCKET << b->head.pair_bits;
	free(b->section[CTX_SEC_PAIRS]);
	b->table.pair = add_section(b, CTX_SEC_PAIRS, len, err);
	if (b->table.pair == NULL)
		return -1;
	memset(b->section[CTX_SEC_PAIRS], 0xff, len);
	for (i = 0; i < b->npair; i++)
		put_pair(b, &b->pair[i]);
	return 0;
}

/* The last two tokens that the text of token id is merged to. */
#define NO_PAIR	UINT64_MAX
#define PAIR(left, right) ((uint64_t)(left) << 32 | (right))

static uint64_t
last_pair(const struct build *b, uint32_t id)
{
	const uint8_t *text = token_text(b->v, id);
	uint32_t t[LAST_MAX] = { 0 }, rank, best, len = b->v->token[id].len;
	uint32_t i, at, n = 0;

	for (i = 0; i < len; n++)
		i += ctx_bpe_first(&b->table, text + i, len - i, &t[n]);
	while (n > 2) {
		best = CTX_RANK_MAX;
		for (at = i = 0; i + 1 < n; i++) {
			rank = ctx_pair_rank(&b->table, t[i], t[i + 1]);
			if (rank < best) {
				best = rank;
				at = i;
			}
		}
		if (best == CTX_RANK_MAX)
			return NO_PAIR;
		t[at] = ctx_rank_id(&b->table, best);
		memmove(t + at + 1, t + at + 2, (n - at - 2) * sizeof(*t));
		n--;
	}
	return n == 2 ? PAIR(t[0], t[1]) : NO_PAIR;
}

/*
 * Drop the pairs that no text can reach.  Until two tokens are adjacent, what
 * happens within their text is what happens to that text alone, and there only
 * one pair comes last.
 */
static int
drop_pairs(struct build *b, struct ctx_err *err)
{
	uint64_t *last = calloc((size_t)b->v->size + 1, sizeof(*last));
	const struct ctx_vocab_merge *m;
	size_t i, n = 0;

	if (last == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < b->npair; i++) {
		m = &b->pair[i].m;
		if (in_model(b->v, m->merged) &&
		    b->v->token[m->merged].len <= LAST_MAX) {
			if (last[m->merged] == 0)
				last[m->merged] = last_pair(b, m->merged);
			if (last[m->merged] != PAIR(m->left, m->right))
				continue;
		}
		b->pair[n++] = b->pair[i];
	}
	b->npair = n;
	free(last);
	return 0;
}

/* If there are merges, store which token each one makes. */
static int
build_merged(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	uint32_t *merged, i;

	merged = add_section(b, CTX_SEC_MERGED, 4 * v->nmerge, err);
	if (merged == NULL)
		return -1;
	for (i = 0; i < v->nmerge; i++) {
		merged[i] = v->merge[i].merged;
		if (add_pair(b, v->merge[i], i, err) == -1)
			return -1;
	}
	b->head.nmerged = (uint32_t)v->nmerge;
	b->table.merged = merged;
	return 0;
}

/* The same if there are none, and the tokens have an order. */
static int
build_order(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	uint32_t *merged, i;

	merged = add_section(b, CTX_SEC_MERGED, 4 * v->norder, err);
	if (merged == NULL)
		return -1;
	for (i = 0; i < v->norder; i++) {
		merged[i] = v->order[i];
		if (merges_of(b, v->order[i], i, err) == -1)
			return -1;
	}
	b->head.nmerged = (uint32_t)v->norder;
	b->table.merged = merged;
	return 0;
}

static int
build_pairs(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	uint32_t id;

	if (v->flags & (CTX_TABLE_UNIGRAM | CTX_TABLE_WORDS))
		return fill_pairs(b, err);
	if (v->merge != NULL && build_merged(b, err) == -1)
		return -1;
	if (v->norder > 0 && build_order(b, err) == -1)
		return -1;
	for (id = 0; v->merge == NULL && v->norder == 0 && id < v->size; id++)
		if (in_model(v, id) && merges_of(b, id, id, err) == -1)
			return -1;
	if (fill_pairs(b, err) == -1 || drop_pairs(b, err) == -1)
		return -1;
	return fill_pairs(b, err);
}

static int
build_grid(struct build *b, struct ctx_err *err)
{
	uint32_t *grid = add_section(b, CTX_SEC_GRID, 4 * 65536, err), i;

	if (grid == NULL)
		return -1;
	for (i = 0; i < 65536; i++)
		grid[i] = ctx_pair_rank(&b->table, b->table.first[i >> 8],
		    b->table.first[i & 255]);
	b->table.grid = grid;
	return 0;
}

/*
 * Does merging find every token?  Only if not must a piece be looked up before
 * it is merged.
 */
static int
build_whole(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	uint32_t id;
	size_t n;

	if (!(v->flags & CTX_TABLE_WHOLE))
		return 0;
	for (id = 0; id < v->size; id++) {
		if (!in_model(v, id))
			continue;
		if (ctx_bpe_piece(&b->table, token_text(v, id),
		    v->token[id].len, NULL, &n, err) == -1)
			return -1;
		if (n != 1) {
			b->head.flags |= CTX_TABLE_WHOLE;
			return 0;
		}
	}
	return 0;
}

/*
 * log2 of the number of sets of the word cache: besides the vocabulary, it
 * should have room for a text's own words, but not be much over 8 MB.
 */
static uint32_t
cache_bits(uint32_t size)
{
	uint32_t bits = slot_bits(2 * (size_t)size), least = slot_bits(size);

	bits = bits > 19 ? 19 : bits;
	return (bits > least ? bits : least) - 2;
}

/* Fill the word cache with the tokens that fit, in the order of their ids. */
static int
build_cache(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	uint32_t bits = cache_bits(v->size), id, k, len;
	struct ctx_cache_word *word, *set, key;
	uint8_t text[16];
	size_t count = 1;

	word = add_section(b, CTX_SEC_CACHE,
	    CTX_SET_WORDS * sizeof(*word) << bits, err);
	if (word == NULL)
		return -1;
	b->head.cache_bits = bits;
	for (id = 0; !(v->flags & (CTX_TABLE_UNIGRAM | CTX_TABLE_WORDS)) &&
	    id < v->size; id++) {
		len = v->token[id].len;
		if (len > CTX_WORD_MAX || !in_model(v, id))
			continue;
		memset(text, 0, sizeof(text));
		memcpy(text, token_text(v, id), len);
		key.lo = word_load(text);
		key.hi = word_load(text + 8) | (uint64_t)len << 56;
		set = word + CTX_SET_WORDS * (ctx_hash_word(key.lo, key.hi) >>
		    (64 - bits));
		for (k = 0; k < CTX_SET_WORDS && set[k].hi != 0; k++)
			if (set[k].lo == key.lo && set[k].hi << 4 ==
			    key.hi << 4)
				break;
		if (k == CTX_SET_WORDS || set[k].hi != 0)
			continue;
		if (!(v->flags & CTX_TABLE_WHOLE) && ctx_bpe_piece(&b->table,
		    text, len, NULL, &count, err) == -1)
			return -1;
		set[k].lo = key.lo;
		set[k].hi = key.hi | (uint64_t)count << 60;
	}
	return 0;
}

/* The tokens of a character of three bytes that is a piece. */
static unsigned
count_alone(const struct build *b, uint32_t cp)
{
	uint8_t text[4];

	ctx_utf8_put((char *)text, cp);
	if (b->head.flags & CTX_TABLE_WHOLE &&
	    ctx_table_find(&b->table, text, 3) != CTX_ID_MAX)
		return 1;
	return ctx_bpe_count(&b->table, text, 3);
}

static int
build_cross(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	struct ctx_cross *x = add_section(b, CTX_SEC_CROSS, sizeof(*x), err);
	uint32_t id, cp;

	if (x == NULL)
		return -1;
	/* A word is one piece, wherever its tokens end. */
	if (v->flags & CTX_TABLE_WORDS) {
		ctx_cross_never(x);
		return 0;
	}
	for (id = 0; id < v->size; id++)
		if (in_model(v, id))
			ctx_cross_add(x, token_text(v, id), v->token[id].len,
			    v->split == CTX_SPLIT_SPACES);
	for (cp = CTX_CROSS_FIRST; cp <= CTX_CROSS_LAST &&
	    !(v->flags & CTX_TABLE_UNIGRAM); cp++)
		if (cp < 0xd800 || cp > 0xdfff)
			ctx_cross_set(x, cp, count_alone(b, cp) <<
			    CTX_CROSS_ALONE);
	return 0;
}

static int
build_special(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	struct ctx_special *special;
	char *text;

	b->head.nspecial = v->nspecial;
	if (v->nspecial == 0)
		return 0;
	special = add_section(b, CTX_SEC_SPECIAL,
	    v->nspecial * sizeof(*special), err);
	text = add_section(b, CTX_SEC_SPECIAL_TEXT, v->special_text.len, err);
	if (special == NULL || text == NULL)
		return -1;
	memcpy(special, v->special, v->nspecial * sizeof(*special));
	memcpy(text, v->special_text.data, v->special_text.len);
	return 0;
}

/* Store keys as a trie. */
static int
add_trie(struct build *b, enum ctx_section s, struct ctx_trie_key *key,
    size_t n, struct ctx_err *err)
{
	size_t units;

	b->section[s] = ctx_trie_build(key, n, &units, err);
	if (b->section[s] == NULL)
		return -1;
	b->head.section[s].len = units * sizeof(uint64_t);
	return 0;
}

static int
by_text(const void *a, const void *b)
{
	const struct ctx_trie_key *x = a, *y = b;
	int c = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	if (c != 0)
		return c;
	return x->len < y->len ? -1 : x->len > y->len;
}

/* The text "<0x0A>" of a byte's token, kept in text. */
static struct ctx_trie_key
spelled_byte(uint8_t byte, uint32_t id, char text[256][7])
{
	snprintf(text[byte], sizeof(text[byte]), "<0x%02X>", byte);
	return (struct ctx_trie_key){ (const uint8_t *)text[byte], 6, id };
}

/* Of a vocabulary with scores: these, and the trie of its tokens. */
static int
build_unigram(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	struct ctx_trie_key *key;
	char spelled[256][7];
	size_t n = 0;
	uint32_t id;
	void *score;
	int rc;

	if (!(v->flags & CTX_TABLE_UNIGRAM))
		return 0;
	score = add_section(b, CTX_SEC_SCORES, 8 * ((size_t)v->size + 1), err);
	if (score == NULL)
		return -1;
	memcpy(score, v->score, 8 * ((size_t)v->size + 1));
	if ((key = calloc((size_t)v->size + 1, sizeof(*key))) == NULL)
		return ctx_fail_nomem(err);
	for (id = 0; id < v->size; id++)
		if (in_model(v, id))
			key[n++] = (struct ctx_trie_key){ token_text(v, id),
			    v->token[id].len, id };
		else if (v->flags & CTX_TABLE_EXACT && v->token[id].flags &
		    CTX_TOKEN_BYTE)
			key[n++] = spelled_byte(*token_text(v, id), id,
			    spelled);
	qsort(key, n, sizeof(*key), by_text);
	rc = add_trie(b, CTX_SEC_TRIE, key, n, err);
	free(key);
	return rc;
}

/* Of a vocabulary of words: what begins one, after a space, and the rest. */
static int
build_words(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;
	struct ctx_trie_key *key[2] = { NULL, NULL };
	size_t n[2] = { 0, 0 };
	uint32_t id;
	int rc, rest;

	if (!(v->flags & CTX_TABLE_WORDS))
		return 0;
	key[0] = calloc((size_t)v->size + 1, sizeof(*key[0]));
	key[1] = calloc((size_t)v->size + 1, sizeof(*key[1]));
	rc = key[0] == NULL || key[1] == NULL ? ctx_fail_nomem(err) : 0;
	for (id = 0; rc == 0 && id < v->size; id++) {
		if (!in_model(v, id))
			continue;
		rest = *token_text(v, id) != ' ';
		key[rest][n[rest]++] = (struct ctx_trie_key){ token_text(v, id)
		    + !rest, v->token[id].len - !rest, id };
	}
	for (rest = 0; rest < 2 && rc == 0; rest++) {
		qsort(key[rest], n[rest], sizeof(*key[rest]), by_text);
		rc = add_trie(b, rest ? CTX_SEC_USER : CTX_SEC_TRIE, key[rest],
		    n[rest], err);
	}
	free(key[0]);
	free(key[1]);
	return rc;
}

/* Of a vocabulary of SentencePiece: what its normalizer needs. */
static int
build_normalizer(struct build *b, struct ctx_err *err)
{
	const struct ctx_vocab *v = b->v;

	if (add_text(b, CTX_SEC_CHARSMAP, &v->charsmap, err) == -1 ||
	    add_text(b, CTX_SEC_STEPS, &v->steps, err) == -1)
		return -1;
	if (v->nuser == 0)
		return 0;
	qsort(v->user, v->nuser, sizeof(*v->user), by_text);
	return add_trie(b, CTX_SEC_USER, v->user, v->nuser, err);
}

static int
build_pattern(struct build *b, struct ctx_err *err)
{
	return add_text(b, CTX_SEC_PATTERN, &b->v->pattern, err);
}

/*
 * Lay out the sections after the header's page and store the whole file in
 * *out.
 */
static int
build_file(struct build *b, struct ctx_buf *out, struct ctx_err *err)
{
	static const char zero[CTX_TABLE_ALIGN];
	struct ctx_table_header *h = &b->head;
	int s;

	ctx_buf_add(out, zero, sizeof(zero));
	for (s = 0; s < CTX_SEC_COUNT; s++) {
		if (b->section[s] == NULL)
			continue;
		h->section[s].off = out->len;
		ctx_buf_add(out, b->section[s], (size_t)h->section[s].len);
		ctx_buf_add(out, zero, (size_t)-out->len % CTX_TABLE_ALIGN);
	}
	if (ctx_buf_fail(out, err) == -1)
		return -1;
	h->length = out->len;
	h->head_sum = ctx_table_sum(h, offsetof(struct ctx_table_header,
	    head_sum));
	memcpy(out->data, h, sizeof(*h));
	return 0;
}

static int
build_all(struct build *b, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_table_header *h = &b->head;

	memcpy(h->magic, "ctxvocab", 8);
	h->version = CTX_TABLE_VERSION;
	h->order = CTX_TABLE_ORDER;
	memcpy(h->name, b->v->name, sizeof(h->name));
	h->split = b->v->split;
	h->norm = b->v->norm;
	h->flags = b->v->flags & ~(unsigned)CTX_TABLE_WHOLE;
	h->size = b->v->size;
	h->unknown = b->v->unknown;
	h->longest_word = b->v->longest_word;
	b->table.head = h;
	if (build_tokens(b, err) == -1 || build_index(b, err) == -1 ||
	    build_first(b, err) == -1 || build_pairs(b, err) == -1 ||
	    build_grid(b, err) == -1 || build_whole(b, err) == -1 ||
	    build_cache(b, err) == -1 || build_cross(b, err) == -1 ||
	    build_special(b, err) == -1 || build_pattern(b, err) == -1 ||
	    build_unigram(b, err) == -1 || build_words(b, err) == -1 ||
	    build_normalizer(b, err) == -1)
		return -1;
	return build_file(b, out, err);
}

/* Write the file under a temporary name, then rename it. */
static int
write_file(const char *path, const struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf name = { 0 };
	char *tmp;
	int fd, rc = -1;

	ctx_buf_addf(&name, "%s.XXXXXX", path);
	if ((tmp = ctx_buf_str(&name)) == NULL)
		return ctx_fail_nomem(err);
	if ((fd = mkstemp(tmp)) == -1) {
		ctx_fail_errno(err, errno, "%s", path);
		goto out;
	}
	rc = ctx_fd_write(fd, out->data, out->len);
	if (fchmod(fd, 0644) == -1 || close(fd) == -1)
		rc = -1;
	if (rc == 0)
		rc = rename(tmp, path);
	if (rc == -1) {
		ctx_fail_errno(err, errno, "%s", path);
		unlink(tmp);
	}
out:
	ctx_buf_done(&name);
	return rc;
}

int
ctx_vocab_write(const struct ctx_vocab *v, const char *path,
    struct ctx_err *err)
{
	struct build b = { .v = v, .table.fd = -1 };
	struct ctx_buf out = { 0 };
	int rc, s;

	rc = build_all(&b, &out, err);
	if (rc == 0)
		rc = write_file(path, &out, err);
	for (s = 0; s < CTX_SEC_COUNT; s++)
		free(b.section[s]);
	free(b.pair);
	ctx_buf_done(&out);
	return rc;
}
