/* SPDX-License-Identifier: MIT */
#include "job/map.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "digest/digest_line.h"
#include "job/map_impl.h"

#define PATH_BYTES	4096
#define WIDTH_MAX	4000	/* bytes of a signature */
#define TRIES		6	/* selections until one has the right size, */
#define SPARE		100	/* up to one part in this */

struct ctx_map *
ctx_map_new(const struct ctx_map_opts *opts, struct ctx_err *err)
{
	struct ctx_map *m = calloc(1, sizeof(*m));

	if (m == NULL || (m->focused = calloc(opts->nfocus + 1, 1)) == NULL) {
		free(m);
		ctx_fail_nomem(err);
		return NULL;
	}
	m->opts = opts;
	return m;
}

struct ctx_buf *
ctx_map_code(struct ctx_map *m)
{
	return &m->code;
}

/* Add the path, clean and without ./ at its beginning, to the text. */
static int
add_path(struct ctx_map *m, struct ctx_map_file *f, const char *path)
{
	size_t i;

	while (path[0] == '.' && path[1] == '/')
		for (path += 2; *path == '/'; path++)
			continue;
	f->path = m->text.len;
	if (ctx_name_clean(&m->text, path, strlen(path), PATH_BYTES) == -1)
		return -1;
	f->pathlen = (uint32_t)(m->text.len - f->path);
	for (i = 0; i < f->pathlen; i++)
		if (m->text.data[f->path + i] == '/')
			f->dirlen = (uint32_t)i;
	return 0;
}

/*
 * What a name's length and form say about it: get and i are the names of many
 * things, parse_header of one.
 */
static uint32_t
weight(const char *name, size_t len)
{
	int upper = 0, lower = 0, line = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		upper |= isupper((unsigned char)name[i]) != 0;
		lower |= islower((unsigned char)name[i]) != 0;
		line |= i > 0 && name[i] == '_';
	}
	if (*name == '_')
		return CTX_REFRANK_WEIGHT / 10;
	if (len >= 8 && ((upper && lower) || line))
		return CTX_REFRANK_WEIGHT * 10;
	return CTX_REFRANK_WEIGHT;
}

static int
add_item(struct ctx_map *m, const struct ctx_digest *d,
    const struct ctx_outline_item *from, struct ctx_err *err)
{
	const struct ctx_name *name = &d->names.v[from->name];
	const char *text = ctx_name_text(&d->names, name);
	const struct ctx_map_file *f = &m->file[m->nfile - 1];
	/* C's and C++'s declarations stand for definitions elsewhere */
	int declared = from->declared && d->lang->flags & CTX_L_CPP &&
	    !(d->lang->flags & CTX_L_VERBATIM);
	struct ctx_map_item item = { .sig = m->text.len,
	    .siglen = (uint16_t)from->siglen, .namelen = (uint16_t)name->len,
	    .file = (uint32_t)m->nfile - 1, .words = from->words };

	item.up = from->up == 0 ? 0 : f->item + from->up;
	ctx_buf_add(&m->text, m->outline.text.data + from->sig, from->siglen);
	ctx_buf_add(&m->text, text, name->len);
	if (CTX_ROOM(m->item, m->nitem, &m->capitem) == -1)
		return ctx_fail_nomem(err);
	m->item[m->nitem++] = item;
	return ctx_refrank_define(&m->rank, from->hash, weight(text,
	    name->len), declared, err);
}

/* Add what a source file defines and uses. */
static int
add_outline(struct ctx_map *m, const struct ctx_digest *d, struct ctx_err *err)
{
	const struct ctx_outline *o = &m->outline;
	size_t i;

	if (ctx_outline_make(&m->outline, d->lang, &d->names, &m->code,
	    m->opts->width < WIDTH_MAX ? m->opts->width : WIDTH_MAX, err) ==
	    -1)
		return -1;
	for (i = 0; i < o->n; i++)
		if (add_item(m, d, &o->item[i], err) == -1)
			return -1;
	for (i = 0; i < o->nword; i++)
		if (ctx_refrank_use(&m->rank, o->word[i].hash, o->word[i].n,
		    err) == -1)
			return -1;
	m->file[m->nfile - 1].nitem = (uint32_t)o->n;
	m->file[m->nfile - 1].aside = o->packed != 0;
	return 0;
}

/* How much a file without definitions matters, in words of code. */
static uint16_t
weight_of(const struct ctx_digest *d)
{
	static const uint16_t weights[] = {
		[CTX_FILE_TEXT] = 4, [CTX_FILE_CODE] = 8,
		[CTX_FILE_MARKUP] = 16, [CTX_FILE_DATA] = 4,
		[CTX_FILE_TABLE] = 16, [CTX_FILE_NOTEBOOK] = 32,
		[CTX_FILE_LOG] = 1, [CTX_FILE_DIFF] = 1, [CTX_FILE_IMAGE] = 1,
		[CTX_FILE_DOCUMENT] = 8, [CTX_FILE_ARCHIVE] = 1,
		[CTX_FILE_BINARY] = 1,
	};

	return weights[d->kind];
}

