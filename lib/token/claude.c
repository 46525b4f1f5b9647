/* SPDX-License-Identifier: MIT */
/* An estimate for Claude's models; see claude.h. */
#include "token/claude.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/uclass.h"
#include "base/unorm.h"
#include "base/utf8.h"
#include "read/word.h"
#include "token/bpe.h"
#include "token/claude_char.h"
#include "token/tok_priv.h"
#include "token/unescape.h"

#define RUN_MAX		4096	/* bytes of a run that is counted at once */
#define SLICE		(32u << 10)	/* bytes that are fed at a time */
#define KEY_WORDS	3	/* numbers that hold a run in the cache */
#define KEY_MAX		(KEY_WORDS * sizeof(uint64_t))
#define CACHE_BITS	14
#define SHORT_BITS	14

/* What a character is part of: a run of characters of one kind. */
enum kind {
	NONE,		/* of nothing: it is left out */
	WORD,
	DIGIT,
	PUNCT,
	BLANK_SPACE,
	SYMBOL,		/* other marks */
	NUMBER,		/* and numbers, which cost the same */
	HARD		/* stands alone, such as a Chinese character */
};

enum factor {
	TITLE, CAPS, ONE_LETTER, ONE_2K, ONE_5K, ONE_10K, ONE_20K, ONE_40K,
	ONE_80K, ONE_200K, ONE_LONG, MORE, MORE_TOKEN, MORE_LETTER, MIXED,
	PART, PART_TOKEN, PART_LETTER, CONTRACTION,
	/* both in the order of enum script */
	WORD_GREEK, WORD_CYRILLIC, WORD_ARABIC, WORD_INDIC, WORD_KANA,
	WORD_OTHER,
	TOKEN_GREEK, TOKEN_CYRILLIC, TOKEN_ARABIC, TOKEN_INDIC, TOKEN_KANA,
	TOKEN_OTHER,
	DIGITS, PUNCT_1, PUNCT_2, PUNCT_3, PUNCT_TOKEN, SPACE, BLANK,
	BLANK_TOKEN, CHAR_HAN, CHAR_HANGUL, CHAR_ASTRAL, CHAR_HARD, TOKEN_HARD,
	CHAR_SYMBOL, TOKEN_SYMBOL,
	FACTORS
};

#include "token/claude_data.inc"

/*
 * The cost of a run of up to KEY_MAX bytes, which are followed by zeros.  Most
 * runs have 8 at most; a table of those stays near the processor.
 */
struct known {
	uint64_t key[KEY_WORDS];
	uint64_t cost;
};

struct known_short {
	uint64_t key, cost;
};

struct ctx_claude_state {
	const struct ctx_table *table;
	int late;
	uint8_t ascii[128];		/* enum kind */
	struct ctx_buf held;		/* text whose form is not certain yet */
	size_t try_at;			/* bytes of it that are worth a try */
	struct ctx_buf text;		/* in normal form */

	/* The run that goes on. */
	enum kind kind;
	size_t len;			/* bytes */
	size_t chars;
	const char *run;		/* in the text that is gone through, or
					   in held_run */
	const char *end;		/* of what can be read after it */
	char held_run[RUN_MAX + KEY_MAX];
	char word[RUN_MAX / 2 * 3 + 8];	/* a space, then small letters */

	/* What is before it. */
	int begun;			/* any run */
	enum kind before;
	int quote;			/* it is one apostrophe */
	int space;			/* one space, whose price is open, */
	enum kind left;			/* after a run of this kind */
	uint64_t blank;			/* white space, free at a text's end */
	uint64_t sum;			/* thousandths of a token */

	struct known known[1 << CACHE_BITS];
	struct known_short known_short[1 << SHORT_BITS];
};

/* --- characters -------------------------------------------------------- */

/* The kind in special[]; NONE if cp is not there. */
static enum kind
special_kind(uint32_t cp)
{
	size_t low = 0, high = sizeof(special) / sizeof(*special), mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (cp > special[mid].to)
			low = mid + 1;
		else if (cp < special[mid].from)
			high = mid;
		else
			return special[mid].kind;
	}
	return NONE;
}

