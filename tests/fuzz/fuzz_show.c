/* SPDX-License-Identifier: MIT */
/*
 * Show a history as lines and as a page, and compare it with itself and with a
 * part of it.  What is printed does nothing to a terminal and fits its width;
 * the colours are all that they add.  A page has no tags but ours, each closed,
 * and that of a history has each message's bytes.  A history is the same as
 * itself; of two, each message is counted once.
 */
#include "history.h"

#include "base/utf8.h"
#include "compare/delta.h"
#include "compare/delta_page.h"
#include "show/screen.h"
#include "show/width.h"

#define NARROW	40
#define DEEP	32

struct view {
	struct ctx_screen lines, colours;
	struct ctx_page page;
	struct ctx_buf plain, coloured, html, json;
	struct ctx_matching *match;
	struct ctx_reel reel[2];
	int new;
};

/* --- what a terminal gets ---------------------------------------------- */

/* A text of lines that fit, in which nothing acts on a terminal. */
static void
must_be_harmless(const struct ctx_buf *text, size_t columns)
{
	char escaped[CTX_ERR_ESCAPED];
	size_t at, i, n;

	MUST(ctx_utf8_check(text->data, text->len) == text->len);
	for (at = 0; at < text->len; at += n + 1) {
		n = ctx_scan_newline(text->data + at, text->len - at);
		MUST(at + n < text->len);
		for (i = at; i < at + n;
		    i += ctx_utf8_step(text->data + i, at + n - i, NULL))
			MUST(ctx_width_escape(text->data + i, at + n - i,
			    escaped) == 0);
		MUST(columns == 0 ||
		    ctx_width_of(text->data + at, n) <= columns);
	}
}

/* Without its escape sequences, which are for colours only. */
static void
must_be_coloured(const struct ctx_buf *text, const struct ctx_buf *plain)
{
	struct ctx_buf bare = { 0 };
	size_t i;

	for (i = 0; i < text->len; i++) {
		if (text->data[i] != '\033') {
			ctx_buf_addc(&bare, text->data[i]);
			continue;
		}
		MUST(text->data[++i] == '[');
		do
			MUST(++i < text->len);
		while (text->data[i] >= '0' && text->data[i] <= '9');
		MUST(text->data[i] == 'm');
	}
	must_be(&bare, plain);
	ctx_buf_done(&bare);
}

/* --- a page -------------------------------------------------------------- */

static int
is_one_of(struct ctx_str name, const char *const *list)
{
	for (; *list != NULL; list++)
		if (ctx_str_is(name, *list))
			return 1;
	return 0;
}

static struct ctx_str
word_at(const char *p)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:";

	return (struct ctx_str){ p, (uint32_t)strspn(p, letters) };
}

/* Skip a tag's attributes, none of which is a handler.  Returns its end. */
static const char *
skip_attributes(const char *p, int *closed)
{
	struct ctx_str name;

	for (;; p += *p == ' ') {
		name = word_at(p);
		if (name.len == 0)
			break;
		MUST(name.len < 2 || memcmp(name.p, "on", 2) != 0);
		p += name.len;
		if (*p != '=')
			continue;
		MUST(p[1] == '"');
		p += 2 + strcspn(p + 2, "\"<>");
		MUST(*p++ == '"');
	}
	*closed = *p == '/';
	p += *closed;
	MUST(*p == '>');
	return p + 1;
}

/* The end of what a browser does not read as tags. */
static const char *
skip_raw(const char *p, struct ctx_str name)
{
	const char *end = NULL;

	if (ctx_str_is(name, "style"))
		end = strstr(p, "</style>");
	else if (ctx_str_is(name, "script"))
		end = strstr(p, "</script>");
	else
		return p;
	MUST(end != NULL);
	return end;
}

