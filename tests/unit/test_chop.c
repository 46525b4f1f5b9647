/* SPDX-License-Identifier: MIT */
/*
 * Cutting with masks against cutting piece by piece: the same borders, and
 * others only where no token can lie across.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/utf8.h"
#include "check.h"
#include "token/chop.h"
#include "token/tok_priv.h"

#define SIZE	400

static uint64_t state = 11;

static unsigned
pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

/* Mark the borders in text[0 .. n) that chop finds, the end included. */
static void
chopped(char *border, ctx_chop_fn *chop, ctx_split_fn *split,
    const struct ctx_cross *cross, const uint8_t *text, size_t n, int skip)
{
	static struct ctx_chops c;
	const uint8_t *p = text, *end = text + n;
	unsigned i, skipped;

	memset(&c, 0, sizeof(c));
	c.skip = skip;
	while (p < end) {
		c.n = c.skipped = 0;
		chop(&c, p, end, 1, split, cross);
		skipped = c.skipped;
		for (i = 0; i < c.n; i++) {
			border[c.to[i] - text] = 1;
			/* what was left out has one byte */
			for (; skip && p < c.at[i] && skipped > 0; skipped--)
				border[++p - text] = 1;
			CHECK(p == c.at[i]);
			p = c.to[i];
		}
		for (; p < c.next && skipped > 0; skipped--)
			border[++p - text] = 1;
		CHECK_INT(skipped, 0);
		CHECK(p == c.next);
	}
}

/* May there be a border at p that is none of a piece? */
static int
is_free(const struct ctx_cross *cross, const uint8_t *text, const uint8_t *p)
{
	uint32_t left, right;

	return p - text >= 3 && (p[0] & 0xf0) == 0xe0 &&
	    (p[-3] & 0xf0) == 0xe0 &&
	    ctx_utf8_step((const char *)p - 3, 3, &left) == 3 &&
	    ctx_utf8_step((const char *)p, 3, &right) == 3 &&
	    ctx_cross_free(cross, left, right);
}

/*
 * Compare on from[0 .. n), which is UTF-8; returns whether they agree.  They
 * work on a copy with nothing after it, so that reading further is found.
 */
static int
agrees(const struct ctx_table *t, const uint8_t *from, size_t n, int skip)
{
	enum ctx_split_kind kind = t->head->split;
	ctx_split_fn *split = ctx_split_get(kind);
	char got[SIZE + 1] = { 0 }, want[SIZE + 1] = { 0 };
	uint8_t *text = malloc(n);
	const uint8_t *p = text;
	unsigned met = 0;
	size_t i;

	if (!CHECK(text != NULL))
		return 0;
	memcpy(text, from, n);
	while (p < text + n) {
		p = split(p, text + n, &met);
		want[p - text] = 1;
	}
	chopped(got, ctx_chop_get(kind), split, t->cross, text, n, skip);
	for (i = 1; i <= n; i++)
		if (got[i] != want[i] &&
		    (want[i] || !is_free(t->cross, text, text + i)))
			break;
	if (i <= n)
		fprintf(stderr, "%s, %s: byte %zu of '%.*s'\n", t->head->name,
		    ctx_cpu_name(), i, (int)n, (const char *)text);
	free(text);
	return i > n;
}

static size_t
put(uint8_t *to, uint32_t cp)
{
	return ctx_utf8_put((char *)to, cp);
}

/* Every character between others, in the middle of a block. */
static void
every_character(const struct ctx_table *t)
{
	static const char *const around[][2] = {
		{ "", "" }, { "a", "b" }, { "A", "B" }, { " ", "c" },
		{ "\xe4\xb8\xad", "\xe6\x96\x87" }, { "\xef\xbc\x8c", "A" },
		{ "\n", "\n" }, { "'", "s" }, { "1", "2" }, { " ", " " }
	};
	uint8_t text[SIZE];
	uint32_t cp;
	size_t n, k, bad = 0;

	for (cp = 0x80; cp < 0x10000; cp++) {
		if (cp >= 0xd800 && cp < 0xe000)
			continue;
		memcpy(text, "The first words. ", n = 17);
		for (k = 0; k < sizeof(around) / sizeof(*around); k++) {
			n += (size_t)sprintf((char *)text + n, "%s",
			    around[k][0]);
			n += put(text + n, cp);
			n += (size_t)sprintf((char *)text + n, "%s",
			    around[k][1]);
		}
		memset(text + n, 'x', 70);
		bad += !agrees(t, text, n + 70, 0);
	}
	CHECK_INT(bad, 0);
}

static void
random_texts(const struct ctx_table *t, unsigned rounds)
{
	static const uint32_t of[] = {
		'a', 'b', 'A', 'B', ' ', ' ', '\n', '\t', '1', '2', '/', '\'',
		's', 'S', '.', ',', '(', 0xe9, 0xc9, 0x17f, 0x436, 0x3000,
		0x3001, 0xff0c, 0x201c, 0x2026, 0x3005, 0xff21, 0x300, 0x1f600,
		0xa0, 0x4e00, 0x4e2d, 0x6587, 0x9fff, 0x3042, 0x30a2, 0x30fc,
		0x309b, 0xac00, 0xd7a3, 0x3400, 0xe01, 0x6587, 0x4e2d, 0x7684
	};
	const unsigned many = sizeof(of) / sizeof(*of);
	uint32_t some[8];
	uint8_t text[SIZE];
	size_t n, bad = 0;
	unsigned i, k, kinds;

	for (i = 0; i < rounds; i++) {
		kinds = 1 + pick(8);
		for (k = 0; k < kinds; k++)
			some[k] = of[pick(many)];
		for (n = 0; n < SIZE - 4; )
			n += put(text + n, some[pick(kinds)]);
		bad += !agrees(t, text, n, (int)(i & 1));
	}
	CHECK_INT(bad, 0);
}

int
main(void)
{
	static const char *const path[] = {
		"portable", "neon", "avx2", "avx512"
	};
	static const char *const name[] = { "o200k_base", "cl100k_base" };
	struct ctx_err err = { 0 };
	struct ctx_tok *tok;
	unsigned i, k;

	for (k = 0; k < sizeof(name) / sizeof(*name); k++) {
		tok = ctx_tok_open(name[k], &err);
		if (tok == NULL) {
			fprintf(stderr, "%s\n", err.text);
			return 1;
		}
		for (i = 0; i < sizeof(path) / sizeof(*path); i++) {
			if (ctx_cpu_force(path[i]) == -1)
				continue;
			TEST("every character, %s, %s", name[k], path[i]);
			every_character(&tok->table);
			TEST("random texts, %s, %s", name[k], path[i]);
			random_texts(&tok->table, 20000);
		}
		ctx_tok_free(tok);
	}
	return CHECK_DONE("chop");
}
