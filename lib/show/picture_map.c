/* SPDX-License-Identifier: MIT */
/*
 * The map of tokens: a rectangle for each tool and role, as large as its
 * tokens, and in it one for each file or turn.
 *
 * The rectangles are laid out so that they are as square as they can be in
 * order of size: a row is filled along the shorter side of what is left as long
 * as that makes the worst of its rectangles more square (Bruls, Huizing and van
 * Wijk, "Squarified Treemaps", 2000).
 */
#include "show/picture_impl.h"

#include <inttypes.h>
#include <stdlib.h>

#include "show/width.h"

#define HEIGHT		420
#define MOST		60	/* rectangles in one; the rest shares one */
#define HEAD		18	/* of one with a name */
#define LETTER		7	/* its width, about */

struct box {
	double x, y, w, h;
};

/* The rectangles of one level. */
struct level {
	const double *size;	/* the largest first, not 0 */
	size_t n;
	struct box *box;
};

/* How far the worst of a row is from a square. */
static double
worst(const double *size, size_t n, double sum, double side)
{
	double thick = sum / side, first = size[0] / thick / thick,
	    last = size[n - 1] / thick / thick;

	first = first < 1 ? 1 / first : first;
	last = last < 1 ? 1 / last : last;
	return first > last ? first : last;
}

/* Place a row of n rectangles along the shorter side of left. */
static void
put_row(const struct level *l, size_t from, size_t n, double sum,
    struct box *left)
{
	int tall = left->w >= left->h;	/* the row is a column */
	double thick = sum / (tall ? left->h : left->w), at = 0, len;
	size_t i;

	for (i = from; i < from + n; i++) {
		len = l->size[i] / thick;
		l->box[i] = tall ?
		    (struct box){ left->x, left->y + at, thick, len } :
		    (struct box){ left->x + at, left->y, len, thick };
		at += len;
	}
	if (tall) {
		left->x += thick;
		left->w -= thick;
	} else {
		left->y += thick;
		left->h -= thick;
	}
}

/* Divide area, whose size is the sum of the sizes. */
static void
divide(const struct level *l, struct box area)
{
	size_t i = 0, n;
	double sum, side;

	for (; i < l->n; i += n) {
		side = area.w < area.h ? area.w : area.h;
		side = side > 1e-6 ? side : 1e-6;
		sum = l->size[i];
		for (n = 1; i + n < l->n && worst(l->size + i, n + 1,
		    sum + l->size[i + n], side) <= worst(l->size + i, n, sum,
		    side); n++)
			sum += l->size[i + n];
		put_row(l, i, n, sum, &area);
	}
}

/* --- drawing ------------------------------------------------------------- */

/* Put a name, as much of it as there is room for: of a path rather its end. */
static void
put_name(const struct ctx_drawing *d, struct ctx_str name,
    const struct box *b, const char *class)
{
	size_t columns = b->w > 10 ? (size_t)((b->w - 8) / LETTER) : 0, n = 0;

	if (columns < 3 || b->h < HEAD - 3)
		return;
	if (ctx_width_of(name.p, name.len) > columns)
		for (n = name.len; n > 0 && name.p[n - 1] != '/'; n--)
			;
	if (n < name.len) {
		name.p += n;
		name.len -= (uint32_t)n;
	}
	n = ctx_width_cut(name.p, name.len, columns);
	ctx_buf_addf(d->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class,
	    (int)b->x + 5, (int)b->y + 13);
	if (n < name.len)
		n = ctx_width_cut(name.p, name.len, columns - 1);
	ctx_html_line(d->out, (struct ctx_str){ name.p, (uint32_t)n });
	ctx_buf_addf(d->out, "%s</text>\n", n < name.len ? "\u2026" : "");
}

static void
put_box(const struct ctx_drawing *d, uint32_t what, struct ctx_str where,
    const struct box *b, uint64_t tokens)
{
	int x = (int)b->x, y = (int)b->y;

	ctx_buf_adds(d->out, "<rect class=\"cell ");
	ctx_drawing_colour(d, what);
	ctx_buf_addf(d->out, "\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">"
	    "<title>", x, y, (int)(b->x + b->w) - x, (int)(b->y + b->h) - y);
	ctx_html_line(d->out, ctx_drawing_what(d, what));
	ctx_buf_adds(d->out, ", ");
	ctx_html_line(d->out, where);
	ctx_buf_adds(d->out, ": ");
	ctx_html_number(d->out, tokens);
	ctx_buf_adds(d->out, " tokens</title></rect>\n");
	put_name(d, where, b, "in");
}

