/* SPDX-License-Identifier: MIT */
/* Contents stored under their hash; see body.h. */
#include "store/body.h"

#include <string.h>

#include "base/sha256.h"
#include "store/bundle.h"
#include "store/search/note.h"
#include "store/squeeze.h"

/*
 * Longer contents are cut; pieces have these sizes in bytes, usually about 4
 * KB.
 */
#define WHOLE_MAX	32768
#define PIECE_MIN	1024
#define PIECE_MAX	16384
#define PIECE_MASK	UINT64_C(0xff80000000000000)
#define PIECE_BACK	256	/* searched for the end of a word */

/* Shorter contents are not worth the time of compressing them. */
#define SQUEEZE_MIN	256
#define SQUEEZE_BATCH	1000	/* contents in each transaction */

enum { KIND_DATA = 0, KIND_PARTS = 1, KIND_FRAME = 2 };

static void
hash_of(const void *p, size_t n, unsigned char hash[CTX_SHA256_LEN])
{
	struct ctx_sha256 s;

	ctx_sha256_init(&s);
	ctx_sha256_update(&s, p, n);
	ctx_sha256_final(&s, hash);
}

/* 256 numbers without a pattern: the values of splitmix64. */
static void
fill_gears(uint64_t gear[256])
{
	uint64_t x = 0, z;
	int i;

	for (i = 0; i < 256; i++) {
		x += UINT64_C(0x9e3779b97f4a7c15);
		z = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		gear[i] = z ^ z >> 31;
	}
}

/*
 * Does a word end before p?  Pieces are indexed separately (note.h), so no
 * word may be cut in two.  Words consist of letters, digits and everything
 * that is not ASCII except Chinese punctuation: U+3000 to U+303F, U+FF00 to
 * U+FF3F.
 */
static int
ends_word(const unsigned char *p)
{
	if (p[-1] < 0x80)
		return !((p[-1] >= '0' && p[-1] <= '9') || p[-1] == '_' ||
		    ((p[-1] | 0x20) >= 'a' && (p[-1] | 0x20) <= 'z'));
	return (p[-3] == 0xe3 && p[-2] == 0x80) ||
	    (p[-3] == 0xef && p[-2] == 0xbc);
}

/*
 * Length of the first piece.  It ends at the end of a word where a rolling sum
 * of the last 64 bytes has nine zero bits at its top, so that equal bytes are
 * cut alike wherever they occur.
 */
static size_t
piece_len(const unsigned char *p, size_t n, const uint64_t gear[256])
{
	size_t i, end = n < PIECE_MAX ? n : PIECE_MAX;
	uint64_t sum = 0;

	if (n <= PIECE_MIN)
		return n;
	for (i = PIECE_MIN - 64; i < end; i++) {
		sum = (sum << 1) + gear[p[i]];
		if (i >= PIECE_MIN && (sum & PIECE_MASK) == 0 &&
		    ends_word(p + i + 1))
			return i + 1;
	}
	for (i = end; end < n && i > end - PIECE_BACK; i--)
		if (ends_word(p + i))
			return i;
	return end;
}

static int
find(struct ctx_store *st, const unsigned char *hash, int64_t *id,
    struct ctx_err *err)
{
	return ctx_db_int(st, id, err, "SELECT id FROM body WHERE hash = ?1",
	    "b", (const void *)hash, (size_t)CTX_SHA256_LEN);
}

struct row {
	const unsigned char *hash;
	size_t size;
	int64_t kind;
	const void *data;	/* unused if parts holds the bytes */
	size_t len;		/* of data */
};

static int
add(struct ctx_store *st, const struct row *row, int64_t *id,
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

/*
 * Compress the contents of a row into frame if that makes them smaller.
 * Returns 1, 0, or -1.
 */
static int
squeeze(struct ctx_store *st, struct row *row, struct ctx_buf *frame,
    struct ctx_err *err)
{
	if (row->size < SQUEEZE_MIN || row->size > CTX_SQUEEZE_LIMIT)
		return 0;
	if (ctx_squeeze(st, row->data, row->size, CTX_SQUEEZE_FAST, frame,
	    err) == -1)
		return -1;
	if (frame->len > row->size - row->size / 8)
		return 0;
	row->kind = KIND_FRAME;
	row->data = frame->data;
	row->len = frame->len;
	return 1;
}

static int
put_data(struct ctx_store *st, const void *p, size_t n, int64_t *id,
    struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];
	struct row row = { hash, n, KIND_DATA, p, n };
	struct ctx_buf frame = { 0 };
	int rc;

	hash_of(p, n, hash);
	if ((rc = find(st, hash, id, err)) != 0)
		return rc == 1 ? 0 : -1;
	if ((rc = squeeze(st, &row, &frame, err)) != -1)
		rc = add(st, &row, id, err);
	ctx_buf_done(&frame);
	return rc;
}

int
ctx_body_put_piece(struct ctx_store *st, const void *p, size_t n,
    struct ctx_err *err)
{
	int64_t id;

	return put_data(st, p, n, &id, err);
}

static int
add_part(struct ctx_store *st, int64_t body, int64_t pos, int64_t part,
    struct ctx_err *err)
{
	return ctx_db_run(st, err, "INSERT INTO body_part VALUES(?1, ?2, ?3)",
	    "iii", body, pos, part);
}

