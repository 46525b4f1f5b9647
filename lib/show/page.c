/* SPDX-License-Identifier: MIT */
/* The messages of a page; see page.h. */
#include "show/page.h"

#include <inttypes.h>

#include "base/base64.h"
#include "base/utf8.h"
#include "read/node.h"
#include "read/spell.h"
#include "show/args.h"
#include "show/figure.h"
#include "show/frame.h"
#include "show/html.h"
#include "show/width.h"

#define SUMMARY		400	/* bytes of arguments in one line */
#define GROUP		32	/* messages */
#define FOLD_RESULT	12	/* lines that are shown at once */
#define FOLD_THINKING	3
#define FOLD_SYSTEM	4
#define FOLD_TEXT	80

/* How a text is shown. */
struct block {
	const char *class;
	const char *label;	/* of what is folded */
	size_t fold;		/* lines that are not */
};

static const struct ctx_str none = { "", 0 };

/* The beginning of a text, of at most max bytes. */
static struct ctx_str
beginning(struct ctx_str text, uint32_t max)
{
	if (text.len <= max)
		return text;
	while (max > 0 && (text.p[max] & 0xc0) == 0x80)
		max--;
	text.len = max;
	return text;
}

/* Its first line that is not blank. */
static struct ctx_str
first_line(struct ctx_str text)
{
	const char *nl;

	while (text.len > 0 && strchr("\r\n", *text.p) != NULL &&
	    *text.p != '\0') {
		text.p++;
		text.len--;
	}
	nl = memchr(text.p, '\n', text.len);
	if (nl != NULL)
		text.len = (uint32_t)(nl - text.p);
	return text;
}

void
ctx_page_cut(struct ctx_buf *out, struct ctx_str text, uint32_t max)
{
	struct ctx_str some = beginning(text, max);

	ctx_html_line(out, some);
	if (some.len < text.len)
		ctx_buf_adds(out, "\u2026");
}

static void
put_pre(struct ctx_buf *out, struct ctx_str text)
{
	ctx_buf_adds(out, "<pre dir=\"auto\">");
	/* a line end after the tag does not count */
	if (text.len > 0 && (*text.p == '\n' || *text.p == '\r'))
		ctx_buf_addc(out, '\n');
	ctx_html_text(out, text);
	ctx_buf_adds(out, "</pre>\n");
}

/* Put a text, behind a line that opens it if it is long. */
static void
put_text(struct ctx_page *p, const struct block *b, struct ctx_str text)
{
	struct ctx_buf *out = &p->body;
	size_t lines = ctx_width_lines(text.p, text.len);

	if (text.len == 0)
		return;
	if (lines <= b->fold) {
		ctx_buf_addf(out, "<div class=\"%s\">", b->class);
		put_pre(out, text);
		ctx_buf_adds(out, "</div>\n");
		return;
	}
	ctx_buf_addf(out, "<details class=\"%s\"><summary>%s<bdi class=\"f\">",
	    b->class, b->label);
	ctx_page_cut(out, first_line(text), CTX_PAGE_FIRST);
	ctx_buf_adds(out, "</bdi> <span class=\"n\">");
	ctx_html_count(out, lines, "line");
	ctx_buf_adds(out, "</span></summary>\n");
	put_pre(out, text);
	ctx_buf_adds(out, "</details>\n");
}

/* --- calls and results --------------------------------------------------- */

static void
put_tool(struct ctx_buf *out, const struct ctx_shown_part *part)
{
	ctx_buf_adds(out, "<b><bdi>");
	ctx_html_line(out, ctx_scene_tool(part));
	ctx_buf_adds(out, "</bdi></b>");
}

/* End a line that opens a part: what it costs, unless it is the whole. */
static void
put_opened(struct ctx_buf *out, const struct ctx_shown *m,
    const struct ctx_shown_part *part, size_t lines)
{
	int is_result = part->kind == CTX_RESULT, costs = m->npart > 1;

	ctx_buf_adds(out, is_result || costs ? " <span class=\"n\">" : "");
	if (is_result)
		ctx_html_count(out, lines, "line");
	ctx_buf_adds(out, is_result && costs ? ", " : "");
	if (costs)
		ctx_html_count(out, part->tokens, "token");
	ctx_buf_adds(out, is_result || costs ? "</span>" : "");
	ctx_buf_adds(out, "</summary>\n");
}

