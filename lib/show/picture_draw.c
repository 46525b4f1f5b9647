/* SPDX-License-Identifier: MIT */
/* Pictures as they are drawn; see picture.h. */
#include "show/picture_impl.h"

#include <inttypes.h>
#include <stdlib.h>

#define COLOURS		7	/* of tools; the others share one */
#define TABLE_ROWS	200
#define LEGEND		40

static const unsigned char style[] = {
#include "show/picture.css.inc"
};

struct ctx_str
ctx_picture_style(void)
{
	return (struct ctx_str){ (const char *)style, sizeof(style) };
}

struct ctx_str
ctx_drawing_what(const struct ctx_drawing *d, uint32_t what)
{
	size_t len;
	const char *name = ctx_strmap_at(&d->p->what, what, &len);

	if (what >= CTX_WHAT_TOOLS) {
		name++;
		len--;
	}
	return (struct ctx_str){ name, (uint32_t)len };
}

struct ctx_str
ctx_drawing_where(const struct ctx_drawing *d, size_t cell)
{
	size_t len;
	const char *p = ctx_strmap_at(&d->p->where, cell, &len),
	    *name = (const char *)memchr(p, ' ', len) + 1;

	return (struct ctx_str){ name, (uint32_t)(len - (size_t)(name - p)) };
}

void
ctx_drawing_colour(const struct ctx_drawing *d, uint32_t what)
{
	struct ctx_str name = ctx_drawing_what(d, what);

	if (what < CTX_WHAT_TOOLS)
		ctx_buf_addf(d->out, "k-%.*s", CTX_STR_ARGS(name));
	else if (d->colour[what] < COLOURS)
		ctx_buf_addf(d->out, "k-%" PRIu32, d->colour[what]);
	else
		ctx_buf_adds(d->out, "k-other");
}

struct ranked {
	uint64_t tokens;
	uint32_t what;
};

static int
by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->tokens != y->tokens)
		return x->tokens < y->tokens ? 1 : -1;
	return x->what < y->what ? -1 : 1;
}

/* Put what there is in order, most tokens first, and give tools colours. */
static int
begin(struct ctx_drawing *d, uint32_t **memory, struct ctx_err *err)
{
	size_t n = d->p->nsum, i;
	struct ranked *rank = calloc(n + 1, sizeof(*rank));
	uint32_t *order = calloc(2 * n + 1, sizeof(*order)), tools = 0;

	if (order == NULL || rank == NULL) {
		free(order);
		free(rank);
		return ctx_fail_nomem(err);
	}
	for (i = 0; i < n; i++) {
		rank[i] = (struct ranked){ d->p->sum[i], (uint32_t)i };
		d->total += d->p->sum[i];
		d->used += d->p->sum[i] > 0;
	}
	qsort(rank, n, sizeof(*rank), by_rank);
	for (i = 0; i < n; i++) {
		order[i] = rank[i].what;
		if (rank[i].what >= CTX_WHAT_TOOLS)
			order[n + rank[i].what] = tools++;
	}
	free(rank);
	d->cached = ctx_cached_find(d->p);
	d->order = *memory = order;
	d->colour = order + n;
	return 0;
}

/* --- a picture ----------------------------------------------------------- */

/* Begin the element, of this kind of picture. */
static void
put_start(const struct ctx_drawing *d, enum ctx_picture_kind kind)
{
	static const struct {
		const char *class, *label;
		int height;
	} is[] = {
		{ "bar", "Messages, each as wide as its tokens", 0 },
		{ "map", "Tokens by tool, file and turn", 420 },
		{ "plot", "Tokens in the window, by message", 260 }
	};
	int height = kind == CTX_PICTURE_BAR ? ctx_drawing_bar_height(d) :
	    is[kind].height;
	struct ctx_buf *out = d->out;

	ctx_buf_adds(out, "<svg ");
	if (d->alone || kind != CTX_PICTURE_BAR)
		ctx_buf_addf(out, "viewBox=\"0 0 %d %d\" ", CTX_PICTURE_WIDTH,
		    height);
	if (d->alone)
		ctx_buf_addf(out, "xmlns=\"http://www.w3.org/2000/svg\" "
		    "width=\"%d\" height=\"%d\" ", CTX_PICTURE_WIDTH, height);
	ctx_buf_addf(out, "class=\"picture %s%s\" role=\"img\" "
	    "aria-label=\"%s\">\n", is[kind].class, kind ==
	    CTX_PICTURE_BAR && !d->alone && height > 48 ? " two" : "",
	    is[kind].label);
	if (d->alone) {
		ctx_buf_adds(out, "<style>");
		ctx_buf_add(out, style, sizeof(style));
		ctx_buf_adds(out, "</style>\n");
	}
}

