/* SPDX-License-Identifier: MIT */
/* Export threads as lines; see port.h. */
#include "store/port/port_export.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "store/body.h"
#include "store/log.h"
#include "store/row.h"
#include "store/sound.h"
#include "store/thread.h"

int
ctx_export_put(struct ctx_export *x, struct ctx_err *err)
{
	ctx_row_end(&x->row);
	if (ctx_buf_fail(&x->row, err) == -1)
		return -1;
	if (x->lines++ == 0)
		ctx_sha256_init(&x->sum);
	ctx_sha256_update(&x->sum, x->row.data, x->row.len);
	return x->fn(x->row.data, x->row.len, x->arg, err);
}

/* The first body with the bytes of b: a server has a content in each thread. */
#define FIRST	"(SELECT min(f.id) FROM body f WHERE f.hash = b.hash)"

/* Mark a first body as sent.  Returns 1 if it already was, 0, or -1. */
static int
was_sent(struct ctx_export *x, int64_t id, struct ctx_err *err)
{
	size_t at = (size_t)id / 8, n;
	unsigned char bit = (unsigned char)(1u << (id % 8)), *more;

	if (at >= x->nsent) {
		n = at + 1 > 2 * x->nsent ? at + 1 : 2 * x->nsent;
		if ((more = realloc(x->sent, n)) == NULL)
			return ctx_fail_nomem(err);
		memset(more + x->nsent, 0, n - x->nsent);
		x->sent = more;
		x->nsent = n;
	}
	if (x->sent[at] & bit)
		return 1;
	x->sent[at] |= bit;
	return 0;
}

/*
 * Other processes may write between threads, and a new body may get the id of
 * a removed one that was sent.  An import accepts what comes twice.
 */
static int
recall_sent(struct ctx_export *x, struct ctx_err *err)
{
	int64_t now;

	if (ctx_db_int(x->st, &now, err, "PRAGMA data_version", "") == -1)
		return -1;
	if (now != x->store && x->nsent > 0)
		memset(x->sent, 0, x->nsent);
	x->store = now;
	return 0;
}

static const char *
hash_text(sqlite3_stmt *q, int col, char out[CTX_SHA256_HEX])
{
	if (sqlite3_column_bytes(q, col) != CTX_SHA256_LEN)
		return NULL;
	return ctx_sha256_text(sqlite3_column_blob(q, col), out);
}

/* Write a body that is one piece. */
static int
put_data(struct ctx_export *x, int64_t id, const char *hash,
    struct ctx_err *err)
{
	struct ctx_buf *b = &x->body;

	ctx_buf_reset(b);
	if (ctx_body_get(x->st, id, b, err) == -1)
		return -1;
	ctx_row_begin(&x->row);
	ctx_row_text(&x->row, "row", "body");
	ctx_row_text(&x->row, "sha256", hash);
	if (ctx_utf8_check(b->data, b->len) == b->len)
		ctx_row_bytes(&x->row, "text", b->data, b->len);
	else {
		ctx_row_json(&x->row, "base64", "\"", 1);
		ctx_base64_encode(&x->row, b->data, b->len);
		ctx_buf_addc(&x->row, '"');
	}
	return ctx_export_put(x, err);
}

/* Write the pieces that were not sent yet. */
static int
put_pieces(struct ctx_export *x, int64_t id, struct ctx_err *err)
{
	char hex[CTX_SHA256_HEX];
	const char *hash;
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(x->st, err, "SELECT p.part, b.hash, " FIRST " FROM"
	    " body_part p JOIN body b ON b.id = p.part WHERE p.body = ?1"
	    " ORDER BY p.pos", "i", id);
	while ((rc = ctx_db_next(x->st, q, rc, err)) == 1) {
		hash = hash_text(q, 1, hex);
		rc = hash == NULL ? -1 : was_sent(x, sqlite3_column_int64(q,
		    2), err);
		if (rc == 0)
			rc = put_data(x, sqlite3_column_int64(q, 0), hash, err);
	}
	return rc;
}

static int
put_parts(struct ctx_export *x, int64_t id, const char *hash,
    struct ctx_err *err)
{
	char hex[CTX_SHA256_HEX];
	const char *comma = "";
	sqlite3_stmt *q;
	int rc;

