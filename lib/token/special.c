/* SPDX-License-Identifier: MIT */
#include "token/special.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

int
ctx_specials_add(struct ctx_specials *set, const char *text, size_t len,
    uint32_t id, unsigned flags, struct ctx_err *err)
{
	if (CTX_ROOM(set->list, set->n, &set->cap) == -1)
		return ctx_fail_nomem(err);
	set->list[set->n++] = (struct ctx_tok_special){ text, len, id, flags };
	set->flags |= flags;
	if (flags & CTX_SPECIAL_ALWAYS)
		set->always_flags |= flags;
	if (len > set->longest)
		set->longest = len;
	return 0;
}

/* Sort by bytes, prefixes first; of equal texts the one added first. */
static int
by_bytes(const void *a, const void *b)
{
	const struct ctx_tok_special *x = a, *y = b;
	int c = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	if (c != 0)
		return c;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void
ctx_specials_ready(struct ctx_specials *set)
{
	const uint8_t *text;
	size_t i;
	unsigned pair, to;

	if (set->n > 0)
		qsort(set->list, set->n, sizeof(*set->list), by_bytes);
	for (i = 0; i < set->n; i++) {
		text = (const uint8_t *)set->list[i].text;
		pair = (unsigned)text[0] << 8;
		to = pair + 255;
		if (set->list[i].len > 1)
			pair = to = pair | text[1];
		for (; pair <= to; pair++)
			set->pair[pair / 64] |= (uint64_t)1 << pair % 64;
		set->first[text[0]] = 1;
	}
}

void
ctx_specials_done(struct ctx_specials *set)
{
	free(set->list);
	memset(set, 0, sizeof(*set));
}

/*
 * The first of list[lo .. hi) whose byte k is not below c; all of them are
 * longer than k.
 */
static size_t
first_from(const struct ctx_specials *set, size_t lo, size_t hi, size_t k,
    unsigned c)
{
	size_t mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if ((uint8_t)set->list[mid].text[k] < c)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The longest token at p, or NULL. */
static const struct ctx_tok_special *
longest_at(const struct ctx_specials *set, const uint8_t *p,
    const uint8_t *end)
{
	const struct ctx_tok_special *best = NULL;
	size_t lo = 0, hi = set->n, k;

	for (k = 0; p + k < end; k++) {
		lo = first_from(set, lo, hi, k, p[k]);
		hi = first_from(set, lo, hi, k, p[k] + 1u);
		if (lo < hi && set->list[lo].len == k + 1)
			best = &set->list[lo];
		while (lo < hi && set->list[lo].len == k + 1)
			lo++;
		if (lo == hi)
			break;
	}
	return best;
}

const struct ctx_tok_special *
ctx_specials_find(const struct ctx_specials *set, const uint8_t *p,
    const uint8_t *limit, const uint8_t *end, const uint8_t **at)
{
	const uint8_t *first = set->first;
	const struct ctx_tok_special *s;
	unsigned pair;

	for (; p < limit; p++) {
		while (limit - p > 4 && (first[p[0]] | first[p[1]] |
		    first[p[2]] | first[p[3]]) == 0)
			p += 4;
		if (!first[*p])
			continue;
		/*
		 * The last byte has no second one, so it has no pair to check.
		 */
		if (end - p > 1) {
			pair = (unsigned)p[0] << 8 | p[1];
			if ((set->pair[pair / 64] >> pair % 64 & 1) == 0)
				continue;
		}
		if ((s = longest_at(set, p, end)) != NULL) {
			*at = p;
			return s;
		}
	}
	return NULL;
}
