/* SPDX-License-Identifier: MIT */
/* Texts and queries as lexemes; see fts.h, store/search/fts.h and query.h. */
#include "pg/fts.h"

#include <string.h>

#include "base/strmap.h"
#include "base/utf8.h"
#include "pg/conn.h"
#include "pg/words.h"
#include "store/search/lex.h"
#include "store/search/note.h"
#include "store/search/query.h"
#include "store/search/trigram.h"

/* The server's limits are 2,046 bytes a lexeme, and a mebibyte for all. */
#define LEXEME_MAX	2000
#define LEXEMES_MAX	1000000

/*
 * A query is cut far below these limits: of a phrase it has the first words
 * only, and of a word its beginning.
 */
#define TERMS_MAX	8
#define TERM_MAX	120

/* What a text has that does not have all of its words, or not whole. */
#define PARTLY		CTX_LEX_MARK "x"

int
ctx_fts_exact(void)
{
	return 0;
}

int
ctx_query_tokenizer(struct ctx_store *st, const char *name,
    fts5_tokenizer *methods, Fts5Tokenizer **tokenizer, struct ctx_err *err)
{
	(void)st;
	methods->xTokenize = ctx_words_cut;
	methods->xDelete = ctx_words_close;
	*tokenizer = ctx_words_open(name);
	return *tokenizer != NULL ? 0 : ctx_fail_nomem(err);
}

/* Words are not listed: a query may have any prefix. */
int
ctx_query_words(struct ctx_store *st, const char *low, const char *prefix,
    int max, struct ctx_buf *out, struct ctx_err *err)
{
	(void)st;
	(void)low;
	(void)prefix;
	(void)out;
	(void)err;
	return max + 1;
}

static struct ctx_word_cutter *
words_of(struct ctx_store *st, enum ctx_fts fts, struct ctx_err *err)
{
	struct ctx_word_cutter **w = &st->db->words[fts];

	if (*w == NULL && (*w = ctx_words_open(fts == CTX_FTS_TRIGRAMS ?
	    "trigram" : "unicode61")) == NULL)
		ctx_fail_nomem(err);
	return *w;
}

