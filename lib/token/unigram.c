/* SPDX-License-Identifier: MIT */
#include "token/unigram.h"

#include <stdlib.h>
#include <string.h>

#include "token/bpe.h"

void
ctx_unigram_done(struct ctx_unigram *u)
{
	free(u->node);
	memset(u, 0, sizeof(*u));
}

void
ctx_unigram_reset(struct ctx_unigram *u)
{
	u->kept = 0;
}

/* Make room for the nodes of len bytes. */
static int
make_room(struct ctx_unigram *u, size_t len, struct ctx_err *err)
{
	struct ctx_unigram_node *node;
	size_t cap;

	if (len >= u->cap) {
		cap = len + len / 2 + 64;
		if (cap > SIZE_MAX / sizeof(*node) ||
		    (node = realloc(u->node, cap * sizeof(*node))) == NULL)
			return ctx_fail_nomem(err);
		u->node = node;
		u->cap = cap;
	}
	memset(u->node + u->kept, 0, (len + 1 - u->kept) * sizeof(*u->node));
	return 0;
}

/* Bytes of the character at p, which is valid, or cut off at the end. */
static size_t
char_len(uint8_t lead, size_t left)
{
	size_t n = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

	return n < left ? n : left;
}

/* A row that ends in this token, after the row that ends at from. */
static inline void
try_token(struct ctx_unigram_node *to, double sum, size_t len, uint32_t id,
    uint64_t count)
{
	if (to->len != 0 && !(sum > to->score))
		return;
	to->score = (double)(float)sum;
	to->len = (uint32_t)len;
	to->id = id;
	to->count = count;
}

/* The number of tokens of a row that goes on with an unknown character. */
static uint64_t
unknown_count(const struct ctx_table *t, const struct ctx_unigram_node *from,
    size_t len)
{
	if (t->head->flags & CTX_TABLE_BYTES)
		return from->count + len;
	return from->count + !(from->len != 0 &&
	    from->id == t->head->unknown);
}

/*
 * Try all tokens at one place.  Returns the length of the character there, or 0
 * if more text is needed.
 */
static inline size_t
try_tokens(const struct ctx_table *t, struct ctx_unigram_node *from,
    const uint8_t *p, size_t left, int whole)
{
	int single = 0;
	size_t node = 0, i, n = char_len(*p, left);
	uint32_t id;
	double sum;

	for (i = 0; i < left && ctx_trie_step(&t->trie, &node, p[i]); i++) {
		if ((id = ctx_trie_id(&t->trie, node)) == 0 ||
		    id > t->head->size)
			continue;
		single |= i + 1 == n;
		try_token(from + i + 1, t->score[id - 1] + from->score, i + 1,
		    id - 1, from->count + 1);
	}
	if (i == left && !whole)
		return 0;
	if (single)
		return n;
	sum = t->score[t->head->size] + from->score;
	/* Both are float there, so it is rounded before it is compared. */
	try_token(from + n, (double)(float)sum, n, t->head->unknown,
	    unknown_count(t, from, n));
	return n;
}

/* Append the ids of the best row for p[0 .. len). */
static int
add_ids(struct ctx_unigram *u, const uint8_t *p, size_t len,
    struct ctx_ids *ids, struct ctx_err *err)
{
	const struct ctx_table *t = u->table;
	struct ctx_unigram_node *node = u->node;
	size_t at, k;
	uint32_t id, last = CTX_ID_MAX;

	/* From here on a node's count is the length of what follows it. */
	for (at = len; at > 0; at -= k) {
		k = node[at].len;
		node[at - k].count = k;
	}
	for (at = 0; at < len; at += node[at].count, last = id) {
		id = node[at + node[at].count].id;
		if (id == t->head->unknown &&
		    t->head->flags & CTX_TABLE_BYTES) {
			for (k = at; k < at + node[at].count; k++)
				if (ctx_bpe_add_id(ids, t->first[p[k]], err)
				    == -1)
					return -1;
		} else if ((id != t->head->unknown || last != id) &&
		    ctx_bpe_add_id(ids, id, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_unigram_take(struct ctx_unigram *u, const uint8_t *p, size_t *len,
    int whole, struct ctx_ids *ids, struct ctx_err *err)
{
	size_t at, step;

	u->count = 0;
	if ((ids != NULL && !whole) || *len + 1 < u->kept) {
		*len = 0;
		return 0;
	}
	if (make_room(u, *len, err) == -1)
		return -1;
	for (at = 0; at < *len; at += step) {
		step = try_tokens(u->table, u->node + at, p + at, *len - at,
		    whole);
		if (step == 0)
			break;
	}
	if (whole) {
		u->count = u->node[*len].count;
		u->kept = 0;
		return ids == NULL ? 0 : add_ids(u, p, *len, ids, err);
	}
	u->kept = *len - at + 1;
	memmove(u->node, u->node + at, u->kept * sizeof(*u->node));
	*len = at;
	return 0;
}
