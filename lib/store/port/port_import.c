/* SPDX-License-Identifier: MIT */
/* The lines of an export as rows; see port_import.h. */
#include "store/port/port_import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/vec.h"
#include "base/when.h"
#include "read/node.h"
#include "store/body.h"
#include "store/log.h"

int
ctx_import_bad(struct ctx_err *err, const char *what)
{
	return ctx_fail(err, CTX_EINPUT, "not a line of an export: %s", what);
}

int
ctx_import_scan(struct ctx_import *im, const char *line, size_t len,
    struct ctx_buf *row, struct ctx_err *err)
{
	if (ctx_doc_scan(&im->doc, line, len, err) == -1)
		return -1;
	if (ctx_node_type(&im->doc, 0) != '{')
		return ctx_import_bad(err, "it is not an object");
	return ctx_import_text(im, "row", row, err);
}

const struct ctx_rowkind *
ctx_import_kind(const char *name)
{
	const struct ctx_rowkind *k;

	for (k = ctx_rowkinds; k->name != NULL; k++)
		if (strcmp(name, k->name) == 0)
			return k;
	return NULL;
}

static uint32_t
member(const struct ctx_import *im, const char *name)
{
	return CTX_GET(&im->doc, 0, name);
}

static int
get_integer(const struct ctx_import *im, uint32_t i, int64_t *out)
{
	const struct ctx_node *node = &im->doc.node[i];
	char text[32], *end;

	if (node->len >= sizeof(text))
		return -1;
	memcpy(text, im->doc.raw + node->off, node->len);
	text[node->len] = '\0';
	errno = 0;
	*out = strtoll(text, &end, 10);
	return *end == '\0' && end != text && errno == 0 ? 0 : -1;
}

/*
 * Get a string's text, terminated; -1 if it is not a string, or with *err if
 * out of memory.
 */
static int
get_text(const struct ctx_import *im, uint32_t i, struct ctx_buf *out,
    struct ctx_err *err)
{
	ctx_buf_reset(out);
	if (ctx_node_type(&im->doc, i) != '"')
		return -1;
	ctx_node_decode(out, &im->doc, i);
	return ctx_buf_str(out) == NULL ? ctx_fail_nomem(err) : 0;
}

int
ctx_import_number(const struct ctx_import *im, const char *name, int64_t *out)
{
	uint32_t i = member(im, name);

	return i == CTX_NONE ? -1 : get_integer(im, i, out);
}

int
ctx_import_text(const struct ctx_import *im, const char *name,
    struct ctx_buf *out, struct ctx_err *err)
{
	uint32_t i = member(im, name);

	ctx_buf_reset(out);
	if (i == CTX_NONE)
		return ctx_buf_str(out) == NULL ? ctx_fail_nomem(err) : 0;
	return get_text(im, i, out, err) == 0 ? 0 : ctx_import_bad(err, name);
}

static int
hex_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	    c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int
parse_hash(const char *hex, size_t len, unsigned char out[CTX_SHA256_LEN])
{
	size_t i;
	int hi, lo;

	if (len != 2 * CTX_SHA256_LEN)
		return -1;
	for (i = 0; i < CTX_SHA256_LEN; i++) {
		hi = hex_value(hex[2 * i]);
		lo = hex_value(hex[2 * i + 1]);
		if (hi == -1 || lo == -1)
			return -1;
		out[i] = (unsigned char)(hi << 4 | lo);
	}
	return 0;
}

/* Find the row of a body by its hash.  Returns 1, 0, or -1. */
static int
find_body(struct ctx_import *im, const char *hex, size_t len, int64_t *id,
    struct ctx_err *err)
{
	unsigned char hash[CTX_SHA256_LEN];

	if (parse_hash(hex, len, hash) == -1)
		return ctx_import_bad(err, "sha256");
	return ctx_body_by_hash(im->st, hash, id, err);
}

/* Decode base64 in place, padded or not. */
static int
decode_base64(struct ctx_buf *b)
{
	size_t n = b->len, used;

	while (n > 0 && b->data[n - 1] == '=')
		n--;
	b->len = ctx_base64_begin(b->data, n, b->data, n, &used);
	return used == n ? 0 : -1;
}