/* Put the members of the arguments, each with its value. */
static int
put_args(struct ctx_page *p, struct ctx_str json, struct ctx_err *err)
{
	const struct ctx_doc *doc = &p->args;
	struct ctx_buf *out = &p->body;
	uint32_t k;
	int is = ctx_doc_try(&p->args, json.p, json.len);

	if (is == -1)
		return ctx_fail_nomem(err);
	if (!is || ctx_node_type(doc, 0) != '{') {
		put_pre(out, json);
		return 0;
	}
	ctx_buf_adds(out, "<dl>\n");
	CTX_FOR_KEYS(doc, k, 0) {
		ctx_buf_reset(&p->word);
		ctx_node_decode(&p->word, doc, k);
		ctx_buf_adds(out, "<dt><bdi>");
		ctx_html_line(out, ctx_str_of(&p->word));
		ctx_buf_adds(out, "</bdi></dt><dd>");
		ctx_buf_reset(&p->word);
		if (ctx_node_type(doc, k + 1) == '"')
			ctx_node_decode(&p->word, doc, k + 1);
		else
			ctx_spell_indented(&p->word, ctx_node_json(doc,
			    k + 1));
		put_pre(out, ctx_str_of(&p->word));
		ctx_buf_adds(out, "</dd>\n");
		if (ctx_buf_fail(&p->word, err) == -1)
			return -1;
	}
	ctx_buf_adds(out, "</dl>\n");
	return 0;
}

static int
put_call(struct ctx_page *p, const struct ctx_shown *m,
    const struct ctx_shown_part *part, struct ctx_err *err)
{
	struct ctx_buf *out = &p->body;
	uint64_t *call;

	if (ctx_calls_find(&p->call, m->conversation, part->id, &call,
	    err) == -1)
		return -1;
	p->calls++;
	if (call != NULL)
		*call = p->calls;
	ctx_buf_addf(out, "<details class=\"call\" id=\"c%" PRIu64
	    "\"><summary>\u25b8 ", p->calls);
	put_tool(out, part);
	if (part->text.p != NULL) {
		ctx_buf_reset(&p->word);
		if (ctx_args_text(&p->word, &p->args, part->text, err) == -1)
			return -1;
		ctx_buf_adds(out, "<bdi class=\"f\">");
		ctx_page_cut(out, ctx_str_of(&p->word), SUMMARY);
		ctx_buf_adds(out, "</bdi>");
	}
	put_opened(out, m, part, 0);
	if (part->text.p != NULL && put_args(p, part->text, err) == -1)
		return -1;
	ctx_buf_adds(out, "</details>\n");
	return 0;
}

static int
put_result(struct ctx_page *p, const struct ctx_shown *m,
    const struct ctx_shown_part *part, struct ctx_err *err)
{
	struct ctx_buf *out = &p->body;
	struct ctx_str text;
	uint64_t *call;
	size_t lines;

	if (ctx_args_lines(&text, &p->word, &p->args, part, err) == -1)
		return -1;
	if (text.p == NULL)
		text = none;
	lines = ctx_width_lines(text.p, text.len);
	if (ctx_calls_find(&p->call, m->conversation, part->id, &call,
	    err) == -1)
		return -1;
	ctx_buf_addf(out, "<details class=\"result%s\"%s><summary>\u25c2 ",
	    part->flags & CTX_ERROR ? " failed" : "",
	    lines <= FOLD_RESULT ? " open" : "");
	put_tool(out, part);
	ctx_buf_adds(out, part->flags & CTX_ERROR ? " <em>failed</em>" :
	    ctx_scene_is_empty(m, part) ? " (empty)" : "");
	ctx_buf_adds(out, "<bdi class=\"f\"> ");
	if (lines > FOLD_RESULT)
		ctx_page_cut(out, first_line(ctx_frame_inside(text)),
		    CTX_PAGE_FIRST);
	ctx_buf_adds(out, "</bdi>");
	put_opened(out, m, part, lines);
	if (call != NULL && *call != 0)
		ctx_buf_addf(out, "<a class=\"from\" href=\"#c%" PRIu64
		    "\">its call</a>\n", *call);
	put_pre(out, text);
	ctx_buf_adds(out, "</details>\n");
	return 0;
}

/* --- images and files ---------------------------------------------------- */

/* Is it an image that browsers show and that can hold no script? */
static int
is_shown(const struct ctx_shown_part *part)
{
	static const char *const types[] = { "image/png", "image/jpeg",
	    "image/gif", "image/webp", NULL };
	uint32_t i;

	if (part->kind != CTX_IMAGE || part->data.p == NULL ||
	    part->type.p == NULL)
		return 0;
	for (i = 0; i < part->data.len && part->data.p[i] != '='; i++)
		if (ctx_base64_digit(part->data.p[i]) == -1)
			return 0;
	if (i == 0 || part->data.len - i > 2)
		return 0;
	for (i = 0; types[i] != NULL; i++)
		if (ctx_str_is(part->type, types[i]))
			return 1;
	return 0;
}

