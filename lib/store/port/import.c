/* SPDX-License-Identifier: MIT */
/* Import lines as threads; see port.h. */
#include "store/port/port_import.h"

#include <stdlib.h>
#include <string.h>

#include "read/line.h"
#include "read/node.h"
#include "store/body.h"
#include "store/change.h"
#include "store/pack.h"
#include "store/search/note.h"
#include "store/sound.h"
#include "store/thread.h"

int
ctx_import_new(struct ctx_import **out, struct ctx_store *st,
    struct ctx_err *err)
{
	if ((*out = calloc(1, sizeof(**out))) == NULL)
		return ctx_fail_nomem(err);
	(*out)->st = st;
	ctx_sha256_init(&(*out)->sum);
	return 0;
}

void
ctx_import_free(struct ctx_import *im)
{
	size_t i, j;

	if (im == NULL)
		return;
	if (im->open)
		ctx_db_end(im->st, 0, NULL);
	for (i = 0; i < CTX_IMPORT_KINDS; i++)
		for (j = 0; j < CTX_ROWKIND_SQL; j++)
			sqlite3_finalize(im->stmt[i][j]);
	for (i = 0; i < CTX_ROWKIND_COLS; i++)
		ctx_buf_done(&im->value[i].text);
	ctx_buf_done(&im->piece);
	ctx_doc_done(&im->doc);
	free(im->user);
	free(im);
}

/* A context's number and name must agree. */
static int
check_context(struct ctx_import *im, struct ctx_err *err)
{
	int64_t n = 0;

	if (im->value[0].is_null || im->value[1].is_null)
		return ctx_import_bad(err, "context");
	if (ctx_db_int(im->st, &n, err, "SELECT count(*) FROM context WHERE"
	    " thread = ?1 AND (id = ?2) <> (name = ?3)", "iit", im->thread,
	    im->value[0].number, im->value[1].text.data,
	    im->value[1].text.len) == -1)
		return -1;
	return n == 0 ? 0 : ctx_fail(err, CTX_EINPUT,
	    "the thread already exists with other contexts");
}

/*
 * The contents came before the row, so on a server they are the open thread's,
 * which may not need them; the user gets a copy.
 */
static int
import_state(struct ctx_import *im, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	if (!im->open || im->user == NULL)
		return ctx_import_bad(err,
		    "it is a user's state without a user");
	if (ctx_import_values(im, k->col, err) == -1 ||
	    ctx_import_loosen_both(im, k, err) == -1 ||
	    ctx_db_hold_user(im->st, im->user, err) == -1 ||
	    ctx_change_users(im->st, err) == -1 ||
	    ctx_import_values(im, k->col, err) == -1 ||
	    ctx_import_row(im, k, err) == -1)
		return -1;
	return im->thread != 0 && ctx_db_hold(im->st, im->thread, err) == -1 ?
	    -1 : 0;
}

static int
import_row(struct ctx_import *im, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	if (strcmp(k->scope, "user") == 0)
		return import_state(im, k, err);
	if (!im->open || im->thread == 0)
		return ctx_import_bad(err, "it belongs to no thread");
	if (ctx_import_values(im, k->col, err) == -1 ||
	    (k->clash == CTX_CLASH_LONGER && check_context(im, err) == -1))
		return -1;
	return ctx_import_row(im, k, err);
}

/* Check that the thread, together with what was there before, is consistent. */
static int
check_thread(struct ctx_import *im, struct ctx_err *err)
{
	char what[CTX_SOUND_SIZE];
	size_t at = 0;
	int rc = ctx_sound_thread(im->st, im->thread, &at, what, err);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	return ctx_fail(err, CTX_EINPUT, "in the thread before this line, %s",
	    what);
}

int
ctx_import_close(struct ctx_import *im, struct ctx_err *err)
{
	int ok, thread = im->thread != 0;

	if (!im->open)
		return 0;
	ok = !thread || (check_thread(im, err) == 0 &&
	    ctx_pack_thread(im->st, im->thread, err) == 0 &&
	    ctx_note_add_thread(im->st, im->thread, err) == 0);
	ok = ok && (!im->loose || ctx_body_free_end(im->st, NULL, err) == 0);
	im->open = 0;
	im->thread = 0;
	if (ctx_db_end(im->st, ok, err) == -1)
		return -1;
	im->threads += thread;
	return 0;
}

