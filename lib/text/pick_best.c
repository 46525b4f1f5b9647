/* SPDX-License-Identifier: MIT */
/* The lines of a text that are worth most for their length; see pick.h. */
#include "text/pick_impl.h"

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
#define TRIES		6	/* how often a line's worth is computed anew */
#define CLIP		3	/* a line is too long over this part of max */

static int
is_asked(const struct ctx_pick_step *s, const struct ctx_heard_word *word)
{
	const struct ctx_pick_opts *o = s->o;

	return (o->asked != NULL && ctx_heard_has(o->asked, word->hash)) ||
	    (o->named != NULL && word->is_name &&
	    ctx_heard_has(o->named, word->hash));
}

static uint64_t
worth(const struct ctx_pick_step *s, const struct ctx_pick_line *l)
{
	struct ctx_heard_word word;
	uint64_t sum = 0, asked = 0, own = 0, words = 0;
	size_t at = 0;

	while (ctx_pick_word(s, l, &at, &word)) {
		if (asked < MOST_ASKED && is_asked(s, &word)) {
			sum += ASKED;
			asked++;
		}
		if (ctx_pick_is_new(s, &word))
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

/* Cut a line that is too long; it is written with a note at its end. */
static void
clip(const struct ctx_pick_step *s, struct ctx_pick_line *l)
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
price(const struct ctx_pick_step *s, size_t i)
{
	const struct ctx_pick *w = s->w;
	int before = i > 0 && !w->line[i - 1].stays;
	int after = i + 1 < w->n && !w->line[i + 1].stays;

	/* a gap becomes two, or stays one, or is closed */
	return w->line[i].chars + (before && after ? s->note : 0);
}

/* Take a line if there is room.  1, 0, or -1. */
static int
take_if(struct ctx_pick_step *s, size_t i, uint64_t *sum)
{
	uint64_t more = price(s, i);

	if (s->w->line[i].stays || s->w->line[i].note ||
	    *sum + more > s->max)
		return 0;
	*sum += more;
	return ctx_pick_take(s, &s->w->line[i]) == -1 ? -1 : 1;
}

/*
 * Take the first line, the last one, and those without which rows mean nothing,
 * unless they are long.
 */
static int
take_first(struct ctx_pick_step *s, uint64_t *sum)
{
	const struct ctx_pick_line *l = s->w->line;
	size_t i;

	for (i = 0; i < s->w->n; i++)
		if ((i == 0 || i + 1 == s->w->n || l[i].row == CTX_PICK_HEAD) &&
		    l[i].chars <= s->max / 8 && take_if(s, i, sum) == -1)
			return -1;
	return 0;
}

/* Make the heap of the lines that are worth something. */
static int
rate(struct ctx_pick_step *s, size_t *n)
{
	struct ctx_pick *w = s->w;
	struct ctx_heap t;
	size_t i;

	*n = 0;
	if (CTX_ROOM(w->heap, w->n, &w->capheap) == -1)
		return -1;
	for (i = 0; i < w->n; i++) {
		w->line[i].tries = 0;
		t = (struct ctx_heap){ worth(s, &w->line[i]), i };
		if (!w->line[i].stays && !w->line[i].note &&
		    !w->line[i].sent && t.worth > 0)
			w->heap[(*n)++] = t;
	}
	ctx_heap_make(w->heap, *n);
	return 0;
}

/*
 * Take lines by their worth.  It falls when others say the same, so it is
 * computed anew before a line is taken; a few times, so that no text makes this
 * slow.
 */
static int
take_best(struct ctx_pick_step *s, uint64_t *sum)
{
	struct ctx_pick *w = s->w;
	struct ctx_pick_line *l;
	uint64_t now;
	size_t n;

	if (rate(s, &n) == -1)
		return -1;
	while (n > 0) {
		l = &w->line[w->heap[0].i];
		now = worth(s, l);
		if (now < w->heap[0].worth && l->tries < TRIES) {
			l->tries++;
			w->heap[0].worth = now;
			ctx_heap_sink(w->heap, n);
			continue;
		}
		if (now >= s->least && take_if(s, w->heap[0].i, sum) == -1)
			return -1;
		ctx_heap_pop(w->heap, &n);
	}
	return 0;
}

int
ctx_pick_best(struct ctx_pick_step *s, uint64_t max, uint64_t least)
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
	return take_first(s, &sum) == -1 || take_best(s, &sum) == -1 ? -1 : 0;
}
