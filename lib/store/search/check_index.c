/* SPDX-License-Identifier: MIT */
/*
 * Compare the indexes of words and of trigrams, and the list of called.h, with
 * the messages; see check_index.h.
 *
 * An index holds no text.  It can be read only in the order of words, and
 * messages only in that of rows, so sums are compared: a word at a position of
 * a message is a number, as is a trigram, and the numbers of each message must
 * have the same sum.  Sums are kept by the last bits of a message's row, which
 * limits the memory.
 */
#include "store/search/check_index.h"

#include <stdlib.h>

#include "base/strmap.h"
#include "store/search/called.h"
#include "store/search/index.h"
#include "store/search/note.h"
#include "store/search/query.h"
#include "store/search/trigram.h"

#define SUMS	(1u << 16)

struct cutter {
	Fts5Tokenizer *cutter;
	fts5_tokenizer how;
};

struct compare {
	uint64_t *sum;
	struct cutter words, trigrams;
	int64_t from;			/* row with trigrams, and all after it */
	int64_t since;			/* typed tools are listed after it */

	/* the current message */
	uint64_t *at;
	int64_t id, place;
	struct ctx_strmap seen;		/* its trigrams */
};

static uint64_t *
sum_of(struct compare *c, int64_t id)
{
	return &c->sum[(uint64_t)id % SUMS];
}

/* The number for a word at a position of a message. */
static uint64_t
number(const char *word, size_t len, int64_t id, int64_t place)
{
	uint64_t h = ctx_strmap_hash(word, len);

	h ^= (uint64_t)id * UINT64_C(0x9e3779b97f4a7c15);
	h ^= (uint64_t)place * UINT64_C(0xc2b2ae3d27d4eb4f);
	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

/*
 * Add a word from the tokenizer; FTS5 stores no more of a word than it gives
 * here.
 */
static int
take_word(void *arg, int flags, const char *word, int len, int from, int to)
{
	struct compare *c = arg;

	(void)flags;
	(void)from;
	(void)to;
	if (len > 32768)
		len = 32768;
	*c->at += number(word, (size_t)len, c->id, c->place++);
	return SQLITE_OK;
}

/* The same for a trigram, which the index has once for a message. */
static int
take_trigram(void *arg, int flags, const char *word, int len, int from, int to)
{
	struct compare *c = arg;
	size_t n = c->seen.n;

	(void)flags, (void)from, (void)to;
	if (ctx_strmap_add(&c->seen, word, (size_t)len) == CTX_STRMAP_FULL)
		return SQLITE_NOMEM;
	if (c->seen.n > n)
		*c->at += number(word, (size_t)len, c->id, -1);
	return SQLITE_OK;
}

static int
cut(struct compare *c, const struct cutter *k, const struct ctx_buf *text,
    int (*take)(void *, int, const char *, int, int, int), struct ctx_err *err)
{
	return text->len > 0 && k->how.xTokenize(k->cutter, c,
	    FTS5_TOKENIZE_DOCUMENT, text->data, (int)text->len, take) !=
	    SQLITE_OK ? ctx_fail_nomem(err) : 0;
}

static int
take_message(const struct ctx_index_line *m, const struct ctx_buf *text,
    struct ctx_buf *words, void *arg, struct ctx_err *err)
{
	struct compare *c = arg;
	int rc;

	c->id = m->id;
	c->place = 0;
	c->at = sum_of(c, m->id);
	if (m->typed && m->id > c->since)
		*c->at += number("", 0, m->id, -2);
	rc = cut(c, &c->words, text, take_word, err);
	if (rc == -1 || c->trigrams.cutter == NULL || m->id < c->from ||
	    m->cut < CTX_INDEX_FULL)
		return rc;
	ctx_trigram_text(words);
	rc = cut(c, &c->trigrams, words, take_trigram, err);
	ctx_strmap_done(&c->seen);
	return rc;
}

/*
 * Words of messages are subtracted; other rows do not belong to messages.
 */
static int
take_index(struct ctx_store *st, struct compare *c, sqlite3_stmt *q,
    struct ctx_err *err)
{
	int64_t id;
	int rc;

	while ((rc = ctx_db_row(st, q, err)) == 1) {
		id = sqlite3_column_int64(q, 1);
		if (id < CTX_NOTE_TEXT)
			*sum_of(c, id) -= number(sqlite3_column_blob(q, 0),
			    (size_t)sqlite3_column_bytes(q, 0), id,
			    sqlite3_column_int64(q, 2));
	}
	return rc;
}

static int
compare(struct ctx_store *st, struct compare *c, struct ctx_err *err)
{
	int rc = ctx_trigram_from(st, &c->from, err), trigrams = rc == 1;

	if (rc == -1 || ctx_query_tokenizer(st, "unicode61", &c->words.how,
	    &c->words.cutter, err) == -1 || (trigrams && ctx_query_tokenizer(st,
	    "trigram", &c->trigrams.how, &c->trigrams.cutter, err) == -1) ||
	    ctx_called_since(st, &c->since, err) == -1 ||
	    ctx_index_each(st, take_message, c, err) == -1 ||
	    ctx_query_open_words(st, "search", err) == -1 ||
	    take_index(st, c, ctx_db_query(st, err, "SELECT CAST(term AS BLOB),"
	    " doc, offset FROM temp.search_words", ""), err) == -1)
		return -1;
	if (c->since < INT64_MAX && take_index(st, c, ctx_db_query(st, err,
	    "SELECT '', message, -2 FROM typed_tool", ""), err) == -1)
		return -1;
	if (!trigrams)
		return 0;
	return ctx_query_open_words(st, "trigram", err) == -1 ? -1 :
	    take_index(st, c, ctx_db_query(st, err, "SELECT CAST(term AS BLOB),"
	    " doc, -1 FROM temp.trigram_words", ""), err);
}

int
ctx_check_index(struct ctx_store *st, int64_t *differ, struct ctx_err *err)
{
	struct compare c = { 0 };
	size_t i;
	int rc;

	*differ = 0;
	if ((c.sum = calloc(SUMS, sizeof(*c.sum))) == NULL)
		return ctx_fail_nomem(err);
	rc = compare(st, &c, err);
	for (i = 0; i < SUMS && rc == 0; i++)
		*differ += c.sum[i] != 0;
	if (c.words.cutter != NULL)
		c.words.how.xDelete(c.words.cutter);
	if (c.trigrams.cutter != NULL)
		c.trigrams.how.xDelete(c.trigrams.cutter);
	free(c.sum);
	return rc;
}
