/* SPDX-License-Identifier: MIT */
/* The lines that matter; see pick.h. */
#include "text/pick_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/alike.h"
#include "text/textline.h"

#define DENSE		345	/* the least worth of a line, if lines must say much;
				   see pick_best.c */
#define RUN		6	/* lines that were sent before, in a row */

void
ctx_pick_done(struct ctx_pick *w)
{
	free(w->line);
	free(w->heap);
	ctx_buf_done(&w->ranks);
	ctx_heard_done(&w->here);
	memset(w, 0, sizeof(*w));
}

/* --- lines --------------------------------------------------------------- */

/* Is there such a note at byte i of a line, and nothing behind it? */
static int
ends_with(struct ctx_str line, size_t i, enum ctx_marker id, uint64_t *n)
{
	struct ctx_marker_said said;
	size_t end = ctx_marker_at(id, line, i, &said);

	*n = said.n;
	return end > 0 && (end == line.len || line.p[end] == '\n');
}

/* Is the line a note about lines that were left out?  How many? */
static int
is_note(struct ctx_str line, uint64_t *lines)
{
	return line.len > 0 && *line.p == '[' &&
	    (ends_with(line, 0, CTX_MARKER_GAP, lines) ||
	    ends_with(line, 0, CTX_MARKER_GAP_PATH, lines) ||
	    ends_with(line, 0, CTX_MARKER_GAP_SENT, lines));
}

/* Was the line cut? */
static int
is_clipped(struct ctx_str line)
{
	size_t i = line.len;
	uint64_t n;

	i -= i > 0 && line.p[i - 1] == '\n';
	if (i == 0 || line.p[i - 1] != ']')
		return 0;
	while (i > 0 && line.p[i - 1] != '[')
		i--;
	return i > 0 && ends_with(line, i - 1, CTX_MARKER_PART, &n);
}

static int
add_line(struct ctx_pick_step *s, size_t off, size_t len)
{
	struct ctx_str line = { s->text + off, (uint32_t)len };
	struct ctx_pick *w = s->w;
	struct ctx_pick_line *l;

	if (CTX_ROOM(w->line, w->n, &w->cap) == -1)
		return -1;
	l = &w->line[w->n++];
	*l = (struct ctx_pick_line){ .off = off, .len = len, .lines = 1,
	    .chars = ctx_utf8_count(s->text + off, len) };
	if (!is_note(line, &l->lines))
		l->lines = 1;
	else
		l->note = 1;
	s->marked |= l->note || is_clipped(line);
	if (s->rows > 0) {
		l->row = 1;
		s->rows--;
	} else {
		s->rows = ctx_alike_rows(line);
		l->row = s->rows > 0 ? CTX_PICK_HEAD : 0;
	}
	return 0;
}

/* 1, or 0 if there are too many. */
static int
find_lines(struct ctx_pick_step *s, size_t len)
{
	size_t at, n;

	s->w->n = 0;
	for (at = 0; at < len; at += n) {
		if (s->w->n == CTX_PICK_LINES)
			return 0;
		n = ctx_scan_newline(s->text + at, len - at);
		n += at + n < len;
		if (add_line(s, at, n) == -1)
			return -1;
	}
	return 1;
}

static int
rank_lines(struct ctx_pick_step *s, size_t len)
{
	struct ctx_pick *w = s->w;
	size_t i;

	ctx_buf_reset(&w->ranks);
	if (ctx_command_ranks(s->o->kind, s->text, len, &w->ranks) == -1)
		return -1;
	for (i = 0; i < w->n && i < w->ranks.len; i++)
		w->line[i].rank = (unsigned char)w->ranks.data[i];
	return 0;
}

int
ctx_pick_word(const struct ctx_pick_step *s, const struct ctx_pick_line *l, size_t *at,
    struct ctx_heard_word *word)
{
	const char *p = s->text + l->off;
	size_t len = l->clip > 0 ? l->clip : l->len;

	if (*at == 0)
		*at = ctx_textline_number(p, len);
	return ctx_heard_next(p, len, at, word);
}

int
ctx_pick_is_new(const struct ctx_pick_step *s, const struct ctx_heard_word *word)
{
	return !ctx_heard_has(&s->w->here, word->hash) &&
	    (s->o->said == NULL || !ctx_heard_has(s->o->said, word->hash));
}

static int
has_new_word(const struct ctx_pick_step *s, const struct ctx_pick_line *l)
{
	struct ctx_heard_word word;
	size_t at = 0;

	while (ctx_pick_word(s, l, &at, &word))
		if (ctx_pick_is_new(s, &word))
			return 1;
	return 0;
}

/*
 * Does line i say something new?  A signal does in each text, for an error may
 * have been mended; and a row, whose words mean what they do together.  That is
 * so in most texts; only of programs, diffs and what builds and tests print are
 * lines known by their words.  A line without words goes with the one before it.
 */
