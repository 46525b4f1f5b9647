/* SPDX-License-Identifier: MIT */
/* The rows of contents in a file; see body_impl.h. */
#include "store/body_impl.h"

#include "base/sha256.h"
#include "store/search/note.h"
#include "store/squeeze.h"

/* Shorter contents are not worth the time of compressing them. */
#define SQUEEZE_MIN	256
#define SQUEEZE_BATCH	1000	/* contents in each transaction */

int
ctx_body_row_find(struct ctx_store *st, const unsigned char *hash, int64_t *id,
    struct ctx_err *err)
{
	return ctx_db_int(st, id, err, "SELECT id FROM body WHERE hash = ?1",
	    "b", (const void *)hash, (size_t)CTX_SHA256_LEN);
}

/*
 * Compress the contents of a row into frame if that makes them smaller.
 * Returns 1, 0, or -1.
 */
static int
squeeze(struct ctx_store *st, struct ctx_body_row *row, struct ctx_buf *frame,
    struct ctx_err *err)
{
	if (row->size < SQUEEZE_MIN || row->size > CTX_SQUEEZE_LIMIT)
		return 0;
	if (ctx_squeeze(st, row->data, row->size, CTX_SQUEEZE_FAST, frame,
	    err) == -1)
		return -1;
	if (frame->len > row->size - row->size / 8)
		return 0;
	row->kind = CTX_BODY_FRAME;
	row->data = frame->data;
	row->len = frame->len;
	return 1;
}

static int
add(struct ctx_store *st, const struct ctx_body_row *row, int64_t *id,
    struct ctx_err *err)
{
	/* An empty body is a blob of no bytes, not NULL. */
	if (ctx_db_run(st, err, "INSERT INTO body(hash, size, kind, data)"
	    " VALUES(?1, ?2, ?3, ?4)", "biib", (const void *)row->hash,
	    (size_t)CTX_SHA256_LEN, (int64_t)row->size, row->kind,
	    row->size == 0 ? "" : row->data, row->len) == -1)
		return -1;
	*id = sqlite3_last_insert_rowid(st->db);
	return 0;
}

int
ctx_body_row_add(struct ctx_store *st, const struct ctx_body_row *row,
    int64_t *id, struct ctx_err *err)
{
	struct ctx_body_row mine = *row;
	struct ctx_buf frame = { 0 };
	int rc = 0;

	if (row->kind == CTX_BODY_DATA)
		rc = squeeze(st, &mine, &frame, err);
	if (rc != -1)
		rc = add(st, &mine, id, err);
	ctx_buf_done(&frame);
	return rc;
}

int
ctx_body_row_part(struct ctx_store *st, int64_t body, int64_t pos, int64_t part,
    struct ctx_err *err)
{
	return ctx_db_run(st, err, "INSERT INTO body_part VALUES(?1, ?2, ?3)",
	    "iii", body, pos, part);
}

int
ctx_body_row_data(struct ctx_store *st, sqlite3_stmt *q, int col,
    struct ctx_buf *out, struct ctx_err *err)
{
	int64_t size = sqlite3_column_int64(q, col);

	if (sqlite3_column_int(q, col + 1) != CTX_BODY_FRAME) {
		ctx_db_add(out, q, col + 2);
		return 0;
	}
	if (size < 0 || size > CTX_SQUEEZE_LIMIT)
		return 0;
	return ctx_squeeze_undo(st, sqlite3_column_blob(q, col + 2),
	    (size_t)sqlite3_column_bytes(q, col + 2), (size_t)size, out,
	    err) == -1 ? -1 : 0;
}

/*
 * Compress the next contents after *id that are not; damaged ones stay as they
 * are.  Returns 1, 0, or -1.
 */
static int
squeeze_next(struct ctx_store *st, int64_t *id, struct ctx_err *err)
{
	struct ctx_buf data = { 0 }, frame = { 0 };
	struct ctx_body_row row = { NULL, 0, CTX_BODY_DATA, NULL, 0 };
	struct ctx_err why = { 0 };
	int rc;

	rc = ctx_db_int(st, id, err, "SELECT id FROM body WHERE id > ?1 AND"
	    " kind = 0 AND size >= ?2 ORDER BY id LIMIT 1", "ii", *id,
	    (int64_t)SQUEEZE_MIN);
	if (rc != 1)
		return rc;
	if (ctx_body_get(st, *id, &data, &why) == -1 &&
	    why.code == CTX_ENOMEM)
		rc = ctx_fail_nomem(err);
	row.data = data.data;
	row.size = data.len;
	if (rc == 1 && (rc = squeeze(st, &row, &frame, err)) == 1)
		rc = ctx_db_run(st, err, "UPDATE body SET kind = ?2, data = ?3"
		    " WHERE id = ?1", "iib", *id, row.kind, row.data,
		    row.len);
	ctx_buf_done(&data);
	ctx_buf_done(&frame);
	return rc == -1 ? -1 : 1;
}

int
ctx_body_squeeze_all(struct ctx_store *st, struct ctx_err *err)
{
	int64_t id = 0;
	int i, rc = 1;

	while (rc == 1) {
		if (ctx_db_begin(st, err) == -1)
			return -1;
		for (i = 0; i < SQUEEZE_BATCH && rc == 1; i++)
			rc = squeeze_next(st, &id, err);
		if (ctx_db_end(st, rc != -1, err) == -1)
			return -1;
	}
	return rc;
}

int
ctx_body_free_begin(struct ctx_store *st, struct ctx_err *err)
{
	/* what is removed is overwritten */
	if (ctx_db_run(st, err, "PRAGMA secure_delete=ON", "") == -1 ||
	    ctx_db_run(st, err, "CREATE TEMP TABLE IF NOT EXISTS loose"
	    "(id INTEGER PRIMARY KEY)", "") == -1)
		return -1;
	return ctx_db_run(st, err, "DELETE FROM temp.loose", "");
}

int
ctx_body_free_end(struct ctx_store *st, int64_t *bytes, struct ctx_err *err)
{
	int64_t n;
	int round;

	/* First the contents, then the pieces that only these used. */
	for (round = 0; round < 2; round++) {
		if (ctx_body_keep_used(st, err) == -1 ||
		    ctx_note_forget_bodies(st, err) == -1 ||
		    ctx_db_int(st, &n, err, "SELECT total(length(data)) FROM"
		    " body WHERE id IN temp.loose", "") == -1 ||
		    ctx_db_run(st, err, "CREATE TEMP TABLE IF NOT EXISTS"
		    " pieces(id INTEGER PRIMARY KEY)", "") == -1 ||
		    ctx_db_run(st, err, "DELETE FROM temp.pieces", "") == -1 ||
		    ctx_db_run(st, err, "INSERT OR IGNORE INTO temp.pieces"
		    " SELECT part FROM body_part WHERE body IN temp.loose",
		    "") == -1 ||
		    ctx_db_run(st, err, "DELETE FROM body_part"
		    " WHERE body IN temp.loose", "") == -1 ||
		    ctx_db_run(st, err, "DELETE FROM body"
		    " WHERE id IN temp.loose", "") == -1 ||
		    ctx_db_run(st, err, "DELETE FROM temp.loose", "") == -1 ||
		    ctx_db_run(st, err, "INSERT INTO temp.loose"
		    " SELECT id FROM temp.pieces", "") == -1)
			return -1;
		if (bytes != NULL)
			*bytes += n;
	}
	return 0;
}