/* Store the contents in b, which must have that hash. */
static int
store_data(struct ctx_import *im, const struct ctx_buf *b, const char *hex,
    struct ctx_err *err)
{
	char have[CTX_SHA256_HEX];

	ctx_sha256_hex(b->data, b->len, have);
	if (strcmp(have, hex) != 0)
		return ctx_fail(err, CTX_EINPUT,
		    "contents do not match their hash");
	return ctx_body_put_piece(im->st, b->data, b->len, err);
}

/* Store contents given as a list of earlier pieces. */
static int
store_parts(struct ctx_import *im, uint32_t list, const char *hex,
    struct ctx_err *err)
{
	int64_t *part = NULL, id;
	size_t n = 0, cap = 0;
	struct ctx_str s;
	uint32_t e;
	int rc = -1;

	CTX_FOR_LIST(&im->doc, e, list) {
		s = ctx_node_str(&im->doc, e);
		if (s.p == NULL) {
			ctx_import_bad(err, "parts");
			goto out;
		}
		rc = find_body(im, s.p, s.len, &id, err);
		if (rc == 0)
			rc = ctx_import_bad(err, "a part is missing");
		if (rc != 1)
			goto out;
		if (CTX_ROOM(part, n, &cap) == -1) {
			ctx_fail_nomem(err);
			goto out;
		}
		part[n++] = id;
	}
	rc = ctx_body_put_list(im->st, part, n, hex, err);
out:
	free(part);
	return rc == 0 ? 0 : -1;
}

int
ctx_import_body(struct ctx_import *im, struct ctx_err *err)
{
	struct ctx_buf hex = { 0 };
	uint32_t text, list;
	int64_t id;
	int rc;

	if (ctx_import_text(im, "sha256", &hex, err) == -1 ||
	    (rc = find_body(im, hex.data, hex.len, &id, err)) == -1) {
		ctx_buf_done(&hex);
		return -1;
	}
	if (rc == 0) {
		rc = -1;
		list = ctx_node_if(&im->doc, member(im, "parts"), '[');
		if (list != CTX_NONE)
			rc = store_parts(im, list, hex.data, err);
		else if ((text = member(im, "text")) != CTX_NONE &&
		    get_text(im, text, &im->piece, err) == 0)
			rc = store_data(im, &im->piece, hex.data, err);
		else if ((text = member(im, "base64")) != CTX_NONE &&
		    get_text(im, text, &im->piece, err) == 0 &&
		    decode_base64(&im->piece) == 0)
			rc = store_data(im, &im->piece, hex.data, err);
		else
			ctx_import_bad(err, "contents");
	} else
		rc = 0;
	ctx_buf_done(&hex);
	return rc;
}

/* Read column c of the line into v. */
static int
take_value(struct ctx_import *im, const struct ctx_col *c,
    struct ctx_import_value *v, struct ctx_err *err)
{
	uint32_t i = member(im, c->name);
	int rc;

	v->is_null = ctx_node_given(&im->doc, i) == CTX_NONE;
	if (v->is_null)
		return 0;
	if (c->type == CTX_COL_INT)
		return get_integer(im, i, &v->number) == 0 ? 0 :
		    ctx_import_bad(err, c->name);
	if (get_text(im, i, &v->text, err) == -1)
		return v->text.failed ? ctx_fail_nomem(err) :
		    ctx_import_bad(err, c->name);
	if (c->type == CTX_COL_WHEN)
		return ctx_when_scan(v->text.data, v->text.len,
		    &v->number) == 0 ? 0 : ctx_import_bad(err, c->name);
	if (c->type == CTX_COL_TEXT)
		return 0;
	rc = find_body(im, v->text.data, v->text.len, &v->number, err);
	if (rc == 0)
		ctx_import_bad(err, "contents are missing");
	return rc == 1 ? 0 : -1;
}

int
ctx_import_values(struct ctx_import *im, const struct ctx_col *col,
    struct ctx_err *err)
{
	int i;

	for (i = 0; col[i].name != NULL; i++)
		if (take_value(im, &col[i], &im->value[i], err) == -1)
			return -1;
	return 0;
}

