/* SPDX-License-Identifier: MIT */
#include "token/wordpiece.h"

#include "base/uclass.h"
#include "base/utf8.h"
#include "token/bpe.h"

/* The length and the id of the longest token at p; 0 if there is none. */
static size_t
longest(const struct ctx_trie *t, const uint8_t *p, size_t len, uint32_t *id)
{
	size_t node = 0, i, best = 0;

	if (t->unit == NULL)
		return 0;
	for (i = 0; i < len && ctx_trie_step(t, &node, p[i]); i++)
		if (ctx_trie_id(t, node) != 0) {
			best = i + 1;
			*id = ctx_trie_id(t, node) - 1;
		}
	return best;
}

/* Skip white space; returns its length. */
static size_t
skip_space(const uint8_t *p, size_t len)
{
	size_t at = 0, n;
	uint32_t cp;

	while (at < len) {
		n = ctx_utf8_step((const char *)p + at, len - at, &cp);
		if (n == 0 || !(ctx_uclass(cp) & CTX_UC_SPACE))
			break;
		at += n;
	}
	return at;
}

int
ctx_wordpiece_word(const struct ctx_table *t, const uint8_t *p, size_t len,
    struct ctx_ids *ids, size_t *n, struct ctx_err *err)
{
	size_t skip = skip_space(p, len), at, k, from;
	uint32_t id = 0;

	*n = 0;
	p += skip;
	len -= skip;
	if (len == 0)
		return 0;
	from = ids != NULL ? ids->n : 0;
	k = ctx_utf8_count((const char *)p, len) > t->head->longest_word ? 0 :
	    longest(&t->trie, p, len, &id);
	for (at = 0; k > 0; k = longest(&t->user, p + at, len - at, &id)) {
		if (ids != NULL && ctx_bpe_add_id(ids, id, err) == -1)
			return -1;
		at += k;
		++*n;
	}
	if (at == len)
		return 0;
	*n = 1;
	if (ids == NULL)
		return 0;
	ids->n = from;
	return ctx_bpe_add_id(ids, t->head->unknown, err);
}
