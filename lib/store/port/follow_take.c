/* SPDX-License-Identifier: MIT */
/* Store what changed in the store that is followed; see follow.h. */
#include "store/port/follow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/line.h"
#include "store/body.h"
#include "store/change.h"
#include "store/pack.h"
#include "store/port/follow_impl.h"
#include "store/search/note.h"
#include "store/sound.h"
#include "store/thread.h"

struct ctx_follow_take {
	struct ctx_store *st;
	struct ctx_import *im;		/* its members value, thread, user */
	FILE *unit;			/* the lines of the unit so far */
	int64_t lines;			/* their number */
	struct ctx_sha256 sum;
	struct ctx_position pos;	/* after the last unit */
	int64_t units, all_lines;
	int begun, ended;
	/* while a unit is stored */
	int whole;			/* all rows of the thread are in it */
	int loose, notes, forgot;	/* bodies, rows that search finds */
	struct run {			/* of new messages; the first ones */
		int64_t context, seq, n;
	} run[CTX_PACK_EVERY];
	size_t nrun;
};

int
ctx_follow_take_new(struct ctx_follow_take **out, struct ctx_store *st,
    struct ctx_err *err)
{
	struct ctx_follow_take *t = calloc(1, sizeof(*t));

	if ((*out = t) == NULL)
		return ctx_fail_nomem(err);
	t->st = st;
	ctx_sha256_init(&t->sum);
	if ((t->unit = tmpfile()) == NULL)
		return ctx_fail_errno(err, errno, "temporary file");
	return ctx_import_new(&t->im, st, err);
}

void
ctx_follow_take_free(struct ctx_follow_take *t)
{
	if (t == NULL)
		return;
	if (t->unit != NULL)
		fclose(t->unit);
	ctx_import_free(t->im);
	free(t);
}

/* The first line must go on from where this store is. */
static int
take_head(struct ctx_follow_take *t, struct ctx_err *err)
{
	struct ctx_position pos = { 0 };
	struct ctx_buf store = { 0 };
	int64_t version = 0;
	int rc = ctx_import_text(t->im, "store", &store, err);

	if (rc == 0 && (ctx_import_number(t->im, "version", &version) == -1 ||
	    version != CTX_FOLLOW_VERSION))
		rc = ctx_fail(err, CTX_EINPUT, "the export has version %lld, "
		    "but --follow reads version %d, which 'ctx-store export "
		    "--follow' writes", (long long)version,
		    CTX_FOLLOW_VERSION);
	if (rc == 0 && (store.len == 0 || store.len >= sizeof(pos.store)))
		rc = ctx_import_bad(err, "it names no store");
	if (rc == 0 && ctx_import_number(t->im, "change", &pos.change) == 0) {
		memcpy(pos.store, store.data, store.len + 1);
		rc = ctx_position_members(t->im, &pos, err) == 0 ? 0 :
		    ctx_import_bad(err, "the position is incomplete");
	}
	if (rc == 0 && (rc = ctx_position_get(t->st, &t->pos, err)) == 0 &&
	    !ctx_position_same(&pos, &t->pos))
		rc = ctx_fail(err, CTX_EINPUT, "the export does not begin "
		    "where %s ends; give it the position that 'ctx-store "
		    "import --position' prints", t->st->path);
	if (rc == 0 && *t->pos.store == '\0')
		memcpy(t->pos.store, store.data, store.len + 1);
	ctx_buf_done(&store);
	return rc;
}

/* Note that the words of the thread are to be indexed anew. */
static int
forget_notes(struct ctx_follow_take *t, struct ctx_err *err)
{
	static const char *const gone[] = {
		"CREATE TEMP TABLE IF NOT EXISTS gone(id INTEGER PRIMARY KEY)",
		"DELETE FROM temp.gone", NULL
	};

	if (t->forgot || t->im->thread == 0)
		return 0;
	t->forgot = t->notes = 1;
	if (ctx_db_run_all(t->st, err, gone, "") == -1 ||
	    ctx_db_run(t->st, err, "INSERT INTO temp.gone SELECT id FROM"
	    " context WHERE thread = ?1 UNION SELECT -1", "i",
	    t->im->thread) == -1)
		return -1;
	return ctx_note_forget(t->st, t->im->thread, err);
}