static int
says_new(const struct ctx_pick_step *s, size_t i)
{
	const struct ctx_pick_line *l = &s->w->line[i];
	struct ctx_heard_word word;
	size_t at = 0;

	if (l->rank == CTX_LINE_SIGNAL || l->row)
		return 1;
	if (s->by_words && (l->rank != CTX_LINE_CONTEXT ||
	    s->o->kind == CTX_COMMAND_DIFF))
		return has_new_word(s, l);
	if (!ctx_pick_word(s, l, &at, &word))
		return i == 0 || s->w->line[i - 1].stays;
	return !l->known && !ctx_heard_has(&s->w->here, l->hash);
}

int
ctx_pick_take(struct ctx_pick_step *s, struct ctx_pick_line *l)
{
	struct ctx_heard_word word;
	size_t at = 0;

	l->stays = 1;
	while (ctx_pick_word(s, l, &at, &word))
		if (ctx_heard_add(&s->w->here, word.hash) == -1)
			return -1;
	return ctx_heard_add(&s->w->here, l->hash);
}

/* --- what is left out ---------------------------------------------------- */

/* May the text be of any length? */
static int
has_room(const struct ctx_pick_step *s)
{
	return s->max == 0 || s->max == UINT64_MAX;
}

/* Lines that do not stay. */
struct gap {
	size_t end;		/* the line behind them */
	uint64_t chars, lines;
	int sent;		/* all were sent before */
};

/* The gap at line i, if that does not stay. */
static struct gap
gap_at(const struct ctx_pick *w, size_t i)
{
	struct gap g = { .sent = 1 };
	const struct ctx_pick_line *l;

	for (; i < w->n && !w->line[i].stays; i++) {
		l = &w->line[i];
		g.chars += l->chars;
		g.lines += l->lines;
		g.sent &= l->sent;
	}
	g.end = i;
	return g;
}

/* Is a gap worth its note?  It must be shorter, by a third if there is room. */
static int
is_worth(const struct ctx_pick_step *s, const struct gap *g)
{
	uint64_t note = g->sent ? s->again : s->note;

	return has_room(s) ? 2 * g->chars > 3 * note : g->chars > note;
}

static void
close_gaps(struct ctx_pick_step *s)
{
	struct ctx_pick *w = s->w;
	struct gap g;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->line[i].stays)
			continue;
		g = gap_at(w, i);
		for (; i < g.end; i++)
			w->line[i].stays = !w->line[i].note &&
			    !is_worth(s, &g);
	}
}

/* Find out which lines were sent before, and which runs of them. */
static void
find_sent(struct ctx_pick_step *s)
{
	const struct ctx_heard *sent = s->o->sent;
	struct ctx_pick *w = s->w;
	uint64_t before = 0, line;
	size_t i, k, from = 0;

	for (i = 0; i <= w->n; i++) {
		if (i < w->n) {
			line = ctx_heard_line(s->text + w->line[i].off,
			    ctx_scan_newline(s->text + w->line[i].off,
			    w->line[i].len));
			w->line[i].hash = ctx_heard_pair(0, line);
			w->line[i].known = (unsigned char)(sent != NULL &&
			    ctx_heard_has(sent, w->line[i].hash));
			if (i > 0 && sent != NULL && ctx_heard_has(sent,
			    ctx_heard_pair(before, line))) {
				before = line;
				continue;
			}
			before = line;
		}
		if (i - from >= RUN)
			for (k = from; k < i; k++)
				w->line[k].sent = 1;
		from = i;
	}
}

static int
thin(struct ctx_pick_step *s)
{
	struct ctx_pick *w = s->w;
	struct ctx_pick_line *l;
	size_t i;

	ctx_heard_reset(&w->here);
	for (i = 0; i < w->n; i++) {
		l = &w->line[i];
		l->stays = 0;
		if (!l->sent && (i == 0 || i + 1 == w->n || says_new(s, i)) &&
		    ctx_pick_take(s, l) == -1)
			return -1;
	}
	close_gaps(s);
	return 0;
}

/* The length of what is written. */
static uint64_t
length(const struct ctx_pick_step *s)
{
	const struct ctx_pick *w = s->w;
	uint64_t sum = s->path;
	struct gap g;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->line[i].stays) {
			sum += w->line[i].chars;
			continue;
		}
		g = gap_at(w, i);
		sum += g.sent ? s->again : s->note;
		i = g.end - 1;
	}
	return sum;
}

/* Choose the lines that are worth at least so much, up to max characters. */
static int
choose(struct ctx_pick_step *s, uint64_t max, uint64_t least)
{
	if (ctx_pick_best(s, max, least) == -1)
		return -1;
	close_gaps(s);
	return 0;
}

/* --- writing ------------------------------------------------------------- */

static void
put_note(const struct ctx_pick_step *s, enum ctx_marker id, uint64_t n,
    struct ctx_buf *out)
{
	const char *hash = id == CTX_MARKER_GAP_PATH ? s->o->hash : NULL;
	const struct ctx_marker_said said = { .n = n,
	    .word = { hash, hash != NULL ? 64 : 0 } };

	ctx_marker_put(out, s->o->notes, id, &said);
}

/* Write a line that stays. */
static void
put_line(const struct ctx_pick_step *s, const struct ctx_pick_line *l,
    struct ctx_buf *out)
{
	const char *p = s->text + l->off;
	int ends = p[l->len - 1] == '\n';
	uint64_t rest;

