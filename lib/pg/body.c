/* SPDX-License-Identifier: MIT */
/*
 * The rows of contents; see store/body_impl.h.  Each thread has its own, and
 * each user, for the states.  Who changes them holds the thread or the user, so
 * that nobody refers to contents which another one removes.  The server compresses
 * them.
 */
#include "store/body_impl.h"

#include "base/sha256.h"
#include "pg/conn.h"
#include "store/search/note.h"

int
ctx_body_row_find(struct ctx_store *st, const unsigned char *hash, int64_t *id,
    struct ctx_err *err)
{
	return ctx_db_int(st, id, err, "SELECT id FROM body WHERE thread = ?1"
	    " AND hash = ?2", "ib", st->db->thread, (const void *)hash,
	    (size_t)CTX_SHA256_LEN);
}

int
ctx_body_row_add(struct ctx_store *st, const struct ctx_body_row *row,
    int64_t *id, struct ctx_err *err)
{
	int rc = ctx_db_int(st, id, err, "INSERT INTO body(thread, hash, size,"
	    " kind, data) VALUES(?1, ?2, ?3, ?4, ?5) RETURNING id", "ibiib",
	    st->db->thread, (const void *)row->hash, (size_t)CTX_SHA256_LEN,
	    (int64_t)row->size, row->kind, row->size == 0 ? "" : row->data,
	    row->len);

	return rc == 1 ? 0 : -1;
}

int
ctx_body_row_part(struct ctx_store *st, int64_t body, int64_t pos,
    int64_t part, struct ctx_err *err)
{
	return ctx_db_run(st, err, "INSERT INTO body_part(thread, body, pos,"
	    " part) VALUES(?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING", "iiii",
	    st->db->thread, body, pos, part);
}

int
ctx_body_row_data(struct ctx_store *st, sqlite3_stmt *q, int col,
    struct ctx_buf *out, struct ctx_err *err)
{
	(void)st;
	(void)err;
	ctx_db_add(out, q, col + 2);
	return 0;
}

int
ctx_body_free_begin(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_conn_exec(st, "CREATE TEMP TABLE IF NOT EXISTS loose"
	    "(id BIGINT PRIMARY KEY) ON COMMIT DROP; DELETE FROM pg_temp.loose",
	    err);
}

int
ctx_body_free_end(struct ctx_store *st, int64_t *bytes, struct ctx_err *err)
{
	int64_t n;
	int round;

	/* First the contents, then the pieces that only these used. */
	for (round = 0; round < 2; round++) {
		n = 0;
		if (ctx_body_keep_used(st, err) == -1 ||
		    ctx_db_int(st, &n, err, "SELECT sum(length(data)) FROM"
		    " body WHERE id IN temp.loose", "") == -1 ||
		    ctx_note_forget_bodies(st, err) == -1 ||
		    ctx_conn_exec(st, "CREATE TEMP TABLE pieces ON COMMIT DROP"
		    " AS SELECT DISTINCT part AS id FROM body_part WHERE body"
		    " IN (TABLE pg_temp.loose); DELETE FROM body_part WHERE"
		    " body IN (TABLE pg_temp.loose); DELETE FROM body WHERE id"
		    " IN (TABLE pg_temp.loose); DELETE FROM pg_temp.loose;"
		    " INSERT INTO pg_temp.loose TABLE pg_temp.pieces;"
		    " DROP TABLE pg_temp.pieces", err) == -1)
			return -1;
		if (bytes != NULL)
			*bytes += n;
	}
	return 0;
}