	ctx_buf_reset(&x->body);
	if (ctx_body_get(x->st, id, &x->body, err) == -1 ||
	    put_pieces(x, id, err) == -1)
		return -1;
	ctx_row_begin(&x->row);
	ctx_row_text(&x->row, "row", "body");
	ctx_row_text(&x->row, "sha256", hash);
	ctx_row_json(&x->row, "parts", "[", 1);
	q = ctx_db_query(x->st, err, "SELECT b.hash FROM body_part p"
	    " JOIN body b ON b.id = p.part WHERE p.body = ?1 ORDER BY p.pos",
	    "i", id);
	while ((rc = ctx_db_row(x->st, q, err)) == 1) {
		hash = hash_text(q, 0, hex);
		ctx_buf_addf(&x->row, "%s\"%s\"", comma, hash != NULL ? hash :
		    "");
		comma = ",";
	}
	ctx_buf_addc(&x->row, ']');
	return rc == -1 ? -1 : ctx_export_put(x, err);
}

/* Write a body unless it was sent, and return its hash. */
static int
put_body(struct ctx_export *x, int64_t id, char hex[CTX_SHA256_HEX],
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int64_t first;
	int rc, kind;

	q = ctx_db_query(x->st, err, "SELECT b.hash, b.kind, " FIRST " FROM"
	    " body b WHERE b.id = ?1", "i", id);
	if ((rc = ctx_db_row(x->st, q, err)) == -1)
		return -1;
	kind = rc == 1 ? sqlite3_column_int(q, 1) : 0;
	first = rc == 1 ? sqlite3_column_int64(q, 2) : 0;
	if (rc == 0 || hash_text(q, 0, hex) == NULL) {
		sqlite3_reset(q);
		return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: contents %lld "
		    "are missing", x->st->path, (long long)id);
	}
	sqlite3_reset(q);
	if ((rc = was_sent(x, first, err)) != 0)
		return rc == 1 ? 0 : -1;
	return kind == 1 ? put_parts(x, id, hex, err) :
	    put_data(x, id, hex, err);
}

static void
add_column(struct ctx_buf *row, const struct ctx_col *c, sqlite3_stmt *q,
    int i, int64_t number, const char *hash)
{
	switch (c->type) {
	case CTX_COL_INT:
		ctx_row_int(row, c->name, number);
		break;
	case CTX_COL_WHEN:
		ctx_row_when(row, c->name, sqlite3_column_int64(q, i));
		break;
	case CTX_COL_TEXT:
		ctx_row_bytes(row, c->name,
		    (const char *)sqlite3_column_text(q, i),
		    (size_t)sqlite3_column_bytes(q, i));
		break;
	case CTX_COL_BODY:
		ctx_row_text(row, c->name, hash);
		break;
	}
}

/* Get the line of the message in q, whose columns are those of rowkind.c. */
static int
message_line(struct ctx_export *x, sqlite3_stmt *q, struct ctx_err *err)
{
	struct ctx_body_place at = { x->thread, sqlite3_column_int64(q, 0),
	    sqlite3_column_int64(q, 1) };

	ctx_buf_reset(&x->body);
	return ctx_body_line_at(x->st, q, 7, &at, &x->body, err);
}

/* Is column i the line of a message that is in a bundle? */
static int
is_packed(const struct ctx_rowkind *k, sqlite3_stmt *q, int i)
{
	return i == 7 && strcmp(k->name, "message") == 0 &&
	    sqlite3_column_type(q, 7) == SQLITE_NULL &&
	    sqlite3_column_type(q, 8) == SQLITE_NULL;
}

/*
 * Refuse a line that does not match its sum, or contents that do not match
 * their hash.
 */
static int
check_message(struct ctx_export *x, sqlite3_stmt *q, struct ctx_err *err)
{
	int64_t seq = sqlite3_column_int64(q, 1);

	if (message_line(x, q, err) == -1)
		return -1;
	if (ctx_log_line_sum(x->body.data, x->body.len, seq) ==
	    (uint32_t)sqlite3_column_int64(q, 9))
		return 0;
	return ctx_fail(err, CTX_ESYSTEM,
	    "%s: damaged: message %lld does not match its checksum",
	    x->st->path, (long long)seq);
}

