/* SPDX-License-Identifier: MIT */
/* Contents stored under their hash; see body.h. */
#include "store/body.h"

#include <string.h>

#include "base/sha256.h"
#include "store/body_impl.h"
#include "store/bundle.h"
#include "store/piece.h"

static void
hash_of(const void *p, size_t n, unsigned char hash[CTX_SHA256_LEN])
{
	struct ctx_sha256 s;

	ctx_sha256_init(&s);
	ctx_sha256_update(&s, p, n);
	ctx_sha256_final(&s, hash);
}

static int
put_data(struct ctx_store *st, const void *p, size_t n, int64_t *id,
    struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];
	struct ctx_body_row row = { hash, n, CTX_BODY_DATA, p, n };
	int rc;

	hash_of(p, n, hash);
	if ((rc = ctx_body_row_find(st, hash, id, err)) != 0)
		return rc == 1 ? 0 : -1;
	return ctx_body_row_add(st, &row, id, err);
}

int
ctx_body_put_piece(struct ctx_store *st, const void *p, size_t n,
    struct ctx_err *err)
{
	int64_t id;

	return put_data(st, p, n, &id, err);
}

int
ctx_body_put_list(struct ctx_store *st, const int64_t *part, size_t n,
    const char *hex, struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];
	struct ctx_body_row row = { hash, 0, CTX_BODY_PARTS, NULL, 0 };
	char have[CTX_SHA256_HEX];
	struct ctx_buf piece = { 0 };
	struct ctx_sha256 sum;
	size_t i;
	int64_t id;
	int rc = 0;

	ctx_sha256_init(&sum);
	for (i = 0; i < n && rc == 0; i++) {
		ctx_buf_reset(&piece);
		rc = ctx_body_get(st, part[i], &piece, err);
		ctx_sha256_update(&sum, piece.data, piece.len);
		row.size += piece.len;
	}
	ctx_buf_done(&piece);
	ctx_sha256_final(&sum, hash);
	if (rc == 0 && strcmp(ctx_sha256_text(hash, have), hex) != 0)
		rc = ctx_fail(err, CTX_EINPUT,
		    "contents do not match their hash");
	if (rc == 0)
		rc = ctx_body_row_add(st, &row, &id, err);
	for (i = 0; i < n && rc == 0; i++)
		rc = ctx_body_row_part(st, id, (int64_t)i, part[i], err);
	return rc;
}

static int
put_parts(struct ctx_store *st, const unsigned char *p, size_t n,
    int64_t *id, struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];
	struct ctx_body_row row = { hash, n, CTX_BODY_PARTS, NULL, 0 };
	struct ctx_pieces cut;
	int64_t pos, part;
	size_t len;
	int rc;

	hash_of(p, n, hash);
	if ((rc = ctx_body_row_find(st, hash, id, err)) != 0)
		return rc == 1 ? 0 : -1;
	if (ctx_body_row_add(st, &row, id, err) == -1)
		return -1;
	ctx_piece_begin(&cut);
	for (pos = 0; n > 0; pos++, p += len, n -= len) {
		len = ctx_piece_len(&cut, p, n);
		if (put_data(st, p, len, &part, err) == -1 ||
		    ctx_body_row_part(st, *id, pos, part, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_body_put(struct ctx_store *st, const void *p, size_t n, int64_t *id,
    struct ctx_err *err)
{
	if (n > CTX_PIECE_WHOLE)
		return put_parts(st, p, n, id, err);
	return put_data(st, p, n, id, err);
}

int
ctx_body_find(struct ctx_store *st, const void *p, size_t n, int64_t *id,
    struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];

	hash_of(p, n, hash);
	return ctx_body_row_find(st, hash, id, err);
}

int
ctx_body_by_hash(struct ctx_store *st, const unsigned char *hash, int64_t *id,
    struct ctx_err *err)
{
	struct ctx_buf copy = { 0 };
	int rc = ctx_body_row_find(st, hash, id, err);

	if (rc == 0 && (rc = ctx_db_int(st, id, err, "SELECT id FROM body"
	    " WHERE hash = ?1", "b", (const void *)hash,
	    (size_t)CTX_SHA256_LEN)) == 1 && (ctx_body_get(st, *id, &copy,
	    err) == -1 || ctx_body_put(st, copy.len == 0 ? "" : copy.data,
	    copy.len, id, err) == -1))
		rc = -1;
	ctx_buf_done(&copy);
	return rc;
}

static int
get_parts(struct ctx_store *st, int64_t id, struct ctx_buf *out,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT b.size, b.kind, b.data FROM"
	    " body_part p JOIN body b ON b.id = p.part WHERE p.body = ?1"
	    " ORDER BY p.pos", "i", id);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = ctx_body_row_data(st, q, 0, out, err);
	return rc;
}

static int
get(struct ctx_store *st, int64_t id, const int64_t *mark,
    struct ctx_buf *out, struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN], want[CTX_SHA256_LEN];
	size_t start = out->len, size;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT hash, size, kind, data FROM body"
	    " WHERE id = ?1", "i", id);
	if ((rc = ctx_db_row(st, q, err)) == -1)
		return -1;
	if (rc == 0 || sqlite3_column_bytes(q, 0) != CTX_SHA256_LEN)
		goto damaged;
	memcpy(want, sqlite3_column_blob(q, 0), CTX_SHA256_LEN);
	if (mark != NULL && memcmp(want, mark, sizeof(*mark)) != 0)
		goto damaged;
	size = (size_t)sqlite3_column_int64(q, 1);
	if (sqlite3_column_int(q, 2) == CTX_BODY_PARTS)
		rc = get_parts(st, id, out, err);
	else
		rc = ctx_body_row_data(st, q, 1, out, err);
	sqlite3_reset(q);
	if (rc == -1 || ctx_buf_fail(out, err) == -1)
		return -1;
	if (out->len - start == size) {
		hash_of(size == 0 ? "" : out->data + start, size, hash);
		if (memcmp(hash, want, sizeof(hash)) == 0)
			return 0;
	}
	out->len = start;
	return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: contents %lld do not "
	    "match their hash", st->path, (long long)id);
