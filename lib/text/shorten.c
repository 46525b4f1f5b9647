/* SPDX-License-Identifier: MIT */
/* Bodies that are too long; see shorten.h. */
#include "text/shorten.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"

/* How a marker begins in each language, inside a JSON string. */
#define START	"\\n... ("

struct mark {
	size_t head;		/* bytes before the marker */
	size_t end;		/* of the marker */
	uint64_t total;
	int tokens;
	const char *hash;
};

int
ctx_shorten_parse(const char *text, struct ctx_shorten *how,
    struct ctx_err *err)
{
	size_t len = strlen(text);
	char number[32];

	how->tokens = len > 1 && text[len - 1] == 't';
	if (len >= sizeof(number))
		return ctx_fail(err, CTX_EUSAGE,
		    "'%.20s...' is too long for a number", text);
	snprintf(number, sizeof(number), "%.*s", (int)len - how->tokens, text);
	if (ctx_num_parse(number, &how->max, err) == -1)
		return -1;
	if (how->max == 0 || how->max > UINT32_MAX)
		return ctx_fail(err, CTX_EUSAGE, "%s is out of range (1 to %u)",
		    number, UINT32_MAX);
	return 0;
}

static int
looking_at(struct ctx_str s, size_t i, const char *text)
{
	size_t n = strlen(text);

	return s.len - i >= n && memcmp(s.p + i, text, n) == 0;
}

static enum ctx_marker
note_of(int tokens, int kept)
{
	return kept ? tokens ? CTX_MARKER_CUT_TOKENS_KEPT : CTX_MARKER_CUT_KEPT :
	    tokens ? CTX_MARKER_CUT_TOKENS : CTX_MARKER_CUT;
}

/* Is there a complete marker at byte i? */
static int
mark_at(struct ctx_str s, size_t i, struct mark *m)
{
	struct ctx_marker_said said;
	int tokens, kept;

	for (kept = 0; kept <= 1; kept++)
		for (tokens = 0; tokens <= 1; tokens++) {
			said = (struct ctx_marker_said){ 0 };
			m->end = ctx_marker_at(note_of(tokens, kept), s, i + 2,
			    &said);
			if (m->end == 0)
				continue;
			m->head = i;
			m->total = said.n;
			m->tokens = tokens;
			m->hash = said.word.p;
			return m->end == s.len || looking_at(s, m->end,
			    "\\n");
		}
	return 0;
}

/* Find the last marker in s, which is ours if the text quotes others. */
static int
find_mark(struct ctx_str s, struct mark *m)
{
	size_t i;

	for (i = s.len; i-- > 0;)
		if (s.p[i] == '\\' && looking_at(s, i, START) &&
		    mark_at(s, i, m))
			return 1;
	return 0;
}

const char *
ctx_shorten_hash(struct ctx_str s)
{
	struct mark m;

	return find_mark(s, &m) ? m.hash : NULL;
}

int
ctx_shorten_marked(struct ctx_str s)
{
	struct mark m;

	return find_mark(s, &m);
}

/* Measure the characters of s's first n units, and count all its units. */
static int
measure(const struct ctx_shorten *how, struct ctx_str s, uint64_t n,
    uint64_t *total, uint64_t *chars, struct ctx_err *err)
{
	if (how->tokens)
		return how->count(how->arg, s, n, total, chars, err);
	*total = ctx_str_chars(s.p, s.len);
	*chars = n < *total ? n : *total;
	return 0;
}

/*
 * Was s already shortened at least this much?  Its head and tail are then
 * within the limits and add up to less than the total in the marker.  *kept is
 * their length.
 */