/* Open the thread whose name is the first value. */
static int
known_thread(struct ctx_import *im, struct ctx_err *err)
{
	if (ctx_db_int(im->st, &im->thread, err, "SELECT id FROM thread"
	    " WHERE name = ?1", "t", im->value[0].text.data,
	    im->value[0].text.len) != 1)
		return -1;
	return ctx_db_hold(im->st, im->thread, err) == -1 ? -1 :
	    ctx_change_thread(im->st, im->thread, err);
}

/* What is imported for one user is only what is or becomes that user's. */
static int
check_user(struct ctx_import *im, struct ctx_import_value *user,
    struct ctx_err *err)
{
	const char *own = im->st->user;

	if (own == NULL)
		return 0;
	if (!user->is_null && (user->text.len != strlen(own) ||
	    memcmp(user->text.data, own, user->text.len) != 0))
		return ctx_fail(err, CTX_ENO, "it belongs to another user");
	user->is_null = 0;
	ctx_buf_reset(&user->text);
	ctx_buf_adds(&user->text, own);
	return ctx_buf_str(&user->text) == NULL ? ctx_fail_nomem(err) : 0;
}

/* Check the first two values, a thread's name and its user. */
static int
check_names(struct ctx_import *im, struct ctx_err *err)
{
	const struct ctx_buf *name = &im->value[0].text;
	struct ctx_import_value *user = &im->value[1];

	if (ctx_thread_name_again(im->st, name->data, name->len, err) == -1)
		return -1;
	if (!user->is_null && ctx_store_name_check("user", user->text.data,
	    user->text.len, err) == -1) {
		err->code = CTX_EINPUT;
		return -1;
	}
	if (check_user(im, user, err) == -1)
		return -1;
	return ctx_thread_claim(im->st, name->data, err) == -1 ? -1 : 0;
}

static int
put_thread(struct ctx_import *im, struct ctx_err *err)
{
	struct ctx_import_value *v = im->value;
	int64_t before = 0, id;
	int rc;

	if (ctx_import_thread(im, err) == -1 || check_names(im, err) == -1)
		return -1;
	rc = ctx_db_int(im->st, &before, err, "SELECT updated FROM thread"
	    " WHERE name = ?1", "t", v[0].text.data, v[0].text.len);
	if (rc == -1)
		return -1;
	if (rc == 1 && im->memory)
		return known_thread(im, err);
	im->newer = rc == 0 || v[4].number >= before;
	if (ctx_db_run(im->st, err, "INSERT INTO thread(id, name, user, head,"
	    " created, updated, pinned, attrs) VALUES(" CTX_DB_THREAD_NEW
	    ", ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT(" CTX_DB_THREAD_KEY
	    ") DO UPDATE SET user = excluded.user, head = excluded.head,"
	    " updated = excluded.updated, pinned = excluded.pinned, attrs ="
	    " excluded.attrs WHERE excluded.updated >= thread.updated",
	    "ottiiiit", ctx_db_new_thread(v[0].text.data, v[0].text.len, &id),
	    v[0].text.data, v[0].text.len, v[1].is_null ? NULL : v[1].text.data,
	    v[1].text.len, v[2].number, v[3].number, v[4].number,
	    v[5].is_null ? (int64_t)0 : v[5].number,
	    v[6].is_null ? NULL : v[6].text.data, v[6].text.len) == -1)
		return -1;
	if (!v[1].is_null && (im->user = strdup(v[1].text.data)) == NULL)
		return ctx_fail_nomem(err);
	return known_thread(im, err);
}

static int
import_thread(struct ctx_import *im, struct ctx_err *err)
{
	if (ctx_import_close(im, err) == -1 || ctx_db_begin(im->st, err) == -1)
		return -1;
	free(im->user);
	im->user = NULL;
	im->thread = 0;
	im->loose = 0;
	im->open = put_thread(im, err) == 0;
	if (im->open)
		return 0;
	im->thread = 0;
	return ctx_db_end(im->st, 0, err);
}

/* Import the state of a user without a thread. */
static int
import_user(struct ctx_import *im, struct ctx_err *err)
{
	static const struct ctx_col cols[] = { { "name", CTX_COL_TEXT },
	    { NULL, CTX_COL_INT } };
	struct ctx_import_value *v = &im->value[0];

	if (ctx_import_close(im, err) == -1 ||
	    ctx_import_values(im, cols, err) == -1)
		return -1;
	if (v->is_null)
		return ctx_import_bad(err, "user");
	if (ctx_store_name_check("user", v->text.data, v->text.len,
	    err) == -1) {
		err->code = CTX_EINPUT;
		return -1;
	}
	if (check_user(im, v, err) == -1)
		return -1;
	free(im->user);
	if ((im->user = strdup(v->text.data)) == NULL)
		return ctx_fail_nomem(err);
	im->loose = 0;
	if (ctx_db_begin(im->st, err) == -1)
		return -1;
	im->open = 1;
	return ctx_db_hold_user(im->st, im->user, err);
}