/* The ground of a name above what is in a box. */
static void
put_back(const struct ctx_drawing *d, uint32_t what, const struct box *b)
{
	ctx_buf_adds(d->out, "<rect class=\"");
	ctx_drawing_colour(d, what);
	ctx_buf_addf(d->out, "\" x=\"%d\" y=\"%d\" width=\"%d\" "
	    "height=\"%d\"/>\n", (int)b->x, (int)b->y, (int)(b->x + b->w) -
	    (int)b->x, HEAD + 1);
}

/* A cell, and the number of its place. */
struct place {
	uint64_t tokens;
	size_t cell;
};

static int
by_size(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->tokens != y->tokens)
		return x->tokens < y->tokens ? 1 : -1;
	return x->cell < y->cell ? -1 : 1;
}

/* Storage for one level. */
struct work {
	struct place *place;
	double size[MOST];
	struct box box[MOST];
};

/* Set k->place to the cells of a tool or role, the largest first. */
static size_t
list_places(const struct ctx_picture *p, struct work *k, uint32_t what)
{
	size_t i, n = 0;

	for (i = 0; i < p->ncell; i++)
		if (p->cell[i].what == what && p->cell[i].tokens > 0)
			k->place[n++] = (struct place){ p->cell[i].tokens, i };
	qsort(k->place, n, sizeof(*k->place), by_size);
	for (i = MOST; i < n; i++)
		k->place[MOST - 1].tokens += k->place[i].tokens;
	return n;
}

/* Draw what is in the box of one tool or role. */
static void
put_inside(const struct ctx_drawing *d, struct work *k, uint32_t what,
    struct box area)
{
	static const char others[] = "all others";
	struct level l = { k->size, 0, k->box };
	struct ctx_str where = { others, sizeof(others) - 1 };
	uint64_t sum = d->p->sum[what];
	double scale;
	size_t i, n;

	if (area.w < 4 || area.h < 4) {
		put_box(d, what, where, &area, sum);
		return;
	}
	n = list_places(d->p, k, what);
	l.n = n > MOST ? MOST : n;
	if (area.h > 2.0 * HEAD && area.w > 60) {
		put_back(d, what, &area);
		put_name(d, ctx_drawing_what(d, what), &area, "head");
		area.y += HEAD;
		area.h -= HEAD;
	}
	scale = area.w * area.h / (double)sum;
	for (i = 0; i < l.n; i++)
		k->size[i] = (double)k->place[i].tokens * scale;
	divide(&l, area);
	for (i = 0; i < l.n; i++)
		put_box(d, what, n > MOST && i == MOST - 1 ? where :
		    ctx_drawing_where(d, k->place[i].cell), &k->box[i],
		    k->place[i].tokens);
}

/* Draw the boxes, the last of which may be that of all others. */
static void
put_all(const struct ctx_drawing *d, struct work *k, const struct level *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (i + 1 < MOST || d->used == MOST)
			put_inside(d, k, d->order[i], l->box[i]);
}

int
ctx_drawing_map(const struct ctx_drawing *d, struct ctx_err *err)
{
	const struct box all = { 0, 0, CTX_PICTURE_WIDTH, HEIGHT };
	struct place *place = calloc(d->p->ncell + 1, sizeof(*place));
	double size[MOST] = { 0 };
	struct box box[MOST];
	struct level l = { size, 0, box };
	struct work k;
	size_t i;

	if (place == NULL)
		return ctx_fail_nomem(err);
	k.place = place;
	for (i = 0; i < d->used; i++)
		size[i < MOST ? i : MOST - 1] += all.w * all.h *
		    (double)d->p->sum[d->order[i]] / (double)d->total;
	l.n = d->used < MOST ? d->used : MOST;
	divide(&l, all);
	put_all(d, &k, &l);
	free(place);
	return 0;
}