void
ctx_page_media(struct ctx_page *p, const struct ctx_shown_part *part)
{
	const struct ctx_str say[] = { part->type, part->name, part->url };
	struct ctx_buf *out = &p->body;
	size_t i;

	ctx_buf_adds(out, "<figure>");
	if (is_shown(part)) {
		ctx_buf_adds(out, "<img loading=\"lazy\" decoding=\"async\" "
		    "alt=\"image of this message\" src=\"data:");
		ctx_html_text(out, part->type);
		ctx_buf_adds(out, ";base64,");
		ctx_html_text(out, part->data);
		ctx_buf_adds(out, "\">");
	}
	ctx_buf_adds(out, part->kind == CTX_IMAGE ? "<figcaption>image" :
	    "<figcaption>file");
	for (i = 0; i < 3; i++)
		if (say[i].p != NULL) {
			ctx_buf_adds(out, " <bdi>");
			ctx_page_cut(out, say[i], SUMMARY);
			ctx_buf_adds(out, "</bdi>");
		}
	ctx_figure_size(out, part);
	ctx_buf_adds(out, "</figcaption></figure>\n");
}

/* --- messages ------------------------------------------------------------ */

static int
put_part(struct ctx_page *p, const struct ctx_shown *m,
    const struct ctx_shown_part *part, struct ctx_err *err)
{
	static const struct block thinking = { "thinking",
	    "<i>thinking</i> ", FOLD_THINKING };
	static const struct block document = { "text", "", FOLD_RESULT };
	static const struct block other = { "text", "", 0 };
	const struct block text = { "text", "", m->role == CTX_SYSTEM ||
	    m->own ? FOLD_SYSTEM : FOLD_TEXT };
	struct ctx_str said;

	switch (part->kind) {
	case CTX_TEXT:
	case CTX_OTHER:
		if (ctx_args_lines(&said, &p->word, &p->args, part,
		    err) == -1)
			return -1;
		if (said.p != NULL)
			put_text(p, part->flags & CTX_RAW ? &other : &text,
			    said);
		break;
	case CTX_THINKING:
		if (part->text.p != NULL)
			put_text(p, &thinking, part->text);
		break;
	case CTX_CALL:
		return put_call(p, m, part, err);
	case CTX_RESULT:
		return put_result(p, m, part, err);
	case CTX_IMAGE:
	case CTX_FILE:
		ctx_page_media(p, part);
		if (ctx_args_lines(&said, &p->word, &p->args, part, err) == -1)
			return -1;
		put_text(p, &document, said);
		break;
	case CTX_HOLLOW:
	case CTX_COPY:
		break;
	}
	return 0;
}

/* The first text of the message; empty if it has none. */
static struct ctx_str
words_of(const struct ctx_shown *m)
{
	size_t i;

	for (i = 0; i < m->npart; i++)
		if (m->part[i].kind == CTX_TEXT && m->part[i].text.len > 0)
			return first_line(m->part[i].text);
	return none;
}

/* Append the name of the turn that the message is in. */
static void
put_turn(struct ctx_buf *out, const struct ctx_shown *m)
{
	if (m->key.p != NULL || m->side.p != NULL || m->conversation > 1) {
		ctx_buf_adds(out, "Conversation <bdi>");
		if (m->key.p != NULL)
			ctx_html_line(out, m->key);
		else
			ctx_html_number(out, m->conversation);
		ctx_buf_adds(out, "</bdi>, ");
		if (m->side.p != NULL) {
			ctx_buf_adds(out, "side <bdi>");
			ctx_html_line(out, m->side);
			ctx_buf_adds(out, "</bdi>, ");
		}
	}
	if (m->turn == 0)
		ctx_buf_adds(out, "Before turn 1");
	else
		ctx_buf_addf(out, "Turn %" PRIu64, m->turn);
}

/* Begin a group of messages; a browser lays out those that are in sight. */
static void
put_group(struct ctx_page *p)
{
	if (p->messages % GROUP != 0)
		return;
	ctx_buf_adds(&p->body, p->messages > 0 ? "</div>\n" : "");
	ctx_buf_adds(&p->body, "<div class=\"g\">\n");
}

