/* SPDX-License-Identifier: MIT */
/* Bodies that are too long; see shorten.h. */
#include "text/shorten.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"

/* How a marker begins in each language, inside a JSON string. */
#define START	"\\n... ("

/* The markers: of characters, and of tokens. */
enum kept { NOT_KEPT, BY_HASH, BY_PATH };
static const enum ctx_marker notes_of[][2] = {
	[NOT_KEPT] = { CTX_MARKER_CUT, CTX_MARKER_CUT_TOKENS },
	[BY_HASH] = { CTX_MARKER_CUT_KEPT, CTX_MARKER_CUT_TOKENS_KEPT },
	[BY_PATH] = { CTX_MARKER_CUT_PATH, CTX_MARKER_CUT_TOKENS_PATH },
};

struct mark {
	size_t head;		/* bytes before the marker */
	size_t end;		/* of the marker */
	uint64_t total;
	int tokens;
	enum kept kept;
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

/* Is there a complete marker at byte i? */
static int
mark_at(struct ctx_str s, size_t i, struct mark *m)
{
	struct ctx_marker_said said;
	int tokens, kept;

	for (kept = NOT_KEPT; kept <= BY_PATH; kept++)
		for (tokens = 0; tokens <= 1; tokens++) {
			said = (struct ctx_marker_said){ 0 };
			m->end = ctx_marker_at(notes_of[kept][tokens], s, i + 2,
			    &said);
			if (m->end == 0)
				continue;
			m->head = i;
			m->total = said.n;
			m->tokens = tokens;
			m->kept = (enum kept)kept;
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

	/* most texts have none, which this finds faster */
	if (s.len == 0 || memmem(s.p, s.len, START, strlen(START)) == NULL)
		return 0;
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

/*
 * Append the marker that m describes.  A path in it is that of another run, with a
 * folder of its own.
 */
static void
put_mark(const struct ctx_shorten *how, struct ctx_str s, const struct mark *m,
    struct ctx_buf *out)
{
	const struct ctx_marker_said said = { .n = m->total,
	    .word = { m->hash, m->hash != NULL ? 64 : 0 } };

	if (m->end > 0 && m->kept == BY_PATH) {
		ctx_buf_add(out, s.p + m->head, m->end - m->head);
		return;
	}
	ctx_buf_adds(out, "\\n");
	ctx_marker_put(out, how->notes, notes_of[m->kept][how->tokens], &said);
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

/*
 * Set m to the marker of a text that has total units.  If the text ends in one of
 * an earlier run, and is cut again, it still says what the first text was.
 * Returns 1; 0 if the text was shortened enough; or -1 with *err.
 */
static int
choose_mark(const struct ctx_shorten *how, struct ctx_str s, uint64_t total,
    struct mark *m, struct ctx_err *err)
{
	const char *hash = m->hash;
	uint64_t kept;
	int yes;

	if (find_mark(s, m)) {
		if (done_before(how, s, m, &yes, &kept, err) == -1)
			return -1;
		if (yes)
			return 0;
		if (m->end == s.len && m->total > kept)
			return 1;
	}
	*m = (struct mark){ .total = total, .hash = hash, .kept =
	    hash == NULL ? NOT_KEPT : how->notes == NULL ||
	    how->notes->dir == NULL ? BY_HASH : BY_PATH };
	return 1;
}

/* Is there less of s in out, from byte was on, whatever the marker's language? */
static int
is_less(const struct ctx_shorten *how, struct ctx_str s, const struct mark *m,
    const struct ctx_buf *out, size_t was)
{
	return ctx_str_chars(out->data + was, out->len - was) +
	    ctx_marker_margin(how->notes, notes_of[m->kept][how->tokens]) <
	    ctx_str_chars(s.p, s.len);
}

int
ctx_shorten(const struct ctx_shorten *how, struct ctx_str s, const char *hash,
    struct ctx_buf *out, struct ctx_err *err)
{
	uint64_t total, chars, head = how->max - how->tail;
	size_t cut, was = out->len;
	struct mark m = { .hash = hash };
	int rc;

	/* no character and no token is shorter than a byte */
	if (how->max == 0 || s.p == NULL || s.len <= how->max)
		return 0;
	if (measure(how, s, head, &total, &chars, err) == -1)
		return -1;
	if (total <= how->max)
		return 0;
	if ((rc = choose_mark(how, s, total, &m, err)) != 1)
		return rc;
	cut = ctx_str_cut(s.p, s.len, chars);
	if (how->tail > 0 || how->tokens)
		cut = near_line(s, cut, cut, -1);
	ctx_buf_add(out, s.p, cut);
	put_mark(how, s, &m, out);
	if (how->tail > 0 && put_end(how, s, total, cut, out, err) == -1)
		return -1;
	if (ctx_buf_fail(out, err) == -1)
		return -1;
	if (!how->shrinks || is_less(how, s, &m, out, was))
		return 1;
	out->len = was;
	return 0;
}
