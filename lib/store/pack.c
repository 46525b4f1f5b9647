/* SPDX-License-Identifier: MIT */
/* Pack lines into bundles; see pack.h. */
#include "store/pack.h"

#include "store/body.h"
#include "store/bundle.h"
#include "store/squeeze.h"

/*
 * A bundle of so many bytes or lines is full.  Larger ones save less than a
 * tenth more, and each message read alone costs a bundle.
 */
#define FULL_BYTES	65536
#define FULL_LINES	256

#define DIGITS_OF(n)	#n
#define DIGITS(n)	DIGITS_OF(n)

/* A line that goes to a bundle; a longer one in a row came from an import. */
#define FITS	"json IS NOT NULL AND length(CAST(json AS BLOB)) < " \
	DIGITS(CTX_PACK_LINE)

static int
is_full(const struct ctx_bundle *b)
{
	return b->text.len >= FULL_BYTES || b->n >= FULL_LINES;
}

/*
 * Take the lines out of their rows.  The rows are written anew: SQLite would
 * leave the pages of rows that become shorter as empty as they are.
 */
#define EMPTY	"REPLACE INTO message(id, thread, context, seq, mid, role," \
	" turn, ts, tokens, json, body, crc, words) SELECT id, thread," \
	" context, seq, mid, role, turn, ts, tokens, NULL, body, crc, words" \
	" FROM message WHERE thread = ?1 AND context = ?2 AND" \
	" seq BETWEEN ?3 AND ?4 AND " FITS

/* What is moved to a bundle must not stay behind in its page. */
static int
overwrite(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_run(st, err, "PRAGMA secure_delete=ON", "");
}

static void
put_len(struct ctx_buf *out, size_t len)
{
	for (; len > 0x7f; len >>= 7)
		ctx_buf_addc(out, (char)(len | 0x80));
	ctx_buf_addc(out, (char)len);
}

static int
write_bundle(struct ctx_store *st, const struct ctx_bundle *b,
    const struct ctx_buf *lens, const struct ctx_buf *data,
    struct ctx_err *err)
{
	if (b->id == 0)
		return ctx_db_run(st, err, "INSERT INTO bundle(thread, context,"
		    " first, last, size, lens, data) VALUES(?1, ?2, ?3, ?4, ?5,"
		    " ?6, ?7)", "iiiiibb", b->thread, b->context, b->first,
		    b->last, (int64_t)b->text.len, (const void *)lens->data,
		    lens->len, (const void *)data->data, data->len);
	return ctx_db_run(st, err, "UPDATE bundle SET last = ?2, size = ?3,"
	    " lens = ?4, data = ?5 WHERE id = ?1", "iiibb", b->id, b->last,
	    (int64_t)b->text.len, (const void *)lens->data, lens->len,
	    (const void *)data->data, data->len);
}

/* Write the bundle and go on with an empty one after it. */
static int
flush(struct ctx_store *st, struct ctx_bundle *b, int level,
    struct ctx_err *err)
{
	struct ctx_buf lens = { 0 }, data = { 0 };
	struct ctx_bundle next = *b;
	size_t i, at = 0;
	int rc = 0;

	if (b->text.len > 0) {
		for (i = 0; i < b->n; at = b->end[i++])
			put_len(&lens, b->end[i] - at);
		if ((rc = ctx_buf_fail(&lens, err)) == 0)
			rc = ctx_squeeze(st, b->text.data, b->text.len,
			    level, &data, err);
		if (rc == 0)
			rc = write_bundle(st, b, &lens, &data, err);
	}
	ctx_buf_done(&lens);
	ctx_buf_done(&data);
	ctx_bundle_forget(st);
	ctx_bundle_begin(b, next.thread, next.context, next.last + 1);
	return rc;
}

/*
 * Begin at message first, in the bundle that ends before it unless that is
 * full, damaged or missing.
 */
static int
open_at(struct ctx_store *st, struct ctx_bundle *b, int64_t thread,
    int64_t context, int64_t first, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int rc = ctx_bundle_read(st, thread, context, first, b, &why);

	if (rc == -1 && why.code == CTX_ENOMEM)
		return ctx_fail_nomem(err);
	if (rc == 1 && b->last >= first) {
		ctx_bundle_begin(b, 0, 0, 1);
		return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: message %lld "
		    "is stored twice", st->path, (long long)first);
	}
	if (rc != 1 || b->last != first - 1 || is_full(b))
		ctx_bundle_begin(b, thread, context, first);
	return b->id != 0 ? overwrite(st, err) : 0;
}

/*
 * Take lines from their rows, in order, until one is missing or packed, or
 * the bundle is full.  Returns their number, or -1.
 */
static int64_t
take_lines(struct ctx_store *st, struct ctx_bundle *b, int64_t before,
    struct ctx_err *err)
{
	int64_t n = 0;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT seq, CASE WHEN " FITS " THEN json"
	    " END FROM message WHERE thread = ?1 AND context = ?2 AND seq >="
	    " ?3 AND seq < ?4 AND (json IS NOT NULL OR body IS NOT NULL)"
	    " ORDER BY seq", "iiii", b->thread, b->context, b->last + 1,
	    before);
	while ((rc = ctx_db_row(st, q, err)) == 1 && !is_full(b) &&
	    sqlite3_column_int64(q, 0) == b->last + 1) {
		rc = ctx_bundle_add(b, sqlite3_column_blob(q, 1),
		    (size_t)sqlite3_column_bytes(q, 1), err);
		if (rc == -1)
			break;
		n++;
	}
	sqlite3_reset(q);
	return rc == -1 ? -1 : n;
}