/* Returns 1 if the row is to be written with these numbers, 0 if not, or -1. */
static int
row_numbers(struct ctx_export *x, const struct ctx_rowkind *k, sqlite3_stmt *q,
    int64_t number[CTX_ROWKIND_COLS], struct ctx_err *err)
{
	int i;

	for (i = 0; k->col[i].name != NULL; i++)
		number[i] = sqlite3_column_int64(q, i);
	if (x->row_fn != NULL)
		return x->row_fn(k, q, number, x->arg, err);
	if (strcmp(k->name, "message") == 0 && check_message(x, q, err) == -1)
		return -1;
	return 1;
}

int
ctx_export_row(struct ctx_export *x, const struct ctx_rowkind *k,
    sqlite3_stmt *q, struct ctx_err *err)
{
	char hash[CTX_ROWKIND_COLS][CTX_SHA256_HEX];
	int64_t number[CTX_ROWKIND_COLS];
	int i, rc;

	if ((rc = row_numbers(x, k, q, number, err)) != 1)
		return rc;
	for (i = 0; k->col[i].name != NULL; i++)
		if (k->col[i].type == CTX_COL_BODY &&
		    sqlite3_column_type(q, i) != SQLITE_NULL &&
		    put_body(x, sqlite3_column_int64(q, i), hash[i],
		    err) == -1)
			return -1;
	ctx_row_begin(&x->row);
	ctx_row_text(&x->row, "row", k->name);
	for (i = 0; k->col[i].name != NULL; i++)
		if (sqlite3_column_type(q, i) != SQLITE_NULL)
			add_column(&x->row, &k->col[i], q, i, number[i],
			    hash[i]);
		else if (is_packed(k, q, i)) {
			if (message_line(x, q, err) == -1)
				return -1;
			ctx_row_bytes(&x->row, k->col[i].name, x->body.data,
			    x->body.len);
		}
	return ctx_export_put(x, err);
}

/*
 * The contexts that have a memory, their ancestors and the thread's head, as
 * logs without messages; columns as in rowkind.c.
 */
static const char memory_contexts[] =
    "WITH RECURSIVE need(id) AS (SELECT context FROM snapshot WHERE thread ="
    " ?1 UNION SELECT head FROM thread WHERE id = ?1 UNION SELECT c.parent"
    " FROM need JOIN context c ON c.thread = ?1 AND c.id = need.id WHERE"
    " c.parent IS NOT NULL)"
    " SELECT id, name, kind, parent, CASE WHEN parent_seq IS NOT NULL THEN 0"
    " END, 1, turn, created, attrs FROM context WHERE thread = ?1 AND"
    " id IN (SELECT id FROM need) ORDER BY id";

static void
select_kind(struct ctx_export *x, const struct ctx_rowkind *k,
    struct ctx_buf *sql)
{
	if (x->what == CTX_PORT_MEMORY && strcmp(k->name, "context") == 0)
		ctx_buf_adds(sql, memory_contexts);
	else
		ctx_rowkind_select(k, sql);
}

/* Is this kind part of the export? */
static int
wanted(const struct ctx_export *x, const struct ctx_rowkind *k)
{
	return x->what == CTX_PORT_ALL || strcmp(k->name, "context") == 0 ||
	    strncmp(k->name, "snapshot", 8) == 0;
}

int
ctx_export_kind(struct ctx_export *x, const struct ctx_rowkind *k,
    int64_t thread, const char *user, struct ctx_err *err)
{
	struct ctx_buf sql = { 0 };
	sqlite3_stmt *q = NULL;
	int rc = -1;

	x->thread = thread;
	select_kind(x, k, &sql);
	if (ctx_buf_str(&sql) == NULL)
		ctx_fail_nomem(err);
	else if (sqlite3_prepare_v2(x->st->db, sql.data, -1, &q,
	    NULL) != SQLITE_OK)
		ctx_db_fail(x->st, sqlite3_errcode(x->st->db), err);
	else {
		rc = user != NULL ? sqlite3_bind_text(q, 1, user, -1,
		    SQLITE_STATIC) : sqlite3_bind_int64(q, 1, thread);
		if (rc != SQLITE_OK)
			rc = ctx_db_fail(x->st, rc, err);
		while (rc != -1 && (rc = ctx_db_row(x->st, q, err)) == 1)
			if (ctx_export_row(x, k, q, err) == -1)
				rc = -1;
	}
	sqlite3_finalize(q);
	ctx_buf_done(&sql);
	return rc;
}