/* The length of the characters of a word in at most max bytes. */
static size_t
whole_len(const char *word, size_t len, size_t max)
{
	size_t n = max;

	if (len <= max)
		return len;
	while (((unsigned char)word[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static void
add_lexeme(struct ctx_buf *out, const char *word, size_t len)
{
	size_t i;

	ctx_buf_addc(out, '\'');
	for (i = 0; i < len; i++) {
		if (word[i] == '\'' || word[i] == '\\')
			ctx_buf_addc(out, word[i]);
		ctx_buf_addc(out, word[i]);
	}
	ctx_buf_addc(out, '\'');
}

/* --- texts --------------------------------------------------------- */

struct text {
	struct ctx_strmap words;
	size_t bytes;
	int partly, nomem;
};

static int
take_word(void *arg, int flags, const char *word, int n, int from, int to)
{
	struct text *t = arg;
	size_t len = (size_t)n, had = t->words.n;

	(void)flags, (void)from, (void)to;
	if (ctx_utf8_check(word, len) != len || memchr(word, '\0', len) !=
	    NULL || t->bytes > LEXEMES_MAX - LEXEME_MAX) {
		t->partly = 1;
		return 0;
	}
	if (len > LEXEME_MAX) {
		t->partly = 1;
		len = whole_len(word, len, LEXEME_MAX);
	}
	if (ctx_strmap_add(&t->words, word, len) == CTX_STRMAP_FULL)
		t->nomem = 1;
	else if (t->words.n > had)
		t->bytes += len;
	return t->nomem;
}

int
ctx_fts_lexemes(struct ctx_store *st, enum ctx_fts fts,
    const struct ctx_buf *text, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_word_cutter *w = words_of(st, fts, err);
	struct text t = { 0 };
	const char *word;
	size_t i, len;

	if (w == NULL)
		return -1;
	if (text->len > 0 && ctx_words_cut(w, &t, 0, text->data,
	    (int)text->len, take_word) != 0)
		t.nomem = 1;
	for (i = 0; i < t.words.n; i++) {
		word = ctx_strmap_at(&t.words, i, &len);
		add_lexeme(out, word, len);
		ctx_buf_addc(out, ' ');
	}
	if (t.partly)
		add_lexeme(out, PARTLY, strlen(PARTLY));
	ctx_strmap_done(&t.words);
	return t.nomem ? ctx_fail_nomem(err) : ctx_buf_fail(out, err);
}

/* --- queries ------------------------------------------------------- */

/* Collect the words of a phrase. */
static int
take_term(void *arg, int flags, const char *word, int n, int from, int to)
{
	struct ctx_strmap *terms = arg;

	(void)flags, (void)from, (void)to;
	if (ctx_strmap_add(terms, word, (size_t)n) == CTX_STRMAP_FULL)
		return -1;
	return 0;
}

/* All words of a phrase, the last of which may be a prefix. */
static void
add_terms(struct ctx_buf *out, const struct ctx_strmap *terms, int prefix)
{
	size_t i, len, n;
	const char *word;

	for (i = 0; i < terms->n && i < TERMS_MAX; i++) {
		word = ctx_strmap_at(terms, i, &len);
		n = whole_len(word, len, TERM_MAX);
		ctx_buf_adds(out, i > 0 ? "&" : "");
		add_lexeme(out, word, n);
		if (n < len || (prefix && i + 1 == terms->n))
			ctx_buf_adds(out, ":*");
	}
	if (terms->n == 0)
		add_lexeme(out, CTX_LEX_MARK, strlen(CTX_LEX_MARK));
}

/*
 * Append a phrase in quotes, in which a quote is doubled, and its "*".  Returns
 * its length.
 */
static size_t
take_phrase(struct ctx_word_cutter *w, const char *expr, size_t len,
    struct ctx_buf *out)
{
	struct ctx_strmap terms = { 0 };
	struct ctx_buf text = { 0 };
	size_t i = 1;
	int prefix;

	for (; i < len; i++) {
		if (expr[i] == '"' && (++i == len || expr[i] != '"'))
			break;
		ctx_buf_addc(&text, expr[i]);
	}
	prefix = i + 1 < len && expr[i] == ' ' && expr[i + 1] == '*';
	if (text.len > 0 && ctx_words_cut(w, &terms, 0, text.data,
	    (int)text.len, take_term) != 0)
		out->failed = 1;
	ctx_buf_addc(out, '(');
	add_terms(out, &terms, prefix);
	ctx_buf_addc(out, ')');
	out->failed |= text.failed;
	ctx_buf_done(&text);
	ctx_strmap_done(&terms);
	return prefix ? i + 2 : i;
}

int
ctx_fts_query(struct ctx_store *st, enum ctx_fts fts, const char *expr,
    size_t len, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_word_cutter *w = words_of(st, fts, err);
	size_t i = 0;

	if (w == NULL)
		return -1;
	ctx_buf_addc(out, '(');
	while (i < len) {
		if (expr[i] == '"') {
			i += take_phrase(w, expr + i, len - i, out);
			continue;
		}
		if (expr[i] == 'A')
			ctx_buf_addc(out, '&');
		else if (expr[i] == 'O')
			ctx_buf_addc(out, '|');
		else if (expr[i] == '(' || expr[i] == ')')
			ctx_buf_addc(out, expr[i]);
		i++;
	}
	ctx_buf_adds(out, ")|");
	add_lexeme(out, PARTLY, strlen(PARTLY));
	return ctx_buf_fail(out, err);
}

/* --- the tables ---------------------------------------------------- */

/* The thread of what has a number in the index. */
#define THREAD	"coalesce((SELECT thread FROM message WHERE id = ?1)," \
	" (SELECT thread FROM note WHERE id = ?1 - 17179869184)," \
	" (SELECT thread FROM body WHERE id = ?1 - 25769803776))"

/* Another process may have indexed it at the same time. */
int
ctx_fts_add(struct ctx_store *st, enum ctx_fts fts, int64_t row,
    const struct ctx_buf *text, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };
	int rc = ctx_fts_lexemes(st, fts, text, &out, err);

	if (rc == 0 && fts == CTX_FTS_TRIGRAMS)
		rc = ctx_db_run(st, err, "INSERT INTO trigram(thread, rowid,"
		    " words) VALUES(" THREAD ", ?1, ?2::text::tsvector) ON"
		    " CONFLICT(thread, rowid) DO UPDATE SET words ="
		    " excluded.words", "it", row, out.data != NULL ? out.data :
		    "", out.len);
	else if (rc == 0)
		rc = ctx_db_run(st, err, "INSERT INTO search(thread, rowid,"
		    " words) VALUES(" THREAD ", ?1, ?2::text::tsvector) ON"
		    " CONFLICT(thread, rowid) DO UPDATE SET words ="
		    " excluded.words", "it", row, out.data != NULL ? out.data :
		    "", out.len);
	ctx_buf_done(&out);
	return rc;
}

int
ctx_fts_remove(struct ctx_store *st, enum ctx_fts fts, int64_t row,
    const struct ctx_buf *text, struct ctx_err *err)
{
	(void)text;
	return fts == CTX_FTS_TRIGRAMS ? ctx_db_run(st, err, "DELETE FROM"
	    " trigram WHERE rowid = ?1", "i", row) : ctx_db_run(st, err,
	    "DELETE FROM search WHERE rowid = ?1", "i", row);
}

#define GONE	"(SELECT id FROM message WHERE thread = ?1 AND context IN" \
	" temp.gone)"

static int
forget_messages(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	static const char *const sql[] = {
		"DELETE FROM search WHERE thread = ?1 AND rowid IN " GONE,
		"DELETE FROM typed_tool WHERE message IN " GONE, NULL
	};
	int64_t from;
	int rc = ctx_db_run_all(st, err, sql, "i", thread) == -1 ? -1 :
	    ctx_trigram_from(st, &from, err);

	return rc == 1 ? ctx_db_run(st, err, "DELETE FROM trigram WHERE thread"
	    " = ?1 AND rowid IN " GONE, "i", thread) : rc;
}

int
ctx_fts_forget(struct ctx_store *st, enum ctx_fts_gone what, int64_t thread,
    struct ctx_err *err)
{
	int rc = what == CTX_FTS_MESSAGES ? forget_messages(st, thread, err) :
	    what == CTX_FTS_NOTES ? ctx_db_run(st, err, "DELETE FROM search"
	    " WHERE thread = ?1 AND rowid IN (SELECT id + 17179869184 FROM note"
	    " WHERE thread = ?1 AND CASE WHEN kind IN ('summary', 'memory')"
	    " THEN context ELSE -1 END IN temp.gone)", "i", thread) :
	    ctx_db_run(st, err, "DELETE FROM search WHERE rowid IN (SELECT"
	    " id + 25769803776 FROM temp.loose)", "");

	return rc == -1 ? -1 : 1;
}

int
ctx_fts_empty(struct ctx_store *st, enum ctx_fts fts, struct ctx_err *err)
{
	return fts == CTX_FTS_TRIGRAMS ? ctx_db_run(st, err, "DELETE FROM"
	    " trigram", "") : ctx_db_run(st, err, "DELETE FROM search", "");
}

/* The server does that (VACUUM). */
int
ctx_fts_merge(struct ctx_store *st, enum ctx_fts fts, struct ctx_err *err)
{
	(void)st;
	(void)fts;
	(void)err;
	return 0;
}

int
ctx_fts_make_trigrams(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_conn_exec(st, "LOCK TABLE message IN SHARE ROW EXCLUSIVE"
	    " MODE; CREATE TABLE IF NOT EXISTS trigram (thread BIGINT NOT NULL,"
	    " rowid BIGINT NOT NULL, words TSVECTOR NOT NULL, PRIMARY"
	    " KEY(thread, rowid)); CREATE INDEX IF NOT EXISTS trigram_rowid ON"
	    " trigram(rowid); CREATE INDEX IF NOT EXISTS trigram_words ON"
	    " trigram USING gin(words)", err);
}