int
ctx_import_thread(struct ctx_import *im, struct ctx_err *err)
{
	static const struct ctx_col cols[] = { { "name", CTX_COL_TEXT },
	    { "user", CTX_COL_TEXT }, { "head", CTX_COL_INT },
	    { "created", CTX_COL_WHEN }, { "updated", CTX_COL_WHEN },
	    { "pinned", CTX_COL_INT }, { "attrs", CTX_COL_TEXT },
	    { NULL, CTX_COL_INT } };
	const struct ctx_import_value *v = im->value;

	if (ctx_import_values(im, cols, err) == -1)
		return -1;
	return v[0].is_null || v[2].is_null || v[3].is_null || v[4].is_null ?
	    ctx_import_bad(err, "thread") : 0;
}

static int
bind_row(struct ctx_import *im, const struct ctx_rowkind *k, sqlite3_stmt *q,
    struct ctx_err *err)
{
	const struct ctx_import_value *v;
	int i, rc;

	rc = strcmp(k->scope, "user") == 0 ?
	    sqlite3_bind_text(q, 1, im->user, -1, SQLITE_STATIC) :
	    sqlite3_bind_int64(q, 1, im->thread);
	for (i = 0; k->col[i].name != NULL && rc == SQLITE_OK; i++) {
		v = &im->value[i];
		if (v->is_null)
			rc = sqlite3_bind_null(q, i + 2);
		else if (k->col[i].type == CTX_COL_TEXT)
			rc = sqlite3_bind_text64(q, i + 2, v->text.data,
			    v->text.len, SQLITE_STATIC, SQLITE_UTF8);
		else
			rc = sqlite3_bind_int64(q, i + 2, v->number);
	}
	return rc == SQLITE_OK ? 0 : ctx_db_fail(im->st, rc, err);
}

/* One of the kind's statements, prepared on first use. */
static sqlite3_stmt *
statement(struct ctx_import *im, const struct ctx_rowkind *k,
    enum ctx_rowkind_sql which, struct ctx_err *err)
{
	sqlite3_stmt **q = &im->stmt[k - ctx_rowkinds][which];
	struct ctx_buf sql = { 0 };
	int rc;

	if (*q == NULL) {
		ctx_rowkind_sql(k, which, &sql);
		if (ctx_buf_str(&sql) == NULL)
			ctx_fail_nomem(err);
		else if ((rc = sqlite3_prepare_v2(im->st->db, sql.data, -1, q,
		    NULL)) != SQLITE_OK)
			ctx_db_fail(im->st, rc, err);
		ctx_buf_done(&sql);
	}
	return *q;
}

int
ctx_import_run(struct ctx_import *im, const struct ctx_rowkind *k,
    enum ctx_rowkind_sql which, sqlite3_stmt **q, struct ctx_err *err)
{
	if ((*q = statement(im, k, which, err)) == NULL ||
	    bind_row(im, k, *q, err) == -1)
		return -1;
	return ctx_db_row(im->st, *q, err);
}

static int
has_bodies(const struct ctx_rowkind *k)
{
	const struct ctx_col *c = k->col;

	while (c->name != NULL && c->type != CTX_COL_BODY)
		c++;
	return c->name != NULL;
}

int
ctx_import_loosen(struct ctx_import *im, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	sqlite3_stmt *q;

	if (!has_bodies(k))
		return 0;
	return ctx_import_run(im, k, CTX_ROWKIND_LOOSEN, &q, err) == -1 ? -1 :
	    sqlite3_changes(im->st->db) > 0;
}

int
ctx_import_loosen_both(struct ctx_import *im, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	int i;

	if (!has_bodies(k))
		return 0;
	if (!im->loose && ctx_body_free_begin(im->st, err) == -1)
		return -1;
	im->loose = 1;
	for (i = 0; k->col[i].name != NULL; i++)
		if (k->col[i].type == CTX_COL_BODY && !im->value[i].is_null &&
		    ctx_db_run(im->st, err, "INSERT OR IGNORE INTO temp.loose"
		    " VALUES(?1)", "i", im->value[i].number) == -1)
			return -1;
	return ctx_import_loosen(im, k, err) == -1 ? -1 : 0;
}

