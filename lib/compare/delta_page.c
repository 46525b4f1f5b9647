/* SPDX-License-Identifier: MIT */
/* The differences of two histories as a page; see delta_page.h. */
#include "compare/delta_page.h"

#include <inttypes.h>

#include "compare/delta_impl.h"
#include "compare/wdiff.h"
#include "show/figure.h"
#include "show/html.h"
#include "show/width.h"

#define AROUND	3	/* lines of a text that are shown around changes */
#define FOLD	10	/* more lines are folded */

/* The anchors of messages of both histories. */
static const char anchor[2] = { 'o', 'n' };

/* Message i of a unit, on a side where it has such a message. */
static const struct ctx_shown *
shown(const struct ctx_delta_page *d, const struct ctx_unit *unit, int side,
    uint32_t i)
{
	const struct ctx_match_side *s = &d->m->side[side];

	return &d->reel[side].m[s->msg[s->list[unit->first[side] + i]].added];
}

/* The side of what is shown of a unit: the new one, unless it is not there. */
static int
side_of(const struct ctx_unit *unit)
{
	return unit->n[1] > 0;
}

/* --- texts --------------------------------------------------------------- */

/* Set d->text to the texts of a unit, each on lines of its own. */
static void
set_text(struct ctx_delta_page *d, const struct ctx_unit *unit, int side)
{
	struct ctx_buf *out = &d->text[side];
	uint32_t i;
	size_t k;

	ctx_buf_reset(out);
	for (i = 0; i < unit->n[side]; i++) {
		const struct ctx_shown *m = shown(d, unit, side, i);

		for (k = 0; k < m->npart; k++) {
			const struct ctx_shown_part *p = &m->part[k];
			struct ctx_str tool = ctx_scene_tool(p);

			if (p->kind == CTX_CALL || p->kind == CTX_RESULT)
				ctx_buf_addf(out, "%s %.*s%s", p->kind ==
				    CTX_CALL ? "\u25b8" : "\u25c2",
				    CTX_STR_ARGS(tool), p->kind == CTX_CALL ?
				    " " : p->flags & CTX_ERROR ? " failed\n" :
				    "\n");
			else if (p->kind == CTX_IMAGE || p->kind == CTX_FILE) {
				ctx_figure_words(out, p);
				if (p->text.len > 0)
					ctx_buf_addc(out, '\n');
			}
			ctx_buf_add(out, p->text.p, p->text.len);
			if (out->len > 0 && out->data[out->len - 1] != '\n')
				ctx_buf_addc(out, '\n');
		}
	}
}

/* The bytes of the first n lines, or of all but the last n. */
static uint32_t
lines_of(struct ctx_str text, size_t n, int end)
{
	uint32_t i;

	if (!end) {
		for (i = 0; i < text.len && n > 0; i++)
			n -= text.p[i] == '\n';
		return i;
	}
	for (i = text.len; i > 0; i--)
		if (text.p[i - 1] == '\n' && n-- == 0)
			break;
	return i;
}

/* Put a text; the middle of many lines is folded, as so many lines of what. */
static void
put_some(struct ctx_buf *out, struct ctx_str text, const char *what)
{
	size_t lines = ctx_width_lines(text.p, text.len);
	uint32_t from, to;

	if (lines <= FOLD) {
		ctx_html_text(out, text);
		return;
	}
	from = lines_of(text, AROUND, 0);
	to = lines_of(text, AROUND, 1);
	ctx_html_text(out, (struct ctx_str){ text.p, from });
	ctx_buf_adds(out, "<details><summary>\u2026 ");
	ctx_html_count(out, ctx_width_lines(text.p + from, to - from), "line");
	ctx_buf_addf(out, " %s</summary>", what);
	ctx_html_text(out, (struct ctx_str){ text.p + from, to - from });
	ctx_buf_adds(out, "</details>");
	ctx_html_text(out, (struct ctx_str){ text.p + to, text.len - to });
}

static void
put_words(void *arg, char sign, struct ctx_str text)
{
	struct ctx_buf *out = arg;
	const char *tag = sign == '-' ? "del" : "ins";

	if (sign == ' ') {
		put_some(out, text, "the same");
		return;
	}
	ctx_buf_addf(out, "<%s>", tag);
	put_some(out, text, sign == '-' ? "left out" : "added");
	ctx_buf_addf(out, "</%s>", tag);
}