/* Remove all rows of a kind. */
static int
clear_kind(struct ctx_follow_take *t, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	const char *any = strcmp(k->scope, "user") == 0 ? "TRUE" : "FALSE";
	const struct ctx_col *c;
	int rc = 0;
	struct ctx_buf sql = { 0 };

	for (c = k->col; c->name != NULL; c++)
		if (c->type == CTX_COL_BODY)
			ctx_buf_addf(&sql, "INSERT OR IGNORE INTO temp.loose"
			    " SELECT %s FROM %s WHERE %s IS NOT NULL AND (%s"
			    " OR %s = '%lld');", c->name, k->table, c->name,
			    any, k->scope, (long long)t->im->thread);
	ctx_buf_addf(&sql, "DELETE FROM %s WHERE %s OR %s = '%lld';", k->table,
	    any, k->scope, (long long)t->im->thread);
	t->loose = 1;
	rc = ctx_buf_str(&sql) == NULL ? ctx_fail_nomem(err) :
	    ctx_db_exec(t->st, sql.data, err);
	ctx_buf_done(&sql);
	return rc;
}

static int
clear_all(struct ctx_follow_take *t, struct ctx_err *err)
{
	const struct ctx_rowkind *k;

	if (forget_notes(t, err) == -1)
		return -1;
	for (k = ctx_rowkinds; k->name != NULL; k++)
		if (strcmp(k->scope, "thread") == 0 &&
		    strcmp(k->name, "message") != 0 &&
		    clear_kind(t, k, err) == -1)
			return -1;
	return 0;
}

static int
take_all(struct ctx_follow_take *t, struct ctx_err *err)
{
	const struct ctx_rowkind *k = NULL;
	struct ctx_buf kind = { 0 };
	int rc = ctx_import_text(t->im, "kind", &kind, err);

	if (rc == 0 && ((k = ctx_import_kind(kind.data)) == NULL ||
	    strcmp(k->name, "message") == 0 || (t->im->thread == 0 &&
	    strcmp(k->scope, "thread") == 0)))
		rc = ctx_import_bad(err, "all");
	if (rc == 0)
		rc = forget_notes(t, err);
	if (rc == 0 && strcmp(k->scope, "user") == 0 &&
	    (rc = ctx_db_hold_user(t->st, NULL, err)) == 0)
		rc = ctx_change_users(t->st, err);
	if (rc == 0)
		rc = clear_kind(t, k, err);
	ctx_buf_done(&kind);
	return rc;
}

/* The thread with this row number, "" if there is none. */
static int
name_of(struct ctx_follow_take *t, int64_t id, char **name,
    struct ctx_err *err)
{
	return ctx_db_text(t->st, name, err, "SELECT name FROM thread WHERE"
	    " id = ?1", "i", id);
}

static int
take_gone(struct ctx_follow_take *t, struct ctx_err *err)
{
	struct ctx_removed sum = { 0 };
	int64_t id;
	char *name;
	int rc;

	if (ctx_import_number(t->im, "id", &id) == -1)
		return ctx_import_bad(err, "gone");
	/* it may have come and gone since the position */
	if ((rc = name_of(t, id, &name, err)) == 1)
		rc = ctx_thread_remove(t->st, name, &sum, err);
	free(name);
	return rc;
}

/* Another thread of this name, or with this row number, is not theirs. */
static int
check_name(struct ctx_follow_take *t, int64_t id, const struct ctx_buf *name,
    struct ctx_err *err)
{
	char quoted[80];
	int64_t n = 0;

	if (ctx_db_int(t->st, &n, err, "SELECT count(*) FROM thread WHERE"
	    " (id = ?1) <> (name = ?2)", "it", id, name->data,
	    name->len) == -1)
		return -1;
	return n == 0 ? 0 : ctx_fail(err, CTX_EINPUT, "%s has another thread "
	    "in the place of '%s': it was written to by others", t->st->path,
	    ctx_err_quote(quoted, sizeof(quoted), name->data, name->len));
}

