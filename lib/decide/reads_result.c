/* SPDX-License-Identifier: MIT */
/* Which parts of a result are contents of files; see reads.h. */
#include "decide/reads_impl.h"

#include <string.h>

#include "text/pick.h"
#include "text/shorten.h"
#include "view/media.h"

/* A picture or a page costs about as much as so many characters. */
#define MEDIA_CHARS	4000

struct ctx_read *
ctx_reads_add(struct ctx_reads *r, uint32_t part, struct ctx_str text,
    const struct ctx_reads_opts *o)
{
	struct ctx_read *p;

	if (CTX_ROOM(r->read, r->n, &r->cap) == -1)
		return NULL;
	p = r->read + r->n++;
	memset(p, 0, sizeof(*p));
	p->part = part;
	p->node = CTX_NONE;
	p->first = r->npath;
	if (o->size != NULL)
		o->size(o->arg, text, &p->gain, &p->left);
	return p;
}

/* Does a shell's answer begin with a status that is not 0? */
static int
exit_failed(struct ctx_str s)
{
	static const char words[] = "Exit code";
	size_t n = sizeof(words) - 1;

	if (!ctx_node_begins(s, words))
		return 0;
	n += n < s.len && s.p[n] == ':';
	return n + 1 < s.len && s.p[n] == ' ' && s.p[n + 1] != '0';
}

/* Does a tool's answer report a failure, in one of the usual phrasings? */
static int
says_error(struct ctx_str s)
{
	static const char *const words[] = {
		"Error:", "error:", "<tool_use_error>", "ERROR", "Failed to",
		"File not found", "ENOENT", "cat: ", "File does not exist",
		"Traceback ("
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (ctx_node_begins(s, words[i]))
			return 1;
	return ctx_node_begins(s, "{\"error") || exit_failed(s);
}

/* Does a tool that writes say that it has not, though it did not fail? */
static int
says_unwritten(struct ctx_str s)
{
	static const char *const words[] = {
		"No replacement was performed", "No changes",
		"No occurrences", "Could not find", "String to replace not",
		"File already exists", "File has not been read",
		"File has been modified since", "Invalid `", "The path ",
		"The user ", "apply_patch verification failed"
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (ctx_node_begins(s, words[i]))
			return 1;
	return 0;
}

/* The same, also of an object that is spelled there.  -1 if out of memory. */
static int
text_failed(struct ctx_reads *r, struct ctx_str s)
{
	int rc;

	if (s.len == 0 || says_error(s))
		return s.len > 0;
	if (*s.p != '{')
		return 0;
	ctx_buf_reset(&r->args);
	if (ctx_str_decode(&r->args, s.p, s.len) == -1)
		return -1;
	rc = ctx_doc_try(&r->doc, r->args.data, r->args.len);
	return rc == 1 ? ctx_wrapped_failed(&r->doc, 0) : rc;
}

int
ctx_reads_failed(struct ctx_reads *r, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t k = i;
	int rc = p->flags & CTX_ERROR || (p->flags & CTX_RAW &&
	    ctx_node_if(&doc, p->text, '{') != CTX_NONE &&
	    ctx_wrapped_failed(&doc, p->text));

	for (; rc == 0 && (k == i || (k < c->npart &&
	    c->part[k].flags & CTX_INNER)); k++)
		if (!(c->part[k].flags & CTX_RAW) &&
		    c->part[k].kind != CTX_COPY)
			rc = says_unwritten(ctx_part_text(c, k)) ? 1 :
			    text_failed(r, ctx_part_text(c, k));
	return rc;
}

/* Is it a note in place of a text, or a text with a note in place of a part? */
static int
is_noted(struct ctx_str s)
{
	static const enum ctx_marker notes[] = {
		CTX_MARKER_CLEARED, CTX_MARKER_CLEARED_KEPT, CTX_MARKER_COPY,
		CTX_MARKER_IMAGE, CTX_MARKER_NO_RESULT, CTX_MARKER_OMITTED
	};
	struct ctx_marker_said said;
	size_t i;

	for (i = 0; s.len > 0 && i < sizeof(notes) / sizeof(notes[0]); i++)
		if (ctx_marker_at(notes[i], s, 0, &said) == s.len)
			return 1;
	return ctx_shorten_marked(s) || ctx_pick_marked(s);
}

/* Is part k a string in part i, which is a JSON value? */
static int
is_in_json(const struct ctx_convo *c, uint32_t i, uint32_t k)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);

	return i != k && p->flags & CTX_RAW && p->text != CTX_NONE &&
	    c->msg[c->part[k].msg].rec == c->msg[p->msg].rec &&
	    c->part[k].text > p->text &&
	    c->part[k].text < doc.node[p->text].next;
}

/*
 * Add text k of a result, if there is one and it is no failure or note; of a
 * JSON value the string that holds the contents.  *read is NULL if it is none.
 * Returns 0, or -1 if out of memory.
 */
