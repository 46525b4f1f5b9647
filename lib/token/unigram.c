/* SPDX-License-Identifier: MIT */
#include "token/unigram.h"

#include <stdlib.h>
#include <string.h>

#include "token/bpe.h"
#include "token/split.h"
#include "token/steps.h"

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
	u->open = 0;
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
try_token(struct ctx_unigram_node *to, double sum, int exact, size_t len,
    uint32_t id, uint64_t count)
{
	if (to->len != 0 && !(sum > to->score))
		return;
	to->score = exact ? sum : (double)(float)sum;
	to->len = (uint32_t)len;
	to->id = id;
	to->count = count;
}

/* Is the last token of the row the unknown one? */
static int
is_unknown(const struct ctx_table *t, const struct ctx_unigram_node *node)
{
	return node->len != 0 && (node->id & ~CTX_UNIGRAM_TEXT) ==
	    t->head->unknown;
}

/*
 * The row goes on with what is unknown.  All of it in a row is one token; or its
 * bytes, unless it is the text of the unknown token and nothing else.
 */
static void
try_unknown(const struct ctx_table *t, const struct ctx_unigram_node *from,
    size_t len, double sum, int text)
{
	int after = is_unknown(t, from);
	uint32_t id = t->head->unknown;
	uint64_t count = from->count + !after;

	if (text && !after)
		id |= CTX_UNIGRAM_TEXT;
	else if (t->head->flags & CTX_TABLE_BYTES)
		count = from->count + len + (after && from->id &
		    CTX_UNIGRAM_TEXT ? from->len - 1 : 0);
	try_token((struct ctx_unigram_node *)(uintptr_t)from + len, sum,
	    (t->head->flags & CTX_TABLE_EXACT) != 0, len, id, count);
}

/*
 * Try all tokens at one place.  Returns the length of the character there, or 0
 * if more text is needed.
 */
static inline size_t
try_tokens(const struct ctx_table *t, struct ctx_unigram_node *from,
    const uint8_t *p, size_t left, int whole)
{
	int single = 0, exact = (t->head->flags & CTX_TABLE_EXACT) != 0;
	size_t node = 0, i, n = char_len(*p, left);
	uint32_t id;
	double sum;

	for (i = 0; i < left && ctx_trie_step(&t->trie, &node, p[i]); i++) {
		if ((id = ctx_trie_id(&t->trie, node)) == 0 ||
		    id > t->head->size)
			continue;
		single |= i + 1 == n;
		sum = t->score[id - 1] + from->score;
		if (id - 1 == t->head->unknown)
			try_unknown(t, from, i + 1, sum, 1);
		else
			try_token(from + i + 1, sum, exact, i + 1, id - 1,
			    from->count + 1);
	}
	if (i == left && !whole)
		return 0;
	if (single)
		return n;
	sum = t->score[t->head->size] + from->score;
	/* Both are float there, so it is rounded before it is compared. */
	try_unknown(t, from, n, exact ? sum : (double)(float)sum, 0);
	return n;
}

/* Append the ids of what is unknown in p[0 .. len); text as in try_unknown. */
static int
add_unknown(const struct ctx_table *t, const uint8_t *p, size_t len, int text,
    struct ctx_ids *ids, struct ctx_err *err)
{
	size_t i;

	if (text || !(t->head->flags & CTX_TABLE_BYTES))
		return ctx_bpe_add_id(ids, t->head->unknown, err);
	for (i = 0; i < len; i++)
		if (ctx_bpe_add_id(ids, t->first[p[i]], err) == -1)
			return -1;
	return 0;
}

/* Append the ids of the best row for p[0 .. len). */
static int
add_ids(struct ctx_unigram *u, const uint8_t *p, size_t len,
    struct ctx_ids *ids, struct ctx_err *err)
{
	const struct ctx_table *t = u->table;
	struct ctx_unigram_node *node = u->node;
	size_t at, k, to;
	int rc = 0, text;

	/* From here on a node's count is the length of what follows it. */
	for (at = len; at > 0; at -= k) {
		k = node[at].len;
		node[at - k].count = k;
	}
	for (at = 0; at < len && rc == 0; at = to) {
		to = at + node[at].count;
		if (!is_unknown(t, &node[to])) {
			rc = ctx_bpe_add_id(ids, node[to].id, err);
			continue;
		}
		text = (node[to].id & CTX_UNIGRAM_TEXT) != 0;
		for (; to < len && is_unknown(t, &node[to + node[to].count]);
		    text = 0)
			to += node[to].count;
		rc = add_unknown(t, p + at, to - at, text, ids, err);
	}
	return rc;
}

/* The same as ctx_unigram_text for one piece. */
static int
take_piece(struct ctx_unigram *u, const uint8_t *p, size_t *len, int whole,
    struct ctx_ids *ids, struct ctx_err *err)
{
	size_t at, step;

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
		u->count += u->node[*len].count;
		u->kept = 0;
		return ids == NULL ? 0 : add_ids(u, p, *len, ids, err);
	}
	u->kept = *len - at + 1;
	memmove(u->node, u->node + at, u->kept * sizeof(*u->node));
	*len = at;
	return 0;
}

/* What stands between words; a space if nothing else does. */
static uint8_t
between(const struct ctx_table *t)
{
	return t->head->norm & CTX_NORM_WORDS ? CTX_STEPS_BETWEEN : ' ';
}

/*
 * Set *p to the next piece, after white space, which is a space before the word
 * unless this has one.  Returns 0 if more text is needed.
 */
static int
begin_piece(const struct ctx_table *t, const uint8_t **p, const uint8_t *end,
    int whole)
{
	uint8_t gap = between(t);

	for (; gap != ' ' && *p < end && **p == gap; ++*p) {
		if (*p + 1 == end && !whole)
			return 0;
		if (*p + 1 < end && (*p)[1] != gap && (*p)[1] != ' ') {
			*(uint8_t *)(uintptr_t)*p = ' ';
			break;
		}
	}
	return *p < end;
}

/* The end of the piece at p, whose first byte may be a space if it is new. */
static const uint8_t *
end_piece(const struct ctx_table *t, const uint8_t *p, const uint8_t *end,
    int new)
{
	uint8_t gap = between(t);

	if (t->head->split != CTX_SPLIT_SPACES)
		return end;
	for (p += new; p < end && *p != ' ' && *p != gap; p++)
		;
	return p;
}

int
ctx_unigram_text(struct ctx_unigram *u, const uint8_t *p, size_t *len,
    int whole, struct ctx_ids *ids, struct ctx_err *err)
{
	const uint8_t *from = p, *end = p + *len, *to;
	size_t n;
	int ends;

	u->count = 0;
	while (u->open || begin_piece(u->table, &p, end, whole)) {
		to = end_piece(u->table, p, end, !u->open);
		ends = whole || to < end;
		u->open = !ends && ids == NULL;
		n = (size_t)(to - p);
		if (take_piece(u, p, &n, ends, ids, err) == -1)
			return -1;
		p += n;
		if (!ends)
			break;
	}
	*len = (size_t)(p - from);
	return 0;
}
