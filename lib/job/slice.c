/* SPDX-License-Identifier: MIT */
/* Parts of a text by tokens; see slice.h. */
#include "job/slice.h"

#include <string.h>

#define EXTRA	16	/* more characters may be fewer tokens: how many are
			   tried */

/* A text from one of its ends, in which lengths are measured. */
struct end {
	struct ctx_cost *k;
	const char *text;
	size_t len;
	int tail;		/* from its end */
};

static int
is_border(const struct end *e, size_t n)
{
	size_t at = e->tail ? e->len - n : n;

	return at >= e->len || ((unsigned char)e->text[at] & 0xc0) != 0x80;
}

/* The length of n bytes and more, or fewer, that is a border. */
static size_t
border(const struct end *e, size_t n, int more)
{
	while (n > 0 && n < e->len && !is_border(e, n))
		n += more ? 1 : (size_t)-1;
	return n;
}

static int
count(const struct end *e, size_t n, uint64_t *tokens, struct ctx_err *err)
{
	*tokens = 0;
	return n == 0 ? 0 : ctx_cost_text(e->k,
	    e->tail ? e->text + e->len - n : e->text, n, tokens, err);
}

/*
 * The longest length of at most max tokens: by doubling, then by halving what
 * is between a length that fits and one that does not.
 */
static int
longest(const struct end *e, uint64_t max, size_t *n, uint64_t *tokens,
    struct ctx_err *err)
{
	size_t fits = 0, not = e->len + 1, try = max < e->len / 4 ?
	    (size_t)max * 4 : e->len;
	uint64_t some;
	int i;

	*tokens = 0;
	while (fits < e->len) {
		if (not <= e->len) {
			try = border(e, fits + (not - fits) / 2, 0);
			if (try <= fits)
				try = border(e, fits + 1, 1);
			if (try >= not)
				break;
		} else
			try = border(e, try, 1);
		if (count(e, try, &some, err) == -1)
			return -1;
		if (some > max) {
			not = try;
			continue;
		}
		fits = try;
		*tokens = some;
		try = try < e->len / 2 ? 2 * try + 1 : e->len;
	}
	*n = fits;
	for (i = 0; i < EXTRA && fits < e->len; i++) {
		fits = border(e, fits + 1, 1);
		if (count(e, fits, &some, err) == -1)
			return -1;
		if (some <= max) {
			*n = fits;
			*tokens = some;
		}
	}
	return 0;
}

int
ctx_slice_head(struct ctx_cost *k, const char *text, size_t len, uint64_t max,
    struct ctx_slice *out, struct ctx_err *err)
{
	const struct end e = { k, text, len, 0 };

	out->from = 0;
	return longest(&e, max, &out->to, &out->tokens, err);
}

int
ctx_slice_tail(struct ctx_cost *k, const char *text, size_t len, uint64_t max,
    struct ctx_slice *out, struct ctx_err *err)
{
	const struct end e = { k, text, len, 1 };
	size_t n;

	if (longest(&e, max, &n, &out->tokens, err) == -1)
		return -1;
	out->from = len - n;
	out->to = len;
	return 0;
}

/* --- dividing ----------------------------------------------------------- */

/*
 * What ends before a place in a text.  The blank after a word belongs to the
 * next one, as in tokens.
 */
enum border {
	IN_WORD, WORD, SENTENCE, LINE, PARAGRAPH
};

static int
ends_sentence(const char *text, size_t at, size_t len)
{
	static const char *const marks[] = { "\xe3\x80\x82", "\xef\xbc\x81",
	    "\xef\xbc\x9f" };	/* ideographic full stop, wide ! and ? */
	size_t i;

	for (i = 0; i < 3 && at >= 3; i++)
		if (memcmp(text + at - 3, marks[i], 3) == 0)
			return 1;
	return at < len && text[at] == ' ' && text[at - 1] != '\0' &&
	    strchr(".!?", text[at - 1]) != NULL;
}

static enum border
border_at(const char *text, size_t at, size_t len)
{
	if (text[at - 1] == '\n')
		return at >= 2 && text[at - 2] == '\n' ? PARAGRAPH : LINE;
	if (ends_sentence(text, at, len))
		return SENTENCE;
	return at < len && text[at] == ' ' && text[at - 1] != ' ' ? WORD :
	    IN_WORD;
}

/* The last place of the best kind in (from, to], or to. */
static size_t
best_end(const char *text, size_t from, size_t to, size_t len)
{
	enum border best = IN_WORD, kind;
	size_t at, end = to;

	for (at = to; at > from && best < PARAGRAPH; at--) {
		kind = border_at(text, at, len);
		if (kind > best) {
			best = kind;
			end = at;
		}
	}
	return end;
}

/* The first place of the best kind in [from, to), or from. */
static size_t
best_start(const char *text, size_t from, size_t to, size_t len)
{
	enum border best = IN_WORD, kind;
	size_t at, start = from;

	for (at = from > 0 ? from : 1; at < to && best < PARAGRAPH; at++) {
		kind = border_at(text, at, len);
		if (kind > best) {
			best = kind;
			start = at;
		}
	}
	return start;
}

/* Where the part after *part begins: at most overlap tokens before its end. */
static int
next_start(struct ctx_cost *k, const struct ctx_slice_opts *opts,
    const char *text, const struct ctx_slice *part, size_t *start,
    struct ctx_err *err)
{
	struct ctx_slice s;

	*start = part->to;
	if (opts->overlap == 0 || part->to == 0)
		return 0;
	if (ctx_slice_tail(k, text + part->from, part->to - part->from,
	    opts->overlap, &s, err) == -1)
		return -1;
	s.from += part->from;
	*start = best_start(text, s.from, s.from + (part->to - s.from) / 2,
	    part->to);
	/* fewer characters may be more tokens */
	if (ctx_cost_text(k, text + *start, part->to - *start, &s.tokens,
	    err) == -1)
		return -1;
	if (s.tokens > opts->overlap)
		*start = s.from;
	/* a part always begins after the one before it */
	if (*start <= part->from)
		*start = part->to;
	return 0;
}

int
ctx_slice_next(struct ctx_cost *k, const struct ctx_slice_opts *opts,
    const char *text, size_t len, struct ctx_slice *part, struct ctx_err *err)
{
	const struct end e = { k, text, len, 0 };
	struct ctx_slice s;
	size_t from, to;

	if (part->to >= len)
		return 0;
	if (next_start(k, opts, text, part, &from, err) == -1)
		return -1;
	do {
		if (ctx_slice_head(k, text + from, len - from, opts->max, &s,
		    err) == -1)
			return -1;
		to = from + s.to;
		if (to < len)
			to = best_end(text, from + s.to / 2, to, len);
		/* what the overlap leaves no room for */
	} while (to <= part->to && from < part->to && (from = part->to) > 0);
	if (to == from)
		to = border(&e, from + 1, 1);
	part->from = from;
	part->to = to;
	if (ctx_cost_text(k, text + from, to - from, &part->tokens,
	    err) == -1)
		return -1;
	if (part->tokens > opts->max && s.to > 0) {
		part->to = from + s.to;
		part->tokens = s.tokens;
	}
	return 1;
}