static int
done_before(const struct ctx_shorten *how, struct ctx_str s,
    const struct mark *m, int *yes, uint64_t *kept, struct ctx_err *err)
{
	struct ctx_str head = { s.p, (uint32_t)m->head };
	struct ctx_str tail = { s.p + m->end, 0 };
	uint64_t h, t = 0, chars;

	*yes = 0;
	*kept = UINT64_MAX;
	if (m->tokens != how->tokens)
		return 0;
	if (m->end < s.len) {
		tail.p += 2;		/* the line end after the marker */
		tail.len = (uint32_t)(s.len - m->end - 2);
	}
	if (measure(how, head, 0, &h, &chars, err) == -1 ||
	    (tail.len > 0 && measure(how, tail, 0, &t, &chars, err) == -1))
		return -1;
	*kept = h + t;
	/* a piece may have a few more tokens than it had in the whole text */
	*yes = h + t <= how->max + (how->tokens ? how->max / 16 + 8 : 0) &&
	    m->total > h + t;
	return 0;
}

/*
 * Find a line end near the cut, at most an eighth of the piece away.  dir -1
 * searches backwards from at, 1 forwards.  If there is none, the cut stays.
 */
static size_t
near_line(struct ctx_str s, size_t at, size_t piece, int dir)
{
	size_t reach = piece / 8, i, k, slashes;

	for (i = 0; i <= reach; i++) {
		k = dir < 0 ? at - i : at + i;
		if ((dir < 0 && k < 2) || k > s.len || k < 2)
			break;
		if (s.p[k - 1] != 'n' || s.p[k - 2] != '\\')
			continue;
		for (slashes = 0; k >= 3 + slashes &&
		    s.p[k - 3 - slashes] == '\\'; slashes++)
			;
		if (slashes % 2 == 0)
			return dir < 0 ? k - 2 : k;
	}
	return at;
}

static void
put_mark(const struct ctx_shorten *how, uint64_t total, const char *hash,
    struct ctx_buf *out)
{
	const struct ctx_marker_said said = { .n = total,
	    .word = { hash, hash != NULL ? 64 : 0 } };

	ctx_buf_adds(out, "\\n");
	ctx_marker_put(out, how->notes, note_of(how->tokens, hash != NULL),
	    &said);
}

/*
 * Append the last how->tail units of s, which has all, but nothing before cut.
 */
static int
put_end(const struct ctx_shorten *how, struct ctx_str s, uint64_t all,
    size_t cut, struct ctx_buf *out, struct ctx_err *err)
{
	uint64_t chars;
	size_t rest;

	if (measure(how, s, all - how->tail, &all, &chars, err) == -1)
		return -1;
	rest = ctx_str_cut(s.p, s.len, chars);
	rest = near_line(s, rest, s.len - rest, 1);
	if (rest < cut)
		rest = cut;
	ctx_buf_adds(out, "\\n");
	ctx_buf_add(out, s.p + rest, s.len - rest);
	return 0;
}

int
ctx_shorten(const struct ctx_shorten *how, struct ctx_str s, const char *hash,
    struct ctx_buf *out, struct ctx_err *err)
{
	uint64_t total, chars, head = how->max - how->tail, all, kept;
	size_t cut;
	struct mark m;
	int yes;

	/* no character and no token is shorter than a byte */
	if (how->max == 0 || s.p == NULL || s.len <= how->max)
		return 0;
	if (measure(how, s, head, &total, &chars, err) == -1)
		return -1;
	if (total <= how->max)
		return 0;
	all = total;
	if (find_mark(s, &m)) {
		if (done_before(how, s, &m, &yes, &kept, err) == -1)
			return -1;
		if (yes)
			return 0;
		/* cut again: keep the original total and hash */
		if (m.end == s.len && m.total > kept) {
			total = m.total;
			hash = m.hash;
		}
	}
	cut = ctx_str_cut(s.p, s.len, chars);
	if (how->tail > 0 || how->tokens)
		cut = near_line(s, cut, cut, -1);
	ctx_buf_add(out, s.p, cut);
	put_mark(how, total, hash, out);
	if (how->tail > 0 && put_end(how, s, all, cut, out, err) == -1)
		return -1;
	return ctx_buf_fail(out, err) == -1 ? -1 : 1;
}
