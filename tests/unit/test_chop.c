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
#include "token/count.h"
#include "token/tok_priv.h"

#define SIZE	400

static uint64_t state = 11;
static enum ctx_split_kind kind;	/* how text is cut */

static unsigned
pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

/*
 * The tokens of the piece at p, which was left out: one byte or one character
 * of three.  Its end is stored in *end.
 */
static unsigned
left_out(const struct ctx_cross *cross, const uint8_t *p, const uint8_t **end)
{
	uint32_t cp;

	*end = p + 1;
	if (*p < 0x80)
		return 1;
	*end = p + 3;
	if (ctx_utf8_step((const char *)p, 3, &cp) != 3)
		return 0;
	return ctx_cross_of(cross, cp) >> CTX_CROSS_ALONE;
}

/*
 * Mark the borders in text[0 .. n) that chop finds, the end included, and add
 * up the tokens of what it leaves out.  Returns whether that is its sum.
 */
static int
chopped(char *border, ctx_chop_fn *chop, ctx_split_fn *split,
    const struct ctx_cross *cross, const uint8_t *text, size_t n, int skip)
{
	static struct ctx_chops c;
	const uint8_t *p = text, *end = text + n, *to;
	unsigned i, sum, want = 0, got = 0;

	memset(&c, 0, sizeof(c));
	c.skip = skip;
	while (p < end) {
		c.n = c.skipped = 0;
		chop(&c, p, end, 1, split, cross);
		for (i = 0; i <= c.n; i++) {
			to = i < c.n ? c.at[i] : c.next;
			for (; p < to; border[p - text] = 1) {
				sum = left_out(cross, p, &p);
				if (!skip || sum == 0)
					return 0;
				want += sum;
			}
			if (!CHECK(p == to))
				return 0;
			p = i < c.n ? c.to[i] : p;
			border[p - text] = 1;
		}
		got += c.skipped;
	}
	return got == want;
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
	ctx_split_fn *split = ctx_split_get(kind);
	char got[SIZE + 1] = { 0 }, want[SIZE + 1] = { 0 };
	uint8_t *text = malloc(n);
	const uint8_t *p = text;
	unsigned met = 0;
	size_t i = 0;

	if (!CHECK(text != NULL))
		return 0;
	memcpy(text, from, n);
	while (p < text + n) {
		p = split(p, text + n, &met);
		want[p - text] = 1;
	}
	if (chopped(got, ctx_chop_get(kind), split, t->cross, text, n, skip))
		i = 1;
	for (; i > 0 && i <= n; i++)
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
		bad += !agrees(t, text, n + 70, (int)(cp & 1));
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
		0x309b, 0xac00, 0xd7a3, 0x3400, 0xe01, 0x6587, 0x4e2d, 0x7684,
		0x41f, 0x43f, 0x391, 0x3b1, 0x627, 0x64b, 0x60c, 0xab, 0xd7,
		0x660, 0x915, 0x93e, 0x94d, 0x964, 0x966, 0xe31, 0x2022, 0x2500,
		0x1e00, 0x1e01, 0x1c5, 0x2b0, 0x10d0, 0x20ac, 0x2028, 0x1f1e6
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

/* Each character alone against its ids. */
static void
characters_alone(const struct ctx_tok *tok)
{
	struct ctx_counter c;
	struct ctx_err err = { 0 };
	struct ctx_ids ids = { 0 };
	char text[4];
	uint32_t cp;
	size_t n, bad = 0;

	if (!CHECK_INT(ctx_counter_init(&c, tok, &err), 0))
		return;
	for (cp = CTX_CROSS_FIRST; cp <= CTX_CROSS_LAST; cp++) {
		if (cp >= 0xd800 && cp < 0xe000)
			continue;
		ids.n = 0;
		n = ctx_utf8_put(text, cp);
		if (ctx_counter_encode(&c, text, n, &ids, &err) == -1)
			break;
		bad += ids.n != ctx_cross_of(tok->table.cross, cp) >>
		    CTX_CROSS_ALONE;
	}
	CHECK_INT(cp, CTX_CROSS_LAST + 1);
	CHECK_INT(bad, 0);
	ctx_ids_done(&ids);
	ctx_counter_done(&c);
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
		TEST("characters alone, %s", name[k]);
		characters_alone(tok);
		for (i = 0; i < sizeof(path) / sizeof(*path); i++) {
			if (ctx_cpu_force(path[i]) == -1)
				continue;
			kind = tok->table.head->split;
			TEST("every character, %s, %s", name[k], path[i]);
			every_character(&tok->table);
			TEST("random texts, %s, %s", name[k], path[i]);
			random_texts(&tok->table, 20000);
			if (kind != CTX_SPLIT_CL100K)
				continue;
			kind = CTX_SPLIT_QWEN;
			TEST("random texts, digits one by one, %s", path[i]);
			random_texts(&tok->table, 10000);
		}
		ctx_tok_free(tok);
	}
	return CHECK_DONE("chop");
}