int
ctx_body_put_list(struct ctx_store *st, const int64_t *part, size_t n,
    const char *hex, struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];
	struct row row = { hash, 0, KIND_PARTS, NULL, 0 };
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
		rc = add(st, &row, &id, err);
	for (i = 0; i < n && rc == 0; i++)
		rc = add_part(st, id, (int64_t)i, part[i], err);
	return rc;
}

static int
put_parts(struct ctx_store *st, const unsigned char *p, size_t n,
    int64_t *id, struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];
	struct row row = { hash, n, KIND_PARTS, NULL, 0 };
	uint64_t gear[256];
	int64_t pos, part;
	size_t len;
	int rc;

	hash_of(p, n, hash);
	if ((rc = find(st, hash, id, err)) != 0)
		return rc == 1 ? 0 : -1;
	if (add(st, &row, id, err) == -1)
		return -1;
	fill_gears(gear);
	for (pos = 0; n > 0; pos++, p += len, n -= len) {
		len = piece_len(p, n, gear);
		if (put_data(st, p, len, &part, err) == -1 ||
		    add_part(st, *id, pos, part, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_body_put(struct ctx_store *st, const void *p, size_t n, int64_t *id,
    struct ctx_err *err)
{
	if (n > WHOLE_MAX)
		return put_parts(st, p, n, id, err);
	return put_data(st, p, n, id, err);
}

int
ctx_body_find(struct ctx_store *st, const void *p, size_t n, int64_t *id,
    struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];

	hash_of(p, n, hash);
	return find(st, hash, id, err);
}

/*
 * Append the contents in the columns size, kind and data of q, from col on.
 * What is damaged gives other bytes, or none.
 */
static int
add_data(struct ctx_store *st, sqlite3_stmt *q, int col, struct ctx_buf *out,
    struct ctx_err *err)
{
	int64_t size = sqlite3_column_int64(q, col);

	if (sqlite3_column_int(q, col + 1) != KIND_FRAME) {
		ctx_db_add(out, q, col + 2);
		return 0;
	}
	if (size < 0 || size > CTX_SQUEEZE_LIMIT)
		return 0;
	return ctx_squeeze_undo(st, sqlite3_column_blob(q, col + 2),
	    (size_t)sqlite3_column_bytes(q, col + 2), (size_t)size, out,
	    err) == -1 ? -1 : 0;
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
		rc = add_data(st, q, 0, out, err);
	return rc;
}

int
ctx_body_get(struct ctx_store *st, int64_t id, struct ctx_buf *out,
    struct ctx_err *err)
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
	size = (size_t)sqlite3_column_int64(q, 1);
	if (sqlite3_column_int(q, 2) == KIND_PARTS)
		rc = get_parts(st, id, out, err);
	else
		rc = add_data(st, q, 1, out, err);
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
	return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: contents %lld are "
	    "missing", st->path, (long long)id);
}

/*
 * Compress the next contents after *id that are not; damaged ones stay as they
 * are.  Returns 1, 0, or -1.
 */
static int
squeeze_next(struct ctx_store *st, int64_t *id, struct ctx_err *err)
{
	struct ctx_buf data = { 0 }, frame = { 0 };
	struct row row = { NULL, 0, KIND_DATA, NULL, 0 };
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
ctx_body_free_begin(struct ctx_store *st, struct ctx_err *err)
{
	/* what is removed is overwritten */
	if (ctx_db_run(st, err, "PRAGMA secure_delete=ON", "") == -1 ||
	    ctx_db_run(st, err, "CREATE TEMP TABLE IF NOT EXISTS loose"
	    "(id INTEGER PRIMARY KEY)", "") == -1)
		return -1;
	return ctx_db_run(st, err, "DELETE FROM temp.loose", "");
}

/* Remove from loose what is still in use. */
static int
keep_used(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_run(st, err, "DELETE FROM temp.loose WHERE"
	    " EXISTS (SELECT 1 FROM message WHERE body = loose.id)"
	    " OR EXISTS (SELECT 1 FROM body_part WHERE part = loose.id)"
	    " OR EXISTS (SELECT 1 FROM ckpt WHERE state = loose.id)"
	    " OR EXISTS (SELECT 1 FROM ckpt WHERE meta = loose.id)"
	    " OR EXISTS (SELECT 1 FROM ckpt_write WHERE body = loose.id)"
	    " OR EXISTS (SELECT 1 FROM view_part WHERE body = loose.id)"
	    " OR EXISTS (SELECT 1 FROM summary WHERE body = loose.id)"
	    " OR EXISTS (SELECT 1 FROM state WHERE body = loose.id)"
	    " OR EXISTS (SELECT 1 FROM user_state WHERE body = loose.id)"
	    " OR EXISTS (SELECT 1 FROM snapshot_part WHERE body = loose.id)"
	    " OR EXISTS (SELECT 1 FROM file WHERE body = loose.id)", "");
}

int
ctx_body_free_end(struct ctx_store *st, int64_t *bytes, struct ctx_err *err)
{
	int64_t n;
	int round;

	/* First the contents, then the pieces that only these used. */
	for (round = 0; round < 2; round++) {
		if (keep_used(st, err) == -1 ||
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
