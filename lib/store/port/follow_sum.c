/* SPDX-License-Identifier: MIT */
/* Sums of what is sent of a thread; see follow_impl.h. */
#include "store/port/follow_impl.h"

#include <string.h>

static void
shorten(struct ctx_sha256 *sum, unsigned char out[CTX_FOLLOW_SUM])
{
	unsigned char digest[CTX_SHA256_LEN];

	ctx_sha256_final(sum, digest);
	memcpy(out, digest, CTX_FOLLOW_SUM);
}

void
ctx_follow_sum_head(struct ctx_follow_known *known, const char *line,
    size_t len)
{
	struct ctx_sha256 sum;

	ctx_sha256_init(&sum);
	ctx_sha256_update(&sum, line, len);
	shorten(&sum, known->head);
}

/* Add a column to a sum; contents by their hash, as their row may change. */
static int
add_column(struct ctx_store *st, struct ctx_sha256 *sum,
    const struct ctx_col *c, sqlite3_stmt *q, int i, struct ctx_err *err)
{
	int64_t v = sqlite3_column_int64(q, i);
	int type = sqlite3_column_type(q, i), n;
	sqlite3_stmt *hash;

	ctx_sha256_update(sum, &type, sizeof(type));
	if (type == SQLITE_NULL)
		return 0;
	if (c->type == CTX_COL_BODY) {
		hash = ctx_db_query(st, err, "SELECT hash FROM body WHERE"
		    " id = ?1", "i", v);
		if (ctx_db_need(st, hash, err) == -1)
			return -1;
		ctx_sha256_update(sum, sqlite3_column_blob(hash, 0),
		    (size_t)sqlite3_column_bytes(hash, 0));
		sqlite3_reset(hash);
	} else if (c->type == CTX_COL_TEXT) {
		n = sqlite3_column_bytes(q, i);
		ctx_sha256_update(sum, &n, sizeof(n));
		ctx_sha256_update(sum, sqlite3_column_blob(q, i), (size_t)n);
	} else
		ctx_sha256_update(sum, &v, sizeof(v));
	return 0;
}

int
ctx_follow_sum_row(struct ctx_store *st, const char *user,
    const struct ctx_rowkind *k, sqlite3_stmt *q, struct ctx_follow_row *row,
    struct ctx_err *err)
{
	struct ctx_sha256 key, all;
	int i;

	ctx_sha256_init(&key);
	ctx_sha256_init(&all);
	if (user != NULL)
		ctx_sha256_update(&key, user, strlen(user) + 1);
	for (i = 0; k->col[i].name != NULL; i++)
		if (add_column(st, ctx_rowkind_is_key(k, &k->col[i]) ? &key :
		    &all, &k->col[i], q, i, err) == -1)
			return -1;
	shorten(&key, row->key);
	shorten(&all, row->all);
	return 0;
}

void
ctx_follow_sum(const struct ctx_follow_known *known,
    char hex[CTX_POSITION_SUM])
{
	unsigned char out[CTX_SHA256_LEN];
	const struct ctx_follow_rows *rows;
	char text[CTX_SHA256_HEX];
	struct ctx_sha256 sum;
	size_t i;

	ctx_sha256_init(&sum);
	ctx_sha256_update(&sum, known->head, CTX_FOLLOW_SUM);
	for (i = 0; i < CTX_IMPORT_KINDS; i++) {
		rows = &known->kind[i];
		ctx_sha256_update(&sum, &rows->n, sizeof(rows->n));
		ctx_sha256_update(&sum, rows->row, rows->n *
		    sizeof(*rows->row));
	}
	ctx_sha256_final(&sum, out);
	ctx_sha256_text(out, text);
	memcpy(hex, text, CTX_POSITION_SUM - 1);
	hex[CTX_POSITION_SUM - 1] = '\0';
}

/* Rows whose words search finds are not changed in place. */
static int
has_words(const struct ctx_rowkind *k)
{
	return strcmp(k->name, "summary") == 0 ||
	    strcmp(k->name, "file") == 0 ||
	    strncmp(k->name, "snapshot", 8) == 0;
}

enum ctx_follow_part
ctx_follow_differ(const struct ctx_follow_known *old,
    const struct ctx_follow_known *new, const struct ctx_rowkind *k)
{
	const struct ctx_follow_rows *now = &new->kind[k - ctx_rowkinds];
	const struct ctx_follow_rows *known;
	const struct ctx_follow_row *row;
	size_t i, same = 0, changed = 0;

	if (old == NULL)
		return CTX_FOLLOW_ALL;
	known = &old->kind[k - ctx_rowkinds];
	for (i = 0; i < now->n; i++) {
		row = ctx_follow_rows_find(known, &now->row[i]);
		if (row == NULL)
			continue;
		if (memcmp(row->all, now->row[i].all, CTX_FOLLOW_SUM) == 0)
			same++;
		else
			changed++;
	}
	if (same + changed < known->n || (changed > 0 && has_words(k)))
		return CTX_FOLLOW_ALL;
	return same == now->n ? CTX_FOLLOW_NONE : CTX_FOLLOW_NEW;
}
