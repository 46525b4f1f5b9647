/* SPDX-License-Identifier: MIT */
/* The plot of a window: the tokens in it after each message. */
#include "show/picture_impl.h"

#include <inttypes.h>

#define LEFT		64	/* of the axes */
#define RIGHT		1190
#define TOP		12
#define BOTTOM		232
#define CONVERSATIONS	20	/* lines, at most */
#define TICKS		12

/* Where the figures are. */
struct plot {
	const struct ctx_drawing *d;
	uint64_t top;		/* tokens at the top */
};

static unsigned
x_of(const struct plot *t, size_t i)
{
	size_t n = t->d->p->nmark;

	return LEFT + (unsigned)((RIGHT - LEFT) * (i + 1) / n);
}

static unsigned
y_of(const struct plot *t, uint64_t tokens)
{
	return BOTTOM - (unsigned)((BOTTOM - TOP) * tokens / t->top);
}

/* The tokens after mark i, of those of its conversation before. */
static uint64_t
after(const struct ctx_picture_mark *k, uint64_t before)
{
	return (k->fresh ? 0 : before) + k->tokens;
}

/* The most tokens in the window of any conversation. */
static uint64_t
peak(const struct ctx_picture *p)
{
	uint64_t sum[CONVERSATIONS] = { 0 }, most = 1, c;
	size_t i;

	for (i = 0; i < p->nmark; i++) {
		c = p->mark[i].conversation - 1;
		if (c >= CONVERSATIONS)
			continue;
		sum[c] = after(&p->mark[i], sum[c]);
		most = sum[c] > most ? sum[c] : most;
	}
	return most;
}

/* 1, 2, 5, 10, 20 ...: a step of which at most five are in n. */
static uint64_t
step_of(uint64_t n)
{
	static const unsigned times[] = { 2, 5, 10 };
	uint64_t ten = 1;
	size_t i;

	if (n <= 5)
		return 1;
	for (;; ten *= 10)
		for (i = 0; i < 3; i++)
			if (n / (ten * times[i]) <= 5)
				return ten * times[i];
}

/* Lines across, with their tokens. */
static void
put_grid(const struct plot *t)
{
	struct ctx_buf *out = t->d->out;
	uint64_t step = step_of(t->top), n;

	for (n = 0; n <= t->top; n += step) {
		ctx_buf_addf(out, "<path class=\"%s\" d=\"M%d %uH%d\"/>"
		    "<text class=\"y\" x=\"%d\" y=\"%u\">", n == 0 ? "axis" :
		    "grid", LEFT, y_of(t, n), RIGHT, LEFT - 6, y_of(t, n) + 4);
		ctx_html_number(out, n);
		ctx_buf_adds(out, "</text>\n");
	}
}

/* Under the axis: where turns begin, of the first conversation. */
static void
put_turns(const struct plot *t)
{
	const struct ctx_picture *p = t->d->p;
	uint64_t turns = 0, seen = 0, step;
	unsigned x, free = 0;	/* where the next number may begin */
	size_t i;

	for (i = 0; i < p->nmark; i++)
		if (p->mark[i].conversation == 1 && p->mark[i].turn > turns)
			turns = p->mark[i].turn;
	step = turns <= TICKS ? 1 : step_of(turns * 5 / TICKS);
	for (i = 0; i < p->nmark; i++) {
		const struct ctx_picture_mark *k = &p->mark[i];

		if (k->conversation != 1 || k->turn <= seen)
			continue;
		seen = k->turn;
		if (seen != 1 && seen % step != 0)
			continue;
		x = i == 0 ? LEFT : x_of(t, i - 1);
		if (x < free)
			continue;
		free = x + (seen == 1 ? 48 : 32);
		ctx_buf_addf(t->d->out, "<path class=\"axis\" d=\"M%u %dv5\"/>"
		    "<text x=\"%u\" y=\"%d\">%s%" PRIu64 "</text>\n", x, BOTTOM,
		    x, BOTTOM + 18, seen == 1 ? "turn " : "", seen);
	}
}

/*
 * The line of a conversation, from its first message on.  What it grows by
 * within one column is drawn with what follows.
 */
static void
put_line(const struct plot *t, uint64_t conversation)
{
	const struct ctx_picture *p = t->d->p;
	struct ctx_buf *out = t->d->out;
	unsigned x, last = 0;
	uint64_t sum = 0, before, drawn = 0;
	size_t i;

	for (i = 0; i < p->nmark; i++) {
		if (p->mark[i].conversation != conversation)
			continue;
		if (last == 0) {
			last = i == 0 ? LEFT : x_of(t, i - 1);
			ctx_buf_addf(out, "<path class=\"line\" d=\"M%u %d",
			    last, BOTTOM);
		}
		before = sum;
		sum = after(&p->mark[i], sum);
		if (sum < before && before != drawn) {
			ctx_buf_addf(out, "V%u", y_of(t, before));
			drawn = before;
		}
		x = x_of(t, i);
		if (x == last && sum >= drawn)
			continue;
		ctx_buf_addf(out, "H%uV%u", x, y_of(t, sum));
		last = x;
		drawn = sum;
	}
	if (last == 0)
		return;
	if (sum != drawn)
		ctx_buf_addf(out, "V%u", y_of(t, sum));
	ctx_buf_addf(out, "V%d\"/>\n", BOTTOM);
}

void
ctx_drawing_plot(const struct ctx_drawing *d)
{
	struct plot t = { d, peak(d->p) };
	uint64_t c;

	if (d->p->window > t.top)
		t.top = d->p->window;
	t.top += t.top / 16;
	put_grid(&t);
	if (d->p->nmark == 0)
		return;
	put_turns(&t);
	for (c = 1; c <= CONVERSATIONS; c++)
		put_line(&t, c);
	if (d->p->window == 0)
		return;
	ctx_buf_addf(d->out, "<path class=\"limit\" d=\"M%d %uH%d\"/><text "
	    "class=\"limit y\" x=\"%d\" y=\"%u\">window ", LEFT,
	    y_of(&t, d->p->window), RIGHT, RIGHT,
	    y_of(&t, d->p->window) + 14);
	ctx_html_number(d->out, d->p->window);
	ctx_buf_adds(d->out, "</text>\n");
}
