/* SPDX-License-Identifier: MIT */
/*
 * Text as a target: a router's history (USER: ... / ASSISTANT: [tool] ...),
 * and a transcript in Markdown.
 */
#include "edit/target.h"

#include <string.h>

#include "decide/summary.h"

/* Write an item's text, decoded. */
static void
put_plain(struct ctx_writer *w, const struct ctx_said *it)
{
	if (it->flags & CTX_RAW)
		ctx_put_str(w, it->text);
	else if (it->text.p != NULL)
		ctx_str_decode(w->out, it->text.p, it->text.len);
}

/* Write all texts of a step, separated by line ends. */
static void
put_texts(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	int n = 0;

	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_TEXT)
			continue;
		if (n++ > 0)
			ctx_put(w, "\n");
		put_plain(w, it);
	}
}

/* Write the assistant's actions: "[ls, cat] ". */
static void
put_actions(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	int n = 0;

	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_CALL)
			continue;
		ctx_put(w, n++ == 0 ? "[" : ", ");
		if (it->name.p != NULL)
			ctx_str_decode(w->out, it->name.p, it->name.len);
	}
	if (n > 0)
		ctx_put(w, ctx_target_count(w, st, CTX_TEXT) > 0 ? "] " : "]");
}

/* Write a running summary as a head.  Returns 0 if step i is not one. */
static int
put_summary(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = &w->s->step[i];
	const char *text, *end;
	size_t from = w->out->len, len;

	if (st->role != CTX_USER || st->nitem != 1 ||
	    w->s->item[st->item].kind != CTX_TEXT || w->nmsg > 0)
		return 0;
	put_plain(w, &w->s->item[st->item]);
	len = w->out->len - from;
	if (w->out->failed || len == 0)
		return 0;
	text = w->out->data + from;
	if (len <= sizeof(CTX_SUMMARY_HEAD) || memcmp(text, CTX_SUMMARY_HEAD,
	    sizeof(CTX_SUMMARY_HEAD) - 1) != 0 ||
	    (end = memchr(text, ')', len)) == NULL) {
		w->out->len = from;
		return 0;
	}
	/* the same number, in the wording used for prompts */
	ctx_buf_reset(&w->text);
	ctx_buf_adds(&w->text, CTX_SUMMARY_SAID);
	ctx_buf_add(&w->text, text + sizeof(CTX_SUMMARY_HEAD) - 1,
	    len - sizeof(CTX_SUMMARY_HEAD) + 1);
	w->out->len = from;
	ctx_put_failed(w, w->text.failed);
	ctx_buf_add(w->out, w->text.data, w->text.len);
	ctx_put(w, "\n\n");
	return 1;
}

static int
is_reply(const struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = &w->s->item[st->item];

	return st->role == CTX_ASSISTANT && st->nitem == 1 &&
	    it->kind == CTX_TEXT &&
	    ctx_node_spells(it->text, CTX_SUMMARY_REPLY);
}

static void
text_step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = &w->s->step[i];

	if (st->role == CTX_SYSTEM || (w->nmsg == 0 && w->open &&
	    is_reply(w, st)))
		return;
	if (put_summary(w, i)) {
		w->open = 1;
		return;
	}
	w->nmsg++;
	ctx_put(w, st->role == CTX_USER ? "USER: " : "ASSISTANT: ");
	put_actions(w, st);
	put_texts(w, st);
	ctx_put(w, "\n");
}

const struct ctx_target ctx_to_text = {
	.name = "text",
	.only_text = 1,
	.step = text_step
};

/* --- Markdown ------------------------------------------------------- */

/*
 * Write a text, and the pieces that continue it, in a fence with more backquotes
 * than any run in it.
 */
static void
put_fenced(struct ctx_writer *w, const struct ctx_said *it, const char *what)
{
	const struct ctx_said *end = w->s->item + w->s->nitem;
	size_t i, run = 0, most = 2;

	ctx_buf_reset(&w->text);
	do
		if (it->flags & CTX_RAW)
			ctx_buf_add(&w->text, it->text.p, it->text.len);
		else if (it->text.p != NULL)
			ctx_str_decode(&w->text, it->text.p, it->text.len);
	while (++it < end && it->flags & CTX_CONTINUES);
	ctx_put_failed(w, w->text.failed);
	for (i = 0; i < w->text.len; i++) {
		run = w->text.data[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	for (i = 0; i <= most; i++)
		ctx_buf_addc(w->out, '`');
	ctx_put(w, what);
	ctx_put(w, "\n");
	ctx_buf_add(w->out, w->text.data, w->text.len);
	ctx_put(w, "\n");
	for (i = 0; i <= most; i++)
		ctx_buf_addc(w->out, '`');
	ctx_put(w, "\n");
}

static void
put_result_folded(struct ctx_writer *w, const struct ctx_said *it)
{
	uint32_t i;

	ctx_put(w, "<details><summary>");
	if (it->name.p != NULL)
		ctx_str_decode(w->out, it->name.p, it->name.len);
	ctx_put(w, it->flags & CTX_ERROR ? " failed" : " result");
	ctx_put(w, "</summary>\n\n");
	if (it->text.p != NULL)
		put_fenced(w, it, "");
	for (i = it->first; i < it->first + it->n; i++)
		if (w->s->item[i].kind == CTX_TEXT)
			put_fenced(w, &w->s->item[i], "");
		else
			ctx_put(w, "(image or file)\n");
	ctx_put(w, "\n</details>\n\n");
}

static void
put_markdown_item(struct ctx_writer *w, const struct ctx_said *it)
{
	switch (it->kind) {
	case CTX_TEXT:
		put_plain(w, it);
		ctx_put(w, "\n\n");
		break;
	case CTX_THINKING:
		if (it->text.len == 0 || it->flags & CTX_CONTINUES)
			break;
		ctx_put(w, "<details><summary>thinking</summary>\n\n");
		put_fenced(w, it, "");
		ctx_put(w, "\n</details>\n\n");
		break;
	case CTX_CALL:
		ctx_put(w, "**");
		if (it->name.p != NULL)
			ctx_str_decode(w->out, it->name.p, it->name.len);
		ctx_put(w, "**\n\n");
		put_fenced(w, it, "json");
		ctx_put(w, "\n");
		break;
	case CTX_IMAGE:
	case CTX_FILE:
		ctx_put(w, "(image or file)\n\n");
		break;
	default:
		break;
	}
}

static void
markdown_step(struct ctx_writer *w, uint32_t i)
{
	static const char *const heads[] = { "## System\n\n", "## User\n\n",
	    "## Assistant\n\n" };
	const struct ctx_step *st = &w->s->step[i];
	uint32_t k;

	w->nmsg++;
	ctx_put(w, heads[st->role]);
	for (k = st->item; k < st->item + st->nitem; k++)
		put_markdown_item(w, &w->s->item[k]);
	for (k = st->result; k < st->result + st->nresult;
	    k += 1 + w->s->item[k].n)
		put_result_folded(w, &w->s->item[k]);
}

const struct ctx_target ctx_to_markdown = {
	.name = "markdown",
	.only_text = 1,
	.step = markdown_step
};