static int
put_texts(struct ctx_delta_page *d, const struct ctx_unit *unit,
    struct ctx_err *err)
{
	struct ctx_buf *out = &d->page.body;

	set_text(d, unit, 0);
	set_text(d, unit, 1);
	if (ctx_buf_fail(&d->text[0], err) == -1 ||
	    ctx_buf_fail(&d->text[1], err) == -1)
		return -1;
	ctx_buf_adds(out, "<div class=\"words\" dir=\"auto\">");
	if (ctx_wdiff(ctx_str_of(&d->text[0]), ctx_str_of(&d->text[1]),
	    put_words, out, err) == -1)
		return -1;
	ctx_buf_adds(out, "</div>\n");
	return 0;
}

/* --- images and files ---------------------------------------------------- */

/*
 * Put those of a side of the unit that the other one does not have, if put is
 * set.  Returns how many there are.
 */
static size_t
each_other(struct ctx_delta_page *d, const struct ctx_unit *unit, int side,
    int put)
{
	const struct ctx_match_side *s = &d->m->side[side];
	size_t n = 0;
	uint32_t i, k;

	for (i = 0; i < unit->n[side]; i++) {
		uint32_t at = s->list[unit->first[side] + i];
		const struct ctx_match_part *p = &s->part[s->msg[at].part];

		for (k = 0; k < s->msg[at].npart; k++, p++) {
			if ((p->kind != CTX_IMAGE && p->kind != CTX_FILE) ||
			    (p->mate != CTX_NONE && p->how == CTX_MATCH_SAME))
				continue;
			n++;
			if (put)
				ctx_page_media(&d->page,
				    &shown(d, unit, side, i)->part[p->nth]);
		}
	}
	return n;
}

/* Put the images that changed, the old ones beside the new ones. */
static void
put_images(struct ctx_delta_page *d, const struct ctx_unit *unit)
{
	struct ctx_buf *out = &d->page.body;
	int side;

	if (each_other(d, unit, 0, 0) + each_other(d, unit, 1, 0) == 0)
		return;
	ctx_buf_adds(out, "<div class=\"sides\">");
	for (side = 0; side < 2; side++) {
		ctx_buf_adds(out, side ? "<div><p>After</p>\n" :
		    "<div><p>Before</p>\n");
		if (each_other(d, unit, side, 1) == 0)
			ctx_buf_adds(out, "<p>None.</p>\n");
		ctx_buf_adds(out, "</div>");
	}
	ctx_buf_adds(out, "</div>\n");
}

/* --- a unit -------------------------------------------------------------- */

/* Append "#3", or "#3 -> #2" if it is elsewhere now. */
static void
add_place(const struct ctx_delta_page *d, struct ctx_buf *out,
    const struct ctx_unit *unit)
{
	uint64_t was = unit->n[0] > 0 ? shown(d, unit, 0, 0)->no : 0;
	uint64_t is = unit->n[1] > 0 ? shown(d, unit, 1, 0)->no : 0;

	ctx_buf_addf(out, "#%" PRIu64, was > 0 ? was : is);
	if (was > 0 && is > 0 && was != is)
		ctx_buf_addf(out, "\u2192%" PRIu64, is);
}

static void
add_tokens(struct ctx_buf *out, const struct ctx_unit *unit)
{
	int one = unit->n[0] == 0 || unit->n[1] == 0;

	ctx_html_number(out, unit->tokens[one ? side_of(unit) : 0]);
	if (!one && unit->tokens[0] != unit->tokens[1]) {
		ctx_buf_adds(out, " \u2192 ");
		ctx_html_number(out, unit->tokens[1]);
	}
	ctx_buf_adds(out, "<span class=\"u\"> tokens</span>");
}

static const char *
role_of(const struct ctx_shown *m)
{
	return ctx_msg_role_name(ctx_scene_is_results(m) ? CTX_TOOL : m->role);
}

/* The line of a change in the list of them. */
static void
put_entry(struct ctx_delta_page *d, uint32_t k)
{
	const struct ctx_unit *unit = &d->m->unit[k];
	const struct ctx_match_part *p;
	struct ctx_buf *out = &d->page.nav;
	int side;

	ctx_buf_addf(out, "<li><a href=\"#u%" PRIu32 "\"><span>", k + 1);
	add_place(d, out, unit);
	ctx_buf_addf(out, " %s %s</span> <bdi>",
	    ctx_became_look(unit->change)->name,
	    role_of(shown(d, unit, side_of(unit), 0)));
	p = ctx_delta_part(d->m, unit, &side);
	if (p != NULL)
		ctx_page_cut(out, ctx_match_head(&d->m->side[side], p),
		    CTX_PAGE_FIRST);
	ctx_buf_adds(out, "</bdi></a></li>\n");
}

