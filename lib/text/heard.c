/* SPDX-License-Identifier: MIT */
/* Words of texts; see heard.h. */
#include "text/heard.h"

#include <stdlib.h>
#include <string.h>

#include "read/span.h"

#define WORD_MAX	64	/* of a longer word, the bytes that are
				   compared, and its length */
#define FIRST		64	/* slots */

enum { NONE, LETTER, DIGIT, SIGN, JOINT };

/* What a byte is in a word; capitals are letters. */
static const unsigned char sort[256] = {
	['0'] = DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT,
	DIGIT,
	['A'] = LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER,
	LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER,
	LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER,
	['a'] = LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER,
	LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER,
	LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER,
	['_'] = SIGN,
	['.'] = JOINT, ['/'] = JOINT, [':'] = JOINT, ['@'] = JOINT,
	['#'] = JOINT, ['%'] = JOINT, ['+'] = JOINT, ['-'] = JOINT
};

static int
sort_of(char c)
{
	unsigned char u = (unsigned char)c;

	return u >= 0x80 ? LETTER : sort[u];
}

/* The hash of p[0 .. len) in small letters. */
static uint64_t
hash_of(const char *p, size_t len)
{
	char small[WORD_MAX];
	size_t n = len < WORD_MAX ? len : WORD_MAX, i;

	for (i = 0; i < n; i++)
		small[i] = p[i] >= 'A' && p[i] <= 'Z' ?
		    (char)(p[i] - 'A' + 'a') : p[i];
	return (ctx_strmap_hash(small, n) + (len - n)) & ~(uint64_t)1;
}

int
ctx_heard_next(const char *text, size_t len, size_t *at, struct ctx_heard_word *word)
{
	size_t i = *at, from, end;
	int s;

	for (;;) {
		while (i < len && (sort_of(text[i]) == NONE ||
		    sort_of(text[i]) == JOINT))
			i++;
		if (i == len) {
			*at = len;
			return 0;
		}
		word->is_name = i > 0 && (text[i - 1] == '"' ||
		    text[i - 1] == '`');
		for (from = end = i; i < len && (s = sort_of(text[i])) != NONE;
		    i++) {
			if (s == JOINT)
				continue;
			word->is_name |= s != LETTER || end < i;
			end = i + 1;
		}
		if (end - from >= 2)
			break;
	}
	*at = i;
	word->hash = hash_of(text + from, end - from);
	return 1;
}

/* --- sets ---------------------------------------------------------------- */

void
ctx_heard_done(struct ctx_heard *w)
{
	free(w->slot);
	memset(w, 0, sizeof(*w));
}

void
ctx_heard_reset(struct ctx_heard *w)
{
	if (w->n > 0)
		memset(w->slot, 0, w->nslot * sizeof(*w->slot));
	w->n = 0;
}

/* The slot that has the hash, or where it belongs. */
static uint64_t *
slot_of(const struct ctx_heard *w, uint64_t hash)
{
	size_t i = (size_t)(hash >> 1) & (w->nslot - 1);

	hash |= 1;
	while (w->slot[i] != 0 && w->slot[i] != hash)
		i = (i + 1) & (w->nslot - 1);
	return &w->slot[i];
}

static int
grow(struct ctx_heard *w)
{
	struct ctx_heard more = { .n = w->n,
	    .nslot = w->nslot > 0 ? 2 * w->nslot : FIRST };
	size_t i;

	if ((more.slot = calloc(more.nslot, sizeof(*more.slot))) == NULL)
		return -1;
	for (i = 0; i < w->nslot; i++)
		if (w->slot[i] != 0)
			*slot_of(&more, w->slot[i]) = w->slot[i];
	free(w->slot);
	*w = more;
	return 0;
}

int
ctx_heard_add(struct ctx_heard *w, uint64_t hash)
{
	uint64_t *slot;

	if (2 * w->n >= w->nslot && grow(w) == -1)
		return -1;
	slot = slot_of(w, hash);
	w->n += *slot == 0;
	*slot = hash | 1;
	return 0;
}

int
ctx_heard_add_text(struct ctx_heard *w, const char *text, size_t len)
{
	struct ctx_heard_word word;
	size_t at = 0;

	while (ctx_heard_next(text, len, &at, &word))
		if (ctx_heard_add(w, word.hash) == -1)
			return -1;
	return 0;
}

int
ctx_heard_has(const struct ctx_heard *w, uint64_t hash)
{
	return w->n > 0 && *slot_of(w, hash) != 0;
}

int
ctx_heard_add_lines(struct ctx_heard *w, const char *text, size_t len)
{
	uint64_t before = 0, line;
	size_t at, n;

	for (at = 0; at < len; at += n + 1, before = line) {
		n = ctx_scan_newline(text + at, len - at);
		line = ctx_heard_line(text + at, n);
		if (ctx_heard_add(w, ctx_heard_pair(0, line)) == -1 ||
		    (before != 0 && ctx_heard_add(w, ctx_heard_pair(before,
		    line)) == -1))
			return -1;
	}
	return 0;
}