	if (l->clip == 0) {
		ctx_buf_add(out, p, l->len);
		return;
	}
	rest = ctx_utf8_count(p + l->clip, l->len - l->clip) - (uint64_t)ends;
	ctx_buf_add(out, p, l->clip);
	put_note(s, CTX_MARKER_PART, rest, out);
	if (ends)
		ctx_buf_addc(out, '\n');
}

/* Write the note for a gap. */
static void
put_gap(const struct ctx_pick_step *s, const struct gap *g, int first,
    struct ctx_buf *out)
{
	const struct ctx_pick_line *last = &s->w->line[g->end - 1];
	/* a limit was reckoned with the shorter note */
	int sent = g->sent && has_room(s);

	put_note(s, first && s->o->hash != NULL ? CTX_MARKER_GAP_PATH :
	    sent ? CTX_MARKER_GAP_SENT : CTX_MARKER_GAP, g->lines, out);
	if (s->text[last->off + last->len - 1] == '\n')
		ctx_buf_addc(out, '\n');
}

/* Write it.  1 if that left something out. */
static int
put(const struct ctx_pick_step *s, struct ctx_buf *out)
{
	const struct ctx_pick *w = s->w;
	int less = 0, first = 1;
	struct gap g;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->line[i].stays) {
			put_line(s, &w->line[i], out);
			less |= w->line[i].clip > 0;
			continue;
		}
		g = gap_at(w, i);
		put_gap(s, &g, first, out);
		first = 0;
		i = g.end - 1;
		less = 1;
	}
	return out->failed ? -1 : less;
}

/* The characters of a note, and of a line end. */
static uint64_t
note_chars(const struct ctx_pick_step *s, enum ctx_marker id, uint64_t n,
    struct ctx_buf *out)
{
	size_t before = out->len;
	uint64_t chars = 0;

	put_note(s, id, n > 1 ? n : 2, out);
	if (!out->failed)
		chars = ctx_utf8_count(out->data + before,
		    out->len - before) + 1;
	out->len = before;
	return chars;
}

/* The longest notes that can be written; the text has so many characters. */
static int
measure_notes(struct ctx_pick_step *s, uint64_t chars, struct ctx_buf *out)
{
	uint64_t lines = 0;
	size_t i;

	for (i = 0; i < s->w->n; i++)
		lines += s->w->line[i].lines;
	s->note = note_chars(s, CTX_MARKER_GAP, lines, out);
	s->again = note_chars(s, CTX_MARKER_GAP_SENT, lines, out);
	s->part = note_chars(s, CTX_MARKER_PART, chars, out);
	s->path = s->o->hash == NULL ? 0 :
	    note_chars(s, CTX_MARKER_GAP_PATH, lines, out);
	return out->failed ? -1 : 0;
}

/* Can a line be left out of such an output if its words are known? */
static int
knows_words(enum ctx_command kind)
{
	switch (kind) {
	case CTX_COMMAND_UNKNOWN:
	case CTX_COMMAND_STATUS:
	case CTX_COMMAND_LOG:
	case CTX_COMMAND_LIST:
	case CTX_COMMAND_GREP:
		return 0;
	default:
		return 1;
	}
}

int
ctx_pick(struct ctx_pick *w, const struct ctx_pick_opts *o, const char *text,
    size_t len, struct ctx_buf *out)
{
	struct ctx_pick_step s = { .w = w, .o = o, .text = text };
	uint64_t chars = ctx_utf8_count(text, len);
	int fits = o->max == 0 || chars <= o->max, rc;

	if (fits && (o->thin == 0 || chars <= o->thin))
		return 0;
	if ((rc = find_lines(&s, len)) != 1)
		return rc;
	if (w->n < 3 || (fits && s.marked))
		return 0;
	if (measure_notes(&s, chars, out) == -1 || rank_lines(&s, len) == -1)
		return -1;
	s.by_words = knows_words(o->kind);
	if (o->thin > 0)
		find_sent(&s);
	if (o->thin > 0 && (o->dense ? choose(&s, UINT64_MAX, DENSE) :
	    thin(&s)) == -1)
		return -1;
	if (o->max > 0 && (o->thin == 0 || length(&s) > o->max) &&
	    choose(&s, o->max, o->thin > 0 && o->dense ? DENSE : 1) == -1)
		return -1;
	if (length(&s) >= chars || (o->max > 0 && length(&s) > o->max))
		return 0;
	return put(&s, out);
}

int
ctx_pick_marked(struct ctx_str text)
{
	static const enum ctx_marker notes[] = { CTX_MARKER_GAP,
	    CTX_MARKER_GAP_PATH, CTX_MARKER_GAP_SENT, CTX_MARKER_PART };
	const char *end = text.p + text.len, *p = text.p;
	struct ctx_marker_said said;
	size_t i;

	for (; (p = memchr(p, '[', (size_t)(end - p))) != NULL; p++)
		for (i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
			if (ctx_marker_at(notes[i], text, (size_t)(p - text.p),
			    &said) > 0)
				return 1;
	return 0;
}