int
ctx_export_thread_row(struct ctx_export *x, int64_t id, char **user,
    struct ctx_err *err)
{
	sqlite3_stmt *q;

	q = ctx_db_query(x->st, err, "SELECT name, user, head, created,"
	    " updated, pinned, attrs FROM thread WHERE id = ?1", "i", id);
	if (ctx_db_need(x->st, q, err) == -1)
		return -1;
	ctx_row_begin(&x->row);
	ctx_row_text(&x->row, "row", "thread");
	if (x->ids)
		ctx_row_int(&x->row, "id", id);
	if (x->whole)
		ctx_row_int(&x->row, "whole", 1);
	ctx_row_bytes(&x->row, "name", (const char *)sqlite3_column_text(q,
	    0), (size_t)sqlite3_column_bytes(q, 0));
	if (ctx_db_dup_null(q, 1, user, err) == -1) {
		sqlite3_reset(q);
		return -1;
	}
	if (*user != NULL)
		ctx_row_text(&x->row, "user", *user);
	ctx_row_int(&x->row, "head", sqlite3_column_int64(q, 2));
	ctx_row_when(&x->row, "created", sqlite3_column_int64(q, 3));
	ctx_row_when(&x->row, "updated", sqlite3_column_int64(q, 4));
	ctx_row_int(&x->row, "pinned", sqlite3_column_int64(q, 5));
	if (sqlite3_column_type(q, 6) != SQLITE_NULL)
		ctx_row_text(&x->row, "attrs",
		    (const char *)sqlite3_column_text(q, 6));
	sqlite3_reset(q);
	return ctx_export_put(x, err);
}

int
ctx_export_check_thread(struct ctx_export *x, int64_t id, struct ctx_err *err)
{
	char what[CTX_SOUND_SIZE], quoted[80], *name;
	size_t at = 0;
	int rc = ctx_sound_thread(x->st, id, &at, what, err);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	if (ctx_db_text(x->st, &name, err, "SELECT name FROM thread WHERE"
	    " id = ?1", "i", id) == 1)
		ctx_fail(err, CTX_ESYSTEM, "%s: damaged: thread '%s': %s",
		    x->st->path, ctx_err_quote(quoted, sizeof(quoted), name,
		    strlen(name)), what);
	free(name);
	return -1;
}

int
ctx_export_thread(struct ctx_export *x, int64_t id, struct ctx_err *err)
{
	const struct ctx_rowkind *k;
	char *user = NULL;
	int rc;

	if (ctx_export_check_thread(x, id, err) == -1)
		return -1;
	rc = ctx_export_thread_row(x, id, &user, err);
	for (k = ctx_rowkinds; k->name != NULL && rc == 0; k++) {
		if (!wanted(x, k))
			continue;
		if (strcmp(k->scope, "thread") == 0)
			rc = ctx_export_kind(x, k, id, NULL, err);
		else if (user != NULL)
			rc = ctx_export_kind(x, k, id, user, err);
	}
	free(user);
	return rc;
}

/*
 * Find the first user after *user who has a state but no thread.  Returns 1,
 * 0, or -1.
 */
static int
next_user(struct ctx_export *x, char **user, struct ctx_err *err)
{
	char *next;
	int rc;

	rc = ctx_db_text(x->st, &next, err, "SELECT min(user) FROM user_state"
	    " WHERE (?1 IS NULL OR user > ?1) AND (?2 IS NULL OR user = ?2)"
	    " AND user NOT IN (SELECT user FROM thread WHERE"
	    " user IS NOT NULL)", "ss", *user, x->st->user);
	free(*user);
	*user = next;
	return rc;
}

int
ctx_export_user(struct ctx_export *x, const char *user, struct ctx_err *err)
{
	const struct ctx_rowkind *k;
	int rc;

	ctx_row_begin(&x->row);
	ctx_row_text(&x->row, "row", "user");
	ctx_row_text(&x->row, "name", user);
	rc = ctx_export_put(x, err);
	for (k = ctx_rowkinds; k->name != NULL && rc == 0; k++)
		if (strcmp(k->scope, "user") == 0)
			rc = ctx_export_kind(x, k, 0, user, err);
	return rc;
}

