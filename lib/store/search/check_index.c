/* SPDX-License-Identifier: MIT */
/*
 * Compare the index of words with the messages; see check_index.h.
 *
 * The index holds no text.  It can be read only in the order of words, and
 * messages only in that of rows, so sums are compared: a word at a position of
 * a message is a number, and the numbers of each message must have the same
 * sum.  Sums are kept by the last bits of a message's row, which limits the
 * memory.
 */
#include "store/search/check_index.h"

#include <stdlib.h>

#include "base/strmap.h"
#include "store/search/index.h"
#include "store/search/note.h"
#include "store/search/query.h"

#define SUMS	(1u << 16)

struct compare {
	uint64_t *sum;
	Fts5Tokenizer *cutter;
	fts5_tokenizer how;

	/* the current message */
	uint64_t *at;
	int64_t id, place;
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

static int
take_message(int64_t id, const char *text, size_t len, void *arg,
    struct ctx_err *err)
{
	struct compare *c = arg;

	c->id = id;
	c->place = 0;
	c->at = sum_of(c, id);
	if (len > 0 && c->how.xTokenize(c->cutter, c,
	    FTS5_TOKENIZE_DOCUMENT, text, (int)len, take_word) != SQLITE_OK)
		return ctx_fail_nomem(err);
	return 0;
}

/*
 * Words of messages are subtracted; other rows do not belong to messages.
 */
static int
take_index(struct ctx_store *st, struct compare *c, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int64_t id;
	int rc;

	if (ctx_query_open_words(st, err) == -1)
		return -1;
	q = ctx_db_query(st, err, "SELECT CAST(term AS BLOB), doc, offset FROM"
	    " temp.search_words", "");
	while ((rc = ctx_db_row(st, q, err)) == 1) {
		id = sqlite3_column_int64(q, 1);
		if (id < CTX_NOTE_TEXT)
			*sum_of(c, id) -= number(sqlite3_column_blob(q, 0),
			    (size_t)sqlite3_column_bytes(q, 0), id,
			    sqlite3_column_int64(q, 2));
	}
	return rc;
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
	rc = ctx_query_tokenizer(st, &c.how, &c.cutter, err);
	if (rc == 0 && (rc = ctx_index_each(st, take_message, &c, err)) == 0)
		rc = take_index(st, &c, err);
	for (i = 0; i < SUMS && rc == 0; i++)
		*differ += c.sum[i] != 0;
	if (c.cutter != NULL)
		c.how.xDelete(c.cutter);
	free(c.sum);
	return rc;
}
