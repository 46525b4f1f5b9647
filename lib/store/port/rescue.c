/* SPDX-License-Identifier: MIT */
/* Rows of a file that SQLite refuses; see rescue.h. */
#include "store/port/rescue.h"

#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "store/port/leaf.h"
#include "store/schema.h"

/*
 * A page that is no longer in use may hold an earlier version of a row: what
 * tells which is the later one, in tables whose rows change.
 */
static const struct {
	const char *table, *newer;
} newer[] = {
	{ "thread", "user = excluded.user, head = excluded.head, updated ="
	    " excluded.updated, pinned = excluded.pinned, attrs ="
	    " excluded.attrs WHERE excluded.updated >= updated" },
	{ "context", "next_seq = excluded.next_seq, turn = excluded.turn,"
	    " attrs = excluded.attrs WHERE excluded.next_seq >= next_seq" },
	{ "message", "json = coalesce(json, excluded.json)" },
	{ "bundle", "last = excluded.last, size = excluded.size, lens ="
	    " excluded.lens, data = excluded.data"
	    " WHERE excluded.last > last" },
	{ "state", "pos = excluded.pos, body = excluded.body"
	    " WHERE excluded.body > body" },
	{ "user_state", "pos = excluded.pos, body = excluded.body"
	    " WHERE excluded.body > body" },
	{ "file", "body = NULL WHERE excluded.body IS NULL" },
};
#define NEWER	(sizeof(newer) / sizeof(newer[0]))

/*
 * The tables, without those that are made anew, and for each: the types of its
 * columns, the fewest columns of a row, since those with a default may have
 * been added later, and how a row is inserted.  A type is the first letter of
 * SQLite's, a capital one if it may be NULL; n is the row's id, which is NULL
 * on the page.  Tables without a rowid have their key first.
 */
#define COLUMNS	" FROM pragma_table_info(l.name))"
static const char tables[] =
"SELECT name, (SELECT group_concat(CASE WHEN pk AND NOT wr THEN 'n' WHEN"
" \"notnull\" THEN lower(substr(type, 1, 1)) ELSE substr(type, 1, 1) END, '')"
COLUMNS ", (SELECT max(iif(dflt_value IS NULL, cid + 1, 0))" COLUMNS ","
" 'INSERT INTO ' || name || ' VALUES(' || (SELECT group_concat(iif(dflt_value"
" IS NULL, '?' || (cid + 1), 'coalesce(?' || (cid + 1) || ', ' || dflt_value"
" || ')'), ', ')"
COLUMNS " || ')' FROM pragma_table_list l WHERE schema = 'main' AND strict AND"
" name NOT IN ('meta', 'event', 'note', 'vector', 'vector_model')";

struct rescue {
	struct ctx_store *st;
	struct table {
		sqlite3_stmt *insert;
		int least;
		char types[CTX_LEAF_COLS + 1];
	} *table;
	size_t n, cap;
	int64_t rows;
};

/* Is it a text that cannot have been stored? */
static int
is_broken(const struct ctx_leaf_value *v)
{
	return v->type > 12 && (v->type & 1) != 0 &&
	    (ctx_utf8_check((const char *)v->p, v->len) != v->len ||
	    memchr(v->p, '\0', v->len) != NULL);
}

static int
fits(const struct ctx_leaf_value *v, char type)
{
	char have = v->type == 0 ? 'n' : v->type < 7 || v->type == 8 ||
	    v->type == 9 ? 'i' : v->type < 12 ? 'f' : v->type & 1 ? 't' : 'b';

	if (type >= 'a')
		return have == type && !is_broken(v);
	return have == 'n' || have == type + ('a' - 'A');
}

/* Is it a row of the table?  On a page of an index there is no id. */
static int
is_of(const struct ctx_leaf_row *r, const struct table *t)
{
	int c;

	if (r->n < t->least || r->n > (int)strlen(t->types) ||
	    (t->types[0] == 'n') != (r->id > 0))
		return 0;
	for (c = 0; c < r->n; c++)
		if (!fits(&r->col[c], t->types[c]))
			return 0;
	return 1;
}

static int
bind(sqlite3_stmt *q, const struct ctx_leaf_row *r)
{
	const struct ctx_leaf_value *v;
	int c, rc = sqlite3_clear_bindings(q);

	for (c = 0; c < r->n && rc == SQLITE_OK; c++) {
		v = &r->col[c];
		if (v->type == 0 || is_broken(v))
			rc = c == 0 ? sqlite3_bind_int64(q, 1, r->id) :
			    sqlite3_bind_null(q, c + 1);
		else if (v->type < 12)
			rc = sqlite3_bind_int64(q, c + 1, ctx_leaf_int(v));
		else if (v->type & 1)
			rc = sqlite3_bind_text64(q, c + 1, (const char *)v->p,
			    v->len, SQLITE_STATIC, SQLITE_UTF8);
		else
			rc = sqlite3_bind_blob64(q, c + 1, v->p, v->len,
			    SQLITE_STATIC);
	}
	return rc;
}

