/* SPDX-License-Identifier: MIT */
#include "token/host/reorder.h"

#include <stdint.h>
#include <string.h>

#include "token/table.h"

/* The bytes of a number in a section; 1: these are texts, or little-endian. */
static const uint8_t width[CTX_SEC_COUNT] = {
	[CTX_SEC_TOKENS] = 4, [CTX_SEC_BYTES] = 1, [CTX_SEC_INDEX] = 4,
	[CTX_SEC_FIRST] = 4, [CTX_SEC_GRID] = 4, [CTX_SEC_PAIRS] = 8,
	[CTX_SEC_MERGED] = 4, [CTX_SEC_CACHE] = 8, [CTX_SEC_SPECIAL] = 4,
	[CTX_SEC_SPECIAL_TEXT] = 1, [CTX_SEC_PATTERN] = 1,
	[CTX_SEC_TRIE] = 8, [CTX_SEC_SCORES] = 8, [CTX_SEC_CHARSMAP] = 1,
	[CTX_SEC_USER] = 8, [CTX_SEC_STEPS] = 1,
	/* CTX_SEC_CROSS is a struct */
};

/* Reverse each number of size bytes in p[0 .. len). */
static void
reverse(void *p, size_t len, size_t size)
{
	uint8_t *at = p, *end = at + len, byte;
	size_t i;

	for (; at < end; at += size)
		for (i = 0; i < size / 2; i++) {
			byte = at[i];
			at[i] = at[size - 1 - i];
			at[size - 1 - i] = byte;
		}
}

#define REVERSE(member) reverse(&(member), sizeof(member), sizeof(member))
#define REVERSE_ALL(member) \
	reverse((member), sizeof(member), sizeof((member)[0]))

static void
reorder_section(uint8_t *file, const struct ctx_table_section *at,
    enum ctx_section s)
{
	struct ctx_cross *cross;

	if (s == CTX_SEC_CROSS) {
		cross = (struct ctx_cross *)(void *)(file + at->off);
		REVERSE_ALL(cross->pair);
		REVERSE_ALL(cross->of);
		REVERSE_ALL(cross->border);
	} else
		reverse(file + at->off, (size_t)at->len, width[s]);
}

static void
reorder_header(struct ctx_table_header *h)
{
	const size_t begin = offsetof(struct ctx_table_header, split);
	const size_t end = offsetof(struct ctx_table_header, section);

	REVERSE(h->version);
	REVERSE(h->order);
	REVERSE(h->length);
	REVERSE(h->unknown);
	REVERSE(h->longest_word);
	/* from split on all members but the sections have 4 bytes */
	reverse((char *)h + begin, end - begin, 4);
	reverse(h->section, sizeof(h->section), 8);
	h->head_sum = ctx_table_sum(h, offsetof(struct ctx_table_header,
	    head_sum));
	REVERSE(h->head_sum);
}

void
ctx_reorder_table(void *file, size_t len)
{
	struct ctx_table_header *h = file;
	int s;

	if (len < sizeof(*h))
		return;
	for (s = 0; s < CTX_SEC_COUNT; s++)
		if (h->section[s].len > 0)
			reorder_section(file, &h->section[s],
			    (enum ctx_section)s);
	reorder_header(h);
}
