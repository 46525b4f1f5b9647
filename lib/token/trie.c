/* SPDX-License-Identifier: MIT */
#include "token/trie.h"

#include <stdlib.h>
#include <string.h>

/* All children of a node are in one block; only the last few are searched. */
#define BLOCK		256u
#define SEARCHED	32u

/* Bit maps of a block: units that are free, and bases that are taken. */
struct block {
	uint64_t free[4];
	uint64_t taken[4];
};

struct node {
	size_t at;		/* its unit */
	size_t from, to;	/* the keys below it */
	size_t depth;		/* bytes of the keys that lead to it */
};

struct build {
	const struct ctx_trie_key *key;
	uint64_t *unit;
	struct block *block;
	size_t nblock;
	size_t open;		/* the first block with a free unit */
	struct node *queue;	/* nodes without children yet, a ring */
	size_t first, n, cap;
	uint8_t label[BLOCK];	/* of the children of one node */
	size_t begin[BLOCK + 1];	/* their keys */
	unsigned nlabel;
};

/* Bit i of the result is bit i ^ x of w. */
static uint64_t
exchange(uint64_t w, unsigned x)
{
	static const uint64_t mask[6] = {
		0x5555555555555555u, 0x3333333333333333u, 0x0f0f0f0f0f0f0f0fu,
		0x00ff00ff00ff00ffu, 0x0000ffff0000ffffu, 0x00000000ffffffffu
	};
	unsigned i, n;

	for (i = 0; i < 6; i++) {
		n = 1u << i;
		if (x & n)
			w = (w >> n & mask[i]) | (w & mask[i]) << n;
	}
	return w;
}

/* A base in the block for all labels; -1 if there is none. */
static int
base_in(const struct build *b, const struct block *k)
{
	uint64_t can[4];
	unsigned i, j;

	for (j = 0; j < 4; j++) {
		can[j] = ~k->taken[j];
		for (i = 0; i < b->nlabel && can[j] != 0; i++)
			can[j] &= exchange(k->free[j ^ b->label[i] >> 6],
			    b->label[i] & 63u);
		if (can[j] != 0)
			return (int)(64 * j +
			    (unsigned)__builtin_ctzll(can[j]));
	}
	return -1;
}

static int
add_block(struct build *b, struct ctx_err *err)
{
	size_t n = b->nblock + 1;
	struct block *k;
	uint64_t *u;

	if (n * BLOCK > CTX_TRIE_MAX)
		return ctx_fail(err, CTX_ESYSTEM, "its tokens are too long");
	/* Twice as large each time it is a power of two. */
	if ((b->nblock & (b->nblock - 1)) == 0) {
		n = b->nblock == 0 ? 1 : 2 * b->nblock;
		if ((k = realloc(b->block, n * sizeof(*k))) == NULL)
			return ctx_fail_nomem(err);
		b->block = k;
		u = realloc(b->unit, n * BLOCK * sizeof(*u));
		if (u == NULL)
			return ctx_fail_nomem(err);
		b->unit = u;
	}
	memset(b->unit + b->nblock * BLOCK, 0, BLOCK * sizeof(*b->unit));
	memset(b->block[b->nblock].free, 0xff, sizeof(b->block->free));
	memset(b->block[b->nblock].taken, 0, sizeof(b->block->taken));
	b->nblock++;
	return 0;
}

/* Find a base for the labels in *base, and take it. */
static int
find_base(struct build *b, size_t *base, struct ctx_err *err)
{
	size_t i = b->open;
	int in = -1;

	if (b->nblock > SEARCHED && i < b->nblock - SEARCHED)
		i = b->nblock - SEARCHED;
	for (; i < b->nblock && (in = base_in(b, &b->block[i])) == -1; i++)
		;
	if (in == -1) {
		if (add_block(b, err) == -1)
			return -1;
		in = base_in(b, &b->block[i]);
	}
	b->block[i].taken[in / 64] |= (uint64_t)1 << in % 64;
	*base = i * BLOCK + (size_t)in;
	return 0;
}

