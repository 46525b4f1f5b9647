/* SPDX-License-Identifier: MIT */
/* Terms of a text; see term.h. */
#include "extract/term.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "extract/words.h"

#define WORD_MAX 64	/* only this many bytes of a word are used */

uint64_t
ctx_term_hash(const char *p, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)p[i]) * 0x100000001b3u;
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

static int
add(struct ctx_terms *t, const char *p, size_t len, int stop,
    struct ctx_err *err)
{
	if (CTX_ROOM(t->hash, t->n, &t->cap) == -1)
		return ctx_fail_nomem(err);
	t->hash[t->n++] = (ctx_term_hash(p, len) & ~(uint64_t)1) |
	    (unsigned)stop;
	return 0;
}

/* The end of a run of letters; what follows an apostrophe is dropped. */
static size_t
word_end(const char *p, size_t len)
{
	enum ctx_glyph class;
	uint32_t cp;
	size_t i = 0, n;

	for (; i < len; i += n) {
		n = ctx_glyph_step(p + i, len - i, &cp, &class);
		if (class != CTX_GLYPH_ALPHA && class != CTX_GLYPH_LETTER)
			break;
	}
	return i;
}

static int
add_word(struct ctx_terms *t, const char *p, size_t len, int *cue,
    struct ctx_err *err)
{
	char low[WORD_MAX];
	size_t i;

	if (len > sizeof(low))
		len = sizeof(low);
	for (i = 0; i < len; i++)
		low[i] = p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] | 32) : p[i];
	if (ctx_word_is(CTX_WORD_CUE, low, len))
		*cue = 1;
	return len < 2 ? 0 : add(t, low, len,
	    ctx_word_is(CTX_WORD_STOP, low, len), err);
}

int
ctx_terms_scan(struct ctx_terms *t, const struct ctx_han_set *grammar,
    const char *text, size_t len, int *cue, struct ctx_err *err)
{
	enum ctx_glyph class;
	uint32_t cp;
	size_t i = 0, n, last = 0;	/* length of the Han character before */
	int was_grammar = 0, is_grammar;

	*cue = 0;
	for (; i < len; i += n) {
		n = ctx_glyph_step(text + i, len - i, &cp, &class);
		if (class == CTX_GLYPH_ALPHA || class == CTX_GLYPH_LETTER) {
			n = word_end(text + i, len - i);
			if (add_word(t, text + i, n, cue, err) == -1)
				return -1;
			if (i + n < len && text[i + n] == '\'')
				n += 1 + word_end(text + i + n + 1,
				    len - i - n - 1);
		}
		if (class != CTX_GLYPH_HAN) {
			last = 0;
			continue;
		}
		is_grammar = ctx_han_set_has(grammar, cp);
		if (last > 0 && !(was_grammar && is_grammar)) {
			if (ctx_word_is(CTX_WORD_HAN_CUE, text + i - last,
			    last + n))
				*cue = 1;
			if (add(t, text + i - last, last + n, 0,
			    err) == -1)
				return -1;
		}
		last = n;
		was_grammar = is_grammar;
	}
	return 0;
}

struct entry {
	uint64_t hash;
	size_t at;
};

/* Sort by the least significant byte first, in eight stable passes. */
static void
radix(struct entry *a, struct entry *b, size_t n)
{
	size_t count[256], sum, i, c;
	struct entry *t;
	unsigned shift;

	for (shift = 0; shift < 64; shift += 8) {
		memset(count, 0, sizeof(count));
		for (i = 0; i < n; i++)
			count[a[i].hash >> shift & 255]++;
		for (sum = i = 0; i < 256; i++) {
			c = count[i];
			count[i] = sum;
			sum += c;
		}
		for (i = 0; i < n; i++)
			b[count[a[i].hash >> shift & 255]++] = a[i];
		t = a;
		a = b;
		b = t;
	}
}

int
ctx_terms_number(const uint64_t *hash, size_t n, uint32_t *id, size_t *nid,
    struct ctx_err *err)
{
	struct entry *e;
	size_t i;

	*nid = 0;
	if (n == 0)
		return 0;
	if (n >= UINT32_MAX || (e = calloc(n, 2 * sizeof(*e))) == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < n; i++)
		e[i] = (struct entry){ hash[i], i };
	radix(e, e + n, n);
	for (i = 0; i < n; i++) {
		if (i > 0 && e[i].hash != e[i - 1].hash)
			++*nid;
		id[e[i].at] = (uint32_t)*nid;
	}
	++*nid;
	free(e);
	return 0;
}