/* Is it a letter that stands alone, as those of China and Korea? */
static int
is_alone(uint32_t cp)
{
	return cp >= 0x10000 || (cp >= 0x3400 && cp <= 0x9fff) ||
	    (cp >= 0xac00 && cp <= 0xd7a3) || (cp >= 0xf900 && cp <= 0xfaff) ||
	    cp == 0x3005 || cp == 0x3006 || (cp >= 0x3031 && cp <= 0x3035) ||
	    (cp >= 0xfe00 && cp <= 0xfe0f);
}

/* The kind of a character that ctx_claude_plain returned. */
static enum kind
kind_of(uint32_t cp)
{
	unsigned bits = ctx_uclass(cp);
	enum kind kind;

	if (bits & CTX_UC_SPACE)
		return BLANK_SPACE;
	if ((cp >= '0' && cp <= '9') || (cp >= 0x660 && cp <= 0x669) ||
	    (cp >= 0x6f0 && cp <= 0x6f9))
		return DIGIT;
	if (cp < 0x80)
		return bits & CTX_UC_LETTER ? WORD : PUNCT;
	if (!(bits & CTX_UC_LETTER) && (kind = special_kind(cp)) != NONE)
		return kind;
	if (bits & (CTX_UC_LETTER | CTX_UC_MARK))
		return is_alone(cp) ? HARD : WORD;
	if (cp >= 0x10000)
		return HARD;
	if (bits & CTX_UC_NUMBER)
		return NUMBER;
	return cp >= 0x3001 && cp <= 0x303f ? HARD : SYMBOL;
}

enum script { GREEK, CYRILLIC, ARABIC, INDIC, KANA, OTHER, LATIN };

/* The script of a word that begins with cp. */
static enum script
script_of(uint32_t cp)
{
	if (cp < 0x250 || (cp >= 0x1e00 && cp < 0x1f00))
		return LATIN;
	if (cp >= 0x370 && cp < 0x400)
		return GREEK;
	if (cp >= 0x400 && cp < 0x530)
		return CYRILLIC;
	if (cp >= 0x590 && cp < 0x780)
		return ARABIC;
	if (cp >= 0x900 && cp < 0x1100)
		return INDIC;
	return cp >= 0x3040 && cp < 0x3100 ? KANA : OTHER;
}

/* --- the cost of a run ------------------------------------------------- */

static uint64_t
price(const struct ctx_claude_state *s, enum factor f)
{
	return factor[f][s->late];
}

/*
 * The number of tokens of p[0 .. len), which is not cut, in *n.  If it is one,
 * *rank is its rank.
 */
static int
pieces(const struct ctx_claude_state *s, const char *p, size_t len, size_t *n,
    uint32_t *rank, struct ctx_err *err)
{
	*n = 1;
	*rank = ctx_table_find(s->table, (const uint8_t *)p, len);
	return *rank != CTX_ID_MAX ? 0 : ctx_bpe_piece(s->table,
	    (const uint8_t *)p, len, NULL, n, err);
}

/* How the letters of a word are written, with what the word costs. */
struct shape {
	size_t chars;
	int upper, lower;	/* has such letters */
	int title;		/* the first is a capital, others are small */
};

static void
find_shape(const struct ctx_claude_state *s, struct shape *is)
{
	size_t at, n;
	uint32_t cp;
	int first = 0, more = 0;

	*is = (struct shape){ 0 };
	for (at = 0; at < s->len; at += n) {
		n = ctx_utf8_step(s->run + at, s->len - at, &cp);
		if (ctx_claude_is_upper(cp)) {
			is->upper = 1;
			first |= at == 0;
			more |= at > 0;
		} else if (ctx_claude_is_lower(cp))
			is->lower = 1;
		is->chars++;
	}
	is->title = first && !more && (is->lower || is->chars == 1);
}

/*
 * Write a space and the run, in small letters if small is set.  Returns the
 * length; *chars gets the letters.
 */
static size_t
spell(struct ctx_claude_state *s, int small, size_t *chars)
{
	size_t at, n, len = 1;
	uint32_t cp;

	s->word[0] = ' ';
	*chars = 0;
	for (at = 0; at < s->len; at += n) {
		n = ctx_utf8_step(s->run + at, s->len - at, &cp);
		/* a small letter takes a byte more at most, for two */
		len += ctx_utf8_put(s->word + len,
		    small ? ctx_claude_lower(cp) : cp);
		++*chars;
		/* the dot of a small i with a dot is a character */
		if (small && cp == 0x130) {
			len += ctx_utf8_put(s->word + len, 0x307);
			++*chars;
		}
	}
	return len;
}

