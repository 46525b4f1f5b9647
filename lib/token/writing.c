/* SPDX-License-Identifier: MIT */
/* An estimate by script; see writing.h. */
#include "token/writing.h"

/* The last row is all other characters. */
static const struct {
	uint32_t from[2], to[2];	/* of characters, to is not in it */
	unsigned weight;	/* tokens of 100 characters, for a mixture */
	unsigned factor;	/* Gemma's tokens for 100 of o200k_base */
} scripts[CTX_SCRIPTS] = {
	{ { 0x0590 }, { 0x0600 }, 45, 120 },			/* Hebrew */
	{ { 0x0600, 0xfb50 }, { 0x0780, 0xfe00 }, 33, 103 },	/* Arabic */
	{ { 0x0900 }, { 0x0e80 }, 32, 87 },	/* of India and Thailand */
	{ { 0x3040 }, { 0x3100 }, 60, 58 },			/* kana */
	{ { 0x3400, 0x20000 }, { 0xa000, 0x40000 }, 65, 83 },	/* Han */
	{ { 0xac00 }, { 0xd7b0 }, 57, 98 },			/* Hangul */
	{ { 0x0370 }, { 0x0590 }, 30, 98 },	/* Greek, Cyrillic, Armenian */
	{ { 0 }, { 0 }, 23, 103 }
};

#define OTHERS		(CTX_SCRIPTS - 1)
#define JSON_FACTOR	109	/* in place of that of others */
#define FEW		3	/* fewer tokens have no factor */

static unsigned
script_of(uint32_t cp)
{
	unsigned i;

	for (i = 0; i < OTHERS; i++)
		if ((cp >= scripts[i].from[0] && cp < scripts[i].to[0]) ||
		    (cp >= scripts[i].from[1] && cp < scripts[i].to[1]))
			break;
	return i;
}

/* Tokens that digits in a row are more than by three. */
static uint64_t
more_digits(uint64_t run)
{
	return run - (run + 2) / 3;
}

static void
feed_ascii(struct ctx_writing *s, unsigned char c)
{
	s->n[OTHERS]++;
	if (c >= '0' && c <= '9') {
		s->run++;
		s->begun = 1;
		return;
	}
	s->digits += more_digits(s->run);
	s->run = 0;
	if (!s->begun && c != ' ' && (c < '\t' || c > '\r')) {
		s->begun = 1;
		s->json = c == '{' || c == '[';
	}
}

/* A byte of a character that is not of ASCII. */
static void
feed_other(struct ctx_writing *s, unsigned char c)
{
	if (c >= 0xc0) {
		s->digits += more_digits(s->run);
		s->run = 0;
		s->begun = 1;
		s->missing = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
		s->cp = c & (0x3fu >> s->missing);
	} else if (s->missing > 0) {
		s->cp = s->cp << 6 | (c & 0x3fu);
		if (--s->missing == 0)
			s->n[script_of(s->cp)]++;
	}
}

void
ctx_writing_feed(struct ctx_writing *s, const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((unsigned char)p[i] < 0x80)
			feed_ascii(s, (unsigned char)p[i]);
		else
			feed_other(s, (unsigned char)p[i]);
}

uint64_t
ctx_writing_tokens(const struct ctx_writing *s, uint64_t n)
{
	uint64_t all = 0, sum = 0, more = s->digits + more_digits(s->run), w;
	unsigned i;

	if (n < FEW)
		return n + more;
	for (i = 0; i < CTX_SCRIPTS; i++) {
		w = s->n[i] * scripts[i].weight;
		all += w;
		sum += w * (i == OTHERS && s->json ? JSON_FACTOR :
		    scripts[i].factor);
	}
	n += more;
	if (all == 0)
		return n;
	/* the mean factor in thousandths, and the result, are rounded */
	return (n * ((sum * 10 + all / 2) / all) + 500) / 1000;
}
