/* SPDX-License-Identifier: MIT */
/*
 * The published patterns, as tiktoken has them:
 *
 * r50k		's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|
 *		 ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 * cl100k	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|
 *		\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|
 *		\s*[\r\n]+|\s+(?!\S)|\s+
 * o200k	[^\r\n\p{L}\p{N}]?[U]*[L]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
 *		[^\r\n\p{L}\p{N}]?[U]+[L]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
 *		\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|
 *		\s*[\r\n]+|\s+(?!\S)|\s+
 *		where U is \p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}
 *		and   L is \p{Ll}\p{Lm}\p{Lo}\p{M}
 *
 * Under (?i:) the letter s is also U+017F, the long s.
 */
#include "token/split.h"

#include <limits.h>

#include "base/uclass.h"
#include "base/utf8.h"
#include "token/bert.h"

#define LETTER	CTX_UC_LETTER
#define NUMBER	CTX_UC_NUMBER
#define SPACE	CTX_UC_SPACE
#define UPPER	CTX_UC_UPPER
#define LOWER	CTX_UC_LOWER
/* Not a character class: the end of the text, where nothing matches. */
#define ENDED	0x100

/* A character: its end and its classes. */
struct chr {
	const uint8_t *next;
	unsigned bits;
};

static struct chr
chr_wide(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	size_t left = (size_t)(end - p), n;
	uint32_t cp;

	/*
	 * Handle three bytes, which is most of what is not ASCII, without the
	 * call.
	 */
	if (left >= 3 && *p >= 0xe1 && *p < 0xed &&
	    ((p[1] ^ 0x80) | (p[2] ^ 0x80)) < 0x40) {
		cp = (uint32_t)(*p & 15) << 12 | (uint32_t)(p[1] & 63) << 6 |
		    (p[2] & 63);
		return (struct chr){ p + 3, ctx_uclass(cp) };
	}
	n = ctx_utf8_step((const char *)p, left, &cp);
	if (n != 0)
		return (struct chr){ p + n, ctx_uclass(cp) };
	/* It may only be truncated; then END makes the caller come again. */
	*met |= CTX_SPLIT_BAD | (left < 4 ? CTX_SPLIT_END : 0);
	return (struct chr){ p + 1, 0 };
}

static inline struct chr
chr_at(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	if (p == end) {
		*met |= CTX_SPLIT_END;
		return (struct chr){ p, ENDED };
	}
	if (*p < 0x80)
		return (struct chr){ p + 1, ctx_uclass_bits[0][*p] };
	return chr_wide(p, end, met);
}

/* Is it neither a letter, a number, white space nor the end? */
static inline int
is_other(unsigned bits)
{
	return !(bits & (LETTER | NUMBER | SPACE | ENDED));
}

static inline int
is_newline(uint8_t c)
{
	return c == '\n' || c == '\r';
}

/*
 * Skip characters from U+4E00 to U+9FFF, mostly Chinese, all of which are
 * letters without case.
 */
static inline const uint8_t *
skip_han(const uint8_t *p, const uint8_t *end)
{
	while (end - p >= 3 && ((p[1] ^ 0x80) | (p[2] ^ 0x80)) < 0x40 &&
	    (uint32_t)(p[0] << 8 | p[1]) - 0xe4b8 <= 0xe9bf - 0xe4b8)
		p += 3;
	return p;
}

/* Skip characters that have one of the bits. */
static const uint8_t *
run(const uint8_t *p, const uint8_t *end, unsigned bits, unsigned *met)
{
	struct chr c;

	if (bits & (LETTER | UPPER | LOWER))
		p = skip_han(p, end);
	while ((c = chr_at(p, end, met)).bits & bits)
		p = c.next;
	return p;
}

static const uint8_t *
run_other(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	struct chr c;

	while (is_other((c = chr_at(p, end, met)).bits))
		p = c.next;
	return p;
}

static const uint8_t *
run_bytes(const uint8_t *p, const uint8_t *end, const char *set, unsigned *met)
{
	while (p < end && (*p == set[0] || *p == set[1] || *p == set[2]))
		p++;
	if (p == end)
		*met |= CTX_SPLIT_END;
	return p;
}

static const uint8_t *
run_numbers(const uint8_t *p, const uint8_t *end, int max, unsigned *met)
{
	struct chr c;

	while (max-- > 0 && (c = chr_at(p, end, met)).bits & NUMBER)
		p = c.next;
	return p;
}

/*
 * A run of white space: \s*[\r\n]+|\s+(?!\S)|\s+; lines says whether the first
 * branch is present.
 */
static const uint8_t *
run_space(const uint8_t *p, const uint8_t *end, int lines, unsigned *met)
{
	const uint8_t *start = p, *last = p, *line = NULL;
	struct chr c;

	while ((c = chr_at(p, end, met)).bits & SPACE) {
		last = p;
		p = c.next;
		if (lines && is_newline(*last))
			line = p;
	}
	if (line != NULL)
		return line;
	if (c.bits == ENDED || last == start)
		return p;
	return last;
}