/*
 * Leave out of a digest what any small edit changes: lines, sizes and times.
 */
static void
settle(struct ctx_digest *d)
{
	size_t i, n = 0;

	for (i = 0; i < d->nfigure; i++)
		if (d->figure[i].figure != CTX_FIG_LINES &&
		    d->figure[i].figure != CTX_FIG_SIZE)
			d->figure[n++] = d->figure[i];
	d->nfigure = n;
	d->since[0] = '\0';
}

/* Add the line of a file that defines nothing. */
static int
add_line(struct ctx_map *m, const struct ctx_digest *d)
{
	struct ctx_map_file *f = &m->file[m->nfile - 1];
	struct ctx_digest named = *d;
	const char *slash = strrchr(d->name, '/');

	named.name = slash == NULL ? d->name : slash + 1;
	settle(&named);
	f->weight = weight_of(d);
	f->readme = strncasecmp(named.name, "readme", 6) == 0;
	f->line = m->text.len;
	if (ctx_digest_item(&named, m->opts->lang, m->opts->width,
	    &m->text) == -1)
		return -1;
	f->linelen = (uint32_t)(m->text.len - f->line);
	return 0;
}

int
ctx_map_add(struct ctx_map *m, const struct ctx_digest *d, struct ctx_err *err)
{
	struct ctx_map_file f = { .item = (uint32_t)m->nitem };

	if (ctx_refrank_file(&m->rank, err) == -1)
		return -1;
	if (CTX_ROOM(m->file, m->nfile, &m->capfile) == -1 ||
	    add_path(m, &f, d->name) == -1)
		return ctx_fail_nomem(err);
	m->file[m->nfile++] = f;
	if (d->lang != NULL && d->lang->kind == CTX_FILE_CODE &&
	    add_outline(m, d, err) == -1)
		return -1;
	ctx_buf_reset(&m->code);	/* so that it is never another file's */
	if (m->file[m->nfile - 1].nitem == 0 && add_line(m, d) == -1)
		return ctx_fail_nomem(err);
	return ctx_buf_fail(&m->text, err);
}

/*
 * Write what fits in limit tokens, as the lines are counted one by one, and
 * count the whole.  Returns 0, or -1 with *err.
 */
static int
try(struct ctx_map *m, uint64_t limit, struct ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_reset(out);
	if (ctx_map_fit(m, limit, err) == -1)
		return -1;
	if (ctx_map_write(m, out) == -1)
		return ctx_fail_nomem(err);
	return ctx_cost_text(m->opts->cost, out->data, out->len,
	    &m->sums.tokens, err);
}

static int
is_whole(const struct ctx_map_sums *s)
{
	return s->shown == s->files && s->signatures == s->definitions;
}

/*
 * Try limits until a map nearly fills the budget: lines can cost less together
 * than one by one, and with some tokenizers more.  Returns 0, or -1 with *err.
 */
static int
fit(struct ctx_map *m, struct ctx_buf *best, struct ctx_err *err)
{
	uint64_t max = m->opts->tokens, limit = max, n;
	struct ctx_map_sums sums = m->sums;
	struct ctx_buf text = { 0 }, swap;
	int i, rc = 0;

	for (i = 0; limit > 0 && (rc = try(m, limit, &text, err)) == 0; i++) {
		n = m->sums.tokens;
		if (n <= max && n >= sums.tokens) {
			swap = *best, *best = text, text = swap;
			sums = m->sums;
		}
		if ((n <= max && is_whole(&m->sums)) || (best->len > 0 &&
		    (i >= TRIES || max - sums.tokens <= max / SPARE)))
			break;
		if (n <= max)
			limit += max - n;
		else
			limit = i < TRIES && limit > n - max ?
			    limit - (n - max) : limit / 2;
	}
	m->sums = sums;
	ctx_buf_done(&text);
	return rc;
}

int
ctx_map_make(struct ctx_map *m, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	int rc;

	m->sums.files = m->nfile;
	m->sums.definitions = m->nitem;
	if (ctx_map_tree(m, err) == -1 || ctx_map_rank(m, err) == -1)
		return -1;
	if ((rc = fit(m, &text, err)) == 0 && text.len > 0) {
		ctx_buf_add(out, text.data, text.len);
		rc = ctx_buf_fail(out, err) == -1 ? -1 : 1;
	}
	ctx_buf_done(&text);
	return rc;
}

int
ctx_map_focused(const struct ctx_map *m, size_t i)
{
	return m->focused[i];
}

const struct ctx_map_sums *
ctx_map_figures(const struct ctx_map *m)
{
	return &m->sums;
}

void
ctx_map_free(struct ctx_map *m)
{
	if (m == NULL)
		return;
	ctx_buf_done(&m->text);
	ctx_buf_done(&m->code);
	ctx_buf_done(&m->scratch);
	ctx_outline_done(&m->outline);
	ctx_refrank_done(&m->rank);
	free(m->file);
	free(m->item);
	free(m->dir);
	free(m->order);
	free(m->bysize);
	free(m->focused);
	free(m->cand);
	free(m);
}