/* All tags are ours, and each is closed.  The text ends with a NUL. */
static void
must_be_html(const char *p)
{
	static const char *const ours[] = { "a", "article", "b", "bdi", "body",
	    "button", "dd", "del", "details", "dialog", "div", "dl", "dt", "em",
	    "figcaption", "figure", "form", "h1", "h2", "h3", "head", "header",
	    "html", "i", "img", "input", "ins", "label", "li", "main", "meta",
	    "nav", "ol", "output", "p", "path", "pre", "rect", "script",
	    "section", "span", "style", "summary", "svg", "table", "tbody",
	    "td", "template", "text", "th", "thead", "title", "tr", "ul",
	    NULL };
	static const char *const empty[] = { "img", "input", "meta", NULL };
	struct ctx_str open[DEEP], name;
	size_t n = 0;
	int closed;

	for (; (p = strchr(p, '<')) != NULL; ) {
		if (p[1] == '/') {
			name = word_at(p + 2);
			MUST(n > 0 && ctx_str_same(open[--n], name));
			p += 2 + name.len;
			MUST(*p == '>');
			continue;
		}
		if (strncmp(p, "<!DOCTYPE html>", 15) == 0) {
			p++;
			continue;
		}
		name = word_at(p + 1);
		MUST(is_one_of(name, ours) && n < DEEP);
		p += 1 + name.len;
		p = skip_attributes(p + (*p == ' '), &closed);
		if (!closed && !is_one_of(name, empty)) {
			open[n++] = name;
			p = skip_raw(p, name);
		}
	}
	MUST(n == 0);
}

/* Each message's bytes, in order, as a browser gives them to be copied. */
static void
must_have_json(const char *p, const struct ctx_buf *json)
{
	static const char *const entity[] = { "&amp;", "&lt;", "&gt;" };
	struct ctx_buf all = { 0 };
	int i;

	while ((p = strstr(p, "<template>")) != NULL) {
		for (p += 10; *p != '<'; p++) {
			MUST(*p != '\0');
			for (i = 0; *p == '&'; i++) {
				MUST(i < 3);
				if (strncmp(p, entity[i],
				    strlen(entity[i])) != 0)
					continue;
				ctx_buf_addc(&all, "&<>"[i]);
				p += strlen(entity[i]);
				i = -1;
			}
			if (*p == '<')
				break;
			ctx_buf_addc(&all, *p);
		}
		ctx_buf_addc(&all, '\n');
	}
	must_be(&all, json);
	ctx_buf_done(&all);
}

static int
take_html(void *arg, const char *bytes, size_t len, struct ctx_err *err)
{
	(void)err;
	return ctx_buf_add(arg, bytes, len);
}

/* --- one history --------------------------------------------------------- */

static int
show(void *arg, const struct ctx_shown *m, struct ctx_err *err)
{
	struct view *v = arg;

	ctx_buf_add(&v->json, m->json.p, m->json.len);
	ctx_buf_addc(&v->json, '\n');
	MUST(ctx_screen_put(&v->lines, m, &v->plain, err) == 0);
	MUST(ctx_screen_put(&v->colours, m, &v->coloured, err) == 0);
	MUST(ctx_page_put(&v->page, m, err) == 0);
	return 0;
}

static int
compare(void *arg, const struct ctx_shown *m, struct ctx_err *err)
{
	struct view *v = arg;


	MUST(ctx_reel_add(&v->reel[v->new], m, err) == 0);
	return ctx_match_add(v->match, v->new, m, err);
}

static void
run(const struct history *h, const struct ctx_buf *text, ctx_shown_fn *fn,
    struct view *v)
{
	struct ctx_scene_opts opts = { .cost = history_cost(), .message = fn,
	    .arg = v };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };

	history_run(ctx_scene_new(&opts, &err), h->dialect, text, &g);
	gave_done(&g);
}

static void
check_shown(const struct history *h, const struct ctx_buf *text)
{
	struct ctx_picture picture = { .window = 500 };
	struct ctx_select all = { 0 };
	struct ctx_err err = { 0 };
	struct view v = { 0 };

	v.lines.look.columns = NARROW + h->option[0] % 64;
	v.lines.full = h->option[1] & 1;
	v.colours = v.lines;
	v.colours.look.colour = 1;
	v.page.select = &all;
	v.page.picture = &picture;
	run(h, text, show, &v);
	must_be_harmless(&v.plain, v.lines.full ? 0 : v.lines.look.columns);
	must_be_coloured(&v.coloured, &v.plain);
	MUST(ctx_page_end(&v.page, take_html, &v.html, &err) == 0);
	MUST(ctx_utf8_check(v.html.data, v.html.len) == v.html.len);
	must_be_html(ctx_buf_str(&v.html));
	must_have_json(ctx_buf_str(&v.html), &v.json);
	ctx_screen_done(&v.lines);
	ctx_screen_done(&v.colours);
	ctx_page_done(&v.page);
	ctx_picture_done(&picture);
	ctx_buf_done(&v.plain);
	ctx_buf_done(&v.coloured);
	ctx_buf_done(&v.html);
	ctx_buf_done(&v.json);
}

