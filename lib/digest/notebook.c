/* SPDX-License-Identifier: MIT */
/* Jupyter notebooks: cells, headings of the text, functions of the code. */
#include "digest/format.h"
#include "read/node.h"

#define NOTEBOOK_MAX	((size_t)16 << 20)	/* else treated as JSON */

/* Append a cell's source: a string or an array of strings. */
static void
add_source(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t cell)
{
	uint32_t src = CTX_GET(doc, cell, "source"), e;

	CTX_FOR_LIST(doc, e, src)
		ctx_node_decode(out, doc, e);
	ctx_node_decode(out, doc, src);
	ctx_buf_addc(out, '\n');
}

/* Join all cells of a type; returns their number. */
static uint64_t
join(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t cells,
    const char *type)
{
	uint64_t n = 0;
	uint32_t e;

	ctx_buf_reset(out);
	CTX_FOR_LIST(doc, e, cells)
		if (ctx_node_type(doc, e) == '{') {
			n++;
			if (ctx_node_is(doc, CTX_GET(doc, e, "cell_type"),
			    type))
				add_source(out, doc, e);
		}
	return n;
}

/* The code's language according to the metadata; python if they do not say. */
static const struct ctx_lang *
language(struct ctx_buf *tmp, const struct ctx_doc *doc)
{
	uint32_t meta = CTX_GET(doc, 0, "metadata"), name;
	const struct ctx_lang *lang = NULL;
	char *text, *p;

	name = CTX_GET(doc, CTX_GET(doc, meta, "kernelspec"), "language");
	if (name == CTX_NONE)
		name = CTX_GET(doc, CTX_GET(doc, meta, "language_info"),
		    "name");
	ctx_buf_reset(tmp);
	ctx_node_decode(tmp, doc, name);
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
		cells = ctx_node_if(&doc, CTX_GET(&doc, 0, "cells"), '[');
	if (rc == -1)
		ctx_fail_nomem(err);
	else if (cells != CTX_NONE)
		rc = read_cells(d, &doc, cells, err);
	else {
		d->type = "JSON";
		d->kind = CTX_FILE_DATA;
		rc = ctx_format_json(d, data, len, err);
	}
	ctx_doc_done(&doc);
	return rc;
}
