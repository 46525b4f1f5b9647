/* SPDX-License-Identifier: MIT */
/* Turn words into queries of the index; see query.h. */
#include "store/search/query.h"

#include <stdlib.h>
#include <string.h>

#include "store/search/fts.h"
#include "store/search/lex.h"

/*
 * A completion takes about 25 us to find and 20 us to read.  One part has at
 * most EXPAND of them, and all parts together look for at most EXPAND_ALL.
 */
#define EXPAND		64
#define EXPAND_ALL	200

/* The last word of a form. */
static const char *
last_word(const struct ctx_query_form *form)
{
	const char *p = form->words.data;
	size_t i;

	for (i = 1; i < form->n; i++)
		p += strlen(p) + 1;
	return p;
}

/* A form as a phrase; another last word is used unless that is NULL. */
static void
add_phrase(struct ctx_buf *out, const struct ctx_query_form *form,
    const char *last)
{
	const char *p = form->words.data;
	size_t i;

	if (out->len > 0 && strchr("\"*", out->data[out->len - 1]) != NULL)
		ctx_buf_adds(out, " OR ");
	ctx_buf_addc(out, '"');
	for (i = 0; i < form->n; i++, p += strlen(p) + 1) {
		ctx_buf_adds(out, i > 0 ? " " : "");
		ctx_buf_adds(out, i + 1 == form->n && last != NULL ? last : p);
	}
	ctx_buf_addc(out, '"');
}

/* Put the phrases of a form into part->expr, or make the part wide. */
static int
expand(struct ctx_query *q, struct ctx_query_part *part,
    const struct ctx_query_form *form, struct ctx_err *err)
{
	const char *last = last_word(form), *p;
	struct ctx_buf words = { 0 };
	int i, n, max = EXPAND;

	if (max > EXPAND_ALL - q->looked)
		max = EXPAND_ALL - q->looked;
	if ((n = ctx_query_words(q->st, last, last, max, &words, err)) > max)
		part->wide = 1;
	for (i = 0, p = words.data; i < n && !part->wide; i++) {
		add_phrase(&part->expr, form, p);
		p += strlen(p) + 1;
	}
	ctx_buf_done(&words);
	q->looked += n > 0 ? n : 0;
	return n == -1 ? -1 : 0;
}

static int
fill_part(struct ctx_query *q, struct ctx_query_part *part, struct ctx_err *err)
{
	int i;

	for (i = 0; i < part->nform && !part->wide; i++)
		if (!part->prefix || !ctx_fts_exact()) {
			add_phrase(&part->expr, &part->form[i], NULL);
			ctx_buf_adds(&part->expr, part->prefix ? " *" : "");
		} else if (expand(q, part, &part->form[i], err) == -1)
			return -1;
	/*
	 * No word begins like this: search for it as it is, which finds
	 * nothing.
	 */
	if (part->expr.len == 0 && !part->wide)
		add_phrase(&part->expr, &part->form[0], NULL);
	q->wide += (size_t)part->wide;
	return ctx_buf_fail(&part->expr, err);
}

static void
part_done(struct ctx_query_part *part)
{
	ctx_buf_done(&part->form[0].words);
	ctx_buf_done(&part->form[1].words);
	ctx_buf_done(&part->expr);
}

static int
same_part(const struct ctx_query_part *a, const struct ctx_query_part *b)
{
	return a->prefix == b->prefix && a->nform == b->nform &&
	    a->form[0].words.len == b->form[0].words.len &&
	    memcmp(a->form[0].words.data, b->form[0].words.data,
	    a->form[0].words.len) == 0;
}

/* An identifier may also occur as the words it is made of, and they as it. */
static int
add_names(struct ctx_query *q, struct ctx_query_part *part, const char *text,
    size_t len, struct ctx_err *err)
{
	const size_t skip = strlen(" " CTX_LEX_MARK " ");
	struct ctx_buf names = { 0 };
	int rc = 0;

	ctx_lex_names(&names, text, len);
	if (names.len > skip)
		rc = ctx_query_words_of(q, &part->form[1],
		    names.data + skip, names.len - skip, err);
	part->nform += part->form[1].n > 0;
	if (ctx_buf_fail(&names, err) == -1)
		rc = -1;
	ctx_buf_done(&names);
	return rc;
}