/*
 * Length in bytes of the English contraction at p, an apostrophe; 0 if there
 * is none.  With fold, letters of either case match, including the long s.
 */
static size_t
contraction(const uint8_t *p, const uint8_t *end, int fold, unsigned *met)
{
	uint8_t a, b;

	if (end - p < 4)
		*met |= CTX_SPLIT_END;
	if (end - p < 2)
		return 0;
	a = fold && p[1] < 0x80 ? p[1] | 0x20 : p[1];
	if (a == 's' || a == 't' || a == 'm' || a == 'd')
		return 2;
	if (end - p < 3)
		return 0;
	if (fold && a == 0xc5 && p[2] == 0xbf)
		return 3;
	b = fold && p[2] < 0x80 ? p[2] | 0x20 : p[2];
	if ((a == 'l' && b == 'l') || (b == 'e' && (a == 'v' || a == 'r')))
		return 3;
	return 0;
}

static const uint8_t *
split_r50k(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	const uint8_t *word = p;
	struct chr c;
	size_t n;

	if (*p == '\'' && (n = contraction(p, end, 0, met)) != 0)
		return p + n;
	if (*p == ' ')
		word = p + 1;
	c = chr_at(word, end, met);
	if (c.bits & LETTER)
		return run(c.next, end, LETTER, met);
	if (c.bits & NUMBER)
		return run(c.next, end, NUMBER, met);
	if (is_other(c.bits))
		return run_other(c.next, end, met);
	return run_space(p, end, 0, met);
}

static inline const uint8_t *
split_cl100k_digits(const uint8_t *p, const uint8_t *end, int digits,
    unsigned *met)
{
	struct chr c = chr_at(p, end, met), d;
	size_t n;

	if (c.bits & LETTER)
		return run(c.next, end, LETTER, met);
	if (c.bits & NUMBER)
		return run_numbers(p, end, digits, met);
	if (*p == '\'' && (n = contraction(p, end, 1, met)) != 0)
		return p + n;
	if (!is_newline(*p)) {
		d = chr_at(c.next, end, met);
		if (d.bits & LETTER)
			return run(d.next, end, LETTER, met);
		if (is_other(c.bits) || (*p == ' ' && is_other(d.bits)))
			return run_bytes(run_other(c.next, end, met), end,
			    "\r\n\n", met);
	}
	return run_space(p, end, 1, met);
}

static const uint8_t *
split_cl100k(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	return split_cl100k_digits(p, end, 3, met);
}

static const uint8_t *
split_qwen(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	return split_cl100k_digits(p, end, 1, met);
}

/*
 * Match [U]*[L]+ at p; NULL if it does not match.  U takes all it can.  Then L
 * needs one character: either one that follows the U's (a small letter), or U
 * gives back up to the last character that is in both sets.
 */
static const uint8_t *
word_lower(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	const uint8_t *q = skip_han(p, end), *both = q > p ? q : NULL;
	struct chr c;

	p = q;
	while ((c = chr_at(p, end, met)).bits & UPPER) {
		p = c.next;
		if (c.bits & LOWER)
			both = p;
	}
	if (c.bits & LOWER)
		return run(c.next, end, LOWER, met);
	return both;
}

/* Match [U]+ at p, where word_lower failed; NULL if it does not match. */
static const uint8_t *
word_upper(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	const uint8_t *q = run(p, end, UPPER, met);

	return q == p ? NULL : q;
}

/* Match the first two branches of o200k at p, whose first character is c. */
static const uint8_t *
word_o200k(const uint8_t *p, struct chr c, const uint8_t *end, unsigned *met)
{
	int prefix = !(c.bits & (LETTER | NUMBER)) && !is_newline(*p);
	const uint8_t *q = NULL;

	if (prefix)
		q = word_lower(c.next, end, met);
	if (q == NULL)
		q = word_lower(p, end, met);
	if (q == NULL && prefix)
		q = word_upper(c.next, end, met);
	if (q == NULL)
		q = word_upper(p, end, met);
	if (q == end)
		*met |= CTX_SPLIT_END;
	else if (q != NULL && *q == '\'')
		q += contraction(q, end, 1, met);
	return q;
}

static const uint8_t *
split_o200k(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	struct chr c = chr_at(p, end, met);
	const uint8_t *q;

	if (c.bits & NUMBER)
		return run_numbers(p, end, 3, met);
	q = word_o200k(p, c, end, met);
	if (q != NULL)
		return q;
	if (is_other(c.bits) ||
	    (*p == ' ' && is_other(chr_at(c.next, end, met).bits)))
		return run_bytes(run_other(c.next, end, met), end, "\r\n/",
		    met);
	return run_space(p, end, 1, met);
}

/*
 * DeepSeek cuts in three steps, each of which divides the parts left by the
 * step before as if each were a text: numbers, Chinese characters and kana,
 * then the rest.  So for the third step a text ends where a number begins or
 * where kana and the characters from U+4E00 on begin or end.
 */
