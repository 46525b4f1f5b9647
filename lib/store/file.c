/* SPDX-License-Identifier: MIT */
/* Files of a thread; see file.h. */
#include "store/file.h"

#include <string.h>

#include "base/utf8.h"
#include "base/when.h"
#include "store/body.h"
#include "store/search/note.h"

int
ctx_file_name_ok(const char *name)
{
	size_t i;

	for (i = 0; name[i] != '\0'; i++)
		if (!((name[i] >= '0' && name[i] <= '9') ||
		    ((name[i] | 0x20) >= 'a' && (name[i] | 0x20) <= 'z') ||
		    name[i] == '_' || (i > 0 && strchr(".-", name[i]))))
			return 0;
	return i > 0 && i <= 128;
}

static int64_t
count_lines(const char *p, size_t n)
{
	int64_t lines = n > 0 && p[n - 1] != '\n';
	size_t i;

	for (i = 0; i < n; i++)
		lines += p[i] == '\n';
	return lines;
}

int
ctx_file_begin(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_begin(st, err);
}

int
ctx_file_end(struct ctx_store *st, int ok, struct ctx_err *err)
{
	return ctx_db_end(st, ok, err);
}

/* Make search find a new version. */
static int
note(struct ctx_store *st, int64_t thread, const char *kind, const char *name,
    int64_t version, struct ctx_err *err)
{
	struct ctx_note n = { 0 };

	n.kind = kind;
	n.thread = thread;
	n.n = version;
	n.name = name;
	return ctx_note_add(st, &n, err);
}

static int
put(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_file *f, int64_t *version, struct ctx_err *err)
{
	static const struct ctx_make make = { .parent_seq = -1 };
	int64_t body, chars, lines;
	struct ctx_ref ref;
	int rc;

	if (ctx_context_make(st, w, &make, &ref, err) == -1 ||
	    ctx_thread_used(st, ref.thread, err) == -1 ||
	    ctx_body_put(st, f->data, f->len, &body, err) == -1)
		return -1;
	rc = ctx_db_int(st, version, err, "SELECT version FROM file WHERE"
	    " thread = ?1 AND kind = ?2 AND name = ?3 AND body = ?4 AND"
	    " lang IS ?5 AND descr IS ?6 AND mime IS ?7 AND version = (SELECT"
	    " max(version) FROM file WHERE thread = ?1 AND kind = ?2 AND"
	    " name = ?3)", "ississs", ref.thread, f->kind, f->name, body,
	    f->lang, f->descr, f->mime);
	if (rc != 0)
		return rc == 1 ? 0 : -1;
	if (ctx_db_int(st, version, err, "SELECT coalesce(max(version), 0) + 1"
	    " FROM file WHERE thread = ?1 AND kind = ?2 AND name = ?3", "iss",
	    ref.thread, f->kind, f->name) == -1)
		return -1;
	chars = ctx_utf8_check(f->data, f->len) == f->len ?
	    (int64_t)ctx_utf8_count(f->data, f->len) : (int64_t)f->len;
	lines = f->lines == -1 ? -1 : count_lines(f->data, f->len);
	if (ctx_db_run(st, err, "INSERT INTO file(thread, kind, name,"
	    " version, lang, descr, lines, chars, mime, body, ts) VALUES(?1,"
	    " ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)", "ississiisii",
	    ref.thread, f->kind, f->name, *version, f->lang, f->descr, lines,
	    chars, f->mime, body, ctx_when_now()) == -1)
		return -1;
	return note(st, ref.thread, f->kind, f->name, *version, err);
}

int
ctx_file_put(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_file *f, int64_t *version, struct ctx_err *err)
{
	struct ctx_file copy = *f;

	if (copy.data == NULL)
		copy.data = "";
	if (ctx_store_name_check(f->kind, f->name, strlen(f->name),
	    err) == -1)
		return -1;
	if (f->descr != NULL &&
	    ctx_utf8_check(f->descr, strlen(f->descr)) != strlen(f->descr))
		return ctx_fail(err, CTX_EINPUT, "the description is not "
		    "UTF-8");
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, put(st, w, &copy, version, err) == 0, err);
}