static int
take_thread(struct ctx_follow_take *t, struct ctx_err *err)
{
	const struct ctx_import_value *v = t->im->value;
	int64_t id, whole = 0;

	if (ctx_import_thread(t->im, err) == -1)
		return -1;
	if (ctx_import_number(t->im, "id", &id) == -1 || id < 1 ||
	    v[5].is_null || t->im->thread != 0)
		return ctx_import_bad(err, "thread");
	if (ctx_thread_name_again(t->st, v[0].text.data, v[0].text.len,
	    err) == -1 || check_name(t, id, &v[0].text, err) == -1 ||
	    ctx_db_run(t->st, err, "INSERT INTO thread(id, name, user, head,"
	    " created, updated, pinned, attrs) VALUES(?1, ?2, ?3, ?4, ?5, ?6,"
	    " ?7, ?8) ON CONFLICT(id) DO UPDATE SET user = excluded.user,"
	    " head = excluded.head, created = excluded.created, updated ="
	    " excluded.updated, pinned = excluded.pinned, attrs ="
	    " excluded.attrs", "ittiiiit", id, v[0].text.data, v[0].text.len,
	    v[1].is_null ? NULL : v[1].text.data, v[1].text.len, v[2].number,
	    v[3].number, v[4].number, v[5].number,
	    v[6].is_null ? NULL : v[6].text.data, v[6].text.len) == -1)
		return -1;
	t->im->thread = id;
	t->whole = ctx_import_number(t->im, "whole", &whole) == 0 && whole;
	if (ctx_db_hold(t->st, id, err) == -1 ||
	    ctx_change_thread(t->st, id, err) == -1)
		return -1;
	return t->whole ? clear_all(t, err) : 0;
}

static int
take_user(struct ctx_follow_take *t, struct ctx_err *err)
{
	struct ctx_buf name = { 0 };
	int rc = ctx_import_text(t->im, "name", &name, err);

	if (rc == 0 && ctx_store_name_check("user", name.data, name.len,
	    NULL) == -1)
		rc = ctx_import_bad(err, "user");
	free(t->im->user);
	t->im->user = NULL;
	if (rc == 0 && (t->im->user = strdup(name.data)) == NULL)
		rc = ctx_fail_nomem(err);
	if (rc == 0)
		rc = ctx_db_hold_user(t->st, name.data, err);
	ctx_buf_done(&name);
	return rc;
}

/* Note the message whose values were read, which was not there. */
static void
note_message(struct ctx_follow_take *t)
{
	int64_t context = t->im->value[0].number, seq = t->im->value[1].number;
	struct run *r = t->nrun > 0 ? &t->run[t->nrun - 1] : NULL;

	if (r != NULL && r->context == context && seq == r->seq + r->n)
		r->n++;
	else if (t->nrun < CTX_PACK_EVERY)
		t->run[t->nrun++] = (struct run){ context, seq, 1 };
}

/* Pack lines as if they had been appended here. */
static int
pack(struct ctx_follow_take *t, struct ctx_err *err)
{
	const struct run *r;
	int rc = 0;

	if (t->im->messages >= CTX_PACK_EVERY)
		return ctx_pack_thread(t->st, t->im->thread, err);
	for (r = t->run; r < t->run + t->nrun && rc == 0; r++)
		if (ctx_pack_is_worth(r->seq, r->n))
			rc = ctx_pack_rows(t->st, t->im->thread, r->context,
			    r->seq, r->n, err);
	return rc;
}