/* --- two histories -------------------------------------------------------- */

static void
check_sums(const struct ctx_matching *m)
{
	uint64_t messages, tokens;
	int side, c;

	for (side = 0; side < 2; side++) {
		messages = tokens = 0;
		for (c = 0; c < CTX_BECAME_N; c++) {
			messages += m->sum[c].messages[side];
			tokens += m->sum[c].tokens[side];
		}
		MUST(messages == m->side[side].messages);
		MUST(tokens == m->side[side].tokens);
	}
	MUST(m->cached <= m->side[1].tokens);
}

static void
check_told(const struct history *h, const struct ctx_matching *m)
{
	struct ctx_delta d = { .m = m, .full = m->whole }, colours;
	struct ctx_buf plain = { 0 }, coloured = { 0 }, json = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_doc doc = { 0 };
	size_t at, n;
	uint32_t k;

	d.look.columns = NARROW + h->option[0] % 64;
	colours = d;
	colours.look.colour = 1;
	for (k = 0; k < m->nunit; k++) {
		MUST(ctx_delta_put(&d, k, &plain, &err) == 0);
		MUST(ctx_delta_put(&colours, k, &coloured, &err) == 0);
		MUST(ctx_delta_json(&d, k, &json, &err) == 0);
	}
	MUST(ctx_delta_end(&d, &plain, &err) == 0);
	MUST(ctx_delta_end(&colours, &coloured, &err) == 0);
	MUST(ctx_delta_json_end(&d, &json, &err) == 0);
	must_be_harmless(&plain, m->whole ? 0 : d.look.columns);
	must_be_coloured(&coloured, &plain);
	for (at = 0; at < json.len; at += n + 1) {
		n = ctx_scan_newline(json.data + at, json.len - at);
		MUST(ctx_doc_try(&doc, json.data + at, n) == 1);
	}
	ctx_doc_done(&doc);
	ctx_delta_done(&d);
	ctx_delta_done(&colours);
	ctx_buf_done(&plain);
	ctx_buf_done(&coloured);
	ctx_buf_done(&json);
}

static void
check_delta_page(const struct ctx_matching *m, struct ctx_reel *reel)
{
	struct ctx_delta_page d = { .m = m, .reel = reel };
	struct ctx_buf html = { 0 };
	struct ctx_err err = { 0 };

	MUST(ctx_delta_page(&d, take_html, &html, &err) == 0);
	MUST(ctx_utf8_check(html.data, html.len) == html.len);
	must_be_html(ctx_buf_str(&html));
	ctx_delta_page_done(&d);
	ctx_buf_done(&html);
}

static void
check_compared(const struct history *h, const struct ctx_buf *old,
    const struct ctx_buf *new)
{
	struct ctx_matching m = { .whole = h->option[1] >> 1 & 1 };
	struct view v = { .match = &m };
	struct ctx_err err = { 0 };

	run(h, old, compare, &v);
	v.new = 1;
	run(h, new, compare, &v);
	MUST(ctx_match_end(&m, &err) == 0);
	check_sums(&m);
	if (old == new)
		MUST(!ctx_delta_is(&m) && m.cached == m.side[1].tokens);
	check_told(h, &m);
	if (m.whole)
		check_delta_page(&m, v.reel);
	ctx_match_done(&m);
	ctx_reel_done(&v.reel[0]);
	ctx_reel_done(&v.reel[1]);
}

/* Some of the lines, by the bits of how. */
static void
some_lines(const struct ctx_buf *lines, unsigned how, struct ctx_buf *out)
{
	size_t at, n, i = 0;

	for (at = 0; at < lines->len; at += n, i++) {
		n = ctx_scan_newline(lines->data + at, lines->len - at) + 1;
		if ((how >> i % 5 & 1) == 0)
			ctx_buf_add(out, lines->data + at, n);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct history h;
	struct ctx_buf part = { 0 };

	if (history_read(&h, data, len)) {
		ctx_width_locale();
		check_shown(&h, &h.lines);
		check_compared(&h, &h.lines, &h.lines);
		some_lines(&h.lines, h.option[2], &part);
		check_compared(&h, &h.lines, &part);
		check_compared(&h, &part, &h.lines);
	}
	ctx_buf_done(&part);
	history_done(&h);
	return 0;
}