struct part {
	const uint8_t *end;	/* of the whole text */
	unsigned *met;
	int east;		/* a part of Chinese characters and kana */
};

static int
is_east(const uint8_t *p, const uint8_t *end)
{
	uint32_t cp;

	if (p == end || *p < 0xe3 || *p > 0xe9 ||
	    ctx_utf8_step((const char *)p, (size_t)(end - p), &cp) == 0)
		return 0;
	return (cp >= 0x3040 && cp <= 0x30ff) || (cp >= 0x4e00 && cp <= 0x9fa5);
}

static struct chr
part_chr(const struct part *t, const uint8_t *p)
{
	struct chr c = chr_at(p, t->end, t->met);

	if (c.bits & NUMBER || is_east(p, t->end) != t->east)
		c.bits = ENDED;
	return c;
}

/* Skip characters of the part that have one of the bits. */
static const uint8_t *
part_run(const struct part *t, const uint8_t *p, unsigned bits)
{
	struct chr c;

	while ((c = part_chr(t, p)).bits & bits)
		p = c.next;
	return p;
}

static inline int
is_ascii_letter(const uint8_t *p, const uint8_t *end)
{
	return p < end && (uint8_t)((*p | 0x20) - 'a') < 26;
}

/* The white-space branches; p is white space. */
static const uint8_t *
part_space(const struct part *t, const uint8_t *p)
{
	const uint8_t *last = p, *start = p, *line = NULL;
	struct chr c;

	while ((c = part_chr(t, p)).bits & SPACE) {
		last = p;
		p = c.next;
		if (is_newline(*last))
			line = p;
	}
	if (line != NULL)
		return line;
	return c.bits == ENDED || last == start ? p : last;
}

/*
 *	[!-/:-@[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|
 *	 ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
 * Text that none of these matches is a piece up to where one does.
 */
static const uint8_t *
split_deepseek(const uint8_t *p, const uint8_t *end, unsigned *met)
{
#define WORD	(LETTER | CTX_UC_MARK)
	struct part t = { end, met, is_east(p, end) };
	struct chr c = chr_at(p, end, met), d;

	if (c.bits & NUMBER)
		return run_numbers(p, end, 3, met);
	d = part_chr(&t, c.next);
	if (c.bits & CTX_UC_PUNCT && *p < 0x80 && d.bits & LETTER &&
	    is_ascii_letter(c.next, end)) {
		for (p = c.next; is_ascii_letter(p, end); p++)
			;
		if (p == end)
			*met |= CTX_SPLIT_END;
		return p;
	}
	if (c.bits & WORD || (d.bits & WORD && !is_newline(*p) &&
	    !(c.bits & CTX_UC_PUNCT)))
		return part_run(&t, c.next, WORD);
	if (c.bits & CTX_UC_PUNCT || (*p == ' ' && d.bits & CTX_UC_PUNCT))
		return run_bytes(part_run(&t, c.next, CTX_UC_PUNCT), end,
		    "\r\n\n", met);
	if (c.bits & SPACE)
		return part_space(&t, p);
	/*
	 * Controls and the like form a piece up to a character that can begin
	 * a word.
	 */
	for (p = c.next; !(d.bits & (WORD | CTX_UC_PUNCT | SPACE | ENDED));
	    d = c) {
		c = part_chr(&t, d.next);
		if (c.bits & WORD)
			break;
		p = d.next;
	}
	return p;
#undef WORD
}

/* One number, or all in a row, or the text between them: a step of its own. */
static inline const uint8_t *
split_number(const uint8_t *p, const uint8_t *end, int max, unsigned *met)
{
	struct chr c = chr_at(p, end, met);

	if (c.bits & NUMBER)
		return run_numbers(p, end, max, met);
	do
		p = c.next;
	while (!((c = chr_at(p, end, met)).bits & (NUMBER | ENDED)));
	return p;
}

static const uint8_t *
split_digit(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	return split_number(p, end, 1, met);
}

static const uint8_t *
split_digits(const uint8_t *p, const uint8_t *end, unsigned *met)
{
	return split_number(p, end, INT_MAX, met);
}

ctx_split_fn *
ctx_split_get(enum ctx_split_kind kind)
{
	static ctx_split_fn *const fn[CTX_SPLIT_MAX + 1] = {
		[CTX_SPLIT_R50K] = split_r50k,
		[CTX_SPLIT_CL100K] = split_cl100k,
		[CTX_SPLIT_O200K] = split_o200k,
		[CTX_SPLIT_QWEN] = split_qwen,
		[CTX_SPLIT_DEEPSEEK] = split_deepseek,
		[CTX_SPLIT_DIGIT] = split_digit,
		[CTX_SPLIT_DIGITS] = split_digits,
		[CTX_SPLIT_BERT] = ctx_bert_split,
	};

	return fn[kind];
}

int
ctx_split_by_border(enum ctx_split_kind kind)
{
	return kind == CTX_SPLIT_NONE || kind == CTX_SPLIT_SPACES;
}
