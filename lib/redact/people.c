/* SPDX-License-Identifier: MIT */
/* Names in texts; see people.h. */
#include "redact/people.h"

#include <string.h>

#include "base/uclass.h"
#include "base/utf8.h"

#define SPACES	8	/* characters that may stand for a space */

/*
 * Upper-case letters, each step of them, and how far away their lower case is:
 * Latin with its accents (Vietnamese included), Greek and Cyrillic, from
 * Unicode's UnicodeData.txt.
 */
static const struct {
	uint32_t from, to, step, away;
} cases[] = {
	{ 'A', 'Z', 1, 32 }, { 0xc0, 0xd6, 1, 32 }, { 0xd8, 0xde, 1, 32 },
	{ 0x100, 0x12e, 2, 1 }, { 0x132, 0x136, 2, 1 },
	{ 0x139, 0x147, 2, 1 }, { 0x14a, 0x176, 2, 1 },
	{ 0x179, 0x17d, 2, 1 }, { 0x1a0, 0x1a0, 1, 1 },
	{ 0x1af, 0x1af, 1, 1 }, { 0x218, 0x21a, 2, 1 },
	{ 0x386, 0x386, 1, 38 }, { 0x388, 0x38a, 1, 37 },
	{ 0x38c, 0x38c, 1, 64 }, { 0x38e, 0x38f, 1, 63 },
	{ 0x391, 0x3a1, 1, 32 }, { 0x3a3, 0x3ab, 1, 32 },
	{ 0x400, 0x40f, 1, 80 }, { 0x410, 0x42f, 1, 32 },
	{ 0x490, 0x490, 1, 1 }, { 0x1e00, 0x1e94, 2, 1 },
	{ 0x1ea0, 0x1efe, 2, 1 }
};

static uint32_t
lower(uint32_t cp)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (cp >= cases[i].from && cp <= cases[i].to &&
		    (cp - cases[i].from) % cases[i].step == 0)
			return cp + cases[i].away;
	return cp;
}

static uint32_t
upper(uint32_t cp)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (cp >= cases[i].from + cases[i].away &&
		    cp <= cases[i].to + cases[i].away && (cp - cases[i].from -
		    cases[i].away) % cases[i].step == 0)
			return cp - cases[i].away;
	return cp;
}

/* --- the word by which a name is found ----------------------------------- */

/* The longest word of the name, and its length. */
static const char *
longest_word(const char *name, size_t len, size_t *n)
{
	const char *word = name;
	size_t i, start = 0;

	for (*n = i = 0; i <= len; i++) {
		if (i < len && name[i] != ' ')
			continue;
		if (i - start > *n) {
			word = name + start;
			*n = i - start;
		}
		start = i + 1;
	}
	return word;
}

int
ctx_people_usable(const char *name, size_t len)
{
	size_t n;

	if (len == 0 || len > CTX_PEOPLE_BYTES || ctx_utf8_check(name, len) < len)
		return 0;
	longest_word(name, len, &n);
	return n >= CTX_ANCHOR_MIN && (n > 4 ||
	    ctx_utf8_count(name, len) >= 2);
}

/* Spell a word: ASCII in lower case, other letters as to says. */
static void
spell(const char *word, size_t n, uint32_t (*to)(uint32_t),
    char out[CTX_ANCHOR_MAX + 1])
{
	size_t i, len = 0, step;
	uint32_t cp;

	for (i = 0; i < n; i += step) {
		step = ctx_utf8_step(word + i, n - i, &cp);
		if (step == 0 || len + 4 > CTX_ANCHOR_MAX)
			break;
		cp = cp < 0x80 ? lower(cp) : to != NULL ? to(cp) : cp;
		len += ctx_utf8_put(out + len, cp);
	}
	out[len] = '\0';
}

int
ctx_people_add(struct ctx_anchors *a, const char *name, unsigned tag,
    struct ctx_people_spellings *s, struct ctx_err *err)
{
	uint32_t (*const to[CTX_PEOPLE_SPELLINGS])(uint32_t) = { NULL, lower,
		upper };
	const char *word;
	size_t n, i, k;