/* Add a part, whose contents are taken, unless there is one like it. */
static int
add_part(struct ctx_query *q, struct ctx_query_part *part, struct ctx_err *err)
{
	int rc = 0;
	size_t i;

	for (i = 0; i < q->n && part->form[0].n > 0; i++)
		if (same_part(&q->part[i], part))
			part->form[0].n = 0;
	if (part->form[0].n == 0) {
		part_done(part);
		return 0;
	}
	if (q->n == CTX_QUERY_PARTS)
		rc = ctx_fail(err, CTX_EUSAGE,
		    "more than %d words to search for", CTX_QUERY_PARTS);
	else if (CTX_ROOM(q->part, q->n, &q->cap) == -1)
		rc = ctx_fail_nomem(err);
	if (rc == -1)
		part_done(part);
	else
		q->part[q->n++] = *part;
	return rc;
}

static int
take_part(const char *text, size_t len, int prefix, void *arg)
{
	struct ctx_query_part part = { .nform = 1, .prefix = prefix };
	struct ctx_query *q = arg;
	int rc;

	rc = ctx_query_words_of(q, &part.form[0], text, len, q->err);
	if (rc == 0 && prefix && part.form[0].n == 1)
		rc = add_names(q, &part, text, len, q->err);
	if (rc == 0)
		return add_part(q, &part, q->err);
	part_done(&part);
	return -1;
}

int
ctx_query_term(struct ctx_query *q, const char *word, size_t len, int prefix,
    struct ctx_err *err)
{
	struct ctx_query_part part = { .nform = 1, .prefix = prefix };

	if (ctx_query_words_of(q, &part.form[0], word, len, err) == 0)
		return add_part(q, &part, err);
	part_done(&part);
	return -1;
}

static int
take_parts(struct ctx_query *q, const char *words, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	int rc = -1;

	ctx_buf_adds(&text, words);
	if (ctx_buf_str(&text) != NULL) {
		ctx_lex_unmark(text.data, text.len);
		rc = ctx_lex_query(text.data, text.len, take_part, q);
	}
	ctx_buf_done(&text);
	return rc == 0 || err->code != CTX_OK ? rc : ctx_fail_nomem(err);
}

int
ctx_query_begin(struct ctx_query *q, struct ctx_store *st, struct ctx_err *err)
{
	memset(q, 0, sizeof(*q));
	q->st = st;
	q->err = err;
	return ctx_query_tokenizer(st, "unicode61", &q->methods, &q->tokenizer,
	    err);
}

int
ctx_query_make(struct ctx_query *q, struct ctx_store *st, const char *words,
    struct ctx_err *err)
{
	size_t i;

	if (ctx_query_begin(q, st, err) == -1)
		return -1;
	if (take_parts(q, words, err) == -1)
		return -1;
	for (i = 0; i < q->n; i++)
		if (fill_part(q, &q->part[i], err) == -1)
			return -1;
	return q->n > 0;
}

void
ctx_query_done(struct ctx_query *q)
{
	while (q->n > 0)
		part_done(&q->part[--q->n]);
	free(q->part);
	if (q->tokenizer != NULL)
		q->methods.xDelete(q->tokenizer);
	ctx_buf_done(&q->text.words);
	memset(q, 0, sizeof(*q));
}

void
ctx_query_one(const struct ctx_query_part *part, struct ctx_buf *out)
{
	int i;

	ctx_buf_addc(out, '(');
	if (!part->wide)
		ctx_buf_add(out, part->expr.data, part->expr.len);
	for (i = 0; i < part->nform && part->wide; i++) {
		ctx_buf_adds(out, i > 0 ? " OR (" : "(");
		add_phrase(out, &part->form[i], NULL);
		ctx_buf_adds(out, " *)");
	}
	ctx_buf_addc(out, ')');
}

void
ctx_query_any(const struct ctx_query *q, struct ctx_buf *out)
{
	size_t i;

	ctx_buf_addc(out, '(');
	for (i = 0; i < q->n; i++) {
		ctx_buf_adds(out, i > 0 ? " OR " : "");
		ctx_query_one(&q->part[i], out);
	}
	ctx_buf_addc(out, ')');
}

void
ctx_query_all(const struct ctx_query *q, int wide, struct ctx_buf *out)
{
	size_t i, start = out->len;

	for (i = 0; i < q->n; i++) {
		if (q->part[i].wide && !wide)
			continue;
		if (out->len > start)
			ctx_buf_adds(out, " AND ");
		ctx_query_one(&q->part[i], out);
	}
}