static int
import_head(struct ctx_import *im, struct ctx_err *err)
{
	int64_t version = 0;

	if (ctx_import_number(im, "version", &version) == -1 ||
	    version != CTX_PORT_VERSION)
		return ctx_fail(err, CTX_EINPUT, "the export has version %lld, "
		    "but this program reads version %d", (long long)version,
		    CTX_PORT_VERSION);
	im->begun = 1;
	im->memory = CTX_GET(&im->doc, 0, "only") != CTX_NONE;
	return 0;
}

/*
 * Compare the sum of the lines.  A mismatch is not an error: people edit
 * exports.
 */
static int
check_sum(struct ctx_import *im, struct ctx_err *err)
{
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_sha256 sum = im->sum;
	struct ctx_buf have = { 0 };
	char hex[CTX_SHA256_HEX];

	if (ctx_import_text(im, "sha256", &have, err) == -1) {
		ctx_buf_done(&have);
		return -1;
	}
	ctx_sha256_final(&sum, digest);
	ctx_sha256_text(digest, hex);
	im->sum_is = have.len == 0 ? CTX_IMPORT_NO_SUM :
	    strcmp(have.data, hex) == 0 ? CTX_IMPORT_SUM : CTX_IMPORT_BAD_SUM;
	ctx_buf_done(&have);
	return 0;
}

static int
import_end(struct ctx_import *im, struct ctx_err *err)
{
	int64_t lines = 0;

	if (ctx_import_number(im, "lines", &lines) == -1 ||
	    lines != im->lines)
		return ctx_fail(err, CTX_EINPUT,
		    "the last line counts %lld lines, but there are %lld",
		    (long long)lines, (long long)im->lines);
	if (ctx_import_close(im, err) == -1 || check_sum(im, err) == -1)
		return -1;
	im->ended = 1;
	return 0;
}

static int
dispatch(struct ctx_import *im, const char *row, struct ctx_err *err)
{
	const struct ctx_rowkind *k;

	if (!im->begun)
		return strcmp(row, "ctx-store") == 0 ? import_head(im, err) :
		    ctx_import_bad(err,
		    "the file does not begin like an "
		    "export; append stores the lines of a history");
	if (im->ended)
		return ctx_import_bad(err, "it comes after the last line");
	if (strcmp(row, "thread") == 0)
		return import_thread(im, err);
	if (strcmp(row, "user") == 0)
		return import_user(im, err);
	if (strcmp(row, "end") == 0)
		return import_end(im, err);
	if (strcmp(row, "body") == 0)
		return im->open ? ctx_import_body(im, err) :
		    ctx_import_bad(err, "it belongs to no thread");
	k = ctx_import_kind(row);
	return k != NULL ? import_row(im, k, err) :
	    ctx_import_bad(err, "it is an unknown row");
}

int
ctx_import_line(struct ctx_import *im, const char *line, size_t len,
    struct ctx_err *err)
{
	struct ctx_buf row = { 0 };
	int rc;

	im->lines++;
	if ((rc = ctx_import_scan(im, line, len, &row, err)) == 0)
		rc = dispatch(im, row.data, err);
	ctx_sha256_update(&im->sum, line, len);
	ctx_buf_done(&row);
	if (rc == -1 && im->open) {
		im->open = 0;
		im->thread = 0;
		ctx_db_end(im->st, 0, NULL);
	}
	return rc;
}

int
ctx_import_lines(struct ctx_import *im, int fd, struct ctx_err *err)
{
	struct ctx_reader in;
	struct ctx_line line;
	int rc;

	ctx_reader_init(&in, fd);
	while ((rc = ctx_reader_next(&in, &line, err)) == 1)
		if (ctx_import_line(im, line.raw, line.len, err) == -1) {
			err->line = line.no;
			rc = -1;
			break;
		}
	ctx_reader_done(&in);
	return rc;
}

int
ctx_import_end(struct ctx_import *im, int64_t *threads, struct ctx_err *err)
{
	*threads = im->threads;
	if (im->ended)
		return 0;
	return ctx_fail(err, CTX_EINPUT,
	    "the export is cut off: its last line is missing");
}
