/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "digest/encoding_western.h"

/*
 * Letters beyond ASCII, in lower case, as bytes of Windows-1252, and those of
 * them that a text in the language has: if it has others that mean another
 * letter in eastern Europe, one in ten is one of these.
 */
static const struct {
	const char *letters, *keys;
} languages[] = {
	{ "\xe4\xf6\xfc\xdf\xe9", "\xe4\xf6\xfc" },		/* German */
	{ "\xe0\xe2\xe6\xe7\xe9\xe8\xea\xeb\xee\xef\xf4\xf9\xfb\xfc\xff\x9c",
	    "\xe9" },						/* French */
	{ "\xe1\xe9\xed\xf3\xfa\xfc\xf1\xe7", "\xe1\xed\xf3\xf1" },
								/* Spanish */
	{ "\xe1\xe2\xe3\xe0\xe7\xe9\xea\xed\xf3\xf4\xf5\xfa\xfc",
	    "\xe3\xe7" },					/* Portuguese */
	{ "\xe0\xe8\xe9\xec\xed\xee\xf2\xf3\xf9\xfa", "\xe0\xe8" },
								/* Italian */
	{ "\xe5\xe4\xf6\xe6\xf8\xe9\xfc\xe0", "\xe5\xe4\xf6\xe6\xf8" },
								/* Nordic */
	{ "\xeb\xef\xe9\xe8\xf6\xfc\xe1\xf3\xed\xea", "\xeb\xe9" },
								/* Dutch */
	{ "\xe4\xf5\xf6\xfc\x9a\x9e", "\xe4\xf6\xfc" },	/* Estonian */
};

#define ITALIAN		4
/* Letters that ISO 8859-2 has in the same places. */
#define SHARED	"\xe1\xe2\xe4\xe7\xe9\xeb\xed\xee\xf3\xf4\xf6\xfa\xfc\xfd\xdf"

#define NLANGUAGES	(sizeof(languages) / sizeof(languages[0]))

static int
is_ascii_letter(unsigned char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* The letter in lower case; 0 if c is no letter beyond ASCII. */
static unsigned char
letter(unsigned char c)
{
	if (c == 0x8a || c == 0x8c || c == 0x8e)
		return c + 16;
	if (c == 0x9f)
		return 0xff;
	if (c >= 0xc0 && c < 0xdf && c != 0xd7)
		return c + 32;
	return (c >= 0xdf && c != 0xf7) || c == 0x9a || c == 0x9c ||
	    c == 0x9e ? c : 0;
}

/* Is c, between letters, a sign that may stand there? */
static int
joins(unsigned char c)
{
	return memchr("\x85\x91\x92\x96\x97\xa0\xad\xb4\xb7", c, 9) != NULL;
}

/*
 * May the byte at p[i] stand where it does?  A letter in upper case is not in
 * a word in lower case, and a sign is not between letters.
 */
static int
fits(const unsigned char *p, size_t i, size_t len)
{
	unsigned char before = i > 0 ? p[i - 1] : ' ';
	unsigned char after = i + 1 < len ? p[i + 1] : ' ';

	if (memchr("\x81\x8d\x8f\x90\x9d", p[i], 5) != NULL)
		return 0;			/* not assigned */
	if (letter(p[i]) == 0)
		return joins(p[i]) || !((is_ascii_letter(before) ||
		    letter(before) != 0) && (is_ascii_letter(after) ||
		    letter(after) != 0));
	if (letter(p[i]) != p[i] && before >= 'a' && before <= 'z')
		return 0;
	/* a tilde is before o, e, s or the end; n with one before a vowel */
	if (p[i] == 0xe3 && is_ascii_letter(after) &&
	    strchr("oesOES", after) == NULL)
		return 0;
	if (p[i] == 0xf1 && is_ascii_letter(after) &&
	    strchr("aeiouAEIOU", after) == NULL)
		return 0;
	/* the c of Polish and Croatian is at the end of many words */
	if (p[i] == 0xe6 && is_ascii_letter(before) && !is_ascii_letter(after))
		return 0;
	return i < 2 || letter(before) == 0 || letter(p[i - 2]) == 0;
}

/*
 * Is the sign at p[i] one that is enough without letters?  Others are letters,
 * bullets or lines on a Mac or in DOS.
 */
static int
is_safe(const unsigned char *p, size_t i)
{
	return memchr("\x85\x91\x92\x93\x94\x96\x97\x99\xa0\xa3\xa7\xa9\xab"
	    "\xae\xb0\xb1\xb5\xb7\xbb", p[i], 19) != NULL &&
	    (i == 0 || p[i - 1] != p[i]);
}

struct counts {
	size_t letters, others;	/* others: not SHARED */
	size_t known, strange;	/* of a language; others that are not */
	size_t keys, inner;	/* inner: others before a letter */
};

static void
count(struct counts *n, size_t language, unsigned char c,
    unsigned char after)
{
	int inner = is_ascii_letter(after) || letter(after) != 0;
	/* few words of Portuguese end in a with a tilde */
	int known = strchr(languages[language].letters, c) != NULL &&
	    (c != 0xe3 || inner);
	int other = strchr(SHARED, c) == NULL;

	n->letters++;
	n->others += other;
	n->known += known;
	n->strange += other && !known;
	n->keys += strchr(languages[language].keys, c) != NULL;
	n->inner += other && inner;
}

/* Do the letters look like those of the language? */
static int
is_language(const struct counts *n, size_t language)
{
	if (n->known * 100 < n->letters * 85 ||
	    n->strange * 200 > n->letters)
		return 0;
	if (n->others == 0)
		return 1;
	if (language == ITALIAN && n->inner * 10 > n->others)
		return 0;
	return n->keys * 10 >= n->letters;
}

int
ctx_encoding_is_western(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;
	struct counts n[NLANGUAGES] = { { 0 } };
	size_t i, k, letters = 0, ascii = 0;
	int safe = 1;

	for (i = 0; i < len; i++) {
		ascii += is_ascii_letter(p[i]);
		if (p[i] < 0x80)
			continue;
		if (!fits(p, i, len))
			return 0;
		if (letter(p[i]) == 0) {
			safe &= is_safe(p, i);
			continue;
		}
		letters++;
		for (k = 0; k < NLANGUAGES; k++)
			count(&n[k], k, letter(p[i]), i + 1 < len ? p[i + 1] :
			    ' ');
	}
	if (letters == 0)
		return safe;
	if (letters * 3 > ascii)
		return 0;
	for (k = 0; k < NLANGUAGES; k++)
		if (is_language(&n[k], k))
			return 1;
	return 0;
}

int
ctx_encoding_is_windows(const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((unsigned char)p[i] >= 0x80 && (unsigned char)p[i] < 0xa0)
			return 1;
	return 0;
}