/* Put a heading, if the message is in another turn than the one before. */
static void
put_place(struct ctx_page *p, const struct ctx_shown *m)
{
	if (p->messages > 0 && m->conversation == p->conversation &&
	    m->turn == p->turn)
		return;
	p->turns++;
	ctx_buf_addf(&p->body, "<h2 id=\"t%" PRIu64 "\">", p->turns);
	put_turn(&p->body, m);
	ctx_buf_adds(&p->body, "</h2>\n");
	ctx_buf_addf(&p->nav, "<li><a href=\"#t%" PRIu64 "\"><span>",
	    p->turns);
	put_turn(&p->nav, m);
	ctx_buf_adds(&p->nav, "</span> <bdi>");
	ctx_page_cut(&p->nav, words_of(m), CTX_PAGE_FIRST);
	ctx_buf_adds(&p->nav, "</bdi></a></li>\n");
	p->conversation = m->conversation;
	p->turn = m->turn;
}

/* Is the speaker the tool, which the result names too? */
static int
is_tool(const struct ctx_shown *m)
{
	return ctx_scene_is_results(m) && m->part[0].name.len ==
	    m->speaker.len && (m->speaker.len == 0 ||
	    memcmp(m->part[0].name.p, m->speaker.p, m->speaker.len) == 0);
}

static void
put_head(struct ctx_page *p, const struct ctx_shown *m)
{
	const char *role = ctx_msg_role_name(ctx_scene_is_results(m) ?
	    CTX_TOOL : m->role);
	const char *fate = m->became == CTX_BECAME_SAME ? "" :
	    ctx_became_look(m->became)->name;
	struct ctx_buf *out = &p->body;

	ctx_buf_addf(out, "<article class=\"%s%s%s\" id=\"m%" PRIu64
	    "\" tabindex=\"-1\">\n<header><a class=\"no\" href=\"#m%" PRIu64
	    "\">#%" PRIu64 "</a> <h3>%s", role, *fate != '\0' ? " " : "",
	    fate, m->no, m->no, m->no, role);
	if (m->speaker.p != NULL && !is_tool(m)) {
		ctx_buf_adds(out, " <bdi>");
		ctx_html_line(out, m->speaker);
		ctx_buf_adds(out, "</bdi>");
	}
	ctx_buf_adds(out, ctx_scene_note(m));
	if (*fate != '\0')
		ctx_buf_addf(out, " <em class=\"fate\">%s</em>", fate);
	ctx_buf_adds(out, "</h3> <span class=\"n\">");
	ctx_html_number(out, m->tokens);
	ctx_buf_addf(out, "<span class=\"u\"> token%s</span></span> <button "
	    "class=\"copy\" type=\"button\">Copy JSON</button></header>\n"
	    "<div class=\"b\">\n", m->tokens == 1 ? "" : "s");
}

int
ctx_page_parts(struct ctx_page *p, const struct ctx_shown *m,
    struct ctx_err *err)
{
	size_t i;

	if (m->nothing != NULL)
		ctx_buf_addf(&p->body, "<div class=\"n\">%s</div>\n",
		    m->nothing);
	for (i = 0; i < m->npart && m->nothing == NULL; i++)
		if (ctx_select_part(p->select, m, i) &&
		    put_part(p, m, &m->part[i], err) == -1)
			return -1;
	return 0;
}

void
ctx_page_json(struct ctx_page *p, const struct ctx_shown *m)
{
	ctx_buf_adds(&p->body, "</div>\n<template>");
	ctx_html_json(&p->body, m->json);
	ctx_buf_adds(&p->body, "</template>\n</article>\n");
}

int
ctx_page_put(struct ctx_page *p, const struct ctx_shown *m,
    struct ctx_err *err)
{
	int is = ctx_select_msg(p->select, m, err);

	if (is == -1 || ctx_picture_add(p->picture, m, is, err) == -1)
		return -1;
	if (is == 0)
		return 0;
	put_group(p);
	put_place(p, m);
	put_head(p, m);
	if (ctx_page_parts(p, m, err) == -1)
		return -1;
	ctx_page_json(p, m);
	p->messages++;
	p->tokens += m->tokens;
	p->body.failed |= p->nav.failed;
	return ctx_buf_fail(&p->body, err);
}

void
ctx_page_done(struct ctx_page *p)
{
	ctx_buf_done(&p->body);
	ctx_buf_done(&p->nav);
	ctx_buf_done(&p->about);
	ctx_buf_done(&p->charts);
	ctx_calls_done(&p->call);
	ctx_buf_done(&p->word);
	ctx_doc_done(&p->args);
}
