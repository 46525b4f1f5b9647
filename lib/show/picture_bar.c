/* SPDX-License-Identifier: MIT */
/* The bar, in which each message is as wide as its tokens; see picture.h. */
#include "show/picture_impl.h"

#include <inttypes.h>

#define UNITS	12000	/* in its width */
#define HEIGHT	40
#define LEAST	6	/* units of what is drawn by itself */
#define LINE	5	/* the height of a line under it, */
#define LINES	7	/* and of it with what is above it */
#define KEYS	24	/* of what the colours mean, below all */
#define NOTE	18	/* and of each note */

/* Draw messages from .. end, which begin and end at these units. */
static void
put_slice(const struct ctx_drawing *d, const size_t run[2], uint64_t at,
    uint64_t to)
{
	const struct ctx_picture_mark *k = &d->p->mark[run[0]], *main = k, *i;
	const struct ctx_picture_mark *end = &d->p->mark[run[1]];
	char anchor = d->p->end > 0 ? d->p->anchor : 'm';
	uint64_t tokens = 0;

	for (i = k; i < end; i++) {
		tokens += i->tokens;
		main = i->tokens > main->tokens ? i : main;
	}
	if (!d->alone && k->shown)
		ctx_buf_addf(d->out, "<a href=\"#%c%" PRIu64
		    "\" tabindex=\"-1\">", anchor, k->no);
	ctx_buf_adds(d->out, "<rect class=\"");
	ctx_drawing_colour(d, main->what);
	ctx_buf_addf(d->out, "\" x=\"%" PRIu64 "\" width=\"%" PRIu64
	    "\" height=\"%d\"><title>#%" PRIu64, at, to - at, HEIGHT, k->no);
	if (end - k > 1)
		ctx_buf_addf(d->out, " to #%" PRIu64, end[-1].no);
	ctx_buf_adds(d->out, " ");
	ctx_html_line(d->out, ctx_drawing_what(d, main->what));
	ctx_buf_adds(d->out, ", ");
	ctx_html_number(d->out, tokens);
	ctx_buf_addf(d->out, " tokens</title></rect>%s\n",
	    !d->alone && k->shown ? "</a>" : "");
}

/* Where the messages end, from p->first on. */
static size_t
end_of(const struct ctx_picture *p)
{
	return p->end > 0 ? p->end : p->nmark;
}

/* The tokens of the whole width. */
static uint64_t
width_of(const struct ctx_picture *p)
{
	uint64_t total = 0;
	size_t i;

	for (i = p->first; i < end_of(p); i++)
		total += p->mark[i].tokens;
	return p->end > 0 && p->scale > total ? p->scale : total;
}

static void
put_slices(const struct ctx_drawing *d, uint64_t total)
{
	const struct ctx_picture *p = d->p;
	uint64_t sum = 0, at = 0, to = 0;
	size_t run[2] = { p->first, p->first }, i;

	for (i = p->first; i < end_of(p); i++) {
		sum += p->mark[i].tokens;
		to = sum * UNITS / total;
		if (to - at < LEAST && i + 1 < end_of(p))
			continue;
		run[1] = i + 1;
		put_slice(d, run, at, to);
		run[0] = i + 1;
		at = to;
	}
}

/* --- lines under it ------------------------------------------------------ */

/* What message i is in a line: the name of a colour, or NULL: nothing. */
typedef const char *line_fn(const struct ctx_drawing *d, size_t i);

static const char *
became(const struct ctx_drawing *d, size_t i)
{
	return ctx_became_look(d->p->mark[i].became)->name;
}

static const char *
cached(const struct ctx_drawing *d, size_t i)
{
	return ctx_cached_is(d->p, &d->cached, i) ? "cached" : NULL;
}

/* Draw a run of messages that are the same in a line at y. */
static void
put_run(const struct ctx_drawing *d, const char *name, int y,
    const uint64_t unit[2])
{
	if (name == NULL || unit[0] == unit[1])
		return;
	ctx_buf_addf(d->out, "<rect class=\"k-%s\" x=\"%" PRIu64 "\" y=\"%d\" "
	    "width=\"%" PRIu64 "\" height=\"%d\"><title>%s</title></rect>\n",
	    name, unit[0], y, unit[1] - unit[0], LINE, name);
	/* what is not sent any more is shaded */
	if (name == ctx_became_look(CTX_BECAME_DROPPED)->name)
		ctx_buf_addf(d->out, "<rect class=\"shade\" x=\"%" PRIu64
		    "\" width=\"%" PRIu64 "\" height=\"%d\"/>\n", unit[0],
		    unit[1] - unit[0], HEIGHT);
}

static void
put_line(const struct ctx_drawing *d, line_fn *fn, int y, uint64_t total)
{
	uint64_t sum = 0, unit[2] = { 0, 0 };
	const char *last = NULL, *now;
	size_t i;

	for (i = d->p->first; i < end_of(d->p); i++) {
		now = fn(d, i);
		if (now != last) {
			unit[1] = sum * UNITS / total;
			put_run(d, last, y, unit);
			unit[0] = unit[1];
			last = now;
		}
		sum += d->p->mark[i].tokens;
	}
	unit[1] = sum * UNITS / total;
	put_run(d, last, y, unit);
}

/* --- what it means ------------------------------------------------------- */

/* Append what became of messages; 0 if of none. */
static int
add_became(struct ctx_buf *out, const struct ctx_picture *p,
    enum ctx_became what)
{
	const struct ctx_became_sum *s = &p->sums[what];
	int side = what == CTX_BECAME_ADDED;