static size_t
beyond(size_t n, size_t least)
{
	return n > least ? n - least : 0;
}

/* A word in small letters, of which s->word has the first len bytes. */
static int
whole_word(const struct ctx_claude_state *s, size_t len, size_t chars,
    uint64_t *cost, struct ctx_err *err)
{
	static const uint32_t below[] = { 2000, 5000, 10000, 20000, 40000,
		80000 };
	size_t n, i = 0;
	uint32_t rank;

	if (pieces(s, s->word, len, &n, &rank, err) == -1)
		return -1;
	if (n > 1) {
		*cost += price(s, MORE) + (n - 2) * price(s, MORE_TOKEN) +
		    beyond(chars, 6) * price(s, MORE_LETTER);
		return 0;
	}
	while (i < sizeof(below) / sizeof(*below) && rank >= below[i])
		i++;
	*cost += price(s, chars > 1 ? ONE_2K + i : ONE_LETTER);
	if (rank >= 5000)
		*cost += beyond(chars, 8) * price(s, ONE_LONG);
	return 0;
}

static int
is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/*
 * The length of the first part of a word with capitals inside, p[0 .. len):
 * capitals, without the last if a small letter follows, or what follows one.
 */
static size_t
part_length(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && is_capital(p[n]))
		n++;
	if (n > 0 && n < len && p[n] >= 'a' && p[n] <= 'z')
		n--;
	if (n > 0)
		return n;
	for (n = 1; n < len && !is_capital(p[n]); n++)
		;
	return n;
}

static int
mixed_word(const struct ctx_claude_state *s, uint64_t *cost,
    struct ctx_err *err)
{
	size_t at, len, n;
	uint32_t rank;

	*cost += price(s, MIXED);
	for (at = 0; at < s->len; at += len) {
		len = part_length(s->run + at, s->len - at);
		if (pieces(s, s->run + at, len, &n, &rank, err) == -1)
			return -1;
		*cost += price(s, PART) + (n - 1) * price(s, PART_TOKEN) +
		    beyond(ctx_utf8_count(s->run + at, len), 5) *
		    price(s, PART_LETTER);
	}
	return 0;
}

static int
latin_word(struct ctx_claude_state *s, uint64_t *cost, struct ctx_err *err)
{
	struct shape is;
	size_t len, chars;
	int caps;

	find_shape(s, &is);
	caps = is.upper && !is.lower && is.chars >= 4 && !s->late;
	if (is.title && is.chars > 1)
		*cost += price(s, TITLE);
	else if (!is.title && caps)
		*cost += price(s, CAPS);
	else if (!is.title && (is.upper || !is.lower))
		return mixed_word(s, cost, err);
	len = spell(s, is.upper && is.chars > 1, &chars);
	return whole_word(s, len, chars, cost, err);
}

static uint64_t
char_prices(const struct ctx_claude_state *s)
{
	uint64_t cost = 0;
	size_t at, n;
	uint32_t cp;

	for (at = 0; at < s->len; at += n) {
		n = ctx_utf8_step(s->run + at, s->len - at, &cp);
		cost += price(s, cp >= 0x10000 ? CHAR_ASTRAL :
		    cp >= 0x3400 && cp < 0xa000 ? CHAR_HAN :
		    cp >= 0xac00 && cp < 0xd7b0 ? CHAR_HANGUL : CHAR_HARD);
	}
	return cost;
}