static void
take_unit(struct build *b, size_t at)
{
	struct block *k = &b->block[at / BLOCK];

	k->free[at % BLOCK / 64] &= ~((uint64_t)1 << at % 64);
	while (b->open < b->nblock && (b->block[b->open].free[0] |
	    b->block[b->open].free[1] | b->block[b->open].free[2] |
	    b->block[b->open].free[3]) == 0)
		b->open++;
}

/* Gather the labels of a node's children, and the id of the node itself. */
static void
gather(struct build *b, const struct node *x)
{
	const struct ctx_trie_key *k;
	size_t i;

	b->nlabel = 0;
	for (i = x->from; i < x->to; i++) {
		k = &b->key[i];
		if (k->len == x->depth) {
			b->unit[x->at] &= ((uint64_t)1 << CTX_TRIE_ID) - 1;
			b->unit[x->at] |= (uint64_t)(k->id + 1) << CTX_TRIE_ID;
		} else if (b->nlabel == 0 ||
		    b->label[b->nlabel - 1] != k->text[x->depth]) {
			b->begin[b->nlabel] = i;
			b->label[b->nlabel++] = k->text[x->depth];
		}
	}
	b->begin[b->nlabel] = x->to;
}

static int
push(struct build *b, struct node x, struct ctx_err *err)
{
	struct node *q;
	size_t n, i;

	if (b->n == b->cap) {
		n = b->cap == 0 ? 1024 : 2 * b->cap;
		if ((q = malloc(n * sizeof(*q))) == NULL)
			return ctx_fail_nomem(err);
		for (i = 0; i < b->n; i++)
			q[i] = b->queue[(b->first + i) % b->cap];
		free(b->queue);
		b->queue = q;
		b->first = 0;
		b->cap = n;
	}
	b->queue[(b->first + b->n++) % b->cap] = x;
	return 0;
}

/* Give a node its children. */
static int
expand(struct build *b, const struct node *x, struct ctx_err *err)
{
	struct node child;
	size_t base;
	unsigned i;

	gather(b, x);
	if (b->nlabel == 0)
		return 0;
	if (find_base(b, &base, err) == -1)
		return -1;
	b->unit[x->at] |= base;
	for (i = 0; i < b->nlabel; i++) {
		child = (struct node){ base ^ b->label[i], b->begin[i],
		    b->begin[i + 1], x->depth + 1 };
		take_unit(b, child.at);
		b->unit[child.at] = CTX_TRIE_USED |
		    (uint64_t)b->label[i] << 24;
		if (push(b, child, err) == -1)
			return -1;
	}
	return 0;
}

uint64_t *
ctx_trie_build(struct ctx_trie_key *key, size_t n, size_t *units,
    struct ctx_err *err)
{
	struct build b = { .key = key };
	struct node root = { 0, 0, n, 0 };
	int rc = add_block(&b, err);

	if (rc == 0) {
		take_unit(&b, 0);
		/* The base of a node without children, which leads nowhere. */
		b.block[0].taken[0] = 1;
		rc = push(&b, root, err);
	}
	while (rc == 0 && b.n > 0) {
		root = b.queue[b.first];
		b.first = (b.first + 1) % b.cap;
		b.n--;
		rc = expand(&b, &root, err);
	}
	free(b.queue);
	free(b.block);
	if (rc == -1) {
		free(b.unit);
		return NULL;
	}
	*units = b.nblock * BLOCK;
	return b.unit;
}

size_t
ctx_trie_longest(const struct ctx_trie *t, const uint8_t *p, size_t len,
    int *open)
{
	size_t node = 0, i, best = 0;

	*open = 0;
	if (t->unit == NULL)
		return 0;
	for (i = 0; i < len && ctx_trie_step(t, &node, p[i]); i++)
		if (ctx_trie_id(t, node) != 0)
			best = i + 1;
	*open = i == len;
	return best;
}