/* Move the lines of rows before that message to the open bundle, and others. */
static int
pack_rows(struct ctx_store *st, struct ctx_bundle *b, int64_t before,
    struct ctx_err *err)
{
	int64_t n;

	do {
		if ((n = take_lines(st, b, before, err)) > 0 &&
		    (overwrite(st, err) == -1 || ctx_db_run(st, err, EMPTY,
		    "iiii", b->thread, b->context, b->last - n + 1,
		    b->last) == -1))
			return -1;
		if (n > 0 && is_full(b) &&
		    flush(st, b, CTX_SQUEEZE_SMALL, err) == -1)
			return -1;
	} while (n > 0);
	return n == -1 ? -1 : 0;
}

/*
 * The first message from seq on whose line is in its row or in body.  Returns
 * 1, 0 if there is none, or -1.
 */
static int
first_row(struct ctx_store *st, int64_t thread, int64_t context, int64_t *seq,
    struct ctx_err *err)
{
	return ctx_db_int(st, seq, err, "SELECT seq FROM message WHERE"
	    " thread = ?1 AND context = ?2 AND seq >= ?3 AND (json IS NOT NULL"
	    " OR body IS NOT NULL) ORDER BY seq LIMIT 1", "iii", thread,
	    context, *seq);
}

int
ctx_pack_packs(void)
{
	return 1;
}

int
ctx_pack_begin(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t next, struct ctx_err *err)
{
	struct ctx_bundle *b = ctx_bundle_open(st, err);
	int64_t first = 0;
	int rc;

	if (b == NULL || ctx_db_int(st, &first, err, "SELECT last + 1 FROM"
	    " bundle WHERE thread = ?1 AND context = ?2 ORDER BY first DESC"
	    " LIMIT 1", "ii", thread, context) == -1)
		return -1;
	/* Longer runs are those of an older version. */
	if (first < next - CTX_PACK_EVERY)
		first = next - CTX_PACK_EVERY;
	if ((rc = first_row(st, thread, context, &first, err)) == -1)
		return -1;
	if (rc == 0)
		first = next;
	if (open_at(st, b, thread, context, first, err) == -1 ||
	    pack_rows(st, b, next, err) == -1)
		return -1;
	if (b->last + 1 == next)
		return 0;
	/* Messages are missing. */
	if (flush(st, b, CTX_SQUEEZE_SMALL, err) == -1)
		return -1;
	ctx_bundle_begin(b, thread, context, next);
	return 0;
}

int
ctx_pack_add(struct ctx_store *st, const char *line, size_t len,
    struct ctx_err *err)
{
	struct ctx_bundle *b = ctx_bundle_open(st, err);

	if (b == NULL || ctx_bundle_add(b, line, len, err) == -1)
		return -1;
	return is_full(b) ? flush(st, b, CTX_SQUEEZE_SMALL, err) : 0;
}

int
ctx_pack_rows(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t next, int64_t n, struct ctx_err *err)
{
	if (ctx_pack_begin(st, thread, context, next, err) == -1 ||
	    pack_rows(st, ctx_bundle_open(st, err), next + n, err) == -1)
		return -1;
	return ctx_pack_end(st, n < CTX_PACK_EVERY, err);
}

int
ctx_pack_end(struct ctx_store *st, int alone, struct ctx_err *err)
{
	struct ctx_bundle *b = ctx_bundle_open(st, err);

	return b == NULL ? -1 : flush(st, b, alone ? CTX_SQUEEZE_FAST :
	    CTX_SQUEEZE_SMALL, err);
}

/* Pack all lines of a context that are still in their rows. */
static int
pack_context(struct ctx_store *st, int64_t thread, int64_t context,
    struct ctx_err *err)
{
	struct ctx_bundle *b = ctx_bundle_open(st, err);
	int64_t seq = 0;
	int rc;

	if (b == NULL)
		return -1;
	while ((rc = ctx_db_int(st, &seq, err, "SELECT seq FROM message WHERE"
	    " thread = ?1 AND context = ?2 AND seq >= ?3 AND " FITS
	    " ORDER BY seq LIMIT 1", "iii", thread, context, seq)) == 1) {
		if (open_at(st, b, thread, context, seq, err) == -1 ||
		    pack_rows(st, b, INT64_MAX, err) == -1 ||
		    flush(st, b, CTX_SQUEEZE_SMALL, err) == -1)
			return -1;
		seq = b->last + 1;
	}
	return rc;
}

int
ctx_pack_thread(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT id FROM context WHERE thread = ?1",
	    "i", thread);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = pack_context(st, thread, sqlite3_column_int64(q, 0),
		    err);
	return rc;
}

/* Find the next context that has lines in rows.  Returns 1, 0, or -1. */
static int
next_context(struct ctx_store *st, int64_t *thread, int64_t *context,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT thread, context FROM message WHERE"
	    " (thread, context) > (?1, ?2) AND " FITS
	    " ORDER BY thread, context LIMIT 1", "ii", *thread, *context);
	if ((rc = ctx_db_row(st, q, err)) == 1) {
		*thread = sqlite3_column_int64(q, 0);
		*context = sqlite3_column_int64(q, 1);
		sqlite3_reset(q);
	}
	return rc;
}

int
ctx_pack_all(struct ctx_store *st, struct ctx_err *err)
{
	int64_t thread = 0, context = 0;
	int rc;

	while ((rc = next_context(st, &thread, &context, err)) == 1)
		if (ctx_db_begin(st, err) == -1 || ctx_db_end(st,
		    pack_context(st, thread, context, err) == 0,
		    err) == -1)
			return -1;
	return rc == 0 ? ctx_body_squeeze_all(st, err) : -1;
}
