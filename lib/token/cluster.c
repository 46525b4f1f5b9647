/* SPDX-License-Identifier: MIT */
#include "token/cluster.h"

#include "token/cluster_data.inc"

/* Grapheme_Cluster_Break, and Extended_Pictographic. */
enum {
	OTHER, CONTROL, EXTEND, ZWJ, SPACING, PREPEND, L, V, T, LV, LVT,
	REGIONAL, PICTOGRAPH
};

/* Indic_Conjunct_Break, and General_Category=Mark. */
#define CONSONANT	16u
#define LINKER		32u
#define JOINS		64u
#define MARK		128u

static unsigned
bits(uint32_t cp)
{
	return bits_of[block_of[cp >> 7]][cp & 127];
}

int
ctx_cluster_mark(uint32_t cp)
{
	return (bits(cp) & MARK) != 0;
}

/* Is there a border before the character?  GB3 and so on are UAX #29's rules. */
static int
is_border(const struct ctx_cluster *c, unsigned is, uint32_t cp)
{
	unsigned next = is & 15, last = c->last;

	if (c->cr && cp == '\n')				/* GB3 */
		return 0;
	if (last == CONTROL || next == CONTROL)			/* GB4, 5 */
		return 1;
	if ((last == L && (next == L || next == V || next == LV ||
	    next == LVT)) ||					/* GB6 */
	    ((last == LV || last == V) && (next == V || next == T)) ||
	    ((last == LVT || last == T) && next == T))		/* GB7, 8 */
		return 0;
	if (next == EXTEND || next == ZWJ || next == SPACING ||
	    last == PREPEND)					/* GB9 to 9b */
		return 0;
	if (is & CONSONANT && c->conjunct == 2)			/* GB9c */
		return 0;
	if (next == PICTOGRAPH && c->pict == 2)			/* GB11 */
		return 0;
	return !(next == REGIONAL && c->odd);			/* GB12, 13 */
}

int
ctx_cluster_begins(struct ctx_cluster *c, uint32_t cp)
{
	unsigned is = bits(cp), next = is & 15;
	int border = !c->begun || is_border(c, is, cp);

	c->begun = 1;
	c->last = (uint8_t)next;
	c->cr = cp == '\r';
	c->odd = next == REGIONAL && !c->odd;
	if (next == PICTOGRAPH)
		c->pict = 1;
	else if (next == ZWJ && c->pict == 1)
		c->pict = 2;
	else if (next != EXTEND || c->pict == 2)
		c->pict = 0;
	if (is & CONSONANT)
		c->conjunct = 1;
	else if (is & LINKER && c->conjunct > 0)
		c->conjunct = 2;
	else if (!(is & (LINKER | JOINS)))
		c->conjunct = 0;
	return border;
}