static int
take(const struct ctx_leaf_row *r, void *arg, struct ctx_err *err)
{
	struct rescue *to = arg;
	sqlite3_stmt *q;
	size_t i;
	int rc;

	for (i = 0; i < to->n && !is_of(r, &to->table[i]); i++)
		continue;
	if (i == to->n)
		return 0;
	q = to->table[i].insert;
	if ((rc = bind(q, r)) == SQLITE_OK) {
		rc = sqlite3_step(q);
		sqlite3_reset(q);
	}
	if (rc == SQLITE_DONE)
		to->rows++;
	/* A row that the table refuses is not one of it. */
	return rc == SQLITE_DONE || (rc & 0xff) == SQLITE_CONSTRAINT ? 0 :
	    ctx_db_fail(to->st, rc, err);
}

/* Add the table in q. */
static int
add_table(struct rescue *to, sqlite3_stmt *q, struct ctx_err *err)
{
	const char *name = (const char *)sqlite3_column_text(q, 0);
	struct ctx_buf sql = { 0 };
	struct table *t;
	size_t i = 0;
	int rc = -1;

	if (name == NULL || CTX_ROOM(to->table, to->n, &to->cap) == -1)
		return ctx_fail_nomem(err);
	t = &to->table[to->n++];
	t->insert = NULL;
	t->least = sqlite3_column_int(q, 2);
	snprintf(t->types, sizeof(t->types), "%s",
	    (const char *)sqlite3_column_text(q, 1));
	while (i < NEWER && strcmp(newer[i].table, name) != 0)
		i++;
	ctx_db_add(&sql, q, 3);
	ctx_buf_addf(&sql, " ON CONFLICT DO %s%s", i < NEWER ? "UPDATE SET " :
	    "NOTHING", i < NEWER ? newer[i].newer : "");
	if (ctx_buf_str(&sql) == NULL)
		ctx_fail_nomem(err);
	else if ((rc = sqlite3_prepare_v2(to->st->db, sql.data, -1,
	    &t->insert, NULL)) != SQLITE_OK)
		rc = ctx_db_fail(to->st, rc, err);
	ctx_buf_done(&sql);
	return rc;
}

/* The index of body_part has rows of the same types, with the part first. */
static int
tidy(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_exec(st, "DELETE FROM body_part WHERE body NOT IN"
	    " (SELECT id FROM body WHERE kind = 1) OR part NOT IN"
	    " (SELECT id FROM body)", err);
}

static int
fill(struct rescue *to, int fd, int wal, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	if (ctx_db_exec(to->st, "PRAGMA foreign_keys=OFF", err) == -1 ||
	    ctx_db_begin(to->st, err) == -1)
		return -1;
	q = ctx_db_query(to->st, err, tables, "");
	while ((rc = ctx_db_next(to->st, q, rc, err)) == 1)
		rc = add_table(to, q, err);
	if (rc == 0 && (rc = ctx_leaf_each(fd, wal, take, to, err)) == 0)
		rc = tidy(to->st, err);
	while (to->n > 0)
		sqlite3_finalize(to->table[--to->n].insert);
	free(to->table);
	return ctx_db_end(to->st, rc == 0, err);
}

/* May the file be ours?  Only a header that can be read says that it is not. */
static int
may_be_ours(int fd)
{
	unsigned char h[100] = { 0 };

	return pread(fd, h, sizeof(h), 0) != sizeof(h) ||
	    memcmp(h, "SQLite format 3", 16) != 0 ||
	    (ctx_bytes_be(h + 68, 4) == CTX_SCHEMA_ID &&
	    ctx_bytes_be(h + 60, 4) <= CTX_SCHEMA_VERSION);
}

int
ctx_rescue_is_cut(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), cut = 0;
	unsigned char h[100];
	struct stat sb;
	uint64_t size;

	if (fd == -1)
		return 0;
	if (fstat(fd, &sb) == 0 && pread(fd, h, sizeof(h), 0) == sizeof(h) &&
	    memcmp(h, "SQLite format 3", 16) == 0 &&
	    ctx_bytes_be(h + 24, 4) == ctx_bytes_be(h + 92, 4)) {
		size = ctx_bytes_be(h + 16, 2);
		size = size == 1 ? 65536 : size;
		cut = (uint64_t)sb.st_size < size * ctx_bytes_be(h + 28, 4);
	}
	close(fd);
	return cut;
}

/* Open the log of a file.  Returns -1 also if there is none. */
static int
open_log(const char *path)
{
	char *name = sqlite3_mprintf("%s-wal", path);
	int fd = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);

	sqlite3_free(name);
	return fd;
}

int
ctx_rescue_open(struct ctx_store **out, const char *path, const char *near,
    struct ctx_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0, wal;
	struct rescue to = { 0 };

	if (fd == -1)
		return 0;
	wal = open_log(path);
	if (may_be_ours(fd) && (rc = ctx_store_open_temp(&to.st, near,
	    err)) == 0) {
		/* messages name the file */
		free(to.st->path);
		if ((to.st->path = strdup(path)) == NULL)
			rc = ctx_fail_nomem(err);
		else if ((rc = fill(&to, fd, wal, err)) == 0)
			rc = to.rows > 0;
	}
	close(fd);
	if (wal != -1)
		close(wal);
	if (rc == 1)
		*out = to.st;
	else
		ctx_store_close(to.st, NULL);
	return rc;
}
