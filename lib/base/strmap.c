/* SPDX-License-Identifier: MIT */
/* Strings to numbers; see strmap.h. */
#include "base/strmap.h"

#include <stdlib.h>
#include <string.h>

struct ctx_strmap_key {
	uint64_t hash;
	size_t off, len;
};

static uint64_t
mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

/* Eight bytes at a time, since ids and keys are hashed for every message. */
uint64_t
ctx_strmap_hash(const char *p, size_t len)
{
	uint64_t h = len, word;

	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		h = mix(h, word);
	}
	for (word = 0; len > 0; len--)
		word = word << 8 | (unsigned char)*p++;
	h = mix(h, word);
	return h ^ h >> 32;
}

void
ctx_strmap_done(struct ctx_strmap *m)
{
	free(m->key);
	free(m->slot);
	ctx_buf_done(&m->bytes);
	memset(m, 0, sizeof(*m));
}

const char *
ctx_strmap_at(const struct ctx_strmap *m, size_t i, size_t *len)
{
	*len = m->key[i].len;
	return m->bytes.data + m->key[i].off;
}

static int
grow(struct ctx_strmap *m)
{
	size_t n = m->nslot == 0 ? 32 : m->nslot * 2, i, k;
	uint32_t *slot = calloc(n, sizeof(*slot));

	if (slot == NULL)
		return -1;
	for (i = 0; i < m->n; i++) {
		for (k = m->key[i].hash & (n - 1); slot[k] != 0;
		    k = (k + 1) & (n - 1))
			;
		slot[k] = (uint32_t)i + 1;
	}
	free(m->slot);
	m->slot = slot;
	m->nslot = n;
	return 0;
}

/* The slot of s, which is free if the map does not have it. */
static size_t
slot_of(const struct ctx_strmap *m, uint64_t h, const char *s, size_t len)
{
	const struct ctx_strmap_key *key;
	size_t k;

	for (k = h & (m->nslot - 1); m->slot[k] != 0;
	    k = (k + 1) & (m->nslot - 1)) {
		key = &m->key[m->slot[k] - 1];
		if (key->hash == h && key->len == len &&
		    memcmp(m->bytes.data + key->off, s, len) == 0)
			break;
	}
	return k;
}

size_t
ctx_strmap_find(const struct ctx_strmap *m, const char *s, size_t len)
{
	size_t k;

	if (m->n == 0)
		return CTX_STRMAP_FULL;
	k = slot_of(m, ctx_strmap_hash(s, len), s, len);
	return m->slot[k] != 0 ? m->slot[k] - 1 : CTX_STRMAP_FULL;
}

size_t
ctx_strmap_add(struct ctx_strmap *m, const char *s, size_t len)
{
	uint64_t h = ctx_strmap_hash(s, len);
	size_t k;

	if (m->n * 2 >= m->nslot && grow(m) == -1)
		return CTX_STRMAP_FULL;
	k = slot_of(m, h, s, len);
	if (m->slot[k] != 0)
		return m->slot[k] - 1;
	if (m->n >= UINT32_MAX - 1 || CTX_ROOM(m->key, m->n, &m->cap) == -1)
		return CTX_STRMAP_FULL;
	/* add a NUL, so that a map of empty strings has memory too */
	if (ctx_buf_add(&m->bytes, s, len) == -1 ||
	    ctx_buf_addc(&m->bytes, '\0') == -1)
		return CTX_STRMAP_FULL;
	m->key[m->n] = (struct ctx_strmap_key){ h, m->bytes.len - len - 1,
	    len };
	m->slot[k] = (uint32_t)++m->n;
	return m->n - 1;
}