int
ctx_import_refused(const struct ctx_import *im, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	if ((sqlite3_errcode(im->st->db) & 0xff) != SQLITE_CONSTRAINT)
		return -1;
	ctx_err_clear(err);
	return ctx_import_bad(err, k->name);
}

/* Get the line of the message in the values. */
static int
line_of(struct ctx_import *im, struct ctx_buf *out, struct ctx_err *err)
{
	const struct ctx_import_value *json = &im->value[7];
	const struct ctx_import_value *body = &im->value[8];

	if (json->is_null)
		return ctx_body_get(im->st, body->number, out, err);
	ctx_buf_add(out, json->text.data, json->text.len);
	return ctx_buf_fail(out, err);
}

/* Check the message's sum. */
static int
check_message(struct ctx_import *im, struct ctx_err *err)
{
	const struct ctx_import_value *v = im->value;
	struct ctx_buf line = { 0 };
	uint32_t crc = 0;
	int rc;

	if (v[7].is_null && v[8].is_null)
		return ctx_import_bad(err, "a message has no line");
	if ((rc = line_of(im, &line, err)) == 0)
		crc = ctx_log_line_sum(line.data, line.len, v[1].number);
	ctx_buf_done(&line);
	if (rc == 0 && (v[9].is_null || (int64_t)crc != v[9].number))
		return ctx_fail(err, CTX_EINPUT,
		    "a message does not match its checksum");
	return rc;
}

/*
 * Is the message in the values stored?  Its line may be kept in another way.
 * Returns 1, 0, or -1.
 */
static int
same_message(struct ctx_import *im, struct ctx_err *err)
{
	struct ctx_buf new = { 0 }, old = { 0 };
	const struct ctx_import_value *v = im->value;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(im->st, err, "SELECT " CTX_BODY_LINE " FROM message"
	    " WHERE thread = ?1 AND context = ?2 AND seq = ?3 AND mid IS ?4"
	    " AND role IS ?5 AND turn = ?6 AND ts = ?7 AND tokens IS ?8 AND"
	    " crc = ?9", "iiittiioi", im->thread, v[0].number, v[1].number,
	    v[2].is_null ? NULL : v[2].text.data, v[2].text.len,
	    v[3].is_null ? NULL : v[3].text.data, v[3].text.len, v[4].number,
	    v[5].number, v[6].is_null ? NULL : &v[6].number, v[9].number);
	if ((rc = ctx_db_row(im->st, q, err)) != 1)
		return rc;
	rc = line_of(im, &new, err);
	if (rc == 0 && (rc = ctx_body_line(im->st, q, 0, &old, err)) == 0)
		rc = new.len == old.len &&
		    memcmp(new.data, old.data, old.len) == 0;
	sqlite3_reset(q);
	ctx_buf_done(&new);
	ctx_buf_done(&old);
	return rc;
}

int
ctx_import_row(struct ctx_import *im, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	int replace = k->clash == CTX_CLASH_NEWER && im->newer, rc;
	int message = strcmp(k->name, "message") == 0;
	sqlite3_stmt *q;

	im->messages += message;
	if (message && check_message(im, err) == -1)
		return -1;
	if (k->clash != CTX_CLASH_ERROR && ctx_import_loosen_both(im, k,
	    err) == -1)
		return -1;
	if (ctx_import_run(im, k, replace ? CTX_ROWKIND_REPLACE :
	    CTX_ROWKIND_INSERT, &q, err) == -1)
		return ctx_import_refused(im, k, err);
	if (sqlite3_changes(im->st->db) > 0 || k->clash != CTX_CLASH_ERROR)
		return 0;
	if (message)
		rc = same_message(im, err);
	else if ((rc = ctx_import_run(im, k, CTX_ROWKIND_SAME, &q,
	    err)) == 1) {
		rc = sqlite3_column_int(q, 0) > 0;
		sqlite3_reset(q);
	}
	if (rc == 0)
		return ctx_fail(err, CTX_EINPUT,
		    "a %s already exists with other contents", k->name);
	return rc == 1 ? 0 : -1;
}