int
ctx_export_users(struct ctx_export *x, struct ctx_err *err)
{
	char *user = NULL;
	int rc;

	do {
		if (ctx_db_read(x->st, err) == -1) {
			rc = -1;
			break;
		}
		if ((rc = recall_sent(x, err)) == 0)
			rc = next_user(x, &user, err);
		if (rc == 1 && ctx_export_user(x, user, err) == -1)
			rc = -1;
		ctx_db_read_end(x->st);
	} while (rc == 1);
	free(user);
	return rc;
}

int
ctx_port_next(struct ctx_store *st, const char *const *names, size_t i,
    size_t n, int64_t *id, struct ctx_err *err)
{
	struct ctx_where w = { NULL, NULL };
	struct ctx_ref ref;

	if (names == NULL)
		return ctx_db_int(st, id, err, "SELECT id FROM thread WHERE"
		    " rowid > coalesce((SELECT rowid FROM thread WHERE id ="
		    " ?1), 0) AND (?2 IS NULL OR user = ?2) ORDER BY rowid"
		    " LIMIT 1", "is", *id, st->user);
	if (i == n)
		return 0;
	w.thread = names[i];
	if (ctx_thread_find(st, &w, &ref, err) == -1)
		return -1;
	*id = ref.thread;
	return 1;
}

int
ctx_export_begin(struct ctx_export *x, struct ctx_err *err)
{
	ctx_row_begin(&x->row);
	ctx_row_text(&x->row, "row", "ctx-store");
	ctx_row_int(&x->row, "version", CTX_PORT_VERSION);
	if (x->what == CTX_PORT_MEMORY)
		ctx_row_text(&x->row, "only", "memory");
	return ctx_export_put(x, err);
}

int
ctx_export_end(struct ctx_export *x, struct ctx_err *err)
{
	unsigned char digest[CTX_SHA256_LEN];
	char hex[CTX_SHA256_HEX];

	ctx_sha256_final(&x->sum, digest);
	ctx_row_begin(&x->row);
	ctx_row_text(&x->row, "row", "end");
	ctx_row_int(&x->row, "lines", x->lines + 1);
	ctx_row_text(&x->row, "sha256", ctx_sha256_text(digest, hex));
	ctx_sha256_init(&x->sum);
	return ctx_export_put(x, err);
}

void
ctx_export_done(struct ctx_export *x)
{
	ctx_buf_done(&x->row);
	ctx_buf_done(&x->body);
	free(x->sent);
}

/* If all threads are to be exported, none may be missing. */
static int
check_threads(struct ctx_export *x, struct ctx_err *err)
{
	char what[CTX_SOUND_SIZE];
	int rc = ctx_sound_threads(x->st, what, err);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: %s", x->st->path,
	    what);
}

static int
put_threads(struct ctx_export *x, const char *const *names, size_t n,
    struct ctx_err *err)
{
	int64_t id = 0;
	size_t i;
	int rc;

	for (i = 0;; i++) {
		if (ctx_db_read(x->st, err) == -1)
			return -1;
		rc = recall_sent(x, err);
		if (rc == 0 && i == 0 && names == NULL)
			rc = check_threads(x, err);
		if (rc == 0)
			rc = ctx_port_next(x->st, names, i, n, &id, err);
		if (rc == 1 && ctx_export_thread(x, id, err) == -1)
			rc = -1;
		ctx_db_read_end(x->st);
		if (rc <= 0)
			return rc;
	}
}

int
ctx_port_export(struct ctx_store *st, const struct ctx_port_want *want,
    ctx_port_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_export x = { .st = st, .what = want->what, .fn = fn,
	    .arg = arg };
	int rc;

	rc = ctx_export_begin(&x, err);
	if (rc == 0)
		rc = put_threads(&x, want->names, want->n, err);
	if (rc == 0 && want->names == NULL &&
	    want->what == CTX_PORT_ALL)
		rc = ctx_export_users(&x, err);
	if (rc == 0)
		rc = ctx_export_end(&x, err);
	ctx_export_done(&x);
	return rc;
}