	if (s->messages[side] == 0)
		return 0;
	ctx_buf_addf(out, "%s: ", ctx_became_look(what)->name);
	ctx_html_count(out, s->messages[side], "message");
	ctx_buf_adds(out, ", ");
	if (s->tokens[0] != s->tokens[1] && what != CTX_BECAME_DROPPED &&
	    what != CTX_BECAME_ADDED) {
		ctx_html_number(out, s->tokens[0]);
		ctx_buf_adds(out, " \u2192 ");
		side = 1;
	}
	ctx_html_count(out, s->tokens[side], "token");
	return 1;
}

static int
add_cached(struct ctx_buf *out, const struct ctx_drawing *d)
{
	const struct ctx_cached *c = &d->cached;

	if (c->tokens == 0)
		return 0;
	if (c->to == 0)
		ctx_buf_adds(out, "still in a prompt cache: ");
	else
		ctx_buf_addf(out, "%s: up to #%" PRIu64 ", ", c->answer > 0 ?
		    "in the provider\u2019s cache" : "marked to be cached",
		    d->p->mark[c->to - 1].no);
	ctx_html_count(out, c->tokens, "token");
	if (c->answer > 0) {
		ctx_buf_addf(out, "; answer #%" PRIu64 " says that ",
		    c->answer);
		ctx_html_number(out, d->p->usage.cached);
		ctx_buf_adds(out, " were read and ");
		ctx_html_number(out, d->p->usage.written);
		ctx_buf_adds(out, " written");
	}
	return 1;
}

/*
 * Call fn for each note, with the class of its colour; returns their number.
 * With fn NULL they are only counted.
 */
static size_t
each_note(const struct ctx_drawing *d, void (*fn)(const struct ctx_drawing *d,
    const char *name, struct ctx_str text, size_t i))
{
	struct ctx_buf text = { 0 };
	size_t n = 0;
	int k, is;

	for (k = CTX_BECAME_SAME; k <= CTX_BECAME_N; k++) {
		ctx_buf_reset(&text);
		if (k < CTX_BECAME_N)
			is = d->p->sums != NULL && add_became(&text, d->p,
			    (enum ctx_became)k);
		else
			is = add_cached(&text, d);
		if (is && fn != NULL)
			fn(d, k == CTX_BECAME_N ? "cached" :
			    ctx_became_look((enum ctx_became)k)->name,
			    ctx_str_of(&text), n);
		n += (size_t)is;
		d->out->failed |= text.failed;
	}
	ctx_buf_done(&text);
	return n;
}

static int
height_of(const struct ctx_drawing *d)
{
	return d->p->sums != NULL && d->cached.tokens > 0 ? 55 : 48;
}

static void
put_note(const struct ctx_drawing *d, const char *name, struct ctx_str text,
    size_t i)
{
	int y = height_of(d) + KEYS + 6 + (int)i * NOTE;

	ctx_buf_addf(d->out, "<rect class=\"k-%s\" y=\"%d\" width=\"12\" "
	    "height=\"5\"/><text x=\"18\" y=\"%d\">%.*s</text>\n", name, y + 5,
	    y + 11, CTX_STR_ARGS(text));
}

static void
list_note(const struct ctx_drawing *d, const char *name, struct ctx_str text,
    size_t i)
{
	(void)i;
	ctx_buf_addf(d->out, "<li><span class=\"sw k-%s\"></span>%.*s</li>\n",
	    name, CTX_STR_ARGS(text));
}

void
ctx_drawing_notes(const struct ctx_drawing *d)
{
	if (each_note(d, NULL) == 0)
		return;
	ctx_buf_adds(d->out, "<ul class=\"legend\">\n");
	(void)each_note(d, list_note);
	ctx_buf_adds(d->out, "</ul>\n");
}

/* What the colours mean, under a bar that stands alone. */
static void
put_keys(const struct ctx_drawing *d)
{
	int y = height_of(d) + 9;
	struct ctx_str name;
	size_t i, x = 0;

	for (i = 0; i < d->used && x < CTX_PICTURE_WIDTH - 150; i++) {
		name = ctx_drawing_what(d, d->order[i]);
		name.len = name.len > 40 ? 40 : name.len;
		ctx_buf_adds(d->out, "<rect class=\"");
		ctx_drawing_colour(d, d->order[i]);
		ctx_buf_addf(d->out, "\" x=\"%zu\" y=\"%d\" width=\"12\" "
		    "height=\"12\"/><text x=\"%zu\" y=\"%d\">", x, y, x + 18,
		    y + 11);
		ctx_html_line(d->out, name);
		ctx_buf_adds(d->out, "</text>\n");
		x += 18 + 8 * (size_t)name.len + 20;
	}
}

int
ctx_drawing_bar_height(const struct ctx_drawing *d)
{
	int notes = d->alone ? (int)each_note(d, NULL) : 0;

	return height_of(d) + (d->alone ? KEYS : 0) +
	    (notes > 0 ? 6 + notes * NOTE : 0);
}

void
ctx_drawing_bar(const struct ctx_drawing *d)
{
	uint64_t total = width_of(d->p);
	int height = height_of(d), y = HEIGHT + 2;

	ctx_buf_addf(d->out, "<svg width=\"%s\" height=\"%d\" viewBox=\"0 0 %d "
	    "%d\" preserveAspectRatio=\"none\">\n", d->alone ? "1200" :
	    "100%", height, UNITS, height);
	if (total > 0) {
		put_slices(d, total);
		if (d->p->sums != NULL) {
			put_line(d, became, y, total);
			y += LINES;
		}
		put_line(d, cached, y, total);
	}
	ctx_buf_adds(d->out, "</svg>\n");
	if (d->alone) {
		put_keys(d);
		(void)each_note(d, put_note);
	}
}