/* The cost of a run that is neither digits nor a space. */
static int
run_cost(struct ctx_claude_state *s, uint64_t *cost, struct ctx_err *err)
{
	enum script script;
	uint32_t cp = 0, rank;
	size_t n;

	*cost = 0;
	ctx_utf8_step(s->run, s->len, &cp);
	script = script_of(cp);
	if (s->kind == WORD && script == LATIN)
		return latin_word(s, cost, err);
	if (pieces(s, s->run, s->len, &n, &rank, err) == -1)
		return -1;
	if (s->kind == WORD)
		*cost = price(s, WORD_GREEK + script) +
		    n * price(s, TOKEN_GREEK + script);
	else if (s->kind == PUNCT)
		*cost = price(s, PUNCT_1 + (s->chars > 3 ? 3 : s->chars) - 1) +
		    (n - 1) * price(s, PUNCT_TOKEN);
	else if (s->kind == BLANK_SPACE)
		*cost = price(s, BLANK) + (n - 1) * price(s, BLANK_TOKEN);
	else if (s->kind == HARD)
		*cost = char_prices(s) + n * price(s, TOKEN_HARD);
	else
		*cost = s->chars * price(s, CHAR_SYMBOL) +
		    n * price(s, TOKEN_SYMBOL);
	return 0;
}

/* The run, of at most KEY_MAX bytes, as numbers. */
static inline void
make_key(const struct ctx_claude_state *s, uint64_t key[KEY_WORDS])
{
	char copy[KEY_MAX] = { 0 };
	const char *p = s->run;
	size_t i, n = s->len;

	if (s->end - p < (ptrdiff_t)KEY_MAX)
		p = memcpy(copy, p, n);
	for (i = 0; i < KEY_WORDS; i++, n -= n < 8 ? n : 8)
		key[i] = n == 0 ? 0 : word_load(p + 8 * i) &
		    (UINT64_MAX >> (n < 8 ? 64 - 8 * n : 0));
}

/* The same, remembered: words and marks occur again and again. */
static int
known_cost(struct ctx_claude_state *s, uint64_t *cost, struct ctx_err *err)
{
	uint64_t key[KEY_WORDS], hash;
	struct known_short *b;
	struct known *k;

	if (s->len > KEY_MAX)
		return run_cost(s, cost, err);
	make_key(s, key);
	hash = ctx_hash_word(key[0] ^ key[2] * 31, key[1]);
	b = &s->known_short[hash >> (64 - SHORT_BITS)];
	k = &s->known[hash >> (64 - CACHE_BITS)];
	if (s->len <= sizeof(b->key) ? b->key == key[0] :
	    memcmp(k->key, key, sizeof(key)) == 0) {
		*cost = s->len <= sizeof(b->key) ? b->cost : k->cost;
		return 0;
	}
	if (run_cost(s, cost, err) == -1)
		return -1;
	if (s->len <= sizeof(b->key))
		*b = (struct known_short){ key[0], *cost };
	else {
		memcpy(k->key, key, sizeof(key));
		k->cost = *cost;
	}
	return 0;
}

/* --- runs -------------------------------------------------------------- */

/* Is the run what may follow an apostrophe, as in "it's"? */
static int
is_contraction(const struct ctx_claude_state *s)
{
	static const char words[][3] = { "s", "t", "d", "m", "ll", "re", "ve" };
	size_t i;

	for (i = 0; s->len <= 2 && i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == s->len &&
		    memcmp(words[i], s->run, s->len) == 0)
			return 1;
	return 0;
}

/*
 * The space before the run that has ended is free between two words, and is a
 * token beside digits, characters that stand alone, and an apostrophe.
 */
static void
settle_space(struct ctx_claude_state *s, int quote)
{
	if (s->left == DIGIT || s->left == HARD || s->kind == DIGIT ||
	    s->kind == HARD || quote)
		s->sum += price(s, SPACE);
	s->space = 0;
}

/* A text's first space is not part of it, unless another one follows. */
static void
drop_first_space(struct ctx_claude_state *s)
{
	if (s->begun || s->kind != BLANK_SPACE || s->run[0] != ' ' ||
	    (s->len > 1 && s->run[1] == ' '))
		return;
	s->run++;
	s->len--;
	s->chars--;
}

/* Add what the run costs in its place. */
static int
add_run(struct ctx_claude_state *s, int quote, struct ctx_err *err)
{
	uint64_t cost;

	if (s->kind == BLANK_SPACE && s->len == 1 && s->run[0] == ' ') {
		s->space = 1;
		s->left = s->before;
		return 0;
	}
	if (s->kind == DIGIT)
		cost = (s->chars + 2) / 3 * price(s, DIGITS);
	else if (s->kind == WORD && s->quote && is_contraction(s))
		cost = price(s, CONTRACTION);
	else if (known_cost(s, &cost, err) == -1)
		return -1;
	if (s->kind == BLANK_SPACE) {
		s->blank += cost;
		return 0;
	}
	if (s->space)
		settle_space(s, quote);
	s->sum += s->blank + cost;
	s->blank = 0;
	return 0;
}