int
ctx_picture_put(struct ctx_picture *p, enum ctx_picture_kind kind, int alone,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_drawing d = { .p = p, .out = out, .alone = alone };
	uint32_t *memory;
	int rc = 0;

	if (begin(&d, &memory, err) == -1)
		return -1;
	put_start(&d, kind);
	if (alone && p->nmark == 0)
		ctx_buf_adds(out, "<text x=\"6\" y=\"30\">no messages"
		    "</text>\n");
	else if (kind == CTX_PICTURE_BAR)
		ctx_drawing_bar(&d);
	else if (kind == CTX_PICTURE_PLOT)
		ctx_drawing_plot(&d);
	else
		rc = ctx_drawing_map(&d, err);
	ctx_buf_adds(out, "</svg>\n");
	free(memory);
	return rc == 0 ? ctx_buf_fail(out, err) : -1;
}

int
ctx_picture_notes(struct ctx_picture *p, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_drawing d = { .p = p, .out = out,
	    .cached = ctx_cached_find(p) };

	ctx_drawing_notes(&d);
	return ctx_buf_fail(out, err);
}

/* --- words beside pictures ----------------------------------------------- */

static int
by_tokens(const void *a, const void *b)
{
	const struct ctx_picture_cell *const *i = a, *const *k = b,
	    *x = *i, *y = *k;

	if (x->tokens != y->tokens)
		return x->tokens < y->tokens ? 1 : -1;
	return x < y ? -1 : x > y;
}

static int
put_table(const struct ctx_drawing *d, struct ctx_err *err)
{
	const struct ctx_picture *p = d->p;
	const struct ctx_picture_cell **row = calloc(p->ncell + 1,
	    sizeof(*row));
	size_t i;

	if (row == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < p->ncell; i++)
		row[i] = &p->cell[i];
	qsort(row, p->ncell, sizeof(*row), by_tokens);
	ctx_buf_adds(d->out, "<details><summary>Table</summary>\n<table>\n"
	    "<thead><tr><th scope=\"col\">What</th><th scope=\"col\">File or "
	    "turn</th><th scope=\"col\">Tokens</th></tr></thead>\n<tbody>\n");
	for (i = 0; i < p->ncell && i < TABLE_ROWS; i++) {
		ctx_buf_adds(d->out, "<tr><td><bdi>");
		ctx_html_line(d->out, ctx_drawing_what(d, row[i]->what));
		ctx_buf_adds(d->out, "</bdi></td><td><bdi>");
		ctx_html_line(d->out, ctx_drawing_where(d,
		    (size_t)(row[i] - p->cell)));
		ctx_buf_adds(d->out, "</bdi></td><td>");
		ctx_html_number(d->out, row[i]->tokens);
		ctx_buf_adds(d->out, "</td></tr>\n");
	}
	ctx_buf_adds(d->out, "</tbody>\n</table>\n</details>\n");
	free(row);
	return 0;
}

int
ctx_picture_legend(struct ctx_picture *p, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_drawing d = { .p = p, .out = out };
	uint32_t *memory;
	size_t i;
	int rc;

	if (begin(&d, &memory, err) == -1)
		return -1;
	ctx_buf_adds(out, "<ul class=\"legend\">\n");
	for (i = 0; i < d.used && i < LEGEND; i++) {
		ctx_buf_adds(out, "<li><span class=\"sw ");
		ctx_drawing_colour(&d, d.order[i]);
		ctx_buf_adds(out, "\"></span><bdi>");
		ctx_html_line(out, ctx_drawing_what(&d, d.order[i]));
		ctx_buf_adds(out, "</bdi> <span class=\"n\">");
		ctx_html_number(out, p->sum[d.order[i]]);
		ctx_buf_adds(out, "</span></li>\n");
	}
	ctx_buf_adds(out, "</ul>\n");
	rc = put_table(&d, err);
	free(memory);
	return rc == 0 ? ctx_buf_fail(out, err) : -1;
}
