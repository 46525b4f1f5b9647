/* SPDX-License-Identifier: MIT */
/* The lines that matter; see pick.h. */
#include "text/pick.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/alike.h"
#include "text/textline.h"

/* What a line is worth; these figures were chosen on recorded sessions. */
#define WORD		1	/* a new word */
#define NAME		6	/* a new name, number or path */
#define ASKED		1	/* a word that was asked for */
#define MOST_ASKED	2	/* of these in a line */
#define SIGNAL		8
#define CONTEXT		1
#define ROUTINE		4	/* it is worth this part */
#define OWN		2	/* a signal is worth more if this part of its words
				   stands in no line that stays */
#define LENGTH		30	/* characters that are added to its length, for
				   the notes around it */
#define SCALE		4096	/* of worth over length */
#define DENSE		345	/* the least of it if lines must say much */

#define HEAD		2	/* what is above rows */
#define RUN		6	/* lines that were sent before, in a row */
#define TRIES		6	/* how often a line's worth is computed anew */
#define CLIP		3	/* a line is too long over this part of max */

struct ctx_pick_line {
	size_t off;
	size_t len;		/* with its line end */
	uint64_t chars;
	uint64_t lines;		/* that it stands for: it is a note, or one */
	size_t clip;		/* the bytes to write; 0: all */
	uint64_t hash;		/* as that of a word */
	unsigned char rank, note, row, stays, known, sent, tries;
};

/* A line that may be taken next. */
struct ctx_pick_turn {
	uint64_t worth;
	size_t line;
};

/* The arguments of all steps on one text. */
struct step {
	struct ctx_pick *w;
	const struct ctx_pick_opts *o;
	const char *text;
	uint64_t note;		/* characters of the longest note */
	uint64_t path;		/* of the one that names a file, if it does */
	uint64_t part;		/* of the one at the end of a line that is
				   cut */
	uint64_t again;		/* of the one for lines that were sent before */
	uint64_t rows;		/* to come, of a table */
	int by_words;		/* lines are known by their words */
	int marked;		/* the text has such notes */
	uint64_t max;		/* the most that is written */
	uint64_t least;		/* worth that a line must have */
};

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
add_line(struct step *s, size_t off, size_t len)
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
		l->row = s->rows > 0 ? HEAD : 0;
	}
	return 0;
}

/* 1, or 0 if there are too many. */
static int
find_lines(struct step *s, size_t len)
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
rank_lines(struct step *s, size_t len)
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

/* The next word of what is written of line l; *at is 0 at first. */
static int
next_word(const struct step *s, const struct ctx_pick_line *l, size_t *at,
    struct ctx_heard_word *word)
{
	const char *p = s->text + l->off;
	size_t len = l->clip > 0 ? l->clip : l->len;

	if (*at == 0)
		*at = ctx_textline_number(p, len);
	return ctx_heard_next(p, len, at, word);
}

static int
is_new(const struct step *s, const struct ctx_heard_word *word)
{
	return !ctx_heard_has(&s->w->here, word->hash) &&
	    (s->o->said == NULL || !ctx_heard_has(s->o->said, word->hash));
}