/* The run has ended. */
static int
end_run(struct ctx_claude_state *s, struct ctx_err *err)
{
	int quote;

	if (s->kind == NONE)
		return 0;
	drop_first_space(s);
	s->begun = 1;
	quote = s->len == 1 && s->run[0] == '\'';
	if (s->len > 0 && add_run(s, quote, err) == -1)
		return -1;
	s->before = s->len > 0 ? s->kind : NONE;
	s->quote = quote;
	s->kind = NONE;
	s->len = s->chars = 0;
	return 0;
}

/* Copy the run, whose text goes away or does not go on. */
static void
hold_run(struct ctx_claude_state *s)
{
	if (s->len > 0 && s->run != s->held_run)
		memmove(s->held_run, s->run, s->len);
	s->run = s->held_run;
	s->end = s->held_run + sizeof(s->held_run);
}

/* Add a character, n bytes at p, which do not stay there, to its run. */
static int
put(struct ctx_claude_state *s, enum kind kind, const char *p, size_t n,
    struct ctx_err *err)
{
	if ((kind != s->kind || s->len + n > RUN_MAX) && end_run(s, err) == -1)
		return -1;
	hold_run(s);
	s->kind = kind;
	memcpy(s->held_run + s->len, p, n);
	s->len += n;
	s->chars++;
	return 0;
}

/* Add one character of several bytes; *n gets their number. */
static int
put_wide(struct ctx_claude_state *s, const char *p, const char *end,
    size_t *n, struct ctx_err *err)
{
	char out[4];
	uint32_t cp, is;

	*n = ctx_utf8_step(p, (size_t)(end - p), &cp);
	is = ctx_claude_plain(cp, s->late);
	if (is == cp)
		return put(s, kind_of(cp), p, *n, err);
	return is == 0 ? 0 : put(s, kind_of(is), out, ctx_utf8_put(out, is),
	    err);
}

/*
 * Add characters of one byte and one kind from p on, as many as there are; *n
 * gets their number.  A run that begins here stays here.
 */
static int
put_ascii(struct ctx_claude_state *s, const char *p, const char *end,
    size_t *n, struct ctx_err *err)
{
	const uint8_t kind = s->ascii[(unsigned char)*p];
	const char *q = p + 1;

	if ((kind != s->kind || s->len == RUN_MAX) && end_run(s, err) == -1)
		return -1;
	if (s->len == 0) {
		s->run = p;
		s->end = end;
	}
	if (end - p > (ptrdiff_t)(RUN_MAX - s->len))
		end = p + RUN_MAX - s->len;
	while (q < end && (unsigned char)*q - 1u < 127 &&
	    s->ascii[(unsigned char)*q] == kind)
		q++;
	*n = (size_t)(q - p);
	if (s->len > 0) {
		hold_run(s);
		memcpy(s->held_run + s->len, p, *n);
	}
	s->kind = kind;
	s->len += *n;
	s->chars += *n;
	return 0;
}

/* Go through text in normal form. */
static int
scan(struct ctx_claude_state *s, const char *p, size_t len,
    struct ctx_err *err)
{
	const char *end = len > 0 ? p + len : p;
	size_t n;
	int rc;

	for (; p < end; p += n) {
		n = 1;
		if ((unsigned char)*p >= 0x80)
			rc = put_wide(s, p, end, &n, err);
		else if (s->ascii[(unsigned char)*p] == NONE)
			rc = 0;
		else if (*p == '\0')
			rc = put(s, BLANK_SPACE, " ", 1, err);
		else
			rc = put_ascii(s, p, end, &n, err);
		if (rc == -1)
			return -1;
	}
	hold_run(s);
	return 0;
}

/* --- a text ------------------------------------------------------------ */

int
ctx_claude_init(struct ctx_claude *c, const struct ctx_tok *tok, int late,
    struct ctx_err *err)
{
	struct ctx_claude_state *s = calloc(1, sizeof(*s));
	uint32_t cp, is;