static int
add_text(struct ctx_reads *r, const struct ctx_convo *c, uint32_t k,
    const struct ctx_reads_opts *o, struct ctx_read **read)
{
	const struct ctx_part *p = &c->part[k];
	struct ctx_str s = ctx_part_text(c, k);
	struct ctx_lines lines = { 0 };
	uint32_t node = CTX_NONE;
	struct ctx_doc doc;
	int rc;

	*read = NULL;
	if (s.p == NULL || (p->kind != CTX_RESULT && p->kind != CTX_TEXT &&
	    p->kind != CTX_COPY))
		return 0;
	if (p->flags & CTX_RAW) {
		doc = ctx_convo_doc(c, c->msg[p->msg].rec);
		node = ctx_wrapped_node(&doc, p->text, &lines);
		if (node == CTX_NONE)
			return 0;
		s = ctx_node_str(&doc, node);
	}
	if ((rc = text_failed(r, s)) != 0)
		return rc == -1 ? -1 : 0;
	if ((*read = ctx_reads_add(r, k, s, o)) == NULL)
		return -1;
	(*read)->node = node;
	(*read)->said = lines;
	return 0;
}

/*
 * Add the image or document k of a result, if that is a list in which a text may
 * be in its place.  *read is NULL if it is none.  Returns 0, or -1 if out of
 * memory.
 */
static int
add_media(struct ctx_reads *r, const struct ctx_convo *c, uint32_t k,
    const struct ctx_reads_opts *o, struct ctx_read **read)
{
	const struct ctx_part *p = &c->part[k];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t list = p->place[0].list;
	struct ctx_respelled plain = { 0 };
	struct ctx_media m;
	int rc;

	*read = NULL;
	/* a response of Gemini's API has no texts there */
	if (list == CTX_NONE || list == 0 || ctx_node_type(&doc, list) != '[' ||
	    ctx_node_is(&doc, list - 1, "parts"))
		return 0;
	rc = ctx_media_find(c, k, &m, &plain);
	if (rc == 0 && m.data.p != NULL && m.form != CTX_MEDIA_LINK) {
		if (m.data.len > MEDIA_CHARS)
			m.data.len = MEDIA_CHARS;
		if ((*read = ctx_reads_add(r, k, m.data, o)) == NULL)
			rc = -1;
		else
			(*read)->media = 1;
	}
	ctx_respelled_done(&plain);
	return rc;
}

/* Is it a digest, which counts as longer than it is? */
static int
is_digest(const struct ctx_read *read, struct ctx_str s)
{
	return read->gain == 0 && read->left > ctx_str_chars(s.p, s.len);
}

/* May the text of a read be what ctx or a tool said instead of contents? */
static int
may_be_said(const struct ctx_convo *c, const struct ctx_read *read)
{
	struct ctx_doc doc = ctx_convo_doc(c,
	    c->msg[c->part[read->part].msg].rec);
	struct ctx_str s = read->node != CTX_NONE ? ctx_node_str(&doc,
	    read->node) : ctx_part_text(c, read->part);

	return !read->media && (is_noted(s) ||
	    (read->form == CTX_LISTING_NONE && !is_digest(read, s) &&
	    ctx_wrapped_remark(s)));
}

/* Does a result have one image or document, and no more? */
static int
has_one_media(const struct ctx_convo *c, uint32_t i)
{
	unsigned n = 0;

	while (++i < c->npart && c->part[i].flags & CTX_INNER)
		n += c->part[i].kind == CTX_IMAGE || c->part[i].kind ==
		    CTX_FILE;
	return n == 1;
}

/* Is part k of result i what may be the file that was read? */
static int
is_media(const struct ctx_convo *c, uint32_t i, uint32_t k,
    enum ctx_reads_kind kind)
{
	return (c->part[k].kind == CTX_IMAGE || c->part[k].kind == CTX_FILE) &&
	    (kind == CTX_READS_READER || kind == CTX_READS_BY_ID) && has_one_media(c, i);
}

/*
 * What is written for people beside a copy of a text may say how many lines the
 * file has: note it of the reads from first on, which are of the same result.
 */
static void
note_copy(struct ctx_reads *r, const struct ctx_convo *c, size_t first,
    uint32_t k)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[k].msg].rec);
	struct ctx_lines lines = { 0 };
	uint32_t i = c->part[k].text;

	if (c->part[k].kind != CTX_COPY || i == CTX_NONE)
		return;
	/* the object in which it is */
	while (i > 0 && (ctx_node_type(&doc, i) != '{' ||
	    doc.node[i].next <= c->part[k].text))
		i--;
	ctx_wrapped_said(&doc, i, &lines);
	for (; first < r->n; first++)
		if (r->read[first].said.total == 0)
			r->read[first].said.total = lines.total;
}

int
ctx_reads_result(struct ctx_reads *r, const struct ctx_convo *c, uint32_t i,
    const struct ctx_reads_opts *o)
{
	const struct ctx_part *p = &c->part[i];
	enum ctx_reads_kind kind = ctx_reads_kind_of(c, p, o);
	uint32_t k = i;
	size_t first = r->n;
	struct ctx_read *read;
	int rc;

	if (p->flags & CTX_ERROR || (kind == CTX_READS_OTHER && (o->catalog == NULL ||
	    p->mate == CTX_NONE)))
		return 0;
	do {
		read = NULL;
		if ((is_media(c, i, k, kind) ? add_media(r, c, k, o, &read) :
		    is_in_json(c, i, k) ? 0 : add_text(r, c, k, o, &read)) ==
		    -1)
			return -1;
		if (read == NULL)
			continue;
		read->head = i;
		if ((rc = ctx_reads_name(r, c, read, kind, o)) == -1)
			return -1;
		if (rc == 0 || may_be_said(c, read))
			r->n--;
		note_copy(r, c, first, k);
	} while (++k < c->npart && c->part[k].flags & CTX_INNER);
	return 0;
}
