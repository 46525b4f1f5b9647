/* SPDX-License-Identifier: MIT */
/*
 * Documents of Word and PowerPoint (ECMA-376): headings, and the titles of
 * slides; and what the readers of documents share.
 */
#include "digest/office.h"

#include <strings.h>
#include <string.h>

#include "base/strmap.h"

#define SLIDES_MAX	1000			/* that are examined */

/* --- shared --------------------------------------------------------------- */

int
ctx_office_load(struct ctx_office *o, const char *name, struct ctx_buf *part)
{
	struct ctx_zip_entry e;
	int rc = 1;

	ctx_buf_reset(part);
	if (ctx_zip_find(&o->zip, name, &e))
		rc = ctx_zip_read_entry(&o->zip, &e, part, CTX_OFFICE_PART);
	if (rc == 0)
		o->d->partial = 1;
	if (rc == -1 || ctx_buf_str(part) == NULL)
		return ctx_fail_nomem(o->err);
	return 0;
}

int
ctx_office_add(struct ctx_office *o, enum ctx_list list)
{
	int rc = ctx_buf_fail(&o->text, o->err);

	if (rc == 0)
		rc = ctx_digest_name(o->d, list, o->text.data, o->text.len,
		    o->err);
	ctx_buf_reset(&o->text);
	return rc;
}

void
ctx_office_text(struct ctx_office *o, const struct ctx_tag *t,
    const char **p, const char *end)
{
	const size_t len = t->len;
	const char *name = t->p;
	struct ctx_tag in = *t;
	size_t depth = ctx_tag_void(t) ? 0 : 1;

	if (depth > 0)
		ctx_tag_text_after(&o->text, t, end);
	while (depth > 0 && ctx_tag_step(p, end, &in)) {
		if (in.len == len && memcmp(in.p, name, len) == 0)
			depth += in.closes ? (size_t)-1 :
			    !ctx_tag_void(&in);
		if (depth == 0)
			break;
		if (ctx_tag_is(&in, "tab") || ctx_tag_is(&in, "s") ||
		    ctx_tag_is(&in, "line-break") || ctx_tag_is(&in, "p"))
			ctx_buf_addc(&o->text, ' ');
		if (!in.closes || !ctx_tag_is(&in, "p"))
			ctx_tag_text_after(&o->text, &in, end);
	}
}

/* --- Word ------------------------------------------------------------------ */

/* The styles that are headings, by their ids. */
static int
read_styles(struct ctx_office *o, const char *part,
    struct ctx_strmap *headings)
{
	const char *p, *end, *id = NULL, *v;
	struct ctx_tag t;
	size_t n, len = 0;
	int heading = 0;

	if (ctx_office_load(o, part, &o->part) == -1)
		return -1;
	p = o->part.data;
	end = p + o->part.len;
	while (ctx_tag_step(&p, end, &t)) {
		if (ctx_tag_is(&t, "style")) {
			/* it ends, or the next one begins */
			if (heading && id != NULL && ctx_strmap_add(headings,
			    id, len) == CTX_STRMAP_FULL)
				return ctx_fail_nomem(o->err);
			heading = 0;
			if (t.closes || !ctx_tag_attr(&t, ":styleId", &id,
			    &len))
				id = NULL;
		} else if (t.closes || !ctx_tag_attr(&t, ":val", &v, &n))
			continue;
		else if (ctx_tag_is(&t, "name"))
			heading |= (n > 8 && strncasecmp(v, "heading ", 8) ==
			    0) || (n == 5 && strncasecmp(v, "title", 5) == 0);
		else if (ctx_tag_is(&t, "basedOn"))
			heading |= ctx_strmap_find(headings, v, n) !=
			    CTX_STRMAP_FULL;
		else if (ctx_tag_is(&t, "outlineLvl"))
			heading = n == 1 && *v < '9';
	}
	return 0;
}