	c->state = s;
	if (s == NULL)
		return ctx_fail_nomem(err);
	s->table = &tok->table;
	s->late = late != 0;
	for (cp = 0; cp < 128; cp++) {
		is = ctx_claude_plain(cp, s->late);
		s->ascii[cp] = is == 0 ? NONE : kind_of(is);
	}
	return 0;
}

void
ctx_claude_done(struct ctx_claude *c)
{
	if (c->state != NULL) {
		ctx_buf_done(&c->state->held);
		ctx_buf_done(&c->state->text);
	}
	free(c->state);
	c->state = NULL;
}

/* Forget the text. */
static void
reset(struct ctx_claude_state *s)
{
	ctx_buf_reset(&s->held);
	s->try_at = 0;
	s->kind = s->before = s->left = NONE;
	s->len = s->chars = 0;
	s->begun = s->quote = s->space = 0;
	s->sum = s->blank = 0;
}

/*
 * Go through p[0 .. *len), valid UTF-8, in normal form; whole: what follows, if
 * anything, does not change it.  *len gets the length of the part that is done.
 */
static int
take_valid(struct ctx_claude_state *s, const char *p, size_t *len, int whole,
    struct ctx_err *err)
{
	if (*len == 0)
		return 0;
	ctx_buf_reset(&s->text);
	if (ctx_unorm_append(CTX_UNORM_NFC, &s->text, (const uint8_t *)p, len,
	    whole, err) == -1)
		return -1;
	return scan(s, s->text.data, s->text.len, err);
}

/* Go through the held text as far as it is certain; if whole, all of it. */
static int
take(struct ctx_claude_state *s, int whole, struct ctx_err *err)
{
	size_t at = 0, n, bad, left;
	int cut;

	/* endless marks are looked at again only when they are twice as many */
	if (!whole && s->held.len < s->try_at)
		return 0;
	while ((left = s->held.len - at) > 0) {
		n = ctx_utf8_check(s->held.data + at, left);
		bad = n == left ? 0 : ctx_utf8_bad(s->held.data + at + n,
		    left - n, &cut);
		if (bad > 0 && cut && !whole)
			bad = 0;
		if (take_valid(s, s->held.data + at, &n, bad > 0 || (whole &&
		    n == left), err) == -1 ||
		    (bad > 0 && scan(s, "\xef\xbf\xbd", 3, err) == -1))
			return -1;
		at += n + bad;
		if (bad == 0)
			break;
	}
	if (at > 0)
		memmove(s->held.data, s->held.data + at, s->held.len - at);
	s->held.len -= at;
	s->try_at = 2 * s->held.len;
	return 0;
}

int
ctx_claude_feed(struct ctx_claude *c, const char *part, size_t len,
    struct ctx_err *err)
{
	struct ctx_claude_state *s = c->state;
	size_t n;

	for (; len > 0; part += n, len -= n) {
		n = len < SLICE ? len : SLICE;
		ctx_buf_add(&s->held, part, n);
		if (ctx_buf_fail(&s->held, err) == -1 ||
		    take(s, 0, err) == -1) {
			reset(s);
			return -1;
		}
	}
	return 0;
}

int
ctx_claude_end(struct ctx_claude *c, uint64_t *n, struct ctx_err *err)
{
	struct ctx_claude_state *s = c->state;
	int rc = take(s, 1, err);

	if (rc == 0)
		rc = end_run(s, err);
	if (!s->late) {
		if (s->space)
			settle_space(s, 0);
		s->sum += s->blank;
	}
	*n = (s->sum + 500) / 1000;
	reset(s);
	return rc;
}

int
ctx_claude_text(struct ctx_claude *c, const char *text, size_t len,
    uint64_t *n, struct ctx_err *err)
{
	if (ctx_claude_feed(c, text, len, err) == -1)
		return -1;
	return ctx_claude_end(c, n, err);
}

int
ctx_claude_json(struct ctx_claude *c, const char *s, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	char slice[SLICE];
	size_t used, got;

	if (len == 0 || memchr(s, '\\', len) == NULL)
		return ctx_claude_text(c, s, len, n, err);
	for (; len > 0; s += used, len -= used) {
		got = ctx_unescape(slice, sizeof(slice), s, len, &used);
		if (ctx_claude_feed(c, slice, got, err) == -1)
			return -1;
	}
	return ctx_claude_end(c, n, err);
}
