/* SPDX-License-Identifier: MIT */
/* Jupyter notebooks: cells, headings of the text, functions of the code. */
#include <string.h>

#include "digest/format.h"
#include "read/span.h"

#define NOTEBOOK_MAX	((size_t)16 << 20)	/* else treated as JSON */

static uint32_t
get(const struct ctx_doc *doc, uint32_t obj, const char *key)
{
	return obj == CTX_NONE ? CTX_NONE :
	    ctx_doc_get(doc, obj, key, strlen(key));
}

/* Append the decoded string at node i; other nodes are ignored. */
static void
add_string(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t i)
{
	if (i != CTX_NONE && ctx_node_type(doc, i) == '"')
		ctx_str_decode(out, doc->raw + doc->node[i].off + 1,
		    doc->node[i].len - 2);
}

/* Append a cell's source: a string or an array of strings. */
static void
add_source(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t cell)
{
	uint32_t src = get(doc, cell, "source"), e;

	if (src != CTX_NONE && ctx_node_type(doc, src) == '[')
		for (e = src + 1; e < doc->node[src].next;
		    e = doc->node[e].next)
			add_string(out, doc, e);
	else
		add_string(out, doc, src);
	ctx_buf_addc(out, '\n');
}

static int
is_string(const struct ctx_doc *doc, uint32_t i, const char *text)
{
	return i != CTX_NONE && ctx_node_type(doc, i) == '"' &&
	    doc->node[i].len == strlen(text) + 2 &&
	    memcmp(doc->raw + doc->node[i].off + 1, text, strlen(text)) == 0;
}

/* Join all cells of a type; returns their number. */
static uint64_t
join(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t cells,
    const char *type)
{
	uint64_t n = 0;
	uint32_t e;

	ctx_buf_reset(out);
	for (e = cells + 1; e < doc->node[cells].next; e = doc->node[e].next)
		if (ctx_node_type(doc, e) == '{') {
			n++;
			if (is_string(doc, get(doc, e, "cell_type"), type))
				add_source(out, doc, e);
		}
	return n;
}

/* The code's language according to the metadata; python if they do not say. */
static const struct ctx_lang *
language(struct ctx_buf *tmp, const struct ctx_doc *doc)
{
	uint32_t meta = get(doc, 0, "metadata"), name;
	const struct ctx_lang *lang = NULL;
	char *text, *p;

	name = get(doc, get(doc, meta, "kernelspec"), "language");
	if (name == CTX_NONE)
		name = get(doc, get(doc, meta, "language_info"), "name");
	ctx_buf_reset(tmp);
	add_string(tmp, doc, name);
	if ((text = ctx_buf_str(tmp)) != NULL) {
		for (p = text; *p != '\0'; p++)
			if (*p >= 'A' && *p <= 'Z')
				*p |= 32;
		lang = ctx_lang_named(text);
	}
	return lang != NULL ? lang : ctx_lang_named("python");
}

static int
read_cells(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t cells,
    struct ctx_err *err)
{
	const struct ctx_lang *lang = language(&d->scratch, doc);
	const struct ctx_lang *text = ctx_lang_named("markdown");

	d->language = lang->name;
	ctx_digest_figure(d, CTX_FIG_CELLS,
	    join(&d->scratch, doc, cells, "code"));
	if (ctx_buf_fail(&d->scratch, err) == -1 ||
	    ctx_symbols_find(&d->symbols, &d->names, lang, d->scratch.data,
	    d->scratch.len, err) == -1)
		return -1;
	join(&d->scratch, doc, cells, "markdown");
	if (ctx_buf_fail(&d->scratch, err) == -1)
		return -1;
	return ctx_symbols_find(&d->symbols, &d->names, text,
	    d->scratch.data, d->scratch.len, err);
}

int
ctx_format_notebook(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	uint32_t cells = CTX_NONE;
	int rc = len <= NOTEBOOK_MAX ? ctx_doc_try(&doc, data, len) : 0;

	if (rc == 1)
		cells = get(&doc, 0, "cells");
	if (rc == -1)
		ctx_fail_nomem(err);
	else if (cells != CTX_NONE && ctx_node_type(&doc, cells) == '[')
		rc = read_cells(d, &doc, cells, err);
	else {
		d->type = "JSON";
		d->kind = CTX_FILE_DATA;
		rc = ctx_format_json(d, data, len, err);
	}
	ctx_doc_done(&doc);
	return rc;
}
