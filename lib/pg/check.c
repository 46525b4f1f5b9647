/* SPDX-License-Identifier: MIT */
/*
 * What a check asks the server: the references that its tables do not declare,
 * because rows of several threads are written at once, and the indexes of
 * search.  Pages are not read: the server has pg_amcheck for them.
 */
#include "store/check_db.h"

#include "pg/fts.h"
#include "store/db.h"
#include "store/search/check_index.h"
#include "store/search/index.h"
#include "store/search/note.h"
#include "store/search/trigram.h"

/* What a column refers to: a row, and contents of the same thread or a user. */
#define REFERS(table, column, to) \
	{ "SELECT count(*) FROM " table " r WHERE r." column " IS NOT NULL" \
	" AND NOT EXISTS (SELECT 1 FROM " to " t WHERE t.id = r." column ")", \
	"a row of " table " refers to a missing row of " to }
#define OWNS(table, column, is_own) \
	REFERS(table, column, "body"), \
	{ "SELECT count(*) FROM " table " r JOIN body b ON b.id = r." column \
	" WHERE NOT (" is_own ")", \
	"a row of " table " refers to contents of another thread" }
#define OF_THREAD	"b.thread = r.thread"

static const struct {
	const char *sql, *text;
} refers[] = {
	REFERS("context", "thread", "thread"),
	OWNS("message", "body", OF_THREAD),
	OWNS("body_part", "body", OF_THREAD),
	OWNS("body_part", "part", OF_THREAD),
	OWNS("ckpt", "state", OF_THREAD),
	OWNS("ckpt", "meta", OF_THREAD),
	OWNS("ckpt_write", "body", OF_THREAD),
	OWNS("view_part", "body", OF_THREAD),
	OWNS("summary", "body", OF_THREAD),
	OWNS("state", "body", OF_THREAD),
	OWNS("user_state", "body", "b.thread < 0"),
	OWNS("snapshot_part", "body", OF_THREAD),
	OWNS("file", "body", OF_THREAD),
	REFERS("vector", "message", "message"),
	REFERS("vector", "model", "vector_model"),
};

int
ctx_check_db(struct ctx_store *st, int full, ctx_check_fn *fn, void *arg,
    struct ctx_err *err)
{
	int64_t n;
	size_t i;

	(void)full;
	for (i = 0; i < sizeof(refers) / sizeof(refers[0]); i++) {
		n = 0;
		if (ctx_db_int(st, &n, err, refers[i].sql, "") == -1)
			return -1;
		for (; n > 0; n--)
			if (fn(refers[i].text, arg, err) == -1)
				return -1;
	}
	return 0;
}

/* --- the indexes --------------------------------------------------- */

struct compare {
	struct ctx_store *st;
	int64_t from;		/* messages with trigrams */
	int64_t differ;
	struct ctx_buf lexemes;
};

/* Is the text in the index?  Returns 1, 0, or -1. */
static int
has_text(struct compare *c, enum ctx_fts fts, int64_t id,
    const struct ctx_buf *text, struct ctx_err *err)
{
	const char *p;
	int64_t n;
	size_t len;

	ctx_buf_reset(&c->lexemes);
	if (ctx_fts_lexemes(c->st, fts, text, &c->lexemes, err) == -1)
		return -1;
	p = c->lexemes.data != NULL ? c->lexemes.data : "";
	len = c->lexemes.len;
	return fts == CTX_FTS_TRIGRAMS ? ctx_db_int(c->st, &n, err, "SELECT 1"
	    " FROM trigram WHERE rowid = ?1 AND words = ?2::text::tsvector",
	    "it", id, p, len) : ctx_db_int(c->st, &n, err, "SELECT 1 FROM"
	    " search WHERE rowid = ?1 AND words = ?2::text::tsvector", "it",
	    id, p, len);
}

static int
compare(const struct ctx_index_line *m, const struct ctx_buf *text,
    struct ctx_buf *words, void *arg, struct ctx_err *err)
{
	struct compare *c = arg;
	int64_t n;
	int rc = has_text(c, CTX_FTS_WORDS, m->id, text, err);

	if (rc == 1 && m->typed)
		rc = ctx_db_int(c->st, &n, err, "SELECT 1 FROM typed_tool"
		    " WHERE message = ?1", "i", m->id);
	if (rc == 1 && m->id >= c->from) {
		ctx_trigram_text(words);
		rc = has_text(c, CTX_FTS_TRIGRAMS, m->id, words, err);
	}
	c->differ += rc == 0;
	return rc == -1 ? -1 : 0;
}

/* What is in an index without being a message that is marked so. */
#define STRAY(table, row) "SELECT count(*) FROM " table " s WHERE s." row \
	" < ?1 AND NOT EXISTS (SELECT 1 FROM message m WHERE m.id = s." row \
	" AND m.words <> 0)"

int
ctx_check_index(struct ctx_store *st, int64_t *differ, struct ctx_err *err)
{
	struct compare c = { .st = st };
	int64_t n[3] = { 0 };
	int rc, trigrams = ctx_trigram_from(st, &c.from, err);

	if (trigrams == -1)
		return -1;
	if (trigrams == 0)
		c.from = INT64_MAX;
	rc = ctx_index_each(st, compare, &c, err);
	if (rc == 0)
		rc = ctx_db_int(st, &n[0], err, STRAY("search", "rowid"), "i",
		    CTX_NOTE_TEXT);
	if (rc != -1)
		rc = ctx_db_int(st, &n[1], err, STRAY("typed_tool", "message"),
		    "i", CTX_NOTE_TEXT);
	if (rc != -1 && trigrams)
		rc = ctx_db_int(st, &n[2], err, STRAY("trigram", "rowid"), "i",
		    CTX_NOTE_TEXT);
	ctx_buf_done(&c.lexemes);
	*differ = c.differ + n[0] + n[1] + n[2];
	return rc == -1 ? -1 : 0;
}