static int
has_new_word(const struct step *s, const struct ctx_pick_line *l)
{
	struct ctx_heard_word word;
	size_t at = 0;

	while (next_word(s, l, &at, &word))
		if (is_new(s, &word))
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
says_new(const struct step *s, size_t i)
{
	const struct ctx_pick_line *l = &s->w->line[i];
	struct ctx_heard_word word;
	size_t at = 0;

	if (l->rank == CTX_LINE_SIGNAL || l->row)
		return 1;
	if (s->by_words && (l->rank != CTX_LINE_CONTEXT ||
	    s->o->kind == CTX_COMMAND_DIFF))
		return has_new_word(s, l);
	if (!next_word(s, l, &at, &word))
		return i == 0 || s->w->line[i - 1].stays;
	return !l->known && !ctx_heard_has(&s->w->here, l->hash);
}

/* Line l stays. */
static int
take(struct step *s, struct ctx_pick_line *l)
{
	struct ctx_heard_word word;
	size_t at = 0;

	l->stays = 1;
	while (next_word(s, l, &at, &word))
		if (ctx_heard_add(&s->w->here, word.hash) == -1)
			return -1;
	return ctx_heard_add(&s->w->here, l->hash);
}

/* --- what is left out ---------------------------------------------------- */

/* May the text be of any length? */
static int
has_room(const struct step *s)
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
is_worth(const struct step *s, const struct gap *g)
{
	uint64_t note = g->sent ? s->again : s->note;

	return has_room(s) ? 2 * g->chars > 3 * note : g->chars > note;
}

static void
close_gaps(struct step *s)
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
find_sent(struct step *s)
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
thin(struct step *s)
{
	struct ctx_pick *w = s->w;
	struct ctx_pick_line *l;
	size_t i;

	ctx_heard_reset(&w->here);
	for (i = 0; i < w->n; i++) {
		l = &w->line[i];
		l->stays = 0;
		if (!l->sent && (i == 0 || i + 1 == w->n || says_new(s, i)) &&
		    take(s, l) == -1)
			return -1;
	}
	close_gaps(s);
	return 0;
}

/* The length of what is written. */
static uint64_t
length(const struct step *s)
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

/* --- what matters most --------------------------------------------------- */

static int
is_asked(const struct step *s, const struct ctx_heard_word *word)
{
	const struct ctx_pick_opts *o = s->o;

	return (o->asked != NULL && ctx_heard_has(o->asked, word->hash)) ||
	    (o->named != NULL && word->is_name &&
	    ctx_heard_has(o->named, word->hash));
}

static uint64_t
worth(const struct step *s, const struct ctx_pick_line *l)
{
	struct ctx_heard_word word;
	uint64_t sum = 0, asked = 0, own = 0, words = 0;
	size_t at = 0;

	while (next_word(s, l, &at, &word)) {
		if (asked < MOST_ASKED && is_asked(s, &word)) {
			sum += ASKED;
			asked++;
		}
		if (is_new(s, &word))
			sum += word.is_name ? NAME : WORD;
		own += !ctx_heard_has(&s->w->here, word.hash);
		words++;
	}
	if (l->rank == CTX_LINE_ROUTINE)
		sum /= ROUTINE;
	else if (own * OWN >= words && l->rank != CTX_LINE_PLAIN)
		sum += l->rank == CTX_LINE_SIGNAL ? SIGNAL : CONTEXT;
	return sum * SCALE / (l->chars + LENGTH);
}

static int
comes_before(const struct ctx_pick_turn *a, const struct ctx_pick_turn *b)
{
	return a->worth != b->worth ? a->worth > b->worth : a->line < b->line;
}

/* Move the turn at i down to where it belongs in the heap of n. */
static void
sift(struct ctx_pick_turn *heap, size_t n, size_t i)
{
	struct ctx_pick_turn t = heap[i];
	size_t k;

	while ((k = 2 * i + 1) < n) {
		k += k + 1 < n && comes_before(&heap[k + 1], &heap[k]);
		if (!comes_before(&heap[k], &t))
			break;
		heap[i] = heap[k];
		i = k;
	}
	heap[i] = t;
}

/* Cut a line that is too long; it is written with a note at its end. */
static void
clip(const struct step *s, struct ctx_pick_line *l)
{
	uint64_t most = s->max / CLIP, n = 0;
	const char *p = s->text + l->off;
	size_t i = 0;

	if (s->o->whole || l->chars <= most || most <= 2 * s->part)
		return;
	most -= s->part;
	for (; i < l->len && n < most; n++)
		for (i++; i < l->len && (p[i] & 0xc0) == 0x80; i++)
			;
	l->clip = i;
	l->chars = most + s->part;
}

/* What line i adds to the length if it is taken. */
static uint64_t
price(const struct step *s, size_t i)
{
	const struct ctx_pick *w = s->w;
	int before = i > 0 && !w->line[i - 1].stays;
	int after = i + 1 < w->n && !w->line[i + 1].stays;

	/* a gap becomes two, or stays one, or is closed */
	return w->line[i].chars + (before && after ? s->note : 0);
}

/* Take a line if there is room.  1, 0, or -1. */
static int
take_if(struct step *s, size_t i, uint64_t *sum)
{
	uint64_t more = price(s, i);

	if (s->w->line[i].stays || s->w->line[i].note ||
	    *sum + more > s->max)
		return 0;
	*sum += more;
	return take(s, &s->w->line[i]) == -1 ? -1 : 1;
}

/*
 * Take the first line, the last one, and those without which rows mean nothing,
 * unless they are long.
 */
static int
take_first(struct step *s, uint64_t *sum)
{
	const struct ctx_pick_line *l = s->w->line;
	size_t i;

	for (i = 0; i < s->w->n; i++)
		if ((i == 0 || i + 1 == s->w->n || l[i].row == HEAD) &&
		    l[i].chars <= s->max / 8 && take_if(s, i, sum) == -1)
			return -1;
	return 0;
}

/* Make the heap of the lines that are worth something. */
static int
rate(struct step *s, size_t *n)
{
	struct ctx_pick *w = s->w;
	struct ctx_pick_turn t;
	size_t i;

	*n = 0;
	if (CTX_ROOM(w->heap, w->n, &w->capheap) == -1)
		return -1;
	for (i = 0; i < w->n; i++) {
		w->line[i].tries = 0;
		t = (struct ctx_pick_turn){ worth(s, &w->line[i]), i };
		if (!w->line[i].stays && !w->line[i].note &&
		    !w->line[i].sent && t.worth > 0)
			w->heap[(*n)++] = t;
	}
	for (i = *n / 2; i-- > 0;)
		sift(w->heap, *n, i);
	return 0;
}

/*
 * Take lines by their worth.  It falls when others say the same, so it is
 * computed anew before a line is taken; a few times, so that no text makes this
 * slow.
 */
static int
take_best(struct step *s, uint64_t *sum)
{
	struct ctx_pick *w = s->w;
	struct ctx_pick_line *l;
	uint64_t now;
	size_t n;

	if (rate(s, &n) == -1)
		return -1;
	while (n > 0) {
		l = &w->line[w->heap[0].line];
		now = worth(s, l);
		if (now < w->heap[0].worth && l->tries < TRIES) {
			l->tries++;
			w->heap[0].worth = now;
			sift(w->heap, n, 0);
			continue;
		}
		if (now >= s->least && take_if(s, w->heap[0].line, sum) == -1)
			return -1;
		w->heap[0] = w->heap[--n];
		sift(w->heap, n, 0);
	}
	return 0;
}

/* Choose lines that are worth at least so much, up to max characters. */
static int
choose(struct step *s, uint64_t max, uint64_t least)
{
	struct ctx_pick *w = s->w;
	uint64_t sum = s->note + s->path;
	size_t i;

	s->max = max;
	s->least = least;
	ctx_heard_reset(&w->here);
	for (i = 0; i < w->n; i++) {
		w->line[i].stays = 0;
		clip(s, &w->line[i]);
	}
	if (take_first(s, &sum) == -1 || take_best(s, &sum) == -1)
		return -1;
	close_gaps(s);
	return 0;
}

/* --- writing ------------------------------------------------------------- */

static void
put_note(const struct step *s, enum ctx_marker id, uint64_t n,
    struct ctx_buf *out)
{
	const char *hash = id == CTX_MARKER_GAP_PATH ? s->o->hash : NULL;
	const struct ctx_marker_said said = { .n = n,
	    .word = { hash, hash != NULL ? 64 : 0 } };

	ctx_marker_put(out, s->o->notes, id, &said);
}

/* Write a line that stays. */
static void
put_line(const struct step *s, const struct ctx_pick_line *l,
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
put_gap(const struct step *s, const struct gap *g, int first,
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
put(const struct step *s, struct ctx_buf *out)
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
note_chars(const struct step *s, enum ctx_marker id, uint64_t n,
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
measure_notes(struct step *s, uint64_t chars, struct ctx_buf *out)
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
	struct step s = { .w = w, .o = o, .text = text };
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
