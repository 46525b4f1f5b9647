/* SPDX-License-Identifier: MIT */
/* FTS5's tokenizers and words; see query.h. */
#include "store/search/query.h"

#include <stdio.h>
#include <string.h>

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