static int
take_row(struct ctx_follow_take *t, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	int user = strcmp(k->scope, "user") == 0, loose;
	sqlite3_stmt *q;

	if (user ? t->im->user == NULL : t->im->thread == 0)
		return ctx_import_bad(err, "it belongs to no thread");
	if (ctx_import_values(t->im, k->col, err) == -1 ||
	    (user && ctx_change_users(t->st, err) == -1))
		return -1;
	if (strcmp(k->name, "message") == 0) {
		if (ctx_import_row(t->im, k, err) == -1)
			return -1;
		if (sqlite3_changes(t->st->db) > 0)
			note_message(t);
		return 0;
	}
	t->notes |= !user;
	if ((loose = ctx_import_loosen(t->im, k, err)) == -1)
		return -1;
	t->loose |= loose;
	return ctx_import_run(t->im, k, CTX_ROWKIND_FORCE, &q, err) == -1 ?
	    ctx_import_refused(t->im, k, err) : 0;
}

/* A line of a unit, in its transaction. */
static int
store_line(struct ctx_follow_take *t, const char *line, size_t len,
    struct ctx_err *err)
{
	const struct ctx_rowkind *k;
	struct ctx_buf row = { 0 };
	int rc = ctx_import_scan(t->im, line, len, &row, err);

	if (rc == -1)
		;
	else if (strcmp(row.data, "thread") == 0)
		rc = take_thread(t, err);
	else if (strcmp(row.data, "user") == 0)
		rc = take_user(t, err);
	else if (strcmp(row.data, "body") == 0)
		rc = ctx_import_body(t->im, err);
	else if (strcmp(row.data, "all") == 0)
		rc = take_all(t, err);
	else if (strcmp(row.data, "gone") == 0)
		rc = take_gone(t, err);
	else if ((k = ctx_import_kind(row.data)) != NULL)
		rc = take_row(t, k, err);
	else
		rc = ctx_import_bad(err, "it is an unknown row");
	ctx_buf_done(&row);
	return rc;
}

static int
store_lines(struct ctx_follow_take *t, struct ctx_err *err)
{
	struct ctx_reader in;
	struct ctx_line line;
	int rc;

	if (fflush(t->unit) == EOF || fseek(t->unit, 0, SEEK_SET) == -1)
		return ctx_fail_errno(err, errno, "temporary file");
	ctx_reader_init(&in, fileno(t->unit));
	while ((rc = ctx_reader_next(&in, &line, err)) == 1)
		if (store_line(t, line.raw, line.len, err) == -1) {
			rc = -1;
			break;
		}
	ctx_reader_done(&in);
	return rc;
}

/* Does each log end where its context says? */
static int
check_ends(struct ctx_follow_take *t, struct ctx_err *err)
{
	int64_t n = 0;

	if (ctx_db_int(t->st, &n, err, "SELECT count(*) FROM context c WHERE"
	    " thread = ?1 AND next_seq - 1 <> ifnull((SELECT max(seq) FROM"
	    " message m WHERE m.thread = ?1 AND m.context = c.id), CASE kind"
	    " WHEN 1 THEN parent_seq ELSE 0 END)", "i", t->im->thread) == -1)
		return -1;
	return n == 0 ? 0 : ctx_fail(err, CTX_EINPUT, "messages are missing");
}

static int
check_thread(struct ctx_follow_take *t, struct ctx_err *err)
{
	char what[CTX_SOUND_SIZE];
	size_t at = 0;
	int rc;

	if (!t->whole)
		return check_ends(t, err);
	rc = ctx_sound_thread(t->st, t->im->thread, &at, what, err);
	return rc == 1 ? 0 : rc == -1 ? -1 : ctx_fail(err, CTX_EINPUT, "%s",
	    what);
}

/* In a transaction: store the lines, and that the store is at pos now. */
static int
store_unit(struct ctx_follow_take *t, const struct ctx_position *pos,
    struct ctx_err *err)
{
	struct ctx_position now;

	if (ctx_position_get(t->st, &now, err) == -1)
		return -1;
	if (*now.store != '\0' && !ctx_position_same(&now, &t->pos))
		return ctx_fail(err, CTX_EINPUT, "%s: another import has "
		    "stored this meanwhile", t->st->path);
	if (ctx_body_free_begin(t->st, err) == -1 ||
	    store_lines(t, err) == -1)
		return -1;
	if (t->im->thread != 0 && (check_thread(t, err) == -1 || (t->notes &&
	    ctx_note_add_thread(t->st, t->im->thread, err) == -1)))
		return -1;
	if (pack(t, err) == -1)
		return -1;
	if (t->loose && ctx_body_free_end(t->st, NULL, err) == -1)
		return -1;
	return ctx_position_put(t->st, pos, err);
}