	word = longest_word(name, strlen(name), &n);
	for (i = 0; i < CTX_PEOPLE_SPELLINGS; i++) {
		spell(word, n, to[i], s->text[i]);
		for (k = 0; k < i && strcmp(s->text[k], s->text[i]) != 0; k++)
			;
		if (k == i && ctx_anchors_add(a, s->text[i],
		    strlen(s->text[i]), tag, err) == -1)
			return -1;
	}
	return 0;
}

/* --- matching ------------------------------------------------------------ */

/* The character before text[off]; *n is its length, 0 if there is none. */
static uint32_t
before(const char *text, size_t off, size_t *n)
{
	uint32_t cp = 0;

	for (*n = 1; *n <= 4 && *n <= off; ++*n)
		if (ctx_utf8_step(text + off - *n, *n, &cp) == *n)
			return cp;
	*n = 0;
	return 0;
}

static int
is_space(uint32_t cp)
{
	return (ctx_uclass(cp) & CTX_UC_SPACE) != 0;
}

/* Where the name, from name[at] on, ends in the text; 0 if it does not. */
static size_t
forward(const char *name, size_t at, const char *text, size_t len, size_t off)
{
	uint32_t a, b;
	size_t na, nb, n;

	while (name[at] != '\0') {
		na = ctx_utf8_step(name + at, strlen(name + at), &a);
		nb = ctx_utf8_step(text + off, len - off, &b);
		if (na == 0 || nb == 0 || (a == ' ' ? !is_space(b) :
		    lower(a) != lower(b)))
			return 0;
		at += na;
		off += nb;
		for (n = 0; a == ' ' && n < SPACES && (nb = ctx_utf8_step(
		    text + off, len - off, &b)) > 0 && is_space(b); n++)
			off += nb;
	}
	return off;
}

/* The same for what is before name[at]: where the name begins. */
static size_t
backward(const char *name, size_t at, const char *text, size_t off)
{
	uint32_t a, b;
	size_t na, nb, n;

	while (at > 0) {
		a = before(name, at, &na);
		b = before(text, off, &nb);
		if (na == 0 || nb == 0 || (a == ' ' ? !is_space(b) :
		    lower(a) != lower(b)))
			return SIZE_MAX;
		at -= na;
		off -= nb;
		for (n = 0; a == ' ' && n < SPACES && (b = before(text, off,
		    &nb), nb > 0) && is_space(b); n++)
			off -= nb;
	}
	return off;
}

/* Does cp belong to a script that is written without spaces? */
static int
has_no_spaces(uint32_t cp)
{
	return cp >= 0x2e80 || (cp >= 0xe00 && cp <= 0xeff);
}

static int
is_word(uint32_t cp)
{
	return cp == '_' || (!has_no_spaces(cp) && (ctx_uclass(cp) &
	    (CTX_UC_LETTER | CTX_UC_NUMBER | CTX_UC_MARK)) != 0);
}

/* Are text[from .. end) whole words? */
static int
is_whole(const char *text, size_t len, size_t from, size_t end)
{
	uint32_t first = 0, last, cp = 0;
	size_t n;

	ctx_utf8_step(text + from, end - from, &first);
	last = before(text, end, &n);
	if (!has_no_spaces(first) && is_word(before(text, from, &n)) &&
	    n > 0 && (from < 2 || text[from - 2] != '\\'))
		return 0;
	n = ctx_utf8_step(text + end, len - end, &cp);
	return has_no_spaces(last) || n == 0 || !is_word(cp);
}

int
ctx_people_match(const char *name, const char *text, size_t len, size_t off,
    size_t *from, size_t *end)
{
	size_t n, at;

	at = (size_t)(longest_word(name, strlen(name), &n) - name);
	*from = backward(name, at, text, off);
	*end = *from == SIZE_MAX ? 0 : forward(name, at, text, len, off);
	return *end > 0 && is_whole(text, len, *from, *end);
}