static void
put_head(struct ctx_delta_page *d, uint32_t k)
{
	const struct ctx_unit *unit = &d->m->unit[k];
	const char *role = role_of(shown(d, unit, side_of(unit), 0));
	struct ctx_buf *out = &d->page.body;
	int is = unit->change != CTX_BECAME_SAME;

	ctx_buf_addf(out, "<article class=\"%s%s %s\" id=\"u%" PRIu32
	    "\" tabindex=\"-1\">\n<header><a class=\"no\" href=\"#u%" PRIu32
	    "\">", role, is ? " stop" : "", ctx_became_look(unit->change)->name,
	    k + 1, k + 1);
	add_place(d, out, unit);
	ctx_buf_addf(out, "</a> <h3>%s", role);
	if (is)
		ctx_buf_addf(out, " <em class=\"fate\">%s</em>",
		    ctx_became_look(unit->change)->name);
	ctx_buf_adds(out, "</h3> <span class=\"n\">");
	add_tokens(out, unit);
	ctx_buf_adds(out, "</span> <button class=\"copy\" type=\"button\">"
	    "Copy JSON</button></header>\n<div class=\"b\">\n");
}

/* What links lead to, of all messages of the unit. */
static void
put_anchors(struct ctx_delta_page *d, const struct ctx_unit *unit)
{
	uint32_t i;
	int side;

	for (side = 0; side < 2; side++)
		for (i = 0; i < unit->n[side]; i++)
			ctx_buf_addf(&d->page.body, "<span id=\"%c%" PRIu64
			    "\"></span>", anchor[side],
			    shown(d, unit, side, i)->no);
}

static int
put_unit(struct ctx_delta_page *d, uint32_t k, struct ctx_err *err)
{
	const struct ctx_unit *unit = &d->m->unit[k];
	int side = side_of(unit);
	uint32_t i;

	put_head(d, k);
	put_anchors(d, unit);
	if (unit->change == CTX_BECAME_SHORTENED ||
	    unit->change == CTX_BECAME_CHANGED) {
		if (put_texts(d, unit, err) == -1)
			return -1;
		put_images(d, unit);
	} else
		for (i = 0; i < unit->n[side]; i++)
			if (ctx_page_parts(&d->page, shown(d, unit, side, i),
			    err) == -1)
				return -1;
	ctx_page_json(&d->page, shown(d, unit, side, 0));
	return ctx_buf_fail(&d->page.body, err);
}

/* --- the page ------------------------------------------------------------ */

/* Begin what is folded: the units from k on that are the same. */
static void
put_same(struct ctx_delta_page *d, uint32_t k)
{
	uint64_t messages = 0, tokens = 0;
	const struct ctx_unit *unit;

	for (; k < d->m->nunit && d->m->unit[k].change == CTX_BECAME_SAME;
	    k++) {
		unit = &d->m->unit[k];
		messages += unit->messages[1];
		tokens += unit->tokens[1];
	}
	ctx_buf_adds(&d->page.body, "<details class=\"run\"><summary>");
	ctx_html_count(&d->page.body, messages, "message");
	ctx_buf_adds(&d->page.body, " the same <span class=\"n\">");
	ctx_html_count(&d->page.body, tokens, "token");
	ctx_buf_adds(&d->page.body, "</span></summary>\n");
}

/* Say which conversation follows, if any has a name. */
static void
put_key(struct ctx_delta_page *d, const struct ctx_unit *unit)
{
	const struct ctx_match_side *s = &d->m->side[side_of(unit)];
	uint32_t key = s->msg[s->list[unit->first[side_of(unit)]]].key;
	size_t len;
	const char *name;

	if (key == d->key || d->m->keys.n == 0)
		return;
	d->key = key;
	if (key == CTX_NONE) {
		ctx_buf_adds(&d->page.body, "<h2>No conversation</h2>\n");
		return;
	}
	name = ctx_strmap_at(&d->m->keys, key, &len);
	ctx_buf_adds(&d->page.body, "<h2>Conversation <bdi>");
	ctx_html_line(&d->page.body, (struct ctx_str){ name, (uint32_t)len });
	ctx_buf_adds(&d->page.body, "</bdi></h2>\n");
}