damaged:
	sqlite3_reset(q);
	if (mark != NULL)
		return ctx_fail(err, CTX_ESYSTEM, "%s: contents are missing; "
		    "they were removed meanwhile, or the store is damaged",
		    st->path);
	return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: contents %lld are "
	    "missing", st->path, (long long)id);
}

int
ctx_body_get(struct ctx_store *st, int64_t id, struct ctx_buf *out,
    struct ctx_err *err)
{
	return get(st, id, NULL, out, err);
}

int
ctx_body_get_same(struct ctx_store *st, int64_t id, int64_t mark,
    struct ctx_buf *out, struct ctx_err *err)
{
	return get(st, id, &mark, out, err);
}

int
ctx_body_line_at(struct ctx_store *st, sqlite3_stmt *q, int col,
    const struct ctx_body_place *at, struct ctx_buf *out, struct ctx_err *err)
{
	if (sqlite3_column_type(q, col + 1) != SQLITE_NULL)
		return ctx_body_get(st, sqlite3_column_int64(q, col + 1), out,
		    err);
	if (sqlite3_column_type(q, col) == SQLITE_NULL)
		return ctx_bundle_line(st, at->thread, at->context, at->seq,
		    out, err);
	ctx_db_add(out, q, col);
	return ctx_buf_fail(out, err);
}

int
ctx_body_line(struct ctx_store *st, sqlite3_stmt *q, int col,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_body_place at = { 0 };

	if (sqlite3_column_type(q, col) == SQLITE_NULL) {
		at.thread = sqlite3_column_int64(q, col + 2);
		at.context = sqlite3_column_int64(q, col + 3);
		at.seq = sqlite3_column_int64(q, col + 4);
	}
	return ctx_body_line_at(st, q, col, &at, out, err);
}

int
ctx_body_keep_used(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_run(st, err, "DELETE FROM temp.loose AS l WHERE"
	    " EXISTS (SELECT 1 FROM message WHERE body = l.id)"
	    " OR EXISTS (SELECT 1 FROM body_part WHERE part = l.id)"
	    " OR EXISTS (SELECT 1 FROM ckpt WHERE state = l.id)"
	    " OR EXISTS (SELECT 1 FROM ckpt WHERE meta = l.id)"
	    " OR EXISTS (SELECT 1 FROM ckpt_write WHERE body = l.id)"
	    " OR EXISTS (SELECT 1 FROM view_part WHERE body = l.id)"
	    " OR EXISTS (SELECT 1 FROM summary WHERE body = l.id)"
	    " OR EXISTS (SELECT 1 FROM state WHERE body = l.id)"
	    " OR EXISTS (SELECT 1 FROM user_state WHERE body = l.id)"
	    " OR EXISTS (SELECT 1 FROM snapshot_part WHERE body = l.id)"
	    " OR EXISTS (SELECT 1 FROM file WHERE body = l.id)", "");
}
