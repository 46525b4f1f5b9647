/* SPDX-License-Identifier: MIT */
/* Turn words into queries of the index; see query.h. */
#include "store/search/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/search/lex.h"

/*
 * A completion takes about 25 us to find and 20 us to read.  One part has at
 * most EXPAND of them, and all parts together look for at most EXPAND_ALL.
 */
#define EXPAND		64
#define EXPAND_ALL	200

int
ctx_query_tokenizer(struct ctx_store *st, const char *name,
    fts5_tokenizer *methods, Fts5Tokenizer **tokenizer, struct ctx_err *err)
{
	static const char *args[] = { "remove_diacritics", "2" };
	int nargs = strcmp(name, "unicode61") == 0 ? 2 : 0;
	sqlite3_stmt *stmt = NULL;
	fts5_api *api = NULL;
	void *user;
	int rc;

	rc = sqlite3_prepare_v2(st->db, "SELECT fts5(?1)", -1, &stmt, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_pointer(stmt, 1, &api, "fts5_api_ptr", NULL);
	if (rc == SQLITE_OK && sqlite3_step(stmt) != SQLITE_ROW)
		rc = sqlite3_errcode(st->db);
	sqlite3_finalize(stmt);
	if (rc == SQLITE_OK && api == NULL)
		rc = SQLITE_ERROR;
	if (rc == SQLITE_OK)
		rc = api->xFindTokenizer(api, name, &user, methods);
	if (rc == SQLITE_OK)
		rc = methods->xCreate(user, args, nargs, tokenizer);
	return rc == SQLITE_OK ? 0 : ctx_db_fail(st, rc, err);
}

/* A reader may not write, but a name for a view of the index is not content. */
int
ctx_query_open_words(struct ctx_store *st, const char *index,
    struct ctx_err *err)
{
	char sql[120];
	int64_t n;
	int rc;

	snprintf(sql, sizeof(sql), "CREATE VIRTUAL TABLE temp.%s_words USING"
	    " fts5vocab(main, %s, instance)", index, index);
	rc = ctx_db_int(st, &n, err, "SELECT 1 FROM temp.sqlite_master WHERE"
	    " name = ?1 || '_words'", "s", index);
	if (rc != 0)
		return rc == 1 ? 0 : -1;
	if (!st->writer && ctx_db_exec(st, "PRAGMA query_only=OFF", err) == -1)
		return -1;
	rc = ctx_db_exec(st, sql, err);
	if (!st->writer && ctx_db_exec(st, "PRAGMA query_only=ON", err) == -1)
		return -1;
	return rc;
}

/*
 * The first word of the index at or after *word, if it has the prefix.
 * Returns 1, 0, or -1.
 */
static int
next_word(struct ctx_store *st, struct ctx_buf *word, const char *prefix,
    struct ctx_err *err)
{
	size_t n = strlen(prefix);
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT CAST(term AS BLOB) FROM"
	    " temp.search_words WHERE term >= ?1 LIMIT 1", "t", word->data,
	    word->len);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	ctx_buf_reset(word);
	ctx_db_add(word, q, 0);
	sqlite3_reset(q);
	if (ctx_buf_fail(word, err) == -1)
		return -1;
	return word->len >= n && memcmp(word->data, prefix, n) == 0;
}

int
ctx_query_words(struct ctx_store *st, const char *low, const char *prefix,
    int max, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf word = { 0 };
	int n = 0, rc = ctx_query_open_words(st, "search", err);

	ctx_buf_adds(&word, low);
	while (rc != -1 && n <= max &&
	    (rc = next_word(st, &word, prefix, err)) == 1) {
		/* The next word is greater than this one followed by a byte. */
		ctx_buf_addc(&word, '\1');
		if (n++ < max)
			ctx_buf_add(out, word.data, word.len);
		if (n <= max && !out->failed)
			out->data[out->len - 1] = '\0';
	}
	if (rc != -1 && (word.failed || out->failed))
		rc = ctx_fail_nomem(err);
	ctx_buf_done(&word);
	return rc == -1 ? -1 : n;
}

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

	if (out->len > 0 && out->data[out->len - 1] == '"')
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
		if (!part->prefix)
			add_phrase(&part->expr, &part->form[i], NULL);
		else if (expand(q, part, &part->form[i], err) == -1)
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
