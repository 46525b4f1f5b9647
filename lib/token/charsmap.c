/* SPDX-License-Identifier: MIT */
/* The units are those of darts-clone, darts.h. */
#include "token/charsmap.h"

#include <string.h>

static uint32_t
little(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
}

static uint32_t
unit_at(const struct ctx_charsmap *m, uint32_t i)
{
	/* Out of range: a unit that no byte leads to. */
	return i < m->nunit ? little(m->unit + 4 * (size_t)i) : 1u << 31;
}

static uint32_t
offset_of(uint32_t unit)
{
	return unit >> 10 << ((unit & 1u << 9) >> 6);
}

/* Go from *node by byte c.  Returns 0 if there is no way. */
static int
step(const struct ctx_charsmap *m, uint32_t *node, uint8_t c, uint32_t *unit)
{
	*node ^= c;
	*unit = unit_at(m, *node);
	if ((*unit & (1u << 31 | 0xff)) != c)
		return 0;
	*node ^= offset_of(*unit);
	return 1;
}

/* Does the character stay as it is, whatever ASCII follows? */
static int
is_plain(const struct ctx_charsmap *m, uint8_t c)
{
	uint32_t node = offset_of(unit_at(m, 0)), next, unit;
	unsigned d;

	if (!step(m, &node, c, &unit))
		return 1;
	if (unit >> 8 & 1)
		return 0;
	for (d = 0; d < 128; d++) {
		next = node;
		if (step(m, &next, (uint8_t)d, &unit))
			return 0;
	}
	return 1;
}

int
ctx_charsmap_open(struct ctx_charsmap *m, const void *data, size_t len)
{
	const uint8_t *p = data;
	size_t units;
	unsigned c;

	memset(m, 0, sizeof(*m));
	memset(m->plain, 1, sizeof(m->plain));
	if (len == 0)
		return 1;
	units = len < 4 ? 0 : little(p);
	if (units == 0 || units % 4 != 0 || units > len - 4)
		return 0;
	m->unit = p + 4;
	m->nunit = units / 4;
	m->text = (const char *)p + 4 + units;
	m->len = len - 4 - units;
	for (c = 0; c < 128; c++)
		m->plain[c] = (uint8_t)is_plain(m, (uint8_t)c);
	return 1;
}

/* Set *to to the text that a unit refers to. */
static void
text_at(const struct ctx_charsmap *m, uint32_t node, const char **to,
    size_t *tolen)
{
	uint32_t value = unit_at(m, node) & ~(1u << 31);

	*to = value < m->len ? m->text + value : "";
	*tolen = value < m->len ? strnlen(*to, m->len - value) : 0;
}

size_t
ctx_charsmap_find(const struct ctx_charsmap *m, const uint8_t *p, size_t len,
    const char **to, size_t *tolen, int *open)
{
	uint32_t node, unit, leaf = 0;
	size_t i, best = 0;

	*open = 0;
	if (m->unit == NULL)
		return 0;
	node = offset_of(unit_at(m, 0));
	for (i = 0; i < len; i++) {
		if (!step(m, &node, p[i], &unit))
			break;
		if (unit >> 8 & 1) {
			best = i + 1;
			leaf = node;
		}
	}
	*open = i == len;
	if (best > 0)
		text_at(m, leaf, to, tolen);
	return best;
}

size_t
ctx_charsmap_first(const struct ctx_charsmap *m, const uint8_t *p, size_t len,
    const char **to, size_t *tolen)
{
	uint32_t node, unit;
	size_t i;

	if (m->unit == NULL)
		return 0;
	node = offset_of(unit_at(m, 0));
	for (i = 0; i < len && p[i] != 0; i++) {
		if (!step(m, &node, p[i], &unit))
			break;
		if (unit >> 8 & 1) {
			text_at(m, node, to, tolen);
			return i + 1;
		}
	}
	return 0;
}