static int
put_units(struct ctx_delta_page *d, struct ctx_err *err)
{
	int same = 0, is;
	uint32_t k;

	d->key = (uint32_t)d->m->keys.n;	/* that of no message */
	for (k = 0; k < d->m->nunit; k++) {
		is = d->m->unit[k].change == CTX_BECAME_SAME;
		if (same && !is)
			ctx_buf_adds(&d->page.body, "</details>\n");
		if (!is)
			put_key(d, &d->m->unit[k]);
		if (is && !same)
			put_same(d, k);
		if (!is)
			put_entry(d, k);
		same = is;
		if (put_unit(d, k, err) == -1)
			return -1;
	}
	ctx_buf_adds(&d->page.body, same ? "</details>\n" : "");
	return ctx_buf_fail(&d->page.nav, err);
}

/* A bar of each history, of one scale and with the same colours. */
static int
put_bars(struct ctx_delta_page *d, struct ctx_err *err)
{
	const struct ctx_match_side *s = d->m->side;
	uint64_t most = s[0].tokens > s[1].tokens ? s[0].tokens : s[1].tokens;
	struct ctx_buf *out = &d->page.charts;
	struct ctx_picture *bar = &d->bar;
	int side;
	size_t i;

	for (side = 0; side < 2; side++)
		for (i = 0; i < d->reel[side].n; i++)
			if (ctx_picture_add(bar, &d->reel[side].m[i], 1,
			    err) == -1)
				return -1;
	bar->scale = most;
	bar->sums = d->m->sum;
	if (d->reel[0].n + d->reel[1].n == 0)
		return 0;
	ctx_buf_adds(out, "<section class=\"pictures\" "
	    "aria-label=\"Tokens\">\n");
	for (side = 0; side < 2; side++) {
		bar->anchor = anchor[side];
		bar->first = side ? d->reel[0].n : 0;
		bar->end = bar->first + d->reel[side].n;
		ctx_buf_adds(out, side ? "<p>After</p>\n" : "<p>Before</p>\n");
		if (ctx_picture_put(bar, CTX_PICTURE_BAR, 0, out, err) == -1)
			return -1;
	}
	if (ctx_picture_notes(bar, out, err) == -1)
		return -1;
	ctx_buf_adds(out, "</section>\n");
	return ctx_buf_fail(out, err);
}

/* Number the messages of each history from 1, with what became of them. */
static void
set_became(struct ctx_delta_page *d)
{
	uint32_t i;
	int side;

	for (side = 0; side < 2; side++) {
		const struct ctx_match_side *s = &d->m->side[side];

		for (i = 0; i < s->nmsg; i++) {
			struct ctx_shown *m =
			    &d->reel[side].m[s->msg[i].added];

			m->no = s->msg[i].added + 1;
			m->became = ctx_match_became(d->m, side, i);
			m->cached = s->msg[i].cached;
		}
	}
}

static void
put_about(struct ctx_delta_page *d)
{
	const struct ctx_match_side *s = d->m->side;
	struct ctx_buf *out = &d->page.about;

	ctx_html_number(out, s[0].messages);
	ctx_buf_adds(out, " \u2192 ");
	ctx_html_count(out, s[1].messages, "message");
	ctx_buf_adds(out, ", ");
	ctx_html_number(out, s[0].tokens);
	ctx_buf_adds(out, " \u2192 ");
	ctx_html_count(out, s[1].tokens, "token");
	if (d->page.counted != NULL)
		ctx_buf_addf(out, " (%s)", d->page.counted);
	ctx_buf_adds(out, ". Prompt ");
	ctx_delta_cache(d->m, out);
	ctx_buf_addc(out, '.');
}

int
ctx_delta_page(struct ctx_delta_page *d, ctx_page_fn *write, void *arg,
    struct ctx_err *err)
{
	d->page.stop = "change";
	d->page.select = &d->all;
	set_became(d);
	put_about(d);
	return ctx_buf_fail(&d->page.about, err) == -1 ||
	    put_bars(d, err) == -1 || put_units(d, err) == -1 ? -1 :
	    ctx_page_end(&d->page, write, arg, err);
}

void
ctx_delta_page_done(struct ctx_delta_page *d)
{
	ctx_page_done(&d->page);
	ctx_picture_done(&d->bar);
	ctx_buf_done(&d->text[0]);
	ctx_buf_done(&d->text[1]);
}