static void
begin_unit(struct ctx_follow_take *t)
{
	t->im->thread = t->im->messages = 0;
	t->nrun = 0;
	free(t->im->user);
	t->im->user = NULL;
	t->whole = t->loose = t->notes = t->forgot = 0;
	t->lines = 0;
	ctx_sha256_init(&t->sum);
}

/* Does the last line of a unit count and sum up the others? */
static int
check_unit(struct ctx_follow_take *t, struct ctx_err *err)
{
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_buf have = { 0 };
	char hex[CTX_SHA256_HEX];
	int64_t lines = -1;
	int rc;

	ctx_sha256_final(&t->sum, digest);
	ctx_sha256_text(digest, hex);
	rc = ctx_import_text(t->im, "sha256", &have, err);
	if (rc == 0 && (ctx_import_number(t->im, "lines", &lines) == -1 ||
	    lines != t->lines || strcmp(have.data, hex) != 0))
		rc = ctx_fail(err, CTX_EINPUT,
		    "the lines before it do not match their sum");
	ctx_buf_done(&have);
	return rc;
}

static int
take_at(struct ctx_follow_take *t, struct ctx_err *err)
{
	struct ctx_position pos = t->pos;
	int rc;

	if (ctx_position_members(t->im, &pos, err) == -1)
		return ctx_import_bad(err, "the position is incomplete");
	if (check_unit(t, err) == -1 || ctx_db_begin(t->st, err) == -1)
		return -1;
	rc = ctx_db_end(t->st, store_unit(t, &pos, err) == 0, err);
	begin_unit(t);
	if (rc == -1)
		return -1;
	t->pos = pos;
	t->units++;
	if (fseek(t->unit, 0, SEEK_SET) == -1 ||
	    ftruncate(fileno(t->unit), 0) == -1)
		return ctx_fail_errno(err, errno, "temporary file");
	return 0;
}

static int
take_last(struct ctx_follow_take *t, struct ctx_err *err)
{
	int64_t lines;

	if (ctx_import_number(t->im, "lines", &lines) == -1 ||
	    lines != t->all_lines || t->lines > 0)
		return ctx_import_bad(err, "the last line does not fit");
	t->ended = 1;
	return 0;
}

static int
cut_off(struct ctx_err *err)
{
	return ctx_fail(err, CTX_EINPUT, "the export is cut off; go on from "
	    "'ctx-store import --position'");
}

int
ctx_follow_take_line(struct ctx_follow_take *t, const char *line, size_t len,
    struct ctx_err *err)
{
	struct ctx_buf row = { 0 };
	int rc;

	if (len == 0 || line[len - 1] != '\n')
		return cut_off(err);
	t->all_lines++;
	rc = ctx_import_scan(t->im, line, len, &row, err);
	if (rc == -1)
		;
	else if (!t->begun)
		rc = strcmp(row.data, "ctx-store") == 0 ? take_head(t, err) :
		    ctx_import_bad(err,
		    "the file does not begin like an export");
	else if (t->ended)
		rc = ctx_import_bad(err, "it comes after the last line");
	else if (strcmp(row.data, "at") == 0)
		rc = take_at(t, err);
	else if (strcmp(row.data, "end") == 0)
		rc = take_last(t, err);
	else {
		t->lines++;
		ctx_sha256_update(&t->sum, line, len);
		if (fwrite(line, 1, len, t->unit) != len)
			rc = ctx_fail_errno(err, errno, "temporary file");
	}
	t->begun = 1;
	ctx_buf_done(&row);
	return rc;
}

int
ctx_follow_take_end(struct ctx_follow_take *t, int64_t *units,
    struct ctx_err *err)
{
	*units = t->units;
	return t->ended ? 0 : cut_off(err);
}