static int
find_same(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_file *f, int64_t from, int64_t *version,
    struct ctx_err *err)
{
	struct ctx_ref ref;
	int64_t body;
	int rc;

	if (ctx_thread_find(st, w, &ref, err) == -1)
		return -1;
	if ((rc = ctx_body_find(st, f->data, f->len, &body, err)) != 1)
		return rc;
	return ctx_db_int(st, version, err, "SELECT version FROM file WHERE"
	    " thread = ?1 AND kind = ?2 AND name = ?3 AND body = ?4 AND"
	    " lang IS ?5 AND descr IS ?6 AND version >= ?7"
	    " ORDER BY version LIMIT 1", "ississi", ref.thread, f->kind,
	    f->name, body, f->lang, f->descr, from);
}

int
ctx_file_same(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_file *f, int64_t from, int64_t *version,
    struct ctx_err *err)
{
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = find_same(st, w, f, from, version, err);
	ctx_db_read_end(st);
	return rc;
}

static int
again(struct ctx_store *st, const struct ctx_where *w, const char *kind,
    const char *name, int64_t *version, struct ctx_err *err)
{
	struct ctx_ref ref;
	int64_t newest, same;

	if (ctx_thread_find(st, w, &ref, err) == -1 ||
	    ctx_thread_used(st, ref.thread, err) == -1 ||
	    ctx_db_int(st, &newest, err, "SELECT max(version) FROM file WHERE"
	    " thread = ?1 AND kind = ?2 AND name = ?3", "iss", ref.thread,
	    kind, name) == -1 ||
	    ctx_db_int(st, &same, err, "SELECT count(*) FROM file a JOIN file b"
	    " USING(thread, kind, name, body) WHERE thread = ?1 AND kind = ?2"
	    " AND name = ?3 AND a.version = ?4 AND b.version = ?5 AND"
	    " a.lang IS b.lang AND a.descr IS b.descr AND a.mime IS b.mime",
	    "issii", ref.thread, kind, name, *version, newest) == -1)
		return -1;
	if (same > 0) {
		*version = newest;
		return 0;
	}
	if (ctx_db_run(st, err, "INSERT INTO file(thread, kind, name, version,"
	    " lang, descr, lines, chars, mime, body, ts) SELECT thread, kind,"
	    " name, ?5, lang, descr, lines, chars, mime, body, ?6 FROM file"
	    " WHERE thread = ?1 AND kind = ?2 AND name = ?3 AND version = ?4",
	    "issiii", ref.thread, kind, name, *version, newest + 1,
	    ctx_when_now()) == -1)
		return -1;
	if (sqlite3_changes(st->db) == 0)
		return ctx_db_none(kind, name, err);
	*version = newest + 1;
	return note(st, ref.thread, kind, name, *version, err);
}

int
ctx_file_again(struct ctx_store *st, const struct ctx_where *w,
    const char *kind, const char *name, int64_t *version,
    struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, again(st, w, kind, name, version, err) == 0,
	    err);
}

#define COLUMNS "SELECT kind, name, version, lang, descr, lines, chars, ts," \
	" body, mime, (SELECT size FROM body WHERE id = f.body) FROM file f"

static void
fill(struct ctx_file *f, sqlite3_stmt *q)
{
	memset(f, 0, sizeof(*f));
	f->kind = (const char *)sqlite3_column_text(q, 0);
	f->name = (const char *)sqlite3_column_text(q, 1);
	f->version = sqlite3_column_int64(q, 2);
	f->lang = (const char *)sqlite3_column_text(q, 3);
	f->descr = (const char *)sqlite3_column_text(q, 4);
	f->lines = sqlite3_column_int64(q, 5);
	f->chars = sqlite3_column_int64(q, 6);
	f->ts = sqlite3_column_int64(q, 7);
	f->mime = (const char *)sqlite3_column_text(q, 9);
	f->len = (size_t)sqlite3_column_int64(q, 10);
}