/* The paragraphs of the text; one in a box in another one is left out. */
static int
read_paragraphs(struct ctx_office *o, const char *part,
    const struct ctx_strmap *headings)
{
	const char *p, *end, *v;
	struct ctx_tag t;
	size_t n, depth = 0;
	int heading = 0;

	if (ctx_office_load(o, part, &o->part) == -1)
		return -1;
	p = o->part.data;
	end = p + o->part.len;
	while (ctx_tag_step(&p, end, &t)) {
		if (ctx_tag_is(&t, "p") && !ctx_tag_void(&t)) {
			if (!t.closes && depth++ > 0)
				continue;
			if (t.closes && depth > 0 && --depth > 0)
				continue;
			if (t.closes && heading &&
			    ctx_office_add(o, CTX_HEADINGS) == -1)
				return -1;
			ctx_buf_reset(&o->text);
			heading = 0;
		} else if (t.closes || depth != 1)
			continue;
		else if (ctx_tag_is(&t, "t") && !ctx_tag_void(&t))
			ctx_tag_text_after(&o->text, &t, end);
		else if (ctx_tag_is(&t, "tab") || ctx_tag_is(&t, "br"))
			ctx_buf_addc(&o->text, ' ');
		else if (ctx_tag_is(&t, "pStyle") &&
		    ctx_tag_attr(&t, ":val", &v, &n))
			heading |= ctx_strmap_find(headings, v, n) !=
			    CTX_STRMAP_FULL;
		else if (ctx_tag_is(&t, "outlineLvl") &&
		    ctx_tag_attr(&t, ":val", &v, &n))
			heading = n == 1 && *v < '9';
	}
	return 0;
}

int
ctx_office_word(struct ctx_office *o)
{
	struct ctx_strmap headings = { 0 };
	struct ctx_buf text = { 0 }, styles = { 0 };
	int rc = ctx_office_related(o, "", "/officeDocument",
	    "word/document.xml", &text);

	if (rc == 0)
		rc = ctx_office_related(o, text.data, "/styles",
		    "word/styles.xml", &styles);
	if (rc == 0)
		rc = read_styles(o, styles.data, &headings);
	ctx_digest_figure(o->d, CTX_FIG_SIZE, o->d->bytes);
	if (rc == 0)
		rc = read_paragraphs(o, text.data, &headings);
	ctx_buf_done(&text);
	ctx_buf_done(&styles);
	ctx_strmap_done(&headings);
	return rc;
}

/* --- PowerPoint ------------------------------------------------------------- */

/* Add the title of the slide in o->part: the text of a shape for titles. */
static int
read_slide(struct ctx_office *o)
{
	const char *p = o->part.data, *end = p + o->part.len, *v;
	struct ctx_tag t;
	size_t n;
	int title = 0;

	while (ctx_tag_step(&p, end, &t)) {
		if (ctx_tag_is(&t, "sp") && t.closes) {
			if (title)
				return ctx_office_add(o, CTX_SLIDES);
		} else if (ctx_tag_is(&t, "ph") && ctx_tag_attr(&t, "type",
		    &v, &n))
			title = (n == 5 && memcmp(v, "title", 5) == 0) ||
			    (n == 8 && memcmp(v, "ctrTitle", 8) == 0);
		else if (title && ctx_tag_is(&t, "txBody") && !t.closes)
			ctx_office_text(o, &t, &p, end);
	}
	ctx_buf_reset(&o->text);
	return 0;
}

int
ctx_office_slides(struct ctx_office *o)
{
	struct ctx_buf main = { 0 }, list = { 0 }, rels = { 0 }, path = { 0 };
	const char *p, *end, *id;
	struct ctx_tag t;
	uint64_t slides = 0;
	size_t n;
	int rc;

	rc = ctx_office_related(o, "", "/officeDocument",
	    "ppt/presentation.xml", &main);
	if (rc == 0 && (rc = ctx_office_load(o, main.data, &list)) == 0)
		rc = ctx_office_rels(o, main.data, &rels);
	p = list.data;
	end = p + list.len;
	while (rc == 0 && ctx_tag_step(&p, end, &t)) {
		if (!ctx_tag_is(&t, "sldId") || t.closes ||
		    !ctx_tag_attr(&t, ":id", &id, &n))
			continue;
		if (slides++ >= SLIDES_MAX)
			continue;
		ctx_office_target(&path, main.data, &rels, "Id", id, n);
		if (ctx_buf_str(&path) == NULL)
			rc = ctx_fail_nomem(o->err);
		else if ((rc = ctx_office_load(o, path.data, &o->part)) == 0)
			rc = read_slide(o);
	}
	ctx_digest_figure(o->d, CTX_FIG_SLIDES, slides);
	ctx_digest_figure(o->d, CTX_FIG_SIZE, o->d->bytes);
	ctx_buf_done(&main);
	ctx_buf_done(&list);
	ctx_buf_done(&rels);
	ctx_buf_done(&path);
	return rc;
}