static int
get(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_buf data = { 0 };
	struct ctx_file f;
	struct ctx_ref ref;
	sqlite3_stmt *q;
	int rc;

	if (ctx_thread_find(st, w, &ref, err) == -1)
		return -1;
	q = ctx_db_query(st, err, COLUMNS " WHERE thread = ?1 AND kind = ?2"
	    " AND name = ?3 AND version = CASE WHEN ?4 > 0 THEN ?4 ELSE"
	    " (SELECT max(version) FROM file WHERE thread = ?1 AND kind = ?2"
	    " AND name = ?3) END", "issi", ref.thread, key->kind, key->name,
	    key->version);
	if ((rc = ctx_db_row(st, q, err)) == -1)
		return -1;
	if (rc == 0)
		return ctx_db_none(key->kind, key->name, err);
	fill(&f, q);
	rc = ctx_body_get(st, sqlite3_column_int64(q, 8), &data, err);
	f.data = data.data != NULL ? data.data : "";
	f.len = data.len;
	if (rc == 0)
		rc = fn(&f, arg, err);
	sqlite3_reset(q);
	ctx_buf_done(&data);
	return rc;
}

int
ctx_file_get(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
    struct ctx_err *err)
{
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = get(st, w, key, fn, arg, err);
	ctx_db_read_end(st);
	return rc;
}

int
ctx_file_newest(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int rc;

	if (ctx_db_begin(st, err) == -1)
		return -1;
	rc = ctx_file_get(st, w, key, fn, arg, &why);
	if (rc == -1 && why.code == CTX_ENO)
		rc = 0;
	else if (rc == -1)
		*err = why;
	return ctx_db_end(st, rc == 0, err);
}

int
ctx_file_list(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_file f;
	struct ctx_ref ref;
	sqlite3_stmt *q = NULL;
	int rc = 0;

	if (ctx_db_read(st, err) == -1)
		return -1;
	if (ctx_thread_find(st, w, &ref, err) == 0)
		q = ctx_db_query(st, err, COLUMNS " WHERE thread = ?1 AND"
		    " kind = ?2 AND CASE WHEN ?3 IS NULL THEN version ="
		    " (SELECT max(version) FROM file g WHERE g.thread = ?1 AND"
		    " g.kind = ?2 AND g.name = f.name) ELSE name = ?3 END"
		    " ORDER BY CASE WHEN ?3 IS NULL THEN (SELECT min(ts) FROM"
		    " file g WHERE g.thread = ?1 AND g.kind = ?2 AND g.name ="
		    " f.name) END, name, version",
		    "iss", ref.thread, key->kind, key->name);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		fill(&f, q);
		rc = fn(&f, arg, err);
	}
	ctx_db_read_end(st);
	return rc;
}

static int
remove_file(struct ctx_store *st, const struct ctx_where *w,
    const char *kind, const char *name, struct ctx_err *err)
{
	struct ctx_note note = { .kind = kind, .n = -1, .name = name };
	struct ctx_ref ref;

	if (ctx_thread_find(st, w, &ref, err) == -1)
		return -1;
	note.thread = ref.thread;
	if (ctx_note_forget_these(st, &note, err) == -1 ||
	    ctx_body_free_begin(st, err) == -1 ||
	    ctx_db_run(st, err, "INSERT OR IGNORE INTO temp.loose SELECT body"
	    " FROM file WHERE thread = ?1 AND kind = ?2 AND name = ?3 AND"
	    " body IS NOT NULL", "iss", ref.thread, kind, name) == -1 ||
	    ctx_db_run(st, err, "DELETE FROM file WHERE thread = ?1 AND"
	    " kind = ?2 AND name = ?3", "iss", ref.thread, kind, name) == -1)
		return -1;
	if (sqlite3_changes(st->db) == 0)
		return ctx_db_none(kind, name, err);
	return ctx_thread_used(st, ref.thread, err) == -1 ? -1 :
	    ctx_body_free_end(st, NULL, err);
}

int
ctx_file_remove(struct ctx_store *st, const struct ctx_where *w,
    const char *kind, const char *name, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, remove_file(st, w, kind, name, err) == 0, err);
}
